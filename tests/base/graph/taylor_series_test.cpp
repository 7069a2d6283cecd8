#include "base/graph/taylor_series.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>
#include <vector>

namespace daemark {
namespace {

template <class S>
class TaylorSeriesTest : public ::testing::Test {
 protected:
  // Sums of a few dozen terms: 100 roundings.
  static S tolerance() { return 100 * std::numeric_limits<S>::epsilon(); }

  static void expect_near(const S& value, const S& expected, const char* what, int k = -1) {
    using std::abs;
    const S scale = abs(expected) > 1 ? S(abs(expected)) : S(1);
    EXPECT_LE(to_double(S(abs(value - expected) / scale)), to_double(tolerance()))
        << what << " " << k << ": " << to_double(value) << " for " << to_double(expected);
  }

  // Series of the solution of y' = f(y), y(0) = y0.
  static std::vector<S> solution(const std::function<Var(const Var&)>& f, const S& y0, int order) {
    graph::Graph recorded;
    const Var rate = f(recorded.input());
    graph::TaylorSeries<S> program(recorded, {{rate}}, order);
    program.input(0)[0] = y0;
    for (int k = 0; k < order; ++k) {
      program.evaluate_order(0, k);
      program.input(0)[k + 1] = program.output(0, 0)[k] / (k + 1);
    }
    return {program.input(0), program.input(0) + order + 1};
  }

  static S sum(const std::vector<S>& series, const S& h) {
    S value(0);
    for (auto c = series.rbegin(); c != series.rend(); ++c) value = value * h + *c;
    return value;
  }

  // All coefficients of f of the series 3 + s - s^2/4 + s^3/9 + s^4/16 - ...: bounded
  // by pi^2/6 around 3, so that sqrt and 1/cos of it have coefficients that do not grow.
  static std::vector<S> composed(const std::function<Var(const Var&)>& f, int order) {
    graph::Graph recorded;
    const Var y = f(recorded.input());
    graph::TaylorSeries<S> program(recorded, {{y}}, order);
    program.input(0)[0] = 3;
    for (int k = 1; k <= order; ++k) program.input(0)[k] = S(k % 3 == 2 ? -1 : 1) / (k * k);
    for (int k = 0; k <= order; ++k) program.evaluate_order(0, k);
    return {program.output(0, 0), program.output(0, 0) + order + 1};
  }
};

using Scalars = ::testing::Types<double, real50>;
TYPED_TEST_SUITE(TaylorSeriesTest, Scalars);

TYPED_TEST(TaylorSeriesTest, SolutionsMatchClosedForms) {
  using S = TypeParam;
  using std::atan;
  using std::sin;
  using std::sqrt;
  using std::tan;
  using std::tanh;
  const S h = S(1) / 16;  // radius of convergence at least 1/2: 60 terms reach 2^-180
  const int order = 60;
  const auto tangent = this->solution([](const auto& y) { return 1 + square(y); }, S(0), order);
  this->expect_near(this->sum(tangent, h), S(tan(h)), "tan");
  const auto sine = this->solution([](const auto& y) { return sqrt(1 - y * y); }, S(0), order);
  this->expect_near(this->sum(sine, h), S(sin(h)), "sin from sqrt");
  const auto root = this->solution([](const auto& y) { return 1 / y; }, S(1), order);
  this->expect_near(this->sum(root, h), S(sqrt(1 + 2 * h)), "sqrt from division");
  const auto angle = this->solution([](const auto& y) { return cos(y); }, S(0), order);
  this->expect_near(this->sum(angle, h), S(2 * atan(tanh(h / 2))), "Gudermann");
  const auto half = this->solution([](const auto& y) { return sin(y) / 2; }, S(1), order);
  this->expect_near(this->sum(half, h), S(2 * atan(tan(S(1) / 2) * exp(h / 2))), "sin / 2");
}

TYPED_TEST(TaylorSeriesTest, IdentitiesHoldInEveryCoefficient) {
  using S = TypeParam;
  const int order = 24;
  const auto argument = this->composed([](const auto& x) { return x; }, order);
  const auto one =
      this->composed([](const auto& x) { return square(sin(x)) + cos(x) * cos(x); }, order);
  const auto doubled =
      this->composed([](const auto& x) { return sin(2 * x) - 2 * sin(x) * cos(x); }, order);
  const auto rooted = this->composed([](const auto& x) { return sqrt(x) * sqrt(x + 0); }, order);
  const auto divided = this->composed([](const auto& x) { return x / cos(x) * cos(x); }, order);
  const auto factored =
      this->composed([](const auto& x) { return (-3 * x) / (4 * cos(x)) * (cos(x) * 8); }, order);
  const auto negated =
      this->composed([](const auto& x) { return 0.5 - (x - 0.25) * 2 / -4 - x / 2; }, order);
  for (int k = 0; k <= order; ++k) {
    this->expect_near(one[k], S(k == 0 ? 1 : 0), "sin^2 + cos^2", k);
    this->expect_near(doubled[k], S(0), "sin 2x", k);
    this->expect_near(rooted[k], argument[k], "sqrt^2", k);
    this->expect_near(divided[k], argument[k], "x / c * c", k);
    this->expect_near(factored[k], S(-6 * argument[k]), "factors", k);
    this->expect_near(negated[k], S(k == 0 ? 0.375 : 0), "constants", k);
  }
}

TYPED_TEST(TaylorSeriesTest, UpdateAfterTopCoefficientEqualsEvaluation) {
  using S = TypeParam;
  const auto f = [](const auto& x, const auto& y) {
    return sin(x * y) / (1.5 + square(cos(x))) + sqrt(2 + y * y - x) * 3;
  };
  graph::Graph recorded;
  const auto in = recorded.inputs(2);
  const std::vector<std::vector<Var>> outputs{{f(in[0], in[1])}};
  graph::TaylorSeries<S> updated(recorded, outputs, 12), direct(recorded, outputs, 12);
  for (int k = 0; k <= 12; ++k) {
    for (int i = 0; i < 2; ++i) direct.input(i)[k] = S(i == 0 ? 1 : -2) / (k * k + i + 1);
    direct.evaluate_order(0, k);
    for (int i = 0; i < 2; ++i) updated.input(i)[k] = 7;  // a wrong guess, replaced below
    updated.evaluate_order(0, k);
    EXPECT_NE(updated.output(0, 0)[k], direct.output(0, 0)[k]);
    for (int i = 0; i < 2; ++i) updated.input(i)[k] = direct.input(i)[k];
    updated.update_order(0, k);
    EXPECT_EQ(updated.output(0, 0)[k], direct.output(0, 0)[k]) << k;
  }
}

TYPED_TEST(TaylorSeriesTest, GroupsAdvanceSeparatelyAndShareNodes) {
  using S = TypeParam;
  graph::Graph recorded;
  const auto x = recorded.input(), y = recorded.input();
  const auto unused = sqrt(y * x);
  const auto first = sin(x) * x, second = sin(x) * y;
  graph::TaylorSeries<S> program(recorded, {{first}, {second, first, Var(3)}}, 6);
  EXPECT_EQ(program.operations(0), 5);  // weight, sin, cos, -sin, product
  EXPECT_EQ(program.operations(1), 1);  // the other product; `unused` is gone
  EXPECT_GT(recorded.size(), 7);
  EXPECT_FALSE(unused.is_constant());
  program.input(0)[1] = 1;  // x = s
  for (int k = 0; k <= 6; ++k) program.evaluate_order(0, k);
  program.input(1)[0] = 2;  // y = 2, at order 0 only when `first` is complete
  program.evaluate_order(1, 0);
  program.evaluate_order(1, 1);
  this->expect_near(program.output(0, 0)[6], S(1) / 120, "s sin s");
  this->expect_near(program.output(1, 0)[1], S(2), "2 sin s");
  EXPECT_EQ(program.output(1, 1), program.output(0, 0));
  EXPECT_EQ(program.output(1, 2)[0], 3);
  EXPECT_EQ(program.output(1, 2)[1], 0);
}

// A function of a later group is recorded first, and another of the same argument in an earlier
// one.
TYPED_TEST(TaylorSeriesTest, GroupsShareWhatFunctionsOfOneArgumentShare) {
  using S = TypeParam;
  graph::Graph recorded;
  const auto x = recorded.input();
  const auto later = exp(x), earlier = log(x);
  graph::TaylorSeries<S> program(recorded, {{earlier}, {later}}, 3);
  program.input(0)[0] = 1, program.input(0)[1] = 1;  // x = 1 + s
  for (int k = 0; k <= 3; ++k) program.evaluate_order(0, k);
  for (int k = 0; k <= 3; ++k) program.evaluate_order(1, k);
  using std::exp;
  this->expect_near(program.output(0, 0)[3], S(1) / 3, "log(1 + s)");
  this->expect_near(program.output(1, 0)[3], S(exp(S(1)) / 6), "exp(1 + s)");
}

TYPED_TEST(TaylorSeriesTest, GraphIsPrunedAndShared) {
  using S = TypeParam;
  graph::Graph recorded;
  const auto x = recorded.input(), y = recorded.input();
  EXPECT_TRUE((0 * x + 0.0 * y).is_zero());
  EXPECT_TRUE((x - x).is_zero());
  EXPECT_TRUE((Var(0) / x).is_zero());
  EXPECT_EQ((x / x).constant(), 1);
  EXPECT_EQ((1 * x + 0).node(), x.node());
  EXPECT_EQ((-(-x)).node(), x.node());
  EXPECT_EQ((x * y).node(), (y * x).node());
  EXPECT_EQ((x + y).node(), (y + x).node());
  EXPECT_EQ((x * x).node(), square(x).node());
  EXPECT_EQ((-x * y).node(), (-(y * x)).node());
  EXPECT_EQ((x + -y).node(), (x - y).node());
  EXPECT_EQ((x - -y).node(), (x + y).node());
  EXPECT_EQ((x + 2 - 2).node(), x.node());
  EXPECT_EQ((S(3) * x / 3.0).node(), x.node());
  EXPECT_EQ((sin(Var(0)) + sqrt(Var(4))).constant(), 2);
  const auto once = sin(x) + cos(x);
  const int size = recorded.size();
  EXPECT_EQ((cos(x) + sin(x)).node(), once.node());
  EXPECT_EQ(recorded.size(), size);
}

TYPED_TEST(TaylorSeriesTest, MisuseIsRefused) {
  using S = TypeParam;
  graph::Graph recorded, other;
  const auto x = recorded.input(), z = other.input();
  EXPECT_THROW(x + z, std::logic_error);
  EXPECT_THROW(x / 0, std::domain_error);
  EXPECT_THROW(x + sqrt(Var(-1)), std::domain_error);
  EXPECT_THROW(graph::TaylorSeries<S>(other, {{x}}, 3), std::logic_error);
  graph::TaylorSeries<S> program(recorded, {{x * x}}, 3);
  EXPECT_THROW(program.evaluate_order(0, 4), std::logic_error);
}

}  // namespace
}  // namespace daemark
