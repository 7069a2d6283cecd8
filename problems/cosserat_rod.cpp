// Cosserat rod of N rigid segments, the flying spaghetti of Simo & Vu-Quoc with the numbers of the
// Lie group literature's test programs: nodes with lumped mass and inertia, half at the ends, and
// between neighbours a segment of length L/N with the strain energy
//   (L/2N)(C_Γ |Γ − e|² + C_K |K|²)
// of two_node_beam.hpp, whose K is 4 tan(φ/4) N/L about the axis of the relative rotation φ; those
// programs take φ N/L and the logarithm on SE(3), as exact to second order in L/N. The rod lies at
// rest on a slant line; force and moment on its first node, fixed in space, rise to their peak
// until 5/2 s, fall to zero until 5 s, and leave it flying.
#include <fmt/format.h>

#include "problems/spatial/spatial_mechanism.hpp"
#include "problems/spatial/two_node_beam.hpp"

namespace daemark {
namespace {

struct Segment {
  wide length, stretching, bending;
};

SpatialElement segment_element(const Segment& segment) {
  const wide &along = segment.stretching, &bending = segment.bending;
  const TwoNodeBeam law({SectionPose<wide>{{0, 0, 0}, {1, 0, 0, 0}},
                         SectionPose<wide>{{segment.length, 0, 0}, {1, 0, 0, 0}}},
                        section_stiffness({along, along, along, bending, bending, bending}));
  return spatial_element([law](const PartArguments& at) { return beam_element(law, at); });
}

Problem rod(int segments, ProblemData& data) {
  const char* source = "the literature's";
  const auto [x, y] = data("ends: (x, 0, 0) and (0, y, 0)", {6, 8}, "m", source);
  const wide stretching = data("C_Gamma", "1e4", "N", source),
             bending = data("C_K", 500, "N m^2", source),
             mass = data("mass of a length", 1, "kg/m", source),
             inertia = data("inertia of a length", 10, "kg m", source);
  const auto force = data("force at the peak", {20, 0, 0}, "N", source);
  const auto moment = data("moment at the peak", {0, -100, -200}, "N m", source);
  const wide peak = data("load: time of its peak", "5/2", "s", source), end = 2 * peak;
  const wide length = sqrt(wide(x * x + y * y)), share = length / segments;
  if (!(peak > 0)) throw BadInput("cosserat_rod: the load's peak is out of range, accepted: > 0 s");

  SpatialMechanism m;
  const Orientation frame = Orientation::axes({wide(-x), y, 0}, {0, 0, 1});
  for (int i = 0; i <= segments; ++i) {
    const wide s = wide(i) / segments, piece = i == 0 || i == segments ? wide(share / 2) : share;
    const int node = m.node(fmt::format("_{}", i), {.position = {wide(x * (1 - s)), wide(y * s), 0},
                                                    .orientation = frame});
    const wide J = inertia * piece;
    m.inertia(node, wide(mass * piece), {J, J, J});
  }
  const SpatialElement segment = segment_element({share, stretching, bending});
  for (int i = 0; i < segments; ++i) m.element({i, i + 1}, segment);
  const MotionLaw ramp = [peak, end](const Var& t) {
    const Var falling = (Var(end) - t) / Var(end - peak);
    return select(peak - t, t / Var(peak), select(end - t, falling, 0));
  };
  m.force(0, Vector{x, 0, 0}, Vector::of(force), ramp);
  m.moment(0, Vector::of(moment), ramp);
  for (const auto& [id, node] : {std::pair("first", 0), std::pair("last", segments)})
    for (int axis = 0; axis < 2; ++axis)
      m.output(fmt::format("{}_{}", id, axis == 0 ? "x" : "y"),
               fmt::format("place of the {} node", id), "m",
               [node = node, axis](const auto& view) { return view.position(node)[axis]; });
  return m.problem("cosserat_rod");
}

}  // namespace

void register_cosserat_rod(ProblemRegistry& registry) {
  ProblemInfo info;
  info.id = "cosserat_rod";
  info.summary = "flying Cosserat rod of N rigid segments, without constraints";
  info.source = "numbers of the Lie group literature's test programs, after Simo & Vu-Quoc";
  info.equations =
      "nodes x, y, z and Cayley-Gibbs-Rodrigues increments, N + 1 of them, lumped mass and "
      "inertia; strain energy (L/2N)(C_Gamma |Gamma - e|^2 + C_K |K|^2) of each segment; force and "
      "moment on the first node";
  info.parameters = {{"segments", Parameter::Type::integer, "16", "integer 1..256"}};
  registry.add(info, [](const Arguments& arguments, ProblemData& data) {
    return rod(static_cast<int>(arguments.integer("segments", 1, 256)), data);
  });
}

}  // namespace daemark
