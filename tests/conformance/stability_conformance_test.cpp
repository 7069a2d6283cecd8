// One step of every method that has a tableau, on ẏ = zy with h = 1, is its stability function
// R(z) = 1 + z bᵀ(I − zA)⁻¹e: exactly where the coefficients are rational, to 45 digits elsewhere.
#include <gtest/gtest.h>

#include "analysis/orders/expected_orders.hpp"
#include "base/linear/dense_solve.hpp"
#include "methods/catalogue/registry.hpp"
#include "tests/support/catalogue.hpp"
#include "tests/support/linear_system.hpp"
#include "tests/support/observed_order.hpp"

namespace daemark {
namespace {

using test::LinearSystem;

/// R(z) by elimination with row pivoting, in T.
template <class T>
T stability_function(const std::vector<std::vector<T>>& A, const std::vector<T>& b, const T& z) {
  using std::abs;
  const int s = static_cast<int>(b.size());
  std::vector<std::vector<T>> M(s, std::vector<T>(s));
  std::vector<T> x(s, T(1));
  for (int i = 0; i < s; ++i)
    for (int j = 0; j < s; ++j) M[i][j] = T(i == j ? 1 : 0) - z * A[i][j];
  solve_dense(M, x, largest_pivot([](const T& y) { return T(abs(y)); }));
  T sum(0);
  for (int i = 0; i < s; ++i) sum += b[i] * x[i];
  return 1 + z * sum;
}

template <class S>
S amplification(const Method& method, const S& z, LinearSystem<FactorScalar<S>>& twin) {
  LinearSystem<S> system(z);
  Settings settings = parse_settings({}, Precision::in_double);
  settings.newton.tol = 1e-47;
  Target<S> pair{&system, nullptr};
  if constexpr (std::is_same_v<S, FactorScalar<S>>)
    pair.factor_system = &system;
  else
    pair.factor_system = &twin;
  const auto stepper = method.stepper(pair, settings);
  State<S> initial;
  initial.t = S(0), initial.y = {S(1)}, initial.rate = {z};
  stepper->start(initial, S(1));
  EXPECT_EQ(stepper->step().status, Status::ok);
  return stepper->state().y[0];
}

const std::vector<rational>& arguments() {
  static const std::vector<rational> all{rational(-1), rational(1) / 3, rational(-7) / 2,
                                         rational(1) / 100, rational(-50)};
  return all;
}

class StabilityConformance : public ::testing::TestWithParam<std::string> {
 protected:
  std::shared_ptr<const Method> method_ = method_registry().make(GetParam());
  const WideTableau* tableau_ = method_->tableau();
};

/// |y(1) − e⁻¹| on ẏ = −y after so many steps.
double decay_error(const Method& method, int steps) {
  LinearSystem<real50> system(real50(-1));
  LinearSystem<double> twin(-1);
  const auto stepper =
      method.stepper(Target<real50>{&system, &twin}, parse_settings({}, Precision::in_real50));
  State<real50> initial;
  initial.t = 0, initial.y = {real50(1)}, initial.rate = {real50(-1)};
  stepper->start(initial, real50(1) / steps);
  for (int i = 0; i < steps; ++i) EXPECT_EQ(stepper->step().status, Status::ok);
  return to_double(real50(abs(stepper->state().y[0] - exp(real50(-1)))));
}

TEST_P(StabilityConformance, WideStepIsTheStabilityFunction) {
  SystemTraits first_order(0);
  first_order.second_order = false;
  if (method_->owns_loop()) GTEST_SKIP() << "chooses its steps itself";
  if (!method_->refusal(first_order).empty()) GTEST_SKIP() << "no method for first-order equations";
  if (method_->coefficients(MethodKind::rosenbrock))
    GTEST_SKIP() << "R is compared in tests/methods/rosenbrock/rosenbrock_test.cpp";
  if (!tableau_) {                     // no R to compare with: the order with its start
    test::ObservedOrder order(1e-33);  // Newton's ε^0.7 in 50 digits
    for (int steps = 16; steps <= 2048 && !order.order(); steps *= 2)
      order.add(decay_error(*method_, steps));
    EXPECT_EQ(order.order(), slopes_expected(GetParam(), "index1").v) << order.text();
    return;
  }
  for (const rational& z : arguments()) {
    const wide at(z);
    const wide expected = stability_function(tableau_->A, tableau_->b, at);
    LinearSystem<double> twin(to_double(z));
    const real50 got = amplification<real50>(*method_, static_cast<real50>(at), twin);
    // Relative to the largest sum that R is the remainder of: |z|^s for explicit methods.
    const real50 size = 1 + abs(got);
    EXPECT_LE(to_double(real50(abs(got - static_cast<real50>(expected)) / size)), 1e-45) << z;
  }
}

TEST_P(StabilityConformance, RationalStepIsExactlyThat) {
  if (!tableau_) GTEST_SKIP() << "no tableau";
  LinearSystem<rational> unused(rational(1));
  Target<rational> pair{&unused, &unused};
  const Settings settings = parse_settings({}, Precision::in_double);
  const bool rational_coefficients = method_->stepper(pair, settings) != nullptr;
  const Coefficients* written = method_->coefficients(MethodKind::runge_kutta);
  if (written) {
    EXPECT_EQ(rational_coefficients, rational_tableau(*written).has_value());
  }
  if (!rational_coefficients) GTEST_SKIP() << "irrational coefficients";
  for (const rational& z : arguments()) {
    const rational got = amplification<rational>(*method_, z, unused);
    // The tableau at 130 digits tells the exact value apart from every other of its size.
    const wide expected = stability_function(tableau_->A, tableau_->b, wide(z));
    EXPECT_LE(to_double(wide(abs(wide(got) - expected) / (1 + abs(expected)))), 1e-80) << z;
    if (!written) continue;
    const Tableau<rational> exact = *rational_tableau(*written);
    EXPECT_EQ(got, stability_function(exact.A, exact.b, z)) << z;
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, StabilityConformance,
                         ::testing::ValuesIn(test::method_samples().calls),
                         [](const auto& info) { return test::test_name(info.param); });

// Known in closed form, not through a tableau.
TEST(StabilityFunction, OfKnownMethods) {
  const rational z = rational(-3) / 7;
  LinearSystem<rational> unused{rational(1)};
  const auto step = [&](const char* call) {
    return amplification<rational>(*method_registry().make(call), z, unused);
  };
  EXPECT_EQ(step("euler_explicit"), 1 + z);
  EXPECT_EQ(step("backward_euler"), 1 / (1 - z));
  EXPECT_EQ(step("erk4"), 1 + z + z * z / 2 + z * z * z / 6 + z * z * z * z / 24);
  // The (1, 2) and (2, 2) Padé approximants of exp.
  EXPECT_EQ(step("pade_block(r=2,k=1)"), (1 + z / 3) / (1 - 2 * z / 3 + z * z / 6));
  EXPECT_EQ(step("pade_block(r=2,k=2)"), (1 + z / 2 + z * z / 12) / (1 - z / 2 + z * z / 12));
  EXPECT_EQ(step("pade_block(r=3,k=0,nodes=[1/7,2/3,1])"), 1 / (1 - z + z * z / 2 - z * z * z / 6));
}

}  // namespace
}  // namespace daemark
