#include "methods/multistep/flat_multistep.hpp"

#include <fmt/format.h>

namespace daemark {
namespace {

using Polynomial = std::vector<rational>;  // ascending powers

Polynomial product(const Polynomial& a, const Polynomial& b) {
  Polynomial c(a.size() + b.size() - 1, rational(0));
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) c[i + j] += a[i] * b[j];
  return c;
}

Polynomial power(const Polynomial& a, int n) {
  Polynomial result = {rational(1)};
  for (int i = 0; i < n; ++i) result = product(result, a);
  return result;
}

void add_scaled(Polynomial& sum, const rational& factor, const Polynomial& a) {
  for (std::size_t i = 0; i < a.size(); ++i) sum[i] += factor * a[i];
}

rational binomial(int n, int k) {
  rational c = 1;
  for (int i = 1; i <= k; ++i) c = c * (n - k + i) / i;
  return c;
}

Coefficients formula_of(std::string id, const Polynomial& alpha, const Polynomial& beta) {
  Coefficients formula;
  formula.kind = MethodKind::multistep;
  formula.id = std::move(id);
  formula.list("alpha") = std::vector<Expression>(alpha.begin(), alpha.end());
  formula.list("beta") = std::vector<Expression>(beta.begin(), beta.end());
  return formula;
}

}  // namespace

std::vector<rational> flat_polynomial(int n) {
  const rational kappa = 1 / (2 * binomial(2 * n - 2, n - 1));
  Polynomial in_w(n + 1, rational(0));
  for (int k = 0; k <= n; ++k) {
    const rational p = k == 0
                           ? rational(kappa * binomial(2 * n, n))
                           : rational(2 * kappa * (k % 2 == 0 ? 1 : -1) * binomial(2 * n, n + k));
    add_scaled(in_w, p, power({rational(1), rational(-1)}, k));
  }
  return {in_w.begin() + 1, in_w.end()};
}

Coefficients flat_multistep(int n, const rational& rho) {
  const std::vector<rational> q = flat_polynomial(n);
  const Polynomial difference = {rational(-1), rational(1)}, sum = {rho, rational(1)};
  // (1+ρ) Σ q_k (1−ρ)^{k−1} (E−1)^k (E+ρ)^{n−k} y = h (E+ρ)ⁿ ẏ, regular at ρ = 1.
  Polynomial alpha(n + 1, rational(0));
  rational factor = 1 + rho;
  for (int k = 1; k <= n; ++k) {
    add_scaled(alpha, q[k - 1] * factor, product(power(difference, k), power(sum, n - k)));
    factor *= 1 - rho;
  }
  Coefficients formula =
      formula_of(fmt::format("lms(n={},rho={})", n, rho.str()), alpha, power(sum, n));
  formula.claims.order = 2;
  // At rho = 1 the root −1 is (n − 1)-fold: bounded for n = 2 only, whatever the paper says of [0,
  // 1].
  formula.claims.a_stable = n < 3 || rho < 1;
  return formula;
}

Coefficients backward_differentiation(int k) {
  Polynomial alpha(k + 1, rational(0)), beta(k + 1, rational(0));
  for (int j = 1; j <= k; ++j) {  // ∇^j y_n = E^{−j} (E−1)^j y_n
    Polynomial difference = power({rational(-1), rational(1)}, j);
    difference.insert(difference.begin(), k - j, rational(0));
    add_scaled(alpha, rational(1) / j, difference);
  }
  beta[k] = 1;
  return formula_of(fmt::format("bdf(k={})", k), alpha, beta);
}

}  // namespace daemark
