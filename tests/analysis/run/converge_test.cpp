#include <gtest/gtest.h>

#include <cmath>

#include "analysis/run/run.hpp"
#include "base/text/bad_input.hpp"
#include "tests/support/temporary_results.hpp"

namespace daemark {
namespace {

ConvergeRequest request(const std::string& method, const std::string& formulation,
                        std::initializer_list<const char*> steps) {
  ConvergeRequest r;
  r.problem = "pendulum", r.formulation = formulation, r.method = method;
  for (const char* h : steps) r.h.push_back(Expression::parse(h, "h"));
  r.t_end = Expression::parse("1", "t");
  r.precision = "quad";
  return r;
}

// At t = 1, where no leading coefficient vanishes (that of λ nearly does at t = 1/2). Slopes
// between h and h/2 at these steps are within 0.1 of the order (ch < 0.1, see
// tests/conformance/order_conformance_test.cpp).
TEST(Converge, FindsTheOrders) {
  const test::TemporaryResults folder;
  const ConvergeResult r =
      converge(request("radau_iia(2)", "index2", {"1/64", "1/128", "1/256", "1/512"}));
  ASSERT_EQ(r.status, (std::vector<std::string>(4, "ok")));
  EXPECT_NEAR(r.slope_q, 3, 0.1);
  EXPECT_NEAR(r.slope_v, 3, 0.1);
  EXPECT_NEAR(r.slope_lambda, 2, 0.1);
  ASSERT_EQ(r.component_error_q.size(), 4u);
  ASSERT_EQ(r.component_slope_q.size(), 2u);
  for (std::size_t k = 0; k < 4; ++k)
    EXPECT_NEAR(std::hypot(r.component_error_q[k][0], r.component_error_q[k][1]), r.error_q[k],
                1e-14 * r.error_q[k]);
  EXPECT_EQ(r.used_q, std::vector<bool>(4, true));
  EXPECT_EQ(r.runs.size(), 4u);
  EXPECT_EQ(r.runs[1].counts.at("steps"), 128);
}

TEST(Converge, RefusesBeforeItRuns) {
  EXPECT_THROW(converge(request("radau_iia(2)", "index2", {"1/64"})), BadInput);
  EXPECT_THROW(converge(request("radau_iia(2)", "index2", {"1/64", "3/10"})), BadInput);
  EXPECT_THROW(converge(request("erk4", "index2", {"1/64", "1/32"})), BadInput);
}

TEST(Converge, FailedRunsLeaveTheOthers) {
  const test::TemporaryResults folder;
  ConvergeRequest r = request("pade_block(4,2)", "index3", {"1", "1/64", "1/128"});
  r.settings = {{"newton.max", "5"}};
  const ConvergeResult result = converge(r);
  EXPECT_NE(result.status[0], "ok");
  EXPECT_TRUE(std::isnan(result.error_q[0]));
  EXPECT_FALSE(result.used_q[0]);
  EXPECT_EQ(result.status[2], "ok");
  EXPECT_GT(result.slope_q, 3.5);
}

}  // namespace
}  // namespace daemark
