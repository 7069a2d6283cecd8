// Balls contain what is known otherwise, and exclude what is nearly the same.
#include <gtest/gtest.h>

#include <cmath>

#include "analysis/enclosure/matrices.hpp"
#include "analysis/enclosure/proved_reference.hpp"
#include "analysis/reference/reference_store.hpp"
#include "tests/problems/files/mechanism_file_fixture.hpp"

namespace daemark {
namespace {

ComplexBall complex_ball(double re, double im, double radius) {
  ComplexBall z;
  acb_set_d_d(z.raw(), re, im);
  add_error(z, radius);
  return z;
}

TEST(Enclosure, NoFunctionHasAValueOnItsBranchCut) {
  EXPECT_FALSE(sqrt(complex_ball(-1, 0, 0.1)).finite());
  EXPECT_FALSE(log(complex_ball(-1, 0, 0.1)).finite());
  EXPECT_FALSE(asin(complex_ball(1.05, 0, 0.1)).finite());
  EXPECT_FALSE(acos(complex_ball(-1, 0, 0.1)).finite());
  EXPECT_FALSE(atan(complex_ball(0, 1.5, 0.1)).finite());
  EXPECT_FALSE(atan2(complex_ball(0, 0, 0.1), complex_ball(-1, 0, 0.1)).finite());
  EXPECT_TRUE(sqrt(complex_ball(1, 0, 0.5)).finite());
  EXPECT_TRUE(asin(complex_ball(0.5, 0, 0.1)).finite());
  EXPECT_TRUE(atan(complex_ball(3, 0, 0.5)).finite());
  EXPECT_TRUE(atan2(complex_ball(0.2, 0, 0.1), complex_ball(1, 0, 0.1)).finite());
}

ProvedState proved(const std::string& problem, const std::string& t, int digits) {
  return proved_states(problem_registry().make(problem), {Expression::parse(t, "t")}, digits)
      .front();
}

void expect_closed_form(const Problem& problem, const std::string& t, int digits) {
  const ProvedState state = proved_states(problem, {Expression::parse(t, "t")}, digits).front();
  EXPECT_GE(state.digits, digits);
  std::vector<real50> q(state.q.size()), v(q.size()), lambda(problem.make<real50>()->constraints());
  problem.closed_form(Expression::parse(t, "t").eval<real50>(), q.data(), v.data(), lambda.data());
  EXPECT_TRUE(contains(state, q, v, lambda, 48));
  if (state.lambda.empty()) lambda.clear();
  const real50 off = pow(real50(10), 2 - digits);
  for (auto* numbers : {&q, &v, &lambda})
    for (real50& x : *numbers) {
      x += off * std::max(real50(1), abs(x));
      EXPECT_FALSE(contains(state, q, v, lambda, 48));
      x -= off * std::max(real50(1), abs(x));
    }
}

TEST(Enclosure, ContainsAClosedForm) {
  expect_closed_form(problem_registry().make("oscillator"), "3", 40);
  expect_closed_form(problem_registry().make("pendulum"), "2", 35);
}

// Integrated in quaternions, shown as a rotation vector, whose branch is certain here.
TEST(Enclosure, ContainsAClosedFormThatAnotherModelShows) {
  const Problem problem = problem_registry().make("free_rigid_body");
  expect_closed_form(problem, "1/4", 35);
  EXPECT_THROW(proved_states(problem, {Expression::parse("0", "t")}, 20), EnclosureFailure);
}

class EnclosureOfFile : public test::MechanismFile {};

// The pendulum of the catalogue; its λ is that of x² + y² − l², the derivative 2 l of which is left
// out.
TEST_F(EnclosureOfFile, ContainsAClosedFormOnAConstraintWithARoot) {
  expect_closed_form(read(R"({'id': 'mine', 'kind': 'equations', 'source': 'test',
    'data': [{'name': 'm', 'value': '3/2', 'unit': 'kg'}, {'name': 'l', 'value': 2, 'unit': 'm'},
             {'name': 'g', 'value': '9.81', 'unit': 'm/s^2'}],
    'start': '1/2',
    'coordinates': [{'name': 'x', 'unit': 'm', 'start': 'l'}, {'name': 'y', 'unit': 'm'}],
    'kinetic': 'm*(x`^2 + y`^2)/2', 'potential': 'm*g*y',
    'constraints': [{'name': 'force', 'unit': 'm', 'position': 'sqrt(x^2 + y^2) - l'}],
    'solution': [
      {'name': 'w', 'value': 'sqrt(g/l)'},
      {'name': 's', 'value': 'sn(w*(t - 1/2), sqrt(1/2))'},
      {'name': 'c', 'value': 'cn(w*(t - 1/2), sqrt(1/2))'},
      {'name': 'd', 'value': 'dn(w*(t - 1/2), sqrt(1/2))'},
      {'name': 'x', 'value': 'l*c/d^2'}, {'name': 'y', 'value': '-l/2*s^2/d^2'},
      {'name': 'x`', 'value': 'l*w*s*(c^2 - d^2)/d^3'}, {'name': 'y`', 'value': '-l*w*s*c/d^3'},
      {'name': 'force', 'value': '-3*m*g*y/l'}]})"),
                     "2", 35);
}

// Three rows of rank 2, the first two of which depend on each other at the start alone, t = 1.
TEST_F(EnclosureOfFile, IndependentRowsAreThoseOfTheStart) {
  expect_closed_form(read(R"({'id': 'mine', 'kind': 'equations', 'source': 'test', 'start': 1,
    'data': [{'name': 'k', 'value': 4, 'unit': 'N/m'}],
    'coordinates': [{'name': 'x', 'unit': 'm'}, {'name': 'y', 'unit': 'm'},
                    {'name': 'z', 'unit': 'm', 'velocity': 2}],
    'kinetic': '(x`^2 + y`^2 + z`^2)/2', 'potential': 'k*z^2/2', 'redundant': 1,
    'constraints': [{'name': 'a', 'unit': 'm', 'position': 'y'},
                    {'name': 'b', 'unit': 'm', 'position': 'y + (t - 1)*x'},
                    {'name': 'c', 'unit': 'm', 'position': 'x'}],
    'solution': [{'name': 'w', 'value': 'sqrt(k)'},
      {'name': 'x', 'value': 0}, {'name': 'y', 'value': 0}, {'name': 'z', 'value': 'sin(w*(t - 1))'},
      {'name': 'x`', 'value': 0}, {'name': 'y`', 'value': 0},
      {'name': 'z`', 'value': 'w*cos(w*(t - 1))'},
      {'name': 'a', 'value': 0}, {'name': 'b', 'value': 0}, {'name': 'c', 'value': 0}]})"),
                     "3/2", 30);
}

struct Case {
  const char *problem, *t;
};
class StoredReferences : public testing::TestWithParam<Case> {};

// What two other programs agree on to 45 digits, and the same with one digit changed.
TEST_P(StoredReferences, LieInTheirBallsAndChangedOnesDoNot) {
  const auto& [name, t] = GetParam();
  const ProvedState state = proved(name, t, 20);
  EXPECT_GE(state.digits, 20);
  const Problem problem = problem_registry().make(name);
  const ReferenceState known = reference_states(problem, {t}, standard_digits).front();
  EXPECT_TRUE(contains(state, known.q, known.v, known.lambda, known.agreed_digits));
  for (std::size_t i = 0; i < known.q.size(); ++i) {
    ReferenceState changed = known;
    changed.q[i] += real50("1e-17") * std::max(real50(1), abs(known.q[i]));
    EXPECT_FALSE(contains(state, changed.q, changed.v, changed.lambda, known.agreed_digits)) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Enclosure, StoredReferences,
                         testing::Values(Case{"driven_pendulum(T0=5,theta0=0)", "1"},
                                         Case{"two_link", "1/2"}, Case{"slider_crank", "1/5"},
                                         Case{"car_axis", "1/10"},
                                         Case{"four_bar(loops=2,coordinates=absolute)", "1/2"}));

TEST(Enclosure, DependentConstraintsLeaveMultipliersOut) {
  const ProvedState state = proved("bricard", "1/50", 20);
  EXPECT_GE(state.digits, 20);
  EXPECT_TRUE(state.lambda.empty());
}

TEST(Enclosure, WhatIsNoNumberContainsNothing) {
  ProvedState state = proved("oscillator", "1", 20);
  const std::vector<real50> q = {middle(state.q[0])}, v = {middle(state.v[0])}, none;
  EXPECT_TRUE(contains(state, q, v, none, 50));
  EXPECT_FALSE(contains(state, q, none, none, 50));
  EXPECT_FALSE(contains(state, {real50("nan")}, v, none, 50));
  arf_nan(arb_midref(state.v[0].raw()));
  EXPECT_FALSE(contains(state, q, v, none, 50));
}

TEST(Enclosure, TextsEncloseTheBall) {
  RealBall x = ball_of(rational(1, 3));
  add_error(x, 1e-9);
  const auto [centre, spread] = ball_texts(x, 12);
  EXPECT_EQ(centre, "0.333333333333");
  const real50 low = real50(centre) - real50(spread), high = real50(centre) + real50(spread);
  EXPECT_LT(low, middle(x) - radius(x) + real50("1e-30"));
  EXPECT_GT(high, middle(x) + radius(x) - real50("1e-30"));
  EXPECT_LT(real50(spread), real50("1.1e-9"));
  for (const auto& [exact, text] : {std::pair(0.5, "0.5"), {-3.0, "-3"}, {0.0, "0"}})
    EXPECT_EQ(ball_texts(ball_of(exact), 40), (std::pair<std::string, std::string>(text, "0")));
  const auto [rounded, rest] = ball_texts(ball_of(123456.0), 3);
  EXPECT_EQ(rounded, "1.23e+05");
  EXPECT_GE(real50(rest), 456);
  EXPECT_NE(ball_texts(ball_of(0.1), 50).second, "0") << "more digits than are written";
  EXPECT_EQ(ball_texts(ball_of(0.1), 50).first.substr(0, 20), "0.100000000000000005");
}

}  // namespace
}  // namespace daemark
