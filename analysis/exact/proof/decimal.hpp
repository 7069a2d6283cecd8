// Reports on methods whose coefficients approximate others: order to the accuracy of the digits,
// stability of the numbers as they are written, and how far rounding could turn it.
#pragma once

#include "analysis/exact/proof/report_parts.hpp"
#include "analysis/exact/theory/multistep.hpp"
#include "analysis/exact/theory/rounding.hpp"

namespace daemark::exact {

/// Nothing is certified; `numbers` are those written. Claims are compared with what is found; one
/// on stability also holds where rounding alone decides against it.
VerifyReport report_decimal(const Coefficients& tableau, const TableauNumbers& numbers);
VerifyReport report_decimal(const Coefficients& formula, const MultistepProof& proof);

/// What coefficients that round to the written ones could still be.
struct WithinRounding {
  bool a_stable = false;    ///< no coefficient of E below 0 beyond rounding, or no change of sign
  bool vanishes = false;    ///< R(infinity) = 0
  bool axis_begins = true;  ///< the sign of E near 0 is that of the numbers as written
  wide axis_margin = 0;     ///< the most negative coefficient of E as written, 0 if there is none
};
WithinRounding within_rounding(const Tableau<Expression>& tableau, const StabilityProof& written);
/// Undecided is what the numbers as written are not, but numbers that round to them could be.
void leave_to_rounding(VerifyReport& report, bool may_be_a_stable, bool may_vanish);
void forget_imaginary_interval(VerifyReport& report);
/// A claim that holds as written, or that rounding alone decides against.
void check_rounded(VerifyReport& report, const char* name, const std::optional<bool>& claim,
                   bool written, bool possible, const std::string& reason);

/// Long fractions may stand for other numbers: the order those would give, where it is higher.
void add_rounded_order(VerifyReport& report, const RoundedOrder& found);
/// "order 5 to the accuracy of the digits: residuals up to ..., then ...".
std::string order_note(const RoundedOrder& found);
/// A claim beyond what was tried is undecided.
void check_order(VerifyReport& report, const char* name, const std::optional<int>& claim,
                 const RoundedOrder& found);

}  // namespace daemark::exact
