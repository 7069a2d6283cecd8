// The SSP coefficient of a Runge–Kutta method: its radius of absolute monotonicity, exactly.
//
// With K = [[A, 0], [b', 0]] it is the largest r at which K (I + r K)^-1 and (I + r K)^-1 1 have no
// negative entry; both hold on all of [0, r] (Kraaijevanger 1991). By Cramer's rule these entries
// are polynomials in r over det(I + r A): the coefficient is the first r > 0 at which one of them,
// or the determinant, becomes negative.
#pragma once

#include <optional>
#include <string>

#include "analysis/exact/numbers/poly.hpp"

namespace daemark::exact {

/// Where a polynomial first becomes negative on r >= 0: at 0, nowhere, or at the one root of `odd`
/// (odd multiplicity, squarefree) in (lower, upper].
struct FirstNegative {
  bool at_zero = false, nowhere = false;
  Poly odd;
  rational lower, upper;
};
/// Empty for work beyond seconds.
std::optional<FirstNegative> first_negative(const Poly& p);

struct SspCoefficient {
  std::string exact;  ///< "3/2", "root(x^3-5*x^2+10*x-10,2,3)", or "unbounded"
  double value = 0;   ///< may be infinite
  /// Of decimals, which are known to their digits alone.
  std::string digits() const;
};
/// Empty for work beyond seconds, and where b and A have more than 40 stages times degree.
std::optional<SspCoefficient> ssp_coefficient(const Matrix& a, const Vector& b);

}  // namespace daemark::exact
