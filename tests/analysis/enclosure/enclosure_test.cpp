// Balls contain what is known otherwise, and exclude what is nearly the same.
#include <gtest/gtest.h>

#include <cmath>

#include "analysis/enclosure/matrices.hpp"
#include "analysis/enclosure/proved_reference.hpp"
#include "analysis/reference/reference_store.hpp"

namespace daemark {
namespace {

ComplexBall complex_ball(double re, double im, double radius) {
  ComplexBall z;
  acb_set_d_d(z.raw(), re, im);
  add_error(z, radius);
  return z;
}

TEST(Enclosure, NoFunctionHasAValueOnItsBranchCut) {
  EXPECT_FALSE(sqrt(complex_ball(-1, 0, 0.1)).finite());
  EXPECT_FALSE(log(complex_ball(-1, 0, 0.1)).finite());
  EXPECT_FALSE(asin(complex_ball(1.05, 0, 0.1)).finite());
  EXPECT_FALSE(acos(complex_ball(-1, 0, 0.1)).finite());
  EXPECT_FALSE(atan(complex_ball(0, 1.5, 0.1)).finite());
  EXPECT_FALSE(atan2(complex_ball(0, 0, 0.1), complex_ball(-1, 0, 0.1)).finite());
  EXPECT_TRUE(sqrt(complex_ball(1, 0, 0.5)).finite());
  EXPECT_TRUE(asin(complex_ball(0.5, 0, 0.1)).finite());
  EXPECT_TRUE(atan(complex_ball(3, 0, 0.5)).finite());
  EXPECT_TRUE(atan2(complex_ball(0.2, 0, 0.1), complex_ball(1, 0, 0.1)).finite());
}

TEST(Enclosure, ARegularMatrixEnclosesEverySolutionAndASingularOneIsRefused) {
  const auto wide_ball = [](double centre, double radius) {
    RealBall x = ball_of(centre);
    add_error(x, radius);
    return x;
  };
  const std::vector<RealBall> entries = {wide_ball(2, 0.01), wide_ball(1, 0.01),
                                         wide_ball(-1, 0.01), wide_ball(3, 0.01)};
  std::vector<RealBall> x;
  RegularMatrix<RealBall>(entries, 2).solve({ball_of(1.0), ball_of(2.0)}, x);
  for (const double a : {1.99, 2.01})
    for (const double b : {0.99, 1.01})
      for (const double c : {-1.01, -0.99})
        for (const double d : {2.99, 3.01}) {
          const double determinant = a * d - b * c;
          EXPECT_TRUE(arb_contains(x[0].raw(), ball_of((d - 2 * b) / determinant).raw()) ||
                      std::abs((d - 2 * b) / determinant - to_double(middle(x[0]))) <
                          to_double(radius(x[0])));
          EXPECT_LT(std::abs((2 * a - c) / determinant - to_double(middle(x[1]))),
                    to_double(radius(x[1])));
        }
  EXPECT_LT(to_double(radius(x[0])), 0.03);
  const std::vector<RealBall> singular = {wide_ball(1, 0.01), wide_ball(1, 0), wide_ball(1, 0),
                                          wide_ball(1, 0)};
  EXPECT_THROW(RegularMatrix<RealBall>(singular, 2), EnclosureFailure);
}

ProvedState proved(const std::string& problem, const std::string& t, int digits) {
  return proved_states(problem_registry().make(problem), {Expression::parse(t, "t")}, digits)
      .front();
}

TEST(Enclosure, ContainsAClosedForm) {
  const Problem problem = problem_registry().make("oscillator");
  ASSERT_TRUE(problem.closed_form);
  const ProvedState state = proved("oscillator", "3", 40);
  EXPECT_GE(state.digits, 40);
  std::vector<real50> q(1), v(1), lambda;
  problem.closed_form(real50(3), q.data(), v.data(), lambda.data());
  EXPECT_TRUE(contains(state, q, v, lambda, 50));
  q[0] += real50("1e-38");
  EXPECT_FALSE(contains(state, q, v, lambda, 50));
}

struct Case {
  const char *problem, *t;
};
class StoredReferences : public testing::TestWithParam<Case> {};

// What two other programs agree on to 45 digits, and the same with one digit changed.
TEST_P(StoredReferences, LieInTheirBallsAndChangedOnesDoNot) {
  const auto& [name, t] = GetParam();
  const ProvedState state = proved(name, t, 20);
  EXPECT_GE(state.digits, 20);
  const Problem problem = problem_registry().make(name);
  const ReferenceState known = reference_states(problem, {t}, standard_digits).front();
  EXPECT_TRUE(contains(state, known.q, known.v, known.lambda, known.agreed_digits));
  for (std::size_t i = 0; i < known.q.size(); ++i) {
    ReferenceState changed = known;
    changed.q[i] += real50("1e-17") * std::max(real50(1), abs(known.q[i]));
    EXPECT_FALSE(contains(state, changed.q, changed.v, changed.lambda, known.agreed_digits)) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Enclosure, StoredReferences,
                         testing::Values(Case{"driven_pendulum(T0=5,theta0=0)", "1"},
                                         Case{"two_link", "1/2"}, Case{"slider_crank", "1/5"},
                                         Case{"car_axis", "1/10"},
                                         Case{"four_bar(loops=2,coordinates=absolute)", "1/2"}));

TEST(Enclosure, DependentConstraintsLeaveMultipliersOut) {
  const ProvedState state = proved("bricard", "1/50", 20);
  EXPECT_GE(state.digits, 20);
  EXPECT_TRUE(state.lambda.empty());
}

TEST(Enclosure, AMotionBeyondReachNamesTheLastTime) {
  try {
    proved_states(problem_registry().make("slider_crank"), {Expression::parse("1000", "t")}, 20,
                  500);
    FAIL() << "proved";
  } catch (const EnclosureFailure& failure) {
    EXPECT_NE(std::string(failure.what()).find("proved up to t = "), std::string::npos)
        << failure.what();
  }
}

TEST(Enclosure, TextsEncloseTheBall) {
  RealBall x = ball_of(rational(1, 3));
  add_error(x, 1e-9);
  const auto [centre, spread] = ball_texts(x, 12);
  EXPECT_EQ(centre, "0.333333333333");
  const real50 low = real50(centre) - real50(spread), high = real50(centre) + real50(spread);
  EXPECT_LT(low, middle(x) - radius(x) + real50("1e-30"));
  EXPECT_GT(high, middle(x) + radius(x) - real50("1e-30"));
  EXPECT_LT(real50(spread), real50("1.1e-9"));
}

}  // namespace
}  // namespace daemark
