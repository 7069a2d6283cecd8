#include "experiments/accept/mechanism.hpp"

namespace daemark {
namespace {

const std::vector<std::string> quarters = {"1/4", "1/2", "3/4", "1"};
const std::vector<std::string> end = {"1"};

}  // namespace

// `plain`: nothing depends on time. `time`: forces or constraints do. `energy`: conservative.
// `slow`: at the finest steps even a method of order 1 is in its asymptotic range. `tolerance`,
// `event`, `start`: the checks of these names use it.
const std::vector<AcceptMechanism>& accept_mechanisms() {
  static const std::vector<AcceptMechanism> all = {
      {"oscillator",
       "1",
       quarters,
       {"slow", "plain", "energy", "tolerance"},
       2,
       "no constraint, linear"},
      {"pendulum",
       "1",
       quarters,
       {"slow", "plain", "energy", "tolerance", "event", "start"},
       20,
       "one constraint"},
      {"two_link",
       "1",
       {"1/2", "3/4", "1"},
       {"slow", "plain", "energy"},
       100,
       "two bars, absolute"},
      {"chain(n=4)", "1", {"1/2", "1"}, {"plain", "energy"}, 100, "a tree of four bars"},
      {"double_pendulum", "1", end, {"plain"}, 100, "torsional springs and dampers"},
      {"driven_pendulum(T0=5)", "1", end, {"time"}, 20, "a torque that depends on time"},
      {"car_axis", "1", end, {"time"}, 20, "a constraint that depends on time"},
      {"generated(seed=1,bodies=1,loops=0,stiffness=0)",
       "1",
       quarters,
       {"slow", "time", "tolerance", "event"},
       10,
       "one bar"},
      {"generated(seed=2,bodies=3,loops=0)", "1", quarters, {"slow", "time"}, 10, "an open tree"},
      {"generated(seed=3,bodies=3,loops=1)",
       "1",
       quarters,
       {"slow", "time", "tolerance", "start"},
       10,
       "a loop"},
      {"generated(seed=4,bodies=5,loops=2)", "1", quarters, {"slow", "time"}, 10, "two loops"},
      {"generated(seed=1,bodies=2,loops=0,stiffness=10000)",
       "1",
       quarters,
       {"stiff"},
       10,
       "springs of 10 kN/m"},
      {"generated(seed=6,bodies=3,loops=1,redundancy=1)",
       "1",
       quarters,
       {"redundant"},
       10,
       "a hinge declared twice"},
      {"vertical_disk", "1", quarters, {"slow", "rolling", "energy"}, 10, "rolls on a plane"},
      {"knife_edge", "1", quarters, {"slow", "rolling", "energy"}, 10, "a blade on an incline"},
      {"chaplygin_sleigh", "1", quarters, {"slow", "rolling", "energy"}, 20, "a sleigh on a blade"},
      {"rolling_disk", "1", end, {"rolling", "energy"}, 100, "rolls and leans"},
      {"free_rigid_body", "1", quarters, {"slow", "space", "energy"}, 20, "a rotation on a chart"},
      {"heavy_top(coordinates=quaternion)",
       "1/10",
       {"1/20", "3/40", "1/10"},
       {"space", "energy"},
       20,
       "a rotation as a quaternion"},
      {"heavy_top(coordinates=chart)",
       "1/10",
       {"1/20", "3/40", "1/10"},
       {"space", "energy"},
       20,
       "a top on a chart"},
      {"slider_crank", "1", end, {"singular"}, 100, "passes a singular position"},
  };
  return all;
}

}  // namespace daemark
