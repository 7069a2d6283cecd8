// Order within rounding, for decimal coefficients and fractions with long denominators.
// A condition holds "within rounding" if some coefficients that round to the written ones could
// satisfy it (analysis/exact/theory/uncertain.hpp).
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
  /// No jump: everything tried holds (trees up to an order that the number of stages allows, the
  /// simplifying assumptions, B beyond). Then `next` is the residual of B(order + 1).
  bool at_least = false;
};

/// Order conditions by trees: the last order whose conditions all hold, and the residuals.
struct TreeOrders {
  int holds = 0, exact = 0;    ///< the last that holds, and that holds to 100 digits
  std::vector<wide> worst{0};  ///< worst[q]: largest residual of order q
  /// Largest residual of the next order.
  void add(const wide& residual, bool all_hold);
  wide largest(int order) const;
  /// All orders tried hold.
  bool unbounded() const { return static_cast<int>(worst.size()) == holds + 1; }
  RoundedOrder with_jump() const;
};

/// Properties of a tableau to the accuracy of its written numbers.
struct RoundedTableau {
  RoundedOrder order;
  std::optional<RoundedOrder> embedded;
  int b = 0, c = 0, d = 0;           ///< B(p), C(eta), D(xi) within rounding
  bool sums_hold = true;             ///< Σ_j a_ij = c_i within rounding
  std::vector<std::string> defects;  ///< row sums and Σb beyond rounding; the worst row
  std::string row_sums;              ///< "row sums: at most 3e-17 off, within the rounding"
};

/// Whether some entry has an uncertainty.
bool approximates(const Tableau<Expression>& tableau);
bool approximates(const Coefficients& method);

/// The order is the largest whose conditions all hold within rounding and after which the residual
/// jumps tenfold at least; without such a jump it is the order that holds to 100 digits.
RoundedTableau rounded(const Tableau<Expression>& tableau);

/// The same for a pair, by the trees of pairs (analysis/exact/theory/pair.hpp); b, c, d stay 0.
RoundedTableau rounded_pair(const Coefficients& pair);

/// Whether M = BA + A'B - bb' is 0 within rounding.
bool within_rounding_symplectic(const Tableau<Expression>& tableau);

/// For multistep formulas, by the conditions C_q.
RoundedOrder rounded(const Coefficients& formula, std::vector<std::string>& defects);

}  // namespace daemark::exact
