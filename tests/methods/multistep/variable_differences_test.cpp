// Backward differentiation for steps of any sizes: what it is exact for, its error, how far its
// steps may grow.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "methods/multistep/flat_multistep.hpp"
#include "methods/multistep/variable_steps.hpp"

namespace daemark {
namespace {

/// (t_n − t_{n−j})/h_n of steps that grow by one ratio.
std::vector<double> growing(double ratio, int m) {
  std::vector<double> s(m);
  double since = 0, step = 1;
  for (double& x : s) x = since += step, step /= ratio;
  return s;
}

TEST(VariableDifferences, AreTheFormulasOfEqualSteps) {
  for (int m = 1; m <= most_differences; ++m) {
    VariableDifferences<double> rule;
    rule.set(growing(1, m).data(), m);
    const Coefficients exact = backward_differentiation(m);
    const double leading = exact.list("alpha")[m].eval<double>();
    for (int j = 1; j <= m; ++j)
      EXPECT_NEAR(rule.a(j), -exact.list("alpha")[m - j].eval<double>() / leading, 1e-13) << m;
    EXPECT_NEAR(rule.b0(), exact.list("beta")[m].eval<double>() / leading, 1e-13) << m;
  }
}

// y = τ^d at τ_0 = 0 and the points before: exact up to d = m; of d = m + 1 what is missed is what
// the rates tell.
TEST(VariableDifferences, TellTheErrorOfTheNextPower) {
  const std::vector<double> s = {1, 1.7, 2.1, 3.6, 4.2, 5.9};
  for (int m = 1; m <= most_differences; ++m) {
    VariableDifferences<double> rule;
    rule.set(s.data(), m);
    const auto rate = [](double tau, int d) { return d == 0 ? 0 : d * std::pow(tau, d - 1); };
    for (int d = 0; d <= m + 1; ++d) {
      double found = rule.b0() * rate(0, d), error = rule.error(0) * rate(0, d), ahead = 0,
             size = 1;
      for (int j = 1; j <= m; ++j) {
        const double tau = -s[j - 1], value = std::pow(tau, d);
        found += rule.a(j) * value;
        error += rule.error(j) * rate(tau, d);
        ahead += rule.ahead(j) * rate(tau, d);
        size = std::max(size, std::abs(value));
      }
      const double exact = d == 0 ? 1 : 0;
      if (d <= m) {
        EXPECT_NEAR(found, exact, 1e-12 * size) << m << ' ' << d;
      }
      EXPECT_NEAR(error, found - exact, 1e-12 * size) << m << ' ' << d;
      if (d <= m) {
        EXPECT_NEAR(ahead, rate(0, d), 1e-12 * size) << m << ' ' << d;
      }
    }
  }
}

/// The largest root besides 1 of the formula where steps grow for ever by `ratio`.
double largest_root(double ratio, int m) {
  VariableDifferences<double> rule;
  rule.set(growing(ratio, m).data(), m);
  Eigen::MatrixXd companion = Eigen::MatrixXd::Zero(m, m);
  for (int j = 0; j < m; ++j) companion(0, j) = rule.a(j + 1);
  for (int j = 1; j < m; ++j) companion(j, j - 1) = 1;
  const Eigen::VectorXcd roots = companion.eigenvalues();
  double largest = 0, nearest = 1e9;
  for (const auto& root : roots) nearest = std::min(nearest, std::abs(root - 1.0));
  for (const auto& root : roots)
    if (std::abs(root - 1.0) > nearest) largest = std::max(largest, std::abs(root));
  return largest;
}

TEST(VariableDifferences, StayStableUpToTheLargestGrowth) {
  for (int m = 2; m <= most_differences; ++m) {
    EXPECT_LT(largest_root(largest_growth(m) - 1e-3, m), 1) << m;
    EXPECT_GT(largest_root(largest_growth(m) + 1e-3, m), 1) << m;
    EXPECT_LT(allowed_growth(m), largest_growth(m));
  }
}

}  // namespace
}  // namespace daemark
