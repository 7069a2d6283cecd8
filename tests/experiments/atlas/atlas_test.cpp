#include "experiments/atlas/atlas.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/program/write_file.hpp"
#include "experiments/atlas/cards.hpp"
#include "experiments/compare/comparison.hpp"
#include "tests/analysis/markup_check.hpp"
#include "tests/experiments/compare/made_field.hpp"

namespace daemark {
namespace {

using test::Made;
using testing::ElementsAre;
using testing::HasSubstr;

Atlas sample() {
  return {Made("oscillator(omega=1)")
              .add("erk4", {1e-2, 1e-4, 1e-6}, 10)
              .add("heun_2", {1e-1, 1e-2, 1e-3}, 8)
              .add("gauss(s=2)", {1e-2, 1e-5, 1e-7}, 20)
              .add("radau_iia(s=2)", {2e-2, 2e-3, 2e-4}, 40)
              .compared(atlas_accuracies()),
          Made("two_link")
              .add("erk4", {1e-1, 1e-2, 1e-3}, 10)
              .add("gauss(s=2)", {1e-4, 1e-6, 1e-8}, 20)
              .compared(atlas_accuracies())};
}

std::vector<std::string> names(const std::vector<const CompareLine*>& lines) {
  std::vector<std::string> out;
  for (const CompareLine* line : lines) out.push_back(line->method);
  return out;
}

TEST(Atlas, TheFrontIsWhatNobodyBeats) {
  const Atlas atlas = sample();
  // (8, 1e-1) heun_2, (10, 1e-2), (20, 1e-4) erk4, (40, 1e-5) beaten by (40, 1e-6) of erk4,
  // (80, 1e-7) gauss.
  EXPECT_THAT(names(front_of(atlas[0], 0)), ElementsAre("heun_2", "erk4", "gauss(s=2)"));
  EXPECT_THAT(names(front_of(atlas[0], 2)), ElementsAre()) << "no multipliers";
}

TEST(Atlas, TheBestOfEachFamilyTheCheapestFirst) {
  const Atlas atlas = sample();
  EXPECT_THAT(names(best_of_families(atlas[0], 0)), ElementsAre("erk4", "gauss(s=2)"))
      << "radau_iia(s=2) is of the same family and dearer";
  EXPECT_EQ(family_names[static_cast<std::size_t>(method_family("bdf(k=3)"))], "multistep");
  EXPECT_EQ(family_names[static_cast<std::size_t>(method_family("radau_iia(s=3) with control"))],
            "fully implicit Runge–Kutta");
  EXPECT_EQ(family_names[static_cast<std::size_t>(method_family("nothing(x=1)"))], "others");
}

TEST(Atlas, RanksAreSpreadOverProblems) {
  const auto tables = rank_tables(sample());
  ASSERT_FALSE(tables.empty());
  EXPECT_EQ(tables[0].formulation, "index1");
  for (const RankSpread& method : tables[0].methods)
    if (method.method == "erk4") {
      EXPECT_EQ(method.reached, 2);
      EXPECT_THAT(method.ranks, ElementsAre(1, 2));
      EXPECT_EQ(method.quartile(0), 1);
      EXPECT_EQ(method.quartile(4), 2);
    }
  RankSpread five;
  five.ranks = {1, 2, 5, 9, 40};
  EXPECT_EQ(five.quartile(1), 2);
  EXPECT_EQ(five.quartile(2), 5);
  EXPECT_EQ(five.quartile(3), 9);
}

TEST(Atlas, PagesAreWellFormedAndTheSameAgain) {
  const Atlas atlas = sample();
  EXPECT_EQ(markup_error(atlas_index_page(atlas), true), "");
  const auto problems = by_problem(atlas);
  ASSERT_EQ(problems.size(), 2u);
  const std::string page = atlas_problem_page(problems[0].first, problems[0].second);
  EXPECT_EQ(markup_error(page, true), "");
  EXPECT_THAT(page, HasSubstr("Pareto front for q: "));
  EXPECT_THAT(page, HasSubstr("href=\"../methods/gauss_s_2.html\""));
  EXPECT_EQ(atlas_problem_page(problems[0].first, problems[0].second), page);
}

TEST(Atlas, TagsForPages) {
  const std::string script = tags_script({"erk4", "gauss(s=2)"});
  EXPECT_THAT(script, testing::StartsWith("window.daemarkTags = {\"names\":[\"explicit\","));
  EXPECT_THAT(script, HasSubstr("\"erk4\":[1,1,0,"));
}

TEST(Timing, LeastMedianAndQuartiles) {
  const TimeStatistics found = time_statistics({5, 1, 3, 2, 4});
  EXPECT_EQ(found.min, 1);
  EXPECT_EQ(found.median, 3);
  EXPECT_EQ(found.spread(), 2);
  EXPECT_EQ(time_statistics({7}).spread(), 0);
}

TEST(Cards, FormulasOfEveryKindAreWellFormed) {
  for (const char* call :
       {"erk4", "gauss(s=2)", "esdirk_4_3_6l", "bdf(k=3)", "lms(n=3,rho=0)",
        "generalized_alpha(rho=4/5,variant=arnold_bruls)", "tangent_space(inner=newmark)",
        "gauss(s=12)", "pade_block(r=3,k=2,nodes=equidistant)"})
    EXPECT_EQ(markup_error("<div>" + method_formula(call) + "</div>", true), "") << call;
  EXPECT_THAT(method_formula("bdf(k=2)"), HasSubstr("<mfrac>"));
  EXPECT_THAT(method_formula("gauss(s=12)"), HasSubstr("export-tableau"));
}

TEST(Cards, PicturesOfLinearEquations) {
  const std::string gauss = linear_pictures("gauss(s=2)");
  EXPECT_EQ(markup_error("<div>" + gauss + "</div>", true), "");
  EXPECT_THAT(gauss, HasSubstr("Order star"));
  EXPECT_THAT(linear_pictures("newmark(gamma=1/2,beta=1/4)"), HasSubstr("spectral radius"));
  EXPECT_LT(gauss.size(), 9000u) << "there are hundreds of such pages";
}

TEST(Cards, MembersOfTheCatalogueHavePages) {
  EXPECT_EQ(method_card("gauss(s=2)"), "methods/gauss_s_2.html");
  EXPECT_EQ(method_card("gauss(s=49)"), "");
  EXPECT_EQ(method_card("feagin_10"), "methods/feagin_10.html") << "of the library";
}

TEST(Cards, PageOfARemovedMethodGoes) {
  const ScratchFolder folder;
  const std::string gone = "methods/removed_method.html", kept = method_card("erk4");
  for (const std::string& name : {gone, kept, std::string("methods/index.html")})
    write_if_changed(folder.path() / name, "a page");
  write_if_changed(folder.path() / "methods/notes.txt", "no page");
  drop_cards(folder.path());
  EXPECT_FALSE(std::filesystem::exists(folder.path() / gone));
  for (const std::string& name :
       {kept, std::string("methods/index.html"), std::string("methods/notes.txt")})
    EXPECT_TRUE(std::filesystem::exists(folder.path() / name)) << name;
  drop_cards(folder.path() / "none");  // a folder without pages
}

}  // namespace
}  // namespace daemark
