#include "analysis/orders/order_study.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text/bad_input.hpp"
#include "tests/support/temporary_results.hpp"

namespace daemark {
namespace {

OrderStudyRequest request(const std::string& method) {
  OrderStudyRequest r;
  r.problem = problem_registry().make("pendulum"), r.run.method = method;
  for (const char* h : {"1/20", "1/40", "1/80"}) r.h.push_back(Expression::parse(h, "h"));
  for (const char* t : {"1/2", "1"}) r.t_ends.push_back(Expression::parse(t, "t"));
  return r;
}

TEST(OrderStudy, TakesTheMiddleOfSeveralTimes) {
  const test::TemporaryResults folder;
  const FormulationOrders found = study_orders(request("gauss(2)"), "index1");
  ASSERT_EQ(found.studies.size(), 2u);
  EXPECT_TRUE(found.refusal.empty());
  EXPECT_EQ(found.expected.q, 4);
  EXPECT_DOUBLE_EQ(found.seen[0].slope(),
                   (found.studies[0].fit[0].slope + found.studies[1].fit[0].slope) / 2);
  EXPECT_NEAR(found.seen[0].slope(), 4, 0.2);
}

// Round-off of double hides the order 8; where there is no wider arithmetic, what double shows
// stays.
TEST(OrderStudy, WidensOnlyWhereTheProblemExistsInReal50) {
  const test::TemporaryResults folder;
  OrderStudyRequest study = request("gauss(4)");
  study.widen = true;
  EXPECT_TRUE(study_orders(study, "index1").widened);
  study.problem.absolute.in_real50 = nullptr;
  const FormulationOrders found = study_orders(study, "index1");
  EXPECT_EQ(found.refusal, "");
  EXPECT_FALSE(found.widened);
  EXPECT_EQ(found.studies.size(), study.t_ends.size());
}

// A solver that chooses its steps errs as its tolerance says, whatever the output points.
TEST(OrderStudy, RefusesMethodsThatChooseTheirSteps) {
  const test::TemporaryResults folder;
  for (const char* method : {"cvode(1e-6)", "ida(1e-6)"}) {
    const FormulationOrders found = study_orders(request(method), "index1");
    EXPECT_THAT(found.refusal, testing::HasSubstr("chooses its steps itself")) << method;
    EXPECT_TRUE(found.studies.empty());
  }
}

}  // namespace
}  // namespace daemark
