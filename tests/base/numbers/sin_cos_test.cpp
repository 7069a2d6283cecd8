#include "base/numbers/sin_cos.hpp"

#include <gtest/gtest.h>

#include <random>

namespace daemark {
namespace {

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
    const real50 widest = real50(angle) / 3;
    real50 rs, rc;
    sin_cos(widest, rs, rc);
    EXPECT_NEAR(to_double(real50(rs - sin(widest))), 0, 2 * unit_roundoff<real50>());
    EXPECT_NEAR(to_double(real50(rc - cos(widest))), 0, 2 * unit_roundoff<real50>());
  }
}

}  // namespace
}  // namespace daemark
