// Double pendulum with torsional spring-dampers in both joints, as Negrut's group and Fernández de
// Bustos et al. 2021 (section 6, Fig. 14) use it. Neither prints its parameters: the set below is
// RECONSTRUCTED, so that the start lies far from the rest of a stiff first spring.
//
// Absolute angles from the x axis, y up; free angle of the first spring against the ground, of the
// second between the bars.
#include "problems/planar/planar_mechanism.hpp"

namespace daemark {

void register_double_pendulum(ProblemRegistry& registry) {
  ProblemInfo info;
  info.id = "double_pendulum";
  info.summary = "two bars with torsional spring-dampers in both joints (reconstructed data)";
  info.source = "[fernandez2021], Fig. 14, after [gavrea2005]";
  info.equations =
      "absolute: x, y of both mass centres and angles, two rows a joint; I = m L^2/12; moments "
      "k1 (theta1 - free1) + c1 theta1' and k2 (theta2 - theta1 - free2) + c2 (theta2' - theta1')";
  registry.add(info, [](const Arguments&, ProblemData& data) {
    constexpr int ground = PlanarMechanism::ground;
    const char* source = "reconstructed, not printed";
    const auto [L1, L2] = data("L1, L2", {1, "3/2"}, "m", source);
    const auto [m1, m2] = data("m1, m2", {3, "3/10"}, "kg", source);
    const auto [k1, k2] = data("k1, k2", {400, 3000}, "N m/rad", source);
    const auto [free1, free2] = data("free1, free2", {"3*pi/2", 0}, "rad", source);
    const auto [c1, c2] = data("c1, c2", {15, 5}, "N m s/rad", source);
    const auto [theta1, theta2] = data("theta1(0), theta2(0)", {0, "pi/2"}, "rad", source);
    PlanarMechanism m;
    m.gravity(data("g", "9.81", "m/s^2", "section 6"));
    const int bar1 = m.body("1", m1, m1 * L1 * L1 / 12, theta1);
    const int bar2 = m.body("2", m2, m2 * L2 * L2 / 12, theta2);
    m.revolute(ground, {0, 0}, bar1, {-L1 / 2, 0});
    m.revolute(bar1, {L1 / 2, 0}, bar2, {-L2 / 2, 0});
    m.torsion_spring(ground, bar1, k1, free1);
    m.torsion_damper(ground, bar1, c1);
    m.torsion_spring(bar1, bar2, k2, free2);
    m.torsion_damper(bar1, bar2, c2);
    return m.problem("double_pendulum");
  });
}

}  // namespace daemark
