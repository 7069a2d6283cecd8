#include "methods/catalogue/coefficient_print.hpp"

#include "base/program/digest.hpp"
#include "methods/core/method.hpp"

namespace daemark {
namespace {

constexpr int digits = 100;  // of 130, so that the last ones, which rounding leaves open, stay out

void add(const std::vector<wide>& values, std::string& text) {
  for (const wide& value : values) text += value.str(digits) + " ";
  text += "\n";
}
void add(const std::vector<Expression>& values, std::string& text) {
  for (const Expression& value : values) text += value.text() + " ";
  text += "\n";
}
void add(const ExactSecondOrder::Matrix& matrix, std::string& text) {
  for (const auto& row : matrix)
    for (const ExactSecondOrder::Entry& entry : row)
      text += entry.constant.str() + " " + entry.damping.str() + " " + entry.stiffness.str() + "\n";
}

void add(const std::vector<std::vector<Expression>>& rows, std::string& text) {
  for (const auto& row : rows) add(row, text);
}
void add(const ExactTableau& tableau, std::string& text) {
  add(tableau.A, text);
  add(tableau.b, text), add(tableau.c, text), add(tableau.embedded, text);
}

}  // namespace

std::string coefficient_print(const std::string& canonical, const Method& method) {
  std::string text = canonical + "\n";
  if (const WideTableau* tableau = method.tableau()) {
    for (const auto& row : tableau->A) add(row, text);
    add(tableau->b, text), add(tableau->c, text), add(tableau->embedded, text);
    for (const auto* rows : {&tableau->dense.A, &tableau->dense.weights})
      for (const auto& row : *rows) add(row, text);
    if (tableau->dense.given()) add(tableau->dense.c, text);
  }
  if (const auto* formula = method.as<ExactMultistep>())
    add(formula->alpha, text), add(formula->beta, text);
  if (const auto* step = method.as<ExactSecondOrder>())
    add(step->next, text), add(step->previous, text);
  if (const auto* pair = method.as<ExactPair>()) add(pair->first, text), add(pair->second, text);
  if (const auto* method_of_stages = method.as<ExactHalfExplicit>()) {
    add(*method_of_stages, text);
    add(method_of_stages->constraint, text), add(method_of_stages->lower, text);
  }
  if (const auto* rosenbrock = method.as<ExactRosenbrock>()) {
    text += rosenbrock->gamma.text() + "\n";
    add(rosenbrock->alpha, text), add(rosenbrock->gammas, text);
    add(rosenbrock->b, text), add(rosenbrock->embedded, text);
  }
  return digest(text);
}

}  // namespace daemark
