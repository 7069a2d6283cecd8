// From an experiment file to verdicts, tables and a second run that does nothing.
#include "experiments/engine/reproduce.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "analysis/report/table.hpp"
#include "experiments/cells/support/cell_store.hpp"
#include "experiments/engine/plan/plan.hpp"
#include "tests/experiments/scene.hpp"

namespace daemark {
namespace {

using test::Scene;

TEST(Reproduce, VerdictsComeOutOfTheComparison) {
  Scene scene;
  ASSERT_EQ(scene.go(), 0) << scene.err.str();
  EXPECT_EQ(scene.verdict("demo-en", "a", "time"), "not_comparable");
  EXPECT_EQ(scene.verdict("demo-en", "a", "energy"), "reproduced");
  EXPECT_EQ(scene.verdict("demo-en", "a", "drift"), "reproduced");
  EXPECT_EQ(scene.verdict("demo-cn", "a", "drift"), "contradicted");
  EXPECT_EQ(scene.verdict("demo-en", "b", "energy"), "contradicted");
  EXPECT_EQ(scene.verdict("demo-en", "broken", "energy"), "contradicted");  // fails by both routes
  EXPECT_EQ(scene.verdict("demo-en", "unclear", "energy"), "same_order");   // b is nearest, 0.01
  EXPECT_EQ(scene.verdict("demo-en", "better", "claim"), "holds");
  EXPECT_EQ(scene.verdict("demo-cn", "better", "claim"), "holds");
  EXPECT_EQ(scene.verdict("demo-en", "fails", "claim"), "fails");
  EXPECT_EQ(scene.verdict("demo-en", "taste", "claim"), "undetermined");
  EXPECT_EQ(scene.verdict("demo-cn", "taste", "claim"), "(none)");
}

TEST(Reproduce, FilesOfAnItem) {
  Scene scene;
  scene.go();
  const std::string page = scene.file("demo/table1/table.md");
  EXPECT_NE(page.find("not_finite at t = 3 s; the state holds a NaN"), std::string::npos);
  EXPECT_NE(page.find("row of a or b, printed (English, Chinese), beside row b"),
            std::string::npos);
  EXPECT_NE(page.find("a has 1 J"), std::string::npos);
  EXPECT_NE(page.find("`daemark run --problem two_link"), std::string::npos);
  EXPECT_NE(page.find("breaks drift ≤ T energy: 99 <= 10 * 1 is false"), std::string::npos);
  const std::string records = scene.file("demo/table1/records.jsonl");
  EXPECT_EQ(records.find("seconds"), std::string::npos);
  EXPECT_NE(scene.file("demo/table1/table.tex").find("\\toprule"), std::string::npos);
  EXPECT_NE(scene.file("demo/index.html").find("row that fails"), std::string::npos);
  EXPECT_NE(scene.file(".local/demo/table1/timings.csv").find("0.25"), std::string::npos);
  EXPECT_NE(scene.file(".local/demo/table1/provenance.json").find("test"), std::string::npos);
}

TEST(Reproduce, EveryConditionOfAClaimIsKept) {
  Scene scene;
  scene.go();
  EXPECT_EQ(scene.file("demo/table1/conditions.csv"),
            "claim,condition,values,truth\nbetter,b.energy < a.energy,0.01 < 1,true\n");
  EXPECT_NE(scene.file("demo/claims/conditions.csv").find("0 == 1,false"), std::string::npos);
}

TEST(Reproduce, ValuesBesideAndMarks) {
  Scene scene;
  std::string text = test::table_json;
  const std::string column = R"("measure":"2*position_violation_max")";
  text.replace(
      text.find(column), column.size(),
      column +
          R"(,"beside":"10*energy_error_max","marks":[{"sign":"°","when":"energy_error_max > 0.5"}])");
  test::write_text(scene.options.experiments / "demo/table1.json", text);
  ASSERT_EQ(scene.go(), 0) << scene.err.str();
  const std::string page = scene.file("demo/table1/table.md");
  EXPECT_NE(page.find("0.40000 (10)°"), std::string::npos) << page;
  EXPECT_NE(page.find("0.040000 (0) "), std::string::npos) << page;
  EXPECT_NE(scene.file("demo/table1/table.csv").find("measured,floor,beside"), std::string::npos);
  EXPECT_NE(scene.file("demo/table1/table.tex").find("$^\\circ$"), std::string::npos);
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
  EXPECT_NE(scene.out.str().find("nothing to do"), std::string::npos);
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

TEST(Reproduce, ClaimsBringTheItemsTheyReferTo) {
  Scene scene;
  scene.options.selection = {"demo/claims"};
  scene.go();
  EXPECT_EQ(scene.verdict("demo-en", "fails", "claim"), "fails");
}

TEST(Reproduce, TheReportIsMadeFromTheRecords) {
  Scene scene;
  scene.go();
  const std::string page = scene.file("index.html"), verdicts = scene.file("verdicts.csv");
  std::filesystem::remove(scene.options.results / "index.html");
  std::filesystem::remove(scene.options.results / "verdicts.csv");
  std::filesystem::remove_all(scene.options.results / ".cache");
  EXPECT_EQ(report(scene.options.experiments, scene.options.results, scene.out, scene.err), 0);
  EXPECT_EQ(scene.file("index.html"), page);
  EXPECT_EQ(scene.file("verdicts.csv"), verdicts);
  EXPECT_EQ(scene.out.str().find("of no experiment"), std::string::npos) << scene.out.str();
}

TEST(Reproduce, TheReportNamesWhatIsLeftOfExperimentsThatAreGone) {
  Scene scene;
  scene.go();
  test::write_text(scene.options.results / "old/table9/records.jsonl", "");
  EXPECT_EQ(report(scene.options.experiments, scene.options.results, scene.out, scene.err), 0);
  EXPECT_NE(scene.out.str().find("old/table9: of no experiment that is there"), std::string::npos)
      << scene.out.str();
}

TEST(Reproduce, TheReportRendersPagesAgainAndJudgesByTheExperimentAsItStands) {
  Scene scene;
  scene.go();
  const std::string page = scene.file("demo/table1/table.md");
  std::string text = test::table_json;
  const std::string condition = "\"conditions\":[\"b.energy < a.energy\"]";
  text.replace(
      text.find(condition), condition.size(),
      "\"conditions\":[\"t*b.energy < a.energy\"],\"thresholds\":{\"t\":{\"value\":\"200\","
      "\"plausible\":[\"50\"]}}");
  text.replace(text.find("\"findings\""), 10, "\"legend\":[\"read it so\"],\"findings\"");
  test::write_text(scene.options.experiments / "demo/table1.json", text);
  EXPECT_EQ(report(scene.options.experiments, scene.options.results, scene.out, scene.err), 0);
  EXPECT_EQ(scene.verdict("demo-en", "better", "claim"), "fails");
  const std::string again = scene.file("demo/table1/table.md");
  std::istringstream wrapped(again);  // a line may end between any two words
  std::string words;
  for (std::string word; wrapped >> word;) words += word + " ";
  EXPECT_NE(words.find("holds at 100 and below (factor 2)"), std::string::npos) << again;
  EXPECT_NE(again.find("of the plausible 50 turned by 50: holds"), std::string::npos) << again;
  EXPECT_LT(again.find("read it so"), again.find("| row a")) << "the legend stands above";
  // A page whose runs are not all there is left alone.
  test::write_text(scene.options.experiments / "demo/table1.json", test::table_json);
  test::write_text(scene.options.results / "demo/table1/records.jsonl", "");
  report(scene.options.experiments, scene.options.results, scene.out, scene.err);
  EXPECT_EQ(scene.file("demo/table1/table.md"), again);
  EXPECT_NE(page, again);
}

TEST(Reproduce, VariantsOfAPrintedRowAreAskedWhereTheNearestIsElsewhere) {
  Scene scene;
  std::string text = test::table_json;
  const std::string row = "\"candidates\":[\"a\",\"b\"],\"printed\":{\"energy\":\"0.012\"}";
  text.replace(text.find(row), row.size(),
               "\"candidates\":[\"b\"],\"variants\":[\"a\"],\"printed\":{\"energy\":\"0.7\","
               "\"drift\":{\"en\":\"70\",\"cn\":\"0.04\"}}");
  test::write_text(scene.options.experiments / "demo/table1.json", text);
  ASSERT_EQ(scene.go(), 0) << scene.err.str();
  const std::string verdicts = scene.file("verdicts.csv");
  EXPECT_NE(verdicts.find("of the 2 variants computed within a factor 3 of it: row a"),
            std::string::npos);
  EXPECT_NE(verdicts.find("none of the 2 variants computed gives it"), std::string::npos);
  EXPECT_EQ(scene.verdict("demo-en", "unclear", "energy"), "differs") << "not contradicted";
}

TEST(Reproduce, ALongTableHasAHeadingForEachGroup) {
  Scene scene;
  std::string rows;
  for (int i = 0; i < 41; ++i) {
    rows += "{\"id\":\"x" + std::to_string(i) + "\",\"label\":\"row " + std::to_string(i) +
            "\",\"group\":\"" + (i < 20 ? "first" : "second") + "\",\"cell\":{}},";
  }
  std::string text = test::table_json;
  text.replace(text.find("{\"id\":\"a\",\"label\":\"row a\""), 0, rows);
  test::write_text(scene.options.experiments / "demo/table1.json", text);
  ASSERT_EQ(scene.go(), 0) << scene.err.str();
  const std::string page = scene.file("demo/table1/table.md");
  EXPECT_NE(page.find("\n## first\n\n| case"), std::string::npos) << page;
  EXPECT_NE(page.find("\n| row 19 "), std::string::npos) << "the group is not said again";
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
  EXPECT_NE(scene.out.str().find("moved: demo/table1, a/energy, measured"), std::string::npos);
  EXPECT_EQ(scene.file("demo/table1/table.csv"), before);
}

TEST(Reproduce, LongCellsThatAnotherCallLeftBehindAreTaken) {
  Scene scene;
  scene.make_long();
  scene.options.short_only = true;
  ASSERT_EQ(scene.go(), 0) << scene.err.str();
  EXPECT_EQ(scene.go(), 0);
  EXPECT_NE(scene.out.str().find("nothing to do"), std::string::npos) << scene.out.str();
  const Services services = test::fake_services();
  const Plan plan(scene.options.experiments, {}, services, true);
  for (const PlannedCell& planned : plan.cells(true))
    CellCache(scene.options.results / ".cache")
        .store(planned.key, planned.cell, test::fake_run(planned.cell), true);
  EXPECT_EQ(scene.go(), 0);
  EXPECT_EQ(scene.out.str().find("nothing to do"), std::string::npos) << scene.out.str();
  EXPECT_EQ(scene.file("demo/table1/table.md").find("left out"), std::string::npos);
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
  EXPECT_NE(page_then.find("left out (long)"), std::string::npos);
  EXPECT_EQ(scene.file("demo/table1/table.md").find("left out"), std::string::npos);
  EXPECT_NE(scene.out.str().find("2 long cells follow"), std::string::npos) << scene.out.str();
  const std::string page = scene.file("demo/table1/table.md");
  EXPECT_EQ(scene.go(services), 0);
  EXPECT_NE(scene.out.str().find("nothing to do"), std::string::npos);
  // Files that stand there stay until the long cells are done.
  services.sources = test::fake_services("2").sources;
  page_then.clear();
  EXPECT_EQ(scene.go(services), 0);
  EXPECT_EQ(page_then, page);
}

TEST(Reproduce, OwnChecksStandApartInTheVerdicts) {
  Scene scene;
  std::string text = test::table_json;
  const std::string claim = "\"id\":\"better\"";
  text.replace(text.find(claim), claim.size(), claim + ",\"own\":true");
  test::write_text(scene.options.experiments / "demo/table1.json", text);
  ASSERT_EQ(scene.go(), 0) << scene.err.str();
  EXPECT_EQ(scene.verdict("demo-en", "better", "claim"), "(none)");
  EXPECT_EQ(scene.verdict("demo-en", "better", "own_check"), "holds");
  EXPECT_EQ(scene.verdict("demo-en", "fails", "claim"), "fails");
  EXPECT_TRUE(
      scene.file("verdicts.csv").starts_with("paper,item,row,column,printed_or_paraphrased"));
  text.replace(text.find("b is better"), 11, "Not in the paper: b is better");
  test::write_text(scene.options.experiments / "demo/table1.json", text);
  EXPECT_EQ(scene.go(), 2);
  EXPECT_NE(scene.err.str().find("\"own\": true"), std::string::npos) << scene.err.str();
}

}  // namespace
}  // namespace daemark
