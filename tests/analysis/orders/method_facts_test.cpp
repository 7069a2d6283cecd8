#include "analysis/orders/method_facts.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "analysis/exact/theory/collocation.hpp"
#include "analysis/exact/theory/rounding.hpp"
#include "analysis/linear/stability_function.hpp"
#include "analysis/orders/expected_orders.hpp"
#include "methods/catalogue/registry.hpp"

namespace daemark {
namespace {

std::vector<Expression> decimals(std::initializer_list<const char*> texts) {
  std::vector<Expression> out;
  for (const char* text : texts) out.push_back(Expression::parse(text, "test"));
  return out;
}

// One function for exact and rounded coefficients: both routes agree wherever both exist.
TEST(MethodFacts, ExactAndAt130DigitsAgree) {
  int exact = 0;
  for (const std::string& call : method_registry().examples()) {
    const auto method = method_registry().make(call);
    const auto facts = method_facts(*method);
    if (!facts || !facts->exact) continue;
    ++exact;
    const MethodFacts rounded = facts_of(*method->tableau());
    EXPECT_EQ(rounded.order, facts->order) << call;
    EXPECT_EQ(rounded.b, facts->b) << call;
    EXPECT_EQ(rounded.c, facts->c) << call;
    EXPECT_EQ(rounded.d, facts->d) << call;
    EXPECT_EQ(rounded.row_sums, facts->row_sums) << call;
    EXPECT_EQ(rounded.explicit_first_stage, facts->explicit_first_stage) << call;
    EXPECT_EQ(rounded.stiffly_accurate, facts->stiffly_accurate) << call;
    EXPECT_EQ(rounded.regular, facts->regular) << call;
    EXPECT_EQ(rounded.damped, facts->damped) << call;
  }
  EXPECT_GT(exact, 80);
}

// Decimals decide as far as they are written.
TEST(MethodFacts, DecimalsHoldToTheirLastPlace) {
  Coefficients t;
  t.rows("A") = {decimals({"0", "0"}), decimals({"0.666666666667", "0"})};
  t.list("b") = decimals({"0.25", "0.75"});
  t.list("c") = decimals({"0", "0.666666666667"});
  t.decimal = true;
  EXPECT_EQ(facts_of_decimals(t).order, 2);
  t.list("b") = decimals({"0.250000100000", "0.75"});  // off by more than twelve places leave
  EXPECT_EQ(facts_of_decimals(t).order, 0);
}

// Few places leave much room, but no more than verify grants: 0.667 is a number as it stands.
TEST(MethodFacts, FewDecimalsAreNoExcuse) {
  Coefficients t;
  for (const auto& [node, order] : {std::pair{"0.667", 1}, std::pair{"0.6667", 2}}) {
    t.rows("A") = {decimals({"0", "0"}), decimals({node, "0"})};
    t.list("b") = decimals({"0.25", "0.75"});
    t.list("c") = decimals({"0", node});
    t.decimal = true;
    const MethodFacts facts = facts_of_decimals(t);
    EXPECT_EQ(facts.order, order) << node;
    EXPECT_EQ(facts.order, exact::rounded(tableau_of<Expression>(t)).order.order) << node;
    EXPECT_TRUE(facts.row_sums) << node;
    EXPECT_LE(facts.d, 0) << node;  // no explicit method of two stages has D(1) and order 2
  }
}

// Radau IIA of two stages, written to 12 places.
TEST(MethodFacts, DecimalsKeepSimplifyingAssumptions) {
  Coefficients t;
  t.rows("A") = {decimals({"0.416666666667", "-0.083333333333"}), decimals({"0.75", "0.25"})};
  t.list("b") = decimals({"0.75", "0.25"});
  t.list("c") = decimals({"0.333333333333", "1"});
  t.decimal = true;
  const MethodFacts facts = facts_of_decimals(t);
  EXPECT_EQ(facts.order, 3);
  EXPECT_EQ(facts.b, 3);
  EXPECT_EQ(facts.c, 2);
  EXPECT_EQ(facts.d, 1);
  t.rows("A") = {decimals({"0.416666666667", "-0.083333323333"}), decimals({"0.75", "0.25"})};
  EXPECT_FALSE(facts_of_decimals(t).row_sums);
  EXPECT_EQ(facts_of_decimals(t).c, 0);
}

// What no theorem speaks of: formulas that are not zero-stable, gains that change with the step.
TEST(ExpectedOrders, SaysNothingWhereTheoremsDoNot) {
  const auto formula = [](std::initializer_list<int> alpha, std::initializer_list<int> beta) {
    Coefficients out;
    out.kind = MethodKind::multistep;
    for (const int x : alpha) out.list("alpha").emplace_back(Expression(rational(x)));
    for (const int x : beta) out.list("beta").emplace_back(Expression(rational(x)));
    return out;
  };
  EXPECT_FALSE(is_zero_stable(formula({-5, 4, 1}, {2, 4, 0})));  // roots 1, -5
  EXPECT_FALSE(is_zero_stable(formula({1, -2, 1}, {0, 1, 0})));  // 1 twice
  EXPECT_TRUE(is_zero_stable(formula({-3, 0, 3}, {1, 4, 1})));   // 1, -1: Milne and Simpson
  EXPECT_TRUE(is_zero_stable(formula({0, 0, -1, 1}, {0, 0, 0, 1})));
  EXPECT_FALSE(expected_orders(MultistepFacts{3, false, 0, false}, 1).q.has_value());
  EXPECT_FALSE(slopes_expected("gauss(2)", "baumgarte(1/h,1/h)").q.has_value());
  EXPECT_EQ(slopes_expected("gauss(2)", "baumgarte(5,5)").q, 4);
}

// Facts from 130 digits and from exact arithmetic give the same orders.
TEST(ExpectedOrders, OfCoefficientsAreThoseOfTheProofs) {
  const std::map<std::string, exact::Family> families = {
      {"gauss", exact::Family::gauss},
      {"radau_ia", exact::Family::radau_ia},
      {"radau_iia", exact::Family::radau_iia},
      {"lobatto_iiia", exact::Family::lobatto_iiia},
      {"lobatto_iiic", exact::Family::lobatto_iiic}};
  for (const auto& [name, family] : families)
    for (int s = 2; s <= 3; ++s)
      for (int index = 1; index <= 3; ++index) {
        const auto method = method_registry().make(fmt::format("{}({})", name, s));
        const auto facts = facts_of(exact::prove_collocation(family, s), *method->tableau());
        EXPECT_EQ(
            slopes_expected(fmt::format("{}({})", name, s), fmt::format("index{}", index)).text(),
            expected_orders(facts, index).text())
            << name << s << index;
      }
}

TEST(ExpectedOrders, RadauIIaAndBackwardDifferences) {
  const ExpectedOrders ode = slopes_expected("radau_iia(3)", "index1");
  EXPECT_EQ(ode.q, 5);
  const ExpectedOrders two = slopes_expected("radau_iia(3)", "index2");
  EXPECT_EQ(two.v, 5);
  EXPECT_EQ(two.lambda, 3);
  const ExpectedOrders three = slopes_expected("radau_iia(3)", "index3");
  EXPECT_EQ(three.q, 5);
  EXPECT_EQ(three.v, 3);
  EXPECT_EQ(three.lambda, 2);
  EXPECT_EQ(slopes_expected("bdf(3)", "index3").lambda, 3);
  // A start by lower orders in turn leaves errors of size h³.
  EXPECT_EQ(slopes_expected("bdf(5)", "index1").v, 5);
  EXPECT_EQ(slopes_expected("bdf(5)", "index1", {{"start", "lower_orders"}}).v, 3);
  EXPECT_EQ(slopes_expected("bdf(5)", "index1", {{"start", "trapezoidal"}}).v, 3);
  EXPECT_EQ(slopes_expected("bdf(5)", "index1", {{"start", "radau_iia"}}).v, 5);
  EXPECT_EQ(slopes_expected("bdf(2)", "index2").v, 2);
  EXPECT_EQ(slopes_expected("erk4", "index3").q, std::nullopt);
  // R(infinity) = 1 costs Lobatto IIIA an order of the multipliers, R(infinity) = -1 does not.
  EXPECT_EQ(slopes_expected("lobatto_iiia(2)", "index2").lambda, 2);
  EXPECT_EQ(slopes_expected("lobatto_iiia(3)", "index2").lambda, 2);
  EXPECT_EQ(slopes_expected("lobatto_iiia(4)", "index2").lambda, 4);
  EXPECT_EQ(slopes_expected("lobatto_iiia(3)", "index3").lambda, std::nullopt);
  // An explicit first stage, damped at infinity but for rho = 1.
  EXPECT_EQ(slopes_expected("esdirk_4_3_6l", "index2").lambda, 2);
  EXPECT_EQ(slopes_expected("bathe(0)", "index3").lambda, 1);
  EXPECT_EQ(slopes_expected("mssth(3,3/5)", "index3").v, 2);
  EXPECT_EQ(slopes_expected("mssth(3,1)", "index3").lambda, std::nullopt);
  EXPECT_EQ(order_of("dormand_prince_5"), 5);
}

TEST(ExpectedOrders, EqualMethodsSayTheSame) {
  for (const char* formulation : {"index1", "index2", "index3"}) {
    EXPECT_EQ(slopes_expected("backward_euler", formulation).text(),
              slopes_expected("bdf(1)", formulation).text());
    EXPECT_EQ(slopes_expected("radau_iia(1)", formulation).text(),
              slopes_expected("bdf(1)", formulation).text());
    EXPECT_EQ(slopes_expected("lms(2,0)", formulation).text(),
              slopes_expected("bdf(2)", formulation).text());
  }
}

TEST(ExpectedOrders, MultipliersOfAnIndexOneSolveHaveTheOrderOfVelocities) {
  const ExpectedOrders carried = slopes_expected("pade_block(r=3,k=1)", "index2");
  EXPECT_EQ(carried.v, 4);
  EXPECT_EQ(carried.lambda, 3);
  EXPECT_EQ(slopes_expected("pade_block_rk(r=3,k=1)", "index2").lambda, 4);
  EXPECT_EQ(slopes_expected("pade_block_rk(r=3,k=1)", "index3").lambda, 3);
}

TEST(ExpectedOrders, BoundsAndWhatIsNotKnown) {
  const ExpectedOrders bound = slopes_expected("crouzeix_3", "index2");
  EXPECT_EQ(bound.text(), "q 4, v 2, lambda 2");
  // Roots of sigma on the unit circle: the trapezoidal rule and its powers.
  EXPECT_EQ(slopes_expected("lms(3,1)", "index2").text(), "q -, v -, lambda -");
  EXPECT_EQ(slopes_expected("ss(3,1)", "index2").text(), "q -, v -, lambda -");
  EXPECT_EQ(slopes_expected("lms(3,3/5)", "index2").v, 2);
}

// Every expectation says where it is from: an argument, a theorem that was read, or neither.
TEST(ExpectedOrders, NameTheirReason) {
  for (const std::string& call : method_registry().examples())
    for (const char* formulation : {"index1", "index2", "index3"}) {
      const ExpectedOrders expected = slopes_expected(call, formulation);
      EXPECT_FALSE(expected.reason.empty()) << call << formulation;
      EXPECT_EQ(expected.observed_only, expected.reason.starts_with("observed only"))
          << call << formulation;
    }
}

// Arnold & Brüls 2007: order 2 where the roots along constraints lie inside the unit circle, which
// those of the trapezoidal rule do not, for the equilibrium at the step's end and gamma = 1/2 +
// alpha_f - alpha_m.
TEST(ExpectedOrders, OfStructuralMethodsOnIndexThree) {
  for (const char* call :
       {"generalized_alpha", "generalized_alpha(rho=0)", "hht(-1/3)", "hht(-1/10)", "hht_i3(-1/5)"})
    EXPECT_EQ(slopes_expected(call, "index3").text(), "q 2, v 2, lambda 2") << call;
  for (const char* call : {"generalized_alpha(rho=1)", "hht(0)", "newmark(3/4,25/64)",
                           "generalized_alpha(variant=chung_hulbert)", "augmented_lagrangian"})
    EXPECT_EQ(slopes_expected(call, "index3").text(), "q -, v -, lambda -") << call;
  EXPECT_EQ(slopes_expected("generalized_alpha", "index2").v, std::nullopt);
}

TEST(ExpectedOrders, CitedOrdersAreThoseOfTheSources) {
  for (const char* call : {"rattlie", "energy_momentum", "lie_generalized_alpha", "bliedf(2)"})
    EXPECT_EQ(cited_order(call), 2) << call;
  EXPECT_EQ(cited_order("mexx(4,midpoint)"), 8);
  EXPECT_EQ(cited_order("tangent_space(inner=newmark)"), std::nullopt);
}

}  // namespace
}  // namespace daemark
