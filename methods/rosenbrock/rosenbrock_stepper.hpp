// The stepper of Rosenbrock methods; rosenbrock.hpp has the equations.
#pragma once

#include "base/linear/refined_lu.hpp"
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

}  // namespace daemark
