// The tangent-space method on the double four-bar: average acceleration, h = 0.01, 10 s, whole
// runs, the setting up left out.
//
// Names read tangent/FORM/newton.tol, and what it stands beside. Counters: run_ms (least of the
// runs; the targets are 15 for null_space and 10 for bordered), iterations, iteration_us,
// energy_error [J], which must stay below 0.1.
//
// cost/PROBLEM/FORMULA: a step of the bordered tangent space beside one of the classical index-3
// form with the same formula and step size, runs in turn. Counters: classical_us and tangent_us a
// step (least of the runs), ratio. What does not depend on the machine of it is the item
// fernandez2021/cost.
#include <benchmark/benchmark.h>

#include <chrono>

#include "analysis/run/run.hpp"
#include "analysis/setup/bound_run.hpp"
#include "methods/loop/integrator.hpp"
#include "tests/support/method_bench.hpp"

namespace daemark {
namespace {

RunRequest request_of(const std::string& method, const char* tolerance) {
  return test::run_request("four_bar(2)", "index3", method, "1/100", "10",
                           {{"newton.tol", tolerance}, {"retry", "8"}});
}

/// One integrator and what its runs need.
struct Runner {
  explicit Runner(const RunRequest& request)
      : setup(request),
        cell(setup),
        initial(initial_state(setup, cell)),
        integrator(make_integrator<double>(*setup.method, cell.target(), setup.settings)) {}

  /// Seconds a step of one run, negative where it fails.
  double step_seconds() {
    const auto begin = std::chrono::steady_clock::now();
    integrator->start(initial, {0.0, to_double(setup.h), setup.steps});
    for (long i = 0; i < setup.steps; ++i)
      if (integrator->advance().status != Status::ok) return -1;
    const std::chrono::duration<double> all = std::chrono::steady_clock::now() - begin;
    return all.count() / static_cast<double>(setup.steps);
  }

  BoundRun setup;
  BoundSystem<double> cell;
  State<double> initial;
  std::unique_ptr<Integrator<double>> integrator;
};

void run_four_bar(benchmark::State& bench, const RunRequest& request) {
  Runner runner(request);
  const auto steps = static_cast<double>(runner.setup.steps);
  double best = 1e30;
  long iterations = 0;
  for ([[maybe_unused]] const auto _ : bench) {
    const long before = runner.integrator->counts().newton_iterations;
    const double seconds = steps * runner.step_seconds();
    if (seconds < 0) return bench.SkipWithError("the run fails");
    best = std::min(best, seconds);
    iterations = runner.integrator->counts().newton_iterations - before;
  }
  bench.counters["run_ms"] = 1e3 * best;
  bench.counters["iterations"] = static_cast<double>(iterations);
  bench.counters["iteration_us"] = 1e6 * best / static_cast<double>(iterations);
  bench.counters["energy_error"] = run(request).measures.at("energy_error_max");
}

struct CostCase {
  const char *problem, *inner, *h, *t_end, *tolerance;
};

void run_cost(benchmark::State& bench, const CostCase& what) {
  RunRequest request = test::run_request(what.problem, "index3", what.inner, what.h, what.t_end,
                                         {{"newton.tol", what.tolerance}});
  Runner classical(request);
  request.method = std::string("tangent_space(") + what.inner + ")";
  Runner tangent(request);
  double least[] = {1e30, 1e30};
  for ([[maybe_unused]] const auto _ : bench) {
    const double seconds[] = {classical.step_seconds(), tangent.step_seconds()};
    for (int k = 0; k < 2; ++k) {
      if (seconds[k] < 0) return bench.SkipWithError("the run fails");
      least[k] = std::min(least[k], seconds[k]);
    }
  }
  bench.counters["classical_us"] = 1e6 * least[0];
  bench.counters["tangent_us"] = 1e6 * least[1];
  bench.counters["ratio"] = least[1] / least[0];
}

constexpr const char* kAlpha = "generalized_alpha(rho=4/5)";
constexpr CostCase kCosts[] = {
    {"driven_pendulum(T0=0.1)", "average_acceleration", "1/10", "200", "1e-10"},
    {"double_pendulum", kAlpha, "1/1000", "1", "1e-10"},
    {"andrews_squeezer(start=iftomm)", kAlpha, "1/100000", "1/20", "1e-4"},
    {"four_bar(2)", kAlpha, "1/100", "2", "1e-10"},
    {"four_bar(100)", kAlpha, "1/1000", "1/10", "1e-10"}};

[[maybe_unused]] const bool registered = [] {
  for (const CostCase& what : kCosts)
    benchmark::RegisterBenchmark((std::string("cost/") + what.problem + "/" + what.inner).c_str(),
                                 [=](benchmark::State& s) { run_cost(s, what); })
        ->MinTime(0.3)
        ->Unit(benchmark::kMillisecond);
  for (const char* method :
       {"tangent_space(average_acceleration,bordered)",
        "tangent_space(average_acceleration,null_space)", "augmented_lagrangian", "hht"})
    for (const char* tolerance : {"1e-6", "1e-10"}) {
      const RunRequest request = request_of(method, tolerance);
      benchmark::RegisterBenchmark((std::string("tangent/") + method + "/" + tolerance).c_str(),
                                   [=](benchmark::State& s) { run_four_bar(s, request); })
          ->MinTime(0.3)
          ->Unit(benchmark::kMillisecond);
    }
  return true;
}();

}  // namespace
}  // namespace daemark
