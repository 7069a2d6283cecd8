// How the cost of an iteration grows with the size of a mechanism: four_bar(N) on index 3, N = 10
// to 1000, h = 1/1000 s from the start, before the singular position at 0.72 s; setting up and the
// first step left out.
//
// Processor time, not wall time. Names read scaling/method. Counters: ns_10, ns_1000 (per loop and
// Newton iteration, least of the batches; the target is 400), exponent (of cost over N, least
// squares; the target is 1.05).
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>

#include "analysis/run/cell_setup.hpp"

namespace daemark {
namespace {

/// Of this process: another load on the machine does not count.
double cpu_ns() { return 1e9 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

RunRequest request_of(int loops, const std::string& method) {
  RunRequest request;
  request.problem = fmt::format("four_bar({})", loops);
  request.formulation = "index3", request.method = method;
  request.h = Expression::parse("1/1000", "h"), request.t_end = Expression::parse("1", "t");
  return request;
}

/// Least time of an iteration [ns], over batches of steps.
double iteration_ns(int loops, const std::string& method) {
  const CellSetup setup(request_of(loops, method));
  CellSystem<double> cell(setup);
  const State<double> initial = initial_state(setup, cell, std::nullopt);
  const auto stepper = setup.method->stepper(cell.target(), setup.settings);
  stepper->start(initial, to_double(setup.h));
  if (stepper->step().status != Status::ok) return std::nan("");
  double best = 1e30;
  for (int batch = 0; batch < 12; ++batch) {
    const long before = stepper->counts().newton_iterations;
    const double begin = cpu_ns();
    for (int i = 0; i < std::clamp(1000 / loops, 3, 30); ++i)
      if (stepper->step().status != Status::ok) return std::nan("");
    const double ns = cpu_ns() - begin;
    const auto iterations = static_cast<double>(stepper->counts().newton_iterations - before);
    best = std::min(best, ns / iterations);
  }
  return best;
}

void run_scaling(benchmark::State& bench, const std::string& method) {
  const std::vector<int> sizes = {10, 30, 100, 300, 1000};
  std::vector<double> x, y;
  for (auto _ : bench) {
    x.clear(), y.clear();
    for (const int loops : sizes) {
      const double ns = iteration_ns(loops, method);
      if (!(ns > 0)) return bench.SkipWithError("the run fails");
      x.push_back(std::log(loops)), y.push_back(std::log(ns));
    }
  }
  double mx = 0, my = 0, xx = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) mx += x[i] / x.size(), my += y[i] / y.size();
  for (std::size_t i = 0; i < x.size(); ++i)
    xx += (x[i] - mx) * (x[i] - mx), xy += (x[i] - mx) * (y[i] - my);
  bench.counters["exponent"] = xy / xx;
  bench.counters["ns_10"] = std::exp(y.front()) / sizes.front();
  bench.counters["ns_1000"] = std::exp(y.back()) / sizes.back();
}

[[maybe_unused]] const bool registered = [] {
  for (const char* method : {"average_acceleration", "hht", "generalized_alpha", "bdf(2)", "lms(2)",
                             "sdirk_2", "esdirk_3_2_4l", "tangent_space(average_acceleration)"}) {
    try {
      const CellSetup accepted(request_of(1, method));
    } catch (const BadInput&) {
      continue;
    }
    benchmark::RegisterBenchmark((std::string("scaling/") + method).c_str(),
                                 [method](benchmark::State& s) { run_scaling(s, method); })
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
  }
  return true;
}();

}  // namespace
}  // namespace daemark
