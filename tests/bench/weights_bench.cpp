// What an evaluation, a Jacobian and a multiply-subtract pair of linear algebra cost beside each
// other: the weights of experiments/work_precision (analysis/decisions/0028).
//
// Names read weights/PROBLEM/FORMULATION. The label is the line of the experiment: weights in units
// of one evaluation of the problem's index-1 residual. Counters, in ns, the least of many batches:
// evaluation (residual), rates (an explicit solve without its pairs), jacobian (with its assembly),
// pair_1, pair_4 (of Newton matrices of one stage and of four coupled ones), unit. `evaluation` of
// the label is the mean of residual and rates, pair the mean of pair_1 and pair_4.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "analysis/setup/bound_system.hpp"
#include "base/linear/lu_tally.hpp"
#include "methods/stages/stage_matrix.hpp"

namespace daemark {
namespace {

using Clock = std::chrono::steady_clock;

/// Least time of one call of f [ns], over many short batches: what others do on the machine only
/// lengthens some.
template <class F>
double least_ns(F&& f) {
  double best = 1e30;
  for (int batch = 0; batch < 400; ++batch) {
    constexpr int calls = 50;
    const auto begin = Clock::now();
    for (int i = 0; i < calls; ++i) f();
    best = std::min(best,
                    std::chrono::duration<double, std::nano>(Clock::now() - begin).count() / calls);
  }
  return best;
}

template <class F>
std::int64_t pairs_of(F&& f) {
  const LuTally tally;
  f();
  return tally.pairs;
}

struct Costs {
  double evaluation, rates, jacobian, pair_1, pair_4;
};

/// Of the Newton matrix of `r` stages coupled as by the matrix of ones plus the identity [ns].
double pair_cost(const StageLayoutPtr& layout, ImplicitSystem<double>& system,
                 const State<double>& state, double h, int r) {
  StageMatrix<double> matrix(system, layout, r, std::vector<char>(r * r, 1));
  std::vector<double> hB(r * r, h / (r + 1)), h2B2(r * r), residual(system.unknowns());
  for (int i = 0; i < r; ++i) hB[i * r + i] *= 2;
  for (int i = 0; i < r; ++i)
    for (int j = 0; j < r; ++j)
      for (int k = 0; k < r; ++k) h2B2[i * r + j] += hB[i * r + k] * hB[k * r + j];
  std::vector<double> scale(system.unknowns()), x(r * system.unknowns(), 1.0);
  for (std::size_t i = 0; i < scale.size(); ++i) scale[i] = std::pow(h, system.row_power()[i]);
  matrix.set_step(hB, h2B2, scale);
  for (int i = 0; i < r; ++i) {
    system.evaluate(state.point(), residual.data(), matrix.jacobian_y(), matrix.jacobian_rate());
    matrix.add_stage(i);
  }
  const auto solve = [&] {
    if (matrix.factor()) matrix.solve(x.data());
    std::fill(x.begin(), x.end(), 1.0);
  };
  solve();  // finds the pivots
  return least_ns(solve) / static_cast<double>(pairs_of(solve));
}

Costs costs_of(const std::string& problem, const std::string& formulation, const char* step) {
  RunRequest request;
  request.problem = problem, request.formulation = formulation, request.method = "gauss(4)";
  request.h = request.t_end = Expression::parse(step, "h");
  const BoundRun setup(request);
  BoundSystem<double> model(setup);
  State<double> state = initial_state(setup, model);
  ImplicitSystem<double>& system = *model.system;
  const auto layout = std::make_shared<const StageLayout>(system);
  const double h = to_double(setup.h);
  StageMatrix<double> matrix(system, layout, 1, {1});
  matrix.set_step({h}, {h * h}, std::vector<double>(system.unknowns(), 1.0));
  std::vector<double> residual(system.unknowns());
  const auto evaluate = [&] { system.evaluate(state.point(), residual.data(), nullptr, nullptr); };
  const auto with_jacobian = [&] {
    system.evaluate(state.point(), residual.data(), matrix.jacobian_y(), matrix.jacobian_rate());
    matrix.add_stage(0);
  };
  const auto rates = [&] {
    system.explicit_rates(state.y.data(), state.rate.data(), state.t, state.chart.data());
  };
  rates();  // finds the pivots
  Costs costs{};
  costs.pair_1 = pair_cost(layout, system, state, h, 1);
  costs.pair_4 = pair_cost(layout, system, state, h, 4);
  costs.evaluation = least_ns(evaluate);
  costs.jacobian = least_ns(with_jacobian) - costs.evaluation;
  costs.rates = least_ns(rates) - costs.pair_1 * static_cast<double>(pairs_of(rates));
  return costs;
}

void measure(benchmark::State& bench, const std::string& problem, const std::string& formulation,
             const char* step) {
  for (auto _ : bench) {
    const double unit = costs_of(problem, "index1", step).evaluation;
    const Costs costs = costs_of(problem, formulation, step);
    bench.SetLabel(
        fmt::format(R"("{}": {{"evaluation": "{:.2g}", "jacobian": "{:.2g}", "pair": "{:.2g}"}})",
                    formulation, (costs.evaluation + costs.rates) / 2 / unit, costs.jacobian / unit,
                    (costs.pair_1 + costs.pair_4) / 2 / unit));
    bench.counters["unit"] = unit;
    bench.counters["evaluation"] = costs.evaluation;
    bench.counters["rates"] = costs.rates;
    bench.counters["jacobian"] = costs.jacobian;
    bench.counters["pair_1"] = costs.pair_1;
    bench.counters["pair_4"] = costs.pair_4;
  }
}

[[maybe_unused]] const bool registered = [] {
  struct Case {
    const char *problem, *step;
    std::vector<const char*> formulations;
  };
  const std::vector<Case> cases = {
      {"pendulum",
       "1/40",
       {"index1", "baumgarte(alpha=5,beta=5)", "elimination", "index2", "ggl", "index3"}},
      {"two_link", "1/80", {"minimal", "index1", "elimination", "index2", "ggl", "index3"}},
      {"andrews_squeezer(coordinates=angles)",
       "3/40000",
       {"index1", "elimination", "index2", "ggl", "index3"}}};
  for (const Case& one : cases)
    for (const char* formulation : one.formulations)
      benchmark::RegisterBenchmark(
          fmt::format("weights/{}/{}", one.problem, formulation).c_str(),
          [=](benchmark::State& s) { measure(s, one.problem, formulation, one.step); })
          ->Iterations(1);
  return true;
}();

}  // namespace
}  // namespace daemark
