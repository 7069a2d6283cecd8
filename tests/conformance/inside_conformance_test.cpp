// Output points inside steps, of every method with step-size control on every formulation: their
// errors beside those of the same run whose steps end there.
#include <gtest/gtest.h>

#include <cmath>

#include "analysis/orders/inside_orders.hpp"
#include "analysis/reference/reference.hpp"
#include "analysis/run/run.hpp"
#include "base/text/bad_input.hpp"
#include "tests/support/catalogue.hpp"
#include "tests/support/method_bench.hpp"

namespace daemark {
namespace {

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
