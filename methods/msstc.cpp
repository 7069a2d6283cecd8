// msstc(n, rho): n sub-steps, trapezoidal rule at the nodes 2jγ, one general formula at the end;
// order 2, A-stable, low frequencies preserved as far as n allows (Zhang 2022, section 2.3).
//
// With s = γz: R = N(s)/(1−s)ⁿ and |N(iω)|² = (1+ω²)ⁿ − (1−ρ²)ω²ⁿ, so that |R(iω)| = 1 + O(ω²ⁿ) and
// |R| → ρ. N is the Hurwitz factor with N(0) = 1. The roots are known: (1+ω²)/ω² = τ_k, the n-th
// roots of 1−ρ², hence s² = −ω² = 1/(1−τ_k) and
//   N(s) = Π_k (1 + s √(1−τ_k)),  γ = 1/(n + Σ_k √(1−τ_k)),
// principal roots, real because τ_k come in conjugate pairs. n = 2 is bathe(rho).
#include <fmt/format.h>

#include <boost/math/constants/constants.hpp>

#include "methods/catalogue/registry.hpp"
#include "methods/runge_kutta/runge_kutta.hpp"

namespace daemark {
namespace {

constexpr int max_substeps = 8;

/// N(s), ascending powers, n + 1 of them.
std::vector<wide> hurwitz_factor(int n, const rational& rho) {
  const wide radius = pow(static_cast<wide>(rational(1 - rho * rho)), wide(1) / n);
  const wide turn = 2 * boost::math::constants::pi<wide>() / n;
  std::vector<wide> N(n + 1, wide(0));
  N[0] = 1;
  int degree = 0;
  const auto multiply = [&](const wide& first, const wide& second) {
    degree += 2;
    for (int i = std::min(degree, n); i > 0; --i)
      N[i] += first * N[i - 1] + (i > 1 ? wide(second * N[i - 2]) : wide(0));
  };
  for (int k = 0; 2 * k <= n; ++k) {
    const bool real = k == 0 || 2 * k == n;
    const wide cosine = k == 0 ? wide(1) : real ? wide(-1) : wide(cos(k * turn));
    const wide re = 1 - radius * cosine;  // of 1 − τ_k
    if (real) {
      multiply(sqrt(re), 0);
      continue;
    }
    const wide im = radius * sin(k * turn), modulus = sqrt(re * re + im * im);
    multiply(sqrt(2 * (modulus + re)), modulus);  // (1 + s r)(1 + s r̄), r = √(1−τ_k)
  }
  return N;
}

WideTableau msstc_tableau(int n, const rational& rho) {
  const std::vector<wide> N = hurwitz_factor(n, rho);
  const wide gamma = 1 / (n + N[1]);
  // F = (N − (1−s)^{n−1}) γ/s = Σ_j q_j (1+s)^j (1−s)^{n−1−j}; s = (t−1)/(t+1) makes the sum Σ q_j
  // t^j.
  std::vector<wide> q(n, wide(0));
  wide binomial = 1;
  for (int m = 0; m < n; ++m) {
    binomial = binomial * (n - 1 - m) / (m + 1);
    const wide minus = m + 1 <= n - 1 ? wide((m % 2 == 0 ? -1 : 1) * binomial) : wide(0);
    std::vector<wide> product(n, wide(0));  // (t−1)^m (t+1)^{n−1−m}
    product[0] = 1;
    for (int i = 0; i < n - 1; ++i)
      for (int j = n - 1; j >= 0; --j)
        product[j] = (i < m ? -1 : 1) * product[j] + (j > 0 ? product[j - 1] : wide(0));
    const wide F = (N[m + 1] - minus) * gamma / pow(wide(2), n - 1);
    for (int j = 0; j < n; ++j) q[j] += F * product[j];
  }
  WideTableau t;
  t.A.assign(n + 1, std::vector<wide>(n + 1, wide(0)));
  for (int i = 0; i <= n; ++i) t.c.push_back(i < n ? wide(2 * i * gamma) : wide(1));
  for (int i = 1; i < n; ++i) {
    for (int j = 0; j <= i; ++j) t.A[i][j] = (j == 0 || j == i ? 1 : 2) * gamma;
  }
  for (int j = 0; j < n; ++j) t.A[n][j] = q[j];
  t.A[n][n] = gamma;
  t.b = t.A[n];
  return t;
}

}  // namespace

void register_msstc(MethodRegistry& registry) {
  using Type = Parameter::Type;
  MethodInfo info;
  info.id = "msstc";
  info.kind = "implicit Runge–Kutta";
  info.summary = "n sub-steps, order 2, A-stable, least low-frequency dissipation; ESDIRK";
  info.parameters = {{"n", Type::integer, "3", "integer 2..8: implicit stages"},
                     {"rho", Type::real, "0", "rational in [0, 1]: spectral radius at infinity"}};
  info.claims.order = 2;
  info.claims.a_stable = true;
  for (int n = 2; n <= max_substeps; ++n)
    for (const char* rho : {"0", "3/5", "1"})
      info.examples.push_back(fmt::format("msstc(n={},rho={})", n, rho));
  info.source = {"zhang2022", "section 2.3; n other than 3, 4, 5: the same conditions"};
  registry.add(info, [](const Arguments& arguments) {
    const int n = static_cast<int>(arguments.integer("n", 2, max_substeps));
    const rational rho = arguments.real_in("rho", 0, 1);
    return runge_kutta_method({msstc_tableau(n, rho)}, Msstc{n, rho});
  });
}

}  // namespace daemark
