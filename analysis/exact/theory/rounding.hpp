// Coefficients that approximate others: decimals, and fractions with long denominators. What holds
// "within rounding" is what some coefficients that round to the written ones could satisfy.
//
// Each entry gets an uncertainty u. A decimal: one unit of its last digit, of the longest entry's
// where it is written shorter (trailing zeros are dropped), and with 15 to 18 decimals 2^-52 of
// its size, as most of those were computed in double; none where no entry has more than 3 decimals.
// A fraction p/q with q >= 1000: 1/q², which continued fractions achieve. Everything else is exact.
// A polynomial condition moves by at most its value at |x| + u less that at |x|, all signs made
// positive.
#pragma once

#include <optional>
#include <string>
#include <vector>

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
bool approximates(const ExactTableau& tableau);

/// The order is the largest whose conditions all hold within rounding and after which the residual
/// jumps tenfold at least; without such a jump it is the order that holds to 100 digits.
RoundedTableau rounded(const ExactTableau& tableau);

/// M = BA + A'B - bb' is 0 within rounding.
bool within_rounding_symplectic(const ExactTableau& tableau);

/// Multistep: the same on C_q, with the defect of the next one.
RoundedOrder rounded(const ExactMultistep& formula, std::vector<std::string>& defects);

/// 0 for what is exact. `decimals`: digits after the point of the file's longest entry.
wide uncertainty(const Expression& entry, int decimals);
/// Digits after the point of the longest decimal among the texts; 0 if there is none.
int longest_decimal(const std::vector<const Expression*>& entries);

}  // namespace daemark::exact
