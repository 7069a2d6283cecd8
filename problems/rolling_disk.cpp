// Disk that rolls without slip on a plane and may lean (the Lie group literature's, with its
// numbers): centre x and quaternion p of R, whose third axis n = R e_z is the axle. With the lowest
// point r = −(R²/z)(e_z − n_z n) from the centre and the spin ω in space,
//   (z² − 4 R² (p1² + p2²)(p0² + p3²))/2 = 0, the height of a centre above a point of the rim,
//   (p·p − 1)/2 = 0,
//   the first two components of x' + ω × r = 0, two rows of velocities with no positions behind
//   them
// (the third is the rate of the first row). Where the disk lies flat, n_z = 1, z = 0, there is no
// lowest point. Started upright, rolling on a circle, it falls to one side and rises again.
#include "problems/geometry/rotating_body.hpp"
#include "problems/mechanism/recorded_model.hpp"

namespace daemark {
namespace {

using namespace rotation;

template <class S>
struct Disk {
  S mass, gravity, radius, lean;
  Vec3<S> spin;  ///< Ω(0), body frame

  template <class R>
  Disk<R> in() const {
    return {from_wide<R>(mass),
            from_wide<R>(gravity),
            from_wide<R>(radius),
            from_wide<R>(lean),
            {from_wide<R>(spin[0]), from_wide<R>(spin[1]), from_wide<R>(spin[2])}};
  }
};

template <class S>
struct RollingDiskModel {
  static constexpr int n = 7, m = 4, velocity_rows = 2;
  Disk<S> d;

  static std::vector<Quantity> coordinates() {
    return {{"x", "m"}, {"y", "m"}, {"z", "m"}, {"p0", "1"}, {"p1", "1"}, {"p2", "1"}, {"p3", "1"}};
  }
  static std::vector<Quantity> rows() {
    return {{"lambda_height", "m^2"}, {"lambda_norm", "1"}, {"lambda_x", "m"}, {"lambda_y", "m"}};
  }
  /// A polygon with a spoke, and the way of the point of contact.
  Drawing drawing() const {
    using Kind = DrawnShape::Kind;
    Drawing drawing;
    drawing.shapes = [radius = to_double(d.radius)](double, const double* q) {
      constexpr int corners = 24;
      const Quaternion<double> p{q[3], q[4], q[5], q[6]};
      const SpacePoint centre{q[0], q[1], q[2]};
      std::vector<SpacePoint> rim;
      for (int i = 0; i < corners; ++i) {
        const double angle = 2 * 3.141592653589793 * i / corners;
        const SpacePoint point{radius * std::cos(angle), radius * std::sin(angle), 0};
        rim.push_back(combine(1.0, centre, 1.0, rotate(p, point)));
      }
      const SpacePoint axle = rotate(p, SpacePoint{0, 0, 1});
      const double reach = radius * radius / q[2];
      const SpacePoint contact{q[0] + reach * axle[2] * axle[0], q[1] + reach * axle[2] * axle[1],
                               0};
      return std::vector<DrawnShape>{{Kind::body, rim, true},
                                     {Kind::body, {centre, rim[0]}},
                                     {Kind::joint, {centre}},
                                     {Kind::traced, {contact}}};
    };
    drawing.look_from(-60, 30);
    return drawing;
  }

  /// Uniform: m R²/4 about a diameter, m R²/2 about the axle.
  RotationInQuaternion<S> rotation() const {
    const S quarter = d.mass * d.radius * d.radius / 4;
    return {{quarter, quarter, S(2 * quarter)}};
  }
  template <class T>
  void mass(const T* q, T* M) const {
    std::fill_n(M, n * n, T(S(0)));
    for (int i = 0; i < 3; ++i) M[(n + 1) * i] = T(d.mass);
    rotation().mass(q + 3, M + 3 * n + 3, n);
  }
  template <class T>
  void force(const T&, const T* q, const T* v, T* f) const {
    f[0] = f[1] = T(S(0)), f[2] = -T(S(d.mass * d.gravity));
    rotation().gyroscopic(q + 3, v + 3, f + 3);
  }
  template <class T>
  void constraint(const T&, const T* q, T* phi) const {
    const T* p = q + 3;
    const T across = (p[1] * p[1] + p[2] * p[2]) * (p[0] * p[0] + p[3] * p[3]);
    phi[0] = (q[2] * q[2] - T(S(4 * d.radius * d.radius)) * across) / T(S(2));
    phi[1] = RotationInQuaternion<S>::norm_row(p);
  }
  template <class T>
  void velocity_constraint(const T&, const T* q, const T* v, T* rate) const {
    const Vec3<T> slip = slip_of(q, turn(q + 3, v + 3));
    rate[0] = v[0] + slip[0], rate[1] = v[1] + slip[1];
  }
  template <class T>
  T kinetic(const T* q, const T* v) const {
    return T(d.mass) * dot(vector(v), vector(v)) / T(S(2)) + rotation().kinetic(q + 3, v + 3);
  }
  template <class T>
  T potential(const T&, const T* q) const {
    return T(S(d.mass * d.gravity)) * q[2];
  }
  /// The axle along y, tilted by the lean about x.
  template <class T>
  void initial(T* q, T* v) const {
    using std::cos;
    using std::sin;
    using std::sqrt;
    const S half = d.lean / S(2), share = sqrt(S(0.5));
    const Quaternion<S> tilt{cos(half), sin(half), S(0), S(0)};
    const Quaternion<S> p = product(tilt, {S(0), S(0), share, share});
    const Quaternion<S> rate =
        product(p, {S(0), S(d.spin[0] / S(2)), S(d.spin[1] / S(2)), S(d.spin[2] / S(2))});
    std::array<S, 7> at{S(0), S(0), S(d.radius * cos(d.lean)), p[0], p[1], p[2], p[3]};
    const Vec3<S> slip = slip_of(at.data(), rotate(p, d.spin));
    for (int i = 0; i < n; ++i) q[i] = T(at[i]), v[i] = T(i < 3 ? S(-slip[i]) : rate[i - 3]);
  }

 private:
  /// ω in space: 2 vector part of ṗ p*.
  template <class T>
  static Vec3<T> turn(const T* p, const T* rate) {
    const Quaternion<T> w = product(Quaternion<T>{rate[0], rate[1], rate[2], rate[3]},
                                    Quaternion<T>{p[0], -p[1], -p[2], -p[3]});
    return {w[1] + w[1], w[2] + w[2], w[3] + w[3]};
  }
  /// ω × r of the lowest point.
  template <class T>
  Vec3<T> slip_of(const T* q, const Vec3<T>& omega) const {
    const Vec3<T> up{T(S(0)), T(S(0)), T(S(1))};
    const Vec3<T> axle = rotate(Quaternion<T>{q[3], q[4], q[5], q[6]}, up);
    const T reach = T(S(d.radius * d.radius)) / q[2];
    return cross(omega, combine(T(-reach), up, T(reach * axle[2]), axle));
  }
};

}  // namespace

void register_rolling_disk(ProblemRegistry& registry) {
  ProblemInfo info;
  info.id = "rolling_disk";
  info.summary = "disk that rolls without slip and may lean: a height and two nonholonomic rows";
  info.source = "numbers of the Lie group literature's test programs";
  info.equations =
      "m x'' + ... = -m g e_z, J Omega' + Omega x J Omega + ... = 0, R by a quaternion p, p.p = 1; "
      "z^2 "
      "= R^2 (1 - n_z^2), n = R e_z the axle; x' + omega x r = 0 in x and y, r = -(R^2/z)(e_z - "
      "n_z n)";
  registry.add(info, [](const Arguments&, ProblemData& data) {
    const char* source = "the literature's";
    const Disk<wide> disk{data("m", 15, "kg", source), data("g, along -z", "9.81", "m/s^2", source),
                          data("R", 1, "m", source), data("lean(0)", 0, "rad", source),
                          data("Omega(0), axle last", {0, 15, 5}, "rad/s", source)};
    Problem problem;
    problem.absolute = model_makers<RollingDiskModel>(
        [=]<class S>() { return RollingDiskModel<S>{disk.in<S>()}; });
    return problem;
  });
}

}  // namespace daemark
