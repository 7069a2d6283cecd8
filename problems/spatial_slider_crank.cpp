// Spatial slider-crank (Haug; IFToMM library of multibody benchmarks): a crank turns about an axis
// along x at A, a rod with a spherical joint on its pin B drives a slider along x through the
// origin. The universal joint between rod and slider turns about x on the slider and about an axis
// across x and the rod, so that the rod's spin about itself is held. 17 rows on 18 coordinates.
//
// Sources differ in the crank's mass centre. The library's curves (González; also Masarati's, and
// EXUDYN's model) have it at mid-crank, halfway from A to B: that is the default. Haug's book and
// MBDyn's current input file have it at A.
#include "problems/spatial/spatial_mechanism.hpp"

namespace daemark {
namespace {

Problem slider_crank(const Arguments& arguments, ProblemData& data) {
  const char* source = "IFToMM benchmark, as published models give it";
  const bool at_middle = arguments.word("mass_centre", {"middle", "A"}) == "middle";
  constexpr int ground = SpatialMechanism::ground;
  SpatialMechanism m;
  m.gravity({0, 0, -data("g, along -z", "9.81", "m/s^2", source)});
  const auto [crank_length, rod_length] =
      data("lengths of crank and rod", {"0.08", "0.3"}, "m", source);
  const auto [y, z] = data("A, on the crank's axis: y, z", {"0.1", "0.12"}, "m", source);
  const wide omega = data("omega(0), of the crank, upright", 6, "rad/s", source);
  const auto [m1, m2, m3] = data("crank, rod, slider: mass", {"0.12", "0.5", 2}, "kg", source);
  const auto J1 = data("crank: inertia about its mass centre", {"1e-4", "1e-4", "1e-5"}, "kg m^2",
                       source),
             J2 = data("rod: inertia, axis 1 along it", {"4e-4", "4e-3", "4e-3"}, "kg m^2", source),
             J3 = data("slider: inertia", {"1e-4", "1e-4", "1e-4"}, "kg m^2", source);
  const auto inertia = [](const std::array<wide, 3>& J) { return Inertia{J[0], J[1], J[2]}; };

  const wide top = z + crank_length, under = rod_length * rod_length - y * y - top * top;
  if (!(under > 0)) throw BadInput("spatial_slider_crank: the rod does not reach the slide");
  const wide x = sqrt(under);
  const Vector A{0, y, z}, B{0, y, top}, C{x, 0, 0}, along_x{1, 0, 0}, across{0, top, -y};
  const wide share = at_middle ? wide(1) / 2 : wide(0);  // of the way from A to B
  // B moves at −ω l along y, C along x; the rod turns by α e_x + β across.
  const wide pin = -omega * crank_length, slide = -y * pin / x;  // (C − B)·(v_C − v_B) = 0
  // ω × (C − B) = v_C − v_B.
  const wide square = y * y + top * top;
  const wide alpha = -pin * top / square, beta = pin * y / (x * square);
  const Vector spin{alpha, wide(beta * top), wide(-beta * y)};

  const int crank = m.body("crank", m1, inertia(J1),
                           {.position = {0, y, wide(z + share * crank_length)},
                            .velocity = {0, wide(share * pin), 0},
                            .spin = {omega, 0, 0}});
  const int rod = m.body("rod", m2, inertia(J2),
                         {.position = {wide(x / 2), wide(y / 2), wide(top / 2)},
                          .orientation = Orientation::axes({x, wide(-y), wide(-top)}, across),
                          .velocity = {wide(slide / 2), wide(pin / 2), 0},
                          .spin = spin});
  const int slider = m.body("slider", m3, inertia(J3), {.position = C, .velocity = {slide, 0, 0}});
  m.revolute(ground, crank, A, along_x);
  m.spherical(crank, rod, B);
  m.universal(slider, rod, C, along_x, across);
  m.prismatic(ground, slider, C, along_x);

  m.output("x", "place of the slider", "m",
           spatial_output([slider](const auto& view) { return view.position(slider)[0]; }));
  m.output("v", "its velocity", "m/s",
           spatial_output([slider](const auto& view) { return view.velocity(slider)[0]; }));
  m.output("omega", "spin of the crank", "rad/s",
           spatial_output([crank](const auto& view) { return view.spin(crank)[0]; }));
  return m.problem("spatial_slider_crank");
}

}  // namespace

void register_spatial_slider_crank(ProblemRegistry& registry) {
  ProblemInfo info;
  info.id = "spatial_slider_crank";
  info.summary =
      "spatial slider-crank: revolute, spherical, universal and prismatic joint in a loop";
  info.source = "IFToMM library of multibody benchmarks ([gonzalez2006]), spatial slider-crank";
  info.parameters = {{"mass_centre", Parameter::Type::word, "middle",
                      "middle | A: of the crank; the published curves have it at mid-crank, Haug's "
                      "book and MBDyn's input at A"}};
  info.equations =
      "x, y, z and Cayley-Gibbs-Rodrigues increments of crank, rod and slider; joints: ground, A, "
      "crank, B, rod, C, slider, ground; the universal joint's axes are x on the slider and across "
      "x and the rod on the rod";
  registry.add(info, slider_crank);
}

}  // namespace daemark
