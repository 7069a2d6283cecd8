#include "experiments/compare/compare_lines.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>

#include "analysis/setup/bound_run.hpp"
#include "base/program/write_file.hpp"
#include "experiments/cells/support/integration.hpp"
#include "experiments/compare/compare_text.hpp"
#include "experiments/compare/sweeps.hpp"
#include "problems/system/registry.hpp"

namespace daemark {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(Compare, WorkIsInterpolatedBetweenTheRunsThatBracketATarget) {
  // On a line of slope −1 in logarithms the middle of two decades lies at the root of ten.
  const auto between = reach({10, 100}, {1e-2, 1e-3}, std::pow(10.0, -2.5));
  ASSERT_TRUE(between);
  EXPECT_FALSE(between->at_most);
  EXPECT_NEAR(between->work, 10 * std::sqrt(10.0), 1e-9);
  const auto better = reach({10, 100}, {1e-6, 1e-7}, 1e-4);
  ASSERT_TRUE(better);
  EXPECT_TRUE(better->at_most) << "not measured: the coarsest run is better already";
  EXPECT_EQ(better->work, 10);
  EXPECT_FALSE(reach({10, 100}, {1e-2, 1e-3}, 1e-4)) << "never beyond the runs";
  EXPECT_FALSE(reach({10, 100}, {nan, nan}, 1e-4));
  const auto after_failure = reach({10, 100, 1000}, {nan, 1e-2, 1e-6}, 1e-4);
  ASSERT_TRUE(after_failure);
  EXPECT_FALSE(after_failure->at_most);
  const auto exact = reach({10, 100}, {1e-2, 0}, 1e-4, true);  // no line through the logarithm of 0
  ASSERT_TRUE(exact);
  EXPECT_TRUE(exact->at_most);
  EXPECT_EQ(exact->work, 100);
}

/// A field with given relative errors of q: the work of the k-th run is work·2^k.
struct Made {
  Made() {
    field.motion.problem = "oscillator", field.formulation = "index1", field.motion.t_end = "1";
    field.motion.h = {"1/10", "1/20", "1/40"};
    field.motion.way = field.motion.span = 1;
  }
  CompareField field;
  void add(const std::string& method, bool is_new, const std::vector<double>& errors, long work) {
    Cell cell;
    cell.kind = "work_precision", cell.problem = field.motion.problem;
    cell.formulation = field.formulation, cell.method = "erk4";
    cell.h = field.motion.h, cell.t_end = field.motion.t_end;
    CompareEntry entry{method, is_new, false, cell, CellResult{}, false};
    for (std::size_t k = 0; k < errors.size(); ++k) {
      entry.result->series["evaluations"].push_back(static_cast<double>(work << k));
      entry.result->series["error_q"].push_back(errors[k]);
    }
    field.entries.push_back(std::move(entry));
  }
  Compared compared(const std::string& accuracies) const {
    return {field, compare_lines(field, read_accuracies(accuracies))};
  }
};

TEST(Compare, RanksByTheWorkForWhatIsAsked) {
  Made made;
  made.add("trapezoidal", false, {9e-5, 2e-5, 5e-6}, 10);
  made.add("gauss(3)", true, {9e-8, 1e-9, 2e-11}, 30);
  const Compared at_4 = made.compared("1e-4,1e-6");
  ASSERT_EQ(at_4.lines.size(), 2u);
  EXPECT_EQ(at_4.lines[0].method, "trapezoidal") << "at 1e-4 it needs least";
  EXPECT_TRUE(at_4.lines[0].reached[0]->at_most);
  EXPECT_EQ(text_of(*at_4.lines[0].reached[0]), "≤ 10");
  EXPECT_EQ(at_4.lines[1].rank[0], 2);
  EXPECT_EQ(at_4.lines[0].rank[1], 0) << "it does not reach 1e-6";
  EXPECT_EQ(at_4.by_rank(1).front()->method, "gauss(3)");
  const Compared at_6 = made.compared("1e-6");
  EXPECT_EQ(at_6.lines[0].method, "gauss(3)") << "what reaches it stands in front";
  const std::string screen = screen_lines({at_4}, 0, read_accuracies("1e-4,1e-6"));
  EXPECT_THAT(screen, testing::HasSubstr(
                          "index1  q to 1e-4  rank 2 of 2 (≤ 30)  cheapest: trapezoidal ≤ 10, "
                          "gauss(3) ≤ 30\n"));
  EXPECT_THAT(screen, testing::HasSubstr("q to 1e-6  rank 1 of 1 (≤ 30)"));
}

TEST(Compare, RunsStoppedByTheTimeLimitHaveNoCounts) {
  Made made;
  for (const char* method : {"trapezoidal", "erk4"}) {
    made.add(method, false, {nan, nan, nan}, 10);
    CellResult& result = *made.field.entries.back().result;
    result.series["factorizations"] = {10, 20, 40};
    result.status = method == std::string("erk4") ? "step_limit" : "timed_out";
  }
  for (const CompareLine& line : made.compared("1e-3").lines) {
    const bool stopped = line.method == "trapezoidal";
    EXPECT_EQ(line.status, stopped ? "timed_out" : "step_limit");
    EXPECT_EQ(std::isnan(line.residuals), stopped);
    EXPECT_EQ(std::isnan(line.factorizations), stopped);
  }
}

TEST(Compare, EarlierSourcesAreMarkedAndRefusedMethodsLeftOut) {
  Made made;
  made.add("erk4", true, {1e-3, 1e-4, 1e-5}, 10);
  made.add("heun_2", false, {1e-2, 1e-3, 1e-4}, 10);
  made.field.entries.back().earlier = true;
  made.add("bathe", false, {}, 10);
  made.field.entries.back().result->status = "refused";
  const Compared compared = made.compared("1e-3");
  ASSERT_EQ(compared.lines.size(), 2u);
  EXPECT_EQ(compared.lines[1].name(), "heun_2 †");
  EXPECT_THAT(compare_explanation({compared}), testing::HasSubstr("†: "));
  made.field.entries[1].earlier = false;
  EXPECT_THAT(compare_explanation({made.compared("1e-3")}), testing::Not(testing::HasSubstr("†")));
}

TEST(Compare, ProfilesAreSharesOfPairsWithinAFactor) {
  Made made;
  made.add("trapezoidal", false, {9e-3, 9e-5, 9e-7}, 10);
  made.add("gauss(3)", true, {9e-3, 9e-5, 9e-7}, 30);
  const auto profiles = profiles_of({made.compared("1e-2,1e-4,1e-6")});
  ASSERT_EQ(profiles.size(), 1u);
  EXPECT_EQ(profiles[0].instances, 3) << "1e-2, 1e-4, 1e-6";
  ASSERT_EQ(profiles[0].curves[0].method, "trapezoidal") << "the larger area first";
  EXPECT_EQ(profiles[0].curves[0].share(1, 3), 1);
  EXPECT_EQ(profiles[0].curves[1].share(2, 3), 0);
  EXPECT_EQ(profiles[0].curves[1].share(3, 3), 1) << "three times the work everywhere";
  EXPECT_EQ(profiles[0].curves[1].ranks, (std::vector<int>{2, 2, 2}));
}

TEST(Compare, AccuraciesAreOfPositionsVelocitiesOrMultipliers) {
  const auto read = read_accuracies("1e-4,v:1e-3,lambda:1/100");
  ASSERT_EQ(read.size(), 3u);
  EXPECT_EQ(read[0].name(), "q to 1e-4");
  EXPECT_EQ(read[1].part, 1);
  EXPECT_EQ(read[2].name(), "λ to 1/100");
  EXPECT_EQ(read[2].value, 0.01);
  for (const char* wrong : {"", "0", "1", "2", "w:1e-3", "1e-3,1e-3", "1e-3,", "nan"})
    EXPECT_THROW(read_accuracies(wrong), BadInput) << wrong;
}

TEST(Compare, MethodsAreToldThatCoordinatesAreOnAChart) {
  CompareMotion motion;
  motion.problem = problem_registry().make("heavy_top").name;
  motion.t_end = "1", motion.h = {"1/10", "1/20"};
  int fields = 0;
  for (const CompareField& field : fields_of(motion, {"gauss(2)"}, {})) {
    ++fields;
    for (const CompareEntry& entry : field.entries) {
      if (entry.controlled) continue;
      Cell run = entry.cell;
      run.h = {"1/10"};
      EXPECT_NO_THROW(BoundRun(run_request(run_of(run, {})))) << entry.method;
    }
  }
  EXPECT_GT(fields, 0);
}

/// Results in a folder of its own.
struct Folder {
  Folder() { std::filesystem::remove_all(path); }
  ~Folder() { std::filesystem::remove_all(path); }
  std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "daemark_compare_sweeps";
};

TEST(Compare, StoredSweepsAreReadBack) {
  const Folder folder;
  Made made;
  made.field.motion = motion_of(problem_registry().make("oscillator"), {}, "");
  made.add("erk4", false, {1.23456e-3, nan, 1.5e-7}, 10);
  for (const char* column :
       {"jacobians", "factorizations", "pairs", "steps", "error_v", "error_lambda", "energy_error",
        "position_violation", "velocity_violation"})
    made.field.entries[0].result->series[column] = {1, 2, nan};
  made.field.entries[0].result->sources = "0123456789abcdef";
  store_sweeps(folder.path, "oscillator", {made.field});
  const auto stored = read_sweeps(folder.path, "oscillator");
  ASSERT_TRUE(stored);
  EXPECT_EQ(stored->motion.h, made.field.motion.h);
  EXPECT_EQ(stored->motion.way, made.field.motion.way);
  const CellResult& read = stored->sweeps.at({"index1", "erk4"});
  EXPECT_EQ(read.sources, "0123456789abcdef");
  EXPECT_EQ(read.series.at("evaluations"), (std::vector<double>{10, 20, 40}));
  EXPECT_EQ(read.series.at("error_q")[0], 1.235e-3) << "four digits";
  EXPECT_TRUE(std::isnan(read.series.at("error_q")[1]));
  EXPECT_EQ(read.series.at("error_q")[2], 1.5e-7);
  EXPECT_FALSE(read_sweeps(folder.path, "pendulum")) << "there is none";
  EXPECT_FALSE(read_sweeps(folder.path, "oscillator(omega=2)")) << "another model";
  // Damaged, or of another model: as if it were not there.
  const std::filesystem::path file = folder.path / "atlas" / "oscillator.jsonl";
  const std::string whole = *read_text(file);
  write_if_changed(file, whole.substr(0, whole.size() / 2));
  EXPECT_FALSE(read_sweeps(folder.path, "oscillator"));
  nlohmann::json head = nlohmann::json::parse(whole.substr(0, whole.find('\n')));
  head["model"][0] = head["model"][0].get<double>() + 1;
  write_if_changed(file, head.dump() + whole.substr(whole.find('\n')));
  EXPECT_FALSE(read_sweeps(folder.path, "oscillator"));
}

}  // namespace
}  // namespace daemark
