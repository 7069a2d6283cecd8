// Comparison of code and theory: the stepper, on y' = z y with h = 1, against the certified R(z).
//
// N/D is determined by deg N + deg D + 1 values, so equality at that many points is equality of the
// functions: exactly where the stepper runs in rationals, to `digits` digits in real50 otherwise.
#pragma once

#include <string>
#include <vector>

#include "analysis/exact/numbers/ball.hpp"
#include "analysis/exact/proof/verify.hpp"

namespace daemark::exact {

struct CodeCheck {
  std::string method;
  bool exact = false;  ///< rational stepper, equality; false: real50
  int points = 0;      ///< values compared
  int digits = 0;      ///< least agreement found, capped at 50; exact: 0
  bool holds = false;
  std::string failure;  ///< first point that disagrees, or why the stepper did not run
};

/// method: a catalogue call, e.g. "pade_block(r=4,k=2)"; report: its stability function. Throws
/// BadInput for an unknown method or a report without a stability function.
CodeCheck compare_code(const std::string& method, const VerifyReport& report);

/// The tableau that runs, against enclosures of the derived one (b is the last row of a; rows of a
/// may end early): a note, or a failure that names the entry.
void add_tableau_check(VerifyReport& report, const WideTableau& code, const BallMatrix& a,
                       const BallVector& c);

/// Coefficients are computed with 130 digits; conditions cost some of them.
inline constexpr int tableau_digits = 90;

/// Agreement in real50 that counts as equal.
inline constexpr int code_digits = 45;

}  // namespace daemark::exact
