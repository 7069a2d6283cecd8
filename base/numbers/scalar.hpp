// The closed list of scalars. Bodies that depend on them live in .cpp files and are instantiated
// explicitly for `double` and `real50` (and for `rational` where only + - * / are used).
#pragma once

#include <boost/multiprecision/gmp.hpp>
#include <boost/multiprecision/mpfr.hpp>
#include <limits>
#include <string>
#include <type_traits>

#include "base/numbers/elementary.hpp"

namespace daemark {

namespace mp = boost::multiprecision;

/// Extended precision: 50 digits, 168 bits.
using real50 = mp::number<mp::mpfr_float_backend<50, mp::allocate_stack>, mp::et_off>;
/// The scalar in which coefficients are computed once, to be rounded once to the scalar of the run.
using wide = mp::number<mp::mpfr_float_backend<130, mp::allocate_stack>, mp::et_off>;
using rational = mp::number<mp::gmp_rational, mp::et_off>;

/// The scalar in which Newton matrices are factored: double for every floating scalar (a wide
/// residual corrects it), exact for rationals.
template <class S>
using FactorScalar = std::conditional_t<std::is_same_v<S, rational>, rational, double>;

template <class S>
inline constexpr bool is_exact = std::is_same_v<S, rational>;

template <class S>
double to_double(const S& x) {
  return static_cast<double>(x);
}

/// Unit round-off of S; 0 for rationals.
template <class S>
double unit_roundoff() {
  if constexpr (is_exact<S>) {
    return 0.0;
  } else {
    return static_cast<double>(std::numeric_limits<S>::epsilon()) / 2;
  }
}

template <class S>
S from_wide(const wide& x) {
  if constexpr (std::is_same_v<S, wide>) {
    return x;
  } else {
    return static_cast<S>(x);
  }
}

/// Enough decimal digits to read the same number back (17, 52; wide 132; rational exact).
template <class S>
std::string full_digits(const S& x);

/// "double", "real50", "wide", "rational".
template <class S>
const char* scalar_name();

}  // namespace daemark
