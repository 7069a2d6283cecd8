// Rosenbrock methods: their stability function, time in the equations, refusals. Orders:
// tests/conformance/order_conformance_test.cpp.
#include "methods/rosenbrock/rosenbrock.hpp"

#include <gtest/gtest.h>

#include "methods/catalogue/registry.hpp"
#include "tests/support/catalogue.hpp"
#include "tests/support/linear_system.hpp"
#include "tests/support/method_bench.hpp"

namespace daemark {
namespace {

/// R(z) = 1 + z bᵀ(I − zβ)⁻¹ e by forward substitution, β = α + Γ lower triangular.
template <class T>
T stability_function(const RosenbrockNumbers<T>& k, const T& z) {
  const int s = k.stages();
  std::vector<T> x(s);
  T sum(0);
  for (int i = 0; i < s; ++i) {
    T right(1);
    for (int j = 0; j < i; ++j) right += z * (k.alpha[i][j] + k.gammas[i][j]) * x[j];
    x[i] = right / (1 - z * k.gammas[i][i]);
    sum += k.b[i] * x[i];
  }
  return 1 + z * sum;
}

template <class S>
S one_step(const Method& method, const S& z) {
  test::LinearSystem<S> system(z);
  test::LinearSystem<FactorScalar<S>> twin(static_cast<FactorScalar<S>>(z));
  const auto stepper =
      method.stepper(Target<S>{&system, &twin}, parse_settings({}, Precision::in_double));
  State<S> initial;
  initial.t = S(0), initial.y = {S(1)}, initial.rate = {z};
  stepper->start(initial, S(1));
  EXPECT_EQ(stepper->step().status, Status::ok);
  return stepper->state().y[0];
}

// Decimals are fractions: R exactly. ROS3P holds √3: 45 of 50 digits.
TEST(Rosenbrock, StepIsTheStabilityFunction) {
  int found = 0;
  for (const Coefficients& written : test::catalogue_files(MethodKind::rosenbrock)) {
    ++found;
    const auto method = method_registry().make(written.id);
    for (const rational& z : {rational(-1), rational(1) / 3, rational(-7) / 2, rational(-50)}) {
      const real50 wide_step = one_step(*method, static_cast<real50>(wide(z)));
      const wide expected = stability_function(rosenbrock_numbers<wide>(written), wide(z));
      EXPECT_LE(to_double(real50(abs(wide_step - static_cast<real50>(expected)))), 1e-45)
          << written.id << " " << z;
      if (is_rational(written)) {
        EXPECT_EQ(one_step(*method, z),
                  stability_function(rosenbrock_numbers<rational>(written), z))
            << written.id << " " << z;
      }
    }
  }
  EXPECT_GE(found, 6);
}

/// ẏ = 5 t⁴: a method of order 3 with ∂f/∂t in place integrates it to h⁴ t.
class Quintic final : public ImplicitSystem<rational> {
 public:
  Quintic() {
    components_ = {{"y", Component::Kind::differential, -1}};
    finish_components();
    row_power_ = {0};
    pattern_y_ = pattern_rate_ = {1, 1, {{0, 0}}};
  }
  void evaluate(const SystemPoint<rational>& p, rational* r, rational* by_y,
                rational* by_rate) override {
    r[0] = p.rate[0] - 5 * p.t * p.t * p.t * p.t;
    if (by_y) by_y[0] = 0, by_rate[0] = 1;
  }
  bool explicit_rates(rational*, rational*, const rational&, const rational*) override {
    return true;
  }
};

/// y_1 − y_0 of one step h from 1 is Σ b_i k_i with k_i = h f(t_i) + h² d_i f'(t_0), as J = 0.
TEST(Rosenbrock, KnowsTheDerivativeInTime) {
  Quintic system;
  for (const Coefficients& written : test::catalogue_files(MethodKind::rosenbrock)) {
    if (!is_rational(written)) continue;
    const RosenbrockNumbers<rational> exact = rosenbrock_numbers<rational>(written);
    const auto stepper =
        method_registry()
            .make(written.id)
            ->stepper(Target<rational>{&system, &system}, parse_settings({}, Precision::in_double));
    State<rational> initial;
    initial.t = 1, initial.y = {rational(1)}, initial.rate = {rational(5)};
    const rational h = rational(1) / 10;
    stepper->start(initial, h);
    ASSERT_EQ(stepper->step().status, Status::ok);
    rational expected = 1;
    for (int i = 0; i < exact.stages(); ++i) {
      const rational t = 1 + exact.c[i] * h;
      expected += exact.b[i] * (h * 5 * t * t * t * t + h * h * exact.d[i] * 20);
    }
    EXPECT_EQ(stepper->state().y[0], expected) << written.id;
  }
}

TEST(Rosenbrock, SaysWhatItTakes) {
  const auto method = method_registry().make("ros3p");
  EXPECT_EQ(method->refusal(Formulation::parse("index1").info), "");
  EXPECT_EQ(method->refusal(Formulation::parse("ggl").info), "");
  const std::string why = method->refusal(Formulation::parse("index3").info);
  EXPECT_NE(why.find("accepted: index1, index2, baumgarte, ggl"), std::string::npos) << why;
}

// Observed, without a theorem: on index 2 the decimals of order 5 and 6 keep order 2 in λ.
TEST(Rosenbrock, RunsOnIndexTwo) {
  for (const char* id : {"ros34pw2", "rodas5p"}) {
    test::MethodBench<double> bench("two_link", "index2", id, "1/256", "1");
    const auto stepper = bench.started();
    for (int i = 0; i < 256; ++i) ASSERT_EQ(stepper->step().status, Status::ok) << id;
  }
}

}  // namespace
}  // namespace daemark
