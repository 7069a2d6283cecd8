#include "base/numbers/jet.hpp"

#include <gtest/gtest.h>

#include "base/graph/taylor_series.hpp"
#include "tests/support/mechanism_checks.hpp"

namespace daemark {
namespace {

// Exercises every operation; written once for all argument types.
template <class T>
T function(const T& x, const T& y) {
  using std::cos;
  using std::sin;
  using std::sqrt;
  T z = sin(x * y) + cos(x - y) / (T(2) + x * x) - sqrt(T(3) + y * y);
  z += x;
  z -= y * T(2);
  z *= -x + T(1);
  return z;
}

const real50 x0 = real50(7) / 10, y0 = real50(-4) / 3;
/// Five-point differences in 50 digits, see tests/support/mechanism_checks.hpp.
constexpr double rounding = 1e-34;

real50 derivative(const std::function<real50(const real50&)>& f) {
  return test::difference(1, [&](const real50& offset, real50* out) { *out = f(offset); })[0];
}

TEST(Dual, HasTheGradient) {
  using D = Dual<real50, 2>;
  const D f = function(D::variable(x0, 0), D::variable(y0, 1));
  EXPECT_EQ(to_double(f.value), to_double(function(x0, y0)));
  const real50 fx = derivative([](const real50& d) { return function(real50(x0 + d), y0); });
  const real50 fy = derivative([](const real50& d) { return function(x0, real50(y0 + d)); });
  EXPECT_NEAR(to_double(real50(f.grad[0] - fx)), 0, rounding);
  EXPECT_NEAR(to_double(real50(f.grad[1] - fy)), 0, rounding);
}

TEST(Dual, NestsForSecondDerivatives) {
  using D = Dual<real50, 2>;
  using DD = Dual<D, 2>;
  const DD f = function(DD::variable(D::variable(x0, 0), 0), DD::variable(D::variable(y0, 1), 1));
  const auto gradient = [](const real50& x, const real50& y) {
    return function(D::variable(x, 0), D::variable(y, 1)).grad;
  };
  for (int i = 0; i < 2; ++i) {
    const real50 by_x =
        derivative([&](const real50& d) { return gradient(real50(x0 + d), y0)[i]; });
    const real50 by_y =
        derivative([&](const real50& d) { return gradient(x0, real50(y0 + d))[i]; });
    EXPECT_NEAR(to_double(real50(f.grad[i].grad[0] - by_x)), 0, rounding);
    EXPECT_NEAR(to_double(real50(f.grad[i].grad[1] - by_y)), 0, rounding);
  }
  EXPECT_EQ(f.grad[0].grad[1], f.grad[1].grad[0]);
}

TEST(TimeJet, HasTwoTimeDerivatives) {
  using J = TimeJet<real50>;
  const real50 vx = 2, ax = real50(-3) / 5, vy = real50(1) / 7, ay = 5;
  const auto along = [&](const real50& s) {
    return std::pair<J, J>({real50(x0 + s * vx + s * s / 2 * ax), real50(vx + s * ax), ax},
                           {real50(y0 + s * vy + s * s / 2 * ay), real50(vy + s * ay), ay});
  };
  const auto jet = [&](const real50& s) {
    const auto [x, y] = along(s);
    return function(x, y);
  };
  const J f = jet(0);
  EXPECT_NEAR(to_double(real50(f.rate - derivative([&](const real50& s) { return jet(s).value; }))),
              0, rounding);
  EXPECT_NEAR(
      to_double(real50(f.second - derivative([&](const real50& s) { return jet(s).rate; }))), 0,
      10 * rounding);
}

TEST(TimeJet, OfDualsIsTheDualOfTimeJets) {
  using D = Dual<real50, 1>;
  const TimeJet<D> x(D::variable(x0, 0), D(real50(2)), D(real50(3))),
      y(D(y0), D(real50(-1)), D(real50(4)));
  const TimeJet<D> f = function(x, y);
  const auto plain = [](const real50& d) {
    return function(TimeJet<real50>(real50(x0 + d), 2, 3), TimeJet<real50>(y0, -1, 4));
  };
  const real50 value = derivative([&](const real50& d) { return plain(d).value; });
  const real50 rate = derivative([&](const real50& d) { return plain(d).rate; });
  const real50 second = derivative([&](const real50& d) { return plain(d).second; });
  EXPECT_NEAR(to_double(real50(f.value.grad[0] - value)), 0, rounding);
  EXPECT_NEAR(to_double(real50(f.rate.grad[0] - rate)), 0, 10 * rounding);
  EXPECT_NEAR(to_double(real50(f.second.grad[0] - second)), 0, 100 * rounding);
}

TEST(Jet, ConstantsHaveNoDerivatives) {
  const Dual<double, 3> d = 5;
  EXPECT_EQ(d.grad, (std::array<double, 3>{0, 0, 0}));
  const TimeJet<double> j = 5;
  EXPECT_EQ(j.rate, 0);
  EXPECT_EQ(j.second, 0);
}

TEST(Jet, IsRecorded) {
  using V = Var;
  using D = Dual<V, 1>;
  graph::Graph recorded;
  const V x = recorded.input();
  const D f = function(D::variable(x, 0), D(V(y0)));
  graph::TaylorSeries<real50> program(recorded, {{f.value, f.grad[0]}}, 1);
  program.input(0)[0] = x0;
  program.evaluate_order(0, 0);
  const auto expected = function(Dual<real50, 1>::variable(x0, 0), Dual<real50, 1>(y0));
  EXPECT_NEAR(to_double(real50(program.output(0, 0)[0] - expected.value)), 0, 1e-32);
  EXPECT_NEAR(to_double(real50(program.output(0, 1)[0] - expected.grad[0])), 0, 1e-32);
}

}  // namespace
}  // namespace daemark
