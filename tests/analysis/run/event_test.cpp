// When a quantity passes a value: against motions that are known.
#include "analysis/run/event.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/math/constants/constants.hpp>
#include <cmath>

#include "analysis/run/run.hpp"
#include "base/text/bad_input.hpp"
#include "tests/support/method_bench.hpp"
#include "tests/support/refusal.hpp"

namespace daemark {
namespace {

using testing::HasSubstr;

RunRequest oscillator(const std::string& method, const std::string& h, const std::string& t_end) {
  return test::run_request("oscillator", "minimal", method, h, t_end);
}

/// The names of the oscillator's coordinate, from a run that asks for one there is not.
std::string refused(RunRequest r, const std::string& event) {
  return test::refusal([&] {
    r.events = {EventRequest::parse(event, "--event", false)};
    run(r);
  });
}

// q = cos t: zero at π/2, 3π/2, ... whatever the method's kind of step; its error is that of the
// method, its position in time that of round-off.
TEST(Event, ComesWhenTheMotionSays) {
  struct Case {
    const char *method, *h;
    std::map<std::string, std::string> settings;
    double within;
  };
  const Case cases[] = {{"gauss(4)", "1/10", {}, 1e-11},
                        {"verner_8", "1", {{"control.tol", "1e-12"}}, 1e-10},
                        {"radau_iia(5)", "1/4", {}, 1e-8},
                        {"lms(3,1/2)", "1/1000", {}, 1e-5}};
  for (const Case& one : cases) {
    SCOPED_TRACE(one.method);
    RunRequest r = oscillator(one.method, one.h, "10");
    r.settings = one.settings;
    r.events = {EventRequest::parse("q=0", "--event", false),
                EventRequest::parse("q=0:falling", "--event", false),
                EventRequest::parse("v_q=1/2:rising", "--event", false)};
    const RunResult result = run(r);
    ASSERT_EQ(result.status, "ok") << result.why;
    std::vector<double> zeros, falling, faster;
    for (const EventFound& event : result.events) {
      auto& list = event.event == "q=0" ? zeros : event.event == "q=0:falling" ? falling : faster;
      list.push_back(std::stod(event.t));
    }
    ASSERT_EQ(zeros.size(), 3U);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(zeros[k], (k + 0.5) * M_PI, one.within);
    ASSERT_EQ(falling.size(), 2U);
    EXPECT_NEAR(falling[1], 2.5 * M_PI, one.within);
    ASSERT_EQ(faster.size(), 2U);  // v = -sin t passes 1/2 upwards at 7π/6 and a turn later
    EXPECT_NEAR(faster[0], 7 * M_PI / 6, one.within);
    EXPECT_NEAR(faster[1], 19 * M_PI / 6, 10 * one.within);
  }
}

TEST(Event, EndsTheRunWithTheStateThere) {
  RunRequest r = oscillator("gauss(4)", "1/10", "10");
  r.history_every = 1;
  r.events = {EventRequest::parse("q=1/2", "--until", true)};
  const RunResult result = run(r);
  ASSERT_EQ(result.status, "ok");
  EXPECT_NEAR(result.t, M_PI / 3, 1e-12);
  EXPECT_NEAR(std::stod(result.q.at(0)), 0.5, 1e-13);
  EXPECT_NEAR(std::stod(result.v.at(0)), -std::sqrt(0.75), 1e-11);
  EXPECT_DOUBLE_EQ(result.history.t.back(), result.t);
  EXPECT_EQ(result.history.t.size(), 12U);  // 0, 0.1, ..., 1.0 and the event
}

// In 50 digits the root is as exact as Newton's iteration.
TEST(Event, IsAsExactAsThePrecision) {
  RunRequest r = oscillator("gauss(8)", "1/10", "2");
  r.precision = Precision::in_real50;
  r.settings = {{"newton.tol", "1e-28"}};
  r.events = {EventRequest::parse("q=0", "--until", true)};
  const RunResult result = run(r);
  ASSERT_EQ(result.status, "ok");
  const real50 off = real50(result.events.at(0).t) - boost::math::constants::half_pi<real50>();
  EXPECT_NEAR(to_double(off), 0, 1e-25);
}

TEST(Event, AtTheStartComesWhenItComesBack) {
  RunRequest r = oscillator("gauss(4)", "1/10", "7");
  r.events = {EventRequest::parse("v_q=0", "--until", true)};  // v = -sin t starts at 0
  const RunResult result = run(r);
  ASSERT_EQ(result.status, "ok");
  EXPECT_NEAR(result.t, M_PI, 1e-10);
}

// A pendulum released at rest with its arm level passes x = 0 after K(1/√2) √(l/g), with l and g
// of problems/pendulum.json: 0.833356916601770585 s. 10 tolerances, and round-off of restarts.
TEST(Event, IsFoundAtEveryToleranceOnConstraints) {
  for (const char* method : {"bdf(4)", "bdf(5)", "radau_iia(3)"})
    for (const char* tolerance : {"1e-6", "1e-9", "1e-12"}) {
      RunRequest r = test::run_request("pendulum", "index2", method, "1/10", "1",
                                       {{"control.tol", tolerance}});
      r.events = {EventRequest::parse("x=0:falling", "--event", false)};
      const RunResult result = run(r);
      ASSERT_EQ(result.status, "ok") << method << " " << tolerance << " " << result.why;
      ASSERT_EQ(result.events.size(), 1U);
      EXPECT_NEAR(std::stod(result.events[0].t), 0.833356916601770585,
                  10 * std::stod(tolerance) + 1e-13)
          << method << " " << tolerance;
    }
}

TEST(Event, ThatNeverComesIsAStatus) {
  RunRequest r = oscillator("gauss(4)", "1/10", "1");
  r.events = {EventRequest::parse("q=2", "--until", true)};
  const RunResult result = run(r);
  EXPECT_EQ(result.status, "no_event");
  EXPECT_THAT(result.why, HasSubstr("q=2 did not come before t = 1"));
  EXPECT_NEAR(result.t, 1, 1e-14);
  r.events = {EventRequest::parse("q=2", "--event", false)};
  EXPECT_EQ(run(r).status, "ok");
}

// On charts, with control, and multipliers: the state at the end has the value that was asked for.
TEST(Event, WatchesAllThatHasAName) {
  RunRequest r =
      test::run_request("heavy_top(coordinates=chart)", "index1", "erk4", "1/1000", "1/5");
  r.events = {EventRequest::parse("x=1/2", "--until", true)};
  RunResult found = run(r);
  ASSERT_EQ(found.status, "ok") << found.why;
  EXPECT_NEAR(std::stod(found.q.at(0)), 0.5, 1e-12);
  r = {};
  r.problem = "pendulum", r.formulation = "ggl", r.method = "radau_iia(3)";
  r.h = Expression::parse("1/50", "h"), r.t_end = Expression::parse("2", "t");
  r.settings = {{"control.tol", "1e-8"}};
  r.events = {EventRequest::parse("lambda_length=10", "--until", true)};
  found = run(r);
  ASSERT_EQ(found.status, "ok") << found.why;
  EXPECT_NEAR(std::stod(found.lambda.at(0)), 10, 1e-6);
}

TEST(Event, RefusesWhatItDoesNotKnow) {
  const RunRequest r = oscillator("gauss(2)", "1/10", "1");
  EXPECT_THAT(refused(r, "z=0"), HasSubstr("accepted: q, v_q"));
  for (const char* text : {"q", "=1", "q=", "q=1/0", "q=x"})
    EXPECT_NE(refused(r, text), "accepted") << text;
}

}  // namespace
}  // namespace daemark
