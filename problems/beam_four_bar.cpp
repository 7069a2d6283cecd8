// Flexible four-bar mechanism with an assembly defect (Zhang, Zanoni & Masarati 2022, section 5.2):
// bars AB, BC, CD in the plane x–z, x along BC, z up. Hinges along y but at C, whose axis is turned
// by a few degrees towards x; rigid bars would be locked.
//
// AB is turned at A by Ω (t − t_0) about y from t_0 on, two turns before the figures begin. There
// AB and CD turn at Ω and BC translates, all in the plane, which the hinge at C does not allow: the
// end of CD starts with the part of its spin along the hinge, the other bars as they are (the
// paper's code starts outside the velocity constraints).
//
// mass=shipped: a third of the mass a length, as the paper's input files have by mistake.
// element=two_node: another beam element on the same nodes, a second route.
#include "problems/spatial/beam.hpp"

namespace daemark {
namespace {

constexpr const char* source = "Zhang et al. 2022, Table 3 and its public input files";

/// The section of some bars, the same about both axes.
BeamSection section(ProblemData& data, const std::string& bars, const StatedNumber (&axial)[2],
                    const StatedNumber (&bending)[2], const StatedNumber& mass,
                    const StatedNumber& inertia) {
  const auto [EA, GA] = data(bars + ": EA, GA", axial, "N", source);
  const auto [GJ, EJ] = data(bars + ": GJ, EJ", bending, "N m^2", source);
  const wide m = data(bars + ": m", mass, "kg/m", source),
             J = data(bars + ": J22 = J33", inertia, "kg m", source);
  return {{EA, GA, GA, GJ, EJ, EJ}, m, J, J};
}

Problem four_bar(ProblemData& data, bool shipped, long elements, BeamKind kind) {
  SpatialMechanism m;
  const auto [AB, BC, CD] = data("lengths AB, BC, CD", {"0.12", "0.24", "0.12"}, "m", source);
  const BeamSection thick =
                        section(data, "AB, BC", {"5.2992e7", "1.68803e7"}, {"733.488", "1130.5"},
                                shipped ? "1.9968/3" : "1.9968", "4.25984e-5"),
                    thin = section(data, "CD", {"1.3248e7", "4.22008e6"}, {"45.843", "70.656"},
                                   shipped ? "0.4992/3" : "0.4992", "2.6624e-6");
  const wide defect = data("delta, of the hinge at C", "pi/36", "rad", source),
             omega = data("Omega", "0.6", "rad/s", source);
  const wide start = data("start", "-20.944", "s", source);
  const Vector A{0, 0, 0}, B{0, 0, AB}, C{BC, 0, CD}, D{BC, 0, 0};
  const wide speed = omega * AB, turn = speed / CD;  // of B and C; of CD
  const Vector y{0, 1, 0}, translation{speed, 0, 0};
  const Beam ab(m, "AB", thick, elements, A, B, y, kind, {}, {0, omega, 0});
  const Beam bc(m, "BC", thick, elements, B, C, y, kind, translation);
  const Beam dc(m, "DC", thin, elements, D, C, y, kind, {}, {0, turn, 0});

  const wide s = sin(defect), c = cos(defect), along_hinge = turn * c;
  m.spin(dc.last(), {wide(-along_hinge * s), wide(along_hinge * c), 0});
  m.revolute(SpatialMechanism::ground, ab.first(), A, y);
  m.turn(SpatialMechanism::ground, ab.first(), y,
         [=](const Var& t) { return Var(omega) * (t - Var(start)); });
  m.revolute(ab.last(), bc.first(), B, y);
  m.revolute(bc.last(), dc.last(), C, {s, wide(-c), 0});
  m.revolute(SpatialMechanism::ground, dc.first(), D, y);
  m.start(data.exact("start"));
  m.redundant(0);

  m.output("theta", "rotation angle about x of the end of BC at C, atan2(R32, sqrt(R31^2+R33^2))",
           "rad", roll_angle(bc.last()));
  m.output("omega1", "angular velocity about x there", "rad/s", spin_component(bc.last(), 0));
  m.output("theta_x", "component along x of the rotation vector there", "rad",
           rotation_component(bc.last(), 0));
  return m.problem("beam_four_bar");
}

}  // namespace

void register_beam_four_bar(ProblemRegistry& registry) {
  ProblemInfo info;
  info.id = "beam_four_bar";
  info.summary = "flexible four-bar mechanism with a misaligned hinge, driven";
  info.source = "[zhang2022], section 5.2";
  info.equations =
      "three-node finite-volume beams between lumped nodes (x, g), R = R(g) R_ref; hinges at A, B, "
      "D along y, at C along (sin delta, -cos delta, 0); AB turned by Omega (t - start) about y";
  info.parameters = {{"mass", Parameter::Type::word, "true", "true | shipped"},
                     {"elements", Parameter::Type::integer, "5", "integer 1..1000, of each bar"},
                     {"element", Parameter::Type::word, "volume", "volume | two_node"}};
  registry.add(info, [](const Arguments& arguments, ProblemData& data) {
    return four_bar(data, arguments.word("mass", {"true", "shipped"}) == "shipped",
                    arguments.integer("elements", 1, 1000), beam_kind(arguments));
  });
}

}  // namespace daemark
