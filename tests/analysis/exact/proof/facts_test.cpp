// Numbers beside order and stability, against values from the literature; limits that need not be.
#include "analysis/exact/proof/facts.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "analysis/exact/proof/catalogue.hpp"
#include "analysis/exact/proof/verify.hpp"
#include "base/input/strict_json.hpp"
#include "tests/analysis/exact/proof_reports.hpp"

namespace daemark::exact {
namespace {

Facts facts(const char* call) { return verify_method(call).facts; }

// Real: the root of 1 + z + z²/2 + z³/6 + z⁴/24 = 1; imaginary: 2 sqrt(2). That every key is there
// is seen by results/certificates/catalogue.md.
TEST(ExactFacts, StabilityIntervals) {
  EXPECT_NEAR(*facts("erk4").real_interval, 2.785293563405282, 1e-14);
  EXPECT_NEAR(*facts("erk4").imaginary_interval, 2 * std::sqrt(2.0), 1e-14);
  EXPECT_EQ(*facts("heun_2").real_interval, 2);
  EXPECT_EQ(*facts("heun_2").imaginary_interval, 0);
  EXPECT_EQ(*facts("kutta_3").imaginary_interval, std::sqrt(3.0));
  EXPECT_TRUE(std::isinf(*facts("gauss(3)").real_interval));
  EXPECT_TRUE(std::isinf(*facts("gauss(3)").imaginary_interval));
  EXPECT_EQ(facts("radau_iia(2)").to_json()["real_stability_interval"], "unbounded");
  EXPECT_EQ(verify_method("dormand_prince_5").to_json()["R_infinity"], "unbounded");
}

// Hairer & Wanner II, V.2: alpha of BDF3..6 is 86.03, 73.35, 51.84, 17.84 degrees.
TEST(ExactFacts, StabilityAngle) {
  EXPECT_EQ(facts("bdf(2)").a_alpha, 90);
  const double known[] = {86.03, 73.35, 51.84, 17.84};
  for (int k = 3; k <= 6; ++k) {
    EXPECT_NEAR(*facts(("bdf(" + std::to_string(k) + ")").c_str()).a_alpha, known[k - 3], 5e-3);
  }
}

// The Padé approximant (0,3) of exp is A(88.23°) (Hairer & Wanner II, IV.4); for it and (0,4) |R|
// on edges a little inside and outside, where it has to pass 1.
TEST(ExactFacts, StabilityAngleOfOneStepMethods) {
  EXPECT_EQ(facts("gauss(2)").a_alpha, 90);
  EXPECT_EQ(facts("lobatto_iiic(3)").a_alpha, 90);
  EXPECT_FALSE(facts("erk4").a_alpha);  // unbounded at infinity
  EXPECT_NEAR(*facts("pade_block(r=3,k=0)").a_alpha, 88.23, 5e-3);
  for (int j = 3; j <= 4; ++j) {
    const double alpha = *facts(("pade_block(r=" + std::to_string(j) + ",k=0)").c_str()).a_alpha;
    const auto largest = [&](double degrees) {  // of |R| = 1/|1 - z + z²/2 - ...| on that edge
      const std::complex<double> edge = -std::polar(1.0, degrees * std::acos(-1.0) / 180);
      double out = 0;
      for (double r = 1e-3; r < 50; r += 1e-3) {
        std::complex<double> den = 0;
        for (int k = j; k >= 0; --k) den = 1.0 - den * edge * r / double(k + 1);
        out = std::max(out, 1 / std::abs(den));
      }
      return out;
    };
    EXPECT_LE(largest(alpha - 1e-3), 1);
    EXPECT_GT(largest(alpha + 1e-3), 1);
  }
}

// Dormand & Prince 1980: the principal error norm of their 5(4) pair is 3.99e-4.
TEST(ExactFacts, ErrorNormAndEmbeddedOrder) {
  EXPECT_NEAR(*facts("dormand_prince_5").error_norm, 3.99e-4, 1e-6);
  EXPECT_EQ(facts("dormand_prince_5").embedded_order, 4);
  EXPECT_EQ(facts("erk4").error_constant, "1/120");
}

TEST(ExactFacts, SymmetricMethods) {
  for (const char* call :
       {"gauss(1)", "gauss(3)", "lobatto_iiia(3)", "trapezoidal", "pade_block(r=3,k=3)"}) {
    EXPECT_EQ(facts(call).symmetric, true) << call;
  }
  for (const char* call : {"radau_iia(2)", "lobatto_iiic(3)", "erk4", "pade_block(r=3,k=2)"}) {
    EXPECT_EQ(facts(call).symmetric, false) << call;
  }
  // R(z) R(-z) = 1 is not enough: nodes that lie about another point than 1/2.
  const VerifyReport shifted = verify_tableau(
      tableau_of_texts("shifted", {{"1/4", "0"}, {"1/2", "1/4"}}, {"1/2", "1/2"}, {"1/4", "3/4"}));
  EXPECT_EQ(shifted.facts.symmetric, true);  // two midpoint rules
  const VerifyReport turned = verify_tableau(
      tableau_of_texts("turned", {{"1/4", "1/2"}, {"0", "1/4"}}, {"1/2", "1/2"}, {"3/4", "1/4"}));
  EXPECT_EQ(turned.facts.symmetric, true);
}

TEST(ExactLimits, OrdersTenAndTwelveOfExtrapolation) {
  for (const auto& [tableau, order] :
       {std::pair(extrapolated_euler(10), 10), std::pair(extrapolated_midpoint(5), 10),
        std::pair(extrapolated_midpoint(6), 12)}) {
    const VerifyReport report = verify_tableau(tableau);
    EXPECT_TRUE(report.verified());
    EXPECT_EQ(report.order, order) << report.notes[0];
    expect_accepted(report, file_of(tableau));
  }
}

// Too many stages for trees beyond 10: bounds, and the checker accepts them as such.
TEST(ExactLimits, BoundsWhereTreesTakeTooLong) {
  Coefficients tableau = extrapolated_euler(13);
  const VerifyReport report = verify_tableau(tableau);
  EXPECT_FALSE(report.order.has_value());
  EXPECT_NE(report.notes[0].find("order undecided, "), std::string::npos) << report.notes[0];
  EXPECT_NE(report.notes[0].find(" to 13 "), std::string::npos) << report.notes[0];
}

TEST(ExactLimits, TheWorstRowIsNamed) {
  const VerifyReport report = verify_tableau(
      tableau_of_texts("rows", {{"1/4", "0"}, {"1/2", "1/4"}}, {"1/2", "1/2"}, {"1/3", "7/4"}));
  ASSERT_FALSE(report.verified());
  EXPECT_NE(report.failures[0].find("row 2 of A sums to c2 plus -1.0"), std::string::npos)
      << report.failures[0];
}

// Lobatto IIIB with two stages: order 2 for autonomous problems, although A 1 is not c.
TEST(ExactLimits, LobattoIiibSaysWhatHolds) {
  const VerifyReport report = verify_tableau(
      tableau_of_texts("lobatto_iiib_2", {{"1/2", "0"}, {"1/2", "0"}}, {"1/2", "1/2"}, {"0", "1"}));
  EXPECT_EQ(report.order, 2);
  ASSERT_EQ(report.failures.size(), 1u);
  EXPECT_NE(joined(report.notes).find("autonomous problems"), std::string::npos);
}

// s = 50: E has only one term, its chain would be of no use.
TEST(ExactLimits, NonnegativeCoefficientsNeedNoChain) {
  const VerifyReport report = verify_collocation("radau_iia", 30);
  EXPECT_EQ(report.a_stable, true);
  EXPECT_TRUE(report.certificate_data["stability"]["axis"].is_string());
}

// Interpolants of tableau files: their order at every theta, and how they meet the ends of steps.

using Lists = std::vector<std::vector<std::string>>;

Coefficients with_interpolant(Coefficients tableau, const Lists& weights, const Lists& more = {},
                              const std::vector<std::string>& c = {}) {
  for (const auto& row : weights) tableau.rows("dense.weights").push_back(expressions(row));
  for (const auto& row : more) tableau.rows("dense.A").push_back(expressions(row));
  tableau.list("dense.c") = expressions(c);
  return tableau;
}

Coefficients bogacki() {
  return tableau_of_texts("bogacki",
                          {{"0", "0", "0", "0"},
                           {"1/2", "0", "0", "0"},
                           {"0", "3/4", "0", "0"},
                           {"2/9", "1/3", "4/9", "0"}},
                          {"2/9", "1/3", "4/9", "0"}, {"0", "1/2", "3/4", "1"});
}

// Hermite's cubic through y_0, f_0, y_1, f_1 with y_1 = y_0 + h Σ b_i f_i: b (3θ² − 2θ³) and
// θ − 2θ² + θ³ at the first stage, θ³ − θ² at the last, which is f_1.
TEST(ExactInterpolant, HermitesCubicHasOrderThreeAndAContinuousDerivative) {
  const Coefficients cubic = with_interpolant(
      bogacki(),
      {{"1", "2/3-2", "1-4/9"}, {"0", "1", "-2/3"}, {"0", "4/3", "-8/9"}, {"0", "-1", "1"}});
  const VerifyReport report = verify_tableau(cubic);
  EXPECT_EQ(failures_of(report), "");
  EXPECT_EQ(report.facts.interpolant_order, 3);
  EXPECT_EQ(report.facts.interpolant_ends_in_b, true);
  EXPECT_EQ(report.facts.interpolant_c1, true);
  expect_accepted(report, file_of(cubic));
}

// Linear: order 1, and its slope is that of the step, not of the ends.
TEST(ExactInterpolant, TheStraightLineHasOrderOne) {
  const Coefficients line = with_interpolant(bogacki(), {{"2/9"}, {"1/3"}, {"4/9"}, {"0"}});
  const VerifyReport report = verify_tableau(line);
  EXPECT_EQ(report.facts.interpolant_order, 1);
  EXPECT_EQ(report.facts.interpolant_ends_in_b, true);
  EXPECT_EQ(report.facts.interpolant_c1, false);
  EXPECT_EQ(failures_of(report), "");
  expect_accepted(report, file_of(line));
}

// The step end as a further stage, equal to the last one: their rates are one.
TEST(ExactInterpolant, EqualStagesAreOnePoint) {
  const Coefficients cubic = with_interpolant(bogacki(),
                                              {{"1", "2/3-2", "1-4/9"},
                                               {"0", "1", "-2/3"},
                                               {"0", "4/3", "-8/9"},
                                               {"0", "-1/2", "1/2"},
                                               {"0", "-1/2", "1/2"}},
                                              {{"2/9", "1/3", "4/9", "0"}}, {"1"});
  const VerifyReport report = verify_tableau(cubic);
  EXPECT_EQ(report.facts.interpolant_c1, true);
  expect_accepted(report, file_of(cubic));
}

TEST(ExactInterpolant, OneThatMissesTheStepEndIsRefused) {
  Coefficients tableau = with_interpolant(bogacki(), {{"1", "-1/2"}, {"0", "1/2"}, {}, {}});
  const VerifyReport report = verify_tableau(tableau);
  EXPECT_EQ(report.facts.interpolant_ends_in_b, false);
  EXPECT_NE(failures_of(report).find("interpolant: it does not end in b"), std::string::npos);
  expect_accepted(report, file_of(tableau));
  tableau = with_interpolant(bogacki(), {{"2/9"}, {"1/3"}, {"4/9"}, {"0"}});
  tableau.claims.interpolant_order = 2;
  for (const bool decimal : {false, true}) {
    tableau.decimal = decimal;
    EXPECT_NE(failures_of(verify_tableau(tableau)).find("interpolant_order: claimed 2, derived 1"),
              std::string::npos);
  }
}

// Orders as published: Hairer, Nørsett & Wanner 1993, II.6 (dopri5 4, dop853 7), Tsitouras 2011
// (4).
TEST(ExactInterpolant, OfThePublishedMethods) {
  for (const auto& [call, order] :
       {std::pair("dormand_prince_5", 4), std::pair("dormand_prince_853", 7),
        std::pair("tsitouras_5", 4)}) {
    const VerifyReport report = verify_method(call);
    EXPECT_EQ(report.facts.interpolant_order, order) << call;
    EXPECT_EQ(report.facts.interpolant_ends_in_b, true) << call;
    EXPECT_EQ(report.facts.interpolant_c1, true) << call;
    EXPECT_EQ(failures_of(report), "") << call;
  }
}

}  // namespace
}  // namespace daemark::exact
