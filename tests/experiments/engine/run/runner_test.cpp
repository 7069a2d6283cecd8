// Cells, cache and runner with a fake in place of the integration.
#include "experiments/engine/run/runner.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <fstream>
#include <limits>

#include "base/program/stop.hpp"
#include "base/text/bad_input.hpp"
#include "tests/experiments/cells/support/some_cells.hpp"
#include "tests/support/scratch_folder.hpp"

namespace daemark {
namespace {

using test::ScratchFolder;

Cell cell(const std::string& h) {
  Cell out = test::run_cell("two_link", "gauss(2)", "index1", h, "10");
  out.settings = {{"newton.tol", "1e-3"}};
  return out;
}

SourcesOf sources(const std::string& sum) {
  return [sum](const Cell&) { return sum; };
}

CellResult fake(const Cell& c) {
  CellResult result;
  result.t = 10;
  result.measures = {{"size", static_cast<double>(c.h[0].size())}};
  return result;
}

TEST(Cell, IdentityAndCommand) {
  Cell a = cell("0.01");
  Cell b = a;
  b.is_long = true;  // a cost class changes no result
  EXPECT_EQ(canonical(a), canonical(b));
  b.precision = "quad";
  EXPECT_NE(canonical(a), canonical(b));
  EXPECT_EQ(command(b),
            "daemark run --problem two_link --formulation index1 --method 'gauss(2)' --h 0.01 "
            "--t-end 10 --precision quad --set newton.tol=1e-3");
  b.h = {"1/10", "1/20"};
  EXPECT_EQ(command(b),
            "daemark converge 'gauss(2)' --problem two_link --formulation index1 --h 1/10,1/20 "
            "--t-end 10 --precision quad --set newton.tol=1e-3");
}

TEST(Cell, ResultSurvivesJsonExactly) {
  CellResult a;
  a.status = "not_finite";
  a.why = "q holds a NaN";
  a.t = 0.1 + 0.2;
  a.q = {"1.5"};
  a.measures = {
      {"x", 1.0 / 3}, {"nan", std::nan("")}, {"inf", std::numeric_limits<double>::infinity()}};
  a.counts = {{"steps", 12}};
  a.series = {{"t", {0, std::nan(""), 1e-300}}};
  const CellResult b = result_from_json(nlohmann::json::parse(result_json(a, true, true).dump()));
  EXPECT_EQ(b.status, a.status);
  EXPECT_EQ(b.t, a.t);
  EXPECT_EQ(b.measures.at("x"), a.measures.at("x"));
  EXPECT_TRUE(std::isnan(b.measures.at("nan")));
  EXPECT_TRUE(std::isinf(b.measures.at("inf")));
  EXPECT_EQ(b.series.at("t")[2], 1e-300);
  EXPECT_TRUE(std::isnan(b.series.at("t")[1]));
}

TEST(Cache, KeyFollowsTheSourcesAndDamageIsNoResult) {
  const ScratchFolder folder;
  const CellCache cache(folder.path / "cache");
  const Cell a = cell("0.01");
  const std::string key = cell_key(a, sources("1"));
  EXPECT_NE(key, cell_key(a, sources("2")));
  EXPECT_FALSE(cache.load(key));
  cache.store(key, a, fake(a));
  ASSERT_TRUE(cache.load(key));
  EXPECT_EQ(cache.load(key)->measures.at("size"), 4);
  const auto file = folder.path / "cache" / (key + ".json");
  std::string text = *read_text(file);
  text.replace(text.find("4.0"), 1, "5");
  std::ofstream(file) << text;
  EXPECT_FALSE(cache.load(key));  // the checksum does not fit
  std::ofstream(file) << "{\"key\":";
  EXPECT_FALSE(cache.load(key));
}

/// Only what is asked for is kept; what is asked for later and was not kept is computed again.
TEST(Runner, KeepsTheSeriesThatAreAskedFor) {
  const ScratchFolder folder;
  int runs = 0;
  const RunCell run = [&](const Cell& c) {
    ++runs;
    CellResult result = fake(c);
    result.series = {{"t", {0, 1}}, {"x", {2, 3}}, {"y", {4, 5}}};
    return result;
  };
  const std::vector<Cell> cells = {cell("0.01")};
  const std::string name = canonical(cells.front());
  const CellCache cache(folder.path / "cache");
  const auto kept = [&](RunnerOptions options) {
    options.jobs = 1;
    std::set<std::string> names;
    const auto report = run_cells(cells, run, sources("1"), cache, options);
    for (const auto& [series, values] : report.results.at(name).series) names.insert(series);
    return names;
  };
  using Names = std::set<std::string>;
  RunnerOptions some, other, unknown;
  some.series = {{name, {"t", "x"}}};
  other.series = {{name, {"y"}}};
  unknown.series = {{name, {"z"}}};
  EXPECT_EQ(kept(some), (Names{"t", "x"}));
  EXPECT_EQ(kept(some), (Names{"t", "x"}));
  EXPECT_EQ(runs, 1);
  EXPECT_EQ(kept(other), Names{"y"});
  EXPECT_EQ(runs, 2);
  EXPECT_EQ(kept({}), (Names{"t", "x", "y"}));  // all, which the file does not have
  EXPECT_EQ(runs, 3);
  EXPECT_EQ(kept(unknown), (Names{"t", "x", "y"}));  // to be told what there is
  EXPECT_EQ(runs, 3);
  EXPECT_EQ(kept(some), (Names{"t", "x"}));  // and written anew without the rest
  EXPECT_EQ(kept({}), (Names{"t", "x", "y"}));
  EXPECT_EQ(runs, 4);
}

TEST(Runner, EachCellOnceAndTheSameForAnyNumberOfThreads) {
  const ScratchFolder folder;
  std::atomic<int> runs{0};
  const RunCell counted = [&](const Cell& c) {
    ++runs;
    return fake(c);
  };
  const std::vector<Cell> cells = {cell("0.01"), cell("0.1"), cell("0.01"), cell("1")};
  const CellCache one(folder.path / "one"), many(folder.path / "many");
  const RunnerReport a = run_cells(cells, counted, sources("1"), one, {.jobs = 1});
  EXPECT_EQ(runs, 3);
  const RunnerReport b = run_cells(cells, counted, sources("1"), many, {.jobs = 8});
  ASSERT_EQ(a.results.size(), 3U);
  for (const auto& [name, result] : a.results) {
    EXPECT_EQ(b.results.at(name).measures, result.measures);
  }
  runs = 0;
  EXPECT_EQ(run_cells(cells, counted, sources("1"), one, {}).reused, 3);
  EXPECT_EQ(runs, 0);
  EXPECT_EQ(run_cells(cells, counted, sources("1"), one, {.fresh = true}).computed, 3);
  EXPECT_EQ(run_cells(cells, counted, sources("2"), one, {}).computed, 3);
}

TEST(Runner, AnInterruptLosesNoFinishedCell) {
  const ScratchFolder folder;
  const CellCache cache(folder.path);
  std::atomic<bool> stop{false};
  std::atomic<int> runs{0};
  const RunCell stopping = [&](const Cell& c) {
    if (++runs == 2) stop = true;
    return fake(c);
  };
  const std::vector<Cell> cells = {cell("0.01"), cell("0.1"), cell("1"), cell("10")};
  const RunnerReport first =
      run_cells(cells, stopping, sources("1"), cache, {.jobs = 1, .stop = &stop});
  EXPECT_TRUE(first.interrupted);
  EXPECT_EQ(first.computed, 2);
  EXPECT_EQ(first.unfinished, 2);
  const RunnerReport second = run_cells(cells, stopping, sources("1"), cache, {.jobs = 1});
  EXPECT_EQ(second.reused, 2);
  EXPECT_EQ(second.computed, 2);
}

TEST(Runner, OtherFailuresAreThrownOnAndWhatIsFinishedIsKept) {
  const ScratchFolder folder;
  const CellCache cache(folder.path);
  const RunCell failing = [](const Cell& c) {
    if (c.h[0] == "10") throw std::runtime_error("a defect");
    return fake(c);
  };
  // The dearest first: 0.01 is finished when 10 fails.
  const std::vector<Cell> cells = {cell("0.01"), cell("10")};
  EXPECT_THROW(run_cells(cells, failing, sources("1"), cache, {.jobs = 1}), std::runtime_error);
  EXPECT_TRUE(cache.has(cell_key(cells[0], sources("1"))));
}

/// Works until it is stopped, at h = 1; other cells end at once.
CellResult endless(const Cell& c) {
  if (c.h[0] != "1") return fake(c);
  while (true) checkpoint();
}

TEST(Runner, ACellWithoutTimeEnoughIsAResultOfThatLimitOnly) {
  const ScratchFolder folder;
  const CellCache cache(folder.path);
  const std::vector<Cell> cells = {cell("1"), cell("0.1")};
  const RunnerReport first =
      run_cells(cells, endless, sources("1"), cache, {.jobs = 2, .time_limit = 0.1});
  EXPECT_FALSE(first.interrupted);
  const CellResult& cut = first.results.at(canonical(cells[0]));
  EXPECT_EQ(cut.status, "timed_out");
  EXPECT_NE(cut.why.find("0.1 s"), std::string::npos) << cut.why;
  EXPECT_TRUE(first.results.at(canonical(cells[1])).ok());
  // Nothing is done twice with that limit; with another it is tried again.
  int runs = 0;
  const RunCell counted = [&](const Cell& c) {
    ++runs;
    return fake(c);
  };
  const RunnerReport same =
      run_cells(cells, counted, sources("1"), cache, {.jobs = 1, .time_limit = 0.1});
  EXPECT_EQ(runs, 0);
  EXPECT_EQ(same.results.at(canonical(cells[0])).status, "timed_out");
  const RunnerReport longer =
      run_cells(cells, counted, sources("1"), cache, {.jobs = 1, .time_limit = 0.2});
  EXPECT_EQ(runs, 1);
  EXPECT_TRUE(longer.results.at(canonical(cells[0])).ok());
}

TEST(Runner, WhatWasNotAvailableIsTriedAgain) {
  const ScratchFolder folder;
  const CellCache cache(folder.path);
  const std::vector<Cell> cells = {cell("1")};
  for (const char* status : {"not_available", "ok"}) {
    const RunCell installed = [&](const Cell& c) {
      CellResult result = fake(c);
      result.status = status;
      return result;
    };
    const RunnerReport report = run_cells(cells, installed, sources("1"), cache, {.jobs = 1});
    EXPECT_EQ(report.results.at(canonical(cells[0])).status, status);
  }
}

TEST(Runner, WhatACellHasWhenItsTimeIsUpIsKept) {
  const ScratchFolder folder;
  const RunCell partial = [](const Cell& c) {
    CellResult result = fake(c);
    result.t = 4;
    try {
      while (true) checkpoint();
    } catch (const Stopped&) {
    }
    return result;
  };
  const std::vector<Cell> cells = {cell("1")};
  const RunnerReport report = run_cells(cells, partial, sources("1"), CellCache(folder.path),
                                        {.jobs = 1, .time_limit = 0.05});
  EXPECT_EQ(report.results.at(canonical(cells[0])).status, "timed_out");
  EXPECT_EQ(report.results.at(canonical(cells[0])).t, 4);
}

TEST(Runner, AnInterruptStopsTheCellInWork) {
  const ScratchFolder folder;
  const CellCache cache(folder.path);
  std::atomic<bool> stop{false};
  const RunCell run = [&](const Cell& c) {
    if (c.h[0] == "1") stop = true;
    return endless(c);
  };
  // One thread, the dearest first: 0.1 is finished, 1 in work, 10 not begun.
  const std::vector<Cell> cells = {cell("0.1"), cell("1"), cell("10")};
  const RunnerReport report =
      run_cells(cells, run, sources("1"), cache, {.jobs = 1, .stop = &stop});
  EXPECT_TRUE(report.interrupted);
  EXPECT_EQ(report.unfinished, 2);
  EXPECT_TRUE(cache.has(cell_key(cells[0], sources("1"))));
  EXPECT_FALSE(report.results.contains(canonical(cells[1])));
}

TEST(Runner, DefaultLimitsAreThoseOfTheCostClass) {
  Cell a = cell("1");
  const double short_limit = default_time_limit(a);
  a.is_long = true;
  EXPECT_GT(default_time_limit(a), short_limit);
}

}  // namespace
}  // namespace daemark
