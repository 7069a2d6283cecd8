// Chaplygin's sleigh (Bloch 2015, §1.7): a body on a plane with a blade at the distance a behind
// its mass centre (x, y), which slides along the heading phi and not across it. One row of
// velocities with no position behind it:
//   −sin(phi) x' + cos(phi) y' − a phi' = 0.
//
// With I = J + m a², the speed u of the blade and ω = phi': u' = a ω², I ω' = −m a u ω, whence
//   u = Ω √(I/m) tanh s,  ω = Ω / cosh s,  s = κ t + δ,  κ = a Ω √(m/I),  Ω² = ω² + (m/I) u²,
//   phi = (Ω/κ)(gd s − gd δ),  gd s = 2 atan tanh(s/2),  λ = −m J u ω/I,
// and the way of the blade by quadrature. Pushed backwards it turns round and runs off forwards.
#include <boost/math/quadrature/gauss.hpp>

#include "problems/mechanism/recorded_model.hpp"

namespace daemark {
namespace {

struct Sleigh {
  wide m, J, a, u, omega;  ///< u, omega: of the blade, and phi', at the start
};

template <class S>
struct ChaplyginModel {
  static constexpr int n = 3, m = 1, velocity_rows = 1;
  S body_mass, inertia, ahead, speed, spin;

  static std::vector<Quantity> coordinates() { return {{"x", "m"}, {"y", "m"}, {"phi", "rad"}}; }
  static std::vector<Quantity> rows() { return {{"lambda_blade", "m"}}; }
  /// A triangle as long as five times a, with the blade at its narrow end.
  Drawing drawing() const {
    using Kind = DrawnShape::Kind;
    Drawing drawing;
    drawing.shapes = [a = to_double(ahead)](double, const double* q) {
      const auto at = [&](double along, double across) {
        const double c = std::cos(q[2]), s = std::sin(q[2]);
        return SpacePoint{q[0] + a * (c * along - s * across), q[1] + a * (s * along + c * across),
                          0};
      };
      return std::vector<DrawnShape>{{Kind::body, {at(-1, 0), at(4, 2), at(4, -2)}, true},
                                     {Kind::joint, {at(-1, 0)}},
                                     {Kind::mass, {at(0, 0)}},
                                     {Kind::traced, {at(-1, 0)}}};
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
    std::fill_n(f, n, T(S(0)));
  }
  template <class T>
  void velocity_constraint(const T&, const T* q, const T* v, T* rate) const {
    using std::cos;
    using std::sin;
    rate[0] = cos(q[2]) * v[1] - sin(q[2]) * v[0] - T(ahead) * v[2];
  }
  template <class T>
  T kinetic(const T*, const T* v) const {
    return (T(body_mass) * (v[0] * v[0] + v[1] * v[1]) + T(inertia) * v[2] * v[2]) / T(S(2));
  }
  template <class T>
  T potential(const T&, const T*) const {
    return T(S(0));
  }
  template <class T>
  void initial(T* q, T* v) const {
    std::fill_n(q, n, T(S(0)));
    v[0] = T(speed), v[1] = T(S(ahead * spin)), v[2] = T(spin);
  }
};

real50 gudermann(const real50& s) { return 2 * atan(tanh(real50(s / 2))); }

/// The blade starts at (−a, 0).
void closed_form(const Sleigh& d, const real50& t, real50* q, real50* v, real50* lambda) {
  const real50 m = from_wide<real50>(d.m), J = from_wide<real50>(d.J), a = from_wide<real50>(d.a),
               u0 = from_wide<real50>(d.u), w0 = from_wide<real50>(d.omega), I = J + m * a * a,
               most = sqrt(real50(w0 * w0 + m / I * u0 * u0)),
               kappa = a * most * sqrt(real50(m / I)), top = most * sqrt(real50(I / m)),
               delta = atanh(real50(u0 / top)), turn = most / kappa;
  const auto heading = [&](const real50& time) {
    return real50(turn * (gudermann(kappa * time + delta) - gudermann(delta)));
  };
  const auto speed = [&](const real50& time) {
    return real50(top * tanh(real50(kappa * time + delta)));
  };
  // Panels of at most 1/(2κ): the nearest pole, π/(2κ) off the real axis, is six of their halves
  // away, and n points leave (6 + √37)^−2n, some 1e-65.
  using Rule = boost::math::quadrature::gauss<real50, 30>;
  const int panels = 1 + static_cast<int>(2 * kappa * t);
  const real50 half = t / (2 * panels);
  real50 x = -a, y = 0;
  for (int i = 0; i < panels; ++i)
    for (std::size_t k = 0; k < Rule::abscissa().size(); ++k)
      for (const int side : {-1, 1}) {
        const real50 at = half * (2 * i + 1 + side * Rule::abscissa()[k]), angle = heading(at),
                     way = half * Rule::weights()[k] * speed(at);
        x += way * cos(angle), y += way * sin(angle);
      }
  const real50 phi = heading(t), u = speed(t), w = most / cosh(real50(kappa * t + delta)),
               c = cos(phi), s = sin(phi);
  q[0] = x + a * c, q[1] = y + a * s, q[2] = phi;
  v[0] = u * c - a * w * s, v[1] = u * s + a * w * c, v[2] = w;
  lambda[0] = -m * J * u * w / I;
}

}  // namespace

void register_chaplygin_sleigh(ProblemRegistry& registry) {
  ProblemInfo info;
  info.id = "chaplygin_sleigh";
  info.summary = "Chaplygin's sleigh, pushed backwards: nonholonomic, closed form known";
  info.source = "[bloch2015], section 1.7; its numbers are chosen here";
  info.equations =
      "m x'' - sin(phi) lambda = 0; m y'' + cos(phi) lambda = 0; J phi'' - a lambda = 0; "
      "-sin(phi) x' + cos(phi) y' - a phi' = 0";
  registry.add(info, [](const Arguments&, ProblemData& data) {
    const char* source = "chosen";
    const Sleigh d{data("m", 1, "kg", source), data("J", "1/10", "kg m^2", source),
                   data("a", "1/10", "m", source), data("u(0)", "-1/2", "m/s", source),
                   data("phi'(0)", 2, "rad/s", source)};
    Problem problem;
    problem.absolute = model_makers<ChaplyginModel>([=]<class S>() {
      return ChaplyginModel<S>{from_wide<S>(d.m), from_wide<S>(d.J), from_wide<S>(d.a),
                               from_wide<S>(d.u), from_wide<S>(d.omega)};
    });
    problem.closed_form = [=](const real50& t, real50* q, real50* v, real50* lambda) {
      closed_form(d, t, q, v, lambda);
    };
    return problem;
  });
}

}  // namespace daemark
