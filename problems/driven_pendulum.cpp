// Stiff pendulum of Fernández de Bustos et al. 2021, section 3: a point mass on a massless rod of
// length L under a slow torque T = T0 sin(ωt).
//
// Coordinates (x, y, θ) sit at the mass, θ = 0 hanging; the pivot is the body's point (0, L). The
// rod has no inertia about the mass: M = diag(m, m, 0) is singular, the constraints make the motion
// unique all the same. Minimal: m L² θ̈ + m g L sin θ = T.
#include "problems/planar/planar_mechanism.hpp"

namespace daemark {

void register_driven_pendulum(ProblemRegistry& registry) {
  ProblemInfo info;
  info.id = "driven_pendulum";
  info.summary = "point mass on a massless rod under a slow harmonic torque";
  info.source = "[fernandez2021], section 3, eqs 12-17 and 24";
  info.equations =
      "absolute: M = diag(m, m, 0), x - L sin(theta) = 0, y + L cos(theta) = 0, torque "
      "T0 sin(w t) on theta; minimal: m L^2 theta'' + m g L sin(theta) = T0 sin(w t)";
  info.parameters = {{"T0", Parameter::Type::real, "1/10", "real number, torque amplitude [N m]"},
                     {"theta0", Parameter::Type::real, "0", "real number, initial angle [rad]"}};
  registry.add(info, [](const Arguments& arguments, ProblemData& data) {
    const char* source = "section 3";
    const wide m_of = data("m", 1, "kg", source), L = data("L", 1, "m", source),
               g = data("g", "9.8", "m/s^2", source),
               frequency = data("w, of the torque", "1/10", "rad/s", source),
               T0 = data("T0", arguments.real("T0"), "N m", "parameter T0"),
               theta = data("theta(0)", arguments.real("theta0"), "rad", "parameter theta0");
    PlanarMechanism m;
    m.gravity(g);
    const int mass = m.body("", m_of, 0, theta);
    m.revolute(PlanarMechanism::ground, {0, 0}, mass, {0, L});
    m.torque(mass, T0,
             [slowness = wide(1 / frequency)](const Var& t) { return sin(t / Var(slowness)); });
    return m.problem("driven_pendulum");
  });
}

}  // namespace daemark
