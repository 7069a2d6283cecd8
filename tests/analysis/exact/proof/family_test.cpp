// bathe, msstc, mssth, lms and ss for any rho: verdicts, what is printed, and what the checker
// refuses.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "analysis/exact/proof/catalogue.hpp"
#include "analysis/exact/proof/code_theory.hpp"
#include "analysis/exact/proof/high_order.hpp"
#include "analysis/exact/proof/spectral.hpp"
#include "analysis/exact/theory/collocation.hpp"
#include "analysis/orders/expected_orders.hpp"
#include "methods/catalogue/registry.hpp"
#include "tests/analysis/exact/proof_reports.hpp"

namespace daemark::exact {
namespace {

const char* const values_of_rho[] = {"0", "1/7", "0.37", "3/5", "9/10", "1"};

std::string call(const std::string& family, int n, const std::string& rho) {
  return family + "(n=" + std::to_string(n) + ",rho=" + rho + ")";
}

bool has_note(const VerifyReport& report, const std::string& part) {
  return joined(report.notes).find(part) != std::string::npos;
}

void expect_proved(const std::string& method, int order, bool l_stable) {
  const VerifyReport report = verify_method(method);
  SCOPED_TRACE(method);
  for (const std::string& failure : report.failures) ADD_FAILURE() << failure;
  EXPECT_EQ(report.order, order);
  EXPECT_EQ(report.stage_order, 2);
  EXPECT_EQ(report.a_stable, true);
  EXPECT_EQ(report.l_stable, l_stable);
  EXPECT_TRUE(has_note(report, "for all rho in [0, 1]: "));
  EXPECT_TRUE(has_note(report, "code = theory"));
  ASSERT_TRUE(report.certificate_data.is_object());
  expect_accepted(report);
}

TEST(ExactFamilies, MsstcHasOrderTwoAndIsAStable) {
  for (int n = 2; n <= 8; ++n) {
    for (const std::string rho : values_of_rho) expect_proved(call("msstc", n, rho), 2, rho == "0");
  }
}

TEST(ExactFamilies, MssthHasOrderN) {
  for (int n = 3; n <= 5; ++n) {
    for (const std::string rho : values_of_rho) {
      expect_proved(call("mssth", n, rho), n, rho == "0");
      expect_proved(call("mssth_min", n, rho), n, rho == "0");
    }
  }
}

TEST(ExactFamilies, AroundThePoleOfTheFifthNodesWeight) {
  for (const char* rho : {"0.55", "0.555", "0.56"}) expect_proved(call("mssth", 5, rho), 5, false);
}

TEST(ExactFamilies, BatheLmsAndSsStateTheirFamilies) {
  for (const char* rho : {"0", "0.37", "1"}) {
    const VerifyReport report = verify_method("bathe(" + std::string(rho) + ")");
    EXPECT_TRUE(has_note(report, "for all rho in [0, 1]: "));
    expect_accepted(report);
  }
  for (const char* family : {"lms", "ss"}) {
    for (const char* rho : {"0", "0.37", "9/10"}) {
      const VerifyReport report = verify_method(call(family, 7, rho));
      EXPECT_TRUE(report.verified());
      EXPECT_TRUE(has_note(report, "for all rho in [0, 1): "));
      expect_accepted(report);
    }
    // Three steps and more at rho = 1: the root -1 is repeated, no statement covers it.
    const VerifyReport end = verify_method(call(family, 7, "1"));
    EXPECT_EQ(end.a_stable, false);
    EXPECT_FALSE(has_note(end, "for all rho"));
  }
}

// N enclosed by its roots against N in its field.
TEST(ExactFamilies, TheTwoRoutesToTheSpectralFactorMeet) {
  for (int n = 2; n <= 8; ++n) {
    for (const char* text : {"0", "3/5", "1"}) {
      const rational rho(text);
      const Poly exact = exact_spectral_factor(n, rho);
      if (exact.is_zero()) continue;
      const BallVector enclosed = enclosed_spectral_factor(n, rho);
      for (int k = 0; k <= n; ++k) EXPECT_TRUE(Ball(exact[k]).overlaps(enclosed[k])) << n << k;
      EXPECT_LT(enclosed[1].upper() - enclosed[1].lower(), rational(1) / power_of_two(400));
    }
  }
}

// Values from other hands: the digits of a published table and the Kennedy-Carpenter root.
TEST(ExactFamilies, GammaOfTheBranch) {
  const auto digits = [](int n) { return branch_gamma(n, 0).to_wide().str(20); };
  EXPECT_EQ(digits(3), "0.43586652150845899942");
  EXPECT_EQ(digits(4), "0.57281606248213485541");
  EXPECT_EQ(digits(5), "0.27805384113645232493");
  EXPECT_EQ(branch_gamma(3, 1), Number(rational(1) / 3));
}

TEST(ExactFamilies, IrreducibleTrees) {
  EXPECT_EQ(irreducible_trees(3), (std::vector<std::string>{"t", "[t]", "[t,t]"}));
  EXPECT_EQ(irreducible_trees(4).size(), 5u);
  EXPECT_EQ(irreducible_trees(5).size(), 9u);
}

// What stands in the JSON can be read back by the grammar of the project and is the same number.
TEST(ExactFamilies, PrintedNumbersAreReadBack) {
  for (const char* method :
       {"msstc(3,3/5)", "mssth(3,0)", "mssth(4,3/5)", "mssth(5,0)", "bathe(0.37)"}) {
    const VerifyReport report = verify_method(method);
    ASSERT_EQ(report.den.front(), "1");
    ASSERT_TRUE(report.num_digits.empty());
    std::vector<std::string> texts = report.num;
    texts.insert(texts.end(), report.den.begin(), report.den.end());
    const Vector numbers = numbers_of_texts(texts);
    for (std::size_t i = 0; i < texts.size(); ++i) EXPECT_EQ(numbers[i].text(), texts[i]) << method;
  }
}

TEST(ExactFamilies, DecimalsAreDeclaredAndEnclose) {
  const VerifyReport report = verify_method("msstc(5,3/5)");
  EXPECT_TRUE(has_note(report, "decimals of 30 digits"));
  EXPECT_EQ(report.num[0], "1");
  EXPECT_EQ(report.num[1].size(), std::string("1.00000000000000000000000000000e-01").size());
  // R(infinity) from the decimals alone.
  const wide end = Expression::parse(report.num[5], "test").eval<wide>() /
                   Expression::parse(report.den[5], "test").eval<wide>();
  EXPECT_LT(mp::abs(end + wide(3) / 5), wide("1e-28"));
}

TEST(ExactBall, DecimalRefusesWhatItCannotEnclose) {
  EXPECT_EQ(Ball(rational(1) / 3).decimal(5), "3.3333e-01");
  EXPECT_EQ(Ball(rational(-200)).decimal(3), "-2.00e+02");
  EXPECT_THROW(Ball(rational(1) / 3, rational(2) / 3).decimal(5), std::domain_error);
  EXPECT_FALSE((Ball(1) / Ball(rational(-1), rational(1))).bounded());
}

TEST(ExactCode, ATableauOffByALittleIsNoticed) {
  WideTableau code = *method_registry().make("msstc(5,3/5)")->tableau();
  const Claims none;
  EXPECT_TRUE(verify_msstc(5, rational(3) / 5, code, none).verified());
  code.A[5][2] += wide("1e-80");
  const VerifyReport report = verify_msstc(5, rational(3) / 5, code, none);
  ASSERT_FALSE(report.verified());
  EXPECT_NE(report.failures[0].find("a63"), std::string::npos) << report.failures[0];
}

// The minimiser of one error is none of the other's.
TEST(ExactFamilies, FreeNodesOfTheOtherObjectiveAreRefused) {
  for (int n = 4; n <= 5; ++n) {
    const WideTableau code = *method_registry().make(call("mssth", n, "3/5"))->tableau();
    EXPECT_TRUE(verify_mssth("x", n, rational(3) / 5, true, code, {}).verified());
    const VerifyReport other = verify_mssth("x", n, rational(3) / 5, false, code, {});
    ASSERT_FALSE(other.verified());
    EXPECT_NE(other.failures[0].find("free nodes"), std::string::npos);
    EXPECT_FALSE(other.certificate_data.is_object());
  }
}

TEST(ExactFamilies, AWrongClaimIsRefused) {
  const WideTableau code = *method_registry().make("msstc(5,3/5)")->tableau();
  Claims claims;
  claims.order = 3;
  claims.l_stable = true;
  const VerifyReport report = verify_msstc(5, rational(3) / 5, code, claims);
  ASSERT_EQ(report.failures.size(), 2u);
  EXPECT_NE(report.failures[0].find("order: claimed 3, derived 2"), std::string::npos);
}

// The program that makes the tables is the method that was certified; orders expected on DAEs.

// Of every method: tests/conformance/stability_conformance_test.cpp.
TEST(ExactCode, StepperEqualsCertifiedFunction) {
  for (const char* method : {"erk4", "sdirk_2", "tr_bdf2", "pade_block(r=3,k=1,nodes=radau)",
                             "pade_block(r=3,k=3,nodes=chebyshev)", "gauss(s=4)",
                             "lobatto_iiia(s=4)", "lobatto_iiic(s=4)"}) {
    const VerifyReport report = verify_method(method);
    const CodeCheck check = compare_code(method, report);
    EXPECT_TRUE(check.holds) << method << ": " << check.failure;
    EXPECT_EQ(check.points, static_cast<int>(report.num.size() + report.den.size()) - 1);
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
