#include "methods/catalogue/coefficients.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/program/digest.hpp"

namespace daemark {
namespace {

constexpr int digits = 100;  // of 130, so that the last ones, which rounding leaves open, stay out

void print(const std::vector<wide>& values, std::string& text) {
  for (const wide& value : values) text += value.str(digits) + " ";
  text += "\n";
}
void print(const ExactSecondOrder::Matrix& matrix, std::string& text) {
  for (const auto& row : matrix)
    for (const ExactSecondOrder::Entry& entry : row)
      text += entry.constant.str() + " " + entry.damping.str() + " " + entry.stiffness.str() + "\n";
}

void print(const Coefficients& method, std::string& text) {
  const KindSchema& schema = schema_of(method);
  for (const std::string& name : schema.sequence()) {
    if (name == "gamma") {
      text += method.list(name).front().text() + "\n";
      continue;
    }
    if (name.starts_with('b') && !method.has(name)) text += "\n";  // a list that is not given
    for (const auto& row : method.rows(name)) {
      for (const Expression& value : row) text += value.text() + " ";
      text += "\n";
    }
  }
}

/// Adds a line unless the terms sum to zero within round-off of the given number of digits.
void check_sum(std::vector<std::string>& defects, const std::string& rule,
               const std::vector<wide>& terms, bool decimal) {
  wide sum = 0, size = 1;
  for (const wide& term : terms) {
    sum += term;
    size += abs(term);
  }
  const wide tolerance = decimal ? wide("1e-10") : wide("1e-100");
  if (!(abs(sum) <= tolerance * size)) {
    defects.push_back(rule + ": off by " + sum.str(6, std::ios_base::scientific));
  }
}

std::vector<wide> values(const std::vector<Expression>& expressions) {
  std::vector<wide> result;
  for (const Expression& expression : expressions) result.push_back(expression.eval<wide>());
  return result;
}

void check_row_sums(std::vector<std::string>& defects, const WideTableau& value, bool decimal) {
  for (std::size_t i = 0; i < value.A.size(); ++i) {
    std::vector<wide> terms = value.A[i];
    terms.push_back(-value.c[i]);
    check_sum(defects, "row sum of A differs from c in row " + std::to_string(i + 1), terms,
              decimal);
  }
}

void check_weights(std::vector<std::string>& defects, const char* name, std::vector<wide> terms,
                   const wide& target, bool decimal) {
  if (terms.empty()) return;
  terms.push_back(-target);
  check_sum(defects, fmt::format("the weights {} do not sum to {}", name, to_double(target)), terms,
            decimal);
}

void check_dense(std::vector<std::string>& defects, const WideTableau& value) {
  for (int i = 0; i < value.dense.stages(); ++i) {
    std::vector<wide> terms = value.dense.A[i];
    terms.push_back(-value.dense.c[i]);
    check_sum(defects, "row sum of dense.A differs from dense.c in row " + std::to_string(i + 1),
              terms, true);
  }
  for (int i = 0; i < value.stages() + value.dense.stages() && value.dense.given(); ++i) {
    std::vector<wide> terms = value.dense.weights[i];
    terms.push_back(i < value.stages() ? wide(-value.b[i]) : wide(0));
    check_sum(defects, "dense.weights of stage " + std::to_string(i + 1) + " do not sum to b",
              terms, true);
  }
}

void check_formula(std::vector<std::string>& defects, const Coefficients& formula) {
  const std::vector<wide> alpha = values(formula.list("alpha")),
                          beta = values(formula.list("beta"));
  check_sum(defects, "alpha does not sum to 0", alpha, formula.decimal);
  std::vector<wide> terms;
  for (std::size_t j = 0; j < alpha.size(); ++j) {
    terms.push_back(static_cast<int>(j) * alpha[j]);
    terms.push_back(-beta[j]);
  }
  check_sum(defects, "sum of j alpha_j differs from the sum of beta_j", terms, formula.decimal);
}

}  // namespace

std::string coefficient_digest(const std::string& canonical, const Method& method) {
  std::string text = canonical + "\n";
  if (const WideTableau* tableau = method.tableau()) {
    for (const auto& row : tableau->A) print(row, text);
    print(tableau->b, text), print(tableau->c, text), print(tableau->embedded, text);
    for (const auto* rows : {&tableau->dense.A, &tableau->dense.weights})
      for (const auto& row : *rows) print(row, text);
    if (tableau->dense.given()) print(tableau->dense.c, text);
  }
  if (const auto* written = method.as<Coefficients>()) print(*written, text);
  if (const auto* step = method.as<ExactSecondOrder>())
    print(step->next, text), print(step->previous, text);
  return digest(text);
}

std::vector<std::string> tableau_defects(const Coefficients& method) {
  std::vector<std::string> defects;
  if (method.kind == MethodKind::multistep) check_formula(defects, method);
  if (method.kind == MethodKind::rosenbrock) {
    const RosenbrockNumbers<wide> value = rosenbrock_numbers<wide>(method);
    check_weights(defects, "b", value.b, 1, method.decimal);
    check_weights(defects, "b_hat", value.embedded, 1, method.decimal);
  }
  const std::vector<PartSchema>& parts = schema_of(method).parts;
  std::vector<WideTableau> values;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    values.push_back(tableau_of<wide>(method, static_cast<int>(k)));
    if (parts[k].row_sums) check_row_sums(defects, values[k], method.decimal);
  }
  for (std::size_t k = 0; k < parts.size(); ++k) {
    if (k > 0 && std::string_view(parts[k].b) == parts[0].b) break;  // additive: shared
    const wide sum = wide(1) / parts[k].share;
    check_weights(defects, parts[k].b, values[k].b, sum, method.decimal);
    check_weights(defects, parts[k].embedded, values[k].embedded, sum, method.decimal);
  }
  if (method.kind == MethodKind::runge_kutta) check_dense(defects, values[0]);
  if (method.kind == MethodKind::half_explicit) {
    const WideHalfExplicit value = half_explicit_numbers(method);
    const bool ends = std::find(value.constraint.begin(), value.constraint.end(), value.stages.b) !=
                      value.constraint.end();
    if (!ends) defects.emplace_back("no row of A_hat is b: velocities leave the constraints");
  }
  return defects;
}

}  // namespace daemark
