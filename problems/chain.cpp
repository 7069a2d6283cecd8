// Chain of n equal uniform bars, hinged to each other and to the ground: `free` hangs by its first
// end and is released from a level start; `closed` has its last end hinged to the ground too, a
// length below the first, so that bars and ground are a ring, released from a regular polygon. Two
// rows a hinge, each in the coordinates of the two bars it joins: cost goes with n.
#include <fmt/format.h>

#include <boost/math/constants/constants.hpp>

#include "problems/planar/planar_mechanism.hpp"

namespace daemark {
namespace {

ProblemInfo description() {
  ProblemInfo info;
  info.id = "chain";
  info.summary = "chain of n pendula, free or closed by the ground to a ring";
  info.source = "a common test of recursive and sparse methods; numbers and start are chosen here";
  info.equations =
      "uniform bars, x, y of each mass centre and angle; P_b - P_a = 0 at each hinge; free: bars "
      "along x at the start; closed: a regular polygon of n + 1 sides, the ground's side from (0, "
      "0) to (0, -L)";
  using Type = Parameter::Type;
  info.parameters = {{"n", Type::integer, "4", "integer 1..20000"},
                     {"ends", Type::word, "free", "free | closed"}};
  return info;
}

}  // namespace

void register_chain(ProblemRegistry& registry) {
  registry.add(description(), [](const Arguments& arguments, ProblemData& data) {
    constexpr int ground = PlanarMechanism::ground;
    const int n = static_cast<int>(arguments.integer("n", 1, 20000));
    const bool closed = arguments.word("ends", {"free", "closed"}) == "closed";
    if (closed && n < 3)
      throw BadInput(fmt::format(
          "chain: n = {} with ends = closed leaves nothing to move, accepted: n at least 3", n));
    const wide L = data("L, of a uniform bar", 1, "m", "chosen"),
               m = data("m, of a bar", 1, "kg", "chosen"), g = data("g", "9.81", "m/s^2", "chosen");
    const wide &circle = boost::math::constants::two_pi<wide>(), half = L / 2;
    PlanarMechanism mechanism;
    mechanism.gravity(g);
    int before = ground;
    for (int i = 1; i <= n; ++i) {
      const wide angle = closed ? wide(circle / 4 - circle * i / (n + 1)) : wide(0);
      const int bar = mechanism.body(fmt::format("_{}", i), m, m * L * L / 12, angle);
      mechanism.revolute(before, before == ground ? BodyPoint{} : BodyPoint{half, 0}, bar,
                         {wide(-half), 0});
      before = bar;
    }
    if (closed) mechanism.revolute(ground, {0, wide(-L)}, before, {half, 0});
    return mechanism.problem("chain");
  });
}

}  // namespace daemark
