// A rigid body that turns about a fixed point, with its rotation alone as unknowns: on a chart,
// three increments and no constraints; and in a quaternion with its norm as only row
// (rotating_body.hpp).
//   J Ω' + Ω × J Ω = m g X × (−Rᵀ e_z), J about the fixed point, diagonal in the body's frame.
// Shown are the rotation vector ψ of R and Ω.
#pragma once

#include "problems/bodies/rigid_bodies.hpp"
#include "problems/geometry/rotating_body.hpp"
#include "problems/mechanism/recorded_model.hpp"
#include "problems/system/drawing.hpp"

namespace daemark {

struct PivotedBody {
  rotation::Vec3<wide> inertia;  ///< J [kg m²]
  rotation::Vec3<wide> weight;   ///< m g X [N m], of a body without one 0
  rotation::Vec3<wide> spin;     ///< Ω(0) [rad/s], from R(0) = I
  rotation::Vec3<wide> drawn;    ///< a point of the body that is drawn [m]
};

/// The axis from the fixed point `centre` stands off by, a disc about that with a spoke.
inline Drawing top_drawing(std::function<std::array<SpacePoint, 2>(const double* q)> pose) {
  using Kind = DrawnShape::Kind;
  Drawing drawing;
  drawing.look_from(-60, 20);
  drawing.shapes = [pose = std::move(pose)](double, const double* q) {
    constexpr int corners = 16;
    constexpr double radius = 0.4, turn = 2 * 3.141592653589793 / corners;
    const auto [centre, psi] = pose(q);
    const rotation::Quaternion<double> p = rotation::exponential(psi);
    const SpacePoint fixed{0, 0, 0};
    std::vector<SpacePoint> disc;
    for (int i = 0; i < corners; ++i) {
      const SpacePoint rim{radius * std::cos(i * turn), 0.0, radius * std::sin(i * turn)};
      disc.push_back(rotation::combine(1.0, centre, 1.0, rotation::rotate(p, rim)));
    }
    return std::vector<DrawnShape>{{Kind::ground, {fixed}},  {Kind::body, {fixed, centre}},
                                   {Kind::body, disc, true}, {Kind::body, {centre, disc[0]}},
                                   {Kind::joint, {fixed}},   {Kind::traced, {centre}}};
  };
  return drawing;
}

/// One body that spins in its frame, `inertia` about its mass centre; on a spherical joint in the
/// origin where it has one. Shown are its place and rotation, or the rotation alone.
inline std::function<std::shared_ptr<const RigidBodies>()> one_body(
    const wide& mass, const rotation::Vec3<wide>& inertia, const rotation::Vec3<wide>& centre,
    const rotation::Vec3<wide>& spin, const wide& gravity, bool jointed, bool rotation_alone) {
  const rotation::Vec3<wide> none{wide(0), wide(0), wide(0)};
  auto made = std::make_shared<RigidBodies>();
  made->bodies.push_back({"body",
                          mass,
                          {inertia[0], inertia[1], inertia[2], wide(0), wide(0), wide(0)},
                          centre,
                          rotation::cross(spin, centre),
                          spin,
                          {wide(1), wide(0), wide(0), wide(0)}});
  if (jointed)
    made->joints.push_back({"pivot",
                            "spherical",
                            {RigidBodies::ground, 0},
                            {none, rotation::combine(wide(-1), centre, wide(0), centre)}});
  made->gravity[2] = -gravity;
  using Kind = RigidBodies::Shown::Kind;
  for (int k = 0; k < 3 && !rotation_alone; ++k) made->shown.push_back({0, Kind::point, k});
  for (int k = 0; k < 3; ++k) made->shown.push_back({0, Kind::rotation, k});
  made->finish();
  return [made] { return made; };
}

template <class Rotation>
class Pivoted {
 public:
  static constexpr int n = Rotation::width, m = n - 3, n_ref = 3;

  explicit Pivoted(const PivotedBody& body) : d_(body), rotation_{body.inertia} {}

  static std::vector<Quantity> coordinates() {
    if constexpr (m == 0) return {{"gx", "rad"}, {"gy", "rad"}, {"gz", "rad"}};
    return {{"p0", "1"}, {"p1", "1"}, {"p2", "1"}, {"p3", "1"}};
  }
  static std::vector<Quantity> rows() {
    return std::vector<Quantity>(m, Quantity{"lambda_norm", "1"});
  }
  static std::vector<std::string> reference_names() { return {"psi_x", "psi_y", "psi_z"}; }
  static std::vector<std::string> reference_velocity_names() {
    return {"Omega_1", "Omega_2", "Omega_3"};
  }
  Drawing drawing() const {
    const SpacePoint drawn{to_double(d_.drawn[0]), to_double(d_.drawn[1]), to_double(d_.drawn[2])};
    return top_drawing([drawn](const double* q) {
      const SpacePoint psi = rotation::vector(q);
      return std::array{rotation::rotate(rotation::exponential(psi), drawn), psi};
    });
  }

  void mass(const Var* q, Var* M) const { rotation_.mass(q, M, n); }
  void force(const Var& t, const Var* q, const Var* v, Var* f) const {
    rotation_.gyroscopic(q, v, f);
    const std::vector<Var> slope = graph::gradient(potential(t, q), {q, q + n});
    for (int i = 0; i < n; ++i) f[i] -= slope[i];
  }
  void constraint(const Var&, const Var* q, Var* phi) const {
    if constexpr (m > 0) phi[0] = Rotation::norm_row(q);
  }
  Var potential(const Var&, const Var* q) const { return rotation_.turned(q, d_.weight)[2]; }
  void initial(Var* q, Var* v) const { Rotation::initial(d_.spin, q, v); }

  std::vector<Chart> charts() const requires(m == 0) { return {Chart::rotation(0, {1, 0, 0, 0})}; }
  void set_chart(const Var* numbers) requires(m == 0) { rotation_.set(numbers); }
  void to_reference(const Var* q, const Var* v, Var* q_ref, Var* v_ref) const requires(m > 0) {
    Rotation::show(q, v, q_ref, v_ref);
  }

 private:
  PivotedBody d_;
  Rotation rotation_;
};
using PivotedOnChart = Pivoted<rotation::RotationOnChart>;
using PivotedInQuaternion = Pivoted<rotation::RotationInQuaternion>;

}  // namespace daemark
