// The start of formulas that look back on several points.
#pragma once

#include <optional>
#include <string>

#include "methods/core/settings.hpp"

namespace daemark {

/// Settings::start where it is not given: `lower_orders` of a family that loses no order by it,
/// Radau IIA elsewhere.
inline constexpr Start own_order_start = Start::lower_orders;
/// start=lower_orders: whatever it costs.
inline constexpr Start lower_orders_start{static_cast<int>(Start::radau_iia) + 1};

/// What computes the first points.
struct FirstSteps {
  std::string how;  ///< "Radau IIA with 3 stages"
  int steps = 0;    ///< how many
  int order = 0;    ///< power of h in their errors, which stay: no run has a higher order (index 1)
};

class Method;
/// Empty for methods that need no start.
std::optional<FirstSteps> first_steps(const Method& method, const Settings& settings);

}  // namespace daemark
