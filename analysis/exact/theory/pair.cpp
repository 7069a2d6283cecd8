#include "analysis/exact/theory/pair.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/exact/theory/collocation.hpp"
#include "methods/core/tableau.hpp"

namespace daemark::exact {

namespace {

using Kind = MethodKind;

/// Every entry of m is 0, else which one is off and by how much.
std::string nonzero_entry(const Matrix& m, const char* name) {
  for (std::size_t i = 0; i < m.size(); ++i)
    for (std::size_t j = 0; j < m[i].size(); ++j)
      if (!m[i][j].is_zero())
        return fmt::format("{} is off by {} at ({}, {})", name, m[i][j].decimal(6), i + 1, j + 1);
  return "";
}

/// The form b(f·Âg) + b̂(g·Af) - b(f) b̂(g).
Matrix crossed(const Operators& x, const Operators& y) {
  Matrix out = multiply(x.gram, y.a);
  const Matrix other = multiply(y.gram, x.a);
  for (std::size_t i = 0; i < out.size(); ++i)
    for (std::size_t j = 0; j < out.size(); ++j) out[i][j] += other[j][i] - x.b[i] * y.b[j];
  return out;
}

std::string nystrom_symplectic_failure(const PairOperators& pair) {
  if (pair.shape.second_matrix) return "f may depend on velocities";
  const Operators &x = pair.first, &y = pair.second;
  const std::size_t s = x.b.size();
  Matrix weights(1, Vector(s)), form(s, Vector(s));
  for (std::size_t i = 0; i < s; ++i) {
    weights[0][i] = x.b[i] - y.b[i] * (Number(1) - x.c[i][i]);
    for (std::size_t j = 0; j < s; ++j)
      form[i][j] = y.b[i] * (x.b[j] - x.a[i][j]) - y.b[j] * (x.b[i] - x.a[j][i]);
  }
  const std::string failure = nonzero_entry(weights, "b_i = b'_i (1 - c_i)");
  return failure.empty() ? nonzero_entry(form, "b'_i (b_j - a_ij) = b'_j (b_i - a_ji)") : failure;
}

std::string symplectic_failure(const PairOperators& pair) {
  if (pair.shape.nystrom()) return nystrom_symplectic_failure(pair);
  const Operators &x = pair.first, &y = pair.second;
  Matrix weights(1, x.b);
  for (std::size_t i = 0; i < x.b.size(); ++i) weights[0][i] -= y.b[i];
  std::string failure = nonzero_entry(weights, "b = b^");
  if (failure.empty()) failure = nonzero_entry(crossed(x, y), "b_i a^_ij + b^_j a_ji = b_i b^_j");
  if (pair.shape.kind != Kind::additive) return failure;
  if (failure.empty()) failure = nonzero_entry(crossed(x, x), "the form of the explicit part");
  if (failure.empty()) failure = nonzero_entry(crossed(y, y), "the form of the implicit part");
  return failure;
}

std::string row_sum_failure(const Operators& part, const char* name) {
  if (part.a.empty()) return "";
  const Vector rows = multiply(part.a, part.one), nodes = multiply(part.c, part.one);
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (!(rows[i] == nodes[i]))
      return fmt::format("row {} of {} sums to its c plus {}", i + 1, name,
                         (rows[i] - nodes[i]).decimal(6));
  return "";
}

/// The order of the quadrature: one less than the first q whose t^(q-1) is not integrated exactly.
OrderProof quadrature_bound(const Vector& b, const Operators& nodes, int last) {
  OrderProof proof;
  Vector power = nodes.one;
  for (int q = 1; q <= last; ++q) {
    const Number sum = dot(b, power);
    if (!(sum == inverse_of(q))) {
      proof.upper = q - 1;
      proof.failing_tree = "the quadrature of t^" + std::to_string(q - 1);
      proof.weight = sum;
      proof.target = rational(1) / q;
      return proof;
    }
    power = multiply(nodes.c, power);
  }
  proof.upper = last;
  return proof;
}

OrderProof order_of(const PairOperators& pair, const Vector& first, const Vector& second) {
  const PairShape& shape = pair.shape;
  const int limit = pair_tree_limit(shape, pair.degree);
  const RootedTrees trees(limit, pair_trees(shape));
  const auto apply = [](const Matrix& a) {
    return [&a](const Vector& u) { return multiply(a, u); };
  };
  TreeWalk<Vector> walk(
      trees, actions_of<Vector>(shape, pair.first.one, pair.first.product, apply(pair.first.a),
                                apply(pair.second.a), multiply(pair.first.c, pair.first.one)));
  OrderProof proof = order_of_walk(walk, by_root(shape, first, second), limit);
  proof.route = shape.nystrom() ? "Nyström trees" : "trees of two colours";
  const Vector& bound_by = shape.nystrom() ? second : first;
  if (proof.failing > 0 || bound_by.empty()) return proof;
  OrderProof above = quadrature_bound(bound_by, pair.first, 2 * shape.stages + 2);
  above.order = proof.order;
  above.route = proof.route;
  above.upper = std::max(above.upper, above.order);
  return above;
}

}  // namespace

int pair_tree_limit(const PairShape& shape, int degree) {
  constexpr double most = 3e7;
  // Trees up to an order: two colours; Nyström with and without a'.
  constexpr int colours[] = {72, 286, 1202, 5318, 24314};      // 4 to 8
  constexpr int with_velocity[] = {37, 115, 379, 1313, 4707};  // 4 to 8
  constexpr int positions_only[] = {12,  21,  37,   67,   123, 231,
                                    440, 852, 1668, 3307, 6613};  // 4 to 14
  const double size = static_cast<double>(degree) * shape.stages;
  int limit = 3;
  const auto count = [&](const auto& counts) {
    for (const int trees : counts) {
      if (trees * size * size > most) break;
      ++limit;
    }
  };
  if (!shape.nystrom())
    count(colours);
  else if (shape.second_matrix)
    count(with_velocity);
  else
    count(positions_only);
  return limit;
}

PairOperators import_pair(const Coefficients& pair) {
  const Tableau<Expression> one = tableau_of<Expression>(pair, 0),
                            other = tableau_of<Expression>(pair, 1);
  const std::vector<Number> flat = import_numbers(entries_of(pair), pair.id);
  const auto half = flat.begin() + static_cast<long>(entries_of(one).size());
  const TableauNumbers first = as_tableau({flat.begin(), half}, one),
                       second = as_tableau({half, flat.end()}, other);
  return {PairShape(pair),
          nodal_operators(first.a, first.b, first.c),
          nodal_operators(second.a, second.b, second.c),
          first.embedded,
          second.embedded,
          field_degree(flat)};
}

PairOperators lobatto_operators(int s) {
  return {PairShape(Kind::partitioned, s), collocation_operators(Family::lobatto_iiia, s),
          adjoint_operators(Family::lobatto_iiia, s)};
}

PairProof prove_pair(const PairOperators& pair) {
  PairProof proof;
  proof.order = order_of(pair, pair.first.b, pair.second.b);
  if (!pair.first_embedded.empty() || !pair.second_embedded.empty())
    proof.embedded = order_of(pair, pair.first_embedded, pair.second_embedded);
  if (!pair.shape.nystrom()) proof.row_sum_failure = row_sum_failure(pair.first, "the first A");
  // Of a partitioned method time runs with the first part.
  if (proof.row_sum_failure.empty() && pair.shape.kind != Kind::partitioned)
    proof.row_sum_failure = row_sum_failure(pair.second, "the second A");
  proof.symplectic_failure = symplectic_failure(pair);
  proof.symplectic = proof.symplectic_failure.empty();
  return proof;
}

}  // namespace daemark::exact
