// Coefficients of methods: exact where they come from a file, `wide` where a family computes them.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
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

/// Calls f(key, claim) for each claim, with the keys of files and `show`.
template <class SomeClaims, class F>
void each_claim(SomeClaims& claims, const F& f) {
  f("order", claims.order), f("stage_order", claims.stage_order);
  f("embedded_order", claims.embedded_order), f("interpolant_order", claims.interpolant_order);
  f("A_stable", claims.a_stable), f("L_stable", claims.l_stable);
  f("stiffly_accurate", claims.stiffly_accurate);
  f("algebraically_stable", claims.algebraically_stable), f("symplectic", claims.symplectic);
}

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

/// Most stages of a tableau and most steps of a multistep formula.
inline constexpr int max_file_stages = 100;

template <class T>
using RowsOf = std::vector<std::vector<T>>;

/// The "kind" of a tableau file; coefficient_schemas() has the arrays of each.
enum class MethodKind {
  runge_kutta,
  multistep,  ///< Σ alpha_j y_{n+j} = h Σ beta_j f_{n+j}, j = 0..k, alpha_k ≠ 0
  /// q'' = f(t, q, q'): q₁ = q₀ + h v₀ + h² Σ b_i k_i, v₁ = v₀ + h Σ b'_i k_i,
  /// k_i = f(t₀ + c_i h, q₀ + c_i h v₀ + h² Σ a_ij k_j, v₀ + h Σ a'_ij k_j); a', b' are A_velocity
  /// and b_velocity. Without A_velocity f must not depend on q'.
  nystrom,
  partitioned,    ///< q' = f(q, v) by A and b, v' = g(q, v) by A_velocity and b_velocity
  additive,       ///< y' = f(y) + g(y), f by A_explicit, g by A_implicit
  half_explicit,  ///< methods/half_explicit/half_explicit.hpp
  rosenbrock      ///< methods/rosenbrock/rosenbrock.hpp
};

/// The coefficients of a method as exact expressions, under the keys of tableau files: A, b, c,
/// b_hat (weights of the embedded formula), A_velocity, alpha, ... A list is an array of one row, a
/// number one of one entry. "dense.A", "dense.c" and "dense.weights" are those of Dense.
struct Coefficients {
  MethodKind kind = MethodKind::runge_kutta;
  std::string id, summary;
  std::map<std::string, RowsOf<Expression>, std::less<>> arrays;
  Claims claims;
  Source source;
  bool decimal = false;  ///< declared by the file: coefficients are decimals, never certified

  bool has(std::string_view name) const { return !rows(name).empty() && !list(name).empty(); }
  /// Empty where there is no such array.
  const RowsOf<Expression>& rows(std::string_view name) const;
  const std::vector<Expression>& list(std::string_view name) const;
  RowsOf<Expression>& rows(const std::string& name) { return arrays[name]; }
  std::vector<Expression>& list(const std::string& name);
  int stages() const {
    return static_cast<int>(list(has("b_explicit") ? "b_explicit" : "b").size());
  }
};

/// A, b, c of the stages of a method, and the weights b̂ of its embedded formula, empty if none.
template <class T>
struct Tableau {
  RowsOf<T> A;  ///< s × s
  std::vector<T> b, c;
  std::vector<T> embedded = {};
  Dense<T> dense = {};
  int stages() const { return static_cast<int>(b.size()); }
};
/// At 130 digits, rounded once to the scalar in use by the stepper.
using WideTableau = Tableau<wide>;

/// The tableau of a method, of pairs the first (0) or second (1). T is Expression or wide.
template <class T>
Tableau<T> tableau_of(const Coefficients& method, int part = 0);
/// A, b and c; empty where one of them is not written with + - * / ^ of numbers alone.
std::optional<Tableau<rational>> rational_tableau(const Coefficients& method, int part = 0);
/// The same of every array.
bool is_rational(const Coefficients& method);

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

/// Of a half-explicit method: the stages' tableau, the points where it imposes the constraints and
/// the weights b_low of a second, lower embedded formula.
struct WideHalfExplicit {
  WideTableau stages;
  /// Â, s × s, lower triangular. Row i is the point of stage i; a row of zeros: a stage that takes
  /// rates and multipliers of the step before. Where the file has none: the point of stage i is
  /// stage i + 1, of the last one the step end.
  RowsOf<wide> constraint;
  std::vector<wide> lower;
};
WideHalfExplicit half_explicit_numbers(const Coefficients& method);

/// Of a Rosenbrock method in both forms: α_ij, γ_ij of the increments k_i, and those of codes,
/// A = α Γ⁻¹, C = 1/γ − Γ⁻¹, of Γ k; files have either. T is wide, or rational where all are.
template <class T>
struct RosenbrockNumbers {
  RowsOf<T> alpha, gammas;  ///< α, Γ with its diagonal: s × s
  std::vector<T> b, embedded;
  // Of codes, for increments U = Γ k:
  RowsOf<T> A, C;                 ///< strictly lower triangular
  std::vector<T> weights, error;  ///< of y_1 − y_0, and of that less the embedded formula
  T gamma{};
  std::vector<T> c, d;  ///< row sums of α and Γ
  int stages() const { return static_cast<int>(b.size()); }
};
/// T is wide or rational.
template <class T>
RosenbrockNumbers<T> rosenbrock_numbers(const Coefficients& method);
/// Whether a file has A, C and weights of Γ k.
inline bool is_transformed(const Coefficients& method) { return method.has("C"); }

/// The block form y_i = y_k + h d_i ẏ_k + h Σ_j B_ij ẏ_j, i = 1..r, y_{k+1} = y_r (Li 2019, eq. 5),
/// at 130 digits, or exactly where the nodes are rational.
template <class T>
struct Block {
  RowsOf<T> B;              ///< r × r
  std::vector<T> d, nodes;  ///< nodes in (0, 1], ascending, the last is 1
  std::vector<T> mu;        ///< the constants of eq. (8)
  int size() const { return static_cast<int>(d.size()); }
};
using WideBlock = Block<wide>;

// The schema of coefficients of each kind of method, by which they are read, printed and checked.

/// An array of a tableau file.
struct ArraySchema {
  enum class Shape { number, list, matrix };
  enum class Zeros { none, above, from_diagonal };
  const char* name;
  Shape shape = Shape::matrix;
  bool required = true;
  Zeros zeros = Zeros::none;  ///< entries of a matrix that have to be 0
  const char* reason = "";    ///< why: "as its stages are explicit"
};

/// Arrays that are a tableau together.
struct PartSchema {
  const char *title, *A, *b, *c, *embedded;
  bool row_sums = true;  ///< A 1 = c
  int share = 1;         ///< b and b_hat sum to 1/share
};

struct KindSchema {
  MethodKind kind;
  const char* name;                 ///< "kind" of its files
  const char* title;                ///< for readers
  std::vector<ArraySchema> arrays;  ///< in the order in which they are read and shown
  std::vector<PartSchema> parts;
  const char* heading = "";                       ///< what `show` writes above the coefficients
  const char* formula = "";                       ///< what its page writes above them
  const char* size = "b";                         ///< the list that fixes the size of all others
  std::size_t least = 1, most = max_file_stages;  ///< entries of it

  bool has(const std::string& array) const;
  /// Names of the arrays of a method as digests and exact fields take them: part by part.
  std::vector<std::string> sequence() const;
};

const std::vector<KindSchema>& coefficient_schemas();
/// Rosenbrock methods have two: files may have those of codes. So have additive ones, with common
/// weights and with two sets. The form that has most of the given arrays; null for no kind.
const KindSchema* schema_of(std::string_view kind, const std::function<bool(const char*)>& given);
const KindSchema& schema_of(const Coefficients& method);

/// All entries in the order of sequence().
std::vector<const Expression*> entries_of(const Coefficients& method);

}  // namespace daemark
