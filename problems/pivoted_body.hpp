// A rigid body that turns about a fixed point, with its rotation alone as unknowns: on a chart,
// three increments and no constraints; and in a quaternion with its norm as only row
// (rotating_body.hpp).
//   J Ω' + Ω × J Ω = m g X × (−Rᵀ e_z), J about the fixed point, diagonal in the body's frame.
// Shown are the rotation vector ψ of R and Ω.
#pragma once

#include "problems/geometry/rotating_body.hpp"
#include "problems/system/drawing.hpp"
#include "problems/mechanism/recorded_model.hpp"

namespace daemark {

template <class S>
struct PivotedBody {
  using Vec3 = rotation::Vec3<S>;
  Vec3 inertia;  ///< J [kg m²]
  Vec3 weight;   ///< m g X [N m], of a body without one 0
  Vec3 spin;     ///< Ω(0) [rad/s], from R(0) = I
  Vec3 drawn;    ///< a point of the body that is drawn [m]

  template <class R>
  PivotedBody<R> in() const {
    const auto each = [](const Vec3& x) {
      return rotation::Vec3<R>{from_wide<R>(x[0]), from_wide<R>(x[1]), from_wide<R>(x[2])};
    };
    return {each(inertia), each(weight), each(spin), each(drawn)};
  }
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

template <class S>
struct PivotedReference {
  static constexpr int n_ref = 3;
  PivotedBody<S> d;

  static std::vector<std::string> reference_names() { return {"psi_x", "psi_y", "psi_z"}; }
  static std::vector<std::string> reference_velocity_names() {
    return {"Omega_1", "Omega_2", "Omega_3"};
  }
  Drawing drawing() const {
    const SpacePoint drawn{to_double(d.drawn[0]), to_double(d.drawn[1]), to_double(d.drawn[2])};
    return top_drawing([drawn](const double* q) {
      const SpacePoint psi = rotation::vector(q);
      return std::array{rotation::rotate(rotation::exponential(psi), drawn), psi};
    });
  }
};

template <class S>
struct PivotedOnChart : PivotedReference<S> {
  static constexpr int n = 3, m = 0;
  using PivotedReference<S>::d;

  explicit PivotedOnChart(const PivotedBody<S>& body)
      : PivotedReference<S>{body}, rotation_(body.inertia) {
    weigh();
  }
  static std::vector<Quantity> coordinates() {
    return {{"gx", "rad"}, {"gy", "rad"}, {"gz", "rad"}};
  }
  static std::vector<Quantity> rows() { return {}; }

  template <class T>
  void mass(const T* g, T* M) const {
    rotation_.mass(g, M, n);
  }
  /// The weight's moment about the fixed point is −(R(g) w) × e_z, w = R_ref m g X.
  template <class T>
  void force(const T&, const T* g, const T* rate, T* f) const {
    using namespace rotation;
    rotation_.gyroscopic(g, rate, f);
    const Vec3<T> arm = cayley_rotate(vector(g), constant<T>(weight_));
    const Vec3<T> on_g = cayley_spin_transposed(vector(g), Vec3<T>{-arm[1], arm[0], T(0)});
    for (int i = 0; i < n; ++i) f[i] += on_g[i];
  }
  template <class T>
  void constraint(const T&, const T*, T*) const {}
  template <class T>
  T kinetic(const T* g, const T* rate) const {
    return rotation_.kinetic(g, rate);
  }
  template <class T>
  T potential(const T&, const T* g) const {
    return rotation::cayley_rotate(rotation::vector(g), rotation::constant<T>(weight_))[2];
  }
  template <class T>
  void initial(T* g, T* rate) const {
    for (int i = 0; i < n; ++i) g[i] = T(0), rate[i] = T(d.spin[i]);
  }

  std::vector<Chart> charts() const { return {Chart::rotation(0, {1, 0, 0, 0})}; }
  void set_chart(const S* numbers) { rotation_.set(numbers), weigh(); }

 private:
  void weigh() { weight_ = rotation::rotate(rotation_.reference(), d.weight); }

  rotation::RotationOnChart<S> rotation_;
  rotation::Vec3<S> weight_;
};

template <class S>
struct PivotedInQuaternion : PivotedReference<S> {
  static constexpr int n = 4, m = 1;
  using PivotedReference<S>::d;

  explicit PivotedInQuaternion(const PivotedBody<S>& body)
      : PivotedReference<S>{body}, rotation_{body.inertia} {}
  static std::vector<Quantity> coordinates() {
    return {{"p0", "1"}, {"p1", "1"}, {"p2", "1"}, {"p3", "1"}};
  }
  static std::vector<Quantity> rows() { return {{"lambda_norm", "1"}}; }

  template <class T>
  void mass(const T* p, T* M) const {
    rotation_.mass(p, M, n);
  }
  template <class T>
  void force(const T& t, const T* p, const T* rate, T* f) const {
    rotation_.gyroscopic(p, rate, f);
    std::array<Dual<T, n>, n> z;
    for (int i = 0; i < n; ++i) z[i] = Dual<T, n>::variable(p[i], i);
    const Dual<T, n> height = potential(Dual<T, n>(t), z.data());
    for (int i = 0; i < n; ++i) f[i] -= height.grad[i];
  }
  template <class T>
  void constraint(const T&, const T* p, T* phi) const {
    phi[0] = rotation_.norm_row(p);
  }
  template <class T>
  T kinetic(const T* p, const T* rate) const {
    return rotation_.kinetic(p, rate);
  }
  template <class T>
  T potential(const T&, const T* p) const {
    return rotation::rotate(rotation::Quaternion<T>{p[0], p[1], p[2], p[3]},
                            rotation::constant<T>(d.weight))[2];
  }
  template <class T>
  void initial(T* p, T* rate) const {
    p[0] = T(1), rate[0] = T(0);
    for (int i = 0; i < 3; ++i) p[1 + i] = T(0), rate[1 + i] = T(S(d.spin[i] / S(2)));
  }
  void to_reference(const S* p, const S* rate, S* q_ref, S* v_ref) const {
    rotation_.show(p, rate, q_ref, v_ref);
  }

 private:
  rotation::RotationInQuaternion<S> rotation_;
};

}  // namespace daemark
