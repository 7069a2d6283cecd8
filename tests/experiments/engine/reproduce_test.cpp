// From an experiment file to verdicts, tables and a second run that does nothing.
#include "experiments/engine/reproduce.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "analysis/report/table.hpp"
#include "experiments/cells/support/cell_store.hpp"
#include "experiments/engine/plan/plan.hpp"
#include "tests/experiments/scene.hpp"

namespace daemark {
namespace {

using test::Scene;
using testing::HasSubstr;
using testing::Not;

TEST(Reproduce, VerdictsComeOutOfTheComparison) {
  Scene scene;
  ASSERT_EQ(scene.go(), 0) << scene.err.str();
  const struct {
    const char *paper, *row, *column, *verdict;
  } cases[] = {{"demo-en", "a", "time", "not_comparable"},
               {"demo-en", "a", "energy", "reproduced"},
               {"demo-en", "a", "drift", "reproduced"},
               {"demo-cn", "a", "drift", "contradicted"},
               {"demo-en", "b", "energy", "contradicted"},
               {"demo-en", "broken", "energy", "contradicted"},  // fails by both routes
               {"demo-en", "unclear", "energy", "same_order"},   // b is nearest, 0.01
               {"demo-en", "better", "claim", "holds"},
               {"demo-cn", "better", "claim", "holds"},
               {"demo-en", "fails", "claim", "fails"},
               {"demo-en", "taste", "claim", "undetermined"},
               {"demo-cn", "taste", "claim", "(none)"}};
  for (const auto& [paper, row, column, verdict] : cases)
    EXPECT_EQ(scene.verdict(paper, row, column), verdict) << paper << " " << row << " " << column;
}

TEST(Reproduce, FilesOfAnItem) {
  Scene scene;
  scene.go();
  const std::string page = scene.file("demo/table1/table.md");
  EXPECT_THAT(page, HasSubstr("not_finite at t = 3 s; the state holds a NaN"));
  EXPECT_THAT(page, HasSubstr("row of a or b, printed (English, Chinese), compared with row b"));
  EXPECT_THAT(page, HasSubstr("a has 1 J"));
  EXPECT_THAT(page, HasSubstr("`daemark run --problem two_link"));
  EXPECT_THAT(page, HasSubstr("breaks drift ≤ T energy: 99 <= 10 * 1 is false"));
  const std::string records = scene.file("demo/table1/records.jsonl");
  EXPECT_THAT(records, Not(HasSubstr("seconds")));
  EXPECT_THAT(scene.file("demo/table1/table.tex"), HasSubstr("\\toprule"));
  EXPECT_THAT(scene.file("demo/index.html"), HasSubstr("row that fails"));
  EXPECT_THAT(scene.file(".local/demo/table1/timings.csv"), HasSubstr("0.25"));
  EXPECT_THAT(scene.file(".local/demo/table1/provenance.json"), HasSubstr("test"));
  EXPECT_EQ(scene.file("demo/table1/conditions.csv"),
            "claim,condition,values,truth\nbetter,b.energy < a.energy,0.01 < 1,true\n");
  EXPECT_THAT(scene.file("demo/claims/conditions.csv"), HasSubstr("0 == 1,false"));
}

TEST(Reproduce, ValuesBesideAndMarks) {
  Scene scene;
  const std::string column = R"("measure":"2*position_violation_max")";
  scene.edit_table(column, column + R"(,"beside":"10*energy_error_max","marks":[{"sign":"°",)" +
                               R"("when":"energy_error_max > 0.5"}])");
  ASSERT_EQ(scene.go(), 0) << scene.err.str();
  const std::string page = scene.file("demo/table1/table.md");
  EXPECT_THAT(page, HasSubstr("0.40000 (10)°")) << page;
  EXPECT_THAT(page, HasSubstr("0.040000 (0) ")) << page;
  EXPECT_THAT(scene.file("demo/table1/table.csv"), HasSubstr("measured,floor,beside"));
  EXPECT_THAT(scene.file("demo/table1/table.tex"), HasSubstr("$^\\circ$"));
}

TEST(Reproduce, NothingChangedNothingDone) {
  Scene scene;
  scene.go();
  Services services = test::fake_services();
  int runs = 0;
  services.run_cell = [&](const Cell& cell) {
    ++runs;
    return test::fake_run(cell);
  };
  EXPECT_EQ(scene.go(services), 0);
  EXPECT_THAT(scene.out.str(), HasSubstr("nothing to do"));
  EXPECT_EQ(runs, 0);
  // A touched result is made again from the finished cells, a lost cell is computed again.
  const std::string before = scene.file("demo/table1/table.csv");
  test::write_text(scene.options.results / "demo/table1/table.csv", "spoilt");
  scene.go(services);
  EXPECT_EQ(scene.file("demo/table1/table.csv"), before);
  EXPECT_EQ(runs, 0);
  services.sources = test::fake_services("2").sources;
  scene.go(services);
  EXPECT_EQ(runs, 9);  // three cells, their second routes, three other guesses of a claimed end
}

TEST(Reproduce, TheReportNamesWhatIsLeftOfExperimentsThatAreGone) {
  Scene scene;
  scene.go();
  test::write_text(scene.options.results / "old/table9/records.jsonl", "");
  EXPECT_EQ(scene.report(), 0);
  EXPECT_THAT(scene.out.str(), HasSubstr("old/table9: of no experiment that is there"))
      << scene.out.str();
}

TEST(Reproduce, TheReportRendersPagesAgainAndJudgesByTheExperimentAsItStands) {
  Scene scene;
  scene.go();
  const std::string page = scene.file("demo/table1/table.md");
  scene.edit_table(
      R"("conditions":["b.energy < a.energy"]}],
 "findings")",
      R"("conditions":["t*b.energy < a.energy"],"thresholds":{"t":{"value":"200",
 "plausible":["50"]}}}],"legend":["read it so"],"findings")");
  EXPECT_EQ(scene.report(), 0);
  EXPECT_EQ(scene.verdict("demo-en", "better", "claim"), "fails");
  const std::string again = scene.file("demo/table1/table.md");
  std::istringstream wrapped(again);  // a line may end between any two words
  std::string words;
  for (std::string word; wrapped >> word;) words += word + " ";
  EXPECT_THAT(words, HasSubstr("holds at 100 and below (factor 2)")) << again;
  EXPECT_THAT(again, HasSubstr("of the plausible 50 turned by 50: holds")) << again;
  EXPECT_LT(again.find("read it so"), again.find("| row a")) << "the legend stands above";
  // A page whose runs are not all there is left alone.
  test::write_text(scene.options.experiments / "demo/table1.json", test::table_json);
  test::write_text(scene.options.results / "demo/table1/records.jsonl", "");
  scene.report();
  EXPECT_EQ(scene.file("demo/table1/table.md"), again);
  EXPECT_NE(page, again);
}

TEST(Reproduce, VariantsOfAPrintedRowAreAskedWhereTheNearestIsElsewhere) {
  Scene scene;
  scene.edit_table(R"("candidates":["a","b"],"printed":{"energy":"0.012"})",
                   R"("candidates":["b"],"variants":["a"],"printed":{"energy":"0.7",)"
                   R"("drift":{"en":"70","cn":"0.04"}})");
  ASSERT_EQ(scene.go(), 0) << scene.err.str();
  const std::string verdicts = scene.file("verdicts.csv");
  EXPECT_THAT(verdicts, HasSubstr("of the 2 variants computed within a factor 3 of it: row a"));
  EXPECT_THAT(verdicts, HasSubstr("none of the 2 variants computed gives it"));
  EXPECT_EQ(scene.verdict("demo-en", "unclear", "energy"), "differs") << "not contradicted";
}

TEST(Reproduce, ALongTableHasAHeadingForEachGroup) {
  Scene scene;
  std::string rows;
  for (int i = 0; i < 41; ++i) {
    rows += "{\"id\":\"x" + std::to_string(i) + "\",\"label\":\"row " + std::to_string(i) +
            "\",\"group\":\"" + (i < 20 ? "first" : "second") + "\",\"cell\":{}},";
  }
  const std::string first = R"({"id":"a","label":"row a")";
  scene.edit_table(first, rows + first);
  ASSERT_EQ(scene.go(), 0) << scene.err.str();
  const std::string page = scene.file("demo/table1/table.md");
  EXPECT_THAT(page, HasSubstr("\n## first\n\n| case")) << page;
  EXPECT_THAT(page, HasSubstr("\n| row 19 ")) << "the group is not said again";
  EXPECT_LT(page.find("| row 19 "), page.find("\n## second\n"));
}

TEST(Reproduce, CheckFindsWhatMovedBeyondItsDigits) {
  Scene scene;
  scene.go();
  scene.options.check = true;
  EXPECT_EQ(scene.go(), 0) << scene.out.str();
  Services other = test::fake_services("2");
  other.run_cell = [](const Cell& cell) {
    CellResult result = test::fake_run(cell);
    if (result.ok())
      result.measures["energy_error_max"] *= 1 + 1e-9;  // below the digits a table claims
    return result;
  };
  EXPECT_EQ(scene.go(other), 0) << scene.out.str();
  other.sources = test::fake_services("3").sources;
  other.run_cell = [](const Cell& cell) {
    CellResult result = test::fake_run(cell);
    if (result.ok()) result.measures["energy_error_max"] *= 1.001;
    return result;
  };
  const std::string before = scene.file("demo/table1/table.csv");
  EXPECT_EQ(scene.go(other), 1);
  EXPECT_THAT(scene.out.str(), HasSubstr("moved: demo/table1, a/energy, measured"));
  EXPECT_EQ(scene.file("demo/table1/table.csv"), before);
}

TEST(Reproduce, LongCellsThatAnotherCallLeftBehindAreTaken) {
  Scene scene;
  scene.make_long();
  scene.options.short_only = true;
  ASSERT_EQ(scene.go(), 0) << scene.err.str();
  EXPECT_EQ(scene.go(), 0);
  EXPECT_THAT(scene.out.str(), HasSubstr("nothing to do")) << scene.out.str();
  const Services services = test::fake_services();
  const Plan plan(scene.options.experiments, {}, services, true);
  for (const PlannedCell& planned : plan.cells(true))
    CellCache(scene.options.results / ".cache")
        .store(planned.key, planned.cell, test::fake_run(planned.cell), true);
  EXPECT_EQ(scene.go(), 0);
  EXPECT_THAT(scene.out.str(), Not(HasSubstr("nothing to do"))) << scene.out.str();
  EXPECT_THAT(scene.file("demo/table1/table.md"), Not(HasSubstr("left out")));
}

TEST(Reproduce, ShortCellsAreDoneAndWrittenBeforeTheLongOnesBegin) {
  Scene scene;
  scene.make_long();
  Services services = test::fake_services();
  std::string verdict_then, page_then;
  services.run_cell = [&](const Cell& cell) {
    if (cell.is_long && page_then.empty()) {
      verdict_then = scene.verdict("demo-en", "a", "energy");
      page_then = scene.file("demo/table1/table.md");
    }
    return test::fake_run(cell);
  };
  scene.options.jobs = 1;
  ASSERT_EQ(scene.go(services), 0) << scene.err.str();
  EXPECT_EQ(verdict_then, "reproduced");
  EXPECT_THAT(page_then, HasSubstr("left out (long)"));
  EXPECT_THAT(scene.file("demo/table1/table.md"), Not(HasSubstr("left out")));
  EXPECT_THAT(scene.out.str(), HasSubstr("2 long cells follow")) << scene.out.str();
  const std::string page = scene.file("demo/table1/table.md");
  EXPECT_EQ(scene.go(services), 0);
  EXPECT_THAT(scene.out.str(), HasSubstr("nothing to do"));
  // Files that stand there stay until the long cells are done.
  services.sources = test::fake_services("2").sources;
  page_then.clear();
  EXPECT_EQ(scene.go(services), 0);
  EXPECT_EQ(page_then, page);
}

TEST(Reproduce, OwnChecksStandApartInTheVerdicts) {
  Scene scene;
  scene.edit_table(R"("id":"better")", R"("id":"better","own":true)");
  ASSERT_EQ(scene.go(), 0) << scene.err.str();
  EXPECT_EQ(scene.verdict("demo-en", "better", "claim"), "(none)");
  EXPECT_EQ(scene.verdict("demo-en", "better", "own_check"), "holds");
  EXPECT_EQ(scene.verdict("demo-en", "fails", "claim"), "fails");
  EXPECT_TRUE(
      scene.file("verdicts.csv").starts_with("paper,item,row,column,printed_or_paraphrased"));
  scene.edit_table(R"("id":"better","text":")",
                   R"("id":"better","own":true,"text":"Not in the paper: )");
  EXPECT_EQ(scene.go(), 2);
  EXPECT_THAT(scene.err.str(), HasSubstr("\"own\": true")) << scene.err.str();
}

}  // namespace
}  // namespace daemark
