// Rosenbrock methods: one linear system with the same matrix for each stage, no iteration.
//
// For y' = f(t, y) with J = ∂f/∂y, increments k_i and y_1 = y_0 + Σ b_i k_i
//
//   k_i = h f(t_0 + c_i h, y_0 + Σ_{j<i} α_ij k_j) + h J Σ_{j≤i} γ_ij k_j + h² d_i ∂f/∂t,
//
// c, d the row sums of α, Γ. With U = Γ k and A = α Γ⁻¹, C = 1/γ − Γ⁻¹ no product with J is left
// [hairer1996, IV.7 (7.25)].
//
// Here systems are r(t, y, ẏ) = 0 with a matrix ∂r/∂ẏ that depends on y. They are
// y' = w, 0 = r(t, y, w) [hairer1996, VI.3 (3.12), VI.4]: w = ẏ and the multipliers are algebraic,
// increments of all three follow from unknowns of the size of r by the matrix
//
//   ∂r/∂w + ∂r/∂y_alg + hγ ∂r/∂y_diff + (hγ)² ∂r/∂y_int
//
// of methods/stages/stage_matrix.hpp. ∂r/∂t: differences of fourth order over h ε^(1/5), whose
// error is below the last digit of published coefficients. If the first difference is 0, ∂r/∂t is
// taken as 0.
//
// Order p on index 1 in y, w and multipliers where the method satisfies the conditions of
// differential-algebraic trees; on index 2 by methods/core/estimate_order.hpp. Step-size
// control: the embedded formula, multipliers left out.
#pragma once

#include <memory>

#include "base/linear/refined_lu.hpp"
#include "methods/core/method.hpp"
#include "methods/core/stepper.hpp"
#include "methods/stages/stage_layout.hpp"
#include "methods/stages/state_stepper.hpp"

namespace daemark {

/// Coefficients of codes, in S.
template <class S>
struct RosenbrockCoefficients {
  std::vector<S> A, C;  ///< s × s, row-major
  std::vector<S> weights, error, c, d;
  S gamma{};
  int stages() const { return static_cast<int>(c.size()); }
};

template <class S>
class RosenbrockStepper final : public OneStateStepper<S> {
  using OneStateStepper<S>::target_, OneStateStepper<S>::state_, OneStateStepper<S>::next_;

 public:
  RosenbrockStepper(RosenbrockCoefficients<S> coefficients, const Target<S>& target,
                    const Settings& settings);

  StepReport attempt(const S& h) override;
  const std::vector<S>& error_estimate() const override { return error_; }

 private:
  bool linearise(const S& h);
  void differentiate_in_time(const S& h);
  StepReport stage(int i, const S& h);
  void add_stages(const S* weights, int count, const std::vector<S>& stages, S* to) const;
  StepReport finish();
  S* increment(int i) { return &increments_[static_cast<std::size_t>(i) * size_]; }
  S* rate_increment(int i) { return &rate_increments_[static_cast<std::size_t>(i) * size_]; }

  RosenbrockCoefficients<S> method_;
  StageLayout layout_;
  const ComponentLists& lists_;
  int s_, size_, unknowns_;
  RefinedLu<S> lu_;
  std::vector<S> increments_, rate_increments_;  ///< U, and those of ẏ, by stage
  std::vector<S> jacobian_y_, jacobian_rate_, first_, second_, block_values_, values_, row_scale_;
  std::vector<S> residual_, start_residual_, shifted_, time_derivative_;
  std::vector<S> y_, rate_, memory_, error_;  ///< memory_: ẏ_i + Σ_j C_ij U_j/h
  bool depends_on_time_ = false;
};

std::shared_ptr<const Method> rosenbrock_method(const Coefficients& written);

}  // namespace daemark
