// Order within rounding, for decimal coefficients and fractions with long denominators.
// What holds "within rounding" is what some coefficients that round to the written ones could
// satisfy (analysis/exact/theory/uncertain.hpp).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/exact/theory/uncertain.hpp"
#include "methods/core/tableau.hpp"

namespace daemark::exact {

struct RoundedOrder {
  int order = 0;
  wide residual = 0;  ///< largest of all trees up to the order
  wide next = 0;      ///< largest of the trees of the next order: the jump
  /// No jump: what was tried holds, trees up to an order that the stages allow (14 to 54 stages),
  /// the simplifying assumptions, B beyond. Then `next` is the residual of B(order + 1).
  bool at_least = false;
};

/// What trees say, order by order: the last whose conditions all hold, and the residuals.
struct TreeOrders {
  int holds = 0, exact = 0;    ///< the last that holds, and that holds to 100 digits
  std::vector<wide> worst{0};  ///< worst[q]: largest residual of order q
  /// Of the next order.
  void add(const wide& residual, bool all_hold);
  wide largest(int order) const;
  /// All orders that were tried hold.
  bool unbounded() const { return static_cast<int>(worst.size()) == holds + 1; }
  RoundedOrder with_jump() const;
};

/// What the numbers of a tableau say to their own accuracy.
struct RoundedTableau {
  RoundedOrder order;
  std::optional<RoundedOrder> embedded;
  int b = 0, c = 0, d = 0;           ///< B(p), C(eta), D(xi) within rounding
  bool sums_hold = true;             ///< Σ_j a_ij = c_i within rounding
  std::vector<std::string> defects;  ///< row sums and Σb beyond rounding; the worst row
  std::string row_sums;              ///< "row sums: at most 3e-17 off, within the rounding"
};

/// Some entry has an uncertainty.
bool approximates(const Tableau<Expression>& tableau);
bool approximates(const Coefficients& method);

/// The order is the largest whose conditions all hold within rounding and after which the residual
/// jumps tenfold at least; without such a jump it is the order that holds to 100 digits.
RoundedTableau rounded(const Tableau<Expression>& tableau);

/// The same of a pair, by its own trees (analysis/exact/theory/pair.hpp); b, c and d stay 0.
RoundedTableau rounded_pair(const Coefficients& pair);

/// M = BA + A'B - bb' is 0 within rounding.
bool within_rounding_symplectic(const Tableau<Expression>& tableau);

/// Multistep: the same on C_q, with the defect of the next one.
RoundedOrder rounded(const Coefficients& formula, std::vector<std::string>& defects);

}  // namespace daemark::exact
