// Convergence studies against an integrator of the tests' own (tests/support/plain_dae.hpp): the
// same numbers step by step, and slopes that settle on what theory expects.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "analysis/orders/expected_orders.hpp"
#include "analysis/orders/inside_orders.hpp"
#include "analysis/reference/reference.hpp"
#include "analysis/run/run.hpp"
#include "analysis/setup/bound_run.hpp"
#include "base/text/bad_input.hpp"
#include "methods/catalogue/registry.hpp"
#include "methods/runge_kutta/runge_kutta.hpp"
#include "tests/support/catalogue.hpp"
#include "tests/support/method_bench.hpp"
#include "tests/support/plain_dae.hpp"
#include "tests/support/tableaus.hpp"
#include "tests/support/temporary_results.hpp"

namespace daemark {
namespace {

// Small members of every implicit family, with and without an explicit first stage, stiffly
// accurate or not, damped or not; erk4 and heun_2 for the explicit ones.
constexpr const char* methods[] = {"gauss(1)",
                                   "gauss(2)",
                                   "gauss(3)",
                                   "radau_ia(2)",
                                   "radau_ia(3)",
                                   "radau_iia(1)",
                                   "radau_iia(2)",
                                   "radau_iia(3)",
                                   "lobatto_iiia(2)",
                                   "lobatto_iiia(3)",
                                   "lobatto_iiic(2)",
                                   "lobatto_iiic(3)",
                                   "sdirk_2",
                                   "sdirk_4",
                                   "crouzeix_2",
                                   "crouzeix_3",
                                   "tr_bdf2",
                                   "esdirk_4_3_6l",
                                   "pade_block(r=3,k=1)",
                                   "pade_block_rk(r=3,k=1)",
                                   "erk4",
                                   "heun_2"};

struct OnIndex {
  std::string method;
  int index;
};

std::vector<OnIndex> methods_and_indices() {
  std::vector<OnIndex> out;
  for (const char* method : methods)
    for (const int index : {1, 2, 3})
      if (method_registry().make(method)->refusal(index).empty()) out.push_back({method, index});
  return out;
}

class Convergence : public ::testing::TestWithParam<OnIndex> {
 protected:
  static constexpr int coarsest = 64, finest = 512;

  ConvergeResult study() const {
    RunRequest request;
    std::vector<Expression> steps;
    request.problem = "pendulum";
    request.formulation = fmt::format("index{}", GetParam().index);
    request.method = GetParam().method;
    request.t_end = Expression::parse("1", "t");
    request.precision = Precision::in_real50;
    for (int n = coarsest; n <= finest; n *= 2)
      steps.push_back(Expression::parse(fmt::format("1/{}", n), "h"));
    return converge(bind_study(request, steps));
  }
};

real50 number(const std::string& text) { return real50(text.c_str()); }

TEST_P(Convergence, IsThatOfAnIndependentIntegrator) {
  const test::TemporaryResults folder;
  const auto method = method_registry().make(GetParam().method);
  const auto tableau = method->tableau();
  ASSERT_TRUE(tableau);
  const ConvergeResult result = study();
  test::PlainPendulum pendulum(number("44.452050"), number("1.98120"), number("9.80665"));
  const test::PlainState start{
      real50(0), {number("1.98120"), real50(0)}, {real50(0), real50(0)}, {}, {}};
  int steps = coarsest;
  for (std::size_t i = 0; i < result.h.size(); ++i, steps *= 2) {
    ASSERT_EQ(result.status[i], "ok");
    const test::PlainState own =
        test::plain_integration(pendulum, start, *tableau, GetParam().index,
                                !method->solves_end_rates(), steps, 1 / real50(steps));
    const RunResult& run = result.runs[i];
    // Newton stops at increments of 1e-35 of accelerations; positions take h² of that, but on
    // index 3 what their constraint leaves is divided by h once and twice.
    const double left = 1e-31 * (GetParam().index == 3 ? steps * steps : 1);
    for (int k = 0; k < 2; ++k) {
      EXPECT_LT(to_double(real50(abs(own.q[k] - number(run.q[k])))), left) << steps;
      EXPECT_LT(to_double(real50(abs(own.v[k] - number(run.v[k])))), left) << steps;
    }
    EXPECT_LT(to_double(real50(abs(own.lambda[0] - number(run.lambda[0])))), left * 1e3) << steps;
  }
}

/// A settled slope is within its own drift of the order: what is left of a next term of one power
/// of h more is as much as the slopes still move, here at most a quarter, and half of that again
/// for the mean over the range.
void expect_order(const SlopeFit& fit, const std::optional<int>& order, bool at_least,
                  const char* what) {
  if (!order) return;
  ASSERT_EQ(fit.verdict, SlopeVerdict::asymptotic) << what << ": " << fit.least << ", " << fit.most;
  EXPECT_GT(fit.slope, *order - 0.375) << what;
  if (!at_least) {
    EXPECT_LT(fit.slope, *order + 0.375) << what;
  }
}

TEST_P(Convergence, HasTheExpectedOrders) {
  const test::TemporaryResults folder;
  const ExpectedOrders expected =
      slopes_expected(GetParam().method, fmt::format("index{}", GetParam().index));
  EXPECT_FALSE(expected.reason.empty());
  const ConvergeResult result = study();
  expect_order(result.fit[0], expected.q, expected.q_at_least, "q");
  // The pendulum begins at rest.
  expect_order(result.fit[1], expected.v, expected.better_from_rest, "v");
  // An end of step off the position constraint's tangent is wrong in G v only: the pendulum's
  // multiplier, solved for there as a function of q and |v|², sees the square of that.
  const auto method = method_registry().make(GetParam().method);
  const bool off_tangent = GetParam().index >= 2 && !is_stiffly_accurate(*method->tableau());
  expect_order(result.fit[2], expected.lambda, expected.better_from_rest || off_tangent, "lambda");
}

INSTANTIATE_TEST_SUITE_P(Studies, Convergence, ::testing::ValuesIn(methods_and_indices()),
                         [](const auto& info) {
                           std::string name =
                               fmt::format("{}_index{}", info.param.method, info.param.index);
                           for (char& c : name)
                             if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
                           return name;
                         });

// What theory says does not converge: velocities of gauss(2) and multipliers of methods of stage
// order 1 on index 3 (their last stage's error in λ is O(h^{eta-1})).
TEST(Convergence3, ShowsWhatDoesNotConverge) {
  const test::TemporaryResults folder;
  for (const char* method : {"gauss(2)", "sdirk_2", "lobatto_iiic(2)"}) {
    const RunRequest request = test::run_request("pendulum", "index3", method, "1/32", "1");
    const ConvergeResult result =
        converge(bind_study(request, expressions({"1/32", "1/64", "1/128", "1/256"})));
    EXPECT_EQ(result.fit[2].verdict, SlopeVerdict::no_convergence) << method;
    EXPECT_LT(std::abs(result.fit[2].slope), 0.3) << method;
  }
}

// Output points inside steps, of every method with step-size control on every formulation: their
// errors beside those of the same run whose steps end there.

constexpr int output_points = 20;

struct ErrorsAtOutput {
  std::array<double, 3> worst{};  ///< largest of q, v, λ over the output points
  double steps = 0;
};

/// Empty where refused.
std::optional<ErrorsAtOutput> errors_at_output(const std::string& method,
                                               const std::string& formulation,
                                               const std::string& tol, const char* output) {
  static const std::vector<ReferenceState> truth = [] {
    std::vector<std::string> times;
    for (int k = 1; k <= output_points; ++k) times.push_back(std::to_string(k) + "/20");
    return reference_states(problem_registry().make("pendulum"), times, 20);
  }();
  RunRequest r = test::run_request("pendulum", formulation, method, "1/20", "1",
                                   {{"control.tol", tol}, {"control.output", output}});
  r.history_every = 1;
  try {
    const RunResult found = run(r);
    if (found.status != "ok") return std::nullopt;
    ErrorsAtOutput errors{{}, static_cast<double>(found.counts.at("steps"))};
    for (int k = 1; k <= output_points; ++k) {
      const ReferenceState& state = truth[k - 1];
      const auto compare = [&](int kind, const std::vector<double>& is, const auto& should) {
        for (std::size_t i = 0; i < is.size(); ++i)
          errors.worst[kind] =
              std::max(errors.worst[kind], std::abs(is[i] - static_cast<double>(should[i])));
      };
      compare(0, found.history.q[k], state.q);
      compare(1, found.history.v[k], state.v);
      compare(2, found.history.lambda[k], state.lambda);
    }
    return errors;
  } catch (const BadInput&) {
    return std::nullopt;
  }
}

// Steps of a method of order p are h ~ tol^(1/p), so that an interpolant of order k adds tol^(k/p);
// at step ends there is a multiple of tol. Velocities inside a step contain 15/8 (q₁ − q₀)/h, and
// what is rounded in positions is not damped by a method with a second root on the unit circle
// (lms(2, rho=1)): after n steps of 1/n s it is √n ε |q|, |q| = 2 m. λ follows from v with
// m |v|/l² = 70.
TEST(InsideConformance, ErrorsAreThoseOfStepEndsAndOfTheInterpolant) {
  int compared = 0;
  for (const std::string& call : test::method_samples().calls) {
    const auto method = method_registry().make(call);
    if (method->owns_loop()) continue;
    for (const auto& [formulation, orders] : inside_orders(call))
      for (const char* tol : {"1e-5", "1e-9"}) {
        const auto inside = errors_at_output(call, formulation, tol, "inside"),
                   ends = errors_at_output(call, formulation, tol, "ends");
        if (!inside || !ends) continue;
        ++compared;
        const int of[3] = {orders.q, orders.v, orders.lambda};
        for (int kind = 0; kind < 3; ++kind) {
          const double added = std::pow(
              std::stod(tol), std::min(1.0, of[kind] / static_cast<double>(method->error_order())));
          const double slope[3] = {0, 1, 70};
          const double rounded =
              slope[kind] * 15 / 8 * 2 * unit_roundoff<double>() * std::pow(inside->steps, 1.5);
          EXPECT_LE(inside->worst[kind], 10 * ends->worst[kind] + 300 * added + rounded)
              << call << " " << formulation << " " << tol << " "
              << "qvl"[kind];
        }
      }
  }
  EXPECT_GT(compared, 50);
}

}  // namespace
}  // namespace daemark
