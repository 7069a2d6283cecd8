// Results that cannot be written and figures that cannot be drawn: nothing computed is lost.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/engine/run/runner.hpp"
#include "tests/experiments/scene.hpp"
#include "tests/support/gnuplot.hpp"

namespace daemark {
namespace {

namespace fs = std::filesystem;
using test::Scene;
using testing::HasSubstr;
using testing::Not;

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
  Cell cell;
  cell.problem = "two_link", cell.formulation = "index1", cell.method = "gauss(2)";
  cell.h = {"0.1"}, cell.t_end = "10";
  const RunnerReport report =
      run_cells(std::vector{cell}, test::fake_run, [](const Cell&) { return "1"; },
                CellCache(folder.path / "cache"), {.jobs = 1});
  EXPECT_TRUE(report.results.at(canonical(cell)).ok());
  ASSERT_TRUE(report.cache_failure.failed());
  EXPECT_THAT(report.cache_failure.what(), HasSubstr(std::generic_category().message(ENOTDIR)));
}

TEST(LostOutput, AFigureThatCannotBeDrawnHoldsUpNothing) {
  Scene scene;
  std::string table = test::table_json;
  table.insert(table.rfind('}'),
               R"(,"plot":{"caption":"c","panels":[{"x":{"label":"h"},"y":{"label":"e"},
                  "curves":[{"rows":["a","b"],"x":"energy_error_max","label":"l"}]}]})");
  const auto at = table.find(R"("y":{"label":"e"})");
  table.replace(at, 17, R"("y":{"label":"e","names":["a","b"]})");
  test::write_text(scene.options.experiments / "demo" / "table1.json", table);
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
