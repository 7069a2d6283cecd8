// Exact analysis of linear multistep formulas Σ alpha_j y_{n+j} = h Σ beta_j f_{n+j}.
//
// rho(s) = Σ alpha_j s^j, sigma(s) = Σ beta_j s^j. For coprime rho and sigma, A-stability is the
// positivity of rho/sigma outside the unit disc, i.e. Re rho(e^{i phi}) conj sigma(e^{i phi}) >= 0
// (a polynomial in cos phi) and all roots of rho + sigma (the formula at z = -1) inside the disc.
#pragma once

#include <optional>
#include <string>

#include "analysis/exact/numbers/poly.hpp"

namespace daemark::exact {

struct MultistepProof {
  Poly rho, sigma;
  int order = 0;
  Number error_constant;  ///< C_(p+1) / sigma(1)
  Poly common;            ///< gcd(rho, sigma), monic
  bool zero_stable = false;
  Poly locus;  ///< Re(rho conj sigma) on the unit circle, in x = cos phi, common factor removed
  Poly odd, square;         ///< locus = odd square²
  std::vector<Poly> chain;  ///< Sturm chain of odd
  bool locus_holds = false;
  bool inside_at_minus_one = false;  ///< roots of rho + sigma (reduced) inside the unit disc
  bool common_holds = false;         ///< the common factor satisfies the root condition
  bool a_stable = false, l_stable = false;
  std::optional<rational> witness;  ///< cos phi with Re z < 0 on the boundary locus
  std::string reason;               ///< which condition fails, by how much
  bool equal_roots_at_infinity = false;
  Number root_at_infinity;  ///< when they are all equal
};

/// alpha, beta: k + 1 entries each, alpha_k != 0; else BadInput. sigma(1) = 0 is allowed.
MultistepProof prove_multistep(const Vector& alpha, const Vector& beta);

/// locus + margin has no change of sign in (-1, 1) and is positive there.
bool locus_never_below(const Poly& locus, const Number& margin);
/// All roots in |s| <= 1 and those with |s| = 1 simple.
bool root_condition(const Poly& p);
/// All roots in |s| < 1.
bool roots_inside_disc(const Poly& p);

}  // namespace daemark::exact
