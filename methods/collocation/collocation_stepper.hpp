// Radau IIA, Gauss and Lobatto IIIC on a mechanism, for step-size control: Newton's iteration stops
// once its error is below that of the step, with the matrices of
// methods/collocation/stage_corrector.hpp, the estimate is RADAU5's or like it
// (collocation_stages.hpp; Hairer & Wanner II, IV.8), stages begin at the polynomial of the last
// step.
//
//   ‖(δq, δv)‖ θ/(1 − θ) ≤ κ            Newton; θ its rate, norms in units of tol
//   e, filtered ≤ tol_s = c tol^(k/p)   k the order of the estimate, p that of the steps
//
// On index 2, 3 and with stabilised positions a step ends with one solve of [M Gᵀ; G 0], which
// gives v̇ and λ at (q, v) and puts v onto its constraints; on index 2 also q where
// Settings::project asks. On index 3 velocities count times h against the scale of positions. Gauss
// methods end no step at a stage: their step ends are solved for v̇ and λ on index 1 too, and on the
// others q and v are projected (projected collocation, Hairer & Wanner II, VII.4).
#pragma once

#include <memory>

#include "methods/collocation/collocation_stages.hpp"
#include "methods/collocation/stage_corrector.hpp"
#include "methods/loop/error_size.hpp"

namespace daemark {

template <class S>
class CollocationStepper final : public Stepper<S> {
 public:
  /// `formulas`: with ascending numbers of stages; more than one: the order varies. The
  /// target's formulation has levels, its constraints are independent.
  CollocationStepper(const std::vector<WideTableau>& formulas, const Target<S>& target,
                     const Settings& settings);

  void start(const State<S>& initial, const S& h) override;
  StepReport attempt(const S& h) override;
  State<S>& candidate() override { return next_; }
  StepAdvice advice() const override { return advice_; }
  double first_step(double span) override;
  bool projects() const override { return level_ > 0; }
  void accept() override;
  InsideOrders dense_orders() const override;
  void inside(const S& theta, State<S>& at) const override;
  const State<S>& state() const override { return state_; }
  std::vector<S> memory() const override;
  void set_memory(const std::vector<S>& memory) override;

 private:
  enum class Outcome { converged, slow, diverged, not_finite };
  /// What carries over from step to step besides points.
  struct StepHistory {
    double rate = 1;         ///< Newton's: θ/(1 − θ) when it stopped
    double contraction = 0;  ///< θ of the last step
    int formula = 0;         ///< place of the formula in use
    int last_formula = -1;   ///< of the step before; −1: none
    int steps_split = -1;    ///< steps since the matrix was split; −1: inertial
    int since_change = 0;    ///< steps since the order changed
    S last_step{};
  };

  const StageFormula<S>& formula() const { return *formulas_[history_.formula]; }
  void set_weights(const S& h);
  double accepted_part() const;
  bool linearise(CorrectorMode mode, double h);
  StepReport solve(const S& h);
  Outcome iterate(CorrectorMode mode);
  void estimate(double h);
  StepReport finish();
  void choose_order();
  void rebase();
  StepReport failure(Outcome outcome) const;

  Target<S> target_;
  ConstraintLevels<S> levels_;
  ErrorSize<S> error_size_;
  bool project_position_;
  int n_, m_, u_, size_, level_;
  double tol_, kappa_;
  std::vector<std::unique_ptr<StageFormula<S>>> formulas_;
  StageCorrector corrector_;
  CollocationStages<S> stages_;
  StageRows<S> last_;
  State<S> state_, next_;
  StepHistory history_, next_history_;
  StepAdvice advice_;
  StepWeights weights_;
  int iterations_ = 0;
  std::vector<double> corrections_, eq_, ev_, end_;
  std::vector<S*> chart_points_y_, chart_points_rate_;
  mutable std::vector<S> dense_;
};

}  // namespace daemark
