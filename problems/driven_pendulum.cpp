// Stiff pendulum of Fernández de Bustos et al. 2021, section 3: a point mass on a massless rod of
// 1 m under a slow torque T = T0 sin(t/10).
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
      "T0 sin(t/10) on theta; minimal: m L^2 theta'' + m g L sin(theta) = T0 sin(t/10)";
  info.parameters = {{"T0", Parameter::Type::real, "1/10", "real number, torque amplitude [N m]"},
                     {"theta0", Parameter::Type::real, "0", "real number, initial angle [rad]"}};
  info.data = {{"m", "1", "kg", "section 3"},
               {"L", "1", "m", "section 3"},
               {"g", "9.8", "m/s^2", "section 3"},
               {"torque frequency", "1/10", "rad/s", "section 3"},
               {"theta(0), theta'(0)", "theta0 = 0, at rest", "rad", "section 3"}};
  registry.add(info, [](const Arguments& arguments) {
    PlanarMechanism m;
    m.gravity("98/10");
    const int mass = m.body("", 1, 0, arguments.real("theta0"));
    m.revolute(PlanarMechanism::ground, {0, 0}, mass, {0, 1});
    m.torque(mass, arguments.real("T0"), motion_law([](auto t) {
               using std::sin;
               using T = decltype(t);
               return sin(t / T(10));
             }));
    return m.problem("driven_pendulum");
  });
}

}  // namespace daemark
