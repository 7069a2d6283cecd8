// The horizon of a motion, by double runs that part, and by motions whose growth is known.
#include "analysis/variation/horizon.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "analysis/run/run.hpp"
#include "analysis/setup/bound_run.hpp"
#include "base/text/bad_input.hpp"
#include "tests/support/method_bench.hpp"

namespace daemark {
namespace {

/// A chaotic motion: a problem, with another number in place of one of its data.
struct ChaoticMotion {
  std::string problem;
  std::string datum = "";
  std::size_t number = 0;
  std::string value = "";

  Problem make() const {
    if (datum.empty()) return problem_registry().make(problem);
    return problem_registry().make(problem, DatumChange{datum, number, StatedNumber(value)});
  }
};

History double_run(const ChaoticMotion& motion, const std::string& method, const std::string& h,
                   long every, double t_end) {
  RunRequest request =
      test::run_request(motion.problem, "index1", method, h, fmt::format("{}", std::floor(t_end)));
  request.history_every = every;
  return run(BoundRun(request, motion.make())).history;
}

/// The first time at which the runs differ by `limit`, relative as in the horizon.
double parting(const MechanicalSystem<double>& system, const History& a, const History& b,
               double limit) {
  const int n = system.coordinates();
  const std::size_t rows = std::min(a.t.size(), b.t.size());
  const auto scale = [&](int i, const std::vector<std::vector<double>>& values) {
    double largest = 0;
    for (int j = 0; j < n; ++j)
      if (system.coordinate_units()[j] == system.coordinate_units()[i])
        for (std::size_t k = 0; k < rows; ++k) largest = std::max(largest, std::abs(values[k][j]));
    return largest;
  };
  double first = INFINITY;
  for (int i = 0; i < n; ++i) {
    const double q = scale(i, a.q), v = scale(i, a.v);
    for (std::size_t k = 0; k < rows && a.t[k] < first; ++k)
      if (std::abs(a.q[k][i] - b.q[k][i]) > limit * q ||
          std::abs(a.v[k][i] - b.v[k][i]) > limit * v)
        first = a.t[k];
  }
  return first;
}

// Runs of two methods with steps at which their truncation errors are below round-off: they differ
// by the errors of both, standard deviation √2 that of one. At 10^-2 errors have grown by about
// e^30: parting within 10 % allows for a factor of 20 in what random errors and the roundings in a
// step of each method are.
TEST(Horizon, TellsWhenDoubleRunsPart) {
  std::vector<ChaoticMotion> motions;
  for (const int n : {2, 3, 4, 5, 6}) motions.push_back({fmt::format("chain(n={})", n)});
  for (const int n : {6, 7, 8}) motions.push_back({fmt::format("chain(n={},ends=closed)", n)});
  for (const char* angle : {"1/2", "pi/3", "3/2", "2", "5/2", "3"})
    motions.push_back({"two_link", "theta1(0), theta2(0)", 0, angle});
  for (const char* angle : {"0", "1/2", "pi/2"})
    motions.push_back({"two_link", "theta1(0), theta2(0)", 1, angle});
  for (const char* mass : {"1/2", "1", "4"}) motions.push_back({"two_link", "m1, m2", 1, mass});
  ASSERT_EQ(motions.size(), 20u);
  for (const ChaoticMotion& motion : motions) {
    SCOPED_TRACE(motion.problem + " " + motion.datum + " " + motion.value);
    HorizonRequest request;
    request.t_end = 60, request.h = 1.0 / 1600, request.data = false;
    const double digits = 2;
    const auto told = horizon(motion.make(), request).in_double(digits + std::log10(2) / 2);
    ASSERT_TRUE(told);
    const auto system = motion.make().make<double>();
    const History a = double_run(motion, "prince_dormand_8", "1/1600", 32, *told * 1.2 + 1);
    const History b = double_run(motion, "gauss(6)", "1/800", 16, *told * 1.2 + 1);
    EXPECT_NEAR(parting(*system, a, b, std::pow(10, -digits)) / *told, 1, 0.1);
  }
}

// The phase of a pendulum is off by a share of the time that passed.
TEST(Horizon, ErrorsOfAPendulumGrowLinearly) {
  const Problem pendulum = problem_registry().make("pendulum");
  const Horizon found = horizon(pendulum, {40});
  EXPECT_EQ(found.ended, "");
  EXPECT_EQ(found.reached, 40);
  EXPECT_FALSE(found.in_double(12));
  // Over whole periods, of which there are several in each span.
  const auto largest = [&](double from, double to) {
    double most = 0;
    for (const Horizon::Sample& s : found.samples)
      if (s.t >= from && s.t <= to) most = std::max(most, s.of_data);
    return most;
  };
  EXPECT_NEAR(largest(30, 40) / largest(10, 20), 2, 0.2);
  // Three digits more in the data, three digits more at the same time.
  EXPECT_EQ(found.of_data(9, 6), found.of_data(6, 3));
}

TEST(Horizon, RefusesTimesBeforeTheStart) {
  EXPECT_THROW(horizon(problem_registry().make("pendulum"), {0}), BadInput);
}

}  // namespace
}  // namespace daemark
