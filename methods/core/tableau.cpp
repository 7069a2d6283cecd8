#include "methods/core/tableau.hpp"

#include <algorithm>

namespace daemark {
namespace {

template <class T>
std::vector<T> values(const std::vector<Expression>& expressions) {
  std::vector<T> result;
  result.reserve(expressions.size());
  for (const Expression& expression : expressions) result.push_back(expression.eval<T>());
  return result;
}

bool all_rational(const std::vector<Expression>& expressions) {
  return std::all_of(expressions.begin(), expressions.end(),
                     [](const Expression& e) { return e.is_rational(); });
}

template <class T>
using Rows = std::vector<std::vector<T>>;

template <class T>
Rows<T> values(const std::vector<std::vector<Expression>>& rows) {
  Rows<T> result;
  for (const std::vector<Expression>& row : rows) result.push_back(values<T>(row));
  return result;
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

template <class T>
RosenbrockNumbers<T> both_forms(const ExactRosenbrock& exact) {
  RosenbrockNumbers<T> r;
  r.gamma = exact.gamma.eval<T>();
  const std::size_t s = exact.b.size();
  Rows<T> first = values<T>(exact.alpha), second = values<T>(exact.gammas);
  std::vector<T> b = values<T>(exact.b), embedded = values<T>(exact.embedded);
  const auto with_diagonal = [s](Rows<T> m, const T& diagonal, int sign) {
    for (std::size_t i = 0; i < s; ++i) {
      for (T& x : m[i]) x *= sign;
      m[i][i] = diagonal;
    }
    return m;
  };
  Rows<T> inverse;  // Γ⁻¹ = 1/γ − C
  if (exact.transformed) {
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

}  // namespace

WideHalfExplicit evaluate(const ExactHalfExplicit& exact) {
  WideHalfExplicit method{evaluate(static_cast<const ExactTableau&>(exact)),
                          values<wide>(exact.constraint), values<wide>(exact.lower)};
  if (!method.constraint.empty()) return method;
  method.constraint.assign(method.stages.A.begin() + 1, method.stages.A.end());
  method.constraint.push_back(method.stages.b);
  return method;
}

RosenbrockNumbers<wide> evaluate(const ExactRosenbrock& exact) { return both_forms<wide>(exact); }

std::optional<RosenbrockNumbers<rational>> evaluate_exactly(const ExactRosenbrock& exact) {
  if (!exact.gamma.is_rational() || !all_rational(exact.b) || !all_rational(exact.embedded))
    return std::nullopt;
  for (const auto* rows : {&exact.alpha, &exact.gammas})
    for (const std::vector<Expression>& row : *rows)
      if (!all_rational(row)) return std::nullopt;
  return both_forms<rational>(exact);
}

WideTableau evaluate(const ExactTableau& exact) {
  WideTableau tableau;
  for (const std::vector<Expression>& row : exact.A) tableau.A.push_back(values<wide>(row));
  tableau.b = values<wide>(exact.b);
  tableau.c = values<wide>(exact.c);
  tableau.embedded = values<wide>(exact.embedded);
  tableau.dense.c = values<wide>(exact.dense.c);
  for (const auto& row : exact.dense.A) tableau.dense.A.push_back(values<wide>(row));
  for (const auto& w : exact.dense.weights) tableau.dense.weights.push_back(values<wide>(w));
  return tableau;
}

std::optional<RationalTableau> evaluate_exactly(const ExactTableau& exact) {
  if (!all_rational(exact.b) || !all_rational(exact.c)) return std::nullopt;
  RationalTableau tableau;
  for (const std::vector<Expression>& row : exact.A) {
    if (!all_rational(row)) return std::nullopt;
    tableau.A.push_back(values<rational>(row));
  }
  tableau.b = values<rational>(exact.b);
  tableau.c = values<rational>(exact.c);
  return tableau;
}

}  // namespace daemark
