#include "tests/support/sample_mechanisms.hpp"

#include <boost/math/constants/constants.hpp>

namespace daemark::test {
namespace {

constexpr int ground = PlanarMechanism::ground;
const wide pi = boost::math::constants::pi<wide>();

}  // namespace

PlanarMechanism double_rod(Rows rows) {
  PlanarMechanism m;
  m.gravity("981/100");
  const int first = m.body("1", 1, "1/12", wide(pi / 3));
  const int second = m.body("2", 2, "1/2", wide(-pi / 6));
  m.revolute(ground, {0, 0}, first, {"-1/2", 0}, rows);
  m.revolute(first, {"1/2", 0}, second, {"-sqrt(3)/2", 0}, rows);
  return m;
}

PlanarMechanism slider_crank() {
  PlanarMechanism m;
  m.gravity(10);
  const wide angle = atan(wide(3) / 4);
  const int crank = m.body("crank", 2, "1/6", wide(pi / 2));
  const int rod = m.body("rod", 1, "1/3", wide(-angle));
  const int block = m.body("block", 3, "1/10", wide(pi / 8));
  m.revolute(ground, {0, 0}, crank, {"-1/2", "1/10"});
  m.revolute(crank, {"1/2", "1/10"}, rod, {-1, 0});
  m.revolute(rod, {1, 0}, block, {"1/20", "-1/30"});
  // The block lies on a line through its own first position.
  const auto& placed = m.bodies()[block];
  m.prismatic(ground, {Exact(placed.x), Exact(placed.y)}, wide(pi / 8), block, {0, 0});
  m.spring(ground, {3, 1}, block, {0, "1/10"}, 20, "1/2");
  return m;
}

PlanarMechanism four_bar(Rows rows) {
  PlanarMechanism m;
  m.gravity("981/100");
  // A parallelogram of sides 1 and 2, the input bar at 60 degrees.
  const int input = m.body("input", 1, "1/12", wide(pi / 3));
  const int coupler = m.body("coupler", 2, "2/3", 0);
  const int output = m.body("output", 1, "1/12", wide(pi / 3));
  m.revolute(ground, {0, 0}, input, {"-1/2", 0}, rows);
  m.revolute(input, {"1/2", 0}, coupler, {-1, 0}, rows);
  m.revolute(coupler, {1, 0}, output, {"1/2", 0}, rows);
  m.revolute(output, {"-1/2", 0}, ground, {2, 0}, rows);
  m.damper(ground, {"1/3", 1}, coupler, {"1/2", "1/4"}, "3/2");
  m.torque(input, "5/2");
  return m;
}

PlanarMechanism driven_rod() {
  PlanarMechanism m;
  m.gravity("981/100");
  const int crank = m.body("crank", 1, "1/12", "1/4", 2);
  const int rod = m.body("rod", 2, "1/2", "-1/2", 0);
  m.revolute(ground, {0, 0}, crank, {"-1/2", 0});
  m.revolute(crank, {"1/2", 0}, rod, {"-3/4", 0});
  // 1/4 + 2t + (1 − cos 3t)/9: the declared angle and rate at t = 0.
  m.drive(ground, crank, [](auto t) {
    using std::cos;
    using T = decltype(t);
    return T(0.25) + T(2) * t + (T(1) - cos(T(3) * t)) / T(9);
  });
  return m;
}

PlanarMechanism moving_slider() {
  PlanarMechanism m;
  m.gravity(5);
  const int rod = m.body("rod", 1, "1/4", "1/5", "1/2");
  const int block = m.body("block", "1/2", "1/30", "1/5", "1/2");
  m.revolute(ground, {"1/10", 0}, rod, {-1, "1/8"});
  m.prismatic(rod, {"1/3", "1/8"}, "1/10", block, {"1/12", 0});
  m.spring(rod, {-1, "1/8"}, block, {"1/10", "1/10"}, 30, "4/5");
  m.damper(rod, {1, "-1/8"}, block, {"1/10", "-1/10"}, 2);
  return m;
}

PlanarMechanism torsion_chain() {
  PlanarMechanism m = double_rod(Rows::chain);
  m.torsion_spring(0, 1, 7, "-1/3");
  m.torsion_spring(ground, 0, 3, "1/5");
  m.torsion_damper(0, 1, "1/2");
  m.torque(1, "3/4");
  m.force(0, 2, "-1/2");
  return m;
}

PlanarMechanism pendulum_chain(int rods) {
  PlanarMechanism m;
  m.gravity("981/100");
  for (int i = 0; i < rods; ++i) {
    const int rod = m.body(std::to_string(i), 1, "1/12", 0);
    if (i == 0)
      m.revolute(ground, {0, 0}, rod, {"-1/2", 0});
    else
      m.revolute(rod - 1, {"1/2", 0}, rod, {"-1/2", 0});
  }
  return m;
}

PlanarMechanism four_bar_row(int loops) {
  PlanarMechanism m;
  m.gravity("981/100");
  int tip = m.body("bar0", 1, "1/12", wide(pi / 3));
  m.revolute(ground, {0, 0}, tip, {"-1/2", 0});
  for (int i = 1; i <= loops; ++i) {
    const int coupler = m.body("coupler" + std::to_string(i), 2, "2/3", 0);
    const int bar = m.body("bar" + std::to_string(i), 1, "1/12", wide(pi / 3));
    m.revolute(tip, {"1/2", 0}, coupler, {-1, 0});
    m.revolute(coupler, {1, 0}, bar, {"1/2", 0});
    m.revolute(bar, {"-1/2", 0}, ground, {2 * i, 0});
    tip = bar;
  }
  return m;
}

std::vector<SampleMechanism> sample_mechanisms() {
  return {{"double_rod_chain", double_rod(Rows::chain)},
          {"double_rod_absolute", double_rod(Rows::absolute)},
          {"slider_crank", slider_crank()},
          {"four_bar_chain", four_bar(Rows::chain)},
          {"four_bar_absolute", four_bar(Rows::absolute)},
          {"driven_rod", driven_rod()},
          {"moving_slider", moving_slider()},
          {"torsion_chain", torsion_chain()}};
}

}  // namespace daemark::test
