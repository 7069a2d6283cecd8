// Flyball governor (IFToMM library of multibody benchmarks, A05): a shaft spins freely about z; two
// rods with a ball at their ends are hinged to arms at its top, a slider moves along it, and a
// stiff spring with a damper joins the slider to the middle of each rod. No motor: the spin follows
// from the moment of momentum about z, which is kept.
#include "problems/spatial/spatial_mechanism.hpp"

namespace daemark {
namespace {

/// Of a box with sides a, b, c about its centre.
Inertia box(const wide& mass, const wide& a, const wide& b, const wide& c) {
  const auto about = [&](const wide& x, const wide& y) {
    return Exact(mass * (x * x + y * y) / 12);
  };
  return {about(b, c), about(c, a), about(a, b)};
}

Problem governor(ProblemData& data) {
  using std::cos, std::sin;
  const char* source = "IFToMM benchmark A05";
  SpatialMechanism m;
  m.gravity({0, 0, -data("g, along -z", "9.81", "m/s^2", source)});
  const auto [length, side, cube] =
      data("shaft and rods: length, side; slider: side", {1, "0.01", "0.1"}, "m", source);
  const wide density = data("density", 3000, "kg/m^3", source),
             ball = data("ball, a point mass", 5, "kg", source),
             arm = data("hinges and springs from the axis", "0.05", "m", source),
             below = data("rods below the horizontal, at the start", "pi/6", "rad", source),
             height = data("s(0), of the slider", "0.5", "m", source),
             omega = data("omega(0)", "2*pi", "rad/s", source), K = data("K", "8e5", "N/m", source),
             C = data("C", "4e4", "N s/m", source),
             L0 = data("L0, of the springs", "0.5", "m", source);
  const wide mass = density * length * side * side;
  const Vector z{0, 0, 1}, y{0, 1, 0}, spin{0, 0, omega};

  const int shaft = m.body("shaft", mass, box(mass, side, side, length),
                           {.position = {0, 0, length / 2}, .spin = spin});
  const wide slider_mass = density * cube * cube * cube;
  const int slider = m.body("slider", slider_mass, box(slider_mass, cube, cube, cube),
                            {.position = {0, 0, height}, .spin = spin});
  m.revolute(SpatialMechanism::ground, shaft, {0, 0, 0}, z);
  m.prismatic(shaft, slider, {0, 0, height}, z);

  std::array<int, 2> rods{};
  for (int i = 0; i < 2; ++i) {
    const wide out = i == 0 ? 1 : -1, x = out * (arm + length / 2 * cos(below));
    const Vector middle{x, 0, length - length / 2 * sin(below)};
    rods[i] = m.body(i == 0 ? "rod1" : "rod2", mass, box(mass, length, side, side),
                     {.position = middle,
                      .orientation = Orientation::axes({out * cos(below), 0, -sin(below)}, y),
                      .velocity = {0, omega * x, 0},
                      .spin = spin});
    m.inertia(rods[i], ball, {0, 0, 0}, {length / 2, 0, 0});
    m.revolute(shaft, rods[i], {out * arm, 0, length}, y);
    const Vector on_slider{out * arm, 0, height};
    m.spring(slider, on_slider, rods[i], middle, K, L0), m.stiff();
    m.damper(slider, on_slider, rods[i], middle, C), m.stiff();
  }

  m.output("s", "height of the slider", "m",
           spatial_output([slider](const auto& view) { return view.position(slider)[2]; }));
  m.output("v_s", "its velocity", "m/s",
           spatial_output([slider](const auto& view) { return view.velocity(slider)[2]; }));
  m.output("omega", "spin of the shaft", "rad/s",
           spatial_output([shaft](const auto& view) { return view.spin(shaft)[2]; }));
  // In double only: a reference of 15 digits a tenth of a second on had not settled in 16 minutes,
  // since its dampers bind every route to steps of some 1e-4 s.
  Problem problem = m.problem("flyball_governor");
  problem.absolute.in_quad = nullptr, problem.absolute.in_real50 = nullptr;
  return problem;
}

}  // namespace

void register_flyball_governor(ProblemRegistry& registry) {
  ProblemInfo info;
  info.id = "flyball_governor";
  info.summary = "flyball governor: a spinning shaft, two hinged rods with balls, a sprung slider";
  info.source = "IFToMM library of multibody benchmarks ([gonzalez2006]), A05";
  info.equations =
      "x, y, z and Cayley-Gibbs-Rodrigues increments of shaft, slider and two rods (each with its "
      "ball); revolute on the ground and at the rods, prismatic between shaft and slider; "
      "K (d - L0) + C d' between slider and the middle of each rod";
  registry.add(info, [](const Arguments&, ProblemData& data) { return governor(data); });
}

}  // namespace daemark
