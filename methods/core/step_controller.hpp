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
#pragma once

#include <array>
#include <vector>

#include "methods/core/settings.hpp"

namespace daemark {

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
