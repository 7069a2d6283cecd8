// Point-mass pendulum released from the horizontal, q = (x, y), y up, one row x² + y² − l² = 0
// (Yang, Duan & Di 2006, numerical example).
//
// Closed form with u = ωt, ω = √(g/l), k² = ½: x = l cn/dn², y = −(l/2) sn²/dn², λ = −3mgy/(2l²).
#include <fmt/format.h>

#include <boost/math/special_functions/jacobi_elliptic.hpp>

#include "problems/mechanism/recorded_model.hpp"

namespace daemark {
namespace {

struct Constants {
  wide m, l, g;
};

template <class S>
struct PendulumModel {
  static constexpr int n = 2, m = 1;
  S point_mass, length, gravity;

  static std::vector<Quantity> coordinates() { return {{"x", "m"}, {"y", "m"}}; }
  static std::vector<Quantity> rows() { return {{"lambda_length", "m^2"}}; }
  static Drawing drawing() {
    using Kind = DrawnShape::Kind;
    Drawing drawing;
    drawing.shapes = [](double, const double* q) {
      const SpacePoint pivot{0, 0, 0}, mass{q[0], q[1], 0};
      return std::vector<DrawnShape>{{Kind::ground, {pivot}},
                                     {Kind::body, {pivot, mass}},
                                     {Kind::joint, {pivot}},
                                     {Kind::mass, {mass}},
                                     {Kind::traced, {mass}}};
    };
    return drawing;
  }
  template <class T>
  void mass(const T*, T* M) const {
    M[0] = M[3] = T(point_mass);
    M[1] = M[2] = T(0);
  }
  template <class T>
  void force(const T&, const T*, const T*, T* f) const {
    f[0] = T(0);
    f[1] = T(S(-point_mass * gravity));
  }
  template <class T>
  void constraint(const T&, const T* q, T* phi) const {
    phi[0] = q[0] * q[0] + q[1] * q[1] - T(S(length * length));
  }
  template <class T>
  T kinetic(const T*, const T* v) const {
    return T(point_mass) * (v[0] * v[0] + v[1] * v[1]) / T(2);
  }
  template <class T>
  T potential(const T&, const T* q) const {
    return T(S(point_mass * gravity)) * q[1];
  }
  template <class T>
  void initial(T* q, T* v) const {
    q[0] = T(length), q[1] = T(0), v[0] = T(0), v[1] = T(0);
  }
};

void closed_form(const Constants& d, const real50& t, real50* q, real50* v, real50* lambda) {
  const real50 l = from_wide<real50>(d.l), m = from_wide<real50>(d.m), g = from_wide<real50>(d.g);
  const real50 omega = sqrt(real50(g / l)), k = sqrt(real50(0.5));
  real50 cn, dn;
  const real50 sn = boost::math::jacobi_elliptic(k, real50(omega * t), &cn, &dn);
  q[0] = l * cn / (dn * dn);
  q[1] = -l / 2 * sn * sn / (dn * dn);
  v[0] = l * omega * sn * (cn * cn - dn * dn) / (dn * dn * dn);
  v[1] = -l * omega * sn * cn / (dn * dn * dn);
  lambda[0] = -3 * m * g * q[1] / (2 * l * l);
}

}  // namespace

void register_pendulum(ProblemRegistry& registry) {
  ProblemInfo info;
  info.id = "pendulum";
  info.summary = "point-mass pendulum released from the horizontal, closed form known";
  info.source = "[yang2006], numerical example";
  info.equations = "m x'' + 2 x lambda = 0; m y'' + 2 y lambda = -m g; x^2 + y^2 - l^2 = 0";
  info.parameters = {{"g", Parameter::Type::real, "", "real in (0, 1000], default 9.80665", true}};
  registry.add(info, [](const Arguments& arguments, ProblemData& data) {
    const wide m = data("m", "44.452050", "kg", "numerical example"),
               l = data("l", "1.98120", "m", "numerical example"),
               g = arguments.given("g") ? data("g", arguments.real("g"), "m/s^2", "parameter g")
                                        : data("g", "9.80665", "m/s^2",
                                               "assumed, not printed; parameter g for another");
    if (g <= 0 || g > 1000)
      throw BadInput(fmt::format("pendulum: g = {} is not accepted: real in (0, 1000]",
                                 arguments.real("g").text()));
    Problem problem;
    problem.absolute = model_makers<PendulumModel>([=]<class S>() {
      return PendulumModel<S>{from_wide<S>(m), from_wide<S>(l), from_wide<S>(g)};
    });
    problem.closed_form = [=](const real50& t, real50* q, real50* v, real50* lambda) {
      closed_form({m, l, g}, t, q, v, lambda);
    };
    return problem;
  });
}

}  // namespace daemark
