// Cells that keep outputs alone and set them against a reference curve.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "base/input/strict_json.hpp"
#include "base/program/paths.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/cells/support/cell_kind.hpp"
#include "experiments/cells/support/measure_names.hpp"
#include "experiments/cells/support/reference_curve.hpp"
#include "tests/experiments/cells/support/some_cells.hpp"
#include "tests/support/temporary_results.hpp"

namespace daemark {
namespace {

/// A slow part of a fast mechanism: the beam with one element until 0.02 s.
Cell beam() {
  Cell cell =
      test::run_cell("beam_buckling(elements=1)", "msstc(3,0)", "index3", "3/1000", "21/1000");
  cell.kind = "outputs";
  cell.settings = {{"newton.tol", "1e-7"}};
  cell.more = {{"outputs", {"theta", "F3"}},
               {"from", "0"},
               {"split", "1/100"},
               {"history_every", 1},
               {"truth",
                {{"method", "lms(2,0)"},
                 {"h", "1/4000"},
                 {"every", 4},
                 {"t_end", "1/50"},
                 {"second", {{"method", "bathe(0)"}, {"h", "1/4000"}, {"every", 4}}}}}};
  return cell;
}

TEST(OutputsCell, MeasuresAgainstTheReferenceWhereBothAre) {
  const test::TemporaryResults results;
  const CellResult result = kind_of(beam()).run(beam());
  ASSERT_TRUE(result.ok()) << result.why;
  for (const auto& [name, value] : result.measures) EXPECT_TRUE(can_measure(beam(), name)) << name;
  EXPECT_TRUE(result.q.empty());
  // Eq. (26) of Zhang 2022 from the series, of which this cell keeps every point.
  double off = 0, size = 0;
  for (std::size_t i = 0; i < result.series.at("F3").size(); ++i) {
    const double x = result.series.at("F3")[i], reference = result.series.at("reference_F3")[i];
    if (std::isnan(reference)) continue;
    off += (x - reference) * (x - reference), size += reference * reference;
  }
  EXPECT_DOUBLE_EQ(result.measures.at("error_F3"), std::sqrt(off / size));
  EXPECT_LT(result.measures.at("apart_F3"), result.measures.at("error_F3"));
  // 0, 3, …, 21 ms; the reference ends at 20 ms.
  const std::vector<double>&t = result.series.at("t_F3"), &truth = result.series.at("reference_F3");
  ASSERT_EQ(t.size(), 8u);
  EXPECT_NEAR(t.back(), 0.021, 1e-12);
  EXPECT_TRUE(std::isnan(truth.back()));
  EXPECT_FALSE(std::isnan(truth[6]));
}

TEST(OutputsCell, TheReferenceItselfIsItsOwnCurve) {
  const test::TemporaryResults results;
  Cell same = beam();
  same.method = "lms(2,0)", same.h = {"1/4000"}, same.t_end = "1/50";
  same.settings = {};
  const CellResult result = kind_of(same).run(same);
  EXPECT_LT(result.measures.at("deviation_F3"), 1e-8);  // curves are kept to nine digits
  // The two routes differ by more than 1 % in theta: nothing can be measured against it.
  EXPECT_GT(result.measures.at("apart_theta"), 0.01);
  EXPECT_TRUE(std::isnan(result.measures.at("deviation_theta")));
  EXPECT_LT(result.measures.at("error_after_F3"), 1e-8);
  EXPECT_NEAR(result.measures.at("way_F3"), 1, 1e-8);
  EXPECT_NEAR(result.measures.at("likeness_after_F3"), 1, 1e-12);
}

TEST(OutputsCell, TheRunThatComputesTheReferenceUsesWhatLaterOnesRead) {
  const test::TemporaryResults results;
  Cell cell = beam();
  cell.more["truth"]["t_end"] = "1/100";  // a key of its own: curves are kept once a process
  const auto computed = reference_curve(curve_request(cell, cell.more["truth"]));
  const std::filesystem::directory_iterator folder(results_root() / "curves");
  const nlohmann::json file = parse_json_file(folder->path().string());
  EXPECT_EQ(file.at("values"), nlohmann::json(computed->values));
  EXPECT_EQ(file.at("first"), computed->t.front());
  EXPECT_EQ(file.at("spacing"), computed->spacing);
  ASSERT_GT(computed->t.size(), 9u);
  EXPECT_EQ(computed->t[9], computed->t[0] + 9 * computed->spacing);
}

TEST(OutputsCell, SeveralStepsGiveASlope) {
  const test::TemporaryResults results;
  Cell study = beam();
  study.method = "lms(2,0)", study.h = {"1/1000", "1/2000"}, study.t_end = "1/50";
  study.more.erase("history_every");
  const CellResult result = kind_of(study).run(study);
  ASSERT_TRUE(result.ok()) << result.why;
  for (const auto& [name, value] : result.measures) EXPECT_TRUE(can_measure(study, name)) << name;
  ASSERT_EQ(result.series.at("error_F3").size(), 2u);
  EXPECT_NEAR(result.measures.at("slope_F3"),
              std::log2(result.series.at("error_F3")[0] / result.series.at("error_F3")[1]), 1e-9);
}

TEST(OutputsCell, AFailedRunSaysNothingOfTheWhole) {
  const test::TemporaryResults results;
  Cell stopped = beam();
  stopped.method = "lms(2,0)", stopped.h = {"1/100"}, stopped.t_end = "1/10";
  stopped.settings = {{"newton.max", "1"}, {"newton.rescue", "off"}};
  const CellResult result = kind_of(stopped).run(stopped);
  ASSERT_EQ(result.status, "newton_diverged");
  for (const char* whole : {"error_F3", "deviation_F3", "largest_F3", "way_F3", "swings_F3"})
    EXPECT_TRUE(std::isnan(result.measures.at(whole))) << whole;
  EXPECT_LT(result.t, 0.01);
  EXPECT_TRUE(std::isnan(result.measures.at("error_before_F3")));
}

TEST(OutputsCell, RippleIsWhatIsFasterThanTheWindow) {
  const test::TemporaryResults results;
  Cell cell = beam();
  cell.more["ripple"] = "6/1000";  // three points: 0, 3, 6 of 0, 3, …, 21 ms
  EXPECT_TRUE(std::isnan(kind_of(cell).run(cell).measures.at("ripple_F3")));  // two and the next
  cell.method = "lms(2,0)", cell.h = {"1/4000"}, cell.t_end = "1/50";
  const double wide = kind_of(cell).run(cell).measures.at("ripple_F3");
  cell.more["ripple"] = "1/1000";
  const CellResult of_narrow = kind_of(cell).run(cell);
  const double narrow = of_narrow.measures.at("ripple_F3"),
               lasts = of_narrow.measures.at("lasts_F3");
  EXPECT_GT(lasts, 0);
  EXPECT_LE(lasts, 0.02 + 1e-12);
  EXPECT_NEAR(lasts * 1000, std::round(lasts * 1000), 1e-6) << "whole windows";
  EXPECT_GT(narrow, 0);
  EXPECT_LT(narrow, wide);
}

TEST(OutputsCell, BadInput) {
  const auto refused = [](const char* key, const nlohmann::json& value) {
    Cell cell = beam();
    cell.more[key] = value;
    EXPECT_THROW(kind_of(cell).check(cell), BadInput) << key;
  };
  EXPECT_NO_THROW(kind_of(beam()).check(beam()));
  refused("outputs", {"no_such_output"});
  refused("from", "");
  refused("truth", {{"method", "lms(2,0)"}});
  Cell uneven = beam();
  uneven.t_end = "1/50";
  EXPECT_THROW(kind_of(uneven).check(uneven), BadInput);
}

}  // namespace
}  // namespace daemark
