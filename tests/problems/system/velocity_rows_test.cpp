// Constraints that begin on the velocity level: a bead on a sphere (a row of positions) whose
// velocity obeys z' = y x' + c(t) (a row of velocities, driven, with no position behind it) in
// every formulation, method and measure that takes it, and what refuses it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/linear/natural_frequencies.hpp"
#include "analysis/roots/eigenvalues.hpp"
#include "analysis/setup/bound_run.hpp"
#include "methods/projection/least_change.hpp"
#include "problems/mechanism/recorded_model.hpp"
#include "problems/system/index_one_solve.hpp"
#include "tests/problems/problem_runs.hpp"
#include "tests/support/catalogue.hpp"
#include "tests/support/mechanism_checks.hpp"
#include "tests/support/observed_order.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/simulation.hpp"

namespace daemark {
namespace {

using ::testing::HasSubstr;

struct Bead {
  static constexpr int n = 3, m = 2, velocity_rows = 1;

  static std::vector<Quantity> coordinates() { return {{"x", "m"}, {"y", "m"}, {"z", "m"}}; }
  static std::vector<Quantity> rows() { return {{"lambda_sphere", "m^2"}, {"lambda_slide", "m"}}; }
  void mass(const Var*, Var* M) const { M[0] = M[4] = M[8] = 2; }
  void force(const Var&, const Var*, const Var*, Var* f) const { f[2] = -6; }
  void constraint(const Var&, const Var* q, Var* phi) const {
    phi[0] = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] - 1;
  }
  void velocity_constraint(const Var& t, const Var* q, const Var* v, Var* rate) const {
    rate[0] = v[2] - q[1] * v[0] - sin(t) / 4;
  }
  Var potential(const Var&, const Var* q) const { return 6 * q[2]; }
  void initial(Var* q, Var* v) const {
    q[0] = wide(3) / 5, q[2] = wide(4) / 5;
    v[1] = 1;
  }
};

Problem bead() {
  Problem problem;
  problem.name = "bead";
  problem.absolute = model_makers(Bead{});
  return problem;
}

TEST(VelocityRows, DerivativesRecordAndPowerFitTheModel) {
  const auto system = bead().make<real50>();
  EXPECT_EQ(system->row_level(0), RowLevel::position);
  EXPECT_EQ(system->row_level(1), RowLevel::velocity);
  EXPECT_EQ(system->velocity_rows(), 1);
  for (const test::MotionSample& at : test::sample_motions(*system, 4)) {
    test::check_derivatives(*system, at);
    test::check_rates_of_constraints(*system, at);
    test::check_record(*system, at);
    test::check_energy_rate(*system, at);
  }
}

std::vector<Formulation> taking() {
  std::vector<Formulation> all;
  for (const Formulation& f : test::formulation_samples())
    if (!f.info.minimal && !f.info.needs_positions) all.push_back(f);
  return all;
}

TEST(VelocityRows, JacobiansOfEveryFormulationAgreeWithDifferences) {
  EXPECT_EQ(taking().size(), 6U);
  for (const Formulation& f : taking()) {
    SCOPED_TRACE(f.name());
    const auto system = formulate<real50>(f, bead().make<real50>(), wide(1) / 50);
    test::Noise noise;
    std::vector<real50> y(system->size()), rate(y.size());
    for (real50& x : y) x = noise.next();
    for (real50& x : rate) x = noise.next();
    // The derivative of its projection is left out: it vanishes in the solution.
    if (f.info.id == "elimination") {
      ASSERT_TRUE(system->explicit_rates(y.data(), rate.data(), real50(3) / 10, nullptr));
    }
    test::check_jacobians(*system, y, rate, real50(3) / 10);
  }
}

/// By Taylor series, at t = 1/2.
const TaylorState<real50>& exact() {
  static const TaylorState<real50> state = test::state_at(*bead().make<real50>(), real50(0.5));
  return state;
}

double distance(const real50* x, const std::vector<real50>& y) {
  real50 sum = 0;
  for (std::size_t i = 0; i < y.size(); ++i) sum += pow(real50(real50(x[i]) - y[i]), 2);
  return to_double(real50(sqrt(sum)));
}

struct Orders {
  test::ObservedOrder q, v, lambda;
};
/// Errors at t = 1/2 over halved steps.
Orders orders_of(const std::string& formulation, const std::string& method, int first, int halvings,
                 const std::map<std::string, std::string>& settings = {}, double floor = 1e-27) {
  Orders orders{test::ObservedOrder(floor), test::ObservedOrder(floor), test::ObservedOrder(floor)};
  for (int k = 0, steps = first; k < halvings; ++k, steps *= 2) {
    test::Simulation<real50> run(bead(), formulation, method, wide(1) / 2 / steps, settings);
    EXPECT_EQ(run.run(steps), Status::ok);
    const real50* y = run.stepper->state().y.data();
    orders.q.add(distance(y, exact().q));
    orders.v.add(distance(y + 3, exact().v));
    orders.lambda.add(distance(y + 6, exact().lambda));
  }
  return orders;
}

TEST(VelocityRows, TaylorSeriesHoldTheRows) {
  EXPECT_LE(exact().position_violation, 1e-46);
  EXPECT_LE(exact().velocity_violation, 1e-46);
  // The multipliers of the series are those of the index-1 solve.
  const auto system = bead().make<real50>();
  IndexOneSolve<real50> solve(*system);
  std::vector<real50> a(3), lambda(2);
  ASSERT_TRUE(solve.solve(*system, {exact().t, exact().q.data(), exact().v.data()},
                          {real50(0), real50(0), real50(1)}, a.data(), lambda.data()));
  for (int i = 0; i < 2; ++i)
    EXPECT_LE(std::abs(to_double(real50(lambda[i] - exact().lambda[i]))), 1e-44);
}

// Two routes with nothing but the model in common agree: the order of the method is seen against
// the series. On index 3 the row of positions leaves velocities order 3 (analysis/orders).
TEST(VelocityRows, EveryFormulationConvergesToTheSameMotion) {
  for (const Formulation& f : taking()) {
    SCOPED_TRACE(f.name());
    const Orders orders = orders_of(f.name(), "radau_iia(3)", 8, 4);
    EXPECT_EQ(orders.q.order(), 5) << orders.q.text();
    EXPECT_EQ(orders.v.order(), f.info.index == 3 ? 3 : 5) << orders.v.text();
  }
}

TEST(VelocityRows, MethodsWithConstraintsOfTheirOwnTakeThem) {
  const Orders tangent = orders_of("index3", "tangent_space(average_acceleration)", 16, 5);
  EXPECT_EQ(tangent.q.order(), 2) << tangent.q.text();
  EXPECT_EQ(tangent.v.order(), 2) << tangent.v.text();
  // λ is held over a step (Yang, Duan & Di 2006): order 1 at its end. Newton ends by |G|.
  const std::map<std::string, std::string> tight{{"newton.tol", "1e-28"}};
  for (const char* solver : {"newton", "broyden_fd"}) {
    const Orders shooting = orders_of(
        "index3", std::string("multiplier_shooting(erk4,") + solver + ")", 16, 5, tight, 1e-24);
    EXPECT_EQ(shooting.v.order(), 2) << solver << shooting.v.text();
    EXPECT_EQ(shooting.lambda.order(), 1) << solver << shooting.lambda.text();
  }
  const Orders newmark = orders_of("index3", "generalized_alpha(1/2)", 16, 5);
  EXPECT_EQ(newmark.q.order(), 2) << newmark.q.text();
}

// Off the sphere and off the row: each level is met to round-off, and positions are moved along the
// normal of the sphere alone, not along the row's g.
TEST(VelocityRows, ProjectionsMoveEachLevelByItsOwnRows) {
  const auto system = bead().make<double>();
  LeastChange<double> change(*system, true);
  std::vector<double> q{0.7, 0.1, 0.9}, v{0.3, 1, -0.4};
  const std::vector<double> before = q;
  Counts work;
  ASSERT_TRUE(change.move_position(0.2, q.data(), v.data(), nullptr, work));
  EXPECT_NEAR(q[0] * q[0] + q[1] * q[1] + q[2] * q[2], 1, 1e-14);
  for (const int i : {1, 2}) EXPECT_NEAR(q[i] / q[0], before[i] / before[0], 1e-14);
  ASSERT_TRUE(change.move_velocity(0.2, q.data(), v.data(), nullptr, work));
  EXPECT_NEAR(q[0] * v[0] + q[1] * v[1] + q[2] * v[2], 0, 1e-14);
  EXPECT_NEAR(v[2] - q[1] * v[0] - std::sin(0.2) / 4, 0, 1e-14);
}

std::string refusal(const std::string& formulation, const std::string& method) {
  return test::refusal(
      [&] { BoundRun(test::run_request("knife_edge", formulation, method, "1/10", "1")); });
}

TEST(VelocityRows, WhatNeedsPositionsRefusesThemByName) {
  EXPECT_THAT(refusal("substituted(c=1)", "erk4"), HasSubstr("begin on the velocity level"));
  EXPECT_THAT(refusal("index3", "augmented_lagrangian"), HasSubstr("begin on the velocity level"));
  EXPECT_THAT(refusal("index3", "tangent_space(sdirk_2,null_space)"), HasSubstr("form=bordered"));
  EXPECT_THAT(refusal("minimal", "erk4"), HasSubstr("no minimal form"));
  EXPECT_EQ(refusal("index3", "tangent_space(sdirk_2)"), "accepted");
}

// Rows of velocities alone: index 3 is the system of index 2.
TEST(VelocityRows, WithoutPositionsIndex3IsIndex2) {
  const auto run_on = [](const char* formulation) {
    return test::run_of("chaplygin_sleigh", formulation, "radau_iia(2)", "1/20", "2");
  };
  const RunResult two = run_on("index2"), three = run_on("index3");
  EXPECT_EQ(two.q, three.q);
  EXPECT_EQ(two.lambda, three.lambda);
  EXPECT_EQ(three.measures.at("position_violation_max"), 0);
  EXPECT_LE(three.measures.at("velocity_violation_max"), 1e-14);
}

TEST(VelocityRows, ModesAreThoseOfARowThatStays) {
  // At rest the sleigh can go straight on and turn about the blade: both without a frequency.
  const auto sleigh = problem_registry().make("chaplygin_sleigh").make<double>();
  const std::vector<double> q(3, 0.0), rest(3, 0.0), moving{-0.5, 0.2, 2};
  FrequencyAnalysis analysis(sleigh);
  EXPECT_EQ(analysis.modes(0, q.data(), rest.data(), nullptr).size(), 2U);
  EXPECT_THROW(analysis.modes(0, q.data(), moving.data(), nullptr), NumericalFailure);
}

}  // namespace
}  // namespace daemark
