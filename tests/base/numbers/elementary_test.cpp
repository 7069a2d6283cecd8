// The elementary functions in double are ours, and are what MPFR rounds to within a unit.
#include "base/numbers/elementary.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <random>

#include "base/numbers/scalar.hpp"

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

TEST(Elementary, TheOthersAreWithinAUnit) {
  std::mt19937_64 random(20261126);
  std::uniform_real_distribution<double> points(0.01, 0.99);
  using F = double(double);
  struct Named {
    F* ours;
    real50 (*exact)(const real50&);
  };
  const Named all[] = {{std::tan, [](const real50& x) -> real50 { return tan(x); }},
                       {std::asin, [](const real50& x) -> real50 { return asin(x); }},
                       {std::acos, [](const real50& x) -> real50 { return acos(x); }},
                       {std::atan, [](const real50& x) -> real50 { return atan(x); }},
                       {std::sinh, [](const real50& x) -> real50 { return sinh(x); }},
                       {std::cosh, [](const real50& x) -> real50 { return cosh(x); }},
                       {std::tanh, [](const real50& x) -> real50 { return tanh(x); }},
                       {std::exp, [](const real50& x) -> real50 { return exp(x); }},
                       {std::log, [](const real50& x) -> real50 { return log(x); }},
                       {std::log10, [](const real50& x) -> real50 { return log10(x); }},
                       {std::cbrt, [](const real50& x) -> real50 { return cbrt(x); }}};
  for (int i = 0; i < 2000; ++i) {
    const double x = points(random), y = 4 * points(random) - 2;
    for (const Named& one : all)
      EXPECT_LT(units(seen(one.ours)(x), one.exact(real50(x))), 1.001) << x;
    using G = double(double, double);
    EXPECT_LT(units(seen<G>(std::pow)(x, y), pow(real50(x), real50(y))), 1.001) << x << " " << y;
    EXPECT_LT(units(seen<G>(std::atan2)(y, x), atan2(real50(y), real50(x))), 1.001) << x;
  }
}

TEST(Elementary, TheyAreNotTheSystems) {
  void* const libm = dlopen("libm.so.6", RTLD_NOW | RTLD_NOLOAD);
  if (libm == nullptr) GTEST_SKIP() << "the C library's functions are not loaded";
  for (const char* name : {"sin", "cos", "exp", "log", "pow", "atan2"})
    EXPECT_NE(dlsym(RTLD_DEFAULT, name), dlsym(libm, name)) << name;
  dlclose(libm);
}

}  // namespace
}  // namespace daemark
