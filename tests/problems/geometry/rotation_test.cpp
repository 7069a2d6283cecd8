#include "problems/geometry/rotation.hpp"

#include <gtest/gtest.h>

#include "tests/support/mechanism_checks.hpp"

namespace daemark {
namespace {

using namespace rotation;
using InSpace = Vec3<quad>;

/// Values of size 1 from some ten to thirty operations.
const double bound = 100 * unit_roundoff<quad>();

std::vector<quad> list(const InSpace& x) { return {x.begin(), x.end()}; }

void expect_equal(const InSpace& x, const InSpace& y, const char* what) {
  test::expect_close(list(x), list(y), bound, what);
}

const InSpace psi{quad(3) / 5, quad(-1) / 4, quad(9) / 10}, x{quad(1) / 3, quad(2), quad(-1) / 7};

TEST(Rotation, LogarithmInvertsTheExponential) {
  for (const double scale : {1.0, 1e-8, 1e-30, 2.5}) {  // the last turns by 2.8, below π
    const InSpace turn = combine(quad(scale), psi, quad(0), psi);
    const InSpace back = logarithm(exponential(turn));
    for (int i = 0; i < 3; ++i)
      EXPECT_LE(to_double(quad(abs(back[i] / turn[i] - 1))), bound) << scale;
  }
  EXPECT_EQ(logarithm(exponential(InSpace{})), InSpace{});
  // p and −p are one rotation; a turn beyond π comes back the short way round.
  const Quaternion<quad> p = exponential(psi);
  expect_equal(logarithm(Quaternion<quad>{-p[0], -p[1], -p[2], -p[3]}), psi, "negated");
  const quad pi = acos(quad(-1));
  expect_equal(logarithm(exponential(InSpace{quad(0), quad(4), quad(0)})),
               InSpace{quad(0), quad(4) - 2 * pi, quad(0)}, "beyond pi");
}

/// Rodrigues' formula.
TEST(Rotation, ExponentialTurnsAboutItsAxis) {
  const quad angle = sqrt(dot(psi, psi));
  const InSpace n = combine(quad(1 / angle), psi, quad(0), psi);
  const InSpace across = cross(n, x);
  InSpace expected = combine(quad(cos(angle)), x, quad(sin(angle)), across);
  expected = combine(quad(1), expected, quad((1 - cos(angle)) * dot(n, x)), n);
  expect_equal(rotate(exponential(psi), x), expected, "Rodrigues");
}

TEST(Rotation, ProductsTurnOneAfterTheOther) {
  const Quaternion<quad> p = exponential(psi), r = exponential(x);
  expect_equal(rotate(product(p, r), psi), rotate(p, rotate(r, psi)), "product");
  expect_equal(rotate(conjugate(p), rotate(p, x)), x, "conjugate");
}

TEST(Rotation, CayleyMapIsARotationWithItsSpin) {
  const InSpace g = psi, rate{quad(1) / 2, quad(-1), quad(3) / 4};
  // g = 2 tan(φ/2) n
  const quad length = sqrt(dot(g, g)), angle = 2 * atan(length / 2);
  expect_equal(cayley_rotate(g, x),
               rotate(exponential(combine(quad(angle / length), g, quad(0), g)), x), "rotation");
  const InSpace omega = cayley_spin(g, rate);
  // d(R x)/dt = ω × R x, and the spin in the turned frame is Rᵀω = Gᵀ ġ.
  const std::vector<quad> turning = test::difference(3, [&](const quad& offset, quad* out) {
    const InSpace moved = cayley_rotate(combine(quad(1), g, offset, rate), x);
    std::copy(moved.begin(), moved.end(), out);
  });
  test::expect_close(turning, list(cross(omega, cayley_rotate(g, x))), 1e-23, "spin");
  expect_equal(cayley_rotate(g, cayley_spin_transposed(g, rate)), omega, "spin in the body");
}

}  // namespace
}  // namespace daemark
