// How far orders on index 2 and 3 are derived, and what is said beyond.
#include <gtest/gtest.h>

#include <utility>

#include "analysis/orders/constrained_orders.hpp"
#include "analysis/orders/expected_orders.hpp"
#include "methods/catalogue/registry.hpp"

namespace daemark {
namespace {

constexpr exact::Imposed all_imposed[] = {exact::Imposed::positions, exact::Imposed::velocities,
                                          exact::Imposed::both};

ConstrainedOrders orders_of(const std::string& call, exact::Imposed imposed) {
  const auto method = method_registry().make(call);
  return constrained_orders(
      *method->tableau(), imposed,
      method->solves_end_rates() ? EndMultipliers::solved : EndMultipliers::of_last_stage);
}

// Fifteen differences magnify round-off by 1/(1 - rho) each: 1e75 for the last but one, of 130
// digits, but 1e180 for the last.
TEST(ConstrainedOrders, DoNotChangeAsROfInfinityComesNearOne) {
  for (const exact::Imposed imposed : all_imposed) {
    const ConstrainedOrders far = orders_of("bathe(9/10)", imposed);
    EXPECT_EQ(far.none, "");
    EXPECT_EQ(far.v.order, 2);
    for (const char* near : {"bathe(99/100)", "bathe(99999/100000)"}) {
      const ConstrainedOrders found = orders_of(near, imposed);
      EXPECT_EQ(found.none, "") << near;
      EXPECT_EQ(found.q.order, far.q.order) << near;
      EXPECT_EQ(found.v.order, far.v.order) << near;
      EXPECT_EQ(found.lambda.order, far.lambda.order) << near;
      EXPECT_FALSE(found.q.at_least || found.v.at_least || found.lambda.at_least) << near;
    }
    EXPECT_NE(orders_of("bathe(999999999999/1000000000000)", imposed).none, "");
  }
  EXPECT_TRUE(slopes_expected("bathe(999999999999/1000000000000)", "index2")
                  .reason.ends_with("too near to 1 to decide"));
}

// 2s - 1 and 2s - 2 hold, for which there are too many trees.
TEST(ConstrainedOrders, AreBoundsWhereTreesRunOut) {
  for (const auto& [call, order] :
       {std::pair("radau_iia(8)", 15), std::pair("lobatto_iiia(8)", 14), std::pair("gauss(8)", 16)})
    for (const exact::Imposed imposed : all_imposed) {
      const ConstrainedOrders found = orders_of(call, imposed);
      ASSERT_EQ(found.none, "") << call;
      for (const DerivedOrder& one : {found.q, found.v}) EXPECT_LT(one.order, order) << call;
      EXPECT_EQ(found.q.at_least, found.q.tree.empty()) << call;
    }
  EXPECT_TRUE(orders_of("radau_iia(8)", exact::Imposed::velocities).v.at_least);
  EXPECT_TRUE(slopes_expected("gauss(8)", "index2").q_at_least);
}

// Behind an explicit first stage without stiff accuracy two numbers take the place of R(infinity).
TEST(ConstrainedOrders, AreNotDerivedWhereErrorsGrowOrMix) {
  const WideTableau growing{{{1}}, {3}, {1}};
  const WideTableau mixing{
      {{0, 0}, {wide(1) / 2, wide(1) / 2}}, {wide(1) / 4, wide(3) / 4}, {0, 1}};
  const auto none = [](const WideTableau& t) {
    return constrained_orders(t, exact::Imposed::positions, EndMultipliers::solved).none;
  };
  EXPECT_TRUE(none(growing).starts_with("|R(infinity)| > 1"));
  EXPECT_TRUE(none(mixing).ends_with("depend on each other"));
}

// One memory of many tableaus.
TEST(ExpectedOrders, AreNotThoseOfATableauThatAgreesInThirtyDigits) {
  MethodFacts facts = facts_of(*method_registry().make("radau_iia(2)")->tableau());
  EXPECT_EQ(expected_orders(facts, 3).text(), "q 3, v 2, lambda 1");
  facts.tableau.A[0][0] += wide("1e-32"), facts.tableau.A[0][1] -= wide("1e-32");
  EXPECT_NE(expected_orders(facts, 3).text(), "q 3, v 2, lambda 1");
}

TEST(ExpectedOrders, SayWhereTheyAreBetterFromRest) {
  EXPECT_TRUE(slopes_expected("gauss(3)", "index3").better_from_rest);
  EXPECT_FALSE(slopes_expected("gauss(3)", "index2").better_from_rest);
  EXPECT_FALSE(slopes_expected("radau_iia(3)", "index3").better_from_rest);
}

}  // namespace
}  // namespace daemark
