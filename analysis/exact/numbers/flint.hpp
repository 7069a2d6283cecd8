// FLINT 2 with Arb, or FLINT 3, which contains Arb; their fractions as values of C++.
#pragma once

#include <gmp.h>  // first: FLINT 3 declares its conversions of mpq_t only then

#if __has_include(<flint/arb.h>)
#include <flint/arb.h>
#else
#include <arb.h>
#endif
#include <flint/fmpq.h>
#include <flint/fmpq_mat.h>
#include <flint/fmpq_poly.h>
#include <flint/fmpz_poly.h>
#include <flint/fmpz_poly_factor.h>
#include <flint/fmpz_vec.h>

#include "base/numbers/scalar.hpp"

namespace daemark::exact {

/// fmpq_t as a value.
class Fraction {
 public:
  Fraction() { fmpq_init(q); }
  explicit Fraction(const rational& x) : Fraction() { fmpq_set_mpq(q, x.backend().data()); }
  ~Fraction() { fmpq_clear(q); }
  Fraction(const Fraction&) = delete;
  Fraction& operator=(const Fraction&) = delete;
  rational value() const {
    rational out;
    fmpq_get_mpq(out.backend().data(), q);
    return out;
  }
  fmpq_t q;
};

/// The coefficient of x^power of a polynomial.
inline void set_coefficient(fmpq_poly_struct* poly, long power, const rational& value) {
  fmpq_poly_set_coeff_fmpq(poly, power, Fraction(value).q);
}
inline rational coefficient(const fmpq_poly_struct* poly, long power) {
  Fraction c;
  fmpq_poly_get_coeff_fmpq(c.q, poly, power);
  return c.value();
}
inline rational coefficient(const fmpz_poly_struct* poly, long power) {
  Fraction c;
  fmpz_poly_get_coeff_fmpz(fmpq_numref(c.q), poly, power);
  return c.value();
}

}  // namespace daemark::exact
