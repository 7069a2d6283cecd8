// The flexible problems against what is known of them. Second routes: closed forms, the other
// element.
#include <cmath>
#include <numbers>

#include "base/text/bad_input.hpp"
#include "tests/problems/problem_runs.hpp"

namespace daemark {
namespace {

RunResult run_to(const std::string& problem, const char* h, const char* t_end) {
  return test::run_of(problem, "index3", "bathe(0)", h, t_end,
                      {{"newton.tol", "1e-7"}, {"predictor", "hermite2"}});
}

/// At t = 0 the shaft hangs at rest between two ends that cannot tilt: F L³/192EJ + w L⁴/384EJ of
/// the disk's and its own weight, and F L/4GA + w L²/8GA of shear. What is left of the damped start
/// is a part in 10³. Two-node elements of length h are stiffer: each quarter of the beam is a
/// cantilever l under a tip force, of which they miss h²/(4 l²), here 1/64.
TEST(BeamShaft, HangsAsABeamBetweenClamps) {
  const double EJ = 354500, GA = 60.5e6, L = 6, g = 9.81, F = 70.573 * g;
  const double area = std::numbers::pi * (0.05 * 0.05 - 0.045 * 0.045), w = 7800 * area * g;
  const double sag = F * L * L * L / (192 * EJ) + w * std::pow(L, 4) / (384 * EJ) +
                     F * L / (4 * GA) + w * L * L / (8 * GA);
  for (const auto& [call, bound] : {std::pair("beam_shaft(elements=8)", 1e-3),
                                    {"beam_shaft(elements=8,element=two_node)", 1.0 / 60}}) {
    const RunResult result = run_to(call, "1/200", "0");
    EXPECT_NEAR(result.outputs.at("u3"), -sag, bound * sag) << call;
  }
}

/// Ω and its integral drive the same motion, by 0.15 rad in 0.1 s: what Bathe's method of order 2
/// at 1/500 s makes of either differs by its error. The angle that is not held drifts.
TEST(BeamShaft, BothDrivesTurnItAlike) {
  const RunResult velocity = run_to("beam_shaft(elements=2)", "1/500", "1/10"),
                  angle = run_to("beam_shaft(elements=2,drive=angle)", "1/500", "1/10");
  for (const char* output : {"u3", "v3"}) {
    const double expected = angle.outputs.at(output);
    EXPECT_NEAR(velocity.outputs.at(output), expected, 1e-3 * std::abs(expected)) << output;
  }
  EXPECT_LT(velocity.measures.at("velocity_violation_max"), 1e-8);
}

/// While the crank lifts the beam in its plane, two elements of either kind agree on the force.
TEST(BeamBuckling, BothElementsCarryTheSameForce) {
  const RunResult volume = run_to("beam_buckling", "1/1000", "1/20"),
                  other = run_to("beam_buckling(elements=10,element=two_node)", "1/1000", "1/20");
  const double F3 = volume.outputs.at("F3");
  EXPECT_GT(std::abs(F3), 100);
  EXPECT_NEAR(other.outputs.at("F3"), F3, 0.05 * std::abs(F3));
}

/// The misaligned hinge bends the bars: with a third of the mass they do so nearly as much.
TEST(BeamFourBar, TurnsAndBends) {
  const RunResult result = run_to("beam_four_bar", "1/125", "-19944/1000"),
                  light = run_to("beam_four_bar(mass=shipped)", "1/125", "-19944/1000");
  EXPECT_LT(result.measures.at("position_violation_max"), 1e-10);
  EXPECT_GT(result.outputs.at("theta"), 1e-3);
  EXPECT_NEAR(light.outputs.at("theta"), result.outputs.at("theta"),
              0.1 * result.outputs.at("theta"));
}

TEST(BeamProblems, StartAtTheirTimesInDoubleOnly) {
  EXPECT_EQ(problem_registry().make("beam_four_bar").start.as_rational(), rational(-20944, 1000));
  EXPECT_EQ(problem_registry().make("beam_buckling").start.as_rational(), 0);
  EXPECT_EQ(problem_registry().make("beam_shaft").start.as_rational(), -1);
  EXPECT_THROW(problem_registry().make("beam_shaft").make<real50>(), BadInput) << "in double only";
}

}  // namespace
}  // namespace daemark
