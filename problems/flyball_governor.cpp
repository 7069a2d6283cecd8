// Flyball governor (IFToMM library of multibody benchmarks, A05): a shaft spins freely about z; two
// rods with a ball at their ends are hinged to arms at its top, a slider moves along it, and a
// stiff spring with a damper joins the slider to the middle of each rod. No motor: the spin follows
// from the moment of momentum about z, which is kept.
//
// Minimal: spin ψ, height s, rods β1, β2 below the horizontal; M = diag(A(β1, β2), m_s, B, B),
//   V = K/2 Σ (d_i − L0)² + weights, d_i² = (½ L cos β_i)² + (L − ½ L sin β_i − s)².
// Its dampers decay at 2 C/m_s, some 27,000 1/s, from a start that they do not hold: every route to
// a reference has to resolve that. Series of the minimal form do in steps of a millisecond.
#include "problems/mechanism/recorded_model.hpp"
#include "problems/spatial/spatial_mechanism.hpp"

namespace daemark {
namespace {

struct Governor {
  /// Hinges from the axis; rods; inertia about z of what turns as one; of a rod along and across
  /// it.
  wide arm, length, upright, rod, along, across, ball, slider;
  wide gravity, stiffness, damping, rest;
  wide below, height, omega;  ///< at the start
};

struct MinimalGovernor {
  static constexpr int n = 4, m = 0, n_ref = 24;
  Governor d;

  static std::vector<Quantity> coordinates() {
    return {{"psi", "rad"}, {"s", "m"}, {"beta1", "rad"}, {"beta2", "rad"}};
  }
  static std::vector<Quantity> rows() { return {}; }

  void mass(const Var* q, Var* M) const {
    M[0] = about_axis(q);
    M[5] = d.slider;
    M[10] = M[15] = (d.rod / 4 + d.ball) * d.length * d.length + d.across;
  }
  void force(const Var&, const Var* q, const Var* v, Var* f) const {
    f[1] = -d.slider * d.gravity;
    const std::vector<Var> turned = graph::gradient(about_axis(q), {q, q + n});
    for (const int rod : {2, 3}) {
      const Gap gap = between(q, v, rod);
      const Var pull = d.stiffness * (gap.length - d.rest) + d.damping * gap.rate;
      f[0] -= turned[rod] * v[rod] * v[0];
      f[1] -= pull * gap.by_s;
      f[rod] = turned[rod] * v[0] * v[0] / 2 - pull * gap.by_beta + moment() * cos(q[rod]);
    }
  }
  void constraint(const Var&, const Var*, Var*) const {}
  /// The shaft's mass centre and the hinges keep their heights.
  Var potential(const Var&, const Var* q) const {
    Var sum = d.slider * d.gravity * q[1];
    for (const int rod : {2, 3}) {
      const Var stretch = distance(q[rod], q[1]) - d.rest;
      sum += d.stiffness / 2 * stretch * stretch - moment() * sin(q[rod]);
    }
    return sum;
  }
  Var damping_power(const Var* q, const Var* v) const {
    Var sum;
    for (const int rod : {2, 3}) sum -= d.damping * square(between(q, v, rod).rate);
    return sum;
  }
  void initial(Var* q, Var* v) const {
    q[1] = d.height, q[2] = q[3] = d.below;
    v[0] = d.omega;
  }
  /// Shaft, slider, rods: position and rotation vector, velocity and spin in the body's frame.
  void to_reference(const Var* q, const Var* v, Var* q_ref, Var* v_ref) const {
    using namespace rotation;
    const wide& pi = boost::math::constants::pi<wide>();
    const Quaternion<Var> spun = turn(q[0], 3);
    const auto write = [&](const Vec3<Var>& x, const Vec3<Var>& rate, const Quaternion<Var>& p,
                           const Vec3<Var>& spin) {
      const Vec3<Var> psi = logarithm(p);
      for (const auto& [from, to] : {std::pair(&x, q_ref), std::pair(&psi, q_ref + 3),
                                     std::pair(&rate, v_ref), std::pair(&spin, v_ref + 3)})
        std::copy(from->begin(), from->end(), to);
      q_ref += 6, v_ref += 6;
    };
    write({0, 0, d.length / 2}, {}, spun, {0, 0, v[0]});
    write({0, 0, q[1]}, {0, 0, v[1]}, spun, {0, 0, v[0]});
    for (const int rod : {2, 3}) {
      const wide out = rod == 2 ? 1 : -1, half = d.length / 2;
      const Var c = cos(q[rod]), s = sin(q[rod]), radius = out * (d.arm + half * c),
                inwards = -out * half * s * v[rod];
      const Quaternion<Var> tilt = turn(rod == 2 ? q[rod] : pi - q[rod], 2);
      Vec3<Var> spin = rotate(conjugate(tilt), Vec3<Var>{0, 0, v[0]});
      spin[1] += out * v[rod];
      write(rotate(spun, Vec3<Var>{radius, 0, d.length - half * s}),
            rotate(spun, Vec3<Var>{inwards, radius * v[0], -half * c * v[rod]}),
            product(spun, tilt), spin);
    }
  }

 private:
  /// Inertia about z.
  Var about_axis(const Var* q) const {
    Var sum = d.upright;
    for (const int rod : {2, 3}) {
      const Var c = cos(q[rod]), s = sin(q[rod]), middle = d.arm + d.length / 2 * c,
                end = d.arm + d.length * c;
      sum += d.rod * middle * middle + d.ball * end * end + d.along * s * s + d.across * c * c;
    }
    return sum;
  }
  /// From the slider to the middle of a rod.
  Var distance(const Var& beta, const Var& s) const {
    const Var across = d.length / 2 * cos(beta), down = d.length - d.length / 2 * sin(beta) - s;
    return sqrt(across * across + down * down);
  }
  struct Gap {
    Var length, rate, by_s, by_beta;
  };
  Gap between(const Var* q, const Var* v, int rod) const {
    const Var length = distance(q[rod], q[1]);
    const std::vector<Var> by = graph::gradient(length, {q[1], q[rod]});
    return {length, by[1] * v[rod] + by[0] * v[1], by[0], by[1]};
  }
  /// Of the weights of a rod and its ball, about the hinge, of a level rod.
  wide moment() const { return (d.rod / 2 + d.ball) * d.gravity * d.length; }
  static rotation::Quaternion<Var> turn(const Var& angle, int axis) {
    rotation::Quaternion<Var> p{cos(angle / 2)};
    p[axis] = sin(angle / 2);
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

/// Sides of the slider's cube and of the sections of shaft and rods [m].
struct Sides {
  wide cube, section;
};

/// The numbers of the benchmark.
std::pair<Governor, Sides> governor_data(ProblemData& data) {
  const char* source = "IFToMM benchmark A05";
  Governor d;
  d.gravity = data("g, along -z", "9.81", "m/s^2", source);
  const auto [length, side, cube] =
      data("shaft and rods: length, side; slider: side", {1, "0.01", "0.1"}, "m", source);
  const wide density = data("density", 3000, "kg/m^3", source);
  d.ball = data("ball, a point mass", 5, "kg", source);
  d.arm = data("hinges and springs from the axis", "0.05", "m", source);
  d.below = data("rods below the horizontal, at the start", "pi/6", "rad", source);
  d.height = data("s(0), of the slider", "0.5", "m", source);
  d.omega = data("omega(0)", "2*pi", "rad/s", source);
  d.stiffness = data("K", "8e5", "N/m", source), d.damping = data("C", "4e4", "N s/m", source);
  d.rest = data("L0, of the springs", "0.5", "m", source);
  d.length = length, d.rod = density * length * side * side;
  d.slider = density * cube * cube * cube;
  const wide square = side * side;
  d.upright = (d.rod * square + d.slider * cube * cube) / 6;
  d.along = d.rod * square / 6, d.across = d.rod * (length * length + square) / 12;
  return {d, {cube, side}};
}

Problem bodies_of(const Governor& d, const Sides& sides) {
  using std::cos, std::sin;
  SpatialMechanism m;
  m.gravity({0, 0, -d.gravity});
  const auto& [cube, side] = sides;
  const wide& length = d.length;
  const Vector z{0, 0, 1}, y{0, 1, 0}, spin{0, 0, d.omega};
  const int shaft = m.body("shaft", d.rod, box(d.rod, side, side, length),
                           {.position = {0, 0, length / 2}, .spin = spin});
  const int slider = m.body("slider", d.slider, box(d.slider, cube, cube, cube),
                            {.position = {0, 0, d.height}, .spin = spin});
  m.revolute(SpatialMechanism::ground, shaft, {0, 0, 0}, z);
  m.prismatic(shaft, slider, {0, 0, d.height}, z);
  for (int i = 0; i < 2; ++i) {
    const wide out = i == 0 ? 1 : -1, x = out * (d.arm + length / 2 * cos(d.below));
    const Vector middle{x, 0, length - length / 2 * sin(d.below)};
    const int rod =
        m.body(i == 0 ? "rod1" : "rod2", d.rod, box(d.rod, length, side, side),
               {.position = middle,
                .orientation = Orientation::axes({out * cos(d.below), 0, -sin(d.below)}, y),
                .velocity = {0, d.omega * x, 0},
                .spin = spin});
    m.inertia(rod, d.ball, {0, 0, 0}, {length / 2, 0, 0});
    m.revolute(shaft, rod, {out * d.arm, 0, length}, y);
    const Vector on_slider{out * d.arm, 0, d.height};
    m.spring(slider, on_slider, rod, middle, d.stiffness, d.rest), m.stiff();
    m.damper(slider, on_slider, rod, middle, d.damping), m.stiff();
  }
  m.output("s", "height of the slider", "m",
           [slider](const auto& view) { return view.position(slider)[2]; });
  m.output("v_s", "its velocity", "m/s",
           [slider](const auto& view) { return view.velocity(slider)[2]; });
  m.output("omega", "spin of the shaft", "rad/s",
           [shaft](const auto& view) { return view.spin(shaft)[2]; });
  return m.problem("flyball_governor");
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
  registry.add(info, [](const Arguments&, ProblemData& data) {
    const auto [governor, sides] = governor_data(data);
    Problem problem = bodies_of(governor, sides);
    problem.minimal = problem.series = model_makers(MinimalGovernor{governor});
    return problem;
  });
}

}  // namespace daemark
