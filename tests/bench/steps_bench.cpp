// Cost of a step and of a Newton iteration of every method on two_link, beside its bound:
// iterations × (residual + Jacobian + LU of the stage systems), each part timed alone.
//
// Names read method/formulation. Counters: step_ns, iteration_ns, bound_ns (of a step), over_bound.
// Extended precision has rows of its own, method/formulation/precision, and so have works to a
// given accuracy, to_ERROR/method/what: whole runs, run_ms.
#include <benchmark/benchmark.h>

#include <chrono>

#include "analysis/run/run.hpp"
#include "analysis/setup/bound_run.hpp"
#include "base/linear/dense_solve.hpp"
#include "methods/catalogue/registry.hpp"
#include "methods/stages/stage_matrix.hpp"
#include "methods/stages/stage_system.hpp"
#include "tests/support/method_bench.hpp"

namespace daemark {
namespace {

using Clock = std::chrono::steady_clock;

/// Least time of one call of f [ns], over a few batches.
template <class F>
double least_ns(F&& f) {
  double best = 1e30;
  for (int batch = 0; batch < 5; ++batch) {
    constexpr int calls = 200;
    const auto begin = Clock::now();
    for (int i = 0; i < calls; ++i) f();
    best = std::min(best,
                    std::chrono::duration<double, std::nano>(Clock::now() - begin).count() / calls);
  }
  return best;
}

/// Sizes of the implicit diagonal blocks of a method's stages; one stage where it has no tableau.
std::vector<DenseMatrix<wide>> implicit_blocks(const Method& method) {
  const auto tableau = method.tableau();
  if (!tableau) return {{{wide(1)}}};
  std::vector<DenseMatrix<wide>> blocks;
  const auto& A = tableau->A;
  const int s = tableau->stages();
  for (int first = 0; first < s;) {
    int end = first + 1;
    for (int i = first; i < end; ++i)
      for (int j = s - 1; j >= end; --j)
        if (A[i][j] != 0) end = j + 1;
    if (end - first > 1 || A[first][first] != 0) {
      DenseMatrix<wide> block;
      for (int i = first; i < end; ++i)
        block.emplace_back(A[i].begin() + first, A[i].begin() + end);
      blocks.push_back(block);
    }
    first = end;
  }
  return blocks;
}

/// Cost of one Newton iteration of every implicit block, its parts timed alone [ns].
double iteration_bound(BoundSystem<double>& cell, const BoundRun& setup,
                       const State<double>& state) {
  ImplicitSystem<double>& system = *cell.system;
  const auto layout = std::make_shared<const StageLayout>(system);
  std::vector<double> r(system.unknowns());
  double sum = 0;
  int stages = 0;
  for (const DenseMatrix<wide>& B : implicit_blocks(*setup.method)) {
    const int size = static_cast<int>(B.size());
    StageMatrix<double> matrix(system, layout, size, std::vector<char>(size * size, 1));
    std::vector<double> hB(size * size), h2B2(size * size), scale(system.unknowns(), 1.0);
    const double h = to_double(setup.h);
    for (int i = 0; i < size; ++i)
      for (int j = 0; j < size; ++j) {
        hB[i * size + j] = h * to_double(B[i][j]);
        for (int k = 0; k < size; ++k)
          h2B2[i * size + j] += h * h * to_double(B[i][k]) * to_double(B[k][j]);
      }
    for (std::size_t i = 0; i < scale.size(); ++i) scale[i] = std::pow(h, system.row_power()[i]);
    matrix.set_step(hB, h2B2, scale);
    system.evaluate(state.point(), r.data(), matrix.jacobian_y(), matrix.jacobian_rate());
    for (int i = 0; i < size; ++i) matrix.add_stage(i);
    std::vector<double> x(size * system.unknowns(), 1.0);
    const double evaluation = least_ns([&] {
      system.evaluate(state.point(), r.data(), matrix.jacobian_y(), matrix.jacobian_rate());
    });
    const double lu = least_ns([&] {
      matrix.factor();
      matrix.solve(x.data());
      std::fill(x.begin(), x.end(), 1.0);
    });
    sum += size * evaluation + lu;
    ++stages;
  }
  return stages > 0 ? sum / stages : 0;  // iterations are counted per block
}

struct Measured {
  double seconds = 1e30;  ///< least of the runs
  long iterations = 0, evaluations = 0;
};

/// Whole runs from the start; the setting up is left out.
template <class S>
Measured run_all(benchmark::State& bench, const BoundRun& setup, BoundSystem<S>& cell) {
  const State<S> initial = initial_state(setup, cell);
  const auto stepper = setup.method->stepper(cell.target(), setup.settings);
  Measured m;
  for (auto _ : bench) {
    const Counts before = stepper->counts();
    const auto begin = Clock::now();
    stepper->start(initial, from_wide<S>(setup.h));
    for (long i = 0; i < setup.steps; ++i)
      if (stepper->step().status != Status::ok) {
        bench.SkipWithError("the run fails");
        return m;
      }
    m.seconds = std::min(m.seconds, std::chrono::duration<double>(Clock::now() - begin).count());
    m.iterations = stepper->counts().newton_iterations - before.newton_iterations;
    m.evaluations = stepper->counts().residual_evals - before.residual_evals;
  }
  bench.counters["run_ms"] = 1e3 * m.seconds;
  bench.counters["step_ns"] = 1e9 * m.seconds / static_cast<double>(setup.steps);
  return m;
}

/// A run without a bound: extended precision, and works timed as a whole.
template <class S>
void run_whole(benchmark::State& bench, const RunRequest& request) {
  const BoundRun setup(request);
  BoundSystem<S> cell(setup);
  const Measured m = run_all(bench, setup, cell);
  bench.counters["iterations"] = static_cast<double>(m.iterations);
}

void run_steps(benchmark::State& bench, const RunRequest& request) {
  const BoundRun setup(request);
  BoundSystem<double> cell(setup);
  const Measured m = run_all(bench, setup, cell);
  if (bench.error_occurred()) return;
  const State<double> initial = initial_state(setup, cell);
  const double seconds = m.seconds;
  const long iterations = m.iterations, evaluations = m.evaluations;
  const double steps = static_cast<double>(setup.steps), step_ns = 1e9 * seconds / steps;
  if (iterations == 0) {
    std::vector<double> y = initial.y, rate = initial.rate;
    const double evaluation =
        least_ns([&] { cell.system->explicit_rates(y.data(), rate.data(), 0.0, nullptr); });
    const double bound = evaluation * static_cast<double>(evaluations) / steps;
    bench.counters["bound_ns"] = bound;
    bench.counters["over_bound"] = step_ns / bound;
    return;
  }
  const double per_step = static_cast<double>(iterations) / steps;
  const double bound = per_step * iteration_bound(cell, setup, initial);
  bench.counters["iteration_ns"] = step_ns / per_step;
  bench.counters["bound_ns"] = bound;
  bench.counters["over_bound"] = step_ns / bound;
}

/// A call of every method: its defaults, and 2, 3 where a number of stages has none.
std::vector<std::string> sample_calls(const std::string& id) {
  for (const Parameter& p : method_registry().info(id).parameters)
    if (p.fallback.empty() && !p.optional) {
      if (p.type != Parameter::Type::integer) return {};
      return {id + "(2)", id + "(3)"};
    }
  return {id};
}

RunRequest request_of(const std::string& formulation, const std::string& method, const char* h,
                      const char* t_end) {
  return test::run_request("two_link", formulation, method, h, t_end);
}

void register_run(const std::string& name, const RunRequest& request) {
  benchmark::RegisterBenchmark(name.c_str(),
                               [=](benchmark::State& s) {
                                 with_scalar(request.precision,
                                             [&]<class S>() { run_whole<S>(s, request); });
                               })
      ->MinTime(0.2)
      ->Unit(benchmark::kMillisecond);
}

void register_methods() {
  for (const std::string& id : method_registry().ids())
    for (const std::string& method : sample_calls(id))
      for (const char* formulation : {"index1", "index2", "index3"}) {
        const RunRequest request = request_of(formulation, method, "1/100", "1");
        try {
          // A solver that chooses its steps has no cost per step; accuracy_bench.cpp times it.
          if (BoundRun(request).method->owns_loop()) continue;
        } catch (const BadInput&) {
          continue;  // the method refuses this formulation
        }
        benchmark::RegisterBenchmark((method + "/" + formulation).c_str(),
                                     [request](benchmark::State& s) { run_steps(s, request); })
            ->MinTime(0.02)
            ->Unit(benchmark::kMicrosecond);
      }
}

void register_extended_precision() {
  for (const char* method : {"gauss(3)", "pade_block(r=4,k=2)", "bdf(2)", "dormand_prince_5"}) {
    RunRequest request = request_of("index1", method, "1/100", "1");
    request.precision = Precision::in_real50;
    register_run(std::string(method) + "/index1/real50", request);
  }
}

/// The two-link to a given accuracy: |q error| at most 1e-6 after 10 s, 1e-25 after 1 s.
void register_works() {
  RunRequest request = request_of("index1", "gauss(8)", "1/50", "10");
  request.settings = {{"newton.tol", "1e-6"}, {"predictor", "extrapolated"}};
  register_run("to_1e-6/gauss(8)/full", request);
  request.settings["newton.kind"] = "simplified";
  register_run("to_1e-6/gauss(8)/simplified", request);
  for (const char* formulation : {"minimal", "index1"})
    register_run(std::string("to_1e-6/cooper_verner_8_conjugate/") + formulation,
                 request_of(formulation, "cooper_verner_8_conjugate", "1/178", "10"));
  request = request_of("index1", "gauss(8)", "1/155", "1");
  request.precision = Precision::in_real50;
  request.settings = {{"newton.tol", "1e-12"}, {"predictor", "extrapolated"}};
  register_run("to_1e-25/gauss(8)/real50", request);
}

/// What scripts/bench_compare.py relates times to: it depends on the machine alone.
void register_yardstick() {
  benchmark::RegisterBenchmark("yardstick/dense_lu_40", [](benchmark::State& bench) {
    constexpr int n = 40;
    std::vector<std::vector<double>> a(n, std::vector<double>(n));
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) a[i][j] = i == j ? n : std::sin(1 + i * n + j);
    for ([[maybe_unused]] const auto _ : bench) {
      auto factors = a;
      std::vector<double> x(n, 1.0);
      solve_dense(factors, x, largest_pivot([](double entry) { return std::abs(entry); }));
      benchmark::DoNotOptimize(x.data());
    }
  });
}

bool register_all() {
  register_yardstick();
  register_works();
  register_methods();
  register_extended_precision();
  return true;
}

[[maybe_unused]] const bool registered = register_all();

}  // namespace
}  // namespace daemark
