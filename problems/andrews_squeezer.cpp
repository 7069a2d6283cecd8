// Andrews' squeezing mechanism: seven bodies, ten revolute joints, a spring and a driving torque,
// no gravity (Schiehlen, Multibody Systems Handbook 1990; Hairer & Wanner, Solving ODEs II, VII.7;
// Test Set for IVP Solvers, "andrews").
//
// Fixed points O, A, B, C; a body is named by its points, its frame starts at the first one:
// OF, EF, BDE, GE, AG, HE, AH in this order. Angles of the IVP test set: β θ γ φ δ Ω ε. Frame
// angles: OF β, EF β+θ, BDE γ, GE φ+δ−π/2, AG δ, HE Ω+ε, AH ε−π/2.
//
// The published initial angles have 30 digits; here they are computed to the precision of `wide`
// from the geometry they stand for, by intersecting circles: E lies on circles about B and F
// (iftomm: β is given) or about B and O (ivp: θ is given), G and H on circles about A and E.
//
// masses=printed takes Table 2 of Fernández de Bustos et al. 2021 at its word: 0.004325 kg for OF
// and in the rows AG and AH the masses of the rows below in the original.
#include <boost/math/constants/constants.hpp>

#include "problems/mechanism/recorded_model.hpp"
#include "problems/planar/planar_mechanism.hpp"

namespace daemark {
namespace {

using Vec = std::array<wide, 2>;

struct Body {
  const char* name;
  wide mass, inertia;
  Vec centre;  ///< of mass, in the body's frame
};

struct Squeezer {
  std::array<Body, 7> bodies;
  Vec A, B, C, O, D_on_BDE;
  wide OF, EF, BE, GE, AG, HE, AH;
  wide stiffness, free_length, torque;
  std::array<wide, 7> angles;  ///< initial β θ γ φ δ Ω ε

  Squeezer(ProblemData& data, bool ivp, bool masses_as_printed);
  /// Angles of the seven frames.
  std::array<wide, 7> frames() const {
    const auto& [beta, theta, gamma, phi, delta, omega, epsilon] = angles;
    const wide& quarter = boost::math::constants::half_pi<wide>();
    return {beta,
            beta + theta,
            gamma,
            wide(phi + delta - quarter),
            delta,
            omega + epsilon,
            wide(epsilon - quarter)};
  }
};

/// The meeting point of two circles to the left (side +1) or right (−1) of the way from a to b.
/// Throws BadInput where there is none.
Vec meet(const Vec& a, const wide& radius_a, const Vec& b, const wide& radius_b, int side) {
  const wide dx = b[0] - a[0], dy = b[1] - a[1], d2 = dx * dx + dy * dy;
  const wide along = (d2 + radius_a * radius_a - radius_b * radius_b) / (2 * d2);
  const wide square = radius_a * radius_a / d2 - along * along;
  if (!(square > 0)) throw BadInput("andrews_squeezer: its bodies do not reach each other");
  const wide across = side * sqrt(square);
  return {a[0] + along * dx - across * dy, a[1] + along * dy + across * dx};
}

wide direction(const Vec& from, const Vec& to) {
  return atan2(wide(to[1] - from[1]), wide(to[0] - from[0]));
}

/// Where E and F are, with β.
struct Crank {
  Vec E, F;
  wide beta;
};

Crank crank_at(const Squeezer& s, const wide& beta) {
  const Vec F{s.O[0] + s.OF * cos(beta), s.O[1] + s.OF * sin(beta)};
  return {meet(F, s.EF, s.B, s.BE, 1), F, beta};
}

/// By θ: from E to O the way is that from (OF, 0) to EF (cos θ, sin θ), turned by β.
Crank crank_with(const Squeezer& s, const wide& theta) {
  const wide x = s.EF * cos(theta) - s.OF, y = s.EF * sin(theta);
  const Vec E = meet(s.O, sqrt(wide(x * x + y * y)), s.B, s.BE, 1);
  const wide beta = direction(E, s.O) - atan2(y, x);
  return {E, {s.O[0] + s.OF * cos(beta), s.O[1] + s.OF * sin(beta)}, beta};
}

Squeezer::Squeezer(ProblemData& data, bool ivp, bool masses_as_printed) {
  const char* source = "IVP test set";
  const auto fixed =
      data("A, B, C, O", {"-0.06934", "-0.00227", "-0.03635", "0.03273", "0.014", "0.072", 0, 0},
           "m", source);
  A = {fixed[0], fixed[1]}, B = {fixed[2], fixed[3]}, C = {fixed[4], fixed[5]};
  O = {fixed[6], fixed[7]};
  const char* masses = "m OF EF BDE GE AG HE AH";
  const auto mass =
      masses_as_printed
          ? data(masses,
                 {"0.004325", "0.00365", "0.02373", "0.00706", "0.05498", "0.00706", "0.02373"},
                 "kg", "Fernandez de Bustos et al. 2021, Table 2")
          : data(masses,
                 {"0.04325", "0.00365", "0.02373", "0.00706", "0.0705", "0.00706", "0.05498"}, "kg",
                 source);
  const auto inertia =
      data("I OF EF BDE GE AG HE AH",
           {"2.194e-6", "4.41e-7", "5.255e-6", "5.667e-7", "1.169e-5", "5.667e-7", "1.912e-5"},
           "kg m^2", source);
  const auto lengths =
      data("lengths OF EF BE GE AG HE AH",
           {"0.007", "0.028", "0.035", "0.02", "0.04", "0.02", "0.04"}, "m", source);
  const auto x = data("x of the centres of mass OF EF BDE GE AG HE AH",
                      {"0.00092", "0.0165", "0.01043", "0.00579", "0.02308", "0.00579", "0.01228"},
                      "m", source);
  const auto y = data("y of the centres of mass OF EF BDE GE AG HE AH",
                      {0, 0, "-0.01874", 0, "0.00916", 0, "-0.00449"}, "m", source);
  constexpr const char* names[] = {"OF", "EF", "BDE", "GE", "AG", "HE", "AH"};
  for (int b = 0; b < 7; ++b) bodies[b] = {names[b], mass[b], inertia[b], {x[b], y[b]}};
  OF = lengths[0], EF = lengths[1], BE = lengths[2], GE = lengths[3], AG = lengths[4];
  HE = lengths[5], AH = lengths[6];
  D_on_BDE = data("D on BDE", {"0.02", "-0.018"}, "m", source);
  stiffness = data("spring DC: stiffness", 4530, "N/m", source);
  free_length = data("spring DC: free length", "0.07785", "m", source);
  torque = data("torque on OF", "0.033", "N m", source);

  const wide given = ivp ? data("theta(0)", 0, "rad", source)
                         : data("beta(0)", "-0.062", "rad", "IFToMM benchmark A03");
  const auto [E, F, beta] = ivp ? crank_with(*this, given) : crank_at(*this, given);
  const wide& quarter = boost::math::constants::half_pi<wide>();
  const Vec G = meet(A, AG, E, GE, 1), H = meet(A, AH, E, HE, -1);
  const wide delta = direction(A, G), epsilon = direction(A, H) + quarter;
  angles = {beta,
            ivp ? given : wide(direction(E, F) - beta),
            wide(direction(B, E) + quarter),
            wide(direction(G, E) + quarter - delta),
            delta,
            wide(direction(H, E) - epsilon),
            epsilon};
}

/// The joint between crank and rod, whose path the literature plots.
std::vector<OutputInfo> joint_outputs() {
  return {{"x_F", "x of joint F", "m"}, {"y_F", "y of joint F", "m"}};
}

/// F from the crank's angle.
std::array<Var, 2> joint_F(const Squeezer& s, const Var& beta) {
  return {s.O[0] + s.OF * cos(beta), s.O[1] + s.OF * sin(beta)};
}

void add_outputs(PlanarMechanism& m, const Squeezer& s) {
  for (const int axis : {0, 1}) {
    const OutputInfo info = joint_outputs()[axis];
    m.output(info.id, info.meaning, info.unit,
             [s, axis](const Var&, const Var* q, const Var*) { return joint_F(s, q[2])[axis]; });
  }
}

Problem absolute_problem(const Squeezer& s) {
  PlanarMechanism m;
  const auto frames = s.frames();
  for (int b = 0; b < 7; ++b) {
    const Body& body = s.bodies[b];
    m.body(body.name, body.mass, body.inertia, frames[b]);
  }
  const auto on = [&s](int body, const wide& x, const wide& y) {
    const Vec& c = s.bodies[body].centre;
    return BodyPoint{wide(x - c[0]), wide(y - c[1])};
  };
  constexpr int ground = PlanarMechanism::ground;
  enum { OF, EF, BDE, GE, AG, HE, AH };
  m.revolute(ground, {s.O[0], s.O[1]}, OF, on(OF, 0, 0));
  m.revolute(OF, on(OF, s.OF, 0), EF, on(EF, s.EF, 0));
  m.revolute(ground, {s.B[0], s.B[1]}, BDE, on(BDE, 0, 0));
  m.revolute(ground, {s.A[0], s.A[1]}, AG, on(AG, 0, 0));
  m.revolute(AG, on(AG, s.AG, 0), GE, on(GE, 0, 0));
  m.revolute(ground, {s.A[0], s.A[1]}, AH, on(AH, 0, 0));
  m.revolute(AH, on(AH, s.AH, 0), HE, on(HE, 0, 0));
  // The loops close at E, in the order and sign of the test set's six rows.
  m.revolute(BDE, on(BDE, 0, -s.BE), EF, on(EF, 0, 0));
  m.revolute(GE, on(GE, s.GE, 0), EF, on(EF, 0, 0));
  m.revolute(HE, on(HE, s.HE, 0), EF, on(EF, 0, 0));
  m.spring(BDE, on(BDE, s.D_on_BDE[0], s.D_on_BDE[1]), ground, {s.C[0], s.C[1]}, s.stiffness,
           s.free_length);
  m.torque(OF, s.torque);
  add_outputs(m, s);
  return m.problem("andrews_squeezer");
}

/// The test set's form: M(q) q̈ + Gᵀλ = f with six loop rows. Mass centres are sums of vectors
/// turning with the angles α = (β, β+θ, γ, φ+δ, δ, Ω+ε, ε): P_b = fixed point + Σ R(α_k) s_bk.
struct SqueezerAngles {
  static constexpr int n = 7, m = 6;
  struct Arm {
    int angle;
    Vec s;
  };
  Squeezer d;
  std::array<std::vector<Arm>, 7> centre;
  std::vector<Arm> EF_chain, BDE_chain, GE_chain, HE_chain;  ///< to E
  Arm spring_arm;

  explicit SqueezerAngles(const Squeezer& squeezer);

  static std::vector<Quantity> coordinates() {
    return {{"beta", "rad"},  {"theta", "rad"}, {"gamma", "rad"},  {"phi", "rad"},
            {"delta", "rad"}, {"omega", "rad"}, {"epsilon", "rad"}};
  }
  static std::vector<Quantity> rows() {
    return {{"lambda_BDE_x", "m"}, {"lambda_BDE_y", "m"}, {"lambda_GE_x", "m"},
            {"lambda_GE_y", "m"},  {"lambda_HE_x", "m"},  {"lambda_HE_y", "m"}};
  }

  static std::vector<OutputInfo> outputs() { return joint_outputs(); }
  void output_values(const MotionPoint<Var>& p, Var* xy) const {
    const auto F = joint_F(d, p.q[0]);
    std::copy(F.begin(), F.end(), xy);
  }

  using Angles = std::array<Var, 7>;
  static Angles absolute(const Var* q) {
    return {q[0], q[0] + q[1], q[2], q[3] + q[4], q[4], q[5] + q[6], q[6]};
  }
  /// q-components of a row or column that multiplies α: α = A q, so Aᵀ f.
  static void pull_back(const Angles& f, Var* on_q) {
    on_q[0] = f[0] + f[1], on_q[1] = f[1], on_q[2] = f[2], on_q[3] = f[3];
    on_q[4] = f[3] + f[4], on_q[5] = f[5], on_q[6] = f[5] + f[6];
  }
  struct Turns {
    Angles c, s;
    explicit Turns(const Var* q) {
      const Angles alpha = absolute(q);
      for (int i = 0; i < 7; ++i) c[i] = cos(alpha[i]), s[i] = sin(alpha[i]);
    }
    std::array<Var, 2> operator()(const Arm& arm) const {
      const int i = arm.angle;
      return {c[i] * arm.s[0] - s[i] * arm.s[1], s[i] * arm.s[0] + c[i] * arm.s[1]};
    }
  };

  void mass(const Var* q, Var* M) const {
    const Turns turn(q);
    std::array<Angles, 7> on_alpha;
    for (int i = 0; i < 7; ++i) on_alpha[i][i] = d.bodies[i].inertia;
    for (int b = 0; b < 7; ++b)
      for (const Arm& k : centre[b])
        for (const Arm& l : centre[b]) {
          const auto x = turn(k), y = turn(l);
          on_alpha[k.angle][l.angle] += d.bodies[b].mass * (x[0] * y[0] + x[1] * y[1]);
        }
    std::array<Angles, 7> half;
    for (int i = 0; i < 7; ++i) pull_back(on_alpha[i], half[i].data());
    for (int j = 0; j < 7; ++j) {
      Angles column, pulled;
      for (int i = 0; i < 7; ++i) column[i] = half[i][j];
      pull_back(column, pulled.data());
      for (int i = 0; i < 7; ++i) M[7 * i + j] = pulled[i];
    }
  }

  void force(const Var&, const Var* q, const Var* v, Var* f) const {
    const Turns turn(q);
    const Angles rate = absolute(v);
    Angles on_alpha;
    on_alpha[0] = d.torque;
    for (int b = 0; b < 7; ++b) {
      Var ax, ay;  // centripetal acceleration of the mass centre
      for (const Arm& l : centre[b]) {
        const auto y = turn(l);
        const Var square = rate[l.angle] * rate[l.angle];
        ax -= y[0] * square, ay -= y[1] * square;
      }
      for (const Arm& k : centre[b]) {
        const auto x = turn(k);
        on_alpha[k.angle] -= d.bodies[b].mass * (x[0] * ay - x[1] * ax);
      }
    }
    const auto lever = turn(spring_arm), reach = spring(lever);
    const Var tension = d.stiffness * (1 - d.free_length / length(reach));
    on_alpha[2] += tension * (lever[0] * reach[1] - lever[1] * reach[0]);
    pull_back(on_alpha, f);
  }

  void constraint(const Var&, const Var* q, Var* phi) const {
    const Turns turn(q);
    const auto sum = [&turn](const std::vector<Arm>& chain, const Vec& origin) {
      std::array<Var, 2> p{origin[0], origin[1]};
      for (const Arm& arm : chain) {
        const auto x = turn(arm);
        p[0] += x[0], p[1] += x[1];
      }
      return p;
    };
    const auto E = sum(EF_chain, d.O);
    const std::array others{sum(BDE_chain, d.B), sum(GE_chain, d.A), sum(HE_chain, d.A)};
    for (int i = 0; i < 6; ++i) phi[i] = E[i % 2] - others[i / 2][i % 2];
  }

  Var potential(const Var&, const Var* q) const {
    const Var stretch = length(spring(Turns(q)(spring_arm))) - d.free_length;
    return d.stiffness * stretch * stretch / 2;
  }
  Var work(const Var* q) const { return d.torque * (q[0] - d.angles[0]); }
  void initial(Var* q, Var*) const { std::copy(d.angles.begin(), d.angles.end(), q); }

 private:
  /// From D to C.
  std::array<Var, 2> spring(const std::array<Var, 2>& lever) const {
    return {wide(d.C[0] - d.B[0]) - lever[0], wide(d.C[1] - d.B[1]) - lever[1]};
  }
  static Var length(const std::array<Var, 2>& x) { return sqrt(x[0] * x[0] + x[1] * x[1]); }
};

SqueezerAngles::SqueezerAngles(const Squeezer& squeezer)
    : d(squeezer), spring_arm{2, squeezer.D_on_BDE} {
  // GE and AH are measured from a frame a quarter turn behind their angle: (x, y) → (y, −x).
  const auto behind = [](const wide& x, const wide& y) { return Vec{y, wide(-x)}; };
  const auto& body = d.bodies;
  const Arm crank{0, {d.OF, 0}}, AG{4, {d.AG, 0}}, AH{6, behind(d.AH, 0)};
  centre[0] = {{0, body[0].centre}};
  centre[1] = {crank, {1, {body[1].centre[0] - d.EF, body[1].centre[1]}}};
  centre[2] = {{2, body[2].centre}};
  centre[3] = {AG, {3, behind(body[3].centre[0], body[3].centre[1])}};
  centre[4] = {{4, body[4].centre}};
  centre[5] = {AH, {5, body[5].centre}};
  centre[6] = {{6, behind(body[6].centre[0], body[6].centre[1])}};
  EF_chain = {crank, {1, {-d.EF, 0}}};
  BDE_chain = {{2, {0, -d.BE}}};
  GE_chain = {AG, {3, behind(d.GE, 0)}};
  HE_chain = {AH, {5, {d.HE, 0}}};
}

ProblemInfo description() {
  ProblemInfo info;
  info.id = "andrews_squeezer";
  info.summary = "Andrews' squeezing mechanism: seven bodies, ten revolute joints, spring, torque";
  info.source =
      "Test Set for IVP Solvers ([mazzia2008]), problem andrews; [hairer1996], section VII.7; "
      "IFToMM library of multibody benchmarks ([gonzalez2006]), A03";
  info.equations =
      "absolute: x, y of each mass centre and frame angle (21), one pair of rows per joint (20); "
      "angles: beta, theta, gamma, phi, delta, omega, epsilon (7), loop rows at E (6)";
  using Type = Parameter::Type;
  info.parameters = {{"start", Type::word, "ivp", "ivp | iftomm"},
                     {"coordinates", Type::word, "absolute", "absolute | angles"},
                     {.name = "masses",
                      .type = Type::word,
                      .fallback = "",
                      .accepted = "test_set | printed",
                      .optional = true}};
  return info;
}

}  // namespace

void register_andrews_squeezer(ProblemRegistry& registry) {
  registry.add(description(), [](const Arguments& arguments, ProblemData& data) {
    const bool ivp = arguments.word("start", {"ivp", "iftomm"}) == "ivp";
    const bool angles = arguments.word("coordinates", {"absolute", "angles"}) == "angles";
    const bool printed =
        arguments.given("masses") && arguments.word("masses", {"test_set", "printed"}) == "printed";
    const Squeezer squeezer(data, ivp, printed);
    if (!angles) return absolute_problem(squeezer);
    Problem problem;
    problem.absolute = model_makers(SqueezerAngles(squeezer));
    return problem;
  });
}

}  // namespace daemark
