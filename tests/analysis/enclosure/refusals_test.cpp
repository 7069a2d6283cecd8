// What has no proof says why.
#include <gtest/gtest.h>

#include "analysis/enclosure/proved_reference.hpp"
#include "tests/problems/files/mechanism_file_fixture.hpp"

namespace daemark {
namespace {

class NoEnclosure : public test::MechanismFile {
 protected:
  static std::string reason(const Problem& problem, const std::string& t = "1/10") {
    try {
      proved_states(problem, {Expression::parse(t, "t")}, 20, 500);
    } catch (const EnclosureFailure& failure) {
      EXPECT_EQ(std::string(failure.what()).find('\n'), std::string::npos);
      return failure.what();
    }
    return "proved";
  }
  static std::string reason(const std::string& call, const std::string& t = "1/10") {
    return reason(problem_registry().make(call), t);
  }
  /// A point under a force along x, with more keys; ' for ".
  Problem point(const std::string& force, const std::string& more = "") const {
    return read(
        "{'id': 'mine', 'kind': 'equations', 'source': 'test',"
        " 'data': [{'name': 'm', 'value': 1, 'unit': 'kg'}],"
        " 'coordinates': [{'name': 'x', 'unit': 'm', 'start': 1}, {'name': 'y', 'unit': 'm'},"
        "                 {'name': 'z', 'unit': 'm'}],"
        " 'kinetic': 'm*(x`^2 + y`^2 + z`^2)/2', 'forces': {'x': '" +
        force + "'}" + more + "}");
  }
};

TEST_F(NoEnclosure, NamesTheLawThatHasNone) {
  EXPECT_EQ(reason(point("abs(t - 1/20)")), "a law with branches");
  EXPECT_EQ(reason("jay(linear)"), "forces that depend on multipliers");
  EXPECT_EQ(reason("beam_shaft"), "the problem exists in double only");
}

// A second model for series proves nothing of a problem that integrates something else.
TEST_F(NoEnclosure, LooksAtTheModelThatIsIntegrated) {
  Problem problem = problem_registry().make("jay(linear)");
  problem.series = problem_registry().make("oscillator").absolute;
  EXPECT_EQ(reason(problem), "forces that depend on multipliers");
  problem.absolute.in_real50 = nullptr;
  EXPECT_EQ(reason(problem), "the problem exists in double only");
  problem.absolute.in_real50 = [] { return nullptr; };
  EXPECT_EQ(reason(problem), "a model that is not recorded");
  problem = problem_registry().make("heavy_top(coordinates=screw)");
  problem.series = {};
  EXPECT_EQ(reason(problem), "a chart of place and orientation in one");
}

TEST_F(NoEnclosure, NamesTimesThatAreNotReached) {
  const Problem later = point("-x", ", 'start': '1/2'");
  EXPECT_EQ(reason(later, "1/4"), "t = 1/4 is before t = 1/2, from where the motion is followed");
  EXPECT_EQ(reason(later, "sqrt(2)"), "a time that is no fraction");
  EXPECT_EQ(reason(point("-x", ", 'start': 'sqrt(2)'"), "2"),
            "a start at a time that is no fraction");
}

TEST_F(NoEnclosure, NamesConstraintsOfAnotherRankThanStated) {
  const std::string rows =
      ", 'constraints': [{'name': 'a', 'unit': 'm', 'position': 'y'},"
      " {'name': 'b', 'unit': 'm', 'position': ";
  EXPECT_EQ(reason(point("-x", rows + "'z'}], 'redundant': 1")),
            "2 constraints are independent at the start, not 1 as the problem says");
  EXPECT_EQ(reason(point("-x", rows + "'y + y^2'}], 'redundant': 0")),
            "constraints that depend on each other");
}

// The motion ends at t = π/√8 = 1.1107.
TEST_F(NoEnclosure, NamesTheLastTimeThatIsProved) {
  const std::string why = reason(point("-1/x^2"), "2"), up_to = "proved up to t = ";
  ASSERT_EQ(why.find(up_to), 0u) << why;
  const double last = std::stod(why.substr(up_to.size()));
  EXPECT_GT(last, 1.1) << why;
  EXPECT_LT(last, 1.11073) << why;
  EXPECT_NE(why.find("relative error is "), std::string::npos) << why;
  EXPECT_NE(reason("slider_crank", "1000").find(": the last time is too far for 500 steps"),
            std::string::npos);
}

}  // namespace
}  // namespace daemark
