// The program that makes the tables is the method that was certified; orders expected on DAEs.
#include <gtest/gtest.h>

#include "analysis/exact/proof/code_theory.hpp"
#include "analysis/exact/theory/collocation.hpp"
#include "analysis/orders/dae_orders.hpp"
#include "tests/support/catalogue.hpp"

namespace daemark::exact {
namespace {

void expect_equal(const std::string& method, const VerifyReport& report) {
  const CodeCheck check = compare_code(method, report);
  EXPECT_TRUE(check.holds) << method << ": " << check.failure;
  EXPECT_EQ(check.points, static_cast<int>(report.num.size() + report.den.size()) - 1);
}

TEST(ExactCode, StepperEqualsCertifiedFunction) {
  for (const Coefficients& t : test::catalogue_files(MethodKind::runge_kutta)) {
    if (!t.decimal) expect_equal(t.id, verify_tableau(t));
  }
  for (const char* nodes : {"equidistant", "chebyshev", "legendre", "radau", "lobatto"}) {
    for (int k = 1; k <= 3; ++k) {
      expect_equal("pade_block(r=3,k=" + std::to_string(k) + ",nodes=" + nodes + ")",
                   verify_pade_block(3, k, 3, nodes));
    }
  }
  for (const char* f : {"gauss", "radau_ia", "radau_iia", "lobatto_iiia", "lobatto_iiic"}) {
    expect_equal(std::string(f) + "(s=4)", verify_collocation(f, 4));
  }
}

TEST(ExactCode, AnotherMethodsFunctionIsNoticed) {
  EXPECT_FALSE(
      compare_code("pade_block(r=3,k=2)", verify_pade_block(3, 1, 3, "equidistant")).holds);
  EXPECT_FALSE(compare_code("gauss(s=3)", verify_collocation("gauss", 2)).holds);
}

// The orders of Hairer & Wanner II, chapter VII, for index 2 and 3.
TEST(ExactDaeOrders, TextbookTable) {
  for (int s = 2; s <= 6; ++s) {
    const auto expected_orders = [](const MethodProof& method, int index) {
      return daemark::expected_orders(facts_of(method), index);
    };
    const MethodProof radau = prove_collocation(Family::radau_iia, s);
    EXPECT_EQ(expected_orders(radau, 1).lambda, 2 * s - 1);
    EXPECT_EQ(expected_orders(radau, 2).q, 2 * s - 1);
    EXPECT_EQ(expected_orders(radau, 2).lambda, s);
    EXPECT_EQ(expected_orders(radau, 3).q, 2 * s - 1);
    EXPECT_EQ(expected_orders(radau, 3).v, s);
    EXPECT_EQ(expected_orders(radau, 3).lambda, s - 1);
    const MethodProof lobatto = prove_collocation(Family::lobatto_iiic, s);
    EXPECT_EQ(expected_orders(lobatto, 2).v, 2 * s - 2);
    EXPECT_EQ(expected_orders(lobatto, 2).lambda, s - 1);
    const MethodProof ia = prove_collocation(Family::radau_ia, s);
    EXPECT_EQ(expected_orders(ia, 2).v, s);
    EXPECT_EQ(expected_orders(ia, 2).lambda, s);  // from the index-1 solve, not the stages' s - 1
    const MethodProof gauss = prove_collocation(Family::gauss, s);
    EXPECT_EQ(expected_orders(gauss, 2).v, s % 2 == 1 ? s + 1 : s);
    EXPECT_EQ(expected_orders(gauss, 2).lambda, expected_orders(gauss, 2).v);
    EXPECT_EQ(expected_orders(gauss, 2).q, expected_orders(gauss, 2).v);  // a bound: 2s is observed
    EXPECT_TRUE(expected_orders(gauss, 2).q_at_least);
    const MethodProof iiia = prove_collocation(Family::lobatto_iiia, s);  // explicit first stage
    EXPECT_EQ(expected_orders(iiia, 2).v, 2 * s - 2);
    // R(infinity) = (-1)^(s-1): where it is 1 the multipliers lose an order.
    EXPECT_EQ(expected_orders(iiia, 2).lambda, s % 2 == 1 ? s - 1 : s);
    EXPECT_FALSE(expected_orders(iiia, 3).lambda.has_value());
  }
}

}  // namespace
}  // namespace daemark::exact
