// Flyball governor (IFToMM library of multibody benchmarks, A05): a shaft spins freely about z; two
// rods with a ball at their ends are hinged to arms at its top, a slider moves along it, and a
// stiff spring with a damper joins the slider to the middle of each rod. No motor: the spin follows
// from the moment of momentum about z, which is kept.
//
// Minimal: spin ψ, height s, rods β1, β2 below the horizontal; M = diag(A(β1, β2), m_s, B, B),
//   V = K/2 Σ (d_i − L0)² + weights, d_i² = (½ L cos β_i)² + (L − ½ L sin β_i − s)².
// Its dampers decay at 2 C/m_s, some 27,000 1/s, from a start that they do not hold: every route to
// a reference has to resolve that. Series of the minimal form do in steps of a millisecond.
#include "base/numbers/jet.hpp"
#include "problems/mechanism/recorded_model.hpp"
#include "problems/spatial/spatial_mechanism.hpp"

namespace daemark {
namespace {

template <class S>
struct Governor {
  /// Hinges from the axis; rods; inertia about z of what turns as one; of a rod along and across
  /// it.
  S arm, length, upright, rod, along, across, ball, slider;
  S gravity, stiffness, damping, rest;
  S below, height, omega;  ///< at the start

  template <class R>
  Governor<R> in() const {
    const auto to = [](const S& x) { return from_wide<R>(x); };
    return {to(arm),     to(length), to(upright), to(rod),     to(along),
            to(across),  to(ball),   to(slider),  to(gravity), to(stiffness),
            to(damping), to(rest),   to(below),   to(height),  to(omega)};
  }
};

template <class S>
struct MinimalGovernor {
  static constexpr int n = 4, m = 0, n_ref = 24;
  Governor<S> d;

  static std::vector<Quantity> coordinates() {
    return {{"psi", "rad"}, {"s", "m"}, {"beta1", "rad"}, {"beta2", "rad"}};
  }
  static std::vector<Quantity> rows() { return {}; }

  template <class T>
  void mass(const T* q, T* M) const {
    std::fill_n(M, n * n, T(S(0)));
    M[0] = T(d.upright) + about_axis(q[2]) + about_axis(q[3]);
    M[5] = T(d.slider);
    M[10] = M[15] = T(S((d.rod / 4 + d.ball) * d.length * d.length + d.across));
  }
  template <class T>
  void force(const T&, const T* q, const T* v, T* f) const {
    f[0] = T(S(0)), f[1] = -T(S(d.slider * d.gravity));
    for (int i = 2; i < 4; ++i) {
      const Dual<T, 1> turned = about_axis(Dual<T, 1>::variable(q[i], 0));
      const auto gap = distance(q[i], q[1]);
      const T pull = T(d.stiffness) * (gap.value - T(d.rest)) +
                     T(d.damping) * (gap.grad[0] * v[i] + gap.grad[1] * v[1]);
      using std::cos;
      f[0] -= turned.grad[0] * v[i] * v[0];
      f[1] -= pull * gap.grad[1];
      f[i] = turned.grad[0] * v[0] * v[0] / T(S(2)) - pull * gap.grad[0] +
             T(S((d.rod / 2 + d.ball) * d.gravity * d.length)) * cos(q[i]);
    }
  }
  template <class T>
  void constraint(const T&, const T*, T*) const {}
  template <class T>
  T kinetic(const T* q, const T* v) const {
    std::array<T, n * n> M;
    mass(q, M.data());
    T sum(S(0));
    for (int i = 0; i < n; ++i) sum += M[(n + 1) * i] * v[i] * v[i];
    return sum / T(S(2));
  }
  /// The shaft's mass centre and the hinges keep their heights.
  template <class T>
  T potential(const T&, const T* q) const {
    using std::sin;
    T sum = T(S(d.slider * d.gravity)) * q[1];
    for (int i = 2; i < 4; ++i) {
      const T stretch = distance(q[i], q[1]).value - T(d.rest);
      sum += T(S(d.stiffness / 2)) * stretch * stretch -
             T(S((d.rod / 2 + d.ball) * d.gravity * d.length)) * sin(q[i]);
    }
    return sum;
  }
  S damping_power(const S* q, const S* v) const {
    S sum(0);
    for (int i = 2; i < 4; ++i) {
      const auto gap = distance(q[i], q[1]);
      const S rate = gap.grad[0] * v[i] + gap.grad[1] * v[1];
      sum -= d.damping * rate * rate;
    }
    return sum;
  }
  template <class T>
  void initial(T* q, T* v) const {
    q[0] = T(S(0)), q[1] = T(d.height), q[2] = q[3] = T(d.below);
    v[0] = T(d.omega), v[1] = v[2] = v[3] = T(S(0));
  }
  /// Shaft, slider, rods: position and rotation vector, velocity and spin in the body's frame.
  void to_reference(const S* q, const S* v, S* q_ref, S* v_ref) const {
    using namespace rotation;
    const S pi(boost::math::constants::pi<wide>());
    const Quaternion<S> spun = turn(q[0], 3);
    const auto write = [&](const Vec3<S>& x, const Vec3<S>& rate, const Quaternion<S>& p,
                           const Vec3<S>& spin) {
      const Vec3<S> psi = logarithm(p);
      for (const auto& [from, to] : {std::pair(&x, q_ref), std::pair(&psi, q_ref + 3),
                                     std::pair(&rate, v_ref), std::pair(&spin, v_ref + 3)})
        std::copy(from->begin(), from->end(), to);
      q_ref += 6, v_ref += 6;
    };
    const S zero(0);
    write({zero, zero, S(d.length / 2)}, {zero, zero, zero}, spun, {zero, zero, v[0]});
    write({zero, zero, q[1]}, {zero, zero, v[1]}, spun, {zero, zero, v[0]});
    for (int i = 2; i < 4; ++i) {
      using std::cos;
      using std::sin;
      const S out(i == 2 ? 1 : -1), c = cos(q[i]), s = sin(q[i]), half = d.length / 2;
      const S radius = out * (d.arm + half * c), inwards = -out * half * s * v[i];
      const Quaternion<S> tilt = turn(i == 2 ? q[i] : S(pi - q[i]), 2);
      Vec3<S> spin = rotate(conjugate(tilt), Vec3<S>{zero, zero, v[0]});
      spin[1] += out * v[i];
      write(rotate(spun, Vec3<S>{radius, zero, S(d.length - half * s)}),
            rotate(spun, Vec3<S>{inwards, S(radius * v[0]), S(-half * c * v[i])}),
            product(spun, tilt), spin);
    }
  }

 private:
  /// Of a rod with its ball, about z.
  template <class T>
  T about_axis(const T& beta) const {
    using std::cos;
    using std::sin;
    const T c = cos(beta), s = sin(beta), middle = T(d.arm) + T(S(d.length / 2)) * c,
            end = T(d.arm) + T(d.length) * c;
    return T(d.rod) * middle * middle + T(d.ball) * end * end + T(d.along) * s * s +
           T(d.across) * c * c;
  }
  /// d and its derivatives by β and s.
  template <class T>
  Dual<T, 2> distance(const T& at_beta, const T& at_s) const {
    using D = Dual<T, 2>;
    const D beta = D::variable(at_beta, 0), s = D::variable(at_s, 1);
    const D across = D(T(S(d.length / 2))) * cos(beta),
            down = D(T(d.length)) - D(T(S(d.length / 2))) * sin(beta) - s;
    return sqrt(across * across + down * down);
  }
  static rotation::Quaternion<S> turn(const S& angle, int axis) {
    using std::cos;
    using std::sin;
    rotation::Quaternion<S> p{cos(S(angle / 2)), S(0), S(0), S(0)};
    p[axis] = sin(S(angle / 2));
    return p;
  }
};

/// Of a box with sides a, b, c about its centre.
Inertia box(const wide& mass, const wide& a, const wide& b, const wide& c) {
  const auto about = [&](const wide& x, const wide& y) {
    return Exact(mass * (x * x + y * y) / 12);
  };
  return {about(b, c), about(c, a), about(a, b)};
}

Problem governor_of(ProblemData& data) {
  using std::cos, std::sin;
  const char* source = "IFToMM benchmark A05";
  SpatialMechanism m;
  const wide g = data("g, along -z", "9.81", "m/s^2", source);
  m.gravity({0, 0, -g});
  const auto [length, side, cube] =
      data("shaft and rods: length, side; slider: side", {1, "0.01", "0.1"}, "m", source);
  const wide density = data("density", 3000, "kg/m^3", source),
             ball = data("ball, a point mass", 5, "kg", source),
             arm = data("hinges and springs from the axis", "0.05", "m", source),
             below = data("rods below the horizontal, at the start", "pi/6", "rad", source),
             height = data("s(0), of the slider", "0.5", "m", source),
             omega = data("omega(0)", "2*pi", "rad/s", source), K = data("K", "8e5", "N/m", source),
             C = data("C", "4e4", "N s/m", source),
             L0 = data("L0, of the springs", "0.5", "m", source);
  const wide mass = density * length * side * side;
  const Vector z{0, 0, 1}, y{0, 1, 0}, spin{0, 0, omega};

  const int shaft = m.body("shaft", mass, box(mass, side, side, length),
                           {.position = {0, 0, length / 2}, .spin = spin});
  const wide slider_mass = density * cube * cube * cube;
  const int slider = m.body("slider", slider_mass, box(slider_mass, cube, cube, cube),
                            {.position = {0, 0, height}, .spin = spin});
  m.revolute(SpatialMechanism::ground, shaft, {0, 0, 0}, z);
  m.prismatic(shaft, slider, {0, 0, height}, z);

  std::array<int, 2> rods{};
  for (int i = 0; i < 2; ++i) {
    const wide out = i == 0 ? 1 : -1, x = out * (arm + length / 2 * cos(below));
    const Vector middle{x, 0, length - length / 2 * sin(below)};
    rods[i] = m.body(i == 0 ? "rod1" : "rod2", mass, box(mass, length, side, side),
                     {.position = middle,
                      .orientation = Orientation::axes({out * cos(below), 0, -sin(below)}, y),
                      .velocity = {0, omega * x, 0},
                      .spin = spin});
    m.inertia(rods[i], ball, {0, 0, 0}, {length / 2, 0, 0});
    m.revolute(shaft, rods[i], {out * arm, 0, length}, y);
    const Vector on_slider{out * arm, 0, height};
    m.spring(slider, on_slider, rods[i], middle, K, L0), m.stiff();
    m.damper(slider, on_slider, rods[i], middle, C), m.stiff();
  }

  m.output("s", "height of the slider", "m",
           [slider](const auto& view) { return view.position(slider)[2]; });
  m.output("v_s", "its velocity", "m/s",
           [slider](const auto& view) { return view.velocity(slider)[2]; });
  m.output("omega", "spin of the shaft", "rad/s",
           [shaft](const auto& view) { return view.spin(shaft)[2]; });
  Problem problem = m.problem("flyball_governor");
  const wide square = side * side, round = (mass * square + slider_mass * cube * cube) / 6;
  const Governor<wide> minimal{arm,
                               length,
                               round,
                               mass,
                               wide(mass * square / 6),
                               wide(mass * (length * length + square) / 12),
                               ball,
                               slider_mass,
                               g,
                               K,
                               C,
                               L0,
                               below,
                               height,
                               omega};
  problem.minimal = problem.series =
      model_makers<MinimalGovernor>([=]<class S>() { return MinimalGovernor<S>{minimal.in<S>()}; });
  return problem;
}

}  // namespace

void register_flyball_governor(ProblemRegistry& registry) {
  ProblemInfo info;
  info.id = "flyball_governor";
  info.summary = "flyball governor: a spinning shaft, two hinged rods with balls, a sprung slider";
  info.source = "IFToMM library of multibody benchmarks ([gonzalez2006]), A05";
  info.equations =
      "x, y, z and Cayley-Gibbs-Rodrigues increments of shaft, slider and two rods (each with its "
      "ball); revolute on the ground and at the rods, prismatic between shaft and slider; "
      "K (d - L0) + C d' between slider and the middle of each rod";
  registry.add(info, [](const Arguments&, ProblemData& data) { return governor_of(data); });
}

}  // namespace daemark
