// The parts of methods/augmented_lagrangian.cpp, whose header has the equations: the Newton matrix
// with penalties, and projections of velocities and accelerations in the metric it gives.
#pragma once

#include "base/linear/sparse_lu.hpp"
#include "methods/core/stepper.hpp"
#include "methods/structural/structural_stepper.hpp"

namespace daemark {

/// An index-3 system with −1/penalty on the diagonal of its constraint rows in the Newton matrix,
/// not in the equations: iterations are λ ← λ + penalty · Φ(next q).
template <class S>
class PenaltySystem final : public ImplicitSystem<S> {
 public:
  PenaltySystem(ImplicitSystem<S>& inner, const S& penalty);
  void evaluate(const SystemPoint<S>& point, S* r, S* jacobian_y, S* jacobian_rate) override;
  bool explicit_rates(S* y, S* rate, const S& t, const S* chart) override {
    return inner_.explicit_rates(y, rate, t, chart);
  }
  int chart_size() const override { return inner_.chart_size(); }
  void rebase(S* chart, const std::vector<S*>& points_y,
              const std::vector<S*>& points_rate) override {
    inner_.rebase(chart, points_y, points_rate);
  }

 private:
  ImplicitSystem<S>& inner_;
  S diagonal_;
  int rows_;
};

/// δ with W δ + c α Gᵀ(G δ + violation) = 0, W = M + h γ ∂R/∂v + h² β ∂R/∂q, c = h² β.
template <class S>
class PenaltyProjection {
 public:
  PenaltyProjection(MechanicalSystem<S>& mechanism, double gamma, double beta, double penalty);
  /// Moves v and a of a step end; false where the matrix is singular or a number is not finite.
  bool move(double h, const MotionPoint<S>& point, S* v, S* a);

 private:
  bool factor(double h);
  bool step(S* x);

  MechanicalSystem<S>& mechanism_;
  int n_, m_;
  double gamma_, beta_, penalty_;
  SparseLu<double> lu_;
  std::vector<int> mass_at_, damping_at_, stiffness_at_, gradient_at_, transposed_at_, diagonal_at_;
  std::vector<S> residual_, violation_, mass_, damping_, stiffness_, gradient_, curvature_;
  std::vector<double> values_, solution_;
};

template <class S>
class AugmentedLagrangianStepper final : public Stepper<S> {
 public:
  AugmentedLagrangianStepper(const StructuralForm& form, const rational& penalty,
                             const Target<S>& target, const Settings& settings);

  void start(const State<S>& initial, const S& h) override;
  StepReport attempt(const S& h) override;
  State<S>& candidate() override { return inner_->candidate(); }
  void accept() override;
  const State<S>& state() const override { return inner_->state(); }
  std::vector<S> memory() const override { return inner_->memory(); }
  void set_memory(const std::vector<S>& memory) override { inner_->set_memory(memory); }

 private:
  using F = FactorScalar<S>;
  Target<S> target_;
  PenaltySystem<S> system_;
  std::unique_ptr<PenaltySystem<F>> twin_;
  std::unique_ptr<StructuralStepper<S>> inner_;
  PenaltyProjection<S> projection_;
  long work_ = 0;
};

}  // namespace daemark
