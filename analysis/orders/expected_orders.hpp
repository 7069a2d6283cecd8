// Orders to expect on constrained systems, for comparison with observed slopes.
//
// Each comes with its reason: derived from the coefficients (constrained_orders.hpp), an argument
// that needs no source, a theorem with the source that was read, or "observed only", which names
// the literature that is said to prove it. The last is left to multistep formulas and to tableaus
// with more trees than are tried. What that literature is cited for here:
//
// Index 2, A invertible (Hairer, Lubich & Roche 1989, section 4): with |R(infinity)| < 1 stiffly
// accurate methods with B(p), C(eta), D(xi) have order min(p, 2 eta, eta + xi + 1) in the state and
// eta in the last stage's multiplier, which is that of the step; for others min(p, eta + 1) bounds
// the order of the state from below, and velocities keep to it: their error off the constraint is
// made anew in each step, while positions do better. |R(infinity)| = 1: Lobatto IIIA 2s - 2,
// multipliers s - 1 (s odd) or s (s even) (Jay 1993, A singular with an explicit first stage);
// Gauss, velocities s + 1 (s odd) or s (s even).
// Index 3, stiffly accurate, |R(infinity)| < 1, eta >= 2 (Jay 1995): velocities eta, multipliers
// eta - 1; positions 2s - 1 for Radau IIA, i.e. where C(s) and D(s - 1) hold.
// Where multipliers at the step's end come from an index-1 solve there, they are a function of
// (q, v) and have the order of v, not that of the internal multipliers.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "analysis/orders/method_facts.hpp"

namespace daemark {

struct ExpectedOrders {
  std::optional<int> q, v, lambda;  ///< empty: nothing is known to hold
  bool q_at_least = false;          ///< q is a lower bound
  bool observed_only = false;       ///< no source for it was read
  std::string reason;               ///< theorem and source, or why nothing is expected
  bool claimed = false;             ///< what its author says: no form of the method is known here
  bool better_from_rest = false;  ///< q, v and lambda are lower bounds where motion starts at rest
  std::string text() const;       ///< "q >= 2, v 2, lambda 2"; "-" for an empty entry
};

/// Nothing, for that reason.
ExpectedOrders no_orders(const std::string& reason);

/// index 0 to 3; `both`: index 2 with constraints on positions as well (ggl).
ExpectedOrders expected_orders(const MethodFacts& method, int index, bool both = false);

/// What a multistep formula is to the theorems.
struct MultistepFacts {
  int order = 0;                          ///< of the formula, and no more than its start allows
  bool backward_differentiation = false;  ///< rates at the newest point alone, order = steps
  double at_infinity = 0;                 ///< largest modulus of a root of sigma
  bool zero_stable = true;                ///< roots of rho
};
ExpectedOrders expected_orders(const MultistepFacts& formula, int index);

/// The same on the facts of the method; of multistep formulas no more than
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
