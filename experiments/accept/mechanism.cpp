#include <iterator>
#include <sstream>

#include "experiments/accept/accept.hpp"

namespace daemark {
namespace {

struct Row {
  const char *problem, *t_end, *times, *features;
  double growth;
};

constexpr const char* quarters = "1/4 1/2 3/4 1";

// `plain`: nothing depends on time. `time`: forces or constraints do. `energy`: conservative.
// `slow`: at the finest steps even a method of order 1 is in its asymptotic range. `singular`:
// passes a singular position. `linear`: its equations are. `tolerance`, `event`, `start`: the
// checks of these names use it.
constexpr Row rows[] = {
    {"oscillator", "1", quarters, "slow plain energy tolerance linear", 2},
    {"pendulum", "1", quarters, "slow plain energy tolerance event start", 20},
    {"two_link", "1", "1/2 3/4 1", "slow plain energy", 100},
    {"chain(n=4)", "1", "1/2 1", "plain energy", 100},
    {"double_pendulum", "1", "1", "stiff", 100},
    {"driven_pendulum(T0=5)", "1", "1", "time", 20},
    {"car_axis", "1", "1", "time", 20},  // a constraint depends on time
    {"generated(seed=1,bodies=1,loops=0,stiffness=0)", "1", quarters, "slow time tolerance event",
     10},
    {"generated(seed=2,bodies=3,loops=0)", "1", quarters, "slow time", 10},
    {"generated(seed=12,bodies=3,loops=1)", "1", quarters, "slow time tolerance start", 10},
    {"generated(seed=4,bodies=5,loops=2)", "1", quarters, "slow time", 10},
    {"generated(seed=1,bodies=2,loops=0,stiffness=10000)", "1", quarters, "stiff", 10},
    {"generated(seed=6,bodies=3,loops=1,redundancy=1)", "1", quarters, "redundant", 10},
    {"vertical_disk", "1", quarters, "slow rolling energy", 10},
    {"knife_edge", "1", quarters, "slow rolling energy", 10},
    {"chaplygin_sleigh", "1", quarters, "slow rolling energy", 20},
    {"rolling_disk", "1", "1", "rolling energy", 100},
    {"free_rigid_body", "1", quarters, "slow space energy", 20},
    {"heavy_top(coordinates=quaternion)", "1/10", "1/20 3/40 1/10", "space energy", 20},
    {"heavy_top(coordinates=chart)", "1/10", "1/20 3/40 1/10", "space energy", 20},
    {"slider_crank", "1", "1", "singular", 100},
};

std::vector<std::string> words(const char* text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

}  // namespace

const std::vector<AcceptMechanism>& accept_mechanisms() {
  static const std::vector<AcceptMechanism> all = [] {
    std::vector<AcceptMechanism> made;
    for (const Row& row : rows)
      made.push_back({row.problem, row.t_end, words(row.times), words(row.features), row.growth});
    return made;
  }();
  return all;
}

}  // namespace daemark
