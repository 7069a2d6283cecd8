// The linear algebra of coupled stages in Newton's method: Jacobian values in, corrections out.
// StageMatrix is the general one; for a system of special structure Target::algebra gives another
// one.
#pragma once

#include <memory>
#include <vector>

#include "base/linear/sparse_lu.hpp"
#include "methods/stages/stage_layout.hpp"

namespace daemark {

template <class F>
class StageAlgebra {
 public:
  virtual ~StageAlgebra() = default;
  /// hB and h²B̄, r × r row-major, and the scale of each row of a stage.
  virtual void set_step(const std::vector<F>& hB, const std::vector<F>& h2_position,
                        const std::vector<F>& row_scale) = 0;
  F* jacobian_y() { return jacobian_y_.data(); }
  F* jacobian_rate() { return jacobian_rate_.data(); }
  /// Takes the Jacobian values of stage i from the two arrays above.
  virtual void add_stage(int i) = 0;
  virtual bool factor() = 0;
  virtual LuStatus status() const = 0;
  /// Why the last factor() failed, in one sentence.
  virtual const char* why() const {
    return status() == LuStatus::not_finite ? "a value in the Newton matrix is not finite"
                                            : "the Newton matrix is singular to working precision";
  }
  /// x (stage-major, r × unknowns) := K⁻¹ x.
  virtual void solve(F* x) = 0;

 protected:
  std::vector<F> jacobian_y_, jacobian_rate_;
};

class StageAlgebraMaker {
 public:
  virtual ~StageAlgebraMaker() = default;
  /// For r stages; `coupling` as in StageMatrix.
  virtual std::unique_ptr<StageAlgebra<double>> make(const ImplicitSystem<double>& system,
                                                     StageLayoutPtr layout, int r,
                                                     const std::vector<char>& coupling) const = 0;
};

}  // namespace daemark
