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

}  // namespace

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
