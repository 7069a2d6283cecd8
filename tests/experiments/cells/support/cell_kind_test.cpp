// The kinds of cells: what they declare, cost and measure, on the catalogue and its records.
#include "experiments/cells/support/cell_kind.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "analysis/roots/eigenvalues.hpp"
#include "base/program/digest.hpp"
#include "base/program/paths.hpp"
#include "base/program/process.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/cells/support/cell_store.hpp"
#include "experiments/cells/support/measure_names.hpp"
#include "experiments/engine/run/runner.hpp"
#include "experiments/engine/run/study.hpp"
#include "experiments/engine/write/book.hpp"
#include "tests/experiments/cells/support/some_cells.hpp"

namespace daemark {
namespace {

using test::of_kind;
using test::orders_cell;
using test::run_cell;

/// Every committed cell, with what its record holds.
void visit_records(const std::function<void(const FixedCell&, const CellResult&)>& visit) {
  const auto experiments = source_root() / "experiments", results = source_root() / "results";
  for (const std::string& id : paper_ids(experiments)) {
    Book book = read_book(experiments, id);  // which checks the names of its own formulas
    // A record that no cell has, or a cell without one, would be an identity that changed.
    for (const auto& [item, lines] : read_known(book, results, {}))
      for (const std::string& line : lines) ADD_FAILURE() << line;
    for (const ItemSpec& item : book.items)
      for (const FixedCell& cell : cells_of(item))
        if (const CellResult* result = book.judge().result(cell)) visit(cell, *result);
  }
}

TEST(CellKinds, CommittedRecordsHaveTheIdentityAndMeasuresOfTheirCells) {
  int seen = 0;
  std::map<std::string, FixedCell> cheapest;
  visit_records([&](const FixedCell& cell, const CellResult& result) {
    for (const auto& [name, value] : result.measures)
      EXPECT_TRUE(can_measure(cell, name)) << canonical(cell) << ": " << name;
    for (const auto& [name, count] : result.counts)
      EXPECT_TRUE(can_measure(cell, name)) << canonical(cell) << ": " << name;
    ++seen;
    if (!result.ok()) return;
    FixedCell& known = cheapest.try_emplace(cell->kind, cell).first->second;
    if (cost_guess(cell) < cost_guess(known)) known = cell;
  });
  EXPECT_GT(seen, 1000);
  // A key that is read and not declared, a measure that is given and not declared: logic_error.
  for (const std::string& id : cell_kinds().ids()) {
    if (id == "acceptance") continue;  // of `daemark accept`, of which no records are kept
    ASSERT_TRUE(cheapest.contains(id)) << id;
    const FixedCell& cell = cheapest.at(id);
    const CellKind& kind = kind_of(cell);
    EXPECT_NO_THROW(kind.check(cell)) << id;
    EXPECT_NO_THROW(kind.uses(cell)) << id;
    EXPECT_NO_THROW(kind.commands(cell)) << id;
    EXPECT_NO_THROW(kind.has_series(cell)) << id;
    EXPECT_NO_THROW(kind.reference_times(cell)) << id;
    const CellResult run = kind.run(cell);
    if (run.status != "not_available") {  // its library is there
      EXPECT_TRUE(run.ok()) << id << ": " << canonical(cell) << ": " << run.status;
    }
  }
}

TEST(CellKinds, WhatIsNotDeclaredIsAnErrorOfTheProgram) {
  EXPECT_THROW(of_kind("linear", "bdf(2)").texts("tols"), std::logic_error);
  CellKind kind;
  kind.id = "words";
  kind.keys = {required({"words", CellKey::Type::texts}, CellKey::Count::several)};
  kind.measures = {{"words_{1,2}_of_*", "", nullptr,
                    [](const Cell&) {
                      return std::vector<std::string>{"a", "b"};
                    }},
                   {"data_#", "m"}};
  kind.compute = [](const Cell& cell) {
    CellResult result;
    result.measures[cell.method] = 1;
    return result;
  };
  Cell cell;
  for (const char* known : {"words_1_of_a", "words_2_of_b", "data_12", "ok"}) {
    cell.method = known;
    EXPECT_NO_THROW(kind.run(cell)) << known;
  }
  for (const char* unknown : {"words_3_of_a", "words_1_of_c", "words_1_of_", "data_", "data_1x"}) {
    cell.method = unknown;
    EXPECT_THROW(kind.run(cell), std::logic_error) << unknown;
  }
}

TEST(CellKinds, ARefusalIsAResultOnlyOfNamesThatExist) {
  CellKind kind;
  kind.id = "words";
  kind.compute = [](const Cell& cell) -> CellResult {
    if (cell.t_end == "series") throw UnknownName("no such series");
    throw BadInput("not together");
  };
  Cell cell = run_cell("pendulum", "gauss(2)");
  EXPECT_THROW(kind.run(cell), BadInput);
  kind.refusable = true;
  EXPECT_EQ(kind.run(cell).status, "refused");
  EXPECT_EQ(kind.run(cell).why, "not together");
  for (const auto& [member, wrong] :
       {std::pair(&Cell::t_end, "series"), std::pair(&Cell::method, "nothing"),
        std::pair(&Cell::problem, "nowhere"), std::pair(&Cell::formulation, "index7")}) {
    Cell unknown = cell;
    unknown.*member = wrong;
    EXPECT_THROW(kind.run(unknown), BadInput) << wrong;
  }
}

TEST(CellKinds, AFailureOfItsOwnAndOneOfTheMachineAreResultsApart) {
  CellKind kind;
  kind.compute = [](const Cell&) -> CellResult { throw NumericalFailure("no convergence"); };
  const Cell cell = run_cell("pendulum", "gauss(2)");
  EXPECT_EQ(kind.run(cell).status, "failed");
  EXPECT_TRUE(kind.run(cell).is_outcome());
  kind.compute = [](const Cell&) -> CellResult {
    require_memory(1e30, "a history", "fewer rows");
    return {};
  };
  EXPECT_EQ(kind.run(cell).status, "out_of_memory");
  EXPECT_FALSE(kind.run(cell).is_outcome());
  CellResult study;
  EXPECT_TRUE(study.take_status("newton_diverged"));
  EXPECT_FALSE(study.take_status("not_finite")) << "the first";
  EXPECT_TRUE(study.take_status("not_available")) << "nothing is known of the whole";
  EXPECT_FALSE(study.take_status("ok"));
  EXPECT_EQ(study.status, "not_available");
}

TEST(CellKinds, EveryKindSaysWhatItIs) {
  const std::vector<std::string> first = {"exact", "integration", "linear", "orders"};
  const std::vector<std::string> ids = cell_kinds().ids();
  EXPECT_TRUE(std::includes(ids.begin(), ids.end(), first.begin(), first.end()));
  for (const std::string& id : cell_kinds().ids()) {
    const CellKind& kind = cell_kinds().at(id);
    EXPECT_FALSE(source_graph().digest_of(kind.file).empty()) << id;
    EXPECT_THROW(kind.check(of_kind(id, "")), BadInput) << id;  // no method
  }
  EXPECT_THROW(cell_kinds().at("guess"), BadInput);
  CellKinds twice;
  CellKind kind;
  kind.id = "a";
  kind.keys = {{"x", CellKey::Type::flag}};
  EXPECT_THROW(twice.add(kind), std::logic_error) << "no function";
  kind.compute = [](const Cell&) { return CellResult{}; };
  kind.commands = [](const Cell&) { return Commands{}; };
  kind.cost = [](const Cell&) { return 1.0; };
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
  Cell unknown = run_cell("two_link", "gauss(2)");
  unknown.settings = {{"no.such", "1"}};
  EXPECT_THROW(services.run_cell(unknown), BadInput);
}

// The pair itself: tests/experiments/cells/kinds/parts_test.cpp.
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

void expect_measures(const Cell& cell, const std::vector<const char*>& known,
                     const std::vector<const char*>& unknown) {
  for (const char* name : known) EXPECT_TRUE(can_measure(cell, name)) << cell.kind << name;
  for (const char* name : unknown) EXPECT_FALSE(can_measure(cell, name)) << cell.kind << name;
}

TEST(Measures, OfARunFollowWhatItKeeps) {
  Cell cell = run_cell("two_link", "gauss(2)", "index1");
  expect_measures(cell, {"energy_error_max", "newton_iterations", "status_newton_diverged"},
                  {"energy_error_maximum", "error_q", "energy_error_quarter1", "deviation_max",
                   "constraint_rho"});
  cell.more = {{"errors", true}, {"history_every", 1}};
  cell.formulation = "index3";
  expect_measures(cell, {"error_q", "error_q_2", "energy_error_quarter4", "constraint_rho"},
                  {"error_q_x", "energy_error_quarter5"});
  cell.more["against"] = {{"series", "theta1"}, {"method", "gauss(3)"}, {"h", "1/100"}};
  expect_measures(cell, {"deviation_max", "energy_error_mean3"}, {});
}

TEST(Measures, OfTheOtherKinds) {
  Cell study = run_cell("two_link", "gauss(2)");
  study.h = {"1/10", "1/20"};
  expect_measures(
      study, {"slope_theta1", "paper_order_q_min"},
      {"paper_order_q", "slope_nonsense", "paper_order_nonsense_min", "energy_error_max"});
  Cell linear = of_kind("linear", "");
  linear.more["x"] = {"lin(1/10,1,5)", "0.2"};
  expect_measures(linear, {"ad_0_2", "pe_0_1"}, {"ad_0_3", "region_left"});  // 0.1: always
  expect_measures(of_kind("exact", ""), {"a_stable"}, {"astable", "printed_holds"});
  study.kind = "orders";
  study.more["formulations"] = {"index2"};
  expect_measures(study, {"slope_q_index2", "local_v_index2_max"},
                  {"slope_q_index3", "nonsense_index2", "slope_x_index2"});
}

// Which sources a cell rests on.

using nlohmann::json;

void expect_uses(const Cell& cell, const std::vector<const char*>& used,
                 const std::vector<const char*>& unused) {
  const auto sources = sources_used(cell);
  for (const char* path : used) EXPECT_TRUE(sources.contains(path)) << path;
  for (const char* path : unused) EXPECT_FALSE(sources.contains(path)) << path;
}

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
  expect_uses(
      cell,
      {"problem two_link", "problems/files/planar_file.cpp", "problems/planar/planar_mechanism.hpp",
       "methods/lms.cpp", "methods/multistep/multistep_stepper.cpp",
       "methods/stages/stage_newton.cpp", "base/linear/sparse_lu.cpp", "analysis/run/run.cpp",
       "experiments/cells/kinds/integration_cell.cpp"},
      {"problems/files/spatial_file.cpp"});
  for (const SourceFile& file : source_files())
    if (file.registers && file.path != "methods/lms.cpp" &&
        file.path != "experiments/cells/kinds/integration_cell.cpp")
      expect_uses(cell, {}, {file.path.c_str()});
  expect_uses(run_cell("pendulum", "pade_block(2,1)"),
              {"problem pendulum", "problems/files/equations.cpp"},
              {"problem two_link", "problems/planar/planar_mechanism.hpp",
               "methods/multistep/multistep_stepper.cpp"});
}

TEST(CellSources, OfWhatTheCellAsksFor) {
  Cell cell = run_cell("two_link", "gauss(2)");
  for (const char* elsewhere : {"analysis/run/slope.cpp", "analysis/linear/mode_table.cpp",
                                "analysis/exact/theory/stability.cpp"})
    EXPECT_NE(source_graph().digest_of(elsewhere), "") << elsewhere << " is no source";
  expect_uses(cell, {},
              {"analysis/run/slope.cpp", "analysis/linear/mode_table.cpp",
               "analysis/exact/theory/stability.cpp", "analysis/reference/taylor_reference.cpp",
               "analysis/run/converge.cpp", "experiments/cells/support/deviation.cpp"});
  cell.more["errors"] = true;
  expect_uses(cell, {"analysis/reference/taylor_reference.cpp"}, {});
  cell.more = {{"history_every", 1},
               {"against", {{"series", "x"}, {"method", "bdf(2)"}, {"h", "1/200"}}}};
  expect_uses(cell, {"experiments/cells/support/deviation.cpp", "methods/bdf.cpp"}, {});
  cell.more = json::object();
  cell.h = {"1/10", "1/20"};
  expect_uses(cell, {"analysis/run/slope.cpp"}, {});
  expect_uses(of_kind("linear", "bdf(2)"), {}, {"analysis/run/run.cpp"});
  Cell erratum = of_kind("exact", "gauss(2)");
  erratum.more["erratum"] = "zhang2022/somewhere";
  expect_uses(erratum, {"experiments/zhang2022/errata.json"}, {});
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
