// Sine and cosine of one angle together, since the reduction of the angle is most of the cost of
// each.
#pragma once

#include "base/numbers/scalar.hpp"

namespace daemark {

/// The angle is taken by value: if it might be stored next to the results, the compiler would have
/// to expect a store to change it, and compute the two functions separately.
inline void sin_cos(const double angle, double& sine, double& cosine) {
  sine = std::sin(angle);
  cosine = std::cos(angle);
}

template <unsigned digits>
using mpfr_number = mp::number<mp::mpfr_float_backend<digits, mp::allocate_stack>, mp::et_off>;
template <unsigned digits>
void sin_cos(const mpfr_number<digits> angle, mpfr_number<digits>& sine,
             mpfr_number<digits>& cosine) {
  mpfr_sin_cos(sine.backend().data(), cosine.backend().data(), angle.backend().data(), MPFR_RNDN);
}

}  // namespace daemark
