#include "analysis/orders/method_facts.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "analysis/exact/theory/collocation.hpp"
#include "analysis/exact/theory/rounding.hpp"
#include "analysis/linear/stability_function.hpp"
#include "analysis/orders/expected_orders.hpp"
#include "methods/catalogue/registry.hpp"
#include "tests/support/tableaus.hpp"

namespace daemark {
namespace {

MethodFacts facts_of_digits(const std::vector<std::vector<std::string>>& a,
                            const std::vector<std::string>& b, const std::vector<std::string>& c) {
  Coefficients t = tableau_of_texts("decimals", a, b, c);
  t.decimal = true;
  return facts_of_decimals(t);
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
  const auto order = [](const std::string& first_weight) {
    return facts_of_digits({{"0", "0"}, {"0.666666666667", "0"}}, {first_weight, "0.75"},
                           {"0", "0.666666666667"})
        .order;
  };
  EXPECT_EQ(order("0.25"), 2);
  EXPECT_EQ(order("0.250000100000"), 0);  // off by more than twelve places leave
}

// Few places leave much room, but no more than verify grants: 0.667 is a number as it stands.
TEST(MethodFacts, FewDecimalsAreNoExcuse) {
  for (const auto& [node, order] : {std::pair{"0.667", 1}, std::pair{"0.6667", 2}}) {
    Coefficients t =
        tableau_of_texts("few", {{"0", "0"}, {node, "0"}}, {"0.25", "0.75"}, {"0", node});
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
  const auto with = [](const std::string& entry) {
    return facts_of_digits({{"0.416666666667", entry}, {"0.75", "0.25"}}, {"0.75", "0.25"},
                           {"0.333333333333", "1"});
  };
  const MethodFacts facts = with("-0.083333333333"), wrong = with("-0.083333323333");
  EXPECT_EQ(facts.order, 3);
  EXPECT_EQ(facts.b, 3);
  EXPECT_EQ(facts.c, 2);
  EXPECT_EQ(facts.d, 1);
  EXPECT_FALSE(wrong.row_sums);
  EXPECT_EQ(wrong.c, 0);
}

// What no theorem speaks of: formulas that are not zero-stable, gains that change with the step.
TEST(ExpectedOrders, SaysNothingWhereTheoremsDoNot) {
  const auto zero_stable = [](const std::vector<std::string>& alpha,
                              const std::vector<std::string>& beta) {
    return is_zero_stable(formula_of_texts("formula", alpha, beta));
  };
  EXPECT_FALSE(zero_stable({"-5", "4", "1"}, {"2", "4", "0"}));  // roots 1, -5
  EXPECT_FALSE(zero_stable({"1", "-2", "1"}, {"0", "1", "0"}));  // 1 twice
  EXPECT_TRUE(zero_stable({"-3", "0", "3"}, {"1", "4", "1"}));   // 1, -1: Milne and Simpson
  EXPECT_TRUE(zero_stable({"0", "0", "-1", "1"}, {"0", "0", "0", "1"}));
  EXPECT_FALSE(expected_orders(MultistepFacts{3, false, 0, false}, 1).q.has_value());
  EXPECT_FALSE(slopes_expected("gauss(2)", "baumgarte(1/h,1/h)").q.has_value());
  EXPECT_EQ(slopes_expected("gauss(2)", "baumgarte(5,5)").q, 4);
}

// Facts from 130 digits and from exact arithmetic give the same orders.
TEST(ExpectedOrders, OfCoefficientsAreThoseOfTheProofs) {
  using exact::Family;
  for (const Family family : {Family::gauss, Family::radau_ia, Family::radau_iia,
                              Family::lobatto_iiia, Family::lobatto_iiic})
    for (int s = 2; s <= 3; ++s)
      for (int index = 1; index <= 3; ++index) {
        const std::string call = fmt::format("{}({})", family_name(family), s);
        const auto method = method_registry().make(call);
        const auto facts = facts_of(exact::prove_collocation(family, s), *method->tableau());
        EXPECT_EQ(slopes_expected(call, fmt::format("index{}", index)).text(),
                  expected_orders(facts, index).text())
            << call << index;
      }
}

// Those of collocation methods: ExactDaeOrders.
TEST(ExpectedOrders, BackwardDifferencesAndExplicitFirstStages) {
  EXPECT_EQ(slopes_expected("bdf(3)", "index3").lambda, 3);
  // A start by lower orders in turn leaves errors of size h³.
  EXPECT_EQ(slopes_expected("bdf(5)", "index1").v, 5);
  EXPECT_EQ(slopes_expected("bdf(5)", "index1", {{"start", "lower_orders"}}).v, 3);
  EXPECT_EQ(slopes_expected("bdf(5)", "index1", {{"start", "trapezoidal"}}).v, 3);
  EXPECT_EQ(slopes_expected("bdf(5)", "index1", {{"start", "radau_iia"}}).v, 5);
  EXPECT_EQ(slopes_expected("bdf(2)", "index2").v, 2);
  EXPECT_EQ(slopes_expected("erk4", "index3").q, std::nullopt);
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
