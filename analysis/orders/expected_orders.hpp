// The orders to expect of a method on a formulation, for comparison with observed slopes.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "analysis/orders/dae_orders.hpp"

namespace daemark {

/// analysis/orders/dae_orders.hpp on the facts of the method; of multistep formulas no more than
/// their start allows: `settings` as of a run, "start" in particular.
ExpectedOrders slopes_expected(const std::string& method, const std::string& formulation,
                               const std::map<std::string, std::string>& settings = {});

/// The method that another is built around, where it has a parameter for that.
std::optional<std::string> inner_method(const std::string& call);

/// "Radau IIA with 3 stages for the first 5 steps, with errors of size h^6, ...": how the method
/// starts, and what that leaves of the order of its formula. Empty where no start is needed.
std::string start_text(const std::string& method,
                       const std::map<std::string, std::string>& settings = {});
/// The same of a method of that order, with the default settings.
std::string start_text(const Method& method, const std::optional<int>& order);

/// What the sources of a method state of its order, as a claim or with a theorem; empty where they
/// state nothing.
std::optional<int> cited_order(const std::string& method);

/// The classical order: of tableaus as in method_facts.hpp, of multistep formulas by their own
/// conditions; otherwise as claimed, empty where nothing is.
std::optional<int> order_of(const std::string& method);

}  // namespace daemark
