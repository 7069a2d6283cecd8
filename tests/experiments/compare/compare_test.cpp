#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "analysis/setup/bound_run.hpp"
#include "base/program/paths.hpp"
#include "base/program/write_file.hpp"
#include "base/text/read_double.hpp"
#include "experiments/cells/support/integration.hpp"
#include "experiments/compare/compare_lines.hpp"
#include "experiments/compare/compare_views.hpp"
#include "experiments/compare/comparison.hpp"
#include "experiments/compare/sweeps.hpp"
#include "problems/system/registry.hpp"
#include "tests/experiments/compare/made_field.hpp"
#include "tests/support/scratch_folder.hpp"

namespace daemark {
namespace {

using test::Made;
using testing::HasSubstr;
using testing::Not;

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

TEST(Compare, RanksByTheWorkForWhatIsAsked) {
  Made made;
  made.add("trapezoidal", {9e-5, 2e-5, 5e-6}, 10);
  made.add("gauss(3)", {9e-8, 1e-9, 2e-11}, 30, true);
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
  EXPECT_THAT(screen,
              HasSubstr("index1  q to 1e-4  rank 2 of 2 (≤ 30; h 0.1)  cheapest: trapezoidal ≤ 10, "
                        "gauss(3) ≤ 30\n"));
  EXPECT_THAT(screen, HasSubstr("q to 1e-6  rank 1 of 1 (≤ 30; h 0.1)"));
  const std::string csv = compare_csv({at_4}, read_accuracies("1e-4,1e-6"), true);
  EXPECT_THAT(csv, HasSubstr("\noscillator,index1,gauss(3),new,,step,30,<=,2,0.1,30,<=,1,0.1,"));
  EXPECT_THAT(csv, HasSubstr("\noscillator,index1,trapezoidal,,,step,10,<=,1,0.1,,,,,"));
  EXPECT_THAT(compare_latex({at_4}, read_accuracies("1e-4,1e-6")),
              HasSubstr("trapezoidal & $\\le$ 10 & 0.1 & --- & --- & "));
}

TEST(Compare, EarlierSourcesAreMarkedAndRefusedMethodsLeftOut) {
  Made made;
  made.add("erk4", {1e-3, 1e-4, 1e-5}, 10, true);
  made.add("heun_2", {1e-2, 1e-3, 1e-4}, 10);
  made.field.entries.back().earlier = true;
  made.add("bathe", {}, 10);
  made.field.entries.back().result->status = "refused";
  const Compared compared = made.compared("1e-3");
  ASSERT_EQ(compared.lines.size(), 2u);
  EXPECT_EQ(compared.lines[1].name(), "heun_2 †");
  EXPECT_THAT(compare_explanation({compared}), HasSubstr("†: "));
  made.field.entries[1].earlier = false;
  EXPECT_THAT(compare_explanation({made.compared("1e-3")}), Not(HasSubstr("†")));
}

TEST(Compare, ProfilesAreSharesOfPairsWithinAFactor) {
  Made made;
  made.add("trapezoidal", {9e-3, 9e-5, 9e-7}, 10);
  made.add("gauss(3)", {9e-3, 9e-5, 9e-7}, 30, true);
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

TEST(Compare, StoredSweepsAreReadBack) {
  const test::ScratchFolder folder;
  Made made;
  made.field.motion = motion_of(problem_registry().make("oscillator"), {}, "");
  made.add("erk4", {1.23456e-3, nan, 1.5e-7}, 10);
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

nlohmann::json measured(const char* file) {
  const auto text = read_text(source_root() / "experiments" / "compare" / file);
  return text ? nlohmann::json::parse(*text) : nlohmann::json::object();
}
nlohmann::json stored_weights() { return measured("weights.json"); }

const std::vector<double> rough_and_fine = {1e-2, 1e-8};

// gauss(s=2) evaluates the residual, erk4 solves for rates: each with its own weight.
TEST(WorkUnits, TheSumHasTheMeasuredWeights) {
  Made made("pendulum");
  for (const char* method : {"gauss(s=2)", "erk4"})
    made.add(method, rough_and_fine, 10).counted(100);
  const nlohmann::json own = stored_weights().at("pendulum").at("index1");
  const auto weight = [&](const char* kind) { return double_of(own.at(kind).get<std::string>()); };
  for (const CompareEntry& entry : made.field.entries) {
    const double each = weight(entry.method == "erk4" ? "rates" : "residual");
    const std::vector<double> work = work_in(WorkUnit::weighted, made.field, entry);
    ASSERT_EQ(work.size(), 2u);
    EXPECT_NEAR(
        work[0],
        10 * each + 3 * weight("jacobian") + 2 * weight("factorization") + 100 * weight("pair"),
        1e-12 * work[0]);
    EXPECT_EQ(work_in(WorkUnit::evaluations, made.field, entry), (std::vector<double>{10, 20}));
  }
}

TEST(WorkUnits, LinearAlgebraDecidesRanksWhereEvaluationsWouldNot) {
  const CompareField field = Made("pendulum")
                                 .add("gauss(s=2)", rough_and_fine, 10)
                                 .counted(1e6)
                                 .add("sdirk_3", rough_and_fine, 30)
                                 .counted(100)
                                 .field;
  const std::vector<Accuracy> accuracy = read_accuracies("1e-4");
  EXPECT_EQ(compare_lines(field, accuracy).front().method, "sdirk_3");
  EXPECT_EQ(compare_lines(field, accuracy, WorkUnit::evaluations).front().method, "gauss(s=2)");
}

TEST(WorkUnits, TimeIsTheSumTimesTheMeasuredRatio) {
  Made made("pendulum", "index2");
  for (const char* method : {"gauss(s=3)", "no_such_method"})
    made.add(method, rough_and_fine, 10).counted(100);
  const CompareField& field = made.field;
  const double ratio =
      measured("time_ratios.json").at("pendulum").at("index2").at("gauss(s=3)").get<double>();
  EXPECT_GT(ratio, 0);
  EXPECT_DOUBLE_EQ(work_in(WorkUnit::time, field, field.entries[0])[1],
                   ratio * work_in(WorkUnit::weighted, field, field.entries[0])[1]);
  EXPECT_TRUE(work_in(WorkUnit::time, field, field.entries[1]).empty()) << "not measured";
}

TEST(WorkUnits, WhatIsNotMeasuredIsRankedByEvaluations) {
  const CompareField field = Made("two_link", "baumgarte(alpha=1,beta=1)")
                                 .add("gauss(s=2)", rough_and_fine, 10)
                                 .counted(100)
                                 .field;
  EXPECT_EQ(ranking_unit(field), WorkUnit::evaluations);
  EXPECT_EQ(compare_lines(field, read_accuracies("1e-4")).front().work,
            (std::vector<double>{10, 20}));
  CompareField longer =
      Made("chain(n=40,ends=free)").add("gauss(s=2)", rough_and_fine, 10).counted(100).field;
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
