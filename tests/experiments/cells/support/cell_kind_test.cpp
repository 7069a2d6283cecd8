// The kinds of cells: what they use, cost and say of themselves, on the catalogue.
#include "experiments/cells/support/cell_kind.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/program/paths.hpp"
#include "base/program/source_graph.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/cells/support/cache.hpp"
#include "experiments/cells/support/cell_sources.hpp"
#include "experiments/engine/run/runner.hpp"
#include "experiments/engine/run/services.hpp"

namespace daemark {
namespace {

using nlohmann::json;

Cell run_cell(const std::string& problem, const std::string& method) {
  Cell cell;
  cell.problem = problem;
  cell.formulation = "index3";
  cell.method = method;
  cell.h = {"1/100"};
  cell.t_end = "1/10";
  return cell;
}

Cell orders_cell() {
  Cell cell = run_cell("two_link", "gauss(2)");
  cell.kind = "orders";
  cell.h = {"1/10", "1/20", "1/40"};
  cell.more = {{"formulations", {"index1", "index3"}}, {"t_ends", {"1/2", "1"}}};
  return cell;
}

Cell of_kind(const std::string& kind, const std::string& method) {
  Cell cell;
  cell.kind = kind;
  cell.method = method;
  return cell;
}

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
  EXPECT_TRUE(uses(cell, "problems/two_link.cpp"));
  EXPECT_TRUE(uses(cell, "problems/planar/planar_mechanism.hpp"));
  EXPECT_TRUE(uses(cell, "methods/lms.cpp"));
  EXPECT_TRUE(uses(cell, "methods/multistep/multistep_stepper.cpp"));
  EXPECT_TRUE(uses(cell, "methods/stages/stage_newton.cpp"));
  EXPECT_TRUE(uses(cell, "base/linear/sparse_lu.cpp"));
  EXPECT_TRUE(uses(cell, "analysis/run/run.cpp"));
  EXPECT_TRUE(uses(cell, "experiments/cells/kinds/integration_cell.cpp"));
  for (const SourceFile& file : source_files()) {
    const bool other = file.registers && file.path != "problems/two_link.cpp" &&
                       file.path != "methods/lms.cpp" &&
                       file.path != "experiments/cells/kinds/integration_cell.cpp";
    if (other) {
      EXPECT_FALSE(uses(cell, file.path)) << file.path;
    }
  }
  const Cell other = run_cell("pendulum", "pade_block(2,1)");
  EXPECT_TRUE(uses(other, "problems/pendulum.cpp"));
  EXPECT_FALSE(uses(other, "problems/planar/planar_mechanism.hpp"));
  EXPECT_FALSE(uses(other, "methods/multistep/multistep_stepper.cpp"));
}

TEST(CellSources, OfWhatTheCellAsksFor) {
  Cell cell = run_cell("two_link", "gauss(2)");
  EXPECT_FALSE(uses(cell, "analysis/reference/taylor_reference.cpp"));
  EXPECT_FALSE(uses(cell, "analysis/run/slope.cpp"));
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

TEST(CellKinds, EveryKindSaysWhatItIs) {
  const std::vector<std::string> first = {"exact", "integration", "linear", "orders"};
  const std::vector<std::string> ids = cell_kinds().ids();
  EXPECT_TRUE(std::includes(ids.begin(), ids.end(), first.begin(), first.end()));
  for (const std::string& id : cell_kinds().ids()) {
    const CellKind& kind = cell_kinds().at(id);
    EXPECT_FALSE(source_graph().digest_of(kind.file).empty()) << id;
    EXPECT_TRUE(kind.check && kind.identity && kind.command && kind.cost && kind.uses && kind.run);
    EXPECT_THROW(kind.check(of_kind(id, "")), BadInput) << id;  // no method
  }
  EXPECT_THROW(cell_kinds().at("guess"), BadInput);
  CellKinds twice;
  CellKind kind;
  kind.id = "a";
  kind.keys = {{"x", CellKey::Type::flag}};
  twice.add(kind);
  EXPECT_THROW(twice.add(kind), std::logic_error);
  kind.id = "b";
  kind.keys = {{"x", CellKey::Type::text}};
  EXPECT_THROW(twice.add(kind), std::logic_error) << "a key of two types";
}

TEST(CellKinds, IdentityAndCommand) {
  const nlohmann::json identity = {{"formulations", {"index1", "index3"}},
                                   {"h", {"1/10", "1/20", "1/40"}},
                                   {"kind", "orders"},
                                   {"method", "gauss(2)"},
                                   {"precision", "double"},
                                   {"problem", "two_link"},
                                   {"settings", nlohmann::json::object()},
                                   {"t_ends", {"1/2", "1"}}};
  EXPECT_EQ(canonical(orders_cell()), identity.dump());
  EXPECT_EQ(command(orders_cell()),
            "daemark converge 'gauss(2)' --problem two_link --formulation index1,index3 --h "
            "1/10,1/20,1/40 --t-end 1/2,1 --precision auto");
  EXPECT_EQ(command(of_kind("linear", "bdf(2)")), "daemark analyse 'bdf(2)'");
  Cell erratum = of_kind("exact", "gauss(2)");
  EXPECT_EQ(command(erratum), "daemark verify 'gauss(2)'");
  erratum.more["erratum"] = "zhang2022/eq. 1";
  EXPECT_EQ(command(erratum), "daemark verify zhang2022");
}

TEST(CellKinds, ACostGrowsWithStepsStagesAndPrecision) {
  Cell cell = run_cell("two_link", "gauss(2)");
  const double plain = cost_guess(cell);
  EXPECT_GT(plain, 0);
  cell.h = {"1/200"};
  EXPECT_DOUBLE_EQ(cost_guess(cell), 2 * plain);
  cell.h = {"1/100"};
  cell.method = "gauss(4)";
  EXPECT_DOUBLE_EQ(cost_guess(cell), 2 * plain);
  cell.precision = "quad";
  EXPECT_GT(cost_guess(cell), 10 * plain);
  cell.precision = "double";
  cell.method = "nothing";
  EXPECT_EQ(cost_guess(cell), 0) << "refused where it is run";
  // 10 steps of gauss(2) there; here 10 + 20 + 40 a second, 3/2 s, 2 formulations.
  EXPECT_DOUBLE_EQ(cost_guess(orders_cell()), 70 * 1.5 * 2 / 10 * plain);
  Cell larger = run_cell("andrews_squeezer(start=iftomm)", "gauss(2)");
  EXPECT_GT(cost_guess(larger), plain);
  for (const char* kind : {"linear", "exact"}) EXPECT_GT(cost_guess(of_kind(kind, "bdf(2)")), 0);
}

TEST(CellKinds, RefusalsAreResultsAndUnknownNamesBadInput) {
  const Services services = catalogue_services();
  const CellResult refused = services.run_cell(run_cell("two_link", "erk4"));  // explicit, index 3
  EXPECT_EQ(refused.status, "refused");
  EXPECT_NE(refused.why.find("erk4"), std::string::npos);
  EXPECT_THROW(services.run_cell(run_cell("two_link", "nothing")), BadInput);
  EXPECT_THROW(services.run_cell(run_cell("nowhere", "gauss(2)")), BadInput);
  Cell unknown = run_cell("two_link", "gauss(2)");
  unknown.settings = {{"no.such", "1"}};
  EXPECT_THROW(services.run_cell(unknown), BadInput);
}

// The pair itself: tests/experiments/cells/support/constraint_block_test.cpp.
TEST(CellKinds, BlockMethodsCarryTheirConstraintPairOnIndex3) {
  const Services services = catalogue_services();
  Cell cell = run_cell("two_link", "pade_block(r=2,k=1)");
  const CellResult three = services.run_cell(cell);
  ASSERT_TRUE(three.ok()) << three.why;
  EXPECT_EQ(three.measures.at("constraint_rho"), 0) << "k < j: R(inf) = 0";
  EXPECT_EQ(three.counts.at("sub_steps"), 2 * three.counts.at("steps"));
  cell.formulation = "index1";
  EXPECT_FALSE(services.run_cell(cell).measures.contains("constraint_rho"));
}

}  // namespace
}  // namespace daemark
