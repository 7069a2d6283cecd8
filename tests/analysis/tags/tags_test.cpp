#include "analysis/tags/tags.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/tags/tag_expression.hpp"
#include "base/text/bad_input.hpp"
#include "tests/support/refusal.hpp"

namespace daemark {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;

double value(const std::string& call, const char* tag) {
  return tag_value(call, *find_tag(tag)).value();
}

TEST(Tags, StructureIsReadFromTheTableau) {
  EXPECT_THAT(tags_of("erk4"), IsSupersetOf({"explicit", "runge_kutta", "index1"}));
  EXPECT_THAT(tags_of("erk4"), Not(Contains("dirk")));
  EXPECT_THAT(tags_of("esdirk_4_3_6l"),
              IsSupersetOf({"dirk", "esdirk", "embedded", "stiffly_accurate"}));
  EXPECT_THAT(tags_of("esdirk_4_3_6l"), Not(Contains("sdirk")));
  EXPECT_THAT(tags_of("sdirk_2"), IsSupersetOf({"dirk", "sdirk"}));
  EXPECT_THAT(tags_of("gauss(2)"), Contains("fully_implicit"));
  EXPECT_THAT(tags_of("bdf(3)"), IsSupersetOf({"multistep", "steps=3"}));
  EXPECT_THAT(tags_of("generalized_alpha"), Contains("structural"));
  EXPECT_THAT(tags_of("pade_block(r=3,k=2)"), Contains("block"));
}

// Hairer & Wanner 1996: Gauss methods are symplectic and symmetric of order 2s, Radau IIA L-stable
// of order 2s - 1, BDF3 A(86.03), the real interval of erk4 2.785.
TEST(Tags, ProofsGiveOrderAndStability) {
  EXPECT_THAT(tags_of("gauss(2)"),
              IsSupersetOf({"symplectic", "symmetric", "A_stable", "order=4", "stage_order=2"}));
  EXPECT_THAT(tags_of("gauss(2)"), Not(Contains("L_stable")));
  EXPECT_THAT(tags_of("radau_iia(3)"), IsSupersetOf({"L_stable", "order=5", "rho=0"}));
  EXPECT_NEAR(value("bdf(3)", "A_alpha"), 86.03, 0.01);
  EXPECT_NEAR(value("erk4", "real_interval"), 2.785, 0.001);
  EXPECT_FALSE(tag_value("bdf(3)", *find_tag("stage_order"))) << "no meaning: neither 0 nor 1";
}

std::optional<bool> selects(const char* text, const char* call) {
  return TagExpression::parse(text, "--tag").holds(call);
}

TEST(Tags, PairsAndCompositionsAreSymplectic) {
  const char* composed = "composition(gauss(1),kahan_li_8)";
  EXPECT_EQ(selects("composition & symplectic & order>=8", composed), true);
  EXPECT_EQ(selects("composition & order>8", composed), false);
  EXPECT_EQ(selects("symplectic & order>=4 & !cited", "lobatto_iiia_iiib(5)"), true);
  EXPECT_EQ(selects("rattle & symplectic", "rattle"), true);
  EXPECT_EQ(selects("symplectic", "radau_iia(2)"), false);
}

// What nothing proves or states is selected by neither a tag nor its negation.
TEST(Tags, WhatIsNotDecidedIsNotNegated) {
  EXPECT_EQ(selects("symplectic", "bdf(2)"), std::nullopt);
  EXPECT_EQ(selects("!symplectic", "mexx(3,midpoint)"), std::nullopt);
  EXPECT_EQ(selects("algebraically_stable", "hht(-1/7)"), std::nullopt);
  EXPECT_EQ(selects("stiffly_accurate", "ros3p"), false);
  EXPECT_EQ(selects("stiffly_accurate", "rodasp"), true);
}

TEST(Tags, OrdersThatSourcesStateAreCited) {
  EXPECT_EQ(selects("order=6 & cited", "mexx(3,midpoint)"), true);
  EXPECT_EQ(selects("order=2 & cited", "lie_generalized_alpha(rho=1/2)"), true);
  EXPECT_EQ(selects("cited", "gauss(2)"), false);
}

TEST(Tags, ValuesInsideStepsAreAsSteppersHaveThem) {
  EXPECT_EQ(value("radau_iia(3)", "dense_output"), 1);
  EXPECT_EQ(value("ss", "dense_output"), 0);
  EXPECT_EQ(value("dormand_prince_5", "interpolant_order"), 4);
  for (const char* pair : {"rattle", "spark(3)", "lobatto_iiia_iiib(4)"})
    EXPECT_EQ(value(pair, "symmetric"), 1) << pair;
  for (const char* polynomial : {"dormand_prince_5", "verner_8", "verner_efficient_9"})
    EXPECT_EQ(value(polynomial, "A_stable"), 0) << polynomial;
}

TEST(TagExpression, JoinsTagsAndComparisons) {
  EXPECT_EQ(selects("esdirk & L_stable & order>=3", "esdirk_4_3_6l"), true);
  EXPECT_EQ(selects("ESDIRK&&l_stable&&order>=5", "esdirk_4_3_6l"), false);
  EXPECT_EQ(selects("explicit | order = 4 & !symmetric", "gauss(2)"), false) << "& binds first";
  EXPECT_EQ(selects("(explicit | order = 4) & symmetric", "gauss(2)"), true);
  EXPECT_EQ(selects("gauss & order > 3.5", "gauss(2)"), true) << "an id of the catalogue";
  EXPECT_EQ(selects("gauss", "radau_iia(2)"), false);
  EXPECT_EQ(selects("stage_order<9", "bdf(3)"), std::nullopt);
  EXPECT_EQ(selects("!(stage_order<9)", "bdf(3)"), std::nullopt);
  EXPECT_EQ(selects("stage_order<9 | multistep", "bdf(3)"), true);
  EXPECT_EQ(selects("stage_order != 3 & explicit", "bdf(3)"), false);
}

TEST(TagExpression, SaysWhereItBreaksAndWhatIsAccepted) {
  const auto refusal = [](const std::string& text) {
    return test::refusal([&] { TagExpression::parse(text, "--tag"); });
  };
  EXPECT_THAT(refusal("esdrik & order>=3"), HasSubstr("character 1: \"esdrik\" is no tag (did you "
                                                      "mean 'esdirk'?); accepted: what daemark"));
  EXPECT_THAT(refusal("esdirk & & order>=3"), HasSubstr("character 10: \"&\" where a tag"));
  EXPECT_THAT(refusal("order"), HasSubstr("accepted: a comparison, order>=2"));
  EXPECT_THAT(refusal("esdirk>=3"), HasSubstr("accepted: esdirk, !esdirk"));
  EXPECT_THAT(refusal("order>=x"), HasSubstr("character 8: a number should stand here"));
  EXPECT_THAT(refusal("(explicit | dirk"), HasSubstr("character 1: the parenthesis"));
  EXPECT_THAT(refusal("explicit dirk"), HasSubstr("character 10: \"dirk\" does not belong"));
  EXPECT_THAT(refusal(""), HasSubstr("it ends where a tag should stand"));
  EXPECT_THAT(refusal(std::string(300, '(')), HasSubstr("nested deeper"));
}

TEST(TagExpression, SelectsMembersAndRefusesNothing) {
  EXPECT_THAT(select_methods("radau_iia & order<=3", "--tag"),
              ElementsAre("radau_iia(s=1)", "radau_iia(s=2)"));
  EXPECT_THROW(select_methods("explicit & L_stable", "--tag"), BadInput);
  EXPECT_THAT(select_methods("order>2", "--tag", {"erk4", "trapezoidal"}), ElementsAre("erk4"));
}

}  // namespace
}  // namespace daemark
