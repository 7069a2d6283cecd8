#include "methods/core/tableau.hpp"

#include <algorithm>

namespace daemark {

namespace {

template <class T>
using Rows = RowsOf<T>;

template <class T>
std::vector<T> values(const std::vector<Expression>& expressions) {
  if constexpr (std::is_same_v<T, Expression>) {
    return expressions;
  } else {
    std::vector<T> result;
    result.reserve(expressions.size());
    for (const Expression& expression : expressions) result.push_back(expression.eval<T>());
    return result;
  }
}

template <class T>
Rows<T> values(const Rows<Expression>& rows) {
  Rows<T> result;
  for (const std::vector<Expression>& row : rows) result.push_back(values<T>(row));
  return result;
}

bool all_rational(const Rows<Expression>& rows) {
  const auto rational_row = [](const std::vector<Expression>& row) {
    return std::all_of(row.begin(), row.end(), [](const Expression& e) { return e.is_rational(); });
  };
  return std::all_of(rows.begin(), rows.end(), rational_row);
}

/// The inverse of a lower triangular matrix with gamma on its diagonal.
template <class T>
Rows<T> inverse_of(const Rows<T>& lower, const T& gamma) {
  const std::size_t s = lower.size();
  Rows<T> out(s, std::vector<T>(s, T(0)));
  for (std::size_t j = 0; j < s; ++j) {
    out[j][j] = 1 / gamma;
    for (std::size_t i = j + 1; i < s; ++i) {
      T sum(0);
      for (std::size_t k = j; k < i; ++k) sum += lower[i][k] * out[k][j];
      out[i][j] = -sum / gamma;
    }
  }
  return out;
}

template <class T>
Rows<T> product(const Rows<T>& a, const Rows<T>& b) {
  const std::size_t s = a.size();
  Rows<T> out(s, std::vector<T>(s, T(0)));
  for (std::size_t i = 0; i < s; ++i)
    for (std::size_t k = 0; k < s; ++k)
      for (std::size_t j = 0; j < s; ++j) out[i][j] += a[i][k] * b[k][j];
  return out;
}

template <class T>
std::vector<T> product(const std::vector<T>& row, const Rows<T>& m) {
  std::vector<T> out(row.size(), T(0));
  for (std::size_t i = 0; i < row.size(); ++i)
    for (std::size_t j = 0; j < row.size(); ++j) out[j] += row[i] * m[i][j];
  return out;
}

}  // namespace

const Rows<Expression>& Coefficients::rows(std::string_view name) const {
  static const Rows<Expression> none;
  const auto found = arrays.find(name);
  return found == arrays.end() ? none : found->second;
}

const std::vector<Expression>& Coefficients::list(std::string_view name) const {
  static const std::vector<Expression> none;
  const Rows<Expression>& found = rows(name);
  return found.empty() ? none : found.front();
}

std::vector<Expression>& Coefficients::list(const std::string& name) {
  Rows<Expression>& found = arrays[name];
  if (found.empty()) found.emplace_back();
  return found.front();
}

template <class T>
Tableau<T> tableau_of(const Coefficients& method, int part) {
  const PartSchema& names = schema_of(method).parts.at(static_cast<std::size_t>(part));
  return {values<T>(method.rows(names.A)),
          values<T>(method.list(names.b)),
          values<T>(method.list(names.c)),
          values<T>(method.list(names.embedded)),
          {values<T>(method.rows("dense.A")), values<T>(method.rows("dense.weights")),
           values<T>(method.list("dense.c"))}};
}
template Tableau<Expression> tableau_of(const Coefficients&, int);
template Tableau<wide> tableau_of(const Coefficients&, int);

std::optional<Tableau<rational>> rational_tableau(const Coefficients& method, int part) {
  const Tableau<Expression> written = tableau_of<Expression>(method, part);
  if (!all_rational(written.A) || !all_rational({written.b, written.c})) return std::nullopt;
  return Tableau<rational>{values<rational>(written.A), values<rational>(written.b),
                           values<rational>(written.c)};
}

bool is_rational(const Coefficients& method) {
  return std::all_of(method.arrays.begin(), method.arrays.end(),
                     [](const auto& array) { return all_rational(array.second); });
}

template <class T>
RosenbrockNumbers<T> rosenbrock_numbers(const Coefficients& method) {
  const bool transformed = is_transformed(method);
  RosenbrockNumbers<T> r;
  r.gamma = method.list("gamma").front().template eval<T>();
  const Rows<T> first = values<T>(method.rows(transformed ? "A" : "alpha")),
                second = values<T>(method.rows(transformed ? "C" : "gamma_ij"));
  const std::vector<T> b = values<T>(method.list("b"));
  std::vector<T> embedded = values<T>(method.list("b_hat"));
  const std::size_t s = b.size();
  const auto with_diagonal = [s](Rows<T> m, const T& diagonal, int sign) {
    for (std::size_t i = 0; i < s; ++i) {
      for (T& x : m[i]) x *= sign;
      m[i][i] = diagonal;
    }
    return m;
  };
  Rows<T> inverse;  // Γ⁻¹ = 1/γ − C
  if (transformed) {
    inverse = with_diagonal(second, T(1 / r.gamma), -1);
    r.gammas = inverse_of(inverse, T(1 / r.gamma));
    r.A = first, r.C = second;
    r.alpha = product(first, r.gammas);
    r.weights = b, r.b = product(b, r.gammas);
    if (!embedded.empty()) r.embedded = product(embedded, r.gammas);
  } else {
    r.alpha = first, r.gammas = with_diagonal(second, r.gamma, 1);
    inverse = inverse_of(r.gammas, r.gamma);
    r.A = product(first, inverse);
    r.C = with_diagonal(inverse, T(0), -1);
    r.b = b, r.weights = product(b, inverse);
    r.embedded = embedded;
    if (!embedded.empty()) embedded = product(embedded, inverse);
  }
  for (std::size_t i = 0; i < embedded.size(); ++i) r.error.push_back(r.weights[i] - embedded[i]);
  r.c.assign(s, T(0)), r.d = r.c;
  for (std::size_t i = 0; i < s; ++i)
    for (std::size_t j = 0; j < s; ++j) r.c[i] += r.alpha[i][j], r.d[i] += r.gammas[i][j];
  return r;
}

template RosenbrockNumbers<wide> rosenbrock_numbers(const Coefficients&);
template RosenbrockNumbers<rational> rosenbrock_numbers(const Coefficients&);

WideHalfExplicit half_explicit_numbers(const Coefficients& method) {
  WideHalfExplicit numbers{tableau_of<wide>(method), values<wide>(method.rows("A_hat")),
                           values<wide>(method.list("b_low"))};
  if (!numbers.constraint.empty()) return numbers;
  numbers.constraint.assign(numbers.stages.A.begin() + 1, numbers.stages.A.end());
  numbers.constraint.push_back(numbers.stages.b);
  return numbers;
}

namespace {

using Shape = ArraySchema::Shape;
using Zeros = ArraySchema::Zeros;

constexpr ArraySchema array_b{"b", Shape::list}, array_c{"c", Shape::list},
    array_b_hat{"b_hat", Shape::list, false};
constexpr const char *explicit_stages = "as its stages are explicit",
                     *in_turn = "as its stages follow each other";
constexpr const char* in_turn_and_diagonal =
    "as its stages follow each other and gamma is the diagonal";
constexpr const char* linear_system = "One linear system with 1/(hγ) − ∂f/∂y a stage, γ = ";

/// The two parts have one set of weights, or each its own.
KindSchema additive(const char* b_explicit, const char* b_hat_explicit, const char* b_implicit,
                    const char* b_hat_implicit) {
  std::vector<ArraySchema> arrays = {{"A_explicit"},
                                     {b_explicit, Shape::list},
                                     array_c,
                                     {b_hat_explicit, Shape::list, false},
                                     {"A_implicit"}};
  if (b_implicit != std::string_view(b_explicit))
    arrays.insert(arrays.end(), {{b_implicit, Shape::list}, {b_hat_implicit, Shape::list, false}});
  return {MethodKind::additive,
          "additive",
          "additive Runge–Kutta",
          arrays,
          {{"explicit", "A_explicit", b_explicit, "c", b_hat_explicit},
           {"implicit", "A_implicit", b_implicit, "c", b_hat_implicit}},
          "",
          "y' = f + g on the same stages, f by the explicit tableau, g by the implicit one.",
          b_explicit};
}

KindSchema rosenbrock(const char* first, const char* second) {
  return {MethodKind::rosenbrock,
          "rosenbrock",
          "Rosenbrock",
          {{"gamma", Shape::number},
           {first, Shape::matrix, true, Zeros::from_diagonal, in_turn},
           {second, Shape::matrix, true, Zeros::from_diagonal, in_turn_and_diagonal},
           array_b,
           array_b_hat},
          {},
          "gamma = ",
          linear_system};
}

}  // namespace

const std::vector<KindSchema>& coefficient_schemas() {
  static const std::vector<KindSchema> schemas = {
      {MethodKind::runge_kutta,
       "runge_kutta",
       "Runge–Kutta",
       {{"A"}, array_b, array_c, array_b_hat},
       {{"", "A", "b", "c", "b_hat"}}},
      {MethodKind::multistep,
       "multistep",
       "multistep",
       {{"alpha", Shape::list}, {"beta", Shape::list}},
       {},
       "",
       "",
       "alpha",
       2,
       max_file_stages + 1},
      {MethodKind::nystrom,
       "nystrom",
       "Runge–Kutta–Nyström",
       {{"A"},
        array_b,
        array_c,
        array_b_hat,
        {"A_velocity", Shape::matrix, false},
        {"b_velocity", Shape::list},
        {"b_hat_velocity", Shape::list, false}},
       {{"positions", "A", "b", "c", "b_hat", false, 2},
        {"velocities", "A_velocity", "b_velocity", "c", "b_hat_velocity"}},
       "",
       "q'' = f(t, q, q') by stages k = f; positions take h² times the first weights, velocities h "
       "times the second."},
      {MethodKind::partitioned,
       "partitioned",
       "partitioned Runge–Kutta",
       {{"A"},
        array_b,
        array_c,
        array_b_hat,
        {"A_velocity"},
        {"b_velocity", Shape::list},
        {"b_hat_velocity", Shape::list, false}},
       {{"positions", "A", "b", "c", "b_hat"},  // time runs with the first
        {"velocities", "A_velocity", "b_velocity", "c", "b_hat_velocity", false}},
       "",
       "q' by the first tableau, v' by the second, on the same stages."},
      additive("b", "b_hat", "b", "b_hat"),
      additive("b_explicit", "b_hat_explicit", "b_implicit", "b_hat_implicit"),
      {MethodKind::half_explicit,
       "half_explicit",
       "half-explicit Runge–Kutta",
       {{"A", Shape::matrix, true, Zeros::from_diagonal, explicit_stages},
        array_b,
        array_c,
        array_b_hat,
        {"A_hat", Shape::matrix, false, Zeros::above, explicit_stages},
        {"b_low", Shape::list, false}},
       {{"", "A", "b", "c", "b_hat"}},
       "constraints hold at the rows of A_hat, without it at the next stage",
       "Explicit stages for states, multipliers from the constraint at the next point."},
      rosenbrock("alpha", "gamma_ij"),
      rosenbrock("A", "C")};
  return schemas;
}

bool KindSchema::has(const std::string& array) const {
  return std::any_of(arrays.begin(), arrays.end(),
                     [&](const ArraySchema& known) { return known.name == array; });
}

std::vector<std::string> KindSchema::sequence() const {
  std::vector<std::string> names;
  if (parts.size() == 2) {
    for (const PartSchema& part : parts)
      names.insert(names.end(), {part.A, part.b, part.c, part.embedded});
  } else {
    for (const ArraySchema& array : arrays) names.emplace_back(array.name);
  }
  return names;
}

const KindSchema* schema_of(std::string_view kind, const std::function<bool(const char*)>& given) {
  const KindSchema* best = nullptr;
  std::ptrdiff_t most = -1;
  for (const KindSchema& schema : coefficient_schemas()) {
    if (kind != schema.name) continue;
    const auto count = std::count_if(schema.arrays.begin(), schema.arrays.end(),
                                     [&](const ArraySchema& array) { return given(array.name); });
    if (count > most) best = &schema, most = count;
  }
  return best;
}

const KindSchema& schema_of(const Coefficients& method) {
  const std::vector<KindSchema>& known = coefficient_schemas();
  const auto first = std::find_if(known.begin(), known.end(), [&](const KindSchema& schema) {
    return schema.kind == method.kind;
  });
  return *schema_of(first->name, [&](const char* name) { return !method.rows(name).empty(); });
}

std::vector<const Expression*> entries_of(const Coefficients& method) {
  std::vector<const Expression*> entries;
  for (const std::string& name : schema_of(method).sequence())
    for (const auto& row : method.rows(name))
      for (const Expression& entry : row) entries.push_back(&entry);
  return entries;
}

}  // namespace daemark
