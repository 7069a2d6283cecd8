// Runs that end with status ok and should not be trusted.
#include "analysis/run/run_warnings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/run/run.hpp"
#include "tests/support/method_bench.hpp"

namespace daemark {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> warnings(const std::string& problem, const std::string& formulation,
                                  const std::string& method, const std::string& t_end,
                                  Precision precision = Precision::in_double,
                                  std::map<std::string, std::string> settings = {}) {
  RunRequest request = test::run_request(problem, formulation, method, "1/100", t_end);
  request.precision = precision, request.settings = std::move(settings);
  request.warnings = true;
  const RunResult result = run(request);
  EXPECT_EQ(result.status, "ok") << result.why;
  return result.warnings;
}

TEST(RunWarnings, MechanismThatIsNotAssembledAndItsEnergy) {
  const auto told = warnings("four_bar(loops=1)", "index1", "erk4", "10");
  EXPECT_THAT(told, Contains(AllOf(HasSubstr("constraints are violated by"),
                                   HasSubstr("(told above 0.01)"))));
  EXPECT_THAT(told, Contains(AllOf(HasSubstr("energy of this conservative motion drifts by"),
                                   HasSubstr("(told above 0.05)"))));
}

// Of 48003 by 32002 entries G is never made dense: their number is no int.
TEST(RunWarnings, LargeMechanisms) {
  EXPECT_THAT(warnings("four_bar(loops=8000)", "index3", "lms(2)", "3/100"), IsEmpty());
}

// Upright bars, x = x_s = 0, whatever the method makes of them.
TEST(RunWarnings, SingularPosition) {
  for (const char* method : {"phem56", "rodasp", "lms(2)"}) {
    const std::string formulation = method == std::string("phem56") ? "index2" : "index1";
    EXPECT_THAT(warnings("slider_crank", formulation, method, "1"),
                Contains(AllOf(HasSubstr("it passes a singular position near t = "),
                               HasSubstr("(told below 0.05)"))))
        << method;
  }
}

TEST(RunWarnings, NoneWhereAllIsWell) {
  for (const char* problem : {"pendulum", "two_link", "double_pendulum", "car_axis", "fekete"})
    EXPECT_THAT(warnings(problem, "index2", "radau_iia(3)", "1"), IsEmpty()) << problem;
  EXPECT_THAT(warnings("two_link", "index3", "generalized_alpha", "1"), IsEmpty());
  EXPECT_THAT(warnings("pendulum", "index2", "radau_iia(3)", "1/10", Precision::in_real50),
              IsEmpty());
}

}  // namespace
}  // namespace daemark
