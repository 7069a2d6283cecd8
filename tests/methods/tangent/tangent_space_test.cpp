// tangent_space(inner): its equations at a step's end, its two linear algebras beside each other,
// redundant constraints, and what it refuses.
#include <gtest/gtest.h>

#include <cmath>

#include "analysis/run/run.hpp"
#include "base/linear/rank_revealing_qr.hpp"
#include "methods/catalogue/registry.hpp"
#include "methods/loop/integrator.hpp"
#include "problems/mechanism/recorded_model.hpp"
#include "tests/support/method_bench.hpp"
#include "tests/support/refusal.hpp"

namespace daemark {
namespace {

using test::MethodBench;

double largest(const std::vector<double>& x) {
  double size = 0;
  for (const double e : x) size = std::max(size, std::abs(e));
  return size;
}

/// The part of x in null G.
std::vector<double> tangential(MethodBench<double>& bench, const State<double>& state,
                               const std::vector<double>& x) {
  MechanicalSystem<double>& mechanism = *bench.cell.mechanism;
  const int n = bench.coordinates(), m = bench.constraints();
  const auto& entries = mechanism.gradient_pattern().entries;
  std::vector<double> gradient(entries.size());
  MotionValues<double> out;
  out.gradient = gradient.data();
  mechanism.evaluate(bench.cell.motion(state), {}, out);
  RankRevealingQr qr;
  qr.resize(n, m, m);
  for (std::size_t k = 0; k < entries.size(); ++k)
    qr.column(entries[k].first)[entries[k].second] += gradient[k];
  EXPECT_EQ(qr.factor(), RankRevealingQr::Outcome::ok);
  std::vector<double> parts;
  for (int j = 0; j < qr.null_dimension(); ++j) {
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += qr.null_vector(j)[i] * x[i];
    parts.push_back(sum);
  }
  return parts;
}

// Newton's last increment is below 1e-10 and squared again by the step that takes it.
TEST(TangentSpace, ConstraintsOfAllLevelsHold) {
  for (const char* call :
       {"tangent_space(average_acceleration)", "tangent_space(fox_goodwin,null_space)",
        "tangent_space(radau_iia(2))", "tangent_space(radau_iia(2),null_space)",
        "tangent_space(sdirk_2)", "tangent_space(bdf(3),null_space)"}) {
    SCOPED_TRACE(call);
    const RunResult result = run(test::run_request("two_link", "index3", call, "1/100", "1/5"));
    ASSERT_EQ(result.status, "ok") << result.why;
    EXPECT_LE(result.measures.at("position_violation_max"), 1e-14);
    EXPECT_LE(result.measures.at("velocity_violation_max"), 1e-13);
    // Entries of a are some 10², roundings κ² ε.
    EXPECT_LE(result.measures.at("acceleration_violation_max"), 1e-10);
  }
}

// Newmark's formulas in the tangent space of the step's end.
TEST(TangentSpace, FormulasHoldInTheTangentSpace) {
  for (const char* form : {"bordered", "null_space"}) {
    SCOPED_TRACE(form);
    MethodBench<double> bench("two_link", "index3",
                              std::string("tangent_space(linear_acceleration,") + form + ")",
                              "1/50", "1");
    const double h = 1.0 / 50, beta = 1.0 / 6, gamma = 0.5;
    const int n = bench.coordinates();
    const auto stepper = bench.started();
    for (int k = 0; k < 10; ++k) {
      const State<double> a = stepper->state();
      ASSERT_EQ(stepper->step().status, Status::ok);
      const State<double>& b = stepper->state();
      std::vector<double> x(n), v(n);
      for (int i = 0; i < n; ++i) {
        x[i] = b.y[i] - a.y[i] - h * a.y[n + i] -
               h * h * ((0.5 - beta) * a.rate[n + i] + beta * b.rate[n + i]);
        v[i] = b.y[n + i] - a.y[n + i] - h * ((1 - gamma) * a.rate[n + i] + gamma * b.rate[n + i]);
      }
      EXPECT_LE(largest(tangential(bench, b, x)), 1e-12);
      EXPECT_LE(largest(tangential(bench, b, v)), 1e-11);
      EXPECT_GT(largest(x), 1e-7) << "normal components of the formulas are not zero";
    }
  }
}

// One Newton matrix, eliminated in two ways.
TEST(TangentSpace, BothLinearAlgebrasGiveTheSameMotion) {
  for (const char* inner : {"average_acceleration", "generalized_alpha(1/2)", "radau_iia(3)",
                            "sdirk_3", "bdf(2)", "trapezoidal", "ss(2,1/2)"}) {
    SCOPED_TRACE(inner);
    const std::string call = std::string("tangent_space(") + inner;
    MethodBench<double> first("two_link", "index3", call + ",bordered)", "1/100", "1");
    MethodBench<double> second("two_link", "index3", call + ",null_space)", "1/100", "1");
    const auto a = first.started(), b = second.started();
    for (int k = 0; k < 50; ++k) {
      ASSERT_EQ(a->step().status, Status::ok);
      ASSERT_EQ(b->step().status, Status::ok);
    }
    for (std::size_t i = 0; i < a->state().y.size(); ++i)
      EXPECT_NEAR(a->state().y[i], b->state().y[i], 1e-8 * (1 + std::abs(a->state().y[i]))) << i;
    EXPECT_EQ(a->counts().newton_iterations, b->counts().newton_iterations);
  }
}

/// The point pendulum with its row given twice, once scaled.
struct DoubledRow {
  static constexpr int n = 2, m = 2, redundant = 1;
  static std::vector<Quantity> coordinates() { return {{"x", "m"}, {"y", "m"}}; }
  static std::vector<Quantity> rows() { return {{"once", "m^2"}, {"twice", "m^2"}}; }
  void mass(const Var*, Var* M) const { M[0] = M[3] = 2; }
  void force(const Var&, const Var*, const Var*, Var* f) const { f[1] = -10; }
  void constraint(const Var&, const Var* q, Var* phi) const {
    phi[0] = q[0] * q[0] + q[1] * q[1] - 1;
    phi[1] = 3 * phi[0];
  }
  Var potential(const Var&, const Var* q) const { return 10 * q[1]; }
  void initial(Var* q, Var*) const { q[0] = 1; }
};
struct SingleRow : DoubledRow {
  static constexpr int m = 1, redundant = 0;
  static std::vector<Quantity> rows() { return {{"once", "m^2"}}; }
  void constraint(const Var&, const Var* q, Var* phi) const {
    phi[0] = q[0] * q[0] + q[1] * q[1] - 1;
  }
};
/// Claims independent rows.
struct WrongRank : DoubledRow {
  static constexpr int redundant = 0;
};

template <class Model>
Problem problem_of(const char* name) {
  Problem problem;
  problem.name = name;
  problem.absolute = model_makers(Model{});
  return problem;
}

RunRequest request_of(const char* method) {
  return test::run_request("here", "index3", method, "1/50", "1");
}

std::vector<double> end_state(Problem problem, const char* method, int steps) {
  const BoundRun setup(request_of(method), std::move(problem));
  BoundSystem<double> cell(setup);
  const State<double> initial = initial_state(setup, cell);
  const auto stepper = setup.method->stepper(cell.target(), setup.settings);
  stepper->start(initial, 1.0 / 50);
  for (int i = 0; i < steps; ++i) EXPECT_EQ(stepper->step().status, Status::ok);
  return stepper->state().y;
}

// λ of least norm: of 3 λ₂ + λ₁ = λ the one along (1, 3).
TEST(TangentSpace, RedundantRowsLeaveTheMotionAsItIs) {
  const char* method = "tangent_space(average_acceleration,null_space)";
  const auto once = end_state(problem_of<SingleRow>("single"), method, 50);
  const auto twice = end_state(problem_of<DoubledRow>("doubled"), method, 50);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(once[i], twice[i], 1e-10) << i;
  EXPECT_NEAR(twice[4], once[4] / 10, 1e-8);
  EXPECT_NEAR(twice[5], 3 * once[4] / 10, 1e-8);
}

std::string refused(Problem problem, const char* method) {
  return test::refusal([&] {
    const BoundRun setup(request_of(method), std::move(problem));
    BoundSystem<double> cell(setup);
    initial_state(setup, cell);
  });
}

TEST(TangentSpace, RedundancyAndWrongRanksAreNamed) {
  EXPECT_NE(refused(problem_of<DoubledRow>("doubled"), "tangent_space(average_acceleration)"),
            "accepted");
  EXPECT_NE(refused(problem_of<DoubledRow>("doubled"), "radau_iia(2)"), "accepted");
  const std::string wrong =
      refused(problem_of<WrongRank>("wrong"), "tangent_space(average_acceleration,null_space)");
  EXPECT_NE(wrong.find("rank 1"), std::string::npos) << wrong;
  EXPECT_NE(wrong.find("names 2"), std::string::npos) << wrong;
}

TEST(TangentSpace, RefusesWhatHasNoTangentSpace) {
  for (const char* inner : {"gauss(2)", "erk4", "radau_ia(2)", "tangent_space(bdf(2))",
                            "generalized_alpha(1/2,chung_hulbert)"})
    EXPECT_THROW(method_registry().make(std::string("tangent_space(") + inner + ")"), BadInput)
        << inner;
  const auto method = method_registry().make("tangent_space(average_acceleration)");
  for (const char* formulation : {"index1", "index2", "ggl"})
    EXPECT_NE(method->refusal(Formulation::parse(formulation).info), "") << formulation;
  EXPECT_EQ(method->refusal(Formulation::parse("index3").info), "");
  EXPECT_THROW(MethodBench<double>("heavy_top", "index3", "tangent_space(average_acceleration)",
                                   "1/100", "1"),
               BadInput);
}

}  // namespace
}  // namespace daemark
