// Methods with two sets of coefficients (nystrom, partitioned, additive): order, symplecticity.
#pragma once

#include <string>

#include "analysis/exact/theory/import.hpp"
#include "analysis/exact/theory/runge_kutta.hpp"
#include "methods/core/tree_families.hpp"

namespace daemark::exact {

/// Trees up to this order are tried: so many that their number times (stages · degree)² is small.
int pair_tree_limit(const PairShape& shape, int degree);

/// Both parts in one field, in one basis of stage functions.
struct PairOperators {
  PairShape shape;
  Operators first, second;  ///< the matrix of `second` may be empty
  Vector first_embedded = {}, second_embedded = {};
  int degree = 1;  ///< of the field
};
/// Stage basis. Sizes must fit.
PairOperators import_pair(const Coefficients& pair);
/// Lobatto IIIA with IIIB, which has D(s), modulo the node polynomial: rational for every s.
PairOperators lobatto_operators(int s);

struct PairProof {
  OrderProof order;
  std::optional<OrderProof> embedded;
  std::string row_sum_failure;  ///< of the matrices that have to sum to c; empty where they do
  bool symplectic = false;
  std::string symplectic_failure;  ///< which condition fails, by how much
};
/// Orders by all trees up to the limit, of additive methods with the weights of the root's colour:
/// what couples two sets of weights is in trees of both colours. Symplectic: partitioned,
/// b_i â_ij + b̂_j a_ji = b_i b̂_j and b = b̂ (Hairer, Lubich & Wanner, Geometric Numerical
/// Integration, VI.4.6); additive, these and those of each part; Nyström, b_i = b'_i (1 - c_i) and
/// b'_i (b_j - a_ij) = b'_j (b_i - a_ji), without a' (Solving ODEs I, II.16).
PairProof prove_pair(const PairOperators& pair);

}  // namespace daemark::exact
