// Disk that rolls upright without slip on a plane and turns about the vertical (Bloch 2015, §1.4):
// q = (x, y, phi, theta), the point of contact, the heading and the angle rolled. Two rows of
// velocities with no positions behind them:
//   x' − R cos(phi) theta' = 0,  y' − R sin(phi) theta' = 0.
//
// No forces act: phi' and theta' stay, and with ρ = R theta'/phi' the disk rolls on a circle,
//   x = ρ sin phi,  y = ρ (1 − cos phi),  λ = m R theta' phi' (sin phi, −cos phi).
#include <boost/math/constants/constants.hpp>

#include "problems/mechanism/recorded_model.hpp"

namespace daemark {
namespace {

template <class S>
struct VerticalDiskModel {
  static constexpr int n = 4, m = 2, velocity_rows = 2;
  S disk_mass, radius, turning, rolling;  ///< turning, rolling: phi' and theta' at the start

  static std::vector<Quantity> coordinates() {
    return {{"x", "m"}, {"y", "m"}, {"phi", "rad"}, {"theta", "rad"}};
  }
  static std::vector<Quantity> rows() { return {{"lambda_x", "m"}, {"lambda_y", "m"}}; }
  /// A polygon with a spoke, seen from above at an angle, and the way of the point of contact.
  Drawing drawing() const {
    using Kind = DrawnShape::Kind;
    Drawing drawing;
    drawing.shapes = [r = to_double(radius)](double, const double* q) {
      constexpr int corners = 24;
      const auto rim = [&](double angle) {
        return SpacePoint{q[0] + r * std::sin(angle) * std::cos(q[2]),
                          q[1] + r * std::sin(angle) * std::sin(q[2]), r - r * std::cos(angle)};
      };
      std::vector<SpacePoint> outline;
      for (int i = 0; i < corners; ++i)
        outline.push_back(rim(2 * boost::math::constants::pi<double>() * i / corners));
      // A point at the bottom moves back and up as the disk rolls on.
      const SpacePoint contact{q[0], q[1], 0}, centre{q[0], q[1], r};
      return std::vector<DrawnShape>{{Kind::body, outline, true},
                                     {Kind::body, {centre, rim(-q[3])}},
                                     {Kind::joint, {centre}},
                                     {Kind::traced, {contact}}};
    };
    drawing.look_from(-60, 35);
    return drawing;
  }
  /// Uniform: m R²/4 about a diameter, m R²/2 about the axle.
  template <class T>
  void mass(const T*, T* M) const {
    std::fill_n(M, n * n, T(S(0)));
    const S own = disk_mass * radius * radius;
    M[0] = M[5] = T(disk_mass);
    M[10] = T(S(own / 4)), M[15] = T(S(own / 2));
  }
  template <class T>
  void force(const T&, const T*, const T*, T* f) const {
    std::fill_n(f, n, T(S(0)));
  }
  template <class T>
  void velocity_constraint(const T&, const T* q, const T* v, T* rate) const {
    using std::cos;
    using std::sin;
    rate[0] = v[0] - T(radius) * cos(q[2]) * v[3];
    rate[1] = v[1] - T(radius) * sin(q[2]) * v[3];
  }
  template <class T>
  T kinetic(const T* q, const T* v) const {
    std::array<T, n * n> M;
    mass(q, M.data());
    T sum = T(S(0));
    for (int i = 0; i < n; ++i) sum += M[i * n + i] * v[i] * v[i];
    return sum / T(S(2));
  }
  template <class T>
  T potential(const T&, const T*) const {
    return T(S(0));
  }
  template <class T>
  void initial(T* q, T* v) const {
    std::fill_n(q, n, T(S(0)));
    v[0] = T(S(radius * rolling)), v[1] = T(S(0)), v[2] = T(turning), v[3] = T(rolling);
  }
};

}  // namespace

void register_vertical_disk(ProblemRegistry& registry) {
  ProblemInfo info;
  info.id = "vertical_disk";
  info.summary = "upright disk rolling without slip: nonholonomic, closed form known";
  info.source = "[bloch2015], section 1.4; its numbers are chosen here";
  info.equations =
      "m x'' + lambda_x = 0; m y'' + lambda_y = 0; (m R^2/4) phi'' = 0; "
      "(m R^2/2) theta'' - R (cos(phi) lambda_x + sin(phi) lambda_y) = 0; "
      "x' - R cos(phi) theta' = 0; y' - R sin(phi) theta' = 0";
  registry.add(info, [](const Arguments&, ProblemData& data) {
    const wide m = data("m", 1, "kg", "chosen"), R = data("R", 1, "m", "chosen"),
               turning = data("phi'(0)", 1, "rad/s", "chosen"),
               rolling = data("theta'(0)", 2, "rad/s", "chosen");
    Problem problem;
    problem.absolute = model_makers<VerticalDiskModel>([=]<class S>() {
      return VerticalDiskModel<S>{from_wide<S>(m), from_wide<S>(R), from_wide<S>(turning),
                                  from_wide<S>(rolling)};
    });
    problem.closed_form = [=](const real50& t, real50* q, real50* v, real50* lambda) {
      const real50 a = from_wide<real50>(turning), b = from_wide<real50>(rolling),
                   rho = from_wide<real50>(R) * b / a, s = sin(real50(a * t)),
                   c = cos(real50(a * t)), push = from_wide<real50>(m) * rho * a * a;
      q[0] = rho * s, q[1] = rho * (1 - c), q[2] = a * t, q[3] = b * t;
      v[0] = rho * a * c, v[1] = rho * a * s, v[2] = a, v[3] = b;
      lambda[0] = push * s, lambda[1] = -push * c;
    };
    return problem;
  });
}

}  // namespace daemark
