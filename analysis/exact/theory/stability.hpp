// A- and L-stability of a rational stability function, decided exactly.
//
// R = N/D with common factors cancelled. A-stable: no pole with Re z <= 0 and |R(iy)| <= 1. The
// second is E(x) = |D(iy)|² - |N(iy)|² >= 0 for all x = y² > 0 (Hairer & Wanner, Solving ODEs II,
// IV.3); the first is the Routh–Hurwitz criterion on D(-z).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/exact/numbers/poly.hpp"

namespace daemark::exact {

/// R = num/den, coprime, den(0) = 1.
struct RationalFunction {
  Poly num, den;
};

/// Cancels common factors and scales den(0) to 1; den(0) must not vanish.
RationalFunction reduced(const Poly& num, const Poly& den);

/// A point of the closed left half-plane where |R|² > 1, evaluated exactly.
struct Witness {
  rational real, imaginary;
  Number modulus_squared;
  std::string text() const;  ///< "z = -1+2i: |R| = 1.5"
};

struct StabilityProof {
  RationalFunction function;
  Poly e;                     ///< E as a polynomial in x = y²
  int zero_multiplicity = 0;  ///< E = x^zero_multiplicity F(x), F(0) != 0 unless E = 0
  bool no_negative = false;   ///< no coefficient of E is negative: nothing more to decide on it
  Poly odd, square;           ///< F = odd square²: F changes sign exactly at the roots of odd
  std::vector<Poly> chain;    ///< Sturm chain of odd; both empty unless needed
  int changes_at_zero = 0, changes_at_infinity = 0;
  bool axis_holds = false;  ///< E >= 0 for all x > 0
  bool poles_hold = false;  ///< all poles in the open right half-plane (Routh)
  bool a_stable = false, l_stable = false;
  std::string undecided;              ///< why A-stability could not be decided; empty when it was
  std::optional<Number> at_infinity;  ///< R(∞); none: R is unbounded
  std::optional<Witness> witness;     ///< where A-stability fails
  int order = 0;                      ///< R(z) = e^z + O(z^(order+1))
  Number error_constant;              ///< of z^(order+1) in e^z - R(z)
};

/// What a Sturm chain of E costs: degree² × bits of its coefficients, 16 times as much in a field.
long sturm_work(const Poly& e);
/// The largest for which one is computed (a few seconds).
inline constexpr long max_sturm_work = 4000000;

StabilityProof prove_stability(const RationalFunction& r);
/// The part of it that concerns E alone, for an E that is given.
StabilityProof prove_axis(const Poly& e);
/// All roots of p in Re z < 0.
bool hurwitz(const Poly& p);

/// N(iy) = even(x) + i y odd(x), x = y²: |p(iy)|² as a polynomial in x.
Poly modulus_on_axis(const Poly& p);
/// First column of the Routh array; ends after the first zero entry.
std::vector<Number> routh_column(const Poly& p);
/// |p(re + i im)|².
Number modulus_squared(const Poly& p, const rational& re, const rational& im);
/// The (k, j)-Padé approximant of exp: numerator degree k, denominator degree j.
RationalFunction pade_of_exp(int k, int j);

}  // namespace daemark::exact
