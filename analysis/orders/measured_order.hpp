// What a method's steps show where nothing is known of its form: the order of its positions on the
// pendulum, whose motion is known in closed form, in the first formulation that it takes.
#pragma once

#include <optional>
#include <string>

namespace daemark {

struct MeasuredOrder {
  double order = 0;         ///< the middle slope of three end times
  bool settled = false;     ///< of asymptotic ranges
  std::string formulation;  ///< in which
};

/// None where it takes no formulation, chooses its steps itself, or shows no slope.
std::optional<MeasuredOrder> measured_order(const std::string& method);

/// "0.996, below the claimed 2"; "2.003, as claimed"; "2.003, nothing is claimed".
std::string judged(const MeasuredOrder& measured, const std::optional<int>& claimed);

/// Whether a settled order lies below by more than the bound within which slopes count as settled.
bool is_below(double order, int claimed);

}  // namespace daemark
