#include "analysis/reference/reference.hpp"

#include <gtest/gtest.h>

#include "base/text/bad_input.hpp"
#include "problems/core/registry.hpp"

namespace daemark {
namespace {

/// Never stored: tests leave results/ alone.
ReferenceState fresh(const std::string& problem, const std::string& t, int digits = 30) {
  return reference_states(problem, {t}, digits, true, false).front();
}

TEST(Reference, AgreesWithTheClosedForm) {
  const ReferenceState s = fresh("pendulum", "3/2");
  EXPECT_GE(s.agreed_digits, 40);
  EXPECT_EQ(s.first_route, "closed form");
  EXPECT_EQ(s.second_route, "Taylor series");
  real50 q[2], v[2], lambda[1];
  problem_registry().make("pendulum").closed_form(real50(3) / 2, q, v, lambda);
  EXPECT_LE(abs(s.q[0] - q[0]), 1e-45);
  EXPECT_LE(abs(s.v[1] - v[1]), 1e-45);
  EXPECT_LE(abs(s.lambda[0] - lambda[0]), 1e-43);
}

TEST(Reference, StartsFromTheInitialValues) {
  const ReferenceState s = fresh("two_link", "0");
  EXPECT_EQ(s.q[0], real50(1) / 4);
  for (const real50& v : s.v) EXPECT_EQ(v, 0);
  EXPECT_EQ(s.first_route, "initial values");
}

TEST(Reference, KeepsTheOrderOfTimesAndTheirText) {
  const auto states = reference_states("oscillator", {"2", "0.5", "1"}, 30, true, false);
  ASSERT_EQ(states.size(), 3u);
  EXPECT_EQ(states[0].t, "2");
  EXPECT_LE(abs(states[0].q[0] - cos(real50(2))), 1e-45);
  EXPECT_LE(abs(states[1].q[0] - cos(real50(0.5))), 1e-45);
  EXPECT_LE(abs(states[2].v[0] + sin(real50(1))), 1e-45);
  EXPECT_TRUE(states[0].lambda.empty());
}

TEST(Reference, RefusesWhatItCannotCompute) {
  const auto call = [](const std::string& problem, const std::string& t, int digits) {
    return reference_states(problem, {t}, digits, true, false);
  };
  EXPECT_THROW(call("no_problem", "1", 30), BadInput);
  EXPECT_THROW(call("oscillator", "-1", 30), BadInput);
  EXPECT_THROW(call("oscillator", "sqrt(2)", 30), BadInput);
  EXPECT_THROW(call("oscillator", "now", 30), BadInput);
  EXPECT_THROW(call("oscillator", "1", 0), BadInput);
  EXPECT_THROW(call("oscillator", "1", 49), BadInput);
}

}  // namespace
}  // namespace daemark
