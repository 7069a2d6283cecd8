// Lateral buckling of a thin beam that a crank and a link lift (Zhang, Zanoni & Masarati 2022,
// section 5.3): the beam from O along x is clamped there; the link BC hangs on a spherical joint C
// that is fixed to its end, d beside its plane; crank GB. The crank turns by φ(t) about
// −y,
//   φ = π/2 (1 − cos πt/T) to T, π afterwards.
// element=two_node: another beam element on the same nodes, a second route.
#include <boost/math/constants/constants.hpp>

#include "problems/spatial/beam.hpp"

namespace daemark {
namespace {

/// From 0 to `turn` [rad] over [0, end].
MotionLaw crank_angle(const wide& turn, const wide& end) {
  return [=](const Var& t) {
    const Var rate = wide(boost::math::constants::pi<wide>() / end);
    return select(Var(end) - t, Var(turn) / Var(2) * (Var(1) - cos(rate * t)), turn);
  };
}

constexpr const char* source = "Zhang et al. 2022, Table 4 and its public input files";

BeamSection section(ProblemData& data, const std::string& beam, const StatedNumber (&axial)[3],
                    const StatedNumber (&bending)[3], const StatedNumber& mass,
                    const StatedNumber (&inertia)[2]) {
  const auto [EA, GA_y, GA_z] = data(beam + ": EA, GA_y, GA_z", axial, "N", source);
  const auto [GJ, EJ_y, EJ_z] = data(beam + ": GJ, EJ_y, EJ_z", bending, "N m^2", source);
  const wide m = data(beam + ": m", mass, "kg/m", source);
  const auto [J22, J33] = data(beam + ": J22, J33", inertia, "kg m", source);
  return {{EA, GA_y, GA_z, GJ, EJ_y, EJ_z}, m, J22, J33};
}

Problem buckling(ProblemData& data, long elements, BeamKind kind) {
  SpatialMechanism m;
  const auto [length, lift, arm] =
      data("lengths beam, link, crank", {1, "0.25", "0.05"}, "m", source);
  const wide d = data("offset d", "1e-4", "m", source);
  const BeamSection thin = section(data, "beam", {"73e6", "5.025e6", "23.4e6"},
                                   {"877.2", "60830", "608.3"}, "2.68", {"2233e-6", "22.33e-6"}),
                    link = section(data, "link", {"33.02e6", "10.81e6", "10.81e6"},
                                   {"914.5", "1189", "1189"}, "1.212", {"43.65e-6", "43.65e-6"}),
                    crank = section(data, "crank", {"132.1e6", "43.22e6", "43.22e6"},
                                    {"14630", "19020", "19020"}, "4.85", {"698.3e-6", "698.3e-6"});
  const wide turn = data("turn of the crank", "pi", "rad", source),
             end = data("T", "0.4", "s", source);
  const Vector O{0, 0, 0}, tip{length, 0, 0}, C{length, d, 0}, B{length, d, -lift},
      G{length - arm, d, -lift};
  const Vector y{0, 1, 0};
  const Beam beam(m, "beam", thin, elements, O, tip, y, kind);
  const Beam bc(m, "link", link, 1, B, C, y, kind);
  const Beam gb(m, "crank", crank, 1, G, B, y, kind);
  m.clamp(SpatialMechanism::ground, beam.first(), O);
  m.spherical(beam.last(), bc.last(), C);
  m.revolute(bc.first(), gb.last(), B, y);
  m.revolute(SpatialMechanism::ground, gb.first(), G, {0, -1, 0});
  m.turn(SpatialMechanism::ground, gb.first(), {0, -1, 0}, crank_angle(turn, end));
  m.redundant(0);

  m.output("theta", "rotation angle about x at mid-span, atan2(R32, sqrt(R31^2+R33^2))", "rad",
           roll_angle(beam.middle()));
  m.output("omega1", "angular velocity about x at mid-span", "rad/s",
           spin_component(beam.middle(), 0));
  m.output("theta_x", "component along x of the rotation vector at mid-span", "rad",
           rotation_component(beam.middle(), 0));
  m.output("F3", "shear force along axis 3 of the section, mean of the two points next to mid-span",
           "N", beam.middle_shear());
  return m.problem("beam_buckling");
}

}  // namespace

void register_beam_buckling(ProblemRegistry& registry) {
  ProblemInfo info;
  info.id = "beam_buckling";
  info.summary = "lateral buckling of a thin beam lifted by crank and link";
  info.source = "[zhang2022], section 5.3";
  info.equations =
      "three-node finite-volume beams between lumped nodes (x, g), R = R(g) R_ref; clamp, "
      "spherical joint next to the beam's end, two hinges along y, crank turned by phi(t) about -y";
  info.parameters = {{"elements", Parameter::Type::integer, "5", "integer 1..1000, of the beam"},
                     {"element", Parameter::Type::word, "volume", "volume | two_node"}};
  registry.add(info, [](const Arguments& arguments, ProblemData& data) {
    return buckling(data, arguments.integer("elements", 1, 1000), beam_kind(arguments));
  });
}

}  // namespace daemark
