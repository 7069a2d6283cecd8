// The stepper of methods/symmetric_projection.cpp, whose header has the equations.
#pragma once

#include "base/linear/sparse_lu.hpp"
#include "methods/stages/state_stepper.hpp"

namespace daemark {

template <class S>
class SymmetricProjectionStepper final : public StateStepper<S> {
 public:
  /// `inner` works on the same target.
  SymmetricProjectionStepper(std::unique_ptr<Stepper<S>> inner, const Target<S>& target);

 protected:
  StepReport advance(const S& h) override;

 private:
  /// H at a point: G and ∂Φ̇/∂q, and g = (Φ, Φ̇).
  struct Slope {
    std::vector<S> gradient, curvature;
  };
  void evaluate(const State<S>& at, Slope* slope);
  /// y := from + Hᵀμ.
  void add_normal(const Slope& slope, const State<S>& from, State<S>& to) const;
  bool factor(const Slope& slope);
  StepReport sweep(const S& h);

  std::unique_ptr<Stepper<S>> inner_;
  SparseLu<double> lu_;
  Slope begin_, end_;
  std::vector<S> mu_, violation_;
  std::vector<double> values_, solution_;
  State<S> shifted_;
};

}  // namespace daemark
