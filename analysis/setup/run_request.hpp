// What is asked of one integration, before any name in it is looked up.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/numbers/expression.hpp"
#include "base/numbers/precision.hpp"

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

}  // namespace daemark
