// Orders of lms, ss and bdf on every index, and what their starts leave of them.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "analysis/orders/expected_orders.hpp"
#include "analysis/run/run.hpp"
#include "analysis/setup/bound_run.hpp"
#include "methods/catalogue/registry.hpp"
#include "methods/multistep/flat_multistep.hpp"
#include "methods/multistep/variable_steps.hpp"
#include "tests/support/observed_order.hpp"
#include "tests/support/tableaus.hpp"

namespace daemark {
namespace {

struct ShownOrders {
  test::ObservedOrder q, v, lambda;
};

/// Orders of what a run of half a second ends in, from the differences between successive halvings
/// of h = 1/(2 first), which have the errors' order.
ShownOrders observed_orders(const std::string& method, const std::string& formulation, int first,
                            std::map<std::string, std::string> settings = {}) {
  constexpr int most_halvings = 6;
  // The tolerance ε^0.7 leaves some 1e-43, as on the conformance tests' motion.
  const test::ObservedOrder none(1e-41);
  ShownOrders shown{none, none, none};
  RunResult last;
  for (int k = 0; k <= most_halvings; ++k) {
    RunRequest r;
    r.problem = "two_link", r.formulation = formulation, r.method = method;
    r.h = Expression::parse("1/" + std::to_string(2 * (first << k)), "h");
    r.t_end = Expression::parse("1/2", "t");
    r.settings = settings, r.precision = Precision::in_real50;
    RunResult next = run(r);
    EXPECT_EQ(next.status, "ok") << method << next.why;
    const auto difference = [](const std::vector<std::string>& a,
                               const std::vector<std::string>& b) {
      real50 sum = 0;
      for (std::size_t i = 0; i < a.size(); ++i) sum += pow(real50(real50(a[i]) - real50(b[i])), 2);
      return to_double(real50(sqrt(sum)));
    };
    if (k > 0) {
      shown.q.add(difference(last.q, next.q));
      shown.v.add(difference(last.v, next.v));
      shown.lambda.add(difference(last.lambda, next.lambda));
    }
    if (shown.q.order() && shown.v.order() && shown.lambda.order()) break;
    last = std::move(next);
  }
  return shown;
}

void expect_orders(const ShownOrders& shown, int q, int v, int lambda) {
  EXPECT_EQ(shown.q.order(), q) << shown.q.text();
  EXPECT_EQ(shown.v.order(), v) << shown.v.text();
  EXPECT_EQ(shown.lambda.order(), lambda) << shown.lambda.text();
}

// On any index, where the start has the order of the formula (Brenan, Campbell & Petzold
// 1996, 3.2). Up to four steps: tests/conformance/order_conformance_test.cpp.
TEST(Multistep, BackwardDifferencesHaveTheOrderOfTheirSteps) {
  for (int k = 5; k <= 6; ++k)
    for (const char* formulation : {"index1", "index2", "index3"}) {
      const std::string call = "bdf(" + std::to_string(k) + ")";
      SCOPED_TRACE(call + " " + formulation);
      expect_orders(observed_orders(call, formulation, 20), k, k, k);
    }
}

// Lower orders leave errors of size h³.
TEST(Multistep, AStartByLowerOrdersLeavesOrderThree) {
  for (int k = 3; k <= 6; ++k) {
    const std::string call = "bdf(" + std::to_string(k) + ")";
    SCOPED_TRACE(call);
    expect_orders(observed_orders(call, "index1", 20, {{"start", "lower_orders"}}), 3, 3, 3);
    expect_orders(observed_orders(call, "index1", 20, {{"start", "trapezoidal"}}), 3, 3, 3);
  }
}

/// A formula as a file would add it.
std::string added(const std::string& id, const std::vector<std::string>& alpha,
                  const std::vector<std::string>& beta) {
  if (method_registry().has(id)) return id;
  method_registry().add(formula_of_texts(id, alpha, beta), "test");
  return id;
}

// Hairer, Nørsett & Wanner I, III.1: Adams-Moulton with 3 steps has order 4, Adams-Bashforth with k
// steps order k.
TEST(Multistep, FormulasFromOutsideKeepTheirOrder) {
  const std::string moulton =
      added("test_adams_moulton_4", {"0", "0", "-1", "1"}, {"1/24", "-5/24", "19/24", "9/24"});
  expect_orders(observed_orders(moulton, "index1", 40), 4, 4, 4);
  expect_orders(observed_orders(moulton, "index1", 40, {{"start", "lower_orders"}}), 3, 3, 3);
}

TEST(Multistep, ExplicitFormulasRunWhereRatesAreFunctionsOfTheState) {
  const std::string two = added("test_adams_bashforth_2", {"0", "-1", "1"}, {"-1/2", "3/2", "0"});
  const std::string four = added("test_adams_bashforth_4", {"0", "0", "0", "-1", "1"},
                                 {"-9/24", "37/24", "-59/24", "55/24", "0"});
  for (const char* formulation : {"index1", "minimal"}) {
    SCOPED_TRACE(formulation);
    const bool multipliers = std::string(formulation) == "index1";
    for (const auto& [call, order] : {std::pair{two, 2}, std::pair{four, 4}}) {
      const ShownOrders shown = observed_orders(call, formulation, 80);
      EXPECT_EQ(shown.q.order(), order) << call << shown.q.text();
      EXPECT_EQ(shown.v.order(), order) << call << shown.v.text();
      if (multipliers) {
        EXPECT_EQ(shown.lambda.order(), order) << call << shown.lambda.text();
      }
    }
  }
  const auto method = method_registry().make(four);
  EXPECT_TRUE(method->is_explicit());
  EXPECT_NE(method->refusal(SystemTraits(2)), "");
  EXPECT_NE(method->refusal(SystemTraits(3)), "");
}

TEST(Multistep, TheStartIsSaid) {
  const Settings usual, lower = parse_settings({{"start", "lower_orders"}}, Precision::in_double);
  const auto first = [](const char* call, const Settings& settings) {
    return method_registry().make(call)->starting_procedure(settings);
  };
  EXPECT_FALSE(first("bdf(1)", usual)) << "one step needs no start";
  EXPECT_FALSE(first("ss(4,0)", usual));
  EXPECT_FALSE(first("gauss(2)", usual));
  EXPECT_EQ(first("bdf(3)", usual)->order, 3);
  EXPECT_EQ(first("lms(4,0)", usual)->steps, 3);
  EXPECT_EQ(first("bdf(6)", lower)->order, 3);
  EXPECT_GE(first("bdf(6)", usual)->order, 6);
  EXPECT_EQ(slopes_expected("bdf(6)", "index1").v, 6);
  EXPECT_EQ(slopes_expected("bdf(6)", "index1", {{"start", "lower_orders"}}).v, 3);
  EXPECT_NE(start_text("bdf(6)", {{"start", "lower_orders"}}).find("bounds the order by 3"),
            std::string::npos);
  EXPECT_NE(start_text("tangent_space(bdf(4))").find("Radau IIA"), std::string::npos);
}

TEST(Multistep, FlatFormulasAndTheirSingleStepFormsHaveOrderTwo) {
  for (const char* call : {"lms(n=2,rho=3/5)", "lms(n=4,rho=0)", "lms(n=6,rho=0)", "ss(n=2,rho=0)",
                           "ss(n=4,rho=3/5)", "ss(n=3,rho=1)"})
    for (const char* formulation : {"index1", "index2", "index3"}) {
      SCOPED_TRACE(std::string(call) + " " + formulation);
      expect_orders(observed_orders(call, formulation, 20), 2, 2, 2);
    }
}

TEST(Start, UnconvergedRatesShiftTheSolutionToFirstOrder) {
  const std::map<std::string, std::string> loose = {{"start.rates", "unconverged"}};
  // The multipliers of the explicit first stage have order 1 anyway.
  expect_orders(observed_orders("bathe(0)", "index3", 50), 2, 2, 1);
  expect_orders(observed_orders("bathe(0)", "index3", 50, loose), 1, 1, 1);
}

/// A one-step start moves the chart under the points a multistep formula keeps: were they not
/// re-expressed, the order would be lost.
TEST(Start, OfHighOrderOnAChartOfRotations) {
  RunRequest study;
  std::vector<Expression> steps;
  study.problem = "heavy_top", study.formulation = "index1", study.method = "bdf(5)";
  study.t_end = Expression::parse("1/20", "test");
  study.precision = Precision::in_real50;
  for (const char* h : {"1/1000", "1/2000", "1/4000", "1/8000"})
    steps.push_back(Expression::parse(h, "test"));
  const ConvergeResult result = converge(bind_study(study, steps));
  test::ObservedOrder q(1e-33), v(1e-33);  // as in tests/problems/heavy_top_test.cpp
  for (std::size_t k = 0; k < 4; ++k) q.add(result.error[0][k]), v.add(result.error[1][k]);
  EXPECT_EQ(q.order(), 5) << q.text();
  EXPECT_EQ(v.order(), 5) << v.text();
}

// Backward differentiation for steps of any sizes: what it is exact for, its error, how far its
// steps may grow.

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
double largest_other_root(double ratio, int m) {
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
    EXPECT_LT(largest_other_root(largest_growth(m) - 1e-3, m), 1) << m;
    EXPECT_GT(largest_other_root(largest_growth(m) + 1e-3, m), 1) << m;
    EXPECT_LT(allowed_growth(m), largest_growth(m));
  }
}

}  // namespace
}  // namespace daemark
