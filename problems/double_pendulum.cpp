// Double pendulum with torsional spring-dampers in both joints, as Negrut's group and Fernández de
// Bustos et al. 2021 (section 6, Fig. 14) use it. Neither prints its parameters: the set below is
// RECONSTRUCTED, so that the start lies far from the rest of a stiff first spring.
//
// Absolute angles from the x axis, y up; free angle of the first spring against the ground, of the
// second between the bars.
#include <boost/math/constants/constants.hpp>

#include "problems/planar/planar_mechanism.hpp"

namespace daemark {

void register_double_pendulum(ProblemRegistry& registry) {
  ProblemInfo info;
  info.id = "double_pendulum";
  info.summary = "two bars with torsional spring-dampers in both joints (reconstructed data)";
  info.source = "[fernandez2021], Fig. 14, after [gavrea2005]";
  info.equations =
      "absolute: x, y of both mass centres and angles, two rows a joint; moments "
      "k1 (theta1 - 3 pi/2) + c1 theta1' and k2 (theta2 - theta1) + c2 (theta2' - theta1')";
  const char* source = "reconstructed, not printed";
  info.data = {{"L1, L2", "1, 3/2", "m", source},
               {"m1, m2", "3, 3/10", "kg", source},
               {"I1, I2", "m L^2/12 = 1/4, 9/160", "kg m^2", source},
               {"k1, c1", "400, 15, free angle 3 pi/2", "N m/rad, N m s/rad", source},
               {"k2, c2", "3000, 5, free angle 0", "N m/rad, N m s/rad", source},
               {"theta1(0), theta2(0)", "0, pi/2, at rest", "rad", source},
               {"g", "9.81", "m/s^2", "section 6"}};
  registry.add(info, [](const Arguments&) {
    constexpr int ground = PlanarMechanism::ground;
    const wide pi = boost::math::constants::pi<wide>();
    PlanarMechanism m;
    m.gravity("981/100");
    const int bar1 = m.body("1", 3, "1/4", 0);
    const int bar2 = m.body("2", "3/10", "9/160", wide(pi / 2));
    m.revolute(ground, {0, 0}, bar1, {"-1/2", 0});
    m.revolute(bar1, {"1/2", 0}, bar2, {"-3/4", 0});
    m.torsion_spring(ground, bar1, 400, wide(3 * pi / 2));
    m.torsion_damper(ground, bar1, 15);
    m.torsion_spring(bar1, bar2, 3000, 0);
    m.torsion_damper(bar1, bar2, 5);
    return m.problem("double_pendulum");
  });
}

}  // namespace daemark
