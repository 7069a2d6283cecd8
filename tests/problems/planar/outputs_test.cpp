// Named quantities of a planar mechanism, in absolute and in minimal coordinates.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/text/bad_input.hpp"
#include "problems/planar/planar_mechanism.hpp"
#include "tests/support/mechanism_checks.hpp"

namespace daemark {
namespace {

PlanarMechanism two_rods() {
  PlanarMechanism m;
  m.gravity("981/100");
  const int first = m.body("1", 1, "1/12", "1/3", 2), second = m.body("2", 2, "1/6", "-1/2", -1);
  m.revolute(PlanarMechanism::ground, {0, 0}, first, {"-1/2", 0});
  m.revolute(first, {"1/2", 0}, second, {"-1/2", 0});
  m.output("reach", "x of the second mass centre", "m", [](auto, auto q, auto) { return q[3]; });
  m.output("relative_spin", "omega 2 - omega 1", "rad/s",
           [](auto, auto, auto v) { return v[5] - v[2]; });
  return m;
}

TEST(PlanarOutputs, AreTheSameInBothCoordinates) {
  const Problem problem = two_rods().problem("rods");
  for (const bool minimal : {false, true}) {
    const auto system = problem.make<real50>(minimal);
    ASSERT_EQ(system->outputs().size(), 2u);
    EXPECT_EQ(system->outputs()[0].id, "reach");
    EXPECT_EQ(system->outputs()[1].unit, "rad/s");
    std::vector<real50> q(system->coordinates()), v(q.size()), values(2);
    system->initial(q.data(), v.data());
    system->output_values({real50(0), q.data(), v.data()}, values.data());
    EXPECT_NEAR(to_double(values[0]), std::cos(1.0 / 3) + 0.5 * std::cos(-0.5), 1e-15) << minimal;
    EXPECT_EQ(values[1], -3) << minimal;
  }
}

TEST(PlanarOutputs, AnIdIsDeclaredOnce) {
  PlanarMechanism m = two_rods();
  EXPECT_THAT([&] { m.output("reach", "again", "m", [](auto t, auto, auto) { return t; }); },
              ::testing::ThrowsMessage<BadInput>(::testing::HasSubstr("reach is declared twice")));
}

}  // namespace
}  // namespace daemark
