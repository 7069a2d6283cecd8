// Knife edge on an incline (Bloch 2015, §1.6): a body on a blade that slides along the heading phi
// and not across it; x points down the slope. One row of velocities with no position behind it:
//   sin(phi) x' − cos(phi) y' = 0.
//
// Released at rest but for the spin Ω, which stays, it does not slide down but along cycloids:
//   x = k sin² phi,  y = k (phi − sin(2 phi)/2),  k = g sin α/(2Ω²),  λ = 2 m g sin α sin phi.
#include "problems/mechanism/recorded_model.hpp"

namespace daemark {
namespace {

template <class S>
struct KnifeEdgeModel {
  static constexpr int n = 3, m = 1, velocity_rows = 1;
  S body_mass, inertia, downhill, spin;  ///< downhill: g sin α

  static std::vector<Quantity> coordinates() { return {{"x", "m"}, {"y", "m"}, {"phi", "rad"}}; }
  static std::vector<Quantity> rows() { return {{"lambda_edge", "m"}}; }
  /// On the slope, seen at a right angle: uphill is up, the blade a line of a sixth of the cycloid.
  Drawing drawing() const {
    using Kind = DrawnShape::Kind;
    Drawing drawing;
    drawing.shapes = [l = to_double(S(downhill / (spin * spin))) / 6](double, const double* q) {
      const double c = l * std::cos(q[2]), s = l * std::sin(q[2]);
      return std::vector<DrawnShape>{
          {Kind::body, {{q[1] - s, -q[0] + c, 0}, {q[1] + s, -q[0] - c, 0}}},
          {Kind::mass, {{q[1], -q[0], 0}}},
          {Kind::traced, {{q[1], -q[0], 0}}}};
    };
    return drawing;
  }
  template <class T>
  void mass(const T*, T* M) const {
    std::fill_n(M, n * n, T(S(0)));
    M[0] = M[4] = T(body_mass), M[8] = T(inertia);
  }
  template <class T>
  void force(const T&, const T*, const T*, T* f) const {
    f[0] = T(S(body_mass * downhill)), f[1] = f[2] = T(S(0));
  }
  template <class T>
  void velocity_constraint(const T&, const T* q, const T* v, T* rate) const {
    using std::cos;
    using std::sin;
    rate[0] = sin(q[2]) * v[0] - cos(q[2]) * v[1];
  }
  template <class T>
  T kinetic(const T*, const T* v) const {
    return (T(body_mass) * (v[0] * v[0] + v[1] * v[1]) + T(inertia) * v[2] * v[2]) / T(S(2));
  }
  template <class T>
  T potential(const T&, const T* q) const {
    return -(T(S(body_mass * downhill)) * q[0]);
  }
  template <class T>
  void initial(T* q, T* v) const {
    std::fill_n(q, n, T(S(0)));
    v[0] = v[1] = T(S(0)), v[2] = T(spin);
  }
};

}  // namespace

void register_knife_edge(ProblemRegistry& registry) {
  ProblemInfo info;
  info.id = "knife_edge";
  info.summary = "knife edge on an incline: nonholonomic, closed form known";
  info.source = "[bloch2015], section 1.6; its numbers are chosen here";
  info.equations =
      "m x'' + sin(phi) lambda = m g sin(alpha); m y'' - cos(phi) lambda = 0; J phi'' = 0; "
      "sin(phi) x' - cos(phi) y' = 0";
  registry.add(info, [](const Arguments&, ProblemData& data) {
    const wide m = data("m", "1.25", "kg", "chosen"), J = data("J", "0.13", "kg m^2", "chosen"),
               g = data("g", "9.81", "m/s^2", "chosen"),
               alpha = data("alpha", "pi/6", "rad", "chosen"),
               spin = data("phi'(0)", 1, "rad/s", "chosen"), downhill = g * sin(alpha);
    Problem problem;
    problem.absolute = model_makers<KnifeEdgeModel>([=]<class S>() {
      return KnifeEdgeModel<S>{from_wide<S>(m), from_wide<S>(J), from_wide<S>(downhill),
                               from_wide<S>(spin)};
    });
    problem.closed_form = [=](const real50& t, real50* q, real50* v, real50* lambda) {
      const real50 w = from_wide<real50>(spin), a = from_wide<real50>(downhill),
                   k = a / (2 * w * w), s = sin(real50(w * t)), c = cos(real50(w * t));
      q[0] = k * s * s, q[1] = k * (w * t - s * c), q[2] = w * t;
      v[0] = 2 * k * w * s * c, v[1] = 2 * k * w * s * s, v[2] = w;
      lambda[0] = 2 * from_wide<real50>(m) * a * s;
    };
    return problem;
  });
}

}  // namespace daemark
