// The heavy top of the Lie group integrator literature (Brüls & Cardona 2010, J. Comput. Nonlinear
// Dynam. 5, 031002, section 5): a rigid body turning about a fixed point under gravity, with the
// position x of its mass centre and its orientation R as unknowns, Φ = −x + R X = 0.
//
// chart: Cayley–Gibbs–Rodrigues increments, R = R(g) R_ref, R_ref is the chart (a unit quaternion):
//   R(g) = I + c(g× + ½ g× g×), c = 4/(4 + g²); spin ω = G ġ, G = c(I + ½ g×); g = 2 tan(φ/2) n.
//   In the frame of R_ref: ν = Gᵀ ġ with constant inertia J_ref = R_ref J R_refᵀ, so that
//   G (J_ref ν̇ + ν × J_ref ν) + (∂Φ/∂g)ᵀ λ = 0. Re-based at every converged point; one step must
//   turn by less than π.
// quaternion: R(p) with p·p = 1 as a fourth row; a second, flat model of the same top.
// Both are shown, and compared, as x, the rotation vector ψ of R (log R), ẋ and Ω = Rᵀω. error_q is
// the 2-norm of position error [m] and rotation error log(RᵀR_ref) [rad] together.
#include "problems/geometry/rotation.hpp"
#include "problems/system/model_system.hpp"

namespace daemark {
namespace {

using namespace rotation;

template <class S>
struct TopData {
  S mass, gravity;
  Vec3<S> inertia, centre, spin;  ///< about the mass centre; body frame; Ω(0)

  template <class R>
  TopData<R> in() const {
    const auto each = [](const Vec3<S>& x) {
      return Vec3<R>{from_wide<R>(x[0]), from_wide<R>(x[1]), from_wide<R>(x[2])};
    };
    return {from_wide<R>(mass), from_wide<R>(gravity), each(inertia), each(centre), each(spin)};
  }
};

/// What both models show.
struct TopReference {
  static constexpr int n_ref = 6;
  static std::vector<std::string> reference_names() {
    return {"x", "y", "z", "psi_x", "psi_y", "psi_z"};
  }
  static std::vector<std::string> reference_velocity_names() {
    return {"v_x", "v_y", "v_z", "Omega_1", "Omega_2", "Omega_3"};
  }
  /// The axis from the fixed point, a disc about the mass centre with a spoke.
  static Drawing drawing() {
    using Kind = DrawnShape::Kind;
    Drawing drawing;
    drawing.look_from(-60, 20);
    drawing.shapes = [](double, const double* q) {
      constexpr int corners = 16;
      constexpr double radius = 0.4, turn = 2 * 3.141592653589793 / corners;
      const SpacePoint fixed{0, 0, 0}, centre{q[0], q[1], q[2]};
      const Quaternion<double> p = exponential(vector(q + 3));
      std::vector<SpacePoint> disc;
      for (int i = 0; i < corners; ++i) {
        const SpacePoint rim{radius * std::cos(i * turn), 0.0, radius * std::sin(i * turn)};
        disc.push_back(combine(1.0, centre, 1.0, rotate(p, rim)));
      }
      return std::vector<DrawnShape>{{Kind::ground, {fixed}},  {Kind::body, {fixed, centre}},
                                     {Kind::body, disc, true}, {Kind::body, {centre, disc[0]}},
                                     {Kind::joint, {fixed}},   {Kind::traced, {centre}}};
    };
    return drawing;
  }
  static void reference_difference(const real50* a, const real50* b, real50* difference) {
    for (int i = 0; i < 3; ++i) difference[i] = a[i] - b[i];
    const auto from = exponential(vector(a + 3)), to = exponential(vector(b + 3));
    const auto turn = logarithm(product(conjugate(from), to));
    std::copy(turn.begin(), turn.end(), difference + 3);
  }
};

template <class S>
class TopOnChart : public TopReference {
 public:
  static constexpr int n = 6, m = 3, chart_size = 4;
  static std::vector<int> rotations() { return {3}; }

  explicit TopOnChart(const TopData<S>& top) : top_(top) { turn_inertia(); }

  static std::vector<Quantity> coordinates() {
    return {{"x", "m"}, {"y", "m"}, {"z", "m"}, {"gx", "rad"}, {"gy", "rad"}, {"gz", "rad"}};
  }
  static std::vector<Quantity> rows() {
    return {{"lambda_x", "m"}, {"lambda_y", "m"}, {"lambda_z", "m"}};
  }

  template <class T>
  void mass(const T* q, T* M) const {
    const Vec3<T> g = vector(q + 3);
    for (int i = 0; i < 36; ++i) M[i] = T(0);
    for (int i = 0; i < 3; ++i) M[7 * i] = T(top_.mass);
    for (int j = 0; j < 3; ++j) {
      Vec3<T> unit{T(0), T(0), T(0)};
      unit[j] = T(1);
      const Vec3<T> column = cayley_spin(g, turned_inertia(cayley_spin_transposed(g, unit)));
      for (int i = 0; i < 3; ++i) M[6 * (3 + i) + 3 + j] = column[i];
    }
  }
  template <class T>
  void force(const T&, const T* q, const T* v, T* f) const {
    const Vec3<T> g = vector(q + 3), rate = vector(v + 3);
    const Vec3<T> nu = cayley_spin_transposed(g, rate);
    const T stretch = cayley_scale(g) * dot(g, rate) / T(-2);  // ν̇ = stretch ν + Gᵀ g̈
    const Vec3<T> moment =
        cayley_spin(g, combine(stretch, turned_inertia(nu), T(1), cross(nu, turned_inertia(nu))));
    f[0] = f[1] = T(0), f[2] = -T(S(top_.mass * top_.gravity));
    for (int i = 0; i < 3; ++i) f[3 + i] = -moment[i];
  }
  template <class T>
  void constraint(const T&, const T* q, T* phi) const {
    const Vec3<T> g = vector(q + 3), X = constant<T>(centre_);
    const Vec3<T> arm = cayley_rotate(g, X);
    for (int i = 0; i < 3; ++i) phi[i] = arm[i] - q[i];
  }
  template <class T>
  T kinetic(const T* q, const T* v) const {
    const Vec3<T> nu = cayley_spin_transposed(vector(q + 3), vector(v + 3));
    return (T(top_.mass) * dot(vector(v), vector(v)) + dot(nu, turned_inertia(nu))) / T(2);
  }
  template <class T>
  T potential(const T&, const T* q) const {
    return T(S(top_.mass * top_.gravity)) * q[2];
  }
  /// In the chart a new system starts with, R_ref = I.
  template <class T>
  void initial(T* q, T* v) const {
    const Vec3<S> velocity = cross(top_.spin, top_.centre);
    for (int i = 0; i < 3; ++i) {
      q[i] = T(top_.centre[i]), q[3 + i] = T(0);
      v[i] = T(velocity[i]), v[3 + i] = T(top_.spin[i]);
    }
  }

  void chart(S* numbers) const { std::copy(reference_.begin(), reference_.end(), numbers); }
  void set_chart(const S* numbers) {
    std::copy_n(numbers, 4, reference_.begin());
    turn_inertia();
  }
  /// Quaternion (1, g/2)(1, −o/2), read off as increments again.
  template <class T>
  void re_express(const S* origin, const T* q, T* moved) const {
    const Vec3<T> g = vector(q + 3), o{T(origin[3]), T(origin[4]), T(origin[5])};
    const Vec3<T> turn = cross(g, o);
    const T scalar = T(1) + dot(g, o) / T(4);
    for (int i = 0; i < 3; ++i) {
      moved[i] = q[i];
      moved[3 + i] = (g[i] - o[i] - turn[i] / T(2)) / scalar;
    }
  }
  void move_chart(const S* origin) {
    using std::sqrt;
    Quaternion<S> p = orientation(origin);
    const S length = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
    for (S& x : p) x /= length;
    set_chart(p.data());
  }

  void to_reference(const S* q, const S* v, S* q_ref, S* v_ref) const {
    const Vec3<S> psi = logarithm(orientation(q));
    const Vec3<S> spin =
        rotate(conjugate(reference_), cayley_spin_transposed(vector(q + 3), vector(v + 3)));
    for (int i = 0; i < 3; ++i) {
      q_ref[i] = q[i], q_ref[3 + i] = psi[i];
      v_ref[i] = v[i], v_ref[3 + i] = spin[i];
    }
  }
  void from_reference(const S* q_ref, const S* v_ref, S* q, S* v) {
    set_chart(exponential(vector(q_ref + 3)).data());
    const Vec3<S> omega = rotate(reference_, vector(v_ref + 3));
    for (int i = 0; i < 3; ++i) {
      q[i] = q_ref[i], q[3 + i] = S(0);
      v[i] = v_ref[i], v[3 + i] = omega[i];
    }
  }

 private:
  template <class T>
  Vec3<T> turned_inertia(const Vec3<T>& x) const {
    Vec3<T> y;
    for (int i = 0; i < 3; ++i)
      y[i] = T(inertia_[i][0]) * x[0] + T(inertia_[i][1]) * x[1] + T(inertia_[i][2]) * x[2];
    return y;
  }
  /// Of R, not normalised.
  Quaternion<S> orientation(const S* q) const {
    return product({S(1), S(q[3] / S(2)), S(q[4] / S(2)), S(q[5] / S(2))}, reference_);
  }
  void turn_inertia() {
    centre_ = rotate(reference_, top_.centre);
    for (int j = 0; j < 3; ++j) {
      Vec3<S> unit{S(0), S(0), S(0)};
      unit[j] = S(1);
      Vec3<S> x = rotate(conjugate(reference_), unit);
      for (int i = 0; i < 3; ++i) x[i] *= top_.inertia[i];
      x = rotate(reference_, x);
      for (int i = 0; i < 3; ++i) inertia_[i][j] = x[i];
    }
  }

  TopData<S> top_;
  Quaternion<S> reference_{S(1), S(0), S(0), S(0)};  ///< R_ref
  Vec3<S> centre_;                                   ///< R_ref X
  std::array<Vec3<S>, 3> inertia_;                   ///< R_ref J R_refᵀ
};

template <class S>
class TopInQuaternions : public TopReference {
 public:
  static constexpr int n = 7, m = 4;

  explicit TopInQuaternions(const TopData<S>& top) : top_(top) {}

  static std::vector<Quantity> coordinates() {
    return {{"x", "m"}, {"y", "m"}, {"z", "m"}, {"p0", "1"}, {"p1", "1"}, {"p2", "1"}, {"p3", "1"}};
  }
  static std::vector<Quantity> rows() {
    return {{"lambda_x", "m"}, {"lambda_y", "m"}, {"lambda_z", "m"}, {"lambda_norm", "1"}};
  }

  template <class T>
  void mass(const T* q, T* M) const {
    for (int i = 0; i < 49; ++i) M[i] = T(0);
    for (int i = 0; i < 3; ++i) M[8 * i] = T(top_.mass);
    for (int j = 0; j < 4; ++j) {
      Quaternion<T> unit{T(0), T(0), T(0), T(0)}, column;
      unit[j] = T(1);
      pull_back(q + 3, momentum(spin(q + 3, unit.data())), column.data());
      for (int i = 0; i < 4; ++i) M[7 * (3 + i) + 3 + j] = column[i];
    }
  }
  template <class T>
  void force(const T&, const T* q, const T* v, T* f) const {
    const Vec3<T> omega = spin(q + 3, v + 3);
    f[0] = f[1] = T(0), f[2] = -T(S(top_.mass * top_.gravity));
    pull_back(q + 3, cross(momentum(omega), omega), f + 3);
  }
  template <class T>
  void constraint(const T&, const T* q, T* phi) const {
    const Quaternion<T> p{q[3], q[4], q[5], q[6]};
    const Vec3<T> arm = rotate(p, constant<T>(top_.centre));
    for (int i = 0; i < 3; ++i) phi[i] = arm[i] - q[i];
    phi[3] = (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3] - T(1)) / T(2);
  }
  template <class T>
  T kinetic(const T* q, const T* v) const {
    const Vec3<T> omega = spin(q + 3, v + 3);
    return (T(top_.mass) * dot(vector(v), vector(v)) + dot(omega, momentum(omega))) / T(2);
  }
  template <class T>
  T potential(const T&, const T* q) const {
    return T(S(top_.mass * top_.gravity)) * q[2];
  }
  template <class T>
  void initial(T* q, T* v) const {
    const Vec3<S> velocity = cross(top_.spin, top_.centre);
    q[3] = T(1), v[3] = T(0);
    for (int i = 0; i < 3; ++i) {
      q[i] = T(top_.centre[i]), q[4 + i] = T(0);
      v[i] = T(velocity[i]), v[4 + i] = T(S(top_.spin[i] / S(2)));
    }
  }
  void to_reference(const S* q, const S* v, S* q_ref, S* v_ref) const {
    const Vec3<S> psi = logarithm(Quaternion<S>{q[3], q[4], q[5], q[6]});
    const Vec3<S> omega = spin(q + 3, v + 3);
    for (int i = 0; i < 3; ++i) {
      q_ref[i] = q[i], q_ref[3 + i] = psi[i];
      v_ref[i] = v[i], v_ref[3 + i] = omega[i];
    }
  }

 private:
  /// Ω = 2 × vector part of p* ṗ; its transpose is pull_back.
  template <class T>
  static Vec3<T> spin(const T* p, const T* rate) {
    const Vec3<T> u = vector(p + 1), w = vector(rate + 1), n = cross(u, w);
    Vec3<T> omega;
    for (int i = 0; i < 3; ++i) omega[i] = T(2) * (p[0] * w[i] - rate[0] * u[i] - n[i]);
    return omega;
  }
  template <class T>
  static void pull_back(const T* p, const Vec3<T>& x, T* on_p) {
    const Vec3<T> u = vector(p + 1), n = cross(u, x);
    on_p[0] = T(-2) * dot(u, x);
    for (int i = 0; i < 3; ++i) on_p[1 + i] = T(2) * (p[0] * x[i] + n[i]);
  }
  template <class T>
  Vec3<T> momentum(const Vec3<T>& omega) const {
    return {T(top_.inertia[0]) * omega[0], T(top_.inertia[1]) * omega[1],
            T(top_.inertia[2]) * omega[2]};
  }

  TopData<S> top_;
};

}  // namespace

void register_heavy_top(ProblemRegistry& registry) {
  ProblemInfo info;
  info.id = "heavy_top";
  info.summary = "heavy top about a fixed point, rotation in re-based increments";
  info.source = "[bruels2010], section 5";
  info.equations =
      "m x'' + ... = -m g e_z, J Omega' + Omega x J Omega + ... = 0, -x + R X = 0; chart: R = R(g) "
      "R_ref, Cayley-Gibbs-Rodrigues; shown as x, rotation vector of R, x', Omega (body frame)";
  info.parameters = {{"coordinates", Parameter::Type::word, "chart", "chart | quaternion"}};
  registry.add(info, [](const Arguments& arguments, ProblemData& data) {
    const char* source = "Brüls & Cardona 2010";
    const TopData<wide> top{data("m", 15, "kg", source),
                            data("g, along -z", "9.81", "m/s^2", source),
                            data("J, diagonal about the mass centre",
                                 {"0.234375", "0.46875", "0.234375"}, "kg m^2", source),
                            data("X, mass centre in the body frame", {0, 1, 0}, "m", source),
                            data("Omega(0), from R(0) = I", {0, 150, "-4.61538"}, "rad/s", source)};
    Problem problem;
    const MechanismMakers flat =
        model_makers<TopInQuaternions>([=]<class S>() { return TopInQuaternions<S>(top.in<S>()); });
    if (arguments.word("coordinates", {"chart", "quaternion"}) == "quaternion") {
      problem.absolute = flat;
      return problem;
    }
    problem.absolute =
        model_makers<TopOnChart>([=]<class S>() { return TopOnChart<S>(top.in<S>()); });
    problem.series = flat;
    return problem;
  });
}

}  // namespace daemark
