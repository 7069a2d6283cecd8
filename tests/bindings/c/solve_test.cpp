// daemark_solve: methods of the catalogue on systems of another program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "bindings/c/daemark.h"

namespace daemark {
namespace {

using ::testing::HasSubstr;
using Vector = std::vector<double>;

/// y' = −2 t y, z = y² (algebraic): y = e^(−t²), which no method integrates without error.
int bell(double t, const double* y, const double* yp, double* r, void*) {
  r[0] = yp[0] + 2 * t * y[0];
  r[1] = y[1] - y[0] * y[0];
  return 0;
}
int bell_jacobian(double t, double cj, const double* y, const double*, double* J, void*) {
  J[0] = cj + 2 * t, J[1] = 0;
  J[2] = -2 * y[0], J[3] = 1;
  return 0;
}
constexpr std::array<int, 2> bell_kinds = {1, 0};
const daemark_system bell_system = {2, 1, bell_kinds.data(), bell, nullptr, nullptr};

/// Error of y and z at t = 1, from guesses of z and y' that are not consistent.
double bell_error(const char* method, int points, const char* settings = nullptr,
                  const daemark_system& system = bell_system, long* counts = nullptr) {
  Vector y = {1, 0.5}, yp = {0.5, 0};
  EXPECT_EQ(
      daemark_solve(&system, method, settings, 0, 1, points, y.data(), yp.data(), nullptr, counts),
      0)
      << method << ": " << daemark_last_error();
  return std::max(std::abs(y[0] - std::exp(-1.0)), std::abs(y[1] - std::exp(-2.0)));
}

TEST(Solve, MethodsHaveTheirOrdersOnAForeignSystem) {
  const std::vector<std::pair<const char*, int>> orders = {
      {"erk4", 4},   {"radau_iia(2)", 3}, {"gauss(2)", 4},
      {"bdf(2)", 2}, {"trapezoidal", 2},  {"esdirk_4_3_6l", 4}};
  for (const auto& [method, order] : orders) {
    const double slope = std::log2(bell_error(method, 20) / bell_error(method, 40));
    EXPECT_NEAR(slope, order, 0.35) << method;
  }
}

TEST(Solve, StepsAreChosenByTheTolerance) {
  for (const char* method : {"dormand_prince_5", "esdirk_4_3_6l", "bdf(3)"}) {
    EXPECT_LT(bell_error(method, 1, "control.tol=1e-8"), 1e-6) << method;
    EXPECT_GT(bell_error(method, 1, "control.tol=1e-3"), bell_error(method, 1, "control.tol=1e-8"))
        << method;
  }
}

TEST(Solve, TheJacobianIsTheSystemsOwnOrByDifferences) {
  daemark_system own = bell_system;
  own.jacobian = bell_jacobian;
  std::array<long, 6> counts{}, with{};
  const double error = bell_error("gauss(3)", 10, nullptr, bell_system, counts.data());
  const double same = bell_error("gauss(3)", 10, nullptr, own, with.data());
  EXPECT_LT(error, 1e-8);
  EXPECT_NEAR(error, same, 1e-12);
  EXPECT_EQ(counts[0], 10);
  EXPECT_EQ(counts[2], with[2]);
  EXPECT_GT(with[4], 0);
}

/// A mechanism of the catalogue as if it were a foreign system.
int of_problem(double t, const double* y, const double* yp, double* r, void* user) {
  return daemark_residual(static_cast<daemark_problem*>(user), t, y, yp, r);
}

// Radau IIA of order 5 with h = 1/50: h^5 = 3e-9 times derivatives of some hundred.
TEST(Solve, MechanismsOfEveryIndexEndAtTheirReference) {
  struct Case {
    const char *problem, *formulation;
    int index;
    double most;
  };
  for (const Case& c :
       {Case{"pendulum", "index1", 1, 1e-7}, Case{"pendulum", "index2", 2, 1e-7},
        Case{"pendulum", "index3", 3, 1e-6}, Case{"two_link", "minimal", 0, 1e-6}}) {
    daemark_problem* const p = daemark_open(c.problem, c.formulation);
    ASSERT_NE(p, nullptr) << daemark_last_error();
    int n = 0, size = 0, n_ref = 0;
    daemark_sizes(p, &n, nullptr, &size);
    daemark_reference_size(p, &n_ref);
    Vector y(size), yp(size), q(n_ref), v(n_ref);
    std::vector<int> kinds(size);
    daemark_kinds(p, kinds.data(), nullptr);
    double t = 0;
    daemark_initial(p, &t, y.data(), yp.data());
    const daemark_system system = {size, c.index, kinds.data(), of_problem, nullptr, p};
    EXPECT_EQ(daemark_solve(&system, "radau_iia(3)", nullptr, t, 1, 50, y.data(), yp.data(),
                            nullptr, nullptr),
              0)
        << c.formulation << ": " << daemark_last_error();
    Vector got_q(n_ref), got_v(n_ref);
    daemark_to_reference(p, y.data(), y.data() + n, got_q.data(), got_v.data());
    int digits = 0;
    EXPECT_EQ(daemark_reference(p, 1, q.data(), v.data(), nullptr, &digits), 0)
        << daemark_last_error();
    EXPECT_GT(digits, 15);
    for (int i = 0; i < n_ref; ++i) EXPECT_NEAR(got_q[i], q[i], c.most) << c.formulation;
    daemark_close(p);
  }
}

TEST(Solve, OutputPointsAreHitAndMayStopTheWork) {
  struct Seen {
    std::vector<double> t;
    std::size_t most;
  };
  const auto keep = [](double t, const double*, const double*, void* user) {
    auto& seen = *static_cast<Seen*>(user);
    seen.t.push_back(t);
    return seen.t.size() < seen.most ? 0 : -1;
  };
  daemark_system system = bell_system;
  Seen seen{{}, 100};
  system.user = &seen;
  Vector y = {1, 1}, yp = {0, 0};
  EXPECT_EQ(daemark_solve(&system, "erk4", nullptr, 0, 1, 4, y.data(), yp.data(), keep, nullptr),
            0);
  EXPECT_EQ(seen.t, (std::vector<double>{0, 0.25, 0.5, 0.75, 1}));
  seen = {{}, 3};
  y = {1, 1};
  EXPECT_EQ(daemark_solve(&system, "erk4", nullptr, 0, 1, 4, y.data(), yp.data(), keep, nullptr),
            DAEMARK_STOPPED);
  EXPECT_THAT(daemark_last_error(), HasSubstr("stopped after 1 of 4 output points"));
}

TEST(Solve, WhatCannotBeEvaluatedFailsTheStep) {
  const daemark_system system = {1,
                                 0,
                                 nullptr,
                                 [](double t, const double*, const double* yp, double* r, void*) {
                                   r[0] = yp[0] - 1;
                                   return t > 0.5 ? 1 : 0;
                                 },
                                 nullptr,
                                 nullptr};
  double y = 0, yp = 0;
  EXPECT_EQ(daemark_solve(&system, "gauss(2)", nullptr, 0, 1, 4, &y, &yp, nullptr, nullptr),
            DAEMARK_NOT_FINITE);
  EXPECT_THAT(daemark_last_error(), HasSubstr("in the step from t = 0.5"));
  EXPECT_EQ(y, 0.5);
}

TEST(Solve, RefusalsNameWhatIsAccepted) {
  const auto refused = [](const daemark_system& system, const char* method, const char* settings,
                          double t_end = 1, int points = 1) {
    Vector y = {1, 1}, yp = {0, 0};
    EXPECT_LT(daemark_solve(&system, method, settings, 0, t_end, points, y.data(), yp.data(),
                            nullptr, nullptr),
              0);
    return std::string(daemark_last_error());
  };
  EXPECT_THAT(refused(bell_system, "gaus(2)", nullptr), HasSubstr("did you mean 'gauss'"));
  EXPECT_THAT(refused(bell_system, "newmark", nullptr), HasSubstr("method newmark: "));
  EXPECT_THAT(refused(bell_system, "erk4", "control.tol=1e-6"), HasSubstr("no embedded formula"));
  EXPECT_THAT(refused(bell_system, "gauss(2)", "newton.tol"), HasSubstr("accepted: KEY=VALUE"));
  EXPECT_THAT(refused(bell_system, "gauss(2)", "new.tol=1"), HasSubstr("new.tol"));
  EXPECT_THAT(refused(bell_system, "gauss(2)", nullptr, -1), HasSubstr("accepted: t_end > t"));
  EXPECT_THAT(refused(bell_system, "gauss(2)", nullptr, 1, 0), HasSubstr("one or more"));
  daemark_system other = bell_system;
  other.index = 4;
  EXPECT_THAT(refused(other, "gauss(2)", nullptr), HasSubstr("index 0 to 3"));
  other.index = 2;
  other.residual = [](double, const double* y, const double* yp, double* r, void*) {
    r[0] = yp[0] - y[1], r[1] = y[0] - 3;
    return 0;
  };
  EXPECT_THAT(refused(other, "radau_iia(2)", nullptr), HasSubstr("violates F = 0 by 2"));
  other.residual = nullptr;
  EXPECT_THAT(refused(other, "gauss(2)", nullptr), HasSubstr("system is NULL"));
}

}  // namespace
}  // namespace daemark
