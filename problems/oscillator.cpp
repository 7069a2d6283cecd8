// Undamped linear oscillator m q̈ + k q = 0 with m = 1 kg, q(0) = 1 m, q̇(0) = 0: the test equation
// of the linear analysis, and a problem without constraints. Closed form: q = cos ωt.
#include <boost/math/constants/constants.hpp>

#include "problems/system/model_system.hpp"

namespace daemark {
namespace {

template <class S>
struct OscillatorModel {
  static constexpr int n = 1, m = 0;
  S stiffness;

  static std::vector<std::string> coordinate_names() { return {"q"}; }
  static std::vector<std::string> constraint_names() { return {}; }
  /// A block on a spring that is 3 m long at rest.
  static Drawing drawing() {
    using Kind = DrawnShape::Kind;
    Drawing drawing;
    drawing.shapes = [](double, const double* q) {
      constexpr double wall = -3, half = 0.25;
      const double left = q[0], right = left + 2 * half;
      return std::vector<DrawnShape>{
          {Kind::ground, {{wall, -2 * half, 0}, {wall, 2 * half, 0}}},
          {Kind::spring, {{wall, 0, 0}, {left, 0, 0}}},
          {Kind::body,
           {{left, -half, 0}, {right, -half, 0}, {right, half, 0}, {left, half, 0}},
           true}};
    };
    return drawing;
  }
  template <class T>
  void mass(const T*, T* M) const {
    M[0] = T(1);
  }
  template <class T>
  void force(const T&, const T* q, const T*, T* f) const {
    f[0] = -(T(stiffness) * q[0]);
  }
  template <class T>
  void constraint(const T&, const T*, T*) const {}
  template <class T>
  T kinetic(const T*, const T* v) const {
    return v[0] * v[0] / T(2);
  }
  template <class T>
  T potential(const T&, const T* q) const {
    return T(stiffness) * q[0] * q[0] / T(2);
  }
  template <class T>
  void initial(T* q, T* v) const {
    q[0] = T(1), v[0] = T(0);
  }
};

}  // namespace

void register_oscillator(ProblemRegistry& registry) {
  ProblemInfo info;
  info.id = "oscillator";
  info.summary = "undamped linear oscillator, q(0) = 1, at rest";
  info.source = "test equation of the linear analysis";
  info.equations = "q'' + omega^2 q = 0";
  info.parameters = {{"omega", Parameter::Type::real, "1", "real > 0, angular frequency [rad/s]"}};
  info.data = {{"m", "1", "kg", "normalised"}, {"q(0), v(0)", "1, 0", "m, m/s", "normalised"}};
  registry.add(info, [](const Arguments& arguments) {
    const wide omega = arguments.real("omega").eval<wide>();
    if (!(omega > 0)) throw BadInput("oscillator: omega is out of range, accepted: real > 0");
    Problem problem;
    problem.absolute = problem.minimal = model_makers<OscillatorModel>(
        [omega]<class S>() { return OscillatorModel<S>{from_wide<S>(wide(omega * omega))}; });
    problem.closed_form = [omega](const real50& t, real50* q, real50* v, real50*) {
      const real50 w = from_wide<real50>(omega);
      q[0] = cos(w * t);
      v[0] = -w * sin(w * t);
    };
    return problem;
  });
}

}  // namespace daemark
