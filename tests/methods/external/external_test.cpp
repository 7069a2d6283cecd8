// SUNDIALS' solvers in the catalogue: they reach output points, count, refuse and fail cleanly.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "analysis/run/run.hpp"
#include "analysis/setup/bound_run.hpp"
#include "base/text/bad_input.hpp"
#include "methods/catalogue/registry.hpp"
#include "methods/external/external_method.hpp"
#include "tests/support/method_bench.hpp"

namespace daemark {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

RunRequest external_request(const std::string& method, const char* formulation,
                            const char* problem = "two_link") {
  RunRequest r = test::run_request(problem, formulation, method, "1/4", "1");
  r.errors = true;
  return r;
}

bool missing() { return run(external_request("ida(1e-6)", "index1")).status == "not_available"; }

#define NEEDS_SUNDIALS() \
  if (missing()) GTEST_SKIP() << "built without SUNDIALS"

struct Motion {
  double growth = 0;  ///< of a disturbance of y(0): the largest sum of |∂q_i(1)/∂y_j(0)| over j
  double largest = 0;  ///< |y_j| at the start and the end
};

/// The two-link to 1 s, by differences.
Motion motion_of_two_link() {
  test::MethodBench<double> bench("two_link", "index1", "gauss(4)", "1/100", "1");
  const auto end_from = [&](const State<double>& initial) {
    const auto stepper = bench.fresh();
    stepper->start(initial, bench.step());
    for (int i = 0; i < 100; ++i) EXPECT_EQ(stepper->step().status, Status::ok);
    return stepper->state().y;
  };
  const int n = bench.coordinates();
  constexpr double disturbance = 1e-6;
  const std::vector<double> end = end_from(bench.initial);
  std::vector<double> sums(n);
  Motion motion;
  for (int j = 0; j < 2 * n; ++j) {
    State<double> disturbed = bench.initial;
    disturbed.y[j] += disturbance;
    const std::vector<double> moved = end_from(disturbed);
    for (int i = 0; i < n; ++i) sums[i] += std::abs(moved[i] - end[i]) / disturbance;
    motion.largest = std::max({motion.largest, std::abs(bench.initial.y[j]), std::abs(end[j])});
  }
  motion.growth = *std::max_element(sums.begin(), sums.end());
  return motion;
}

// A step leaves at most tol (1 + |y|) in the root mean square over 2 n components, √(2n) times that
// in one; what all steps leave grows no more than what stands at the start.
TEST(External, FollowsTheTolerance) {
  NEEDS_SUNDIALS();
  const Motion motion = motion_of_two_link();
  constexpr double n = 6;
  const double a_step = std::sqrt(2 * n) * (1 + motion.largest) * motion.growth;
  for (const char* form :
       {"ida(%s) index1", "ida(%s) baumgarte(alpha=5,beta=5)", "ida(%s) ggl", "cvode(%s) minimal",
        "cvode(%s) index1", "cvode(%s) elimination", "cvode(%s,bdf) minimal", "arkode(%s) minimal",
        "arkode(%s,fehlberg_13_7_8) index1", "arkode(%s,ark436l2sa_dirk_6_3_4) minimal"}) {
    const std::string text = form;
    const std::size_t blank = text.find(' ');
    double last = 1;
    for (const char* tol : {"1e-4", "1e-6", "1e-8"}) {
      std::string method = text.substr(0, blank);
      method.replace(method.find("%s"), 2, tol);
      const RunResult r = run(external_request(method, text.substr(blank + 1).c_str()));
      ASSERT_EQ(r.status, "ok") << method << ": " << r.why;
      EXPECT_EQ(r.t, 1);
      const double error = r.measures.at("error_q");
      const double steps = static_cast<double>(r.counts.at("steps"));
      EXPECT_LT(error, std::sqrt(n) * a_step * steps * std::stod(tol)) << text;
      EXPECT_LT(error, last / 2) << text << " at " << tol;
      EXPECT_GT(r.counts.at("steps"), 4);
      EXPECT_GE(r.counts.at("residual_evals"), r.counts.at("steps"));
      EXPECT_EQ(r.counts.count("rejected_steps"), 1u);
      last = error;
    }
  }
}

// Where the last stage of a table lies at c = 1 and is not the new state, ERKStep loses its order:
// Verner's pair of order 6 then has an error that falls with the third power of the work.
TEST(External, ArkodeKeepsTheOrderOfItsTables) {
  NEEDS_SUNDIALS();
  for (const char* table : {"verner_8_5_6", "fehlberg_13_7_8"}) {
    const auto result = [&](const char* tol) {
      return run(external_request(fmt::format("arkode({},{})", tol, table), "minimal"));
    };
    const RunResult coarse = result("1e-6"), fine = result("1e-10");
    ASSERT_EQ(fine.status, "ok") << fine.why;
    const auto work = [](const RunResult& r) {
      return static_cast<double>(r.counts.at("residual_evals"));
    };
    const double order = std::log(coarse.measures.at("error_q") / fine.measures.at("error_q")) /
                         std::log(work(fine) / work(coarse));
    EXPECT_GT(order, 5) << table;
  }
}

// Multipliers in the error test took IDA 62,324 steps for the 10 s of the two-link at 1e-10, seven
// times those of the same run without.
TEST(External, IdaLeavesMultipliersOutOfTheErrorTest) {
  NEEDS_SUNDIALS();
  RunRequest r = external_request("ida(1e-10)", "index1");
  r.h = r.t_end = Expression::parse("10", "t");
  const RunResult result = run(r);
  ASSERT_EQ(result.status, "ok") << result.why;
  EXPECT_LT(result.counts.at("steps"), 20000);
  const std::vector<std::string> settings = solver_settings(*method_registry().make("ida"));
  ASSERT_FALSE(settings.empty());
  EXPECT_THAT(settings[0], HasSubstr("IDASetSuppressAlg"));
  EXPECT_TRUE(solver_settings(*method_registry().make("erk4")).empty());
}

// The spacing of output points is hit by steps; a finer one changes little.
// Multipliers of index 3, by which the error test fails: steps of 1e-12 s that go on for ever.
TEST(External, IdaIsStoppedWhereItsStepsVanish) {
  NEEDS_SUNDIALS();
  bool stopped = false;  // at which tolerance it comes to that is a matter of round-off
  for (const char* tol : {"1e-7", "3e-8", "1e-8"}) {
    RunRequest request = external_request(fmt::format("ida({})", tol), "index3", "car_axis");
    request.h = request.t_end;
    const RunResult result = run(request);
    stopped =
        stopped || (result.status == "step_limit" && result.why.starts_with("stopped after") &&
                    result.why.find("so short") != std::string::npos);
    EXPECT_LT(result.counts.at("steps"), most_steps / 2) << tol;
  }
  EXPECT_TRUE(stopped);
}

TEST(External, HitsOutputPoints) {
  NEEDS_SUNDIALS();
  RunRequest r = external_request("ida(1e-8)", "index1");
  r.history_every = 1;
  const RunResult result = run(r);
  EXPECT_EQ(result.history.t, (std::vector<double>{0, 0.25, 0.5, 0.75, 1}));
  for (const double violation : result.history.acceleration_violation) EXPECT_LT(violation, 1e-3);
}

TEST(External, RepeatsItself) {
  NEEDS_SUNDIALS();
  for (const char* method : {"ida(1e-6)", "cvode(1e-6)", "arkode(1e-6)"}) {
    const RunResult a = run(external_request(method, "index1")),
                    b = run(external_request(method, "index1"));
    EXPECT_EQ(a.q, b.q) << method;
    EXPECT_EQ(a.counts, b.counts) << method;
    RunRequest repeated = external_request(method, "index1");
    repeated.repeat = 3;
    EXPECT_EQ(run(repeated).q, a.q) << method;
  }
}

TEST(External, RefusesWithTheReason) {
  const auto refused = [](const RunRequest& r, const char* reason) {
    EXPECT_THAT([&] { run(r); }, ThrowsMessage<BadInput>(HasSubstr(reason)));
  };
  refused(external_request("cvode(1e-6)", "index2"), "ordinary differential equations");
  refused(external_request("arkode(1e-6)", "index3"), "ordinary differential equations");
  refused(external_request("ida(1e-6)", "index1", "heavy_top"), "charts that move on");
  for (const char* tol : {"0", "-1e-6", "1e-17", "1"})
    for (const char* id : {"ida", "cvode", "arkode"})
      refused(external_request(std::string(id) + "(" + tol + ")", "index1"), "1e-14");
  refused(external_request("arkode(1e-6,no_such_table)", "index1"), "dormand_prince_7_4_5");
  RunRequest wide = external_request("ida(1e-6)", "index1");
  wide.precision = Precision::in_real50;
  refused(wide, "double");
  RunRequest controlled = external_request("ida(1e-6)", "index1");
  controlled.settings = {{"control.tol", "1e-6"}};
  refused(controlled, "tol");
}

// As in a build without SUNDIALS: what has no library stays where it starts and says so.
TEST(External, WithoutItsLibraryARunIsNotAvailable) {
  const BoundRun setup(external_request("ida(1e-6)", "index1"));
  BoundSystem<double> cell(setup);
  const State<double> initial = initial_state(setup, cell);
  const auto integrator =
      external_method(ExternalSolver{})->own_integrator(cell.target(), setup.settings);
  integrator->start(initial, {0.0, 0.25, 4});
  EXPECT_EQ(integrator->advance().status, Status::not_available);
  EXPECT_EQ(integrator->state().y, initial.y);
  EXPECT_EQ(integrator->counts().steps, 0);
}

TEST(External, StandsInTheCatalogue) {
  for (const char* id : {"ida", "cvode", "arkode"}) {
    EXPECT_TRUE(method_registry().has(id));
    EXPECT_FALSE(method_registry().make(id)->details().empty() && !missing()) << id;
  }
}

}  // namespace
}  // namespace daemark
