// Scalars: elementary functions in double, which are ours and what MPFR rounds to within a unit,
// words for precisions, and forward derivatives.
#include "base/numbers/scalar.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <random>

#include "base/numbers/jet.hpp"
#include "base/numbers/precision.hpp"
#include "base/numbers/sin_cos.hpp"
#include "tests/support/mechanism_checks.hpp"
#include "tests/support/refusal.hpp"

namespace daemark {
namespace {

/// |x − exact| in units in the last place of x.
double units(double x, const real50& exact) {
  const double next = std::nextafter(std::abs(x), std::numeric_limits<double>::infinity());
  return std::abs(static_cast<double>(exact - real50(x))) / (next - std::abs(x));
}

/// The function as it is called where a compiler cannot see what it is.
template <class F>
F* seen(F* f) {
  F* volatile hidden = f;
  return hidden;
}

TEST(Elementary, SineAndCosineAreWithinAUnit) {
  std::mt19937_64 random(20261126);
  for (const double range : {0.8, 10.0, 1e3, 9.9e5, 1e9}) {
    std::uniform_real_distribution<double> points(-range, range);
    for (int i = 0; i < 4000; ++i) {
      double x = points(random);
      if (i % 4 == 0) x = std::nearbyint(x / 1.5707963267948966) * 1.5707963267948966;  // r near 0
      EXPECT_LT(units(seen<double(double)>(std::sin)(x), sin(real50(x))), 1) << x;
      EXPECT_LT(units(seen<double(double)>(std::cos)(x), cos(real50(x))), 1) << x;
    }
  }
}

TEST(Elementary, SineAndCosineTogetherAreTheSameBits) {
  for (double x = -40; x < 40; x += 0.37) {
    double s = 0, c = 0;
    sincos(x, &s, &c);
    EXPECT_EQ(s, seen<double(double)>(std::sin)(x));
    EXPECT_EQ(c, seen<double(double)>(std::cos)(x));
  }
  EXPECT_TRUE(std::signbit(seen<double(double)>(std::sin)(-0.0)));
  EXPECT_EQ(seen<double(double)>(std::cos)(0.0), 1);
  EXPECT_TRUE(std::isnan(seen<double(double)>(std::sin)(std::numeric_limits<double>::infinity())));
}

// The others' bounds are in analysis/ACCURACY.md and tested with that page.
TEST(Elementary, RootsAndLogarithmsAreWithinAUnit) {
  std::mt19937_64 random(20261126);
  std::uniform_real_distribution<double> points(0.01, 0.99);
  for (int i = 0; i < 2000; ++i) {
    const double x = points(random);
    EXPECT_LT(units(seen<double(double)>(std::log10)(x), log10(real50(x))), 1.001) << x;
    EXPECT_LT(units(seen<double(double)>(std::cbrt)(x), cbrt(real50(x))), 1.001) << x;
  }
}

TEST(Elementary, TheyAreNotTheSystems) {
  void* const libm = dlopen("libm.so.6", RTLD_NOW | RTLD_NOLOAD);
  if (libm == nullptr) GTEST_SKIP() << "the C library's functions are not loaded";
  for (const char* name : {"sin", "cos", "exp", "log", "pow", "atan2"})
    EXPECT_NE(dlsym(RTLD_DEFAULT, name), dlsym(libm, name)) << name;
  dlclose(libm);
}

// In double the pair has the bits of the two functions, so results do not depend on who asks for
// it.
TEST(SinCos, IsSineAndCosine) {
  std::mt19937 generator(5);
  std::uniform_real_distribution<double> uniform(-100, 100);
  for (int i = 0; i < 1000; ++i) {
    const double angle = uniform(generator);
    double s, c;
    sin_cos(angle, s, c);
    const volatile double apart = angle;
    EXPECT_EQ(s, std::sin(apart));
    EXPECT_EQ(c, std::cos(apart));
  }
}

TEST(PrecisionNames, ReadBackAndNameTheScalar) {
  for (const Precision p : {Precision::in_double, Precision::in_real50}) {
    EXPECT_EQ(parse_precision(name_of(p)), p);
    EXPECT_STREQ(with_scalar(p, []<class S>() { return scalar_name<S>(); }), name_of(p));
    EXPECT_EQ(with_scalar(p, []<class S>() { return precision_of<S>; }), p);
  }
}

TEST(PrecisionNames, AnotherIsRefused) {
  EXPECT_FALSE(is_precision("single"));
  EXPECT_EQ(test::refusal([] { parse_precision("single"); }),
            "precision 'single' is unknown, accepted: double, quad, real50");
}

TEST(PrecisionNames, QuadIsTheScalarOfAtLeast34Digits) {
  EXPECT_EQ(parse_precision("quad"), Precision::in_real50);
  for (const char* name : precision_names) EXPECT_TRUE(is_precision(name));
  EXPECT_LE(unit_roundoff(parse_precision("quad")), std::ldexp(1.0, -113));
}

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

}  // namespace
}  // namespace daemark
