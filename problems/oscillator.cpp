// Undamped linear oscillator m q̈ + k q = 0 released at rest: the test equation of the linear
// analysis, and a problem without constraints. Closed form: q = q(0) cos ωt.
#include <boost/math/constants/constants.hpp>

#include "problems/mechanism/recorded_model.hpp"

namespace daemark {
namespace {

template <class S>
struct OscillatorModel {
  static constexpr int n = 1, m = 0;
  S mass_of, stiffness, start;

  static std::vector<Quantity> coordinates() { return {{"q", "m"}}; }
  static std::vector<Quantity> rows() { return {}; }
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
    M[0] = T(mass_of);
  }
  template <class T>
  void force(const T&, const T* q, const T*, T* f) const {
    f[0] = -(T(stiffness) * q[0]);
  }
  template <class T>
  void constraint(const T&, const T*, T*) const {}
  template <class T>
  T kinetic(const T*, const T* v) const {
    return T(mass_of) * v[0] * v[0] / T(2);
  }
  template <class T>
  T potential(const T&, const T* q) const {
    return T(stiffness) * q[0] * q[0] / T(2);
  }
  template <class T>
  void initial(T* q, T* v) const {
    q[0] = T(start), v[0] = T(0);
  }
};

}  // namespace

void register_oscillator(ProblemRegistry& registry) {
  ProblemInfo info;
  info.id = "oscillator";
  info.summary = "undamped linear oscillator, released at rest";
  info.source = "test equation of the linear analysis";
  info.equations = "q'' + omega^2 q = 0";
  info.parameters = {{"omega", Parameter::Type::real, "1", "real > 0, angular frequency [rad/s]"}};
  registry.add(info, [](const Arguments& arguments, ProblemData& data) {
    const wide m = data("m", 1, "kg", "normalised"), start = data("q(0)", 1, "m", "normalised");
    const wide omega = data("omega", arguments.real("omega"), "rad/s", "parameter omega");
    if (!(omega > 0)) throw BadInput("oscillator: omega is out of range, accepted: real > 0");
    Problem problem;
    problem.absolute = problem.minimal = model_makers<OscillatorModel>([=]<class S>() {
      return OscillatorModel<S>{from_wide<S>(m), from_wide<S>(wide(m * omega * omega)),
                                from_wide<S>(start)};
    });
    problem.closed_form = [=](const real50& t, real50* q, real50* v, real50*) {
      const real50 w = from_wide<real50>(omega), q0 = from_wide<real50>(start);
      q[0] = q0 * cos(w * t);
      v[0] = -w * q0 * sin(w * t);
    };
    return problem;
  });
}

}  // namespace daemark
