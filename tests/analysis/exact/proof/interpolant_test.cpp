// Interpolants of tableau files: their order at every theta, and how they meet the ends of steps.
#include <gtest/gtest.h>

#include "analysis/exact/proof/catalogue.hpp"
#include "analysis/exact/proof/verify.hpp"
#include "tests/analysis/exact/proof_reports.hpp"
#include "tests/support/checker.hpp"
#include "tests/support/tableaus.hpp"

namespace daemark::exact {
namespace {

using Lists = std::vector<std::vector<std::string>>;

Coefficients with_interpolant(Coefficients tableau, const Lists& weights, const Lists& more = {},
                              const std::vector<std::string>& c = {}) {
  for (const auto& row : weights) tableau.rows("dense.weights").push_back(expressions(row));
  for (const auto& row : more) tableau.rows("dense.A").push_back(expressions(row));
  tableau.list("dense.c") = expressions(c);
  return tableau;
}

std::string refusals_inside(const VerifyReport& report) {
  std::string out;
  for (const std::string& failure : report.failures) out += failure + "\n";
  return out;
}

/// The certificate is what the separate checker derives.
void expect_certified(const Coefficients& tableau) {
  EXPECT_EQ(refusal_of(plain(verify_tableau(tableau)), file_of(tableau)), std::nullopt);
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
  EXPECT_EQ(refusals_inside(report), "");
  EXPECT_EQ(report.facts.interpolant_order, 3);
  EXPECT_EQ(report.facts.interpolant_ends_in_b, true);
  EXPECT_EQ(report.facts.interpolant_c1, true);
  expect_certified(cubic);
}

// Linear: order 1, and its slope is that of the step, not of the ends.
TEST(ExactInterpolant, TheStraightLineHasOrderOne) {
  const Coefficients line = with_interpolant(bogacki(), {{"2/9"}, {"1/3"}, {"4/9"}, {"0"}});
  const VerifyReport report = verify_tableau(line);
  EXPECT_EQ(report.facts.interpolant_order, 1);
  EXPECT_EQ(report.facts.interpolant_ends_in_b, true);
  EXPECT_EQ(report.facts.interpolant_c1, false);
  EXPECT_EQ(refusals_inside(report), "");
  expect_certified(line);
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
  EXPECT_EQ(verify_tableau(cubic).facts.interpolant_c1, true);
  expect_certified(cubic);
}

TEST(ExactInterpolant, OneThatMissesTheStepEndIsRefused) {
  Coefficients tableau = with_interpolant(bogacki(), {{"1", "-1/2"}, {"0", "1/2"}, {}, {}});
  VerifyReport report = verify_tableau(tableau);
  EXPECT_EQ(report.facts.interpolant_ends_in_b, false);
  EXPECT_NE(refusals_inside(report).find("interpolant: it does not end in b"), std::string::npos);
  expect_certified(tableau);
  tableau = with_interpolant(bogacki(), {{"2/9"}, {"1/3"}, {"4/9"}, {"0"}});
  tableau.claims.interpolant_order = 2;
  EXPECT_NE(
      refusals_inside(verify_tableau(tableau)).find("interpolant_order: claimed 2, derived 1"),
      std::string::npos);
  tableau.decimal = true;
  EXPECT_NE(
      refusals_inside(verify_tableau(tableau)).find("interpolant_order: claimed 2, derived 1"),
      std::string::npos);
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
    EXPECT_EQ(refusals_inside(report), "") << call;
  }
}

}  // namespace
}  // namespace daemark::exact
