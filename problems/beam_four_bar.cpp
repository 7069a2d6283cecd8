// Flexible four-bar mechanism with an assembly defect (Zhang, Zanoni & Masarati 2022, section 5.2):
// bars AB, BC, CD in the plane x–z, x along BC, z up. Hinges along y but at C, whose axis is turned
// by 5° towards x; rigid bars would be locked.
//
// AB is turned at A by Ω (t − t_0) about y, Ω = 0.6 rad/s, from t_0 = −20.944 s, two turns before
// the figures begin. There AB and CD turn at Ω and BC translates, all in the plane, which the hinge
// at C does not allow: the end of CD starts with the part of its spin along the hinge, the other
// bars as they are (the paper's code starts outside the velocity constraints).
//
// mass=shipped: a third of the mass a length, as the paper's input files have by mistake.
// element=two_node: another beam element on the same nodes, a second route.
#include <boost/math/constants/constants.hpp>

#include "problems/spatial/beam.hpp"

namespace daemark {
namespace {

constexpr int thousandths_before = 20944;  ///< −t_0 in ms

BeamSection section(const std::array<Exact, 6>& stiffness, const Exact& mass, const Exact& inertia,
                    bool shipped) {
  return {stiffness, shipped ? Exact(wide(mass.value / 3)) : mass, inertia, inertia};
}

Problem four_bar(bool shipped, long elements, BeamKind kind) {
  SpatialMechanism m;
  const BeamSection thick =
      section({"52992000", "16880300", "16880300", "733.488", "1130.5", "1130.5"}, "1.9968",
              "4.25984e-5", shipped);
  const BeamSection thin = section({"13248000", "4220080", "4220080", "45.843", "70.656", "70.656"},
                                   "0.4992", "2.6624e-6", shipped);
  const Vector A{0, 0, 0}, B{0, 0, "3/25"}, C{"6/25", 0, "3/25"}, D{"6/25", 0, 0};
  const Vector y{0, 1, 0}, spin{0, "3/5", 0}, translation{"9/125", 0, 0};
  const Beam ab(m, "AB", thick, elements, A, B, y, kind, {}, spin);
  const Beam bc(m, "BC", thick, elements, B, C, y, kind, translation);
  const Beam dc(m, "DC", thin, elements, D, C, y, kind, {}, spin);

  const wide defect = boost::math::constants::pi<wide>() / 36;
  const wide s = sin(defect), c = cos(defect), along_hinge = wide(3) / 5 * c;
  m.spin(dc.last(), {wide(-along_hinge * s), wide(along_hinge * c), 0});
  m.revolute(SpatialMechanism::ground, ab.first(), A, y);
  m.turn(SpatialMechanism::ground, ab.first(), y, motion_law([](auto t) {
           using T = decltype(t);
           return T(3) / T(5) * (t + T(thousandths_before) / T(1000));
         }));
  m.revolute(ab.last(), bc.first(), B, y);
  m.revolute(bc.last(), dc.last(), C, {s, wide(-c), 0});
  m.revolute(SpatialMechanism::ground, dc.first(), D, y);
  m.start(Expression::parse("-20944/1000", "start"));
  m.redundant(0);

  m.output("theta", "rotation angle about x of the end of BC at C, atan2(R32, sqrt(R31^2+R33^2))",
           "rad", roll_angle(bc.last()));
  m.output("omega1", "angular velocity about x there", "rad/s", spin_component(bc.last(), 0));
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
      "D along y, at C along (sin 5 deg, -cos 5 deg, 0); AB turned by 0.6 (t + 20.944) about y";
  info.parameters = {{"mass", Parameter::Type::word, "true", "true | shipped"},
                     {"elements", Parameter::Type::integer, "5", "integer 1..1000, of each bar"},
                     {"element", Parameter::Type::word, "volume", "volume | two_node"}};
  const char* source = "Zhang et al. 2022, Table 3 and its public input files";
  info.data = {
      {"lengths AB, BC, CD", "0.12, 0.24, 0.12", "m", source},
      {"AB, BC: EA, GA, GJ, EJ", "5.2992e7, 1.68803e7, 733.488, 1130.5", "N, N m^2", source},
      {"AB, BC: m, J22 = J33", "1.9968, 4.25984e-5", "kg/m, kg m", source},
      {"CD: EA, GA, GJ, EJ", "1.3248e7, 4.22008e6, 45.843, 70.656", "N, N m^2", source},
      {"CD: m, J22 = J33", "0.4992, 2.6624e-6", "kg/m, kg m", source},
      {"Omega, start", "0.6, -20.944", "rad/s, s", source}};
  registry.add(info, [](const Arguments& arguments) {
    return four_bar(arguments.word("mass", {"true", "shipped"}) == "shipped",
                    arguments.integer("elements", 1, 1000), beam_kind(arguments));
  });
}

}  // namespace daemark
