#include "experiments/judge/judge.hpp"

#include <gtest/gtest.h>

namespace daemark {
namespace {

// A build without SUNDIALS leaves a run where it starts: no error there, and nothing to judge by.
TEST(ResultValue, OfWhatIsNotAvailableIsNone) {
  CellResult result;
  result.measures["error_q_max"] = 0;
  result.counts["steps"] = 0;
  EXPECT_EQ(result_value(result, "error_q_max"), 0);
  EXPECT_EQ(result_value(result, "ok"), 1);
  result.status = "newton_diverged";
  EXPECT_EQ(result_value(result, "error_q_max"), 0);
  EXPECT_EQ(result_value(result, "ok"), 0);
  result.status = "not_available";
  for (const char* name : {"ok", "failed", "t_reached", "error_q_max", "steps"})
    EXPECT_FALSE(result_value(result, name)) << name;
  EXPECT_EQ(result_value(result, "status_not_available"), 1);
  EXPECT_EQ(result_value(result, "status_ok"), 0);
}

}  // namespace
}  // namespace daemark
