// The tangent-space method on the double four-bar: average acceleration, h = 0.01, 10 s, whole
// runs, the setting up left out.
//
// Names read tangent/FORM/newton.tol, and what it stands beside. Counters: run_ms (least of the
// runs; the targets are 15 for null_space and 10 for bordered), iterations, iteration_us,
// energy_error [J], which must stay below 0.1.
#include <benchmark/benchmark.h>

#include <chrono>

#include "analysis/run/cell_setup.hpp"
#include "analysis/run/run.hpp"
#include "methods/core/integrator.hpp"

namespace daemark {
namespace {

RunRequest request_of(const std::string& method, const char* tolerance) {
  RunRequest request;
  request.problem = "four_bar(2)", request.formulation = "index3", request.method = method;
  request.h = Expression::parse("1/100", "h"), request.t_end = Expression::parse("10", "t");
  request.settings = {{"newton.tol", tolerance}, {"retry", "8"}};
  return request;
}

void run_four_bar(benchmark::State& bench, const RunRequest& request) {
  const CellSetup setup(request);
  CellSystem<double> cell(setup);
  const State<double> initial = initial_state(setup, cell, std::nullopt);
  const auto integrator = make_integrator<double>(*setup.method, cell.target(), setup.settings);
  double best = 1e30;
  long iterations = 0;
  for (auto _ : bench) {
    const long before = integrator->counts().newton_iterations;
    const auto begin = std::chrono::steady_clock::now();
    integrator->start(initial, {0.0, to_double(setup.h), setup.steps});
    for (long i = 0; i < setup.steps; ++i)
      if (integrator->advance().status != Status::ok) return bench.SkipWithError("the run fails");
    best = std::min(
        best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    iterations = integrator->counts().newton_iterations - before;
  }
  bench.counters["run_ms"] = 1e3 * best;
  bench.counters["iterations"] = static_cast<double>(iterations);
  bench.counters["iteration_us"] = 1e6 * best / static_cast<double>(iterations);
  bench.counters["energy_error"] = run(request).measures.at("energy_error_max");
}

[[maybe_unused]] const bool registered = [] {
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
