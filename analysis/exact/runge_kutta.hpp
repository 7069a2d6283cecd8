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

#include "analysis/exact/poly.hpp"
#include "analysis/exact/stability.hpp"

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

struct OrderProof {
  int order = 0;
  std::string route;         ///< rooted trees; the same reduced by C(eta); simplifying assumptions
  int checked = 0;           ///< trees: every tree up to this order was evaluated
  std::string failing_tree;  ///< of order + 1, the first one that fails
  Number weight;             ///< its Phi(t)
  rational target;           ///< 1/gamma(t)
  int failing = 0;           ///< how many trees of order + 1 fail; 0: `order` is a lower bound
  wide error_norm = 0;       ///< sqrt(Σ (residual/sigma)²) over the trees of order + 1
};

/// All trees are run up to this order; beyond it only those that C(eta) does not reduce.
inline constexpr int max_tree_order = 10;

/// Trees order by order until one fails, or, where Butcher's theorem gives the quadrature order and
/// `prefer_trees` is false or the order is above max_tree_order, the simplifying assumptions.
OrderProof prove_order(const Operators& method, const Assumptions& found, bool prefer_trees);

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
