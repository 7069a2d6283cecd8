// Runge–Kutta tableaus: exact where they come from a file, `wide` where a family computes them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/numbers/expression.hpp"

namespace daemark {

/// Where a method, problem or number comes from.
struct Source {
  std::string key;    ///< bibliography key, e.g. "butcher1964"
  std::string where;  ///< page, equation, table
};

/// What the source claims of a method; each is optional and checked by `verify`, never used.
struct Claims {
  std::optional<int> order, stage_order, embedded_order, interpolant_order;
  std::optional<bool> a_stable, l_stable, stiffly_accurate, algebraically_stable, symplectic;
};

/// Values inside steps, y(t_0 + θh) = y_0 + h Σ_i w_i(θ) Ẏ_i with w_i(θ) = Σ_k weights[i][k]
/// θ^(k+1), over the stages and further explicit ones. A further stage has the coefficients of all
/// before it.
template <class T>
struct Dense {
  std::vector<std::vector<T>> A, weights;
  std::vector<T> c;
  bool given() const { return !weights.empty(); }
  int stages() const { return static_cast<int>(c.size()); }
};

/// A, b, c as exact expressions: what a tableau file holds.
struct ExactTableau {
  std::string id, summary;
  std::vector<std::vector<Expression>> A;  ///< s rows of s entries
  std::vector<Expression> b, c;
  std::vector<Expression> embedded;  ///< weights of the embedded formula; empty if none
  Dense<Expression> dense;           ///< empty: no published interpolant
  Claims claims;
  Source source;
  bool decimal = false;  ///< declared by the file: coefficients are decimals, never certified
  int stages() const { return static_cast<int>(b.size()); }
};

/// A half-explicit Runge–Kutta method (methods/half_explicit/half_explicit.hpp): A, b and c of its
/// stages, and the points where it imposes the constraints.
struct ExactHalfExplicit : ExactTableau {
  /// Â: s rows of s entries, lower triangular. Row i is the point of stage i; a row of zeros: a
  /// stage that takes rates and multipliers of the step before. Empty: the point of stage i is
  /// stage i + 1, of the last one the step end.
  std::vector<std::vector<Expression>> constraint;
  std::vector<Expression> lower;  ///< weights of a second, lower embedded formula; empty if none
};

/// A Rosenbrock method (methods/rosenbrock/rosenbrock.hpp) as its source prints it: coefficients
/// α_ij, γ_ij of the increments k_i, or those of codes, A = α Γ⁻¹, C = 1/γ − Γ⁻¹, of Γ k.
struct ExactRosenbrock {
  std::string id, summary;
  Expression gamma;                             ///< γ_ii, the same for all stages
  std::vector<std::vector<Expression>> alpha;   ///< α or A: s rows of s, strictly lower triangular
  std::vector<std::vector<Expression>> gammas;  ///< γ_ij, i ≠ j, or C: likewise
  bool transformed = false;                     ///< A, C and weights of Γ k
  std::vector<Expression> b;
  std::vector<Expression> embedded;  ///< weights of the embedded formula; empty if none
  Claims claims;
  Source source;
  bool decimal = false;
  int stages() const { return static_cast<int>(b.size()); }
};

/// Two sets of coefficients on the same stages, each a tableau (its `embedded` empty where there is
/// no embedded formula; ids, claims and sources of the halves are not used).
///   partitioned  q' = f(q, v) by `first`, v' = g(q, v) by `second`
///   additive     y' = f(y) + g(y), f explicit by `first`, g implicit by `second`
///   nystrom      q'' = f(t, q, q'): q₁ = q₀ + h v₀ + h² Σ b_i k_i, v₁ = v₀ + h Σ b'_i k_i,
///                k_i = f(t₀ + c_i h, q₀ + c_i h v₀ + h² Σ a_ij k_j, v₀ + h Σ a'_ij k_j), a, b of
///                `first`, a', b' of `second`, whose A is empty where f must not depend on q'
struct ExactPair {
  enum class Kind { partitioned, additive, nystrom };
  Kind kind = Kind::partitioned;
  std::string id, summary;
  ExactTableau first, second;
  Claims claims;
  Source source;
  bool decimal = false;
  int stages() const { return first.stages(); }
};

/// A multistep formula Σ alpha_j y_{n+j} = h Σ beta_j f_{n+j}, j = 0..k, alpha_k ≠ 0.
struct ExactMultistep {
  std::string id, summary;
  std::vector<Expression> alpha, beta;
  Claims claims;
  Source source;
  bool decimal = false;
};

/// A one-step method for q̈ = f(q, q̇) with memory, by what a step does on the linear equation
/// q̈ + (c/h) q̇ + (k/h²) q = 0: N x_{n+1} = P x_n. x holds what the next step needs, in units of q.
/// An entry is constant + damping c + stiffness k.
struct ExactSecondOrder {
  struct Entry {
    rational constant, damping, stiffness;
  };
  using Matrix = std::vector<std::vector<Entry>>;
  std::string id;
  std::vector<std::string> memory;  ///< what x holds: "q", "h v", "h^2 a"
  Matrix next, previous;            ///< N, P
  /// Roots of the directions that a position constraint (index 3) and a velocity constraint (index
  /// 2) hold, ascending powers; empty where the method refuses that index.
  std::vector<rational> position_roots, velocity_roots;
  Claims claims;
};

/// Coefficients at 130 digits, rounded once to the scalar in use by the stepper.
struct WideTableau {
  std::vector<std::vector<wide>> A;  ///< s × s
  std::vector<wide> b, c;
  std::vector<wide> embedded;  ///< weights b̂ of the embedded formula; empty if none
  Dense<wide> dense = {};
  int stages() const { return static_cast<int>(b.size()); }
};

WideTableau evaluate(const ExactTableau& exact);

/// Of a half-explicit method: the stages' tableau and Â, given or the next stage's row.
struct WideHalfExplicit {
  WideTableau stages;
  std::vector<std::vector<wide>> constraint;  ///< s × s
  std::vector<wide> lower;
};
WideHalfExplicit evaluate(const ExactHalfExplicit& exact);

/// Of a Rosenbrock method in both forms: T is wide, or rational where all coefficients are.
template <class T>
struct RosenbrockNumbers {
  std::vector<std::vector<T>> alpha, gammas;  ///< α, Γ with its diagonal: s × s
  std::vector<T> b, embedded;
  // Of codes, for increments U = Γ k:
  std::vector<std::vector<T>> A, C;  ///< strictly lower triangular
  std::vector<T> weights, error;     ///< of y_1 − y_0, and of that less the embedded formula
  T gamma{};
  std::vector<T> c, d;  ///< row sums of α and Γ
  int stages() const { return static_cast<int>(b.size()); }
};
RosenbrockNumbers<wide> evaluate(const ExactRosenbrock& exact);
std::optional<RosenbrockNumbers<rational>> evaluate_exactly(const ExactRosenbrock& exact);

/// The same coefficients exactly, where all of them are rational.
struct RationalTableau {
  std::vector<std::vector<rational>> A;  ///< s × s
  std::vector<rational> b, c;
};

/// Empty where a coefficient is not written with + - * / ^ of numbers alone.
std::optional<RationalTableau> evaluate_exactly(const ExactTableau& exact);

/// The block form y_i = y_k + h d_i ẏ_k + h Σ_j B_ij ẏ_j, i = 1..r, y_{k+1} = y_r (Li 2019, eq. 5).
struct WideBlock {
  std::vector<std::vector<wide>> B;  ///< r × r
  std::vector<wide> d, nodes;        ///< nodes in (0, 1], ascending, the last is 1
  std::vector<wide> mu;              ///< the constants of eq. (8)
  int size() const { return static_cast<int>(d.size()); }
};

/// The same with rational nodes, exactly.
struct RationalBlock {
  std::vector<std::vector<rational>> B;  ///< r × r
  std::vector<rational> d, nodes, mu;
  int size() const { return static_cast<int>(d.size()); }
};

}  // namespace daemark
