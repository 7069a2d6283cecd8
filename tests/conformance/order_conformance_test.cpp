// Observed orders of q, v and λ apart, on a problem whose constraints are nonlinear (a linear test
// is blind to evaluating G at the wrong time), in 50 digits.
//
// Steps T/n, n = 8, 16, 32, … on T = 1/4 s of the two-link, until tests/support/observed_order.hpp
// decides the order of each; errors at T/2 and at T count together, since a leading coefficient may
// vanish at one time.
#include <gtest/gtest.h>

#include <cmath>

#include "analysis/exact/theory/second_order.hpp"
#include "analysis/orders/expected_orders.hpp"
#include "methods/catalogue/registry.hpp"
#include "methods/runge_kutta/runge_kutta.hpp"
#include "tests/problems/problem_runs.hpp"
#include "tests/support/catalogue.hpp"
#include "tests/support/method_bench.hpp"
#include "tests/support/observed_order.hpp"

namespace daemark {
namespace {

using test::MethodBench;
using test::ObservedOrder;

constexpr int coarsest = 8, finest = 1024;  ///< steps
/// Newton stops below ε^0.7 ≈ 1e-35 and leaves 1e-7 of that or less; accelerations and multipliers
/// carry the round-off of positions times 1/h² ≤ 2e7: some 1e-42.
constexpr double floor_of_errors = 1e-41;

/// At T/2 and T.
const std::vector<TaylorState<real50>>& references() {
  static const std::vector<TaylorState<real50>> states = {test::state_at("two_link", real50(0.125)),
                                                          test::state_at("two_link", real50(0.25))};
  return states;
}

double squares(const real50* x, const std::vector<real50>& y) {
  real50 sum = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const real50 d = real50(x[i]) - y[i];
    sum += d * d;
  }
  return to_double(sum);
}

struct Errors {
  double q = 0, v = 0, lambda = 0;
};

/// Empty where a step failed.
std::optional<Errors> errors_after(const std::string& method, const std::string& formulation,
                                   int steps) {
  MethodBench<real50> bench("two_link", formulation, method, "1/4/" + std::to_string(steps), "1/4");
  const auto stepper = bench.started();
  const int n = bench.coordinates(), m = bench.constraints();
  Errors e;
  for (int half = 0; half < 2; ++half) {
    for (int i = 0; i < steps / 2; ++i)
      if (stepper->step().status != Status::ok) return std::nullopt;
    const TaylorState<real50>& reference = references()[half];
    const real50* y = stepper->state().y.data();
    std::vector<real50> q(reference.q.size()), v(q.size());
    bench.cell.mechanism->to_reference(bench.cell.motion(stepper->state()), q.data(), v.data());
    e.q += squares(q.data(), reference.q);
    e.v += squares(v.data(), reference.v);
    if (m > 0) e.lambda += squares(y + 2 * n, reference.lambda);
  }
  return Errors{std::sqrt(e.q), std::sqrt(e.v), std::sqrt(e.lambda)};
}

struct Orders {
  ObservedOrder q{floor_of_errors}, v{floor_of_errors}, lambda{floor_of_errors};
};

class OrderConformance : public ::testing::TestWithParam<std::string> {
 protected:
  std::shared_ptr<const Method> method_ = method_registry().make(GetParam());
  const WideTableau* tableau_ = method_->tableau();

  Orders observed_on(const std::string& formulation) const {
    Orders orders;
    const bool constrained = formulation != "minimal";
    for (int steps = coarsest; steps <= finest; steps *= 2) {
      const std::optional<Errors> e = errors_after(GetParam(), formulation, steps);
      if (!e) ADD_FAILURE() << "a run of " << steps << " steps failed";
      if (!e) break;
      orders.q.add(e->q), orders.v.add(e->v), orders.lambda.add(e->lambda);
      const bool decided = orders.q.order() && orders.v.order();
      if (decided && (!constrained || orders.lambda.order())) break;
    }
    return orders;
  }
};

// Index 1 is an ordinary differential equation in disguise: the classical order, in q, v and λ.
TEST_P(OrderConformance, ClassicalOrderOnIndexOne) {
  if (method_->owns_loop()) GTEST_SKIP() << "chooses its steps and orders itself";
  if (!method_->refusal(1).empty()) GTEST_SKIP() << "refuses index 1: " << method_->refusal(1);
  const std::optional<int> order = order_of(GetParam());
  ASSERT_TRUE(order) << "nothing tells the order";
  EXPECT_EQ(slopes_expected(GetParam(), "index1").q, order);
  for (const char* formulation : {"index1", "minimal"}) {
    SCOPED_TRACE(formulation);
    const Orders orders = observed_on(formulation);
    EXPECT_EQ(orders.q.order(), order) << "q: " << orders.q.text();
    EXPECT_EQ(orders.v.order(), order) << "v: " << orders.v.text();
    if (std::string(formulation) == "minimal") continue;
    EXPECT_EQ(orders.lambda.order(), order) << "lambda: " << orders.lambda.text();
  }
}

// What the theorems of analysis/orders/expected_orders.hpp promise. They hold for any system of
// that index; on a mechanism q may do better where the method is not stiffly accurate.
TEST_P(OrderConformance, OrdersOfTheTheoryOnHigherIndex) {
  if (method_->owns_loop()) GTEST_SKIP() << "chooses its steps and orders itself";
  int promised = 0;
  for (const char* formulation : {"minimal", "index2", "ggl", "index3"}) {
    const FormulationInfo info = Formulation::parse(formulation).info;
    const ExpectedOrders theory = slopes_expected(GetParam(), formulation);
    if (!theory.v || (info.minimal && !method_->known_orders(0))) continue;
    const auto two_link = problem_registry().make("two_link").make<double>(info.minimal);
    if (!method_->refusal(traits_of(info, *two_link)).empty()) continue;
    ++promised;
    SCOPED_TRACE(formulation);
    const Orders orders = observed_on(formulation);
    const auto text = [&] {
      return "q: " + orders.q.text() + "\nv: " + orders.v.text() +
             "\nlambda: " + orders.lambda.text();
    };
    if (theory.better_from_rest) {  // the two-link begins at rest
      EXPECT_GE(orders.v.order(), theory.v) << text();
      EXPECT_GE(orders.q.order(), theory.q) << text();
      EXPECT_GE(orders.lambda.order(), theory.lambda) << text();
      continue;
    }
    EXPECT_EQ(orders.v.order(), theory.v) << text();
    if (!info.minimal && theory.lambda) {
      EXPECT_EQ(orders.lambda.order(), theory.lambda) << text();
    }
    ASSERT_TRUE(orders.q.order()) << text();
    if (!theory.q) continue;
    EXPECT_GE(*orders.q.order(), *theory.q) << text();
    if (!theory.q_at_least && (!tableau_ || is_stiffly_accurate(*tableau_))) {
      EXPECT_EQ(*orders.q.order(), *theory.q) << text();
    }
  }
  if (promised == 0) GTEST_SKIP() << "no theorem known";
}

// Observed, without a theorem: structural methods whose accelerations do not grow along
// constraints, from a consistent start, and methods in the tangent space keep their order in q, v
// and λ.
TEST_P(OrderConformance, ObservedWhereNoTheoremIsKnown) {
  const auto* step = method_->as<ExactSecondOrder>();
  const bool tangent = parse_call(GetParam(), "method").id == "tangent_space";
  if (!tangent && (!step || step->position_roots.empty())) GTEST_SKIP() << "theorems are tested";
  const std::optional<int> order = order_of(GetParam());
  for (const char* formulation : {"index2", "index3"}) {
    const FormulationInfo info = Formulation::parse(formulation).info;
    if (!method_->refusal(info).empty()) continue;
    if (step &&
        largest_root(info.index == 3 ? step->position_roots : step->velocity_roots) > 1 + 1e-6)
      continue;
    SCOPED_TRACE(formulation);
    const Orders orders = observed_on(formulation);
    EXPECT_EQ(orders.q.order(), order) << "q: " << orders.q.text();
    EXPECT_EQ(orders.v.order(), order) << "v: " << orders.v.text();
    EXPECT_EQ(orders.lambda.order(), order) << "lambda: " << orders.lambda.text();
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, OrderConformance,
                         ::testing::ValuesIn(test::method_samples().calls),
                         [](const auto& info) { return test::test_name(info.param); });

}  // namespace
}  // namespace daemark
