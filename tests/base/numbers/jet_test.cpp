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

const quad x0 = quad(7) / 10, y0 = quad(-4) / 3;
/// Five-point differences in 113 bits, see tests/support/mechanism_checks.hpp.
constexpr double rounding = 1e-22;

quad derivative(const std::function<quad(const quad&)>& f) {
  return test::difference(1, [&](const quad& offset, quad* out) { *out = f(offset); })[0];
}

TEST(Dual, HasTheGradient) {
  using D = Dual<quad, 2>;
  const D f = function(D::variable(x0, 0), D::variable(y0, 1));
  EXPECT_EQ(to_double(f.value), to_double(function(x0, y0)));
  const quad fx = derivative([](const quad& d) { return function(quad(x0 + d), y0); });
  const quad fy = derivative([](const quad& d) { return function(x0, quad(y0 + d)); });
  EXPECT_NEAR(to_double(quad(f.grad[0] - fx)), 0, rounding);
  EXPECT_NEAR(to_double(quad(f.grad[1] - fy)), 0, rounding);
}

TEST(Dual, NestsForSecondDerivatives) {
  using D = Dual<quad, 2>;
  using DD = Dual<D, 2>;
  const DD f = function(DD::variable(D::variable(x0, 0), 0), DD::variable(D::variable(y0, 1), 1));
  const auto gradient = [](const quad& x, const quad& y) {
    return function(D::variable(x, 0), D::variable(y, 1)).grad;
  };
  for (int i = 0; i < 2; ++i) {
    const quad by_x = derivative([&](const quad& d) { return gradient(quad(x0 + d), y0)[i]; });
    const quad by_y = derivative([&](const quad& d) { return gradient(x0, quad(y0 + d))[i]; });
    EXPECT_NEAR(to_double(quad(f.grad[i].grad[0] - by_x)), 0, rounding);
    EXPECT_NEAR(to_double(quad(f.grad[i].grad[1] - by_y)), 0, rounding);
  }
  EXPECT_EQ(f.grad[0].grad[1], f.grad[1].grad[0]);
}

TEST(TimeJet, HasTwoTimeDerivatives) {
  using J = TimeJet<quad>;
  const quad vx = 2, ax = quad(-3) / 5, vy = quad(1) / 7, ay = 5;
  const auto along = [&](const quad& s) {
    return std::pair<J, J>({quad(x0 + s * vx + s * s / 2 * ax), quad(vx + s * ax), ax},
                           {quad(y0 + s * vy + s * s / 2 * ay), quad(vy + s * ay), ay});
  };
  const auto jet = [&](const quad& s) {
    const auto [x, y] = along(s);
    return function(x, y);
  };
  const J f = jet(0);
  EXPECT_NEAR(to_double(quad(f.rate - derivative([&](const quad& s) { return jet(s).value; }))), 0,
              rounding);
  EXPECT_NEAR(to_double(quad(f.second - derivative([&](const quad& s) { return jet(s).rate; }))), 0,
              10 * rounding);
}

TEST(TimeJet, OfDualsIsTheDualOfTimeJets) {
  using D = Dual<quad, 1>;
  const TimeJet<D> x(D::variable(x0, 0), D(quad(2)), D(quad(3))), y(D(y0), D(quad(-1)), D(quad(4)));
  const TimeJet<D> f = function(x, y);
  const auto plain = [](const quad& d) {
    return function(TimeJet<quad>(quad(x0 + d), 2, 3), TimeJet<quad>(y0, -1, 4));
  };
  const quad value = derivative([&](const quad& d) { return plain(d).value; });
  const quad rate = derivative([&](const quad& d) { return plain(d).rate; });
  const quad second = derivative([&](const quad& d) { return plain(d).second; });
  EXPECT_NEAR(to_double(quad(f.value.grad[0] - value)), 0, rounding);
  EXPECT_NEAR(to_double(quad(f.rate.grad[0] - rate)), 0, 10 * rounding);
  EXPECT_NEAR(to_double(quad(f.second.grad[0] - second)), 0, 100 * rounding);
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
  graph::TaylorSeries<quad> program(recorded, {{f.value, f.grad[0]}}, 1);
  program.input(0)[0] = x0;
  program.evaluate_order(0, 0);
  const auto expected = function(Dual<quad, 1>::variable(x0, 0), Dual<quad, 1>(y0));
  EXPECT_NEAR(to_double(quad(program.output(0, 0)[0] - expected.value)), 0, 1e-32);
  EXPECT_NEAR(to_double(quad(program.output(0, 1)[0] - expected.grad[0])), 0, 1e-32);
}

}  // namespace
}  // namespace daemark
