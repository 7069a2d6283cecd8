// Each kind of tableau file with explicit stages, at any nodes, the first too: one step of seeded
// random coefficients on polynomial equations that depend on time, against the formula evaluated
// directly in rational numbers. Steppers without exact arithmetic step in real50.
#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "methods/core/settings.hpp"
#include "methods/half_explicit/half_explicit.hpp"
#include "methods/rosenbrock/rosenbrock.hpp"
#include "methods/runge_kutta/pair_methods.hpp"
#include "methods/runge_kutta/runge_kutta.hpp"
#include "problems/files/mechanism_file.hpp"
#include "problems/formulations/formulation.hpp"
#include "problems/mechanism/recorded_model.hpp"
#include "tests/support/method_bench.hpp"
#include "tests/support/tableaus.hpp"

namespace daemark {
namespace {

rational force(const rational& t, const rational& q) { return t * t * t + t * q * q; }

class CubicForce final : public ImplicitSystem<rational> {
 public:
  CubicForce() {
    components_ = {{"q", Component::Kind::integral, 1}, {"v", Component::Kind::differential, -1}};
    finish_components();
    row_power_ = {0};
    pattern_y_ = {1, 2, {{0, 0}}};
    pattern_rate_ = {1, 2, {{0, 1}}};
  }
  void evaluate(const SystemPoint<rational>& p, rational* r, rational* by_y,
                rational* by_rate) override {
    r[0] = p.rate[1] - force(p.t, p.y[0]);
    if (by_y) by_y[0] = -2 * p.t * p.y[0], by_rate[0] = 1;
  }
  bool explicit_rates(rational* y, rational* rate, const rational& t, const rational*) override {
    rate[0] = y[1], rate[1] = force(t, y[0]);
    return true;
  }
};

struct Random {
  std::mt19937 engine;
  explicit Random(unsigned seed) : engine(seed) {}
  rational number() { return rational(1 + static_cast<int>(engine() % 19u)) / 20; }
  Coefficients part(int s) {
    Coefficients t;
    for (int i = 0; i < s; ++i) {
      std::vector<Expression>& row = t.rows("A").emplace_back();
      for (int j = 0; j < s; ++j) row.emplace_back(j < i ? number() : rational(0));
      t.list("b").emplace_back(number()), t.list("c").emplace_back(number());
    }
    return t;
  }
};

const rational t0 = rational(1) / 3, q0 = 2, v0 = rational(-1) / 2, h = rational(1) / 5;

std::vector<rational> stepped(const Method& method) {
  CubicForce system;
  const auto stepper =
      method.stepper(Target<rational>{&system, &system}, parse_settings({}, Precision::in_double));
  State<rational> initial;
  initial.t = t0, initial.y = {q0, v0}, initial.rate = {v0, force(t0, q0)};
  stepper->start(initial, h);
  EXPECT_EQ(stepper->step().status, Status::ok);
  return stepper->state().y;
}

TEST(TableauConformance, NystromFiles) {
  for (unsigned seed = 1; seed <= 8; ++seed) {
    Random random(seed);
    const int s = 1 + static_cast<int>(seed % 4);
    const Coefficients one = random.part(s), other = random.part(s);
    Coefficients pair = pair_of(MethodKind::nystrom, one, other);
    pair.arrays.erase("A_velocity");
    const Tableau<rational> first = *rational_tableau(pair);
    std::vector<rational> k;
    rational q = q0 + h * v0, v = v0;
    for (int i = 0; i < s; ++i) {
      rational at = q0 + first.c[i] * h * v0;
      for (int j = 0; j < i; ++j) at += h * h * first.A[i][j] * k[j];
      k.push_back(force(t0 + first.c[i] * h, at));
      q += h * h * first.b[i] * k[i], v += h * other.list("b")[i].as_rational() * k[i];
    }
    EXPECT_EQ(stepped(*nystrom_method(pair)), (std::vector<rational>{q, v})) << seed;
  }
}

TEST(TableauConformance, RungeKuttaFiles) {
  for (unsigned seed = 1; seed <= 8; ++seed) {
    const int s = 1 + static_cast<int>(seed % 4);
    const Coefficients written = Random(seed).part(s);
    const Tableau<rational> t = *rational_tableau(written);
    std::vector<rational> kq, kv;
    rational q = q0, v = v0;
    for (int i = 0; i < s; ++i) {
      rational qi = q0, vi = v0;
      for (int j = 0; j < i; ++j) qi += h * t.A[i][j] * kq[j], vi += h * t.A[i][j] * kv[j];
      kq.push_back(vi), kv.push_back(force(t0 + t.c[i] * h, qi));
      q += h * t.b[i] * kq[i], v += h * t.b[i] * kv[i];
    }
    EXPECT_EQ(stepped(*runge_kutta_method(runge_kutta_form(written))),
              (std::vector<rational>{q, v}))
        << seed;
  }
}

/// (1 − hγJ) k_i = h f(t_i, y_0 + Σ α_ij k_j) + h J Σ γ_ij k_j + h² d_i ∂f/∂t for y = (q, v).
TEST(TableauConformance, RosenbrockFiles) {
  for (unsigned seed = 1; seed <= 8; ++seed) {
    const int s = 1 + static_cast<int>(seed % 4);
    Random random(seed);
    const Coefficients alpha = random.part(s), gammas = random.part(s);
    Coefficients written;
    written.kind = MethodKind::rosenbrock;
    written.arrays = {{"gamma", {{Expression(random.number())}}},
                      {"alpha", alpha.rows("A")},
                      {"gamma_ij", gammas.rows("A")},
                      {"b", alpha.rows("b")}};
    const RosenbrockNumbers<rational> r = rosenbrock_numbers<rational>(written);
    const rational g = h * r.gamma, slope = 2 * t0 * q0, in_time = 3 * t0 * t0 + q0 * q0;
    std::vector<rational> kq, kv;
    rational q = q0, v = v0;
    for (int i = 0; i < s; ++i) {
      rational qi = q0, vi = v0, memory_q = 0, memory_v = 0, c = 0, d = r.gamma;
      for (int j = 0; j < i; ++j) {
        qi += r.alpha[i][j] * kq[j], vi += r.alpha[i][j] * kv[j];
        memory_q += r.gammas[i][j] * kq[j], memory_v += r.gammas[i][j] * kv[j];
        c += r.alpha[i][j], d += r.gammas[i][j];
      }
      const rational right_q = h * vi + h * memory_v;
      const rational right_v =
          h * force(t0 + c * h, qi) + h * slope * memory_q + h * h * d * in_time;
      kv.push_back((right_v + g * slope * right_q) / (1 - g * g * slope));
      kq.push_back(right_q + g * kv[i]);
      q += r.b[i] * kq[i], v += r.b[i] * kv[i];
    }
    EXPECT_EQ(stepped(*rosenbrock_method(written)), (std::vector<rational>{q, v})) << seed;
  }
}

/// |x − exact| within the round-off of a hundred operations on numbers of the size of one.
void expect_in_real50(const std::vector<real50>& x, const std::vector<rational>& exact,
                      unsigned seed) {
  for (std::size_t k = 0; k < exact.size(); ++k)
    EXPECT_LT(to_double(real50(abs(x[k] - from_wide<real50>(wide(exact[k]))))),
              100 * unit_roundoff<real50>())
        << "seed " << seed << ", component " << k;
}

/// 2 q₁'' − q₁ λ = t³ + q₁ q₂, 3 q₂'' + λ = t v₁ − q₂², q₂ − q₁²/2 − t² = 0.
struct MovingParabola {
  static constexpr int n = 2, m = 1;
  static std::vector<Quantity> coordinates() { return {{"a", "1"}, {"b", "1"}}; }
  static std::vector<Quantity> rows() { return {{"lambda", "1"}}; }
  void mass(const Var*, Var* M) const { M[0] = 2, M[3] = 3; }
  void force(const Var& t, const Var* q, const Var* v, Var* f) const {
    f[0] = t * t * t + q[0] * q[1], f[1] = t * v[0] - q[1] * q[1];
  }
  void constraint(const Var& t, const Var* q, Var* phi) const {
    phi[0] = q[1] - q[0] * q[0] / 2 - t * t;
  }
  Var potential(const Var&, const Var*) const { return 0; }
  void initial(Var*, Var*) const {}
};

using RationalPair = std::array<rational, 2>;
using Lists = std::vector<std::vector<Expression>>;

RationalPair plus(RationalPair x, const std::vector<Expression>& weights,
                  const std::vector<RationalPair>& rates) {
  for (std::size_t j = 0; j < rates.size(); ++j)
    for (int k = 0; k < 2; ++k) x[k] += h * weights[j].as_rational() * rates[j][k];
  return x;
}

/// Stage i of the equations in half_explicit.hpp on the moving parabola.
RationalPair acceleration(const Coefficients& method, int i, const RationalPair& q,
                          const RationalPair& v, std::vector<RationalPair> V,
                          const std::vector<RationalPair>& a, const RationalPair& Q) {
  const std::vector<Expression>& row = method.rows("A_hat")[i];
  const rational t = t0 + method.list("c")[i].as_rational() * h, beta = h * row[i].as_rational();
  rational at = t0;
  for (const Expression& entry : row) at += h * entry.as_rational();
  const rational f1 = t * t * t + Q[0] * Q[1], f2 = t * V[i][0] - Q[1] * Q[1];
  const RationalPair there = plus(q, row, V), before = plus(v, row, a);
  // before₂ + β a₂ − there₁ (before₁ + β a₁) = 2 t̂ with a₁ = (f₁ + Q₁ λ)/2, a₂ = (f₂ − λ)/3
  const rational lambda =
      (before[1] + beta * f2 / 3 - there[0] * (before[0] + beta * f1 / 2) - 2 * at) /
      (beta / 3 + there[0] * beta * Q[0] / 2);
  return {(f1 + Q[0] * lambda) / 2, (f2 - lambda) / 3};
}

TEST(TableauConformance, HalfExplicitFiles) {
  for (unsigned seed = 1; seed <= 8; ++seed) {
    const int s = 1 + static_cast<int>(seed % 4);
    Random random(seed);
    Coefficients method = random.part(s);
    method.kind = MethodKind::half_explicit;
    const bool carried = seed > 4 && s > 1;
    for (int i = 0; i < s; ++i) {
      std::vector<Expression>& row = method.rows("A_hat").emplace_back();
      for (int j = 0; j < s; ++j)
        row.emplace_back(j <= i && !(carried && i == 0) ? random.number() : rational(0));
    }
    if (carried) method.list("c")[0] = Expression(rational(0));
    const RationalPair q{rational(1) / 2, rational(1) / 8 + t0 * t0},
        v{1, rational(1) / 2 + 2 * t0},
        rate{rational(3) / 7, rational(2) / 9};  // whatever the step before ended with
    std::vector<RationalPair> V, a;
    for (int i = 0; i < s; ++i) {
      const RationalPair Q = plus(q, method.rows("A")[i], V);
      V.push_back(plus(v, method.rows("A")[i], a));
      a.push_back(carried && i == 0 ? rate : acceleration(method, i, q, v, V, a, Q));
    }
    const RationalPair q1 = plus(q, method.list("b"), V), v1 = plus(v, method.list("b"), a);

    auto mechanism = std::make_shared<RecordedSystem<real50>>(mechanism_of(MovingParabola{}));
    const Formulation index2 = Formulation::parse("index2");
    const auto system = formulate<real50>(index2, mechanism, wide(0));
    Target<real50> target{system.get(), nullptr};
    target.mechanism = mechanism.get(), target.formulation = &index2;
    const auto stepper =
        half_explicit_method(method)->stepper(target, parse_settings({}, Precision::in_real50));
    const auto in_real50 = [](const rational& x) { return from_wide<real50>(wide(x)); };
    State<real50> initial;
    initial.t = in_real50(t0);
    for (const RationalPair& x : {q, v})
      initial.y.insert(initial.y.end(), {in_real50(x[0]), in_real50(x[1])});
    for (const RationalPair& x : {v, rate})
      initial.rate.insert(initial.rate.end(), {in_real50(x[0]), in_real50(x[1])});
    initial.y.emplace_back(0), initial.rate.emplace_back(0);
    stepper->start(initial, in_real50(h));
    ASSERT_EQ(stepper->step().status, Status::ok) << seed;
    expect_in_real50(stepper->state().y, {q1[0], q1[1], v1[0], v1[1]}, seed);
  }
}

TEST(TableauConformance, CarriedStagesAreAtTheBeginning) {
  Coefficients method = Random(1).part(2);
  method.kind = MethodKind::half_explicit;
  method.rows("A_hat") = Lists(2, std::vector<Expression>(2, Expression(rational(0))));
  method.rows("A_hat")[1] = method.list("b"), method.list("c")[0] = Expression(rational(1) / 2);
  EXPECT_NE(half_explicit_method(method)->refusal(2).find("stage 1"), std::string::npos);
  std::swap(method.rows("A_hat")[0], method.rows("A_hat")[1]);
  EXPECT_NE(half_explicit_method(method)->refusal(2).find("stage 2"), std::string::npos);
}

/// θ'' = −5 θ (stiff) + t³ − 3/2 θ' for one turning body with inertia 2.
TEST(TableauConformance, AdditiveFiles) {
  const auto file = std::filesystem::path(testing::TempDir()) / "turning_body.json";
  std::ofstream(file) << R"({"id": "turning_body", "kind": "planar", "source": "test",
    "gravity": 0, "bodies": [{"name": "a", "mass": 1, "inertia": 2, "theta": 2, "omega": "-1/2"}],
    "elements": [
      {"type": "revolute", "bodies": ["ground", "a"], "points": [[0, 0], [0, 0]]},
      {"type": "torsion_spring", "bodies": ["ground", "a"], "stiffness": 10, "free_angle": 0,
       "stiff": true},
      {"type": "torsion_damper", "bodies": ["ground", "a"], "coefficient": 3},
      {"type": "torque", "body": "a", "value": 2, "factor": "t^3"}]})";
  add_mechanism_file(file, problem_registry());
  test::MethodBench<real50> bench("turning_body", "minimal", "ark3_2_4l", "1/5", "1");
  for (unsigned seed = 1; seed <= 8; ++seed) {
    const int s = 1 + static_cast<int>(seed % 4);
    Random random(seed);
    const Coefficients first = random.part(s);
    Coefficients second = random.part(s);
    for (int i = 0; i < s; ++i)
      if (seed % 2 == 0 || i > 0) second.rows("A")[i][i] = Expression(random.number());
    const Coefficients pair = pair_of(MethodKind::additive, first, second);
    const std::vector<Expression>& b = pair.list("b");
    const auto number = [](const Expression& e) { return e.as_rational(); };
    std::vector<RationalPair> stiff, rest;  // rates of (θ, ω)
    const RationalPair y{q0, v0};
    for (int i = 0; i < s; ++i) {
      RationalPair Y = plus(plus(y, second.rows("A")[i], stiff), first.rows("A")[i], rest);
      const rational a = h * number(second.rows("A")[i][i]);  // Y += a (ω, −5 θ)
      Y[0] = (Y[0] + a * Y[1]) / (1 + 5 * a * a), Y[1] -= 5 * a * Y[0];
      const rational t = t0 + number(first.list("c")[i]) * h;
      stiff.push_back({Y[1], -5 * Y[0]}), rest.push_back({0, t * t * t - Y[1] * 3 / 2});
    }
    const RationalPair end = plus(plus(y, b, stiff), b, rest);
    const auto stepper = additive_method(pair)->stepper(bench.cell.target(), bench.setup.settings);
    State<real50> initial = bench.initial;
    initial.t = from_wide<real50>(wide(t0));
    stepper->start(initial, bench.step());
    ASSERT_EQ(stepper->step().status, Status::ok) << seed;
    expect_in_real50(stepper->state().y, {end[0], end[1]}, seed);
  }
}

}  // namespace
}  // namespace daemark
