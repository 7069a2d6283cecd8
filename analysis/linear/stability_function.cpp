#include "analysis/linear/stability_function.hpp"

#include <limits>

#include "analysis/roots/eigenvalues.hpp"
#include "base/linear/dense_solve.hpp"

namespace daemark {
namespace {

using Rows = std::vector<std::vector<wide>>;

/// det(I − zM), ascending powers (Faddeev & Le Verrier).
std::vector<wide> characteristic(const Rows& m) {
  const std::size_t n = m.size();
  std::vector<wide> result = {wide(1)};
  Rows power(n, std::vector<wide>(n, wide(0)));
  for (std::size_t k = 1; k <= n; ++k) {
    for (std::size_t i = 0; i < n; ++i) power[i][i] += result.back();
    Rows next(n, std::vector<wide>(n, wide(0)));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t l = 0; l < n; ++l) {
        if (m[i][l] == 0) continue;
        for (std::size_t j = 0; j < n; ++j) next[i][j] += m[i][l] * power[l][j];
      }
    wide trace = 0;
    for (std::size_t i = 0; i < n; ++i) trace += next[i][i];
    result.push_back(wide(-trace / k));
    power = std::move(next);
  }
  const wide zero("1e-90");
  while (result.size() > 1 && abs(result.back()) < zero) result.pop_back();
  return result;
}

}  // namespace

WideFunction stability_function(const WideTableau& tableau) {
  Rows shifted = tableau.A;
  for (std::vector<wide>& row : shifted)
    for (std::size_t j = 0; j < row.size(); ++j) row[j] -= tableau.b[j];
  return {characteristic(shifted), characteristic(tableau.A)};
}

RationalFunctionText function_text(const WideTableau& tableau) {
  constexpr int digits = 30;
  const WideFunction R = stability_function(tableau);
  RationalFunctionText text;
  for (const wide& c : R.num) text.num.push_back(c.str(digits));
  for (const wide& c : R.den) text.den.push_back(c.str(digits));
  return text;
}

namespace {

/// Of a monic polynomial, ascending powers.
std::vector<std::complex<long double>> nonzero_roots(const std::vector<wide>& monic) {
  const std::size_t k = monic.size() - 1;
  std::vector<std::vector<long double>> companion(k, std::vector<long double>(k, 0));
  for (std::size_t j = 0; j < k; ++j)
    companion[0][j] = static_cast<long double>(wide(-monic[k - 1 - j]));
  for (std::size_t i = 1; i < k; ++i) companion[i][i - 1] = 1;
  return nonzero_eigenvalues(companion);
}

/// R(z) = 1 + z bᵀ (I - zA)⁻¹ e.
wide value_at(const WideTableau& t, const wide& z) {
  const int s = t.stages();
  Rows m(s, std::vector<wide>(s));
  std::vector<wide> x(s, wide(1));
  for (int i = 0; i < s; ++i)
    for (int j = 0; j < s; ++j) m[i][j] = wide(i == j ? 1 : 0) - z * t.A[i][j];
  solve_dense(m, x, largest_pivot([](const wide& entry) { return wide(abs(entry)); }));
  wide sum = 0;
  for (int i = 0; i < s; ++i) sum += t.b[i] * x[i];
  return wide(1 + z * sum);
}

}  // namespace

// At |z| = 1e50, R differs from R(∞) by some 1e-50 and has lost as many of its 130 digits.
wide resolved_at_infinity() { return wide("1e-30"); }

std::optional<wide> value_at_infinity(const WideTableau& tableau) {
  const wide near = value_at(tableau, wide("-1e50")), far = value_at(tableau, wide("-1e52"));
  // The negations: what is no number is no value.
  if (!(abs(near) <= wide("1e20")) || !(abs(far - near) <= wide("1e-20"))) return std::nullopt;
  return abs(far) < resolved_at_infinity() ? wide(0) : far;
}

double modulus_at_infinity(const WideTableau& tableau) {
  const WideFunction R = stability_function(tableau);
  if (R.num.size() > R.den.size()) return std::numeric_limits<double>::infinity();
  if (R.num.size() < R.den.size()) return 0;
  return to_double(wide(abs(R.num.back() / R.den.back())));
}

int linear_order(const WideTableau& tableau) {
  const WideFunction R = stability_function(tableau);
  const wide zero("1e-80");
  wide factorial = 1;
  std::vector<wide> series;  // of exp
  for (int p = 0;; ++p) {
    if (p > 0) factorial *= p;
    series.push_back(wide(1 / factorial));
    wide defect = p < static_cast<int>(R.num.size()) ? wide(-R.num[p]) : wide(0);
    for (int j = 0; j <= p && j < static_cast<int>(R.den.size()); ++j)
      defect += R.den[j] * series[p - j];
    // Relative to 1/p!: the coefficients of long series are small themselves.
    if (abs(defect) * factorial > zero) return p - 1;
  }
}

int linear_order(const Coefficients& formula) {
  const std::vector<Expression>&alpha = formula.list("alpha"), &beta = formula.list("beta");
  const wide zero("1e-100");
  for (int p = 0;; ++p) {
    wide defect = 0;  // Σ α_j j^p − p Σ β_j j^{p−1}
    for (std::size_t j = 0; j < alpha.size(); ++j) {
      const wide at(static_cast<double>(j));
      defect += alpha[j].eval<wide>() * (p == 0 ? wide(1) : wide(pow(at, p)));
      if (p > 0) defect -= beta[j].eval<wide>() * p * (p == 1 ? wide(1) : wide(pow(at, p - 1)));
    }
    if (abs(defect) > zero) return p - 1;
  }
}

double modulus_at_infinity(const Coefficients& formula) {
  const int k = static_cast<int>(formula.list("beta").size()) - 1;
  const wide leading = formula.list("beta")[k].eval<wide>();
  if (leading == 0) return std::numeric_limits<double>::infinity();
  std::vector<wide> sigma;  // monic, ascending
  for (const Expression& beta : formula.list("beta")) sigma.push_back(beta.eval<wide>() / leading);
  // One k-fold root r, as most formulas have, is found exactly: eigenvalues would scatter around
  // it.
  const wide r = sigma[k - 1] / k, zero("1e-100");
  wide binomial = 1, power = 1;
  bool single = true;
  for (int j = 1; j <= k; ++j) {
    binomial = binomial * (k - j + 1) / j;
    power *= r;
    single = single && abs(sigma[k - j] - binomial * power) < zero;
  }
  if (single) return to_double(wide(abs(r)));
  return largest_modulus(nonzero_roots(sigma));
}

bool is_zero_stable(const Coefficients& formula) {
  constexpr long double off = 1e-6L;
  const wide leading = formula.list("alpha").back().eval<wide>();
  std::vector<wide> rho;
  for (const Expression& alpha : formula.list("alpha")) rho.push_back(alpha.eval<wide>() / leading);
  const std::vector<std::complex<long double>> roots = nonzero_roots(rho);
  for (std::size_t i = 0; i < roots.size(); ++i) {
    if (std::abs(roots[i]) > 1 + off) return false;
    for (std::size_t k = 0; k < i; ++k)
      if (std::abs(roots[i]) > 1 - off && std::abs(roots[i] - roots[k]) < off) return false;
  }
  return true;
}

}  // namespace daemark
