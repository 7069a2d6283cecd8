// What is malformed, names nothing or ends without an outcome stops nothing else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <new>

#include "analysis/report/table.hpp"
#include "base/program/stop.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/engine/reproduce.hpp"
#include "experiments/engine/run/runner.hpp"
#include "tests/experiments/cells/support/some_cells.hpp"
#include "tests/experiments/scene.hpp"
#include "tests/support/gnuplot.hpp"

namespace daemark {
namespace {

namespace fs = std::filesystem;
using test::Scene;
using testing::HasSubstr;
using testing::Not;

TEST(ReproduceFaults, BadExperimentsAreRefusedByPlace) {
  const auto refused = [](const std::string& from, const std::string& to, const std::string& word) {
    Scene scene;
    scene.edit_table(from, to);
    EXPECT_EQ(scene.go(), 2) << "accepted: " << to;
    std::string said = scene.err.str();
    EXPECT_THAT(said, HasSubstr(word)) << said;
    const std::string other =
        "daemark reproduce: demo/claims: refers to demo/table1, which is left out\n";
    if (const std::size_t line = said.find(other); line != std::string::npos)
      said.erase(line, other.size());
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
  refused("b.energy < a.energy", "b.status_melted == 1", "'b.status_melted'");
  refused("b.energy < a.energy", "table9.b.energy < 1", "names no item");
  refused("b.energy < a.energy", "unclear.energy < 1", "no row with a cell");
  refused("b.energy < a.energy", "a.b.c.energy < 1", "'a.b.c.energy'");
  refused("{a.energy}", "{a.enrgy}", "findings: 'a.enrgy'");
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

TEST(ReproduceFaults, AMalformedItemStopsWhatRefersToItOnly) {
  Scene scene;
  scene.add_paper("other", "{\"kind\":\"table\"}");
  EXPECT_EQ(scene.go(), 1);
  EXPECT_THAT(scene.err.str(), HasSubstr("other/table1.json")) << scene.err.str();
  EXPECT_EQ(scene.verdict("demo-en", "a", "energy"), "reproduced");
  EXPECT_FALSE(std::filesystem::exists(scene.options.results / "other"));
  scene.add_paper("other");
  EXPECT_EQ(scene.go(), 0) << scene.err.str();
  // Who asks for what is done does not even read the other paper.
  test::write_text(scene.options.experiments / "other/table1.json", "{");
  scene.options.selection = {"demo/claims"};
  EXPECT_EQ(scene.go(), 0);
  EXPECT_THAT(scene.out.str(), HasSubstr("nothing to do: 2 items")) << scene.out.str();
  // Nor the other items of a paper.
  test::write_text(scene.options.experiments / "demo/claims.json", "{");
  scene.options.selection = {"demo/table1"};
  EXPECT_EQ(scene.go(), 0);
  EXPECT_THAT(scene.out.str(), HasSubstr("nothing to do: 1 item up")) << scene.out.str();
  scene.options.selection.clear();
  EXPECT_EQ(scene.go(), 1);
}

/// Found where the sources of a cell are looked up, or where it runs: both name the row.
TEST(ReproduceFaults, ACellThatNamesNothingStopsItsItemOnly) {
  const auto refuse = [](const Cell& cell) {
    if (cell.method == "nothing") throw BadInput("method 'nothing' is unknown");
  };
  for (const bool early : {false, true}) {
    Scene scene;
    scene.add_paper("other", test::replaced(test::table_json, "gauss(2)", "nothing"));
    test::write_text(scene.options.experiments / "other/claims.json",
                     R"json({"kind":"claims","title":"Claims","claims":[{"id":"taste","own":true,
                      "text":"it is beautiful","where":{"en":"p. 4"},"why":"no run decides it"}]})json");
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
    EXPECT_EQ(scene.go(services), 1);
    EXPECT_THAT(scene.err.str(), HasSubstr("other/table1.json, row a: method 'nothing' is unknown"))
        << scene.err.str();
    EXPECT_EQ(scene.verdict("demo-en", "a", "energy"), "reproduced");
    EXPECT_FALSE(std::filesystem::exists(scene.options.results / "other/table1"));
    EXPECT_THAT(scene.file("other/claims/table.md"), HasSubstr("Our own checks"));
    scene.options.selection = {"other/table1"};
    EXPECT_EQ(scene.go(services), 2) << "nothing else was asked for";
    scene.options.selection = {"other"};
    EXPECT_EQ(scene.go(services), 1) << scene.out.str();
  }
}

TEST(ReproduceFaults, AnItemWithACellThatTimedOutIsTriedAgain) {
  Scene scene;
  Services services = test::fake_services();
  services.run_cell = [](const Cell& cell) {
    while (cell.h.front() == "0.01") checkpoint();
    return test::fake_run(cell);
  };
  scene.options.time_limit = 0.05;
  EXPECT_EQ(scene.go(services), 1) << scene.err.str();
  EXPECT_THAT(scene.err.str(), HasSubstr("demo/table1: 2 cells timed_out")) << scene.err.str();
  EXPECT_THAT(scene.file("demo/table1/table.md"), HasSubstr("timed_out"));
  EXPECT_EQ(scene.verdict("demo-en", "b", "energy"), "undetermined");
  EXPECT_EQ(scene.verdict("demo-en", "unclear", "energy"), "undetermined") << "b may be meant";
  EXPECT_EQ(scene.verdict("demo-en", "better", "claim"), "undetermined");
  EXPECT_EQ(scene.verdict("demo-en", "a", "energy"), "reproduced");
  scene.options.time_limit = 0;
  EXPECT_EQ(scene.go(), 0);
  EXPECT_THAT(scene.file("demo/table1/table.md"), Not(HasSubstr("timed_out")));
}

/// "thrown": memory that gives out, in a cell that is not kept.
TEST(ReproduceFaults, AStatusOfTheMachineOrTheSetUpDecidesNothing) {
  for (const std::string status : {"not_available", "no_reference", "out_of_memory", "thrown"}) {
    for (const bool second_only : {false, true}) {
      Scene scene;
      Services services = test::fake_services();
      services.run_cell = [&](const Cell& cell) {
        CellResult result = test::fake_run(cell);
        if (cell.h.front() != "0.01" || (second_only && cell.precision != "quad")) return result;
        if (status == "thrown") throw std::bad_alloc();
        result.status = status;
        return result;
      };
      EXPECT_EQ(scene.go(services), 1) << status;
      EXPECT_EQ(scene.verdict("demo-en", "b", "energy"), "undetermined") << status;
      EXPECT_EQ(scene.verdict("demo-en", "broken", "energy"), "contradicted");
      EXPECT_EQ(scene.verdict("demo-en", "better", "claim"),
                second_only ? "holds" : "undetermined");
      EXPECT_EQ(scene.go(services), 1) << "it is tried again";
      if (status == "no_reference") continue;  // the others may do with another build or memory
      EXPECT_EQ(scene.go(), 0) << scene.err.str();
      EXPECT_EQ(scene.verdict("demo-en", "b", "energy"), "contradicted");
    }
  }
}

// Results that cannot be written and figures that cannot be drawn: nothing computed is lost.

/// A place for results where a file stands: nobody can write there, root neither.
TEST(LostOutput, ReproduceShowsTheTablesItCannotWrite) {
  Scene scene;
  test::write_text(scene.options.results, "a file");
  EXPECT_EQ(scene.go(), 2);
  EXPECT_THAT(scene.out.str(), HasSubstr("row a"));
  EXPECT_THAT(scene.err.str(), HasSubstr("cannot write"));
  EXPECT_THAT(scene.err.str(), HasSubstr(std::generic_category().message(ENOTDIR)));
}

TEST(LostOutput, OneItemThatCannotBeWrittenDoesNotStopTheOthers) {
  Scene scene;
  test::write_text(scene.options.results / "demo" / "table1", "a file");
  EXPECT_EQ(scene.go(), 2);
  EXPECT_THAT(scene.out.str(), HasSubstr("row a"));
  EXPECT_THAT(scene.file("demo/claims/table.md"), HasSubstr("the broken row runs"));
  fs::remove(scene.options.results / "demo" / "table1");
  EXPECT_EQ(scene.go(), 0) << scene.err.str();  // it was not taken for done
  EXPECT_THAT(scene.file("demo/table1/table.md"), HasSubstr("row a"));
}

TEST(LostOutput, CellsThatCannotBeKeptAreStillResults) {
  const test::ScratchFolder folder;
  test::write_text(folder.path / "cache", "a file");
  const Cell cell = test::run_cell("two_link", "gauss(2)", "index1", "0.1", "10");
  const RunnerReport report =
      run_cells(std::vector{cell}, test::fake_run, [](const Cell&) { return "1"; },
                CellCache(folder.path / "cache"), {.jobs = 1});
  EXPECT_TRUE(report.results.at(canonical(cell)).ok());
  ASSERT_TRUE(report.cache_failure.failed());
  EXPECT_THAT(report.cache_failure.what(), HasSubstr(std::generic_category().message(ENOTDIR)));
}

TEST(LostOutput, AFigureThatCannotBeDrawnHoldsUpNothing) {
  Scene scene;
  scene.edit_table(R"("assumed":)", R"("plot":{"caption":"c","panels":[{"x":{"label":"h"},
      "y":{"label":"e","names":["a","b"]},
      "curves":[{"rows":["a","b"],"x":"energy_error_max","label":"l"}]}]},"assumed":)");
  const std::string path = std::getenv("PATH");
  setenv("PATH", "/nowhere", 1);
  const int status = scene.go();
  setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(status, 0) << scene.err.str();
  EXPECT_THAT(scene.err.str(), HasSubstr("gnuplot is not on the PATH"));
  EXPECT_THAT(scene.file("demo/table1/figure.svg"), HasSubstr("gnuplot is not on the PATH"));
  EXPECT_THAT(scene.file("demo/table1/table.md"), HasSubstr("row a"));
  EXPECT_THAT(scene.file("verdicts.csv"), HasSubstr("demo-en"));
  NEEDS_GNUPLOT();
  EXPECT_EQ(scene.go(), 0) << scene.err.str();  // it is drawn as soon as it can be
  EXPECT_THAT(scene.file("demo/table1/figure.svg"), Not(HasSubstr("gnuplot")));
  EXPECT_THAT(scene.file("demo/table1/figure.svg"), HasSubstr("<path"));
}

}  // namespace
}  // namespace daemark
