#include "problems/geometry/rotation.hpp"

#include <gtest/gtest.h>

#include "tests/support/mechanism_checks.hpp"

namespace daemark {
namespace {

using namespace rotation;
using InSpace = Vec3<real50>;

/// Values of size 1 from some ten to thirty operations.
const double bound = 100 * unit_roundoff<real50>();

std::vector<real50> list(const InSpace& x) { return {x.begin(), x.end()}; }

void expect_equal(const InSpace& x, const InSpace& y, const char* what) {
  test::expect_close(list(x), list(y), bound, what);
}

const InSpace psi{real50(3) / 5, real50(-1) / 4, real50(9) / 10},
    x{real50(1) / 3, real50(2), real50(-1) / 7};

TEST(Rotation, LogarithmInvertsTheExponential) {
  for (const double scale : {1.0, 1e-8, 1e-30, 2.5}) {  // the last turns by 2.8, below π
    const InSpace turn = combine(real50(scale), psi, real50(0), psi);
    const InSpace back = logarithm(exponential(turn));
    for (int i = 0; i < 3; ++i)
      EXPECT_LE(to_double(real50(abs(back[i] / turn[i] - 1))), bound) << scale;
  }
  EXPECT_EQ(logarithm(exponential(InSpace{})), InSpace{});
  // p and −p are one rotation; a turn beyond π comes back the short way round.
  const Quaternion<real50> p = exponential(psi);
  expect_equal(logarithm(Quaternion<real50>{-p[0], -p[1], -p[2], -p[3]}), psi, "negated");
  const real50 pi = acos(real50(-1));
  expect_equal(logarithm(exponential(InSpace{real50(0), real50(4), real50(0)})),
               InSpace{real50(0), real50(4) - 2 * pi, real50(0)}, "beyond pi");
}

/// Rodrigues' formula.
TEST(Rotation, ExponentialTurnsAboutItsAxis) {
  const real50 angle = sqrt(dot(psi, psi));
  const InSpace n = combine(real50(1 / angle), psi, real50(0), psi);
  const InSpace across = cross(n, x);
  InSpace expected = combine(real50(cos(angle)), x, real50(sin(angle)), across);
  expected = combine(real50(1), expected, real50((1 - cos(angle)) * dot(n, x)), n);
  expect_equal(rotate(exponential(psi), x), expected, "Rodrigues");
}

TEST(Rotation, ProductsTurnOneAfterTheOther) {
  const Quaternion<real50> p = exponential(psi), r = exponential(x);
  expect_equal(rotate(product(p, r), psi), rotate(p, rotate(r, psi)), "product");
  expect_equal(rotate(conjugate(p), rotate(p, x)), x, "conjugate");
}

TEST(Rotation, CayleyMapIsARotationWithItsSpin) {
  const InSpace g = psi, rate{real50(1) / 2, real50(-1), real50(3) / 4};
  // g = 2 tan(φ/2) n
  const real50 length = sqrt(dot(g, g)), angle = 2 * atan(length / 2);
  expect_equal(cayley_rotate(g, x),
               rotate(exponential(combine(real50(angle / length), g, real50(0), g)), x),
               "rotation");
  const InSpace omega = cayley_spin(g, rate);
  // d(R x)/dt = ω × R x, and the spin in the turned frame is Rᵀω = Gᵀ ġ.
  const std::vector<real50> turning = test::difference(3, [&](const real50& offset, real50* out) {
    const InSpace moved = cayley_rotate(combine(real50(1), g, offset, rate), x);
    std::copy(moved.begin(), moved.end(), out);
  });
  test::expect_close(turning, list(cross(omega, cayley_rotate(g, x))), 1e-23, "spin");
  expect_equal(cayley_rotate(g, cayley_spin_transposed(g, rate)), omega, "spin in the body");
}

}  // namespace
}  // namespace daemark
