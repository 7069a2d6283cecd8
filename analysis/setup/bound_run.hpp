// Run requests, the validated runs made of them, and the equations of such a run in a scalar.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/numbers/expression.hpp"
#include "base/numbers/precision.hpp"
#include "methods/catalogue/registry.hpp"
#include "problems/formulations/formulation.hpp"
#include "problems/system/registry.hpp"

namespace daemark {

/// Positions and velocities given by the user; checked for consistency before anything runs.
struct InitialState {
  std::vector<Expression> q, v;
  bool consistent = true;  ///< false: may violate the constraints, to see what becomes of that
};

struct History;

/// How the violation of several constraints becomes one number.
enum class ViolationNorm { largest, euclidean };

/// When a named quantity passes a value (analysis/run/event.hpp).
struct EventRequest {
  std::string text;      ///< as asked: "slider_x=1/2:rising"
  std::string quantity;  ///< its name, velocities as "v_" and the name
  Expression value;      ///< in the unit of the quantity
  int direction = 0;     ///< +1 rising, -1 falling, 0 both
  bool ends = false;     ///< the run ends there

  /// NAME=VALUE[:rising|:falling]. Throws BadInput naming `where`.
  static EventRequest parse(const std::string& text, const std::string& where, bool ends);
};

struct RunRequest {
  std::string problem, formulation, method;  ///< calls as text: "two_link", "index1", "gauss(3)"
  Expression h, t_end;
  Precision precision = Precision::in_double;
  std::map<std::string, std::string> settings;  ///< "newton.tol" → "1e-3"; unknown keys refused
  std::optional<InitialState> initial;          ///< the problem's own if empty
  bool errors = false;     ///< also error_q, error_v, error_lambda against the reference
  bool warnings = false;   ///< also RunResult::warnings
  long history_every = 0;  ///< 0: no history; N: every N-th step end and the last one
  ViolationNorm violation_norm = ViolationNorm::largest;
  /// Takes the rows of the history as they come; RunResult::history then stays empty.
  std::function<void(const History&)> history_sink;
  std::vector<EventRequest> events;
  int repeat = 1;  ///< timing only: the least of that many runs is `seconds`; 0: not timed
};

/// A validated run request: bound once, then passed on to whatever integrates, measures or prints
/// it.
struct BoundRun {
  RunRequest request;  ///< as asked: numbers and settings as text, and what is recorded
  Problem problem;
  Formulation formulation;
  std::shared_ptr<const Method> method;
  std::string method_name;  ///< canonical
  Settings settings;
  SystemTraits system;     ///< what the method sees of problem and formulation
  wide t_start, h, t_end;  ///< absolute times; h: the step or the spacing of output points
  long steps = 0;          ///< of size h

  /// Throws BadInput for anything that cannot be run.
  explicit BoundRun(RunRequest request);
  /// Of a problem made already, which need not be in the catalogue.
  BoundRun(RunRequest request, Problem problem);

  /// The same with another step, end or precision; throw BadInput as the constructors do.
  BoundRun with_step(const Expression& h) const;
  BoundRun until(const Expression& t_end) const;
  BoundRun in(Precision precision) const;

 private:
  void bind_settings();
  void bind_steps();
  void bind_system();
};

/// The equations of a bound run in S, and in double, in which Newton matrices are factored.
template <class S>
struct BoundSystem {
  MechanicalPtr<S> mechanism;
  MechanicalPtr<double> twin_mechanism;
  std::unique_ptr<ImplicitSystem<S>> system;
  std::unique_ptr<ImplicitSystem<double>> twin;  ///< empty for S = double
  /// The run outlives it.
  explicit BoundSystem(const BoundRun& run);
  Target<S> target() const;
  MotionPoint<S> motion(const State<S>& state) const {
    return motion_point(mechanism->coordinates(), state.point());
  }

 private:
  const Formulation* formulation_;
  const Problem* problem_;
};

/// The state that was asked for, or the problem's own, at the start time, with accelerations and
/// multipliers. Throws BadInput with the size of the violation where q, v do not satisfy the
/// constraints.
template <class S>
State<S> initial_state(const BoundRun& run, BoundSystem<S>& model);

/// Empty if the formulation takes a mechanism with such traits, otherwise why not.
std::string formulation_refusal(const FormulationInfo& formulation, const SystemTraits& system);

/// What a method sees of a mechanism in a formulation.
SystemTraits traits_of(const FormulationInfo& formulation, MechanicalSystem<double>& mechanism);

/// Digits asked of the reference that errors in this precision are measured against.
int digits_for_errors(Precision precision);

}  // namespace daemark
