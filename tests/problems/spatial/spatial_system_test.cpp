// Spatial mechanisms of all kinds of joints, couplings and loads: derivatives against differences,
// energy against power, a free body and joints against closed forms, what is refused.
#include "problems/spatial/spatial_system.hpp"

#include <gtest/gtest.h>

#include <boost/math/constants/constants.hpp>

#include "problems/spatial/spatial_mechanism.hpp"
#include "tests/support/mechanism_checks.hpp"

namespace daemark {
namespace {

constexpr int ground = SpatialMechanism::ground;

/// Every joint, coupling and load once, between turned bodies, one with an eccentric piece.
SpatialMechanism of_everything() {
  SpatialMechanism m;
  m.gravity({1, 2, "-981/100"}, [](const Var& t) { return t * t + t; });
  const Orientation turned = Orientation::turn({1, 2, 3}, "7/10");
  const int a = m.body("a", 2, {1, "3/2", 2, "1/10", "1/5", "-1/10"}, {{0, 0, 0}, turned});
  const int b = m.body("b", 1, {"1/2", "3/5", "4/5"}, {{1, 0, 0}});
  m.inertia(b, "1/3", {"1/10", "1/10", "1/10"}, {"1/5", "-1/10", "3/10"});
  const int c = m.body("c", 3, {1, 1, 1}, {{0, 1, 0}, Orientation::axes({1, 1, 0}, {0, 0, 1})});
  const int d = m.body("d", 1, {1, 1, 1}, {{0, 0, 1}});
  m.revolute(ground, a, {0, "1/10", 0}, {1, 0, 1});
  m.spherical(a, b, {"1/2", 0, 0});
  m.universal(b, c, {"1/2", "1/2", 0}, {1, 0, 0}, {0, 1, "1/3"});
  m.cylindrical(c, d, {0, "1/2", "1/2"}, {1, 2, 1});
  m.prismatic(ground, d, {1, 1, 1}, {0, 0, 1});
  m.inline_point(a, c, {0, "1/2", 0}, {3, 1, 1});
  m.parallel(b, d, {1, 1, 0});
  m.clamp(a, d, {1, 1, 1});
  m.turn(ground, a, {1, 0, 1}, [](auto t) { return t + t * t; });
  m.turn_rate(ground, b, {1, 2, -1}, [](auto t) { return t * t; });
  m.turn_rate(a, d, {0, 1, 1}, [](auto t) { return t + t; });
  m.slide(c, d, {1, 0, 0}, {0, 1, 1}, [](auto t) { return t * t; });
  m.spring(ground, {0, 0, 3}, a, {"1/2", 0, 0}, 100, 2);
  m.damper(b, {1, 1, 0}, c, {0, 2, 1}, "3/2");
  m.damper(b, {1, 1, 0}, d, {0, 2, 1}, 1, [](auto t) { return t; });
  m.force(b, {1, "1/2", 0}, {1, 2, 3});
  m.force(c, {1, "1/2", 0}, {1, 2, 3}, [](auto t) { return t * t; });
  m.moment(d, {3, 1, 2}, [](auto t) { return t; });
  return m;
}

TEST(SpatialSystem, DerivativesAndEnergyFitTheEquations) {
  const auto system = std::make_shared<RecordedSystem<real50>>(recorded(of_everything()));
  ASSERT_EQ(system->coordinates(), 24);
  for (const test::MotionSample& at : test::sample_motions(*system, 2)) {
    test::check_derivatives(*system, at);
    test::check_rates_of_constraints(*system, at);
    test::check_energy_rate(*system, at);
    test::check_mass(*system, at);
  }
}

}  // namespace
}  // namespace daemark
