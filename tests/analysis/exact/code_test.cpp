// The program that makes the tables is the method that was certified; orders expected on DAEs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "analysis/exact/proof/code_theory.hpp"
#include "analysis/exact/theory/collocation.hpp"
#include "analysis/orders/expected_orders.hpp"
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

// What is known of the families, derived here by trees: Hairer & Wanner II, chapter VII.
TEST(ExactDaeOrders, TextbookTable) {
  for (int s = 2; s <= 4; ++s) {
    const auto text = [s](const char* family, int index) {
      return slopes_expected(fmt::format("{}({})", family, s), fmt::format("index{}", index))
          .text();
    };
    const auto orders = [](int q, int v, int lambda) {
      return fmt::format("q {}, v {}, lambda {}", q, v, lambda);
    };
    const int even = s % 2 == 0 ? s : s + 1, odd = s % 2 == 1 ? s - 1 : s;
    EXPECT_EQ(text("radau_iia", 1), orders(2 * s - 1, 2 * s - 1, 2 * s - 1));
    EXPECT_EQ(text("radau_iia", 2), orders(2 * s - 1, 2 * s - 1, s));
    EXPECT_EQ(text("radau_iia", 3), orders(2 * s - 1, s, s - 1));
    EXPECT_EQ(text("lobatto_iiic", 2), orders(2 * s - 2, 2 * s - 2, s - 1));
    EXPECT_EQ(text("radau_ia", 2), orders(2 * s - 1, s, s));  // λ from the index-1 solve
    EXPECT_EQ(text("gauss", 2),
              s < 4 ? orders(2 * s, even, even) : "q >= 7, v 4, lambda 4");  // trees run out
    // R(infinity) = (-1)^(s-1): where it is 1 the multipliers lose an order.
    EXPECT_EQ(text("lobatto_iiia", 2), orders(2 * s - 2, 2 * s - 2, odd));
  }
}

}  // namespace
}  // namespace daemark::exact
