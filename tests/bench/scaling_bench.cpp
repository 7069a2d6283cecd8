// How the cost of an iteration grows with the size of a mechanism, on index 3; setting up and the
// first step left out:
//   four_bar(N), N = 10 to 1000 loops, h = 1/1000 s, before the singular position at 0.72 s
//   beam_four_bar(elements=N/3), N = 15 to 1500 beam elements of 12 unknowns, h = 1/250 s
//
// Processor time, not wall time. Names read scaling/problem/method. Counters: ns_first, ns_last
// (per loop or element and Newton iteration at the least and the largest size, least of the
// batches; the targets are 400 and 10,000: 0.15 ms for the 15 elements of the paper), exponent (of
// cost over N, least squares; the target is 1.05).
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>

#include "analysis/setup/bound_run.hpp"

namespace daemark {
namespace {

/// Of this process: another load on the machine does not count.
double cpu_ns() { return 1e9 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

struct Family {
  const char *name, *problem, *h, *t_end;
  std::vector<int> sizes;  ///< put into the call of the problem
  int parts;               ///< of a unit of size: what a cost counts for
};

const Family loops = {"four_bar", "four_bar({})", "1/1000", "1", {10, 30, 100, 300, 1000}, 1};
const Family beams = {"beam_four_bar", "beam_four_bar(elements={})", "1/250",
                      "-19",           {5, 15, 50, 150, 500},        3};

RunRequest request_of(const Family& family, int size, const std::string& method) {
  RunRequest request;
  request.problem = fmt::format(fmt::runtime(family.problem), size);
  request.formulation = "index3", request.method = method;
  request.h = Expression::parse(family.h, "h"),
  request.t_end = Expression::parse(family.t_end, "t");
  return request;
}

/// Least time of an iteration [ns], over batches of steps.
double iteration_ns(const Family& family, int size, const std::string& method) {
  const BoundRun setup(request_of(family, size, method));
  BoundSystem<double> cell(setup);
  const State<double> initial = initial_state(setup, cell);
  const auto stepper = setup.method->stepper(cell.target(), setup.settings);
  stepper->start(initial, to_double(setup.h));
  if (stepper->step().status != Status::ok) return std::nan("");
  double best = 1e30;
  for (int batch = 0; batch < 12; ++batch) {
    const long before = stepper->counts().newton_iterations;
    const double begin = cpu_ns();
    for (int i = 0; i < std::clamp(1000 / size, 3, 30); ++i)
      if (stepper->step().status != Status::ok) return std::nan("");
    const double ns = cpu_ns() - begin;
    const auto iterations = static_cast<double>(stepper->counts().newton_iterations - before);
    best = std::min(best, ns / iterations);
  }
  return best;
}

void run_scaling(benchmark::State& bench, const Family& family, const std::string& method) {
  const std::vector<int>& sizes = family.sizes;
  std::vector<double> x, y;
  for ([[maybe_unused]] const auto _ : bench) {
    x.clear(), y.clear();
    for (const int size : sizes) {
      const double ns = iteration_ns(family, size, method);
      if (!(ns > 0)) return bench.SkipWithError("the run fails");
      x.push_back(std::log(size)), y.push_back(std::log(ns));
    }
  }
  double mx = 0, my = 0, xx = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) mx += x[i] / x.size(), my += y[i] / y.size();
  for (std::size_t i = 0; i < x.size(); ++i)
    xx += (x[i] - mx) * (x[i] - mx), xy += (x[i] - mx) * (y[i] - my);
  bench.counters["exponent"] = xy / xx;
  bench.counters["ns_first"] = std::exp(y.front()) / (sizes.front() * family.parts);
  bench.counters["ns_last"] = std::exp(y.back()) / (sizes.back() * family.parts);
}

void add(const Family& family, const std::string& method) {
  try {
    const BoundRun accepted(request_of(family, family.sizes.front(), method));
  } catch (const BadInput&) {
    return;
  }
  benchmark::RegisterBenchmark(
      fmt::format("scaling/{}/{}", family.name, method).c_str(),
      [&family, method](benchmark::State& s) { run_scaling(s, family, method); })
      ->Iterations(1)
      ->Unit(benchmark::kMillisecond);
}

[[maybe_unused]] const bool registered = [] {
  for (const char* method : {"average_acceleration", "hht", "generalized_alpha", "bdf(2)", "lms(2)",
                             "sdirk_2", "esdirk_3_2_4l", "tangent_space(average_acceleration)"})
    add(loops, method);
  for (const char* method : {"lms(2,0)", "esdirk_3_2_4l"}) add(beams, method);
  return true;
}();

}  // namespace
}  // namespace daemark
