// Which sources a cell rests on.
#include <gtest/gtest.h>

#include "base/program/digest.hpp"
#include "base/program/paths.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/cells/support/cell_kind.hpp"
#include "experiments/cells/support/cell_store.hpp"
#include "experiments/engine/run/study.hpp"
#include "tests/experiments/cells/support/some_cells.hpp"

namespace daemark {
namespace {

using nlohmann::json;
using test::of_kind;
using test::orders_cell;
using test::run_cell;

bool uses(const Cell& cell, const std::string& path) { return sources_used(cell).contains(path); }

// The promise of issue 8: an edit in what only shows recomputes nothing, one in a problem or a
// method the cells of that problem or method.
TEST(CellSources, WhatOnlyShowsIsNotUsed) {
  std::vector<Cell> cells = {run_cell("two_link", "gauss(2)"), run_cell("pendulum", "erk4"),
                             orders_cell(), of_kind("linear", "bdf(2)"),
                             of_kind("exact", "radau_iia(2)")};
  cells[0].more = {{"errors", true}, {"history_every", 1}};
  for (const Cell& cell : cells) {
    for (const auto& [path, sum] : sources_used(cell)) {
      for (const char* shows : {"analysis/report/", "experiments/cli/", "experiments/engine/",
                                "experiments/judge/", "experiments/spec/"})
        EXPECT_FALSE(path.starts_with(shows)) << cell.kind << " uses " << path;
    }
  }
}

TEST(CellSources, OfItsOwnProblemAndMethodOnly) {
  const Cell cell = run_cell("two_link", "lms(2,3/5)");
  EXPECT_TRUE(uses(cell, "problem two_link"));
  EXPECT_TRUE(uses(cell, "problems/files/planar_file.cpp"));
  EXPECT_FALSE(uses(cell, "problems/files/spatial_file.cpp"));
  EXPECT_TRUE(uses(cell, "problems/planar/planar_mechanism.hpp"));
  EXPECT_TRUE(uses(cell, "methods/lms.cpp"));
  EXPECT_TRUE(uses(cell, "methods/multistep/multistep_stepper.cpp"));
  EXPECT_TRUE(uses(cell, "methods/stages/stage_newton.cpp"));
  EXPECT_TRUE(uses(cell, "base/linear/sparse_lu.cpp"));
  EXPECT_TRUE(uses(cell, "analysis/run/run.cpp"));
  EXPECT_TRUE(uses(cell, "experiments/cells/kinds/integration_cell.cpp"));
  for (const SourceFile& file : source_files()) {
    const bool other = file.registers && file.path != "methods/lms.cpp" &&
                       file.path != "experiments/cells/kinds/integration_cell.cpp";
    if (other) {
      EXPECT_FALSE(uses(cell, file.path)) << file.path;
    }
  }
  const Cell other = run_cell("pendulum", "pade_block(2,1)");
  EXPECT_TRUE(uses(other, "problem pendulum"));
  EXPECT_TRUE(uses(other, "problems/files/equations.cpp"));
  EXPECT_FALSE(uses(other, "problem two_link"));
  EXPECT_FALSE(uses(other, "problems/planar/planar_mechanism.hpp"));
  EXPECT_FALSE(uses(other, "methods/multistep/multistep_stepper.cpp"));
}

TEST(CellSources, OfWhatTheCellAsksFor) {
  Cell cell = run_cell("two_link", "gauss(2)");
  for (const char* elsewhere : {"analysis/run/slope.cpp", "analysis/linear/mode_table.cpp",
                                "analysis/exact/theory/stability.cpp"}) {
    EXPECT_NE(source_graph().digest_of(elsewhere), "") << elsewhere << " is no source";
    EXPECT_FALSE(uses(cell, elsewhere)) << elsewhere;
  }
  EXPECT_FALSE(uses(cell, "analysis/reference/taylor_reference.cpp"));
  EXPECT_FALSE(uses(cell, "analysis/run/converge.cpp"));
  EXPECT_FALSE(uses(cell, "experiments/cells/support/deviation.cpp"));
  cell.more["errors"] = true;
  EXPECT_TRUE(uses(cell, "analysis/reference/taylor_reference.cpp"));
  cell.more = {{"history_every", 1},
               {"against", {{"series", "x"}, {"method", "bdf(2)"}, {"h", "1/200"}}}};
  EXPECT_TRUE(uses(cell, "experiments/cells/support/deviation.cpp"));
  EXPECT_TRUE(uses(cell, "methods/bdf.cpp"));
  cell.more = json::object();
  cell.h = {"1/10", "1/20"};
  EXPECT_TRUE(uses(cell, "analysis/run/slope.cpp"));
  EXPECT_FALSE(uses(of_kind("linear", "bdf(2)"), "analysis/run/run.cpp"));
  Cell erratum = of_kind("exact", "gauss(2)");
  erratum.more["erratum"] = "zhang2022/somewhere";
  EXPECT_TRUE(uses(erratum, "experiments/zhang2022/errata.json"));
}

TEST(CellSources, TableausCountByTheirContent) {
  const Cell cell = run_cell("two_link", "erk4");
  const auto used = sources_used(cell);
  ASSERT_TRUE(used.contains("tableau erk4"));
  const auto text = read_text(source_root() / "methods/tableaus/erk4.json");
  EXPECT_EQ(used.at("tableau erk4"), digest(*text));
  EXPECT_TRUE(used.contains("methods/runge_kutta/runge_kutta_stepper.cpp"));
  EXPECT_NE(sources_digest(cell), sources_digest(run_cell("two_link", "tr_bdf2")));
}

TEST(CellSources, TheKeyFollowsCellAndSources) {
  const Services services = catalogue_services();
  const Cell a = run_cell("two_link", "gauss(2)"), b = run_cell("two_link", "gauss(3)");
  EXPECT_EQ(services.sources(a), services.sources(b)) << "one family, one set of sources";
  EXPECT_NE(cell_key(a, services.sources), cell_key(b, services.sources));
  EXPECT_THROW(services.sources(run_cell("nowhere", "gauss(2)")), BadInput);
  EXPECT_THROW(services.sources(run_cell("two_link", "nothing")), BadInput);
}

TEST(CellSources, WhatAKindLeavesUnusedIsASource) {
  for (const std::string& id : cell_kinds().ids())
    for (const UnusedSource& source : cell_kinds().at(id).unused)
      EXPECT_NE(source_graph().digest_of(source.path), "") << id << ": " << source.path;
}

}  // namespace
}  // namespace daemark
