// Planar two-link manipulator of Li, Ding & Li 2019, section 4: two thin rods in series, absolute
// angles from the x axis, y up, released from rest.
//
// Rows are in chain form: x1 − ½cosθ1, y1 − ½sinθ1, x2 − x1 − ½cosθ1 − (√3/2)cosθ2, and the same in
// y.
#include <boost/math/constants/constants.hpp>

#include "problems/planar/planar_mechanism.hpp"

namespace daemark {

void register_two_link(ProblemRegistry& registry) {
  ProblemInfo info;
  info.id = "two_link";
  info.summary = "planar two-link manipulator, two thin rods released from rest";
  info.source = "[li2019], section 4";
  info.equations =
      "x1 = cos(theta1)/2, y1 = sin(theta1)/2; "
      "x2 - x1 = cos(theta1)/2 + sqrt(3)/2 cos(theta2), y2 - y1 likewise";
  info.data = {{"L1, L2", "1, sqrt(3)", "m", "section 4"},
               {"m1, m2", "1, 2", "kg", "section 4"},
               {"I1, I2", "m L^2/12 = 1/12, 1/2", "kg m^2", "section 4"},
               {"g", "9.81", "m/s^2", "assumed, reproduces the printed numbers"},
               {"theta1(0), theta2(0)", "pi/3, -pi/6", "rad", "section 4"}};
  registry.add(info, [](const Arguments&) {
    PlanarMechanism m;
    m.gravity("981/100");
    const wide pi = boost::math::constants::pi<wide>();
    const int rod1 = m.body("1", 1, "1/12", wide(pi / 3));
    const int rod2 = m.body("2", 2, "1/2", wide(-pi / 6));
    m.revolute(PlanarMechanism::ground, {0, 0}, rod1, {"-1/2", 0});
    m.revolute(rod1, {"1/2", 0}, rod2, {"-sqrt(3)/2", 0});
    return m.problem("two_link");
  });
}

}  // namespace daemark
