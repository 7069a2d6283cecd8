// From an experiment file to verdicts, tables and a second run that does nothing.
#include "experiments/engine/reproduce.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "analysis/report/table.hpp"
#include "base/program/stop.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/cells/support/cache.hpp"
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

TEST(Reproduce, BadExperimentsAreRefusedByPlace) {
  const auto refused = [](const std::string& from, const std::string& to, const std::string& word) {
    Scene scene;
    std::string text = test::table_json;
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    test::write_text(scene.options.experiments / "demo/table1.json", text);
    EXPECT_EQ(scene.go(), 2) << "accepted: " << to;
    const std::string said = scene.err.str();
    EXPECT_NE(said.find(word), std::string::npos) << said;
    EXPECT_EQ(said.find('\n'), said.size() - 1) << said;
  };
  refused("\"kind\":\"table\"", "\"kind\":\"chair\"", "chair");
  refused("\"findings\"", "\"findngs\"", "findngs");
  refused("\"id\":\"b\"", "\"id\":\"a\"", "occurs twice");
  refused("\"h\":\"0.01\"", "\"h\":\"0.03\"", "does not divide");
  refused("\"h\":\"0.01\"", "\"h\":\"x\"", "rows 2");
  refused("\"h\":\"0.01\"", "\"h\":\"-0.01\"", "> 0");
  refused("\"5.9\"", "\"fast\"", "fast");
  refused("\"candidates\":[\"a\",\"b\"]", "\"candidates\":[\"z\"]", "'z'");
  refused("b.energy < a.energy", "b.energy <", "ends too early");
  refused("b.energy < a.energy", "nobody.energy < 1", "nobody");
  refused("\"measure\":\"seconds\"", "\"measure\":\"1 +\"", "columns 1");
  // Names that no run of the row can ever give, which would leave a claim open for ever.
  refused("b.energy < a.energy", "b.enrgy < a.energy", "claim better: 'b.enrgy'");
  refused("b.energy < a.energy", "b.slope_q < 3", "'b.slope_q'");
  refused("b.energy < a.energy", "b.error_q < 3", "'b.error_q'");  // its cells measure no errors
  refused("b.energy < a.energy", "b.status_melted == 1", "'b.status_melted'");
  refused("b.energy < a.energy", "table9.b.energy < 1", "names no item");
  refused("b.energy < a.energy", "unclear.energy < 1", "no row with a cell");
  refused("b.energy < a.energy", "a.b.c.energy < 1", "'a.b.c.energy'");
  refused("{a.energy}", "{a.enrgy}", "findings: 'a.enrgy'");
  refused("energy_error_max", "enrgy_error_max", "column energy");
  // Thresholds.
  const auto with = [&](const std::string& condition, const std::string& thresholds,
                        const std::string& word) {
    refused("\"conditions\":[\"b.energy < a.energy\"]",
            "\"conditions\":[\"" + condition + "\"],\"thresholds\":" + thresholds, word);
  };
  with("obvious*b.energy < a.energy", "{}", "'obvious' is neither");
  with("b.energy < a.energy", R"({"obvious":{"value":"3"}})", "stands in no condition");
  with("t*b.energy < a.energy", R"({"t":{"value":"-3"}})", "thresholds, t: value must be positive");
  with("t*b.energy < a.energy", R"({"t":{"value":"3","plausible":["0"]}})", "must be positive");
  with("t*b.energy < a.energy", R"({"t":{"value":"3","plausible":"2"}})", "plausible");
  with("t*b.energy < a.energy", R"({"t":{"plausible":["2"]}})", "value");
  with("t*b.energy < a.energy", R"({"t":{"value":0.3}})", "value");
  with("t*b.energy < a.energy", R"({"t":"3"})", "thresholds, t");
  with("t*b.energy < a.energy", R"(["t"])", "thresholds");
  refused("\"candidates\":[\"a\",\"b\"]", "\"candidates\":[\"a\"],\"variants\":[\"z\"]", "'z'");
  refused("\"label\":\"row b\"", "\"label\":\"row b\",\"variants\":[\"a\"]", "candidates only");
  Scene scene;
  scene.options.selection = {"demo/table9"};
  EXPECT_THROW(scene.go(), BadInput);
  scene.options.selection = {"nobody"};
  EXPECT_THROW(scene.go(), BadInput);
}

/// A second paper, "other", with the same items.
void add_other_paper(const Scene& scene, const std::string& table = test::table_json) {
  test::write_text(scene.options.experiments / "other/paper.json", test::paper_json);
  test::write_text(scene.options.experiments / "other/table1.json", table);
  test::write_text(scene.options.experiments / "other/claims.json", test::claims_json);
}

TEST(Reproduce, AMalformedPaperStopsThatPaperOnly) {
  Scene scene;
  add_other_paper(scene, "{\"kind\":\"table\"}");
  EXPECT_EQ(scene.go(), 2);
  EXPECT_NE(scene.err.str().find("other/table1.json"), std::string::npos) << scene.err.str();
  EXPECT_EQ(scene.verdict("demo-en", "a", "energy"), "reproduced");
  EXPECT_FALSE(std::filesystem::exists(scene.options.results / "other"));
  add_other_paper(scene);
  EXPECT_EQ(scene.go(), 0) << scene.err.str();
  // Who asks for what is done does not even read the other paper.
  test::write_text(scene.options.experiments / "other/table1.json", "{");
  scene.options.selection = {"demo/claims"};
  EXPECT_EQ(scene.go(), 0);
  EXPECT_NE(scene.out.str().find("nothing to do: 2 items"), std::string::npos) << scene.out.str();
  // Nor the other items of a paper.
  test::write_text(scene.options.experiments / "demo/claims.json", "{");
  scene.options.selection = {"demo/table1"};
  EXPECT_EQ(scene.go(), 0);
  EXPECT_NE(scene.out.str().find("nothing to do: 1 item up"), std::string::npos) << scene.out.str();
  scene.options.selection.clear();
  EXPECT_EQ(scene.go(), 2);
}

/// Found where the sources of a cell are looked up, or where it runs: both name the row.
TEST(Reproduce, ACellThatNamesNothingStopsItsPaperOnly) {
  const auto refuse = [](const Cell& cell) {
    if (cell.method == "nothing") throw BadInput("method 'nothing' is unknown");
  };
  for (const bool early : {false, true}) {
    Scene scene;
    std::string table = test::table_json;
    table.replace(table.find("gauss(2)"), 8, "nothing");
    add_other_paper(scene, table);
    Services services = test::fake_services();
    if (early)
      services.sources = [refuse, known = services.sources](const Cell& cell) {
        refuse(cell);
        return known(cell);
      };
    else
      services.run_cell = [refuse](const Cell& cell) {
        refuse(cell);
        return test::fake_run(cell);
      };
    EXPECT_EQ(scene.go(services), 2);
    EXPECT_NE(scene.err.str().find("other/table1.json, row a: method 'nothing' is unknown"),
              std::string::npos)
        << scene.err.str();
    EXPECT_EQ(scene.verdict("demo-en", "a", "energy"), "reproduced");
    EXPECT_FALSE(std::filesystem::exists(scene.options.results / "other/table1"));
  }
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

TEST(Reproduce, AnItemWithACellThatTimedOutIsTriedAgain) {
  Scene scene;
  Services services = test::fake_services();
  services.run_cell = [](const Cell& cell) {
    while (cell.h.front() == "0.01") checkpoint();
    return test::fake_run(cell);
  };
  scene.options.time_limit = 0.05;
  EXPECT_EQ(scene.go(services), 0) << scene.err.str();
  EXPECT_NE(scene.file("demo/table1/table.md").find("timed_out"), std::string::npos);
  scene.options.time_limit = 0;
  EXPECT_EQ(scene.go(), 0);
  EXPECT_EQ(scene.file("demo/table1/table.md").find("timed_out"), std::string::npos);
}

}  // namespace
}  // namespace daemark
