// The names a kind of cell can give, and every name in the committed experiments.
#include "experiments/spec/names.hpp"

#include <gtest/gtest.h>

#include "base/program/paths.hpp"
#include "experiments/cells/support/measure_names.hpp"
#include "experiments/engine/reproduce.hpp"
#include "experiments/engine/write/book.hpp"

namespace daemark {
namespace {

Cell integration() {
  Cell cell;
  cell.problem = "two_link";
  cell.formulation = "index1";
  cell.method = "gauss(2)";
  cell.h = {"1/10"};
  cell.t_end = "1";
  return cell;
}

TEST(Names, OfARunFollowWhatItKeeps) {
  Cell cell = integration();
  EXPECT_TRUE(can_measure(cell, "energy_error_max"));
  EXPECT_TRUE(can_measure(cell, "newton_iterations"));
  EXPECT_TRUE(can_measure(cell, "status_newton_diverged"));
  EXPECT_FALSE(can_measure(cell, "energy_error_maximum"));
  EXPECT_FALSE(can_measure(cell, "error_q"));
  EXPECT_FALSE(can_measure(cell, "energy_error_quarter1"));
  EXPECT_FALSE(can_measure(cell, "deviation_max"));
  EXPECT_FALSE(can_measure(cell, "constraint_rho"));
  cell.more = {{"errors", true}, {"history_every", 1}};
  cell.formulation = "index3";
  EXPECT_TRUE(can_measure(cell, "error_q"));
  EXPECT_TRUE(can_measure(cell, "error_q_2"));
  EXPECT_FALSE(can_measure(cell, "error_q_x"));
  EXPECT_TRUE(can_measure(cell, "energy_error_quarter4"));
  EXPECT_FALSE(can_measure(cell, "energy_error_quarter5"));
  EXPECT_TRUE(can_measure(cell, "constraint_rho"));
  cell.more["against"] = {{"series", "theta1"}, {"method", "gauss(3)"}, {"h", "1/100"}};
  EXPECT_TRUE(can_measure(cell, "deviation_max"));
  EXPECT_TRUE(can_measure(cell, "energy_error_mean3"));
}

TEST(Names, OfTheOtherKinds) {
  Cell study = integration();
  study.h = {"1/10", "1/20"};
  EXPECT_TRUE(can_measure(study, "slope_theta1"));
  EXPECT_TRUE(can_measure(study, "paper_order_q_min"));
  EXPECT_FALSE(can_measure(study, "paper_order_q"));
  EXPECT_FALSE(can_measure(study, "slope_nonsense"));
  EXPECT_FALSE(can_measure(study, "paper_order_nonsense_min"));
  EXPECT_FALSE(can_measure(study, "energy_error_max"));
  Cell linear;
  linear.kind = "linear";
  linear.more["x"] = {"lin(1/10,1,5)", "0.2"};
  EXPECT_TRUE(can_measure(linear, "ad_0_2"));
  EXPECT_TRUE(can_measure(linear, "pe_0_1")) << "two points every analysis has";
  EXPECT_FALSE(can_measure(linear, "ad_0_3"));
  EXPECT_FALSE(can_measure(linear, "region_left"));
  Cell exact;
  exact.kind = "exact";
  EXPECT_TRUE(can_measure(exact, "a_stable"));
  EXPECT_FALSE(can_measure(exact, "astable"));
  EXPECT_FALSE(can_measure(exact, "printed_holds"));
  Cell orders = study;
  orders.kind = "orders";
  orders.more["formulations"] = {"index2"};
  EXPECT_TRUE(can_measure(orders, "slope_q_index2"));
  EXPECT_FALSE(can_measure(orders, "slope_q_index3"));
  EXPECT_TRUE(can_measure(orders, "local_v_index2_max"));
  EXPECT_FALSE(can_measure(orders, "nonsense_index2"));
  EXPECT_FALSE(can_measure(orders, "slope_x_index2"));
}

/// Whatever a committed record holds can be named: a new measure that this list does not know
/// would be refused in experiments.
TEST(Names, CoverEveryMeasureOfTheCommittedRecords) {
  const auto experiments = source_root() / "experiments", results = source_root() / "results";
  int seen = 0;
  for (const std::string& id : paper_ids(experiments)) {
    Book book = read_book(experiments, id);  // which checks the names of its own formulas
    read_known(book, results, {});
    for (const ItemSpec& item : book.items) {
      for (const Cell& cell : cells_of(item)) {
        const auto found = book.results.find(canonical(cell));
        if (found == book.results.end()) continue;
        for (const auto& [name, value] : found->second.measures) {
          EXPECT_TRUE(can_measure(cell, name)) << item.id << ": " << name;
          ++seen;
        }
        for (const auto& [name, count] : found->second.counts)
          EXPECT_TRUE(can_measure(cell, name)) << item.id << ": " << name;
      }
    }
  }
  EXPECT_GT(seen, 1000);
}

}  // namespace
}  // namespace daemark
