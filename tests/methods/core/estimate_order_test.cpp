// The order of an embedded estimate, against both orders by the trees of tests/methods/
// order_conditions.hpp at 130 digits, and in the numbers of steps that control takes.
#include "methods/core/estimate_order.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "analysis/run/run.hpp"
#include "analysis/setup/bound_run.hpp"
#include "methods/catalogue/registry.hpp"
#include "methods/catalogue/tableau_file.hpp"
#include "tests/methods/order_conditions.hpp"
#include "tests/support/catalogue.hpp"

namespace daemark {
namespace {

constexpr int most_order = 9;

// Of decimals by the orders that their sources claim, which `verify` checks. Where the orders p and
// p̂ differ, b − b̂ fails on a tree of the first order past the lower one.
TEST(EstimateOrder, IsOnePastTheLowerOrder) {
  int found = 0;
  for (const auto& folder : {tableau_folder(), tableau_folder() / "library"})
    for (const auto& path : method_files(folder)) {
      const Coefficients written = load_method_file(path);
      if (written.kind != MethodKind::runge_kutta || !written.has("b_hat")) continue;
      const WideTableau t = tableau_of<wide>(written);
      const Claims& claims = written.claims;
      if (written.decimal && !(claims.order && claims.embedded_order)) continue;
      const auto order = [&](const std::vector<wide>& weights, const std::optional<int>& claim) {
        return written.decimal ? *claim : testing_support::order_of(t.A, weights, most_order);
      };
      const int p = order(t.b, claims.order), lower = order(t.embedded, claims.embedded_order);
      if (p == lower) continue;
      ++found;
      EXPECT_EQ(order_of_difference(t), std::min(p, lower) + 1) << written.id;
    }
  EXPECT_GE(found, 20);
}

// The published orders; and weights that satisfy every quadrature of θ to order 3, but on the
// stages of a method whose [[t]] fails there: the trees see what Σ b_i(θ) c_i^k does not.
TEST(EstimateOrder, InterpolantsByTreesNotByQuadratures) {
  for (const auto& [id, order] :
       {std::pair("dormand_prince_5", 4), std::pair("dormand_prince_853", 7),
        std::pair("tsitouras_5", 4), std::pair("erk4", 0)})
    EXPECT_EQ(order_of_interpolant(*method_registry().make(id)->tableau()), order) << id;
  WideTableau t;
  t.A = {{0, 0, 0}, {wide(1) / 2, 0, 0}, {1, 0, 0}};
  t.b = {wide(1) / 6, wide(2) / 3, wide(1) / 6}, t.c = {0, wide(1) / 2, 1};
  t.dense.weights = {
      {1, wide(-3) / 2, wide(2) / 3}, {0, 2, wide(-4) / 3}, {0, wide(-1) / 2, wide(2) / 3}};
  EXPECT_EQ(order_of_interpolant(t), 2);
  t.dense.weights[0][2] += 1;  // it does not end in b
  EXPECT_EQ(order_of_interpolant(t), 0);
}

struct Controlled {
  double steps, error;
};

Controlled controlled(RunRequest request, int digits) {
  request.settings = {{"control.tol", "1e-" + std::to_string(digits)}};
  const RunResult result = run(request);
  EXPECT_EQ(result.status, "ok") << result.why;
  return {static_cast<double>(result.counts.at("steps") + result.counts.at("rejected_steps")),
          result.measures.at("error_q")};
}

// An estimate C h^p against tol: steps grow as tol^(−1/p), and the errors of a run fall with the
// tolerance. In 50 digits with a hundred steps and more, of every method with step-size control.
// For steps that are not asymptotic yet, 15 % of the exponent are left (bdf(6) begins as order 1),
// and of errors, which pass through zero, a factor 6 in 100.
TEST(EstimateOrder, IsThatOfTheStepsThatControlTakes) {
  int found = 0;
  for (const std::string& call : test::method_samples().calls) {
    SCOPED_TRACE(call);
    const auto method = method_registry().make(call);
    const double p = method->error_order();
    if (method->estimate_order() == 0 || method->owns_loop()) continue;
    RunRequest request;
    request.problem = "pendulum", request.method = call, request.precision = Precision::in_real50;
    request.h = request.t_end = Expression(rational(1)), request.errors = true;
    for (const int index : {1, 2, 3})
      if (SystemTraits traits(index);
          method->refusal(traits).empty() && method->control_refusal(traits).empty()) {
        request.formulation = "index" + std::to_string(index);
        break;
      }
    if (request.formulation.empty()) continue;
    int digits = 3;
    Controlled few = controlled(request, digits);
    while (few.steps < 100 && digits < 24) {
      digits += std::max(1, static_cast<int>(p * std::log10(100 / few.steps)));
      few = controlled(request, digits);
    }
    const Controlled many = controlled(request, digits + 2);
    EXPECT_NEAR(std::log10(many.steps / few.steps) / 2, 1 / p, 0.15 / p);
    EXPECT_NEAR(std::log10(few.error / many.error) / 2, 1, 0.4);
    ++found;
  }
  EXPECT_GE(found, 40);
}

// Where stages or multipliers lower the order on index 2 and 3, errors grow beyond the tolerance by
// a power of it: of ros3p to 800 tolerances here, if the order of index 1 counted.
TEST(EstimateOrder, KeepsErrorsNearTheToleranceOnHigherIndex) {
  int found = 0;
  for (const std::string& call : test::method_samples().calls) {
    const auto method = method_registry().make(call);
    if (method->estimate_order() == 0 || method->owns_loop()) continue;
    if (call.starts_with("hht_i3")) continue;  // steps by the estimate of its authors
    for (const int index : {2, 3}) {
      const SystemTraits traits(index);
      if (!method->refusal(traits).empty() || !method->control_refusal(traits).empty()) continue;
      if (index == 3 && call == "lobatto_iiic(s=2)") continue;  // of order 1 there
      RunRequest request;
      request.problem = "pendulum", request.formulation = "index" + std::to_string(index);
      request.method = call, request.errors = true, request.settings = {{"control.tol", "1e-6"}};
      request.h = request.t_end = Expression(rational(1));
      const RunResult result = run(request);
      if (result.status != "ok") continue;
      EXPECT_LE(result.measures.at("error_v"), 30e-6) << call << " index" << index;
      ++found;
    }
  }
  EXPECT_GE(found, 40);
}

// By hand: [t,<t,t>] fails for both of Lang, Rang and their coauthors; the others satisfy it.
TEST(EstimateOrder, RosenbrockMethodsOnIndexTwo) {
  for (const auto& [id, order] : {std::pair("ros3p", 2), std::pair("ros34pw2", 2),
                                  std::pair("rodasp", 3), std::pair("rodas5p", 3)}) {
    const auto method = method_registry().make(id);
    EXPECT_EQ(method->control_orders(2).error, order) << id;
    EXPECT_EQ(method->control_orders(2).estimate, 3) << id;
    EXPECT_EQ(method->control_orders(1).error, method->error_order()) << id;
  }
}

// The linearly implicit midpoint rule: [<t,t>] fails, and R(∞) = −1 lets its errors add up.
TEST(EstimateOrder, ErrorsAlongConstraintsAddUpWhereNothingDampsThem) {
  RosenbrockNumbers<wide> midpoint;
  midpoint.alpha = {{0}}, midpoint.gammas = {{wide(1) / 2}}, midpoint.b = {1};
  EXPECT_EQ(index_two_orders(midpoint).motion, 1);
  EXPECT_EQ(index_two_orders(midpoint).difference, 0);
}

}  // namespace
}  // namespace daemark
