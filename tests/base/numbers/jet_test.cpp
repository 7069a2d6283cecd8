#include "base/numbers/jet.hpp"

#include <gtest/gtest.h>

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

TEST(Dual, ConstantsHaveNoDerivatives) {
  const Dual<double, 3> d = 5;
  EXPECT_EQ(d.grad, (std::array<double, 3>{0, 0, 0}));
}

}  // namespace
}  // namespace daemark
