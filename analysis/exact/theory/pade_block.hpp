// The block method of Li, Ding & Li 2019, eqs (5)-(9), derived from a Padé approximant.
//
// Stage derivatives are functions on the nodes that vanish at 0, i.e. combinations of x, ..., x^r.
// In that basis eq. (9) reads B x^j = x^(j+1)/(j+1) for j < r and B x^r = mu(x)/(r+1), mu(x) =
// Σ m_j x^j with mu(h_i) = mu_i. So B is a companion matrix, rational for every node set; its last
// column alone holds mu (a rank-one update), and det(I - zB) is affine in m. Comparing it with the
// Padé denominator gives m, the same for all nodes of equal r.
#pragma once

#include <string>
#include <vector>

#include "analysis/exact/numbers/poly.hpp"
#include "analysis/exact/theory/runge_kutta.hpp"
#include "analysis/exact/theory/stability.hpp"
#include "base/numbers/expression.hpp"

namespace daemark::exact {

struct BlockDerivation {
  int r = 0, k = 0, j = 0;
  Poly mu;            ///< mu(x), mu_i = mu(h_i); mu(0) = 0
  Number uniqueness;  ///< determinant of the linear system for m_1..m_r: nonzero
  Poly determinant;   ///< det(I - zB)
  RationalFunction pade;
  bool matches = false;   ///< numerator and denominator equal the Padé approximant's
  bool singular = false;  ///< det B = 0: no use for index 2 and 3
};

/// Throws BadInput unless 1 <= r <= largest_block, 0 <= k <= r, 0 <= j <= r, k + j >= r.
BlockDerivation derive_block(int r, int k, int j);
inline constexpr int largest_block = 40;

/// B in the basis x, ..., x^r, for given mu.
Matrix block_in_monomials(int r, const Poly& mu);
/// N(z) with R = N / det(I - zB): det(I - zB) + z e' adj(I - zB) x, e' evaluation at 1.
Poly block_numerator(int r, const Matrix& b);

/// Exact nodes in (0, 1], ascending, the last 1.
struct NodeSet {
  std::string name;              ///< the word, or the list as written
  std::vector<Expression> text;  ///< each node as an exact expression
  Poly polynomial;               ///< monic, with the nodes as its zeros
  Vector radicals;               ///< of a list: values of sqrt(...) and the like in it
};
/// equidistant, chebyshev, legendre, radau, lobatto; or a list. Throws BadInput for another word, a
/// list that is not ascending in (0, 1] with last node 1, or one whose length is not r.
NodeSet node_set(const std::string& word, int r);
NodeSet node_list(const std::vector<Expression>& nodes, int r);

/// The block as a Runge-Kutta method with the explicit stage 0 in front: functions of the stages
/// 0, h_1, ..., h_r are polynomials modulo x Π(x - h_i), basis 1, x, ..., x^r.
Operators block_operators(const BlockDerivation& block, const Poly& nodes);
MethodProof prove_block(const std::string& id, const BlockDerivation& block, const Poly& nodes);

struct BlockMatrices {
  Matrix b;  ///< r × r
  Vector d, mu, nodes;
};
/// Eq. (9), literally: [B d] = [h_i^j | mu_i] · (confluent Vandermonde matrix)^-1, exactly.
BlockMatrices block_matrices(const Vector& nodes, const Vector& mu);

/// Eq. (9) at 130 digits and its characteristic polynomial; the largest deviation of det(I - zB)
/// from the exact one, relative to its largest coefficient.
wide block_deviation(const std::vector<wide>& nodes, const BlockDerivation& derivation);
std::vector<wide> wide_nodes(const NodeSet& set);

/// Which Padé approximants a given pair (B, d) realises: R exactly, then (deg N, deg D) if equal.
RationalFunction block_stability_function(const Matrix& b, const Vector& d);
/// (k, j) if r is that Padé approximant of exp, else (-1, -1).
std::pair<int, int> identify_pade(const RationalFunction& r);

}  // namespace daemark::exact
