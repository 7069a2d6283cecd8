#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "analysis/run/run.hpp"
#include "analysis/setup/bound_run.hpp"
#include "base/text/bad_input.hpp"
#include "tests/support/observed_order.hpp"
#include "tests/support/temporary_results.hpp"

namespace daemark {
namespace {

std::vector<BoundRun> study(const std::string& method, const std::string& formulation,
                            std::initializer_list<const char*> steps, int newton_max = 30) {
  RunRequest r;
  r.problem = "pendulum", r.formulation = formulation, r.method = method;
  r.t_end = Expression::parse("1", "t");
  r.precision = Precision::in_real50;
  r.settings = {{"newton.max", std::to_string(newton_max)}, {"newton.rescue", "off"}};
  std::vector<Expression> h;
  for (const char* step : steps) h.push_back(Expression::parse(step, "h"));
  return bind_study(r, h);
}

/// What the slopes of pairs say of the order; `fitted` lies between them, being a mean of them.
void expect_order(const std::vector<double>& errors, double fitted, int order) {
  ASSERT_EQ(errors.size(), 4u);
  // Newton's ε^0.7 in 50 digits, see tests/conformance/order_conformance_test.cpp; the reference
  // has 36 digits.
  test::ObservedOrder observed(1e-35);
  double least = INFINITY, most = -INFINITY;
  for (std::size_t i = 0; i < errors.size(); ++i) {
    observed.add(errors[i]);
    if (i == 0) continue;
    least = std::min(least, std::log2(errors[i - 1] / errors[i]));
    most = std::max(most, std::log2(errors[i - 1] / errors[i]));
  }
  EXPECT_EQ(observed.order(), order) << observed.text();
  EXPECT_GE(fitted, least);
  EXPECT_LE(fitted, most);
}

// At t = 1, where no leading coefficient vanishes (that of λ nearly does at t = 1/2).
TEST(Converge, FindsTheOrders) {
  const test::TemporaryResults folder;
  const ConvergeResult r =
      converge(study("radau_iia(2)", "index2", {"1/64", "1/128", "1/256", "1/512"}));
  ASSERT_EQ(r.status, (std::vector<std::string>(4, "ok")));
  expect_order(r.error[0], r.fit[0].slope, 3);
  expect_order(r.error[1], r.fit[1].slope, 3);
  expect_order(r.error[2], r.fit[2].slope, 2);
  ASSERT_EQ(r.component_error_q.size(), 4u);
  ASSERT_EQ(r.component_slope_q.size(), 2u);
  for (std::size_t k = 0; k < 4; ++k)
    EXPECT_DOUBLE_EQ(std::hypot(r.component_error_q[k][0], r.component_error_q[k][1]),
                     r.error[0][k]);
  EXPECT_EQ(r.fit[0].used, std::vector<bool>(4, true));
  EXPECT_EQ(r.runs.size(), 4u);
  EXPECT_EQ(r.runs[1].counts.at("steps"), 128);
}

// Studies that share their integrations, one of which has enough before the others.
TEST(Converge, AtSeveralTimesIsAStudyAtEach) {
  const test::TemporaryResults folder;
  const std::vector<BoundRun> runs =
      study("radau_iia(2)", "index2", {"1/16", "1/32", "1/64", "1/128", "1/256"});
  constexpr int enough = 3;
  std::vector<Expression> ends;
  for (const char* t : {"1/4", "1/2", "1"}) ends.push_back(Expression::parse(t, "t"));
  const std::vector<ConvergeResult> all = converge(runs, ends, enough);
  ASSERT_EQ(all.size(), ends.size());
  for (std::size_t k = 0; k < ends.size(); ++k) {
    const ConvergeResult one = converge(runs, {ends[k]}, enough).front();
    EXPECT_EQ(all[k].status, one.status);
    EXPECT_EQ(all[k].fit[2].used, one.fit[2].used);
    for (std::size_t i = 0; i < runs.size(); ++i) {
      if (one.status[i] != "ok") continue;
      EXPECT_EQ(all[k].error[0][i], one.error[0][i]);
      EXPECT_EQ(all[k].error[2][i], one.error[2][i]);
      EXPECT_EQ(all[k].runs[i].counts, one.runs[i].counts);
    }
    EXPECT_EQ(all[k].fit[0].slope, one.fit[0].slope);
  }
}

TEST(Converge, RefusesBeforeItRuns) {
  EXPECT_THROW(converge(study("radau_iia(2)", "index2", {"1/64"})), BadInput);
  EXPECT_THROW(converge(study("radau_iia(2)", "index2", {"1/64", "3/10"})), BadInput);
  EXPECT_THROW(converge(study("erk4", "index2", {"1/64", "1/32"})), BadInput);
}

TEST(Converge, FailedRunsLeaveTheOthers) {
  const test::TemporaryResults folder;
  const ConvergeResult result =
      converge(study("pade_block(4,2)", "index3", {"1", "1/64", "1/128"}, 5));
  EXPECT_NE(result.status[0], "ok");
  EXPECT_TRUE(std::isnan(result.error[0][0]));
  EXPECT_FALSE(result.fit[0].used[0]);
  EXPECT_EQ(result.status[2], "ok");
  EXPECT_GT(result.fit[0].slope, 3.5);
}

}  // namespace
}  // namespace daemark
