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

namespace daemark {
namespace {

constexpr int most_order = 9;

// Of decimals by the orders that their sources claim, which `verify` checks. Where the orders p and
// p̂ differ, b − b̂ fails on a tree of the first order past the lower one.
TEST(EstimateOrder, IsOnePastTheLowerOrder) {
  int found = 0;
  for (const auto& folder : {tableau_folder(), tableau_folder() / "library"})
    for (const auto& path : method_files(folder)) {
      const MethodFile file = load_method_file(path);
      const auto* const written = std::get_if<ExactTableau>(&file);
      if (written == nullptr || written->embedded.empty()) continue;
      const WideTableau t = evaluate(*written);
      const Claims& claims = written->claims;
      if (written->decimal && !(claims.order && claims.embedded_order)) continue;
      const auto order = [&](const std::vector<wide>& weights, const std::optional<int>& claim) {
        return written->decimal ? *claim : testing_support::order_of(t.A, weights, most_order);
      };
      const int p = order(t.b, claims.order), lower = order(t.embedded, claims.embedded_order);
      if (p == lower) continue;
      ++found;
      EXPECT_EQ(order_of_difference(t), std::min(p, lower) + 1) << written->id;
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

long steps_at(const std::string& method, const std::string& tolerance) {
  RunRequest request;
  request.problem = "pendulum", request.formulation = "index1", request.method = method;
  request.h = request.t_end = Expression(rational(1));
  request.settings = {{"control.tol", tolerance}};
  const RunResult result = run(request);
  EXPECT_EQ(result.status, "ok") << method;
  return result.counts.at("steps");
}

// An estimate C h^p against tol: steps grow as tol^(−1/p). Fehlberg's pair of orders 7 and 8 agrees
// on all quadratures. A quarter of the exponent is left for steps that are not asymptotic.
TEST(EstimateOrder, IsThatOfTheStepsThatControlTakes) {
  for (const char* method : {"fehlberg_8", "verner_8", "dormand_prince_5", "fehlberg_5"}) {
    const int p = method_registry().make(method)->estimate_order();
    const double grown = std::log10(static_cast<double>(steps_at(method, "1e-12")) /
                                    static_cast<double>(steps_at(method, "1e-8")));
    EXPECT_NEAR(grown / 4, 1.0 / p, 0.25 / p) << method;
  }
}

}  // namespace
}  // namespace daemark
