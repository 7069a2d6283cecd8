// A stepper: one method on one system. A step is attempted, then accepted or dropped.
//
//   start(state, h);  report = attempt(h);  [candidate() may be changed]  accept();
//
// Between attempt and accept a decorator may change the candidate (a projection, an update on a
// tangent space). An attempt that fails or is not accepted leaves the memory as it was.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "methods/core/settings.hpp"
#include "problems/formulations/formulation.hpp"

namespace daemark {

struct Problem;

/// The last four are of programs (bindings/PROGRAMS.md).
enum class Status {
  ok,
  newton_diverged,
  singular_matrix,
  not_finite,
  step_limit,
  not_available,
  cannot_express,
  failed,
  aborted,
  timed_out
};
const char* status_name(Status status);

struct StepReport {
  Status status = Status::ok;
  const char* why = "";
};

/// The work of one run. For every method of the catalogue these are counts of the same things:
///
/// - residual_evals: evaluations of forces or constraints, all or some of them, at one point (t, q,
///   v). s stages are s an iteration, however many equations are solved at once; an index-1 solve
///   is one. M, G and M x asked alone are none.
/// - jacobian_evals: points at which derivatives of forces or constraints are formed.
/// - factorizations: matrices factored, of any size. What size costs is counted in
/// multiply-subtract
///   pairs, LuTally::pairs.
///
/// In extended precision what the double twin does is counted alike.
struct Counts {
  long steps = 0, newton_iterations = 0, residual_evals = 0, jacobian_evals = 0, factorizations = 0;
  long floor_stops = 0;     ///< Newton ended at round-off, above its tolerance
  long rejected_steps = 0;  ///< attempts that were repeated with another step
  /// Methods that solve for multipliers outside the integration: their iterations, and integrations
  /// of a step with given multipliers.
  long multiplier_iterations = 0, inner_sweeps = 0;
  long failed_solves = 0;  ///< iterations that did not converge

  /// Adds the work of an inner method between two counts, but not its steps.
  void add_work(const Counts& after, const Counts& before);
};

/// A point of the trajectory: all components of y and their rates.
template <class S>
struct State {
  S t{};
  std::vector<S> y, rate;
  std::vector<S> chart;  ///< orientations y refers to; empty for flat systems

  SystemPoint<S> point() const { return {y.data(), rate.data(), t, chart.data()}; }
};

/// How many points of Counts one evaluation of a system takes, and one Jacobian of it.
struct EvaluationPoints {
  int residual = 1, jacobian = 1;
  int derived = 0;  ///< points at which an evaluation without a Jacobian forms derivatives
};

/// Makes the linear algebra of stages for one kind of system (methods/stages/stage_matrix.hpp).
class StageAlgebraMaker;

/// What a method works on: the system, in the scalar of the run and in the scalar in which Newton
/// matrices are factored. Where it comes from a mechanism, also the mechanism (in both scalars) and
/// the formulation, for methods that work on M, G, f and Φ. Must outlive the stepper.
template <class S>
struct Target {
  ImplicitSystem<S>* system = nullptr;
  ImplicitSystem<FactorScalar<S>>* factor_system = nullptr;
  MechanicalSystem<S>* mechanism = nullptr;
  MechanicalSystem<FactorScalar<S>>* factor_mechanism = nullptr;
  const Formulation* formulation = nullptr;
  const Problem* problem = nullptr;            ///< for programs, which get it as a file
  const StageAlgebraMaker* algebra = nullptr;  ///< null: sparse LU of the stage matrix
  EvaluationPoints points{};                   ///< of the system

  /// Whether ẏ and the multipliers at a point are those of the state there (explicit_rates()).
  bool rates_follow() const {
    if (formulation != nullptr) return formulation->info.index <= 1;
    for (const Component& component : system->components())
      if (component.kind == Component::Kind::algebraic) return false;
    return true;
  }
};

/// The times of step ends: begin + k h while the step stays the same, so that rounding does not add
/// up.
template <class S>
class StepClock {
 public:
  void start(const S& t, const S& h) { begin_ = t, h_ = h, steps_ = 0; }
  const S& step() const { return h_; }
  /// The end of the next step. After a change of the step size, steps are counted from `now`.
  S next() const { return begin_ + S(static_cast<double>(steps_ + 1)) * h_; }
  void change(const S& now, const S& h) {
    if (h != h_) start(now, h);
  }
  void advance() { ++steps_; }

 private:
  S begin_{}, h_{};
  long steps_ = 0;
};

/// What a stepper that measures its own error says of an attempt that succeeded, for step-size
/// control.
struct StepAdvice {
  double error = -1;   ///< in units of what is accepted; < 0: not measured, see error_estimate()
  int order = 0;       ///< power of h with which it falls; 0: Method::estimate_order()
  double caution = 1;  ///< factor on the next step, besides control.safety
  double growth = 0;   ///< largest ratio of the next step to this one; 0: control.grow alone
};

/// Powers of h with which errors inside a step fall; 0: there are no such values.
struct InsideOrders {
  int q = 0, v = 0, lambda = 0;
};

template <class S>
class Stepper {
 public:
  virtual ~Stepper() = default;
  /// Begins at a consistent state. h > 0 is the step of step(), and the one for which coefficients
  /// are prepared.
  virtual void start(const State<S>& initial, const S& h) = 0;
  /// Tries a step h from state(). Only methods of variable step (Method::constant_step) take
  /// another h than that of start(). On failure the report says why.
  virtual StepReport attempt(const S& h) = 0;
  /// What a successful attempt found. It may be changed until accept().
  virtual State<S>& candidate() = 0;
  /// The estimated error of the candidate, one entry for each component of y, 0 for algebraic ones.
  /// Empty where the method has no embedded formula or Settings::control is off.
  virtual const std::vector<S>& error_estimate() const {
    static const std::vector<S> none;
    return none;
  }
  virtual StepAdvice advice() const { return {}; }
  /// A first step from state() in a run over `span` [s]; 0: none is proposed.
  virtual double first_step(double span) {
    (void)span;
    return 0;
  }
  /// Settings::project is part of its steps.
  virtual bool projects() const { return false; }
  /// The candidate becomes the state.
  virtual void accept() = 0;
  /// Of values of its own inside steps; −1: none, and Hermite's are worse than its steps.
  virtual InsideOrders dense_orders() const { return {}; }
  /// y and ẏ in the last accepted step, θ of it behind its beginning, 0 ≤ θ ≤ 1; until the next
  /// attempt. The time is left to the caller.
  virtual void inside(const S& theta, State<S>& at) const { (void)theta, (void)at; }
  virtual const State<S>& state() const = 0;
  /// All numbers on which the next result depends, except the clock, which start() sets: to
  /// continue from a memory taken at t, start from the state at t, then call set_memory.
  /// set_memory(memory()) changes nothing. With newton.reuse > 0, factors that are kept change
  /// results within newton.tol.
  virtual std::vector<S> memory() const = 0;
  virtual void set_memory(const std::vector<S>& memory) = 0;
  const Counts& counts() const { return counts_; }

  /// One step of the size given to start(), accepted if it succeeds.
  StepReport step() {
    const StepReport report = attempt(step_size_);
    if (report.status == Status::ok) accept();
    return report;
  }

 protected:
  mutable Counts counts_;  ///< mutable: values inside a step cost evaluations
  S step_size_{};          ///< set by start()
};

// Step-size control: the next step from the estimated errors of the last ones.
//
// ε_n is the estimated error of step n in units of what the tolerances allow
// (methods/loop/error_size.hpp); it falls with h^k. After an accepted step
//
//   h_{n+1} = h_n · limited(safety · ε_n^(−b_0/k) ε_{n−1}^(−b_1/k) ε_{n−2}^(−b_2/k)
//                           (h_n/h_{n−1})^(−a)),
//
// with constants of the controller (a digital filter, Söderlind 2003), ε = 1 before the first step,
// and limited(x) = x within [shrink, grow], 1 within [1, dead_zone]. After a rejected step
// h · max(shrink, safety · ε^(−1/k)), after one that failed a fixed part.
//
// Where ε_n = C h_n^k, the steps settle at ε = safety^(k/(b_0 + b_1 + b_2)).

struct StepFilter {
  const char* name;         ///< the word of control.kind
  std::array<double, 3> b;  ///< of ε_n, ε_{n−1}, ε_{n−2}
  double a;                 ///< of h_n/h_{n−1}
  const char* meaning;
};

/// The first is the default; another controller is another entry.
const std::vector<StepFilter>& step_filters();

class StepController {
 public:
  /// `order`: the power of h with which the estimated error falls, > 0.
  StepController(const ControlSettings& settings, int order) : settings_(settings), order_(order) {}

  /// Forgets earlier steps.
  void restart();
  bool accepts(double error) const { return error <= settings_.accept; }
  /// For methods whose order changes between steps.
  void set_order(int order) { order_ = order; }
  /// Of a step h that was accepted with this error: the next one, which remembers it. `caution`:
  /// a further factor on it, at most 1 on rejected steps.
  double after_accepted(double h, double error, double caution = 1);
  double after_rejected(double h, double error, double caution = 1) const;
  double after_failed(double h) const { return h * settings_.failed; }

 private:
  double limited(double factor) const;

  ControlSettings settings_;
  int order_;
  std::array<double, 2> errors_{1, 1};  ///< of the steps before, the newest first
  double step_ = 0;                     ///< the step before; 0: none
};

}  // namespace daemark
