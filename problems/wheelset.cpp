// A wheelset on straight track ([simeon1991]; IVP Test
// Set [mazzia2008]): conical wheels on circular rails, held by springs of a bogie that runs at V.
// Coordinates: x, y, z of the axle's centre (across, up, along), θ (yaw), φ (roll), β (the angle by
// which it has turned more than V t/r), and of each contact the angle ψ and the place ξ on the
// wheel (left ξ > 0, right ξ < 0). With R(ξ) = r + tan δ0 (a − |ξ|) of the wheel and
//   g(x) = √(r_s² − (|x| − a − r_s sin δ0)²) − r − r_s cos δ0    of the rail,
//   x_c = x + ξ cos θ cos φ + R (cos θ sin φ cos ψ − sin θ sin ψ)
// each contact has one row of touch and two of parallel normals,
//   g(x_c) − y − ξ sin φ + R cos φ cos ψ = 0,
//   g'(x_c)(R' sin φ + cos φ cos ψ) + R' cos θ cos φ − cos θ sin φ cos ψ + sin θ sin ψ = 0,
//   R' sin θ cos φ − sin θ sin φ cos ψ − cos θ sin ψ = 0.
// ψ and ξ have no mass: the multipliers of the parallel normals vanish, since touch does not depend
// on ψ, ξ where normals are parallel. Creep forces T between wheel and rail (Jaschinski's form of
// Kalker's law: a hyperbolic tangent, cut off at friction) depend on the normal forces N, which
// follow from the multipliers of touch: forces of multipliers, no mechanism of its own matrices.
//
// With the Test Set. Its contact coordinates are algebraic unknowns, and its index-2 form has rows
// ∂φ/∂p·v: `index2` is that with the rows of the normals differentiated too. Its equation of θ is
// this one without its part of spin, over cos φ; its torque of the rails there is that of the
// coordinate θ without that cos φ, kept here (1e-6 of it). It writes + λ, in 1e4: λ = −1e4 λ there.
// π of the contact ellipse is 3.1415926, as printed.
//
// Start. Printed with 5 digits: x, z, θ and rest are taken; y, φ, ψ, ξ follow from the rows, λ from
// the equations of motion. The wheels slide at first, until 2.5 ms, and reach the cut-off some 220
// times until 10 s: the motion has kinks from its beginning, which no order of a method crosses
// unseen (outputs friction_left and friction_right, 1 there).
#include <tuple>

#include "base/linear/dense_solve.hpp"
#include "problems/system/model_system.hpp"

namespace daemark {
namespace {

template <class S>
struct WheelsetData {
  S mass, gravity, speed, radius, J1, J2, friction, arm, springs_x, springs_z;
  S E, G, sigma, shear, C11, C22, C23, pi;
  S slope, half_width, rail, rail_sine, rail_cosine;  ///< of δ0: tangent, and r_s times the others
  std::array<S, 10> start;
  std::array<S, 2> touch;  ///< multipliers of touch at the start, nearly

  template <class R>
  WheelsetData<R> in() const {
    const auto to = [](const S& x) { return from_wide<R>(x); };
    WheelsetData<R> out{to(mass),
                        to(gravity),
                        to(speed),
                        to(radius),
                        to(J1),
                        to(J2),
                        to(friction),
                        to(arm),
                        to(springs_x),
                        to(springs_z),
                        to(E),
                        to(G),
                        to(sigma),
                        to(shear),
                        to(C11),
                        to(C22),
                        to(C23),
                        to(pi),
                        to(slope),
                        to(half_width),
                        to(rail),
                        to(rail_sine),
                        to(rail_cosine),
                        {},
                        {}};
    for (int i = 0; i < 10; ++i) out.start[i] = to(start[i]);
    for (int i = 0; i < 2; ++i) out.touch[i] = to(touch[i]);
    return out;
  }
};

template <class S>
struct WheelsetModel {
  static constexpr int n = 10, m = 6;
  enum Coordinate { x, y, z, theta, phi, beta, psi_left, xi_left, psi_right, xi_right };
  WheelsetData<S> d;

  static std::vector<Quantity> coordinates() {
    return {{"x", "m"},           {"y", "m"},       {"z", "m"},          {"theta", "rad"},
            {"phi", "rad"},       {"beta", "rad"},  {"psi_left", "rad"}, {"xi_left", "m"},
            {"psi_right", "rad"}, {"xi_right", "m"}};
  }
  static std::vector<Quantity> rows() {
    return {{"lambda_left", "m"}, {"lambda_right", "m"}, {"normal_left", "1"},
            {"skew_left", "1"},   {"normal_right", "1"}, {"skew_right", "1"}};
  }
  /// From behind; the lateral motion is some millimetres, as it is.
  Drawing drawing() const {
    using Kind = DrawnShape::Kind;
    Drawing drawing;
    const WheelsetModel<double> model{narrow()};
    drawing.shapes = [model](double, const double* q) {
      const WheelsetData<double>& d = model.d;
      const auto at = [q](double along, double up) {
        return SpacePoint{q[x] + along * std::cos(q[phi]) - up * std::sin(q[phi]),
                          q[y] + along * std::sin(q[phi]) + up * std::cos(q[phi]), 0};
      };
      std::vector<DrawnShape> shapes;
      constexpr double half_wheel = 0.05;
      for (const int side : {1, -1}) {
        std::vector<SpacePoint> rail;
        for (int i = -10; i <= 10; ++i) {
          const double across = side * (d.half_width + d.rail_sine + 0.09 * d.rail * i);
          rail.push_back({across, model.rail(side, across)[0], 0});
        }
        const double inner = d.half_width - half_wheel, outer = d.half_width + half_wheel,
                     at_inner = d.radius + d.slope * half_wheel,
                     at_outer = d.radius - d.slope * half_wheel;
        shapes.push_back({Kind::ground, rail});
        shapes.push_back(
            {Kind::body,
             {at(side * inner, -at_inner), at(side * outer, -at_outer), at(side * outer, at_outer),
              at(side * inner, at_inner), at(side * inner, -at_inner)}});
      }
      shapes.push_back({Kind::body, {at(-d.half_width, 0), at(d.half_width, 0)}});
      shapes.push_back({Kind::mass, {at(0, 0)}});
      shapes.push_back({Kind::traced, {at(d.half_width + half_wheel, 0)}});
      return shapes;
    };
    return drawing;
  }

  template <class T>
  void mass(const T* q, T* M) const {
    using std::cos;
    using std::sin;
    const T s = sin(q[phi]), c = cos(q[phi]);
    std::fill_n(M, n * n, T(S(0)));
    for (const int i : {x, y, z}) M[n * i + i] = T(d.mass);
    M[n * theta + theta] = T(d.J2) * c * c + T(d.J1) * s * s;
    M[n * phi + phi] = T(d.J2);
    M[n * beta + beta] = T(d.J1);
    M[n * theta + beta] = M[n * beta + theta] = T(d.J1) * s;
  }

  template <class T>
  void force(const T&, const T* q, const T* v, const T* lambda, T* f) const {
    using std::cos;
    using std::sin;
    const T s = sin(q[phi]), c = cos(q[phi]), spin = T(S(d.speed / d.radius)) + v[beta];
    const Contact<T> left(*this, 1, q), right(*this, -1, q);
    const auto [N_left, N_right] = normal_forces(left, right, lambda);
    const auto T_left = creep_force(left, q, v, N_left),
               T_right = creep_force(right, q, v, N_right);
    const auto moment_left = left.moments(T_left), moment_right = right.moments(T_right);
    std::array<T, 3> moment;
    for (int i = 0; i < 3; ++i) moment[i] = moment_left[i] + moment_right[i];
    const T difference(S(d.J1 - d.J2)), J1(d.J1), J2(d.J2);
    const T suspension = -T(S(2 * d.arm * d.arm * d.springs_z)) * q[theta];
    const T yaw = J2 * v[theta] * v[phi] * s - J1 * spin * v[phi] -
                  difference * v[theta] * s * v[phi] + moment[0] + c * suspension,
            turn = moment[2] + s * suspension - J1 * v[theta] * v[phi] * c;
    f[x] = T_left[0] + T_right[0] - T(S(2 * d.springs_x)) * q[x];
    f[y] = T_left[1] + T_right[1] - T(S(d.mass * d.gravity));
    f[z] = T_left[2] + T_right[2] - T(S(2 * d.springs_z)) * q[z];
    f[theta] = c * yaw + s * turn +
               (T(S(1)) - c) * (left.by_theta * lambda[0] + right.by_theta * lambda[1]);
    f[phi] = J1 * spin * v[theta] * c + difference * v[theta] * s * v[theta] * c + moment[1];
    f[beta] = turn;
    for (int i = psi_left; i < n; ++i) f[i] = T(S(0));
  }
  static std::vector<OutputInfo> outputs() {
    return {{"friction_left", "creep force over what friction allows, cut off at 1", "1"},
            {"friction_right", "the same on the right", "1"}};
  }
  void output_values(const MotionPoint<S>& p, S* asked) const {
    const Contact<S> left(*this, 1, p.q), right(*this, -1, p.q);
    const auto [N_left, N_right] = normal_forces(left, right, p.lambda);
    asked[0] = creep(left, p.q, p.v, N_left).asked;
    asked[1] = creep(right, p.q, p.v, N_right).asked;
  }
  void multipliers(S* lambda) const {
    std::fill_n(lambda, m, S(0));
    lambda[0] = d.touch[0], lambda[1] = d.touch[1];
  }

  template <class T>
  void constraint(const T&, const T* q, T* row) const {
    for (const int side : {1, -1}) {
      const Contact<T> contact(*this, side, q);
      row[side > 0 ? 0 : 1] = contact.touch;
      row[side > 0 ? 2 : 4] = contact.normal;
      row[side > 0 ? 3 : 5] = contact.skew;
    }
  }
  /// Of the motion besides the steady rolling.
  template <class T>
  T kinetic(const T* q, const T* v) const {
    std::array<T, n * n> M;
    mass(q, M.data());
    T sum(S(0));
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) sum += M[n * i + j] * v[i] * v[j];
    return sum / T(S(2));
  }
  template <class T>
  T potential(const T&, const T* q) const {
    return T(S(d.mass * d.gravity)) * q[y] + T(d.springs_x) * q[x] * q[x] +
           T(d.springs_z) * (q[z] * q[z] + T(S(d.arm * d.arm)) * q[theta] * q[theta]);
  }
  /// Of creep, and of what keeps the bogie at V: vᵀ(f + ∇V) + ½ vᵀṀv.
  S damping_power(const S* q, const S* v, const S* lambda) const {
    using D = Dual<S, 1>;
    std::array<D, n> moving, fixed;
    std::array<S, n> f;
    for (int i = 0; i < n; ++i)
      moving[i] = D::variable(q[i], 0), moving[i].grad[0] = v[i], fixed[i] = D(v[i]);
    force(S(0), q, v, lambda, f.data());
    S sum =
        kinetic(moving.data(), fixed.data()).grad[0] + potential(D(S(0)), moving.data()).grad[0];
    for (int i = 0; i < n; ++i) sum += v[i] * f[i];
    return sum;
  }

  /// Of the printed start x, z, θ; the rest by Newton's iteration on the rows.
  template <class T>
  void initial(T* q, T* v) const {
    constexpr std::array<int, m> unknown{y, phi, psi_left, xi_left, psi_right, xi_right};
    using D = Dual<S, m>;
    std::array<S, n> at = d.start;
    constexpr int rounds = 8;
    for (int round = 0; round < rounds; ++round) {
      std::array<D, n> moved;
      std::array<D, m> row;
      for (int i = 0; i < n; ++i) moved[i] = D(at[i]);
      for (int k = 0; k < m; ++k) moved[unknown[k]] = D::variable(at[unknown[k]], k);
      constraint(D(S(0)), moved.data(), row.data());
      std::vector<std::vector<S>> matrix(m, std::vector<S>(m));
      std::vector<S> change(m);
      for (int r = 0; r < m; ++r) {
        change[r] = row[r].value;
        for (int k = 0; k < m; ++k) matrix[r][k] = row[r].grad[k];
      }
      solve_dense(matrix, change, [](const auto& a, std::size_t k) {
        std::size_t best = k;
        for (std::size_t i = k + 1; i < a.size(); ++i)
          if (abs_of(a[i][k]) > abs_of(a[best][k])) best = i;
        return best;
      });
      for (int k = 0; k < m; ++k) at[unknown[k]] -= change[k];
    }
    for (int i = 0; i < n; ++i) q[i] = T(at[i]), v[i] = T(S(0));
  }

 private:
  template <class>
  friend struct WheelsetModel;

  static double abs_of(const S& value) { return std::abs(to_double(value)); }

  /// g, g', g'' at a place of the left (1) or right (−1) rail.
  template <class T>
  std::array<T, 3> rail(int side, const T& across) const {
    using std::sqrt;
    const T sign(S{static_cast<double>(side)}), inner(S(d.half_width + d.rail_sine)),
        square(S(d.rail * d.rail)), from = sign * across - inner,
                                    height = sqrt(T(square - from * from));
    return {height - T(S(d.radius + d.rail_cosine)), -(sign * from) / height,
            -square / (height * height * height)};
  }

  template <class T>
  struct Contact {
    int side;
    T sin_theta, cos_theta, sin_phi, cos_phi, sin_psi, cos_psi, xi;
    T radius, slope;          ///< R, R'
    T rail_slope, rail_bend;  ///< g', g''
    T touch, normal, skew;    ///< the rows
    T by_x, by_theta;         ///< ∂touch/∂x, ∂touch/∂θ
    T sin_delta, cos_delta;   ///< of the contact plane

    Contact(const WheelsetModel& model, int of_side, const T* q) : side(of_side) {
      using std::cos;
      using std::sin;
      using std::sqrt;
      const T* const own = q + (side > 0 ? psi_left : psi_right);
      const WheelsetData<S>& d = model.d;
      const T sign(S{static_cast<double>(side)}), one(S(1));
      sin_theta = sin(q[theta]), cos_theta = cos(q[theta]);
      sin_phi = sin(q[phi]), cos_phi = cos(q[phi]);
      sin_psi = sin(own[0]), cos_psi = cos(own[0]), xi = own[1];
      radius = T(d.radius) + T(d.slope) * (T(d.half_width) - sign * xi);
      slope = -sign * T(d.slope);
      const T across = q[x] + xi * cos_theta * cos_phi +
                       radius * (cos_theta * sin_phi * cos_psi - sin_theta * sin_psi);
      const auto [height, rise, bend] = model.rail(side, across);
      rail_slope = rise, rail_bend = bend;
      touch = height - q[y] - xi * sin_phi + radius * cos_phi * cos_psi;
      const T up = slope * sin_phi + cos_phi * cos_psi,
              over = (slope * cos_phi - sin_phi * cos_psi) * cos_theta + sin_psi * sin_theta;
      normal = rise * up + over;
      skew = (slope * cos_phi - sin_phi * cos_psi) * sin_theta - cos_theta * sin_psi;
      by_x = rise;
      by_theta = -rise * (radius * (cos_theta * sin_psi + cos_psi * sin_phi * sin_theta) +
                          cos_phi * sin_theta * xi);
      const T tangent = -sign * over / up;
      cos_delta = one / sqrt(T(one + tangent * tangent));
      sin_delta = tangent * cos_delta;
    }

    /// About the axes of yaw, roll and spin, of a force (x, y, z) in the contact.
    std::array<T, 3> moments(const std::array<T, 3>& force) const {
      const T &a = force[0], &b = force[1], &c = force[2];
      return {-(xi * sin_theta + radius * sin_psi * cos_theta * cos_phi) * a -
                  radius * sin_psi * sin_phi * b +
                  (radius * sin_psi * sin_theta * cos_phi - xi * cos_theta) * c,
              (radius * cos_psi * cos_phi - xi * sin_phi) * (cos_theta * a - sin_theta * c) +
                  (xi * cos_phi + radius * cos_psi * sin_phi) * b,
              radius * (sin_psi * cos_phi * b -
                        (cos_psi * sin_theta + sin_psi * cos_theta * sin_phi) * a -
                        (cos_psi * cos_theta - sin_psi * sin_theta * sin_phi) * c)};
    }
  };

  /// Left and right, from (0, 0) = Σ of their components and the rails' forces on x and y.
  template <class T>
  static std::array<T, 2> normal_forces(const Contact<T>& left, const Contact<T>& right,
                                        const T* lambda) {
    const T across = -(left.by_x * lambda[0] + right.by_x * lambda[1]), up = lambda[0] + lambda[1],
            determinant = -(left.sin_delta * right.cos_delta + right.sin_delta * left.cos_delta);
    return {(right.cos_delta * across - right.sin_delta * up) / determinant,
            -(left.cos_delta * across + left.sin_delta * up) / determinant};
  }

  /// Half the size of the contact ellipse, from the curvatures of wheel and rail.
  template <class T>
  T ellipse(const Contact<T>& at, const T& N) const {
    using std::sqrt;
    const T one(S(1)), half(S(1) / S(2));
    const T rolling = half / (at.radius * sqrt(T(one + at.slope * at.slope))),
            steep = one + at.rail_slope * at.rail_slope,
            across = -half * at.rail_bend / (steep * sqrt(steep));
    return cube_root(T(T(S(3 * (1 - d.sigma) * d.E)) * size_of(N) /
                       (T(S(2 * d.pi)) * (rolling + across) * T(S(d.shear * sqrt(d.G))))));
  }

  /// Along, across and turning: velocities in the contact over that of rolling. The wheel is turned
  /// by θ / cos δ, with sine s and cosine c.
  template <class T>
  std::array<T, 3> creepages(const Contact<T>& at, const T* q, const T* v, const T& s,
                             const T& c) const {
    using std::sqrt;
    const T two(S(2)), sign(S{static_cast<double>(at.side)}),
        spin = T(S(d.speed / d.radius)) + v[beta];
    const T lever = at.xi * at.sin_phi - at.radius * at.cos_phi * at.cos_psi,
            ahead =
                at.radius * (c * at.sin_phi * at.cos_psi - s * at.sin_psi) + at.xi * c * at.cos_phi,
            aside =
                at.radius * (s * at.sin_phi * at.cos_psi + c * at.sin_psi) + at.xi * s * at.cos_phi;
    const std::array<T, 3> slip{
        v[x] - spin * at.radius * (s * at.cos_psi + c * at.sin_phi * at.sin_psi) -
            v[theta] * aside - v[phi] * c * lever,
        v[y] + spin * at.radius * at.cos_phi * at.sin_psi +
            v[phi] * (at.xi * at.cos_phi + at.radius * at.sin_phi * at.cos_psi),
        v[z] + T(d.speed) - spin * at.radius * (c * at.cos_psi - s * at.sin_phi * at.sin_psi) -
            v[theta] * ahead + v[phi] * s * lever};
    const T r0 = slip[0] - two * v[x], r1 = slip[1] - two * v[y],
            r2 = slip[2] - two * v[z] - T(S(2 * d.speed));
    const T rolling = sqrt(T(r0 * r0 + r1 * r1 + r2 * r2)) / two;
    return {
        (s * slip[0] + c * slip[2]) / rolling,
        (c * at.cos_delta * slip[0] + sign * at.sin_delta * slip[1] - s * at.cos_delta * slip[2]) /
            rolling,
        (at.cos_delta * v[theta] - sign * at.sin_delta * spin) / rolling};
  }

  template <class T>
  struct Creep {
    T s, c;               ///< of θ / cos δ
    T forward, sideways;  ///< in the contact plane, before the cut-off
    T asked;              ///< of friction: their sum over μ |N|
  };
  template <class T>
  Creep<T> creep(const Contact<T>& at, const T* q, const T* v, const T& N) const {
    using std::cos;
    using std::sin;
    using std::sqrt;
    using std::tanh;
    const T turned = q[theta] / at.cos_delta, s = sin(turned), c = cos(turned);
    const auto [along, across, turning] = creepages(at, q, v, s, c);
    const T axis = ellipse(at, N), most = T(d.friction) * N, stiff = T(d.shear) * axis * axis;
    const T forward = tanh(T(stiff * T(d.C11) * along / most)),
            sideways = tanh(T(stiff * (T(d.C22) * across + axis * T(d.C23) * turning) / most));
    return {s, c, -most * forward, -most * sideways,
            sqrt(T(forward * forward + sideways * sideways))};
  }

  /// (x, y, z) on the wheel.
  template <class T>
  std::array<T, 3> creep_force(const Contact<T>& at, const T* q, const T* v, const T& N) const {
    Creep<T> creep = this->creep(at, q, v, N);
    if (to_double(value_of(creep.asked)) > 1)
      creep.forward = creep.forward / creep.asked, creep.sideways = creep.sideways / creep.asked;
    return {creep.s * creep.forward + creep.c * at.cos_delta * creep.sideways,
            T(S{static_cast<double>(at.side)}) * at.sin_delta * creep.sideways,
            creep.c * creep.forward - creep.s * at.cos_delta * creep.sideways};
  }

  template <class T>
  static T size_of(const T& N) {
    return to_double(value_of(N)) < 0 ? -N : N;
  }
  static S cube_root(const S& x) {
    using std::exp;
    using std::log;
    return exp(S(log(x) / 3));
  }
  template <class T, int N>
  static Dual<T, N> cube_root(const Dual<T, N>& x) {
    const T root = cube_root(x.value);
    return x.chain(root, T(S(1)) / (T(S(3)) * root * root));
  }

  static const S& value_of(const S& number) { return number; }
  template <class T, int N>
  static const auto& value_of(const Dual<T, N>& number) {
    return value_of(number.value);
  }

  WheelsetData<double> narrow() const {
    if constexpr (std::is_same_v<S, double>)
      return d;
    else
      return {};
  }
};

}  // namespace

void register_wheelset(ProblemRegistry& registry) {
  ProblemInfo info;
  info.id = "wheelset";
  info.summary =
      "wheelset on rails: creep forces that depend on the normal forces, contacts as "
      "constraints";
  info.source = "[mazzia2008], wheelset; [simeon1991]";
  info.equations =
      "M a + G^T lambda = f(q, v, lambda), 10 coordinates of which the 4 of the contacts have no "
      "mass; of each contact a row of touch and two of parallel normals; creep forces by the "
      "normal "
      "forces, with a hyperbolic tangent, cut off at friction";
  registry.add(info, [](const Arguments&, ProblemData& data) {
    const char* source = "IVP Test Set";
    const auto [m, g, V, r] = std::tuple{
        wide(data("m_R", "16.08", "kg", source)), wide(data("g", "9.81", "m/s^2", source)),
        wide(data("v", 30, "m/s", source)), wide(data("r_n0", "1/10", "m", source))};
    const auto [J1, J2] = data("I_1, I_2", {"0.0605", "0.366"}, "kg m^2", source);
    const wide mu = data("mu", "0.12", "1", source), arm = data("x_l", "0.19", "m", source);
    const auto [cx, cz] = data("c_x, c_z", {6400, 6400}, "N/m", source);
    const auto [E, G] = data("E, G of the ellipse", {"1.3537956", "0.7115218"}, "1", source);
    const wide sigma = data("sigma", "0.28", "1", source);
    const wide shear = data("G M", "7.92e10", "N/m^2", source);
    const auto [C11, C22, C23] =
        data("C_11, C_22, C_23", {"4.72772197", "4.27526987", "1.97203505"}, "1", source);
    const wide pi = data("pi of the ellipse", "3.1415926", "1", source);
    const wide cone = data("delta_0", "0.0262", "rad", source);
    const wide half = data("a_r", "0.1506", "m", source), rail = data("r_s", "0.06", "m", source);
    const auto [x, z] = data("x(0), z(0)", {"1.4941e-3", "1.1241e-6"}, "m", source);
    const wide theta = data("theta(0)", "-2.8573e-4", "rad", source);
    // Where Newton's iterations begin: as printed.
    const WheelsetData<wide> d{
        m,
        g,
        V,
        r,
        J1,
        J2,
        mu,
        arm,
        cx,
        cz,
        E,
        G,
        sigma,
        shear,
        C11,
        C22,
        C23,
        pi,
        tan(cone),
        half,
        rail,
        rail * sin(cone),
        rail * cos(cone),
        {x, wide("4.0089e-7"), z, theta, wide("2.6459e-4"), wide(0), wide("7.56344e-6"),
         wide("0.14906"), wide("-7.41224e-6"), wide("-0.15214")},
        {wide("83.593"), wide("74.144")}};
    Problem problem;
    problem.absolute =
        model_makers<WheelsetModel>([=]<class S>() { return WheelsetModel<S>{d.in<S>()}; });
    return problem;
  });
}

}  // namespace daemark
