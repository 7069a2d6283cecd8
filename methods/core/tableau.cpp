#include "methods/core/tableau.hpp"

namespace daemark {
namespace {

std::vector<wide> values(const std::vector<Expression>& expressions) {
  std::vector<wide> result;
  result.reserve(expressions.size());
  for (const Expression& expression : expressions) result.push_back(expression.eval<wide>());
  return result;
}

}  // namespace

WideTableau evaluate(const ExactTableau& exact) {
  WideTableau tableau;
  for (const std::vector<Expression>& row : exact.A) tableau.A.push_back(values(row));
  tableau.b = values(exact.b);
  tableau.c = values(exact.c);
  return tableau;
}

}  // namespace daemark
