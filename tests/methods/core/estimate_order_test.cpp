// The order of an embedded estimate, against both orders at 130 digits, and in the numbers of steps
// that control takes.
#include "methods/core/estimate_order.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "analysis/exact/proof/verify.hpp"
#include "analysis/exact/theory/half_explicit.hpp"
#include "analysis/orders/method_facts.hpp"
#include "analysis/run/run.hpp"
#include "analysis/setup/bound_run.hpp"
#include "methods/catalogue/registry.hpp"
#include "methods/catalogue/tableau_file.hpp"
#include "methods/core/tree_families.hpp"
#include "tests/support/catalogue.hpp"

namespace daemark {

namespace {

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
        return written.decimal ? *claim : facts_of(WideTableau{t.A, weights, t.c}).order;
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

// Trees of differential-algebraic systems: how many there are, counted by hand or by another
// program, and the orders that they give methods whose orders are known.

namespace daemark::exact {

namespace {

std::vector<int> counts(const TreeFamily& family, int rounds, int type) {
  std::vector<int> out(static_cast<std::size_t>(rounds) + 1);
  const RootedTrees family_trees = RootedTrees(rounds, family);
  for (const Tree& tree : family_trees.all())
    if (tree.type == type) ++out[static_cast<std::size_t>(tree.order)];
  return out;
}

// Index 0: Hairer, Nørsett & Wanner I, Table II.2.2. Index 1: multisets counted from generating
// functions. Index 2, order 2: [t], [<t,t>], [<[t]>]; of z of order 1 the two in the latter.
// Mechanisms of index 3: of λ of order 0 <c,c>, of order 1 <c,c,c>, <c,F>, <c,[<c,c>]F>.
TEST(Trees, AreAsManyAsCounted) {
  EXPECT_EQ(counts({}, 7, 0), (std::vector<int>{0, 1, 1, 2, 4, 9, 20, 48}));
  EXPECT_EQ(counts(index_one_trees(), 5, of_y), (std::vector<int>{0, 1, 2, 10, 56, 372}));
  EXPECT_EQ(counts(index_one_trees(), 5, of_z), (std::vector<int>{0, 1, 5, 28, 186, 0}));
  EXPECT_EQ(counts(index_two_trees(), 2, of_y), (std::vector<int>{0, 1, 3}));
  EXPECT_EQ(counts(index_two_trees(), 2, of_z), (std::vector<int>{0, 2, 0}));
  std::vector<std::string> multipliers;
  const RootedTrees family_trees = RootedTrees(2, mechanism_trees(Imposed::positions));
  for (const Tree& tree : family_trees.all())
    if (tree.type == multiplier && tree.children.size() > 1) multipliers.push_back(tree.text);
  EXPECT_THAT(multipliers,
              testing::UnorderedElementsAre("<c,c>", "<c,c,c>", "<c,F>", "<c,[<c,c>]F>"));
}

rational density_of(const TreeFamily& family, const std::string& text) {
  const RootedTrees family_trees = RootedTrees(3, family);
  for (const Tree& tree : family_trees.all())
    if (tree.text == text) return tree.density;
  return 0;
}

// b W c² = 1 of every method of index 2 with C(2): W c² = 2 c, Σ b_i 2 c_i = 1; likewise with c_i
// beside it 2/3. Index 1: b W' c² = 1 of ω = β⁻¹, as a branch of y b c² = 1/3.
TEST(Trees, HaveTheDensitiesOfTheirTheory) {
  EXPECT_EQ(density_of(index_two_trees(), "[<t,t>]"), 1);
  EXPECT_EQ(density_of(index_two_trees(), "[t,<t,t>]"), rational(3) / 2);
  EXPECT_EQ(density_of(index_one_trees(), "<t,t>"), 1);
  EXPECT_EQ(density_of(index_one_trees(), "[<t,t>]"), 3);
  EXPECT_EQ(density_of(mechanism_trees(Imposed::positions), "<c,c>"), rational(1) / 2);
}

TEST(Trees, GiveTheOrdersThatAuthorsClaim) {
  for (const Coefficients& method : test::catalogue_files(MethodKind::half_explicit)) {
    const VerifyReport report = verify_half_explicit(method);
    EXPECT_TRUE(method.claims.order) << method.id;
    EXPECT_TRUE(report.verified()) << method.id << ": " << report.failures.front();
  }
  for (const Coefficients& method : test::catalogue_files(MethodKind::rosenbrock)) {
    const VerifyReport report = verify_rosenbrock(method);
    EXPECT_TRUE(method.claims.order) << method.id;
    EXPECT_TRUE(report.verified()) << method.id << ": " << report.failures.front();
  }
}

Coefficients half_explicit(const std::string& id) {
  for (const Coefficients& method : test::catalogue_files(MethodKind::half_explicit))
    if (method.id == id) return method;
  throw std::logic_error(id);
}

// Murua 1997: multipliers of PHEM56 have order 4, and their error is not carried over.
TEST(Trees, GiveOrdersOfMultipliers) {
  const HalfExplicitOrders orders = half_explicit_orders(half_explicit("phem56"));
  EXPECT_EQ(orders.lambda, 4);
  ASSERT_TRUE(orders.carried);
  EXPECT_LT(*orders.carried, 1e-100);
}

TEST(Trees, SeeAWrongCoefficient) {
  Coefficients method = half_explicit("hem4");
  method.rows("A")[3][0] = Expression::parse("(-79-31*sqrt(6))/150+1/1000000", "A");
  EXPECT_LT(half_explicit_orders(method).v, 4);
  EXPECT_FALSE(verify_half_explicit(method).verified());
  for (Coefficients written : test::catalogue_files(MethodKind::rosenbrock)) {
    written.list("b")[0] =
        Expression::parse("(" + written.list("b")[0].text() + ")+1/1000000", "b");
    EXPECT_FALSE(verify_rosenbrock(written).verified()) << written.id;
  }
}

}  // namespace

}  // namespace daemark::exact
