// Planar two-link manipulator of Li, Ding & Li 2019, section 4: two thin rods in series, absolute
// angles from the x axis, y up, released from rest.
//
// Rows are in chain form: x1 − ½cosθ1, y1 − ½sinθ1, x2 − x1 − ½cosθ1 − (√3/2)cosθ2, and the same in
// y.
#include "problems/planar/planar_mechanism.hpp"

namespace daemark {

void register_two_link(ProblemRegistry& registry) {
  ProblemInfo info;
  info.id = "two_link";
  info.summary = "planar two-link manipulator, two thin rods released from rest";
  info.source = "[li2019], section 4";
  info.equations =
      "x1 = cos(theta1)/2, y1 = sin(theta1)/2; "
      "x2 - x1 = cos(theta1)/2 + sqrt(3)/2 cos(theta2), y2 - y1 likewise; I = m L^2/12";
  registry.add(info, [](const Arguments&, ProblemData& data) {
    const char* source = "section 4";
    const auto [L1, L2] = data("L1, L2", {1, "sqrt(3)"}, "m", source);
    const auto [m1, m2] = data("m1, m2", {1, 2}, "kg", source);
    const auto [theta1, theta2] = data("theta1(0), theta2(0)", {"pi/3", "-pi/6"}, "rad", source);
    PlanarMechanism m;
    m.gravity(data("g", "9.81", "m/s^2", "assumed, reproduces the printed numbers"));
    const int rod1 = m.body("1", m1, m1 * L1 * L1 / 12, theta1);
    const int rod2 = m.body("2", m2, m2 * L2 * L2 / 12, theta2);
    m.revolute(PlanarMechanism::ground, {0, 0}, rod1, {-L1 / 2, 0});
    m.revolute(rod1, {L1 / 2, 0}, rod2, {-L2 / 2, 0});
    return m.problem("two_link");
  });
}

}  // namespace daemark
