#include "analysis/run/measures.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/math/constants/constants.hpp>
#include <cmath>

#include "analysis/run/event.hpp"
#include "analysis/run/run.hpp"
#include "problems/system/registry.hpp"
#include "tests/support/method_bench.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/sample_mechanisms.hpp"

namespace daemark {
namespace {

State<double> pendulum_state(double t, std::vector<double> q, std::vector<double> v,
                             std::vector<double> a, double lambda) {
  State<double> s;
  s.t = t;
  s.y = {q[0], q[1], v[0], v[1], lambda};
  s.rate = {v[0], v[1], a[0], a[1], 0};
  return s;
}

TEST(Measures, AreWhatTheHeaderSays) {
  const auto pendulum = problem_registry().make("pendulum").make<double>();
  const double m = 44.45205, l = 1.9812, g = 9.80665;
  Measures<double> measures(*pendulum);
  measures.observe(pendulum_state(0, {l, 0}, {0, 0}, {0, -g}, 0));
  measures.observe(pendulum_state(0.1, {l, 0.5}, {1, 2}, {3, 4}, 0));
  measures.observe(pendulum_state(0.2, {l, 0}, {0, 0.25}, {0, 0}, 0));
  std::map<std::string, double> values;
  measures.write(values);
  EXPECT_DOUBLE_EQ(values.at("energy_error_max"), m * (1 + 4) / 2 + m * g * 0.5);
  EXPECT_DOUBLE_EQ(values.at("energy_error_final"), m * 0.0625 / 2);
  EXPECT_NEAR(values.at("position_violation_max"), 0.25, 1e-15);
  EXPECT_DOUBLE_EQ(values.at("velocity_violation_max"), 2 * (l * 1 + 0.5 * 2));
  EXPECT_DOUBLE_EQ(values.at("acceleration_violation_max"), 2 * (1 + 4 + l * 3 + 0.5 * 4));
  EXPECT_DOUBLE_EQ(values.at("acceleration_violation_final"), 2 * 0.0625);
  EXPECT_NEAR(values.at("position_violation_final"), 0, 1e-15);
}

// Two rows of a joint moved by 3 and 4 in x and y: 4 is their largest, 5 their Euclidean norm.
TEST(Measures, OfSeveralConstraintsInBothNorms) {
  const auto mechanism = problem_registry().make("two_link").make<double>();
  const int n = mechanism->coordinates(), m = mechanism->constraints();
  ASSERT_EQ(n, 6);
  ASSERT_EQ(m, 4);
  State<double> s;
  s.y.resize(2 * n + m), s.rate.resize(2 * n + m);
  mechanism->initial(s.y.data(), s.y.data() + n);
  s.y[3] += 3, s.y[4] += 4;
  for (const ViolationNorm norm : {ViolationNorm::largest, ViolationNorm::euclidean}) {
    Measures<double> measures(*mechanism, norm);
    measures.observe(s);
    std::map<std::string, double> values;
    measures.write(values);
    EXPECT_NEAR(values.at("position_violation_max"), norm == ViolationNorm::largest ? 4 : 5, 1e-14);
  }
}

TEST(Measures, KeepNaN) {
  const auto pendulum = problem_registry().make("pendulum").make<double>();
  Measures<double> measures(*pendulum);
  measures.observe(pendulum_state(0, {1.9812, 0}, {0, 0}, {0, 0}, 0));
  measures.observe(pendulum_state(0.1, {NAN, 0}, {0, 0}, {0, 0}, 0));
  measures.observe(pendulum_state(0.2, {1.9812, 0}, {0, 0}, {0, 0}, 0));
  std::map<std::string, double> values;
  measures.write(values);
  EXPECT_TRUE(std::isnan(values.at("position_violation_max")));
  EXPECT_FALSE(std::isnan(values.at("position_violation_final")));
}

TEST(Measures, OscillatorHasNoViolations) {
  const auto oscillator = problem_registry().make("oscillator").make<double>();
  Measures<double> measures(*oscillator);
  State<double> s;
  s.y = {1, 0}, s.rate = {0, -1};
  measures.observe(s);
  std::map<std::string, double> values;
  measures.write(values);
  EXPECT_EQ(values.size(), 2u);
  EXPECT_EQ(values.at("energy_error_max"), 0);
}

TEST(Measures, HistoryHoldsWhatWasObservedLast) {
  const auto pendulum = problem_registry().make("pendulum").make<double>();
  Measures<double> measures(*pendulum);
  History history;
  const auto start = pendulum_state(0, {1.9812, 0}, {0, 0}, {0, 0}, 7);
  const auto later = pendulum_state(0.5, {1.9812, 0}, {0, 2}, {0, 0}, 8);
  for (const auto& s : {start, later}) {
    measures.observe(s);
    measures.append_to(history, s);
  }
  EXPECT_EQ(history.t, (std::vector<double>{0, 0.5}));
  EXPECT_EQ(history.q[1], (std::vector<double>{1.9812, 0}));
  EXPECT_EQ(history.lambda, (std::vector<std::vector<double>>{{7}, {8}}));
  EXPECT_DOUBLE_EQ(history.kinetic[1], 44.45205 * 4 / 2);
  EXPECT_DOUBLE_EQ(history.energy_error[1], history.kinetic[1] + history.potential[1]);
}

RunResult driven_by(const std::string& h, const char* method,
                    std::map<std::string, std::string> settings = {}) {
  RunRequest request =
      test::run_request("driven_pendulum", "index1", method, h, "2", std::move(settings));
  request.precision = Precision::in_real50;
  const RunResult result = run(request);
  EXPECT_EQ(result.status, "ok") << result.why;
  return result;
}

/// gauss(6) keeps the energy far better than the work of the drive is integrated: eighth order, and
/// the doubt is of the halves of steps, sixth order, hence above.
TEST(Measures, WorkOfDrivesSaysHowFarItIsKnown) {
  std::vector<double> errors, doubts;
  for (const char* h : {"1/5", "1/10", "1/20"}) {
    const RunResult result = driven_by(h, "gauss(6)");
    errors.push_back(result.measures.at("energy_error_max"));
    doubts.push_back(result.measures.at("work_doubt_max"));
    EXPECT_LT(errors.back(), doubts.back()) << h;
  }
  for (std::size_t i = 1; i < errors.size(); ++i) {
    EXPECT_NEAR(std::log2(errors[i - 1] / errors[i]), 8, 0.3);
    EXPECT_NEAR(std::log2(doubts[i - 1] / doubts[i]), 6, 0.3);
  }
}

/// The work is integrated over the steps, wherever the output points are: at their ends, far apart,
/// or many in a step.
TEST(Measures, WorkIsIntegratedOverTheSteps) {
  for (const char* output : {"ends", "inside"}) {
    for (const char* h : {"2", "1/10", "1/1000"}) {
      const RunResult result =
          driven_by(h, "dormand_prince_5", {{"control.tol", "1e-9"}, {"control.output", output}});
      EXPECT_LT(result.measures.at("energy_error_final"), 1e-8) << output << " " << h;
      EXPECT_LT(result.measures.at("work_doubt_max"), 1e-9) << output << " " << h;
    }
  }
}

/// Rotations on charts: the work of drives is integrated from the power at step ends. Index 1, as
/// the multipliers of index 3, and with them the power, have an order of their own.
TEST(Measures, WorkOnChartsIsOfFourthOrder) {
  const auto error = [](const char* h) {
    RunRequest request = test::run_request("beam_shaft(elements=2,ramps=smooth)", "index1",
                                           "radau_iia(3)", h, "-1/2");
    const RunResult result = run(request);
    EXPECT_EQ(result.status, "ok") << result.why;
    EXPECT_LT(result.measures.at("energy_error_max"), result.measures.at("work_doubt_max"));
    return result.measures.at("energy_error_max");
  };
  EXPECT_NEAR(std::log2(error("1/200") / error("1/400")), 4, 0.3);
}

// When a quantity passes a value: against motions that are known.

using testing::HasSubstr;

RunRequest oscillator(const std::string& method, const std::string& h, const std::string& t_end) {
  return test::run_request("oscillator", "minimal", method, h, t_end);
}

EventRequest event(const std::string& text) { return EventRequest::parse(text, "--event", false); }
EventRequest until(const std::string& text) { return EventRequest::parse(text, "--until", true); }

/// The names of the oscillator's coordinate, from a run that asks for one there is not.
std::string refused(RunRequest r, const std::string& text) {
  return test::refusal([&] {
    r.events = {event(text)};
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
    RunRequest r =
        test::run_request("oscillator", "minimal", one.method, one.h, "10", one.settings);
    r.events = {event("q=0"), event("q=0:falling"), event("v_q=1/2:rising")};
    const RunResult result = run(r);
    ASSERT_EQ(result.status, "ok") << result.why;
    std::vector<double> zeros, falling, faster;
    for (const EventFound& found : result.events) {
      auto& list = found.event == "q=0" ? zeros : found.event == "q=0:falling" ? falling : faster;
      list.push_back(std::stod(found.t));
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
  r.events = {until("q=1/2")};
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
  r.events = {until("q=0")};
  const RunResult result = run(r);
  ASSERT_EQ(result.status, "ok");
  const real50 off = real50(result.events.at(0).t) - boost::math::constants::half_pi<real50>();
  EXPECT_NEAR(to_double(off), 0, 1e-25);
}

TEST(Event, AtTheStartComesWhenItComesBack) {
  RunRequest r = oscillator("gauss(4)", "1/10", "7");
  r.events = {until("v_q=0")};  // v = -sin t starts at 0
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
      r.events = {event("x=0:falling")};
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
  r.events = {until("q=2")};
  const RunResult result = run(r);
  EXPECT_EQ(result.status, "no_event");
  EXPECT_THAT(result.why, HasSubstr("q=2 did not come before t = 1"));
  EXPECT_NEAR(result.t, 1, 1e-14);
  r.events = {event("q=2")};
  EXPECT_EQ(run(r).status, "ok");
}

// On charts, with control, and multipliers: the state at the end has the value that was asked for.
TEST(Event, WatchesAllThatHasAName) {
  RunRequest r =
      test::run_request("heavy_top(coordinates=chart)", "index1", "erk4", "1/1000", "1/5");
  r.events = {until("x=1/2")};
  RunResult found = run(r);
  ASSERT_EQ(found.status, "ok") << found.why;
  EXPECT_NEAR(std::stod(found.q.at(0)), 0.5, 1e-12);
  r = test::run_request("pendulum", "ggl", "radau_iia(3)", "1/50", "2", {{"control.tol", "1e-8"}});
  r.events = {until("lambda_length=10")};
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
