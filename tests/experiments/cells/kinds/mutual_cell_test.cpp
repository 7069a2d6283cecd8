// Cells that set methods against each other.
#include <gtest/gtest.h>

#include <cmath>

#include "analysis/setup/bound_run.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/cells/support/cell_kind.hpp"
#include "experiments/cells/support/integration.hpp"
#include "experiments/cells/support/measure_names.hpp"
#include "experiments/cells/support/reference_curve.hpp"
#include "tests/support/temporary_results.hpp"

namespace daemark {
namespace {

using nlohmann::json;

/// The beam with one element until 0.02 s by several methods.
Cell beam(const json& runs) {
  Cell cell;
  cell.kind = "mutual";
  cell.problem = "beam_buckling(elements=1)", cell.formulation = "index3", cell.t_end = "1/50";
  cell.settings = {{"newton.tol", "1e-7"}};
  cell.more = {{"outputs", {"F3"}}, {"from", "0"}, {"split", "1/100"}, {"runs", runs}};
  return cell;
}

const json fine = {{"method", "lms(2,0)"}, {"h", "1/2000"}},
           coarse = {{"method", "msstc(3,0)"}, {"h", "3/1000"}, {"t_end", "21/1000"}};

std::vector<double> shear(const json& in) {
  RunRequest request;
  request.problem = "beam_buckling(elements=1)", request.formulation = "index3";
  request.method = in.at("method");
  request.h = Expression::parse(in.at("h").get<std::string>(), "h");
  request.t_end = Expression::parse(in.value("t_end", "1/50"), "t_end");
  request.settings = {{"newton.tol", "1e-7"}};
  return run_outputs(BoundRun(request), 0, 1).first.values.at("F3");
}

// Of 0, 3, …, 21 ms and 0, 0.5, …, 20 ms the first seven are common.
TEST(MutualCell, ComparesAtTheTimesThatBothHave) {
  const test::TemporaryResults results;
  const Cell cell = beam({{"fine", fine}, {"coarse", coarse}});
  const CellResult found = kind_of(cell).run(cell);
  ASSERT_TRUE(found.ok()) << found.why;
  for (const auto& [name, value] : found.measures) EXPECT_TRUE(can_measure(cell, name)) << name;
  const std::vector<double> x = shear(fine), y = shear(coarse);
  double off = 0, size = 0, most = 0, height = 0;
  for (int i = 0; i < 7; ++i) {
    off += std::pow(x[6 * i] - y[i], 2), size += (x[6 * i] * x[6 * i] + y[i] * y[i]) / 2;
    most = std::max(most, std::abs(x[6 * i] - y[i]));
  }
  for (const auto& values : {x, y})
    for (const double value : values) height = std::max(height, std::abs(value));
  EXPECT_DOUBLE_EQ(found.measures.at("mutual_F3"), std::sqrt(off / size));
  EXPECT_DOUBLE_EQ(found.measures.at("between_F3"), most / height);
  EXPECT_LE(found.measures.at("between_before_F3"), found.measures.at("between_F3"));
  EXPECT_EQ(found.measures.at("typical_F3"), found.measures.at("between_F3")) << "one pair";
  EXPECT_EQ(found.measures.at("compared"), 2);
}

TEST(MutualCell, IsTheFarthestPair) {
  const test::TemporaryResults results;
  const Cell same = beam({{"a", fine}, {"b", fine}});
  EXPECT_EQ(kind_of(same).run(same).measures.at("mutual_F3"), 0);
  const Cell two = beam({{"a", fine}, {"b", coarse}}),
             three = beam({{"a", fine}, {"b", coarse}, {"c", fine}});
  EXPECT_EQ(kind_of(two).run(two).measures.at("mutual_F3"),
            kind_of(three).run(three).measures.at("mutual_F3"));
}

TEST(MutualCell, LeavesOutWhatDoesNotReachTheEnd) {
  const test::TemporaryResults results;
  const json stopped = {{"method", "lms(2,0)"},
                        {"h", "1/100"},
                        {"settings", {{"newton.max", "1"}, {"newton.rescue", "off"}}}};
  const Cell cell = beam({{"a", fine}, {"b", coarse}, {"c", stopped}});
  EXPECT_EQ(kind_of(cell).run(cell).measures.at("compared"), 2);
}

TEST(MutualCell, BadInput) {
  const auto refused = [](const json& runs) {
    const Cell cell = beam(runs);
    EXPECT_THROW(kind_of(cell).check(cell), BadInput) << runs;
  };
  refused({{"alone", fine}});
  refused({{"a", fine}, {"b", {{"method", "lms(2,0)"}}}});
  refused({{"a", fine}, {"b", {{"method", "lms(2,0)"}, {"h", "1/100"}, {"tol", "1"}}}});
}

}  // namespace
}  // namespace daemark
