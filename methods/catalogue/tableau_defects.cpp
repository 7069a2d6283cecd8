#include <fmt/format.h>

#include <algorithm>

#include "methods/catalogue/tableau_file.hpp"

namespace daemark {
namespace {

using Weights = std::vector<Expression>;

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

std::vector<wide> values(const Weights& expressions) {
  std::vector<wide> result;
  for (const Expression& expression : expressions) result.push_back(expression.eval<wide>());
  return result;
}

void check_row_sums(std::vector<std::string>& defects, const ExactTableau& tableau, bool decimal) {
  const WideTableau value = evaluate(tableau);
  for (std::size_t i = 0; i < value.A.size(); ++i) {
    std::vector<wide> terms = value.A[i];
    terms.push_back(-value.c[i]);
    check_sum(defects, "row sum of A differs from c in row " + std::to_string(i + 1), terms,
              decimal);
  }
}

void check_weights(std::vector<std::string>& defects, const char* name, const Weights& weights,
                   const wide& target, bool decimal) {
  if (weights.empty()) return;
  std::vector<wide> terms = values(weights);
  terms.push_back(-target);
  check_sum(defects, fmt::format("the weights {} do not sum to {}", name, to_double(target)), terms,
            decimal);
}

void check_dense(std::vector<std::string>& defects, const ExactTableau& tableau) {
  const WideTableau value = evaluate(tableau);
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

}  // namespace

std::vector<std::string> tableau_defects(const ExactTableau& tableau) {
  std::vector<std::string> defects;
  check_row_sums(defects, tableau, tableau.decimal);
  check_weights(defects, "b", tableau.b, 1, tableau.decimal);
  check_weights(defects, "b_hat", tableau.embedded, 1, tableau.decimal);
  check_dense(defects, tableau);
  return defects;
}

std::vector<std::string> tableau_defects(const ExactPair& pair) {
  std::vector<std::string> defects;
  const bool nystrom = pair.kind == ExactPair::Kind::nystrom;
  if (!nystrom) check_row_sums(defects, pair.first, pair.decimal);
  if (pair.kind != ExactPair::Kind::partitioned) check_row_sums(defects, pair.second, pair.decimal);
  const wide first = nystrom ? wide(1) / 2 : wide(1);
  check_weights(defects, "b", pair.first.b, first, pair.decimal);
  check_weights(defects, "b_hat", pair.first.embedded, first, pair.decimal);
  check_weights(defects, "b_velocity", pair.second.b, 1, pair.decimal);
  check_weights(defects, "b_hat_velocity", pair.second.embedded, 1, pair.decimal);
  return defects;
}

std::vector<std::string> tableau_defects(const ExactHalfExplicit& method) {
  std::vector<std::string> defects = tableau_defects(static_cast<const ExactTableau&>(method));
  const WideHalfExplicit value = evaluate(method);
  const bool ends = std::find(value.constraint.begin(), value.constraint.end(), value.stages.b) !=
                    value.constraint.end();
  if (!ends) defects.emplace_back("no row of A_hat is b: velocities leave the constraints");
  return defects;
}

std::vector<std::string> tableau_defects(const ExactRosenbrock& method) {
  std::vector<std::string> defects;
  const RosenbrockNumbers<wide> value = evaluate(method);
  std::vector<wide> weights = value.b;
  weights.emplace_back(-1);
  check_sum(defects, "the weights b do not sum to 1", weights, method.decimal);
  if (!value.embedded.empty()) {
    weights = value.embedded;
    weights.emplace_back(-1);
    check_sum(defects, "the weights b_hat do not sum to 1", weights, method.decimal);
  }
  return defects;
}

std::vector<std::string> tableau_defects(const ExactMultistep& formula) {
  std::vector<std::string> defects;
  const std::vector<wide> alpha = values(formula.alpha), beta = values(formula.beta);
  check_sum(defects, "alpha does not sum to 0", alpha, formula.decimal);
  std::vector<wide> terms;
  for (std::size_t j = 0; j < alpha.size(); ++j) {
    terms.push_back(static_cast<int>(j) * alpha[j]);
    terms.push_back(-beta[j]);
  }
  check_sum(defects, "sum of j alpha_j differs from the sum of beta_j", terms, formula.decimal);
  return defects;
}

}  // namespace daemark
