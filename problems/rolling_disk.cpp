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

struct Disk {
  wide mass, gravity, radius, lean;
  Vec3<wide> spin;  ///< Ω(0), body frame
};

struct RollingDiskModel {
  static constexpr int n = 7, m = 4, velocity_rows = 2;
  Disk d;

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
  RotationInQuaternion rotation() const {
    const wide quarter = d.mass * d.radius * d.radius / 4;
    return {{quarter, quarter, 2 * quarter}};
  }
  void mass(const Var* q, Var* M) const {
    for (int i = 0; i < 3; ++i) M[(n + 1) * i] = d.mass;
    rotation().mass(q + 3, M + 3 * n + 3, n);
  }
  void force(const Var&, const Var* q, const Var* v, Var* f) const {
    f[2] = -d.mass * d.gravity;
    rotation().gyroscopic(q + 3, v + 3, f + 3);
  }
  void constraint(const Var&, const Var* q, Var* phi) const {
    const Var* p = q + 3;
    const Var across = (p[1] * p[1] + p[2] * p[2]) * (p[0] * p[0] + p[3] * p[3]);
    phi[0] = (q[2] * q[2] - 4 * d.radius * d.radius * across) / 2;
    phi[1] = RotationInQuaternion::norm_row(p);
  }
  void velocity_constraint(const Var&, const Var* q, const Var* v, Var* rate) const {
    const Vec3<Var> slip = slip_of(q, turn(q + 3, v + 3));
    rate[0] = v[0] + slip[0], rate[1] = v[1] + slip[1];
  }
  Var potential(const Var&, const Var* q) const { return d.mass * d.gravity * q[2]; }
  /// The axle along y, tilted by the lean about x.
  void initial(Var* q, Var* v) const {
    const wide half = d.lean / 2, share = sqrt(wide(0.5));
    const Quaternion<Var> tilt{cos(half), sin(half), 0, 0},
        p = product(tilt, {0, 0, share, share}),
        rate = product(p, {0, d.spin[0] / 2, d.spin[1] / 2, d.spin[2] / 2});
    q[2] = d.radius * cos(d.lean);
    std::copy(p.begin(), p.end(), q + 3), std::copy(rate.begin(), rate.end(), v + 3);
    const Vec3<Var> slip = slip_of(q, rotate(p, constant<Var>(d.spin)));
    for (int i = 0; i < 3; ++i) v[i] = -slip[i];
  }

 private:
  /// ω in space: 2 vector part of ṗ p*.
  static Vec3<Var> turn(const Var* p, const Var* rate) {
    const Quaternion<Var> w = product(quaternion(rate), conjugate(quaternion(p)));
    return {w[1] + w[1], w[2] + w[2], w[3] + w[3]};
  }
  /// ω × r of the lowest point.
  Vec3<Var> slip_of(const Var* q, const Vec3<Var>& omega) const {
    const Vec3<Var> up{0, 0, 1}, axle = rotate(quaternion(q + 3), up);
    const Var reach = d.radius * d.radius / q[2];
    return cross(omega, combine(-reach, up, reach * axle[2], axle));
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
      "z^2 = R^2 (1 - n_z^2), n = R e_z the axle; x' + omega x r = 0 in x and y, r = -(R^2/z)(e_z "
      "- n_z n)";
  registry.add(info, [](const Arguments&, ProblemData& data) {
    const char* source = "the literature's";
    const Disk disk{data("m", 15, "kg", source), data("g, along -z", "9.81", "m/s^2", source),
                    data("R", 1, "m", source), data("lean(0)", 0, "rad", source),
                    data("Omega(0), axle last", {0, 15, 5}, "rad/s", source)};
    Problem problem;
    problem.absolute = model_makers(RollingDiskModel{disk});
    return problem;
  });
}

}  // namespace daemark
