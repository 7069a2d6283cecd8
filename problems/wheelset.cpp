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
// the equations of motion. The wheels slide at first, the left one until 2.2 ms, the right one
// until 4.6 ms, and reach the cut-off at least 90 times until 10 s (seen at every 0.1 ms): the
// motion has kinks from its beginning, which no order of a method crosses unseen (outputs
// friction_left and friction_right, 1 there).
#include "base/linear/dense_solve.hpp"
#include "problems/mechanism/recorded_model.hpp"
#include "problems/wheelset_contacts.hpp"

namespace daemark {
namespace wheelset {

struct WheelsetModel : Contacts {
  static constexpr int n = 10, m = 6;

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
    drawing.shapes = [model = *this](double, const double* q) {
      const double half_width = to_double(model.d.half_width), radius = to_double(model.d.radius),
                   slope = to_double(model.d.slope);
      const auto at = [q](double along, double up) {
        return SpacePoint{q[x] + along * std::cos(q[phi]) - up * std::sin(q[phi]),
                          q[y] + along * std::sin(q[phi]) + up * std::cos(q[phi]), 0};
      };
      std::vector<DrawnShape> shapes;
      constexpr double half_wheel = 0.05;
      for (const int side : {1, -1}) {
        std::vector<SpacePoint> rail;
        for (int i = -10; i <= 10; ++i) {
          const wide across =
              side * (model.d.half_width + model.d.rail_sine + 0.09 * model.d.rail * i);
          rail.push_back({to_double(across), double(model.rail(side, across)[0]), 0});
        }
        const double inner = half_width - half_wheel, outer = half_width + half_wheel,
                     at_inner = radius + slope * half_wheel, at_outer = radius - slope * half_wheel;
        shapes.push_back({Kind::ground, rail});
        shapes.push_back(
            {Kind::body,
             {at(side * inner, -at_inner), at(side * outer, -at_outer), at(side * outer, at_outer),
              at(side * inner, at_inner), at(side * inner, -at_inner)}});
      }
      shapes.push_back({Kind::body, {at(-half_width, 0), at(half_width, 0)}});
      shapes.push_back({Kind::mass, {at(0, 0)}});
      shapes.push_back({Kind::traced, {at(half_width + half_wheel, 0)}});
      return shapes;
    };
    return drawing;
  }

  void mass(const Var* q, Var* M) const {
    const Var s = sin(q[phi]), c = cos(q[phi]);
    for (const int i : {x, y, z}) M[n * i + i] = d.mass;
    M[n * theta + theta] = d.J2 * c * c + d.J1 * s * s;
    M[n * phi + phi] = d.J2;
    M[n * beta + beta] = d.J1;
    M[n * theta + beta] = M[n * beta + theta] = d.J1 * s;
  }

  void force(const Var&, const Var* q, const Var* v, const Var* lambda, Var* f) const {
    const Var s = sin(q[phi]), c = cos(q[phi]), spin = d.speed / d.radius + v[beta];
    const Contact left(*this, 1, q), right(*this, -1, q);
    const auto [N_left, N_right] = normal_forces(left, right, lambda);
    const auto T_left = creep_force(left, q, v, N_left),
               T_right = creep_force(right, q, v, N_right);
    const auto moment_left = left.moments(T_left), moment_right = right.moments(T_right);
    std::array<Var, 3> moment;
    for (int i = 0; i < 3; ++i) moment[i] = moment_left[i] + moment_right[i];
    const wide &J1 = d.J1, &J2 = d.J2, difference = J1 - J2;
    const Var suspension = -2 * d.arm * d.arm * d.springs_z * q[theta];
    const Var yaw = J2 * v[theta] * v[phi] * s - J1 * spin * v[phi] -
                    difference * v[theta] * s * v[phi] + moment[0] + c * suspension,
              turn = moment[2] + s * suspension - J1 * v[theta] * v[phi] * c;
    f[x] = T_left[0] + T_right[0] - 2 * d.springs_x * q[x];
    f[y] = T_left[1] + T_right[1] - wide(d.mass * d.gravity);
    f[z] = T_left[2] + T_right[2] - 2 * d.springs_z * q[z];
    f[theta] =
        c * yaw + s * turn + (1 - c) * (left.by_theta * lambda[0] + right.by_theta * lambda[1]);
    f[phi] = J1 * spin * v[theta] * c + difference * v[theta] * s * v[theta] * c + moment[1];
    f[beta] = turn;
  }
  static std::vector<OutputInfo> outputs() {
    return {{"friction_left", "creep force over what friction allows, cut off at 1", "1"},
            {"friction_right", "the same on the right", "1"}};
  }
  void output_values(const MotionPoint<Var>& p, Var* asked) const {
    const Contact left(*this, 1, p.q), right(*this, -1, p.q);
    const auto [N_left, N_right] = normal_forces(left, right, p.lambda);
    asked[0] = creep(left, p.q, p.v, N_left).asked;
    asked[1] = creep(right, p.q, p.v, N_right).asked;
  }
  void multipliers(Var* lambda) const { lambda[0] = d.touch[0], lambda[1] = d.touch[1]; }

  void constraint(const Var&, const Var* q, Var* row) const {
    for (const int side : {1, -1}) {
      const Contact contact(*this, side, q);
      row[side > 0 ? 0 : 1] = contact.touch;
      row[side > 0 ? 2 : 4] = contact.normal;
      row[side > 0 ? 3 : 5] = contact.skew;
    }
  }
  Var potential(const Var&, const Var* q) const {
    return d.mass * d.gravity * q[y] + d.springs_x * q[x] * q[x] +
           d.springs_z * (q[z] * q[z] + wide(d.arm * d.arm) * q[theta] * q[theta]);
  }
  /// Of creep, and of what keeps the bogie at V: vᵀ(f + ∇V) + ½ vᵀṀv.
  Var damping_power(const Var* q, const Var* v, const Var* lambda) const {
    std::vector<Var> f(n), stated(n * n);
    force(0, q, v, lambda, f.data());
    mass(q, stated.data());
    stated.push_back(potential(0, q));
    const std::vector<Var> rates = graph::directional(stated, {q, q + n}, {v, v + n});
    Var sum = rates.back();
    for (int i = 0; i < n; ++i) {
      sum += v[i] * f[i];
      for (int j = 0; j < n; ++j) sum += rates[n * i + j] * v[i] * v[j] / 2;
    }
    return sum;
  }

  /// Of the printed start x, z, θ; the rest by Newton's iteration on the rows.
  void initial(Var* q, Var*) const {
    constexpr std::array<int, m> unknown{y, phi, psi_left, xi_left, psi_right, xi_right};
    graph::Graph recorded;
    const std::vector<Var> at = recorded.inputs(n);
    std::vector<Var> functions(m), moved;
    constraint(0, at.data(), functions.data());
    for (const int i : unknown) moved.push_back(at[i]);
    const std::vector<graph::Entry> slopes = graph::jacobian(functions, moved);
    for (const graph::Entry& e : slopes) functions.push_back(e.value);
    std::copy(d.start.begin(), d.start.end(), q);
    constexpr int rounds = 8;
    for (int round = 0; round < rounds; ++round) {
      const std::vector<Var> values = recorded.call(functions, {q, q + n});
      std::vector<std::vector<wide>> matrix(m, std::vector<wide>(m, wide(0)));
      std::vector<wide> change;
      for (int r = 0; r < m; ++r) change.push_back(values[r].constant());
      for (std::size_t e = 0; e < slopes.size(); ++e)
        matrix[slopes[e].row][slopes[e].column] = values[m + e].constant();
      solve_dense(matrix, change, largest_pivot([](const wide& x) { return wide(abs(x)); }));
      for (int k = 0; k < m; ++k) q[unknown[k]] -= change[k];
    }
  }
};

WheelsetData data_of(ProblemData& data) {
  const char* source = "IVP Test Set";
  WheelsetData d;
  d.mass = data("m_R", "16.08", "kg", source), d.gravity = data("g", "9.81", "m/s^2", source);
  d.speed = data("v", 30, "m/s", source), d.radius = data("r_n0", "1/10", "m", source);
  const auto J = data("I_1, I_2", {"0.0605", "0.366"}, "kg m^2", source);
  d.J1 = J[0], d.J2 = J[1];
  d.friction = data("mu", "0.12", "1", source), d.arm = data("x_l", "0.19", "m", source);
  const auto springs = data("c_x, c_z", {6400, 6400}, "N/m", source);
  d.springs_x = springs[0], d.springs_z = springs[1];
  const auto ellipse = data("E, G of the ellipse", {"1.3537956", "0.7115218"}, "1", source);
  d.E = ellipse[0], d.G = ellipse[1];
  d.sigma = data("sigma", "0.28", "1", source);
  d.shear = data("G M", "7.92e10", "N/m^2", source);
  const auto C = data("C_11, C_22, C_23", {"4.72772197", "4.27526987", "1.97203505"}, "1", source);
  d.C11 = C[0], d.C22 = C[1], d.C23 = C[2];
  d.pi = data("pi of the ellipse", "3.1415926", "1", source);
  const wide cone = data("delta_0", "0.0262", "rad", source);
  d.half_width = data("a_r", "0.1506", "m", source), d.rail = data("r_s", "0.06", "m", source);
  d.slope = tan(cone), d.rail_sine = d.rail * sin(cone), d.rail_cosine = d.rail * cos(cone);
  // Where Newton's iterations begin: as printed.
  for (const auto& [i, text] :
       {std::pair(y, "4.0089e-7"), std::pair(phi, "2.6459e-4"), std::pair(psi_left, "7.56344e-6"),
        std::pair(xi_left, "0.14906"), std::pair(psi_right, "-7.41224e-6"),
        std::pair(xi_right, "-0.15214")})
    d.start[i] = wide(text);
  const auto place = data("x(0), z(0)", {"1.4941e-3", "1.1241e-6"}, "m", source);
  d.start[x] = place[0], d.start[z] = place[1];
  d.start[theta] = data("theta(0)", "-2.8573e-4", "rad", source);
  d.touch = {wide("83.593"), wide("74.144")};
  return d;
}

}  // namespace wheelset

void register_wheelset(ProblemRegistry& registry) {
  ProblemInfo info;
  info.id = "wheelset";
  info.summary =
      "wheelset on rails: creep forces that depend on the normal forces, contacts as constraints";
  info.source = "[mazzia2008], wheelset; [simeon1991]";
  info.equations =
      "M a + G^T lambda = f(q, v, lambda), 10 coordinates of which the 4 of the contacts have no "
      "mass; of each contact a row of touch and two of parallel normals; creep forces by the "
      "normal forces, with a hyperbolic tangent, cut off at friction";
  registry.add(info, [](const Arguments&, ProblemData& data) {
    Problem problem;
    problem.absolute = model_makers(wheelset::WheelsetModel{{wheelset::data_of(data)}});
    return problem;
  });
}

}  // namespace daemark
