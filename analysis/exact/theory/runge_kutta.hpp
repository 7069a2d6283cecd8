// Exact analysis of a Runge–Kutta method: order, simplifying assumptions, stability.
//
// A method is given by its operators on functions of the stages, in any basis. For a tableau the
// basis is the stages themselves. For collocation families it is 1, x, ..., x^(s-1) modulo the node
// polynomial, where everything is rational although the nodes are not.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/exact/numbers/poly.hpp"
#include "analysis/exact/theory/stability.hpp"
#include "methods/core/trees.hpp"

namespace daemark::exact {

struct Operators {
  Matrix a;                                                     ///< the Runge–Kutta matrix
  Vector b;                                                     ///< the weights, as a row
  Vector one;                                                   ///< the function 1
  Matrix c;                                                     ///< multiplication by the abscissae
  Matrix gram;                                                  ///< (f, g) -> Σ b_i f_i g_i
  std::function<Vector(const Vector&, const Vector&)> product;  ///< of two stage functions
  int stages() const { return static_cast<int>(b.size()); }
};

/// Stage basis. a: s × s, b and c: s.
Operators nodal_operators(const Matrix& a, const Vector& b, const Vector& c);

/// Simplifying assumptions, each the largest index that holds (Butcher 1964).
struct Assumptions {
  int b = 0;            ///< B(p): Σ b_i c_i^(k-1) = 1/k, k <= p
  int c = 0;            ///< C(eta): Σ a_ij c_j^(k-1) = c_i^k/k, k <= eta
  int d = 0;            ///< D(zeta): Σ b_i c_i^(k-1) a_ij = b_j (1 - c_j^k)/k, k <= zeta
  Number b_residual;    ///< Σ b_i c_i^b - 1/(b+1), the first quadrature condition that fails
  int butcher() const;  ///< order by Butcher's theorem: p <= eta+zeta+1, p <= 2 eta+2, p <= B
};
Assumptions assumptions(const Operators& method);

/// The order, or bounds: every condition up to `order` holds, the failing tree is of a later order.
struct OrderProof {
  int order = 0;
  int upper = 0;      ///< one less than the order of the failing tree; above order: bounds
  std::string route;  ///< rooted trees, or simplifying assumptions
  /// The first one found; beyond max_tree_order that of the bound from above where it is as sharp.
  std::string failing_tree;
  Number weight;    ///< its Phi(t)
  rational target;  ///< 1/gamma(t)
  int failing = 0;  ///< how many trees of that order were found to fail
  /// sqrt(Σ (residual/sigma)²) over all trees of order + 1, where all of them were evaluated.
  std::optional<wide> error_norm;
  bool exact() const { return order == upper; }
};

/// Order by order until one fails, or to `last`. `weights`: those of roots of each type, empty for
/// a type that is no root; the condition of a tree is that of its root's type.
OrderProof order_of_walk(TreeWalk<Vector>& walk, const std::vector<Vector>& weights, int last);

/// All trees are run up to this order, and beyond it as far as tree_limit says.
inline constexpr int max_tree_order = 10;
/// The largest order whose trees are worth running: (their number) · (stages · degree)² <= 3e7.
int tree_limit(const Operators& method);

/// Above, B(p) and the order of R bound the order. Below: Butcher's theorem where it meets that
/// bound and `prefer_trees` is false or the bound lies above max_tree_order; else trees.
OrderProof prove_order(const Operators& method, const Assumptions& found, bool prefer_trees,
                       const StabilityProof* r = nullptr);

struct AlgebraicStability {
  bool holds = false;
  bool symplectic = false;  ///< M = 0
  std::string reason;       ///< which condition fails, by how much
};
AlgebraicStability algebraic_stability(const Operators& method);

RationalFunction stability_function(const Operators& method);

struct MethodProof {
  std::string id;
  Operators method;
  bool row_sums_hold = true;  ///< c = A 1
  Number row_sum_gap;         ///< of the worst row, absolute
  std::string row_sum_failure;
  Assumptions simplifying;
  OrderProof order;
  int stage_order = 0;  ///< min of B and C
  bool stiffly_accurate = false;
  bool a_invertible = false;
  AlgebraicStability algebraic;
  StabilityProof stability;
  std::optional<OrderProof> embedded_order;
  std::optional<StabilityProof> embedded_stability;
};

/// `embedded`: weights of a second formula on the same stages; empty if none.
MethodProof prove_method(const std::string& id, const Operators& method, const Vector& embedded,
                         bool stiffly_accurate, bool prefer_trees);

}  // namespace daemark::exact
