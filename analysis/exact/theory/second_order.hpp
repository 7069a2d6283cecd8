// Exact analysis of one-step methods with memory for q̈ = f(q, q̇), by what a step does on
// q̈ + (c/h) q̇ + (k/h²) q = 0: N x₊ = P x, entries affine in c and k.
//
// P(ζ; c, k) = det(ζN − P) / ζ^m is the characteristic polynomial without the roots 0. A-stable:
// for all k > 0, c >= 0 its roots lie in |ζ| <= 1, those of modulus 1 simple; these (c, k) are the
// equations with eigenvalues in Re <= 0, real pairs included. With ζ = (1 + w)/(1 − w) that is
// Routh and Hurwitz's criterion on Q(w) = (1 − w)^d P, decided by signs: a polynomial whose
// coefficients are >= 0, one of a pure power of k or a constant > 0, is positive for all such (c,
// k).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/exact/numbers/poly.hpp"
#include "methods/core/tableau.hpp"

namespace daemark {

/// Order on linear equations with damping: the largest p with det(e^z N − P) = O(z^(p+2)) for all
/// pairs of eigenvalues (z, s z)/h. Up to 2 it is the order on any problem, where elementary
/// differentials are those of linear equations.
int linear_order(const ExactSecondOrder& step);

/// The order on any problem, 2 at most.
int order_on_problems(const ExactSecondOrder& step);

/// The same without damping: s = −1, so that roots have that order but q and v need not.
int undamped_order(const ExactSecondOrder& step);

/// The largest modulus of a root, 0 for a constant; ascending powers.
double largest_root(const std::vector<rational>& polynomial);

}  // namespace daemark

namespace daemark::exact {

/// A polynomial in c (first power) and k.
using DampedPoly = std::map<std::pair<int, int>, rational>;

struct SecondOrderProof {
  int degree = 0;  ///< of P in ζ
  int linear_order = 0, undamped_order = 0;
  int order = 0;                       ///< on any problem: the linear order, 2 at most
  std::vector<DampedPoly> half_plane;  ///< coefficients of Q, ascending powers of w
  std::optional<bool> a_stable, l_stable;
  std::optional<rational> witness;       ///< k, at c = 0, where a root lies outside
  std::string reason;                    ///< why not A-stable
  Poly at_infinity;                      ///< what P tends to for k -> infinity, monic; roots there
  std::optional<double> undamped_limit;  ///< stable for ωh below, c = 0; none: for all
};

SecondOrderProof prove_second_order(const ExactSecondOrder& step);
/// The largest modulus of a root for k -> infinity, c = 0; infinite where one grows with k. Empty
/// where that says nothing.
std::optional<double> modulus_at_infinity(const ExactSecondOrder& step);
/// P at one (c, k).
Poly characteristic_at(const ExactSecondOrder& step, const rational& c, const rational& k);

}  // namespace daemark::exact
