#include "experiments/spec/verdict.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/text/bad_input.hpp"

namespace daemark {
namespace {

Judgement judge(const std::string& printed, double ours, std::vector<Route> second = {},
                std::optional<double> floor = std::nullopt) {
  return judge_number({printed, "test", {"ours", ours, "ok"}, std::move(second), floor, {}, ""});
}

TEST(Verdict, PrintedDigitsStandForHalfAUnitEitherWay) {
  const PrintedInterval a = printed_interval("2.6", "t");
  EXPECT_EQ(a.lower, rational(255) / 100);
  EXPECT_EQ(a.upper, rational(265) / 100);
  const PrintedInterval b = printed_interval("-7.0007E-05", "t");
  EXPECT_EQ(b.value, rational(-70007) / 1000000000);
  EXPECT_EQ(b.upper - b.lower, rational(1) / 1000000000);
  EXPECT_EQ(printed_interval("0.0021", "t").value, rational(21) / 10000);  // no octal digits
  EXPECT_EQ(printed_interval("089", "t").value, 89);
  EXPECT_EQ(printed_interval("0", "t").upper, rational(1) / 2);
}

TEST(Verdict, WhatIsNoNumberIsRefused) {
  for (const char* text :
       {"", "-", "Singular", "1e", "1e+", "1.2.3", "1 2", "0x10", "1e1000", "nan"}) {
    EXPECT_THROW(printed_interval(text, "t"), BadInput) << text;
  }
}

TEST(Verdict, ByTheIntervalThenFivePercentThenAFactorOfThree) {
  EXPECT_EQ(judge("2.6", 2.5501).verdict, Verdict::reproduced);
  EXPECT_EQ(judge("2.6", 2.5499).verdict, Verdict::close);
  EXPECT_EQ(judge("2.600", 2.729).verdict, Verdict::close);
  EXPECT_EQ(judge("2.600", 2.731).verdict, Verdict::same_order);
  EXPECT_EQ(judge("2.600", 7.79).verdict, Verdict::same_order);
  EXPECT_EQ(judge("2.600", 7.81).verdict, Verdict::differs);
  EXPECT_EQ(judge("2.600", -2.6).verdict, Verdict::differs);
}

TEST(Verdict, DigitsCutOffInPlaceOfRoundedAreCalledThat) {
  const auto says = [](const std::string& printed, double ours) {
    const Judgement found = judge(printed, ours);
    EXPECT_EQ(found.verdict, Verdict::close);
    return found.why.find("cut off") != std::string::npos;
  };
  EXPECT_TRUE(says("3.1304951", std::sqrt(9.8)));        // 3.13049516…
  EXPECT_TRUE(says("-0.6388765", -2 / std::sqrt(9.8)));  // 0.638876565…
  EXPECT_FALSE(says("3.1304950", std::sqrt(9.8)));
  EXPECT_FALSE(says("3.1304953", std::sqrt(9.8))) << "rounded up further than half a unit";
}

TEST(Verdict, PrintedDigitsAreCounted) {
  for (const auto& [text, digits] : {std::pair{"3.1304951", 8},
                                     {"0.0021", 2},
                                     {"7.0007e-05", 5},
                                     {"089", 2},
                                     {"0", 1},
                                     {"0.00", 3},
                                     {"120", 3}})
    EXPECT_EQ(printed_interval(text, "t").digits, digits) << text;
}

TEST(Verdict, FloorOnlyWhereBothLieBelowIt) {
  EXPECT_EQ(judge("5.66e-12", 1e-13, {}, 1e-11).verdict, Verdict::floor);
  EXPECT_EQ(judge("5.66e-12", 5.66e-12, {}, 1e-11).verdict, Verdict::floor);
  EXPECT_EQ(judge("5.66e-12", 1e-9, {}, 1e-11).verdict, Verdict::differs);
  EXPECT_EQ(judge("1.5e-3", 1e-13, {}, 1e-11).verdict, Verdict::differs);
}

TEST(Verdict, ContradictedNeedsEverySecondRoute) {
  EXPECT_EQ(judge("9.81", 1e-3, {{"quad", 1.01e-3, "ok"}}).verdict, Verdict::contradicted);
  EXPECT_EQ(judge("9.81", 1e-3, {{"quad", 1.2e-3, "ok"}}).verdict, Verdict::differs);
  EXPECT_EQ(judge("9.81", 1e-3, {{"quad", 1e-3, "ok"}, {"other", 2.0, "ok"}}).verdict,
            Verdict::differs);
  EXPECT_EQ(judge("9.81", 1e-3, {{"quad", std::nullopt, "newton_diverged"}}).verdict,
            Verdict::differs);
  EXPECT_EQ(judge("9.81", 1e-3, {{"quad", std::nullopt, ""}}).verdict, Verdict::differs);
  EXPECT_EQ(judge("9.81", 1e-14, {{"quad", 1e-30, "ok"}}, 1e-12).verdict, Verdict::contradicted);
}

TEST(Verdict, FailedAndMissingRuns) {
  NumberEvidence failed{
      "1.0", "t", {"ours", std::nullopt, "not_finite"}, {{"quad", std::nullopt, "not_finite"}}, {},
      {},    ""};
  EXPECT_EQ(judge_number(failed).verdict, Verdict::contradicted);
  failed.second.clear();
  EXPECT_EQ(judge_number(failed).verdict, Verdict::differs);
  failed.ours.status = "";
  EXPECT_EQ(judge_number(failed).verdict, Verdict::undetermined);
  failed.not_comparable = "a runtime";
  EXPECT_EQ(judge_number(failed).verdict, Verdict::not_comparable);
}

TEST(Verdict, ARunWithoutAnOutcomeLeavesItUndetermined) {
  for (const char* status :
       {"timed_out", "out_of_memory", "not_available", "no_reference", "refused"}) {
    const Route none{"quad", std::nullopt, status}, same{"quad", 2.6, "ok"}, other{"ss", 9, "ok"};
    NumberEvidence evidence{"260", "t", none, {none}, {}, {}, ""};
    EXPECT_EQ(judge_number(evidence).verdict, Verdict::undetermined) << status;
    EXPECT_NE(judge_number(evidence).why.find(status), std::string::npos);
    EXPECT_EQ(judge("260", 2.6, {none}).verdict, Verdict::undetermined) << status;
    EXPECT_EQ(judge("260", 2.6, {same, none}).verdict, Verdict::undetermined) << status;
    EXPECT_EQ(judge("260", 2.6, {none, other}).verdict, Verdict::differs) << status;
    EXPECT_EQ(judge("2.6", 2.6, {none}).verdict, Verdict::reproduced) << "decided without it";
    evidence.ours = {"ours", std::nullopt, "not_finite"};
    EXPECT_EQ(judge_number(evidence).verdict, Verdict::undetermined) << status;
  }
}

TEST(Verdict, ClaimsByTheirConditions) {
  EXPECT_EQ(judge_claim({}), Verdict::undetermined);
  EXPECT_EQ(judge_claim({true, true}), Verdict::holds);
  EXPECT_EQ(judge_claim({true, false}), Verdict::holds_partly);
  EXPECT_EQ(judge_claim({false, false}), Verdict::fails);
  EXPECT_EQ(judge_claim({true, std::nullopt}), Verdict::undetermined);
  EXPECT_EQ(judge_claim({false, std::nullopt}), Verdict::undetermined);
  EXPECT_EQ(judge_claim({std::nullopt, false, true}), Verdict::holds_partly);  // come what may
}

TEST(Verdict, ClaimedDigitsEndAtATenthOfTheFloor) {
  EXPECT_EQ(claimed_digits(7.00074e-5, std::nullopt), "7.0007e-05");
  EXPECT_EQ(claimed_digits(5.9043e-11, 1e-12), "5.90e-11");
  EXPECT_EQ(claimed_digits(5.9043e-13, 1e-12), "5.9e-13");
  EXPECT_EQ(claimed_digits(0.2628, 1e-12), "0.26280");
  EXPECT_EQ(claimed_digits(0, 1e-12), "0");
  EXPECT_EQ(claimed_digits(365, std::nullopt, 3), "365") << "365.0 claims a digit more";
  EXPECT_EQ(claimed_digits(-6219.04, std::nullopt, 4), "-6219");
  EXPECT_EQ(claimed_digits(5, std::nullopt, 2), "5.0");
}

}  // namespace
}  // namespace daemark
