// Newton's iteration where a mechanism passes singular positions: what rounding leaves of its
// increments there is no divergence, so that a smaller step does not fail where a larger one works.
#include <gtest/gtest.h>

#include <cmath>

#include "analysis/run/run.hpp"
#include "tests/support/method_bench.hpp"

namespace daemark {
namespace {

RunResult row_of_bars(const char* formulation, const char* method, const char* h) {
  RunRequest r = test::run_request("four_bar(loops=1)", formulation, method, h, "3");
  r.errors = true;
  return run(r);
}

// Six passages to t = 3. Errors of q fall with the order there, or to a floor that the passages
// leave.
TEST(NearSingular, SmallerStepsDoNotFail) {
  struct Case {
    const char *formulation, *method;
    double order;
  };
  for (const auto& [formulation, method, order] :
       {Case{"ggl", "radau_iia(3)", 5}, Case{"index2", "radau_iia(3)", 5},
        Case{"index3", "radau_iia(3)", 5}, Case{"ggl", "gauss(2)", 2},
        Case{"index2", "gauss(2)", 4}}) {
    double last = 0;
    for (const char* h : {"1/100", "1/200", "1/500", "1/1000", "1/2000", "1/4000"}) {
      SCOPED_TRACE(std::string(formulation) + " " + method + " " + h);
      const RunResult found = row_of_bars(formulation, method, h);
      ASSERT_EQ(found.status, "ok") << found.why;
      const double error = found.measures.at("error_q");
      constexpr double floor = 1e-8;
      if (last > 0) {
        EXPECT_LT(error, std::max(floor, last * std::pow(0.5, order - 0.5)));
      }
      last = error;
    }
  }
}

// An iteration that does not converge is not excused: Gauss methods on index 3 lose their
// multipliers, and with them the motion.
TEST(NearSingular, FailuresOfTheMethodStayFailures) {
  EXPECT_NE(row_of_bars("index3", "gauss(2)", "1/100").status, "ok");
}

}  // namespace
}  // namespace daemark
