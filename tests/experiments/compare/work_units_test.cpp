#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/program/paths.hpp"
#include "base/program/write_file.hpp"
#include "base/text/read_double.hpp"
#include "experiments/compare/compare_lines.hpp"
#include "experiments/compare/comparison.hpp"

namespace daemark {
namespace {

nlohmann::json stored(const char* file) {
  const auto text = read_text(source_root() / "experiments" / "compare" / file);
  return text ? nlohmann::json::parse(*text) : nlohmann::json::object();
}
nlohmann::json stored_weights() { return stored("weights.json"); }

CompareEntry counted_entry(const std::string& method, std::vector<double> evaluations,
                           std::vector<double> pairs) {
  Cell cell;
  cell.kind = "work_precision", cell.problem = "pendulum", cell.method = "erk4";
  cell.formulation = "index1", cell.h = {"1/10", "1/20"}, cell.t_end = "1";
  CompareEntry entry{method, false, false, cell, CellResult{}, false};
  auto& series = entry.result->series;
  series["jacobians"].assign(evaluations.size(), 3);
  series["factorizations"].assign(evaluations.size(), 2);
  series["error_q"] = {1e-2, 1e-8};
  series["error_v"] = series["error_lambda"] = series["error_q"];
  series["evaluations"] = std::move(evaluations), series["pairs"] = std::move(pairs);
  return entry;
}

CompareField counted_field(const std::string& problem) {
  CompareField field;
  field.motion.problem = problem, field.formulation = "index1", field.motion.t_end = "1";
  field.motion.h = {"1/10", "1/20"};
  field.motion.way = field.motion.span = 1;
  return field;
}

// gauss(s=2) evaluates the residual, erk4 solves for rates: each with its own weight.
TEST(WorkUnits, TheSumHasTheMeasuredWeights) {
  CompareField field = counted_field("pendulum");
  for (const char* method : {"gauss(s=2)", "erk4"})
    field.entries.push_back(counted_entry(method, {10, 20}, {100, 200}));
  const nlohmann::json own = stored_weights().at("pendulum").at("index1");
  const auto weight = [&](const char* kind) { return double_of(own.at(kind).get<std::string>()); };
  for (const CompareEntry& entry : field.entries) {
    const double each = weight(entry.method == "erk4" ? "rates" : "residual");
    const std::vector<double> work = work_in(WorkUnit::weighted, field, entry);
    ASSERT_EQ(work.size(), 2u);
    EXPECT_NEAR(
        work[0],
        10 * each + 3 * weight("jacobian") + 2 * weight("factorization") + 100 * weight("pair"),
        1e-12 * work[0]);
    EXPECT_EQ(work_in(WorkUnit::evaluations, field, entry), (std::vector<double>{10, 20}));
  }
}

TEST(WorkUnits, LinearAlgebraDecidesRanksWhereEvaluationsWouldNot) {
  CompareField field = counted_field("pendulum");
  field.entries.push_back(counted_entry("gauss(s=2)", {10, 20}, {1e6, 2e6}));
  field.entries.push_back(counted_entry("sdirk_3", {30, 60}, {100, 200}));
  const std::vector<Accuracy> accuracy = read_accuracies("1e-4");
  EXPECT_EQ(compare_lines(field, accuracy).front().method, "sdirk_3");
  EXPECT_EQ(compare_lines(field, accuracy, WorkUnit::evaluations).front().method, "gauss(s=2)");
}

TEST(WorkUnits, TimeIsTheSumTimesTheMeasuredRatio) {
  CompareField field = counted_field("pendulum");
  field.formulation = "index2";
  for (const char* method : {"gauss(s=3)", "no_such_method"})
    field.entries.push_back(counted_entry(method, {10, 20}, {100, 200}));
  const double ratio =
      stored("time_ratios.json").at("pendulum").at("index2").at("gauss(s=3)").get<double>();
  EXPECT_GT(ratio, 0);
  EXPECT_DOUBLE_EQ(work_in(WorkUnit::time, field, field.entries[0])[1],
                   ratio * work_in(WorkUnit::weighted, field, field.entries[0])[1]);
  EXPECT_TRUE(work_in(WorkUnit::time, field, field.entries[1]).empty()) << "not measured";
}

TEST(WorkUnits, WhatIsNotMeasuredIsRankedByEvaluations) {
  CompareField field = counted_field("two_link");
  field.formulation = "baumgarte(alpha=1,beta=1)";
  field.entries.push_back(counted_entry("gauss(s=2)", {10, 20}, {100, 200}));
  EXPECT_EQ(ranking_unit(field), WorkUnit::evaluations);
  EXPECT_EQ(compare_lines(field, read_accuracies("1e-4")).front().work,
            (std::vector<double>{10, 20}));
  CompareField longer = counted_field("chain(n=40,ends=free)");
  longer.entries.push_back(counted_entry("gauss(s=2)", {10, 20}, {100, 200}));
  EXPECT_EQ(ranking_unit(longer), WorkUnit::evaluations) << "measured with n = 4";
  longer.motion.problem = "chain(n=4,ends=free)";
  EXPECT_EQ(ranking_unit(longer), WorkUnit::weighted);
}

TEST(WorkUnits, EveryProblemOfTheAtlasHasWeights) {
  const nlohmann::json weights = stored_weights();
  for (const std::string& problem : atlas_problems()) {
    if (!std::filesystem::exists(shipped_results() / "atlas" / (problem + ".jsonl"))) continue;
    ASSERT_TRUE(weights.contains(problem)) << problem << ": make weights";
    for (const auto& [formulation, own] : weights.at(problem).items())
      for (const char* kind : {"residual", "rates", "jacobian", "factorization", "pair"})
        EXPECT_GE(double_of(own.at(kind).get<std::string>()), 0)
            << problem << ", " << formulation << ", " << kind;
  }
}

}  // namespace
}  // namespace daemark
