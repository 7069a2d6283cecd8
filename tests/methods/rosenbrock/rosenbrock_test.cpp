// Rosenbrock methods: their stability function, refusals. Orders, time in the equations:
// tests/conformance.
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

TEST(Rosenbrock, SaysWhatItTakes) {
  const auto method = method_registry().make("ros3p");
  EXPECT_EQ(method->refusal(Formulation::parse("index1").info), "");
  EXPECT_EQ(method->refusal(Formulation::parse("ggl").info), "");
  const std::string why = method->refusal(Formulation::parse("index3").info);
  EXPECT_NE(why.find("accepted: index1, index2, baumgarte, ggl"), std::string::npos) << why;
}

}  // namespace
}  // namespace daemark
