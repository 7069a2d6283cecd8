// What an evaluation, a Jacobian, a factorisation and a multiply-subtract pair of linear algebra
// cost beside each other: the weights of experiments/work_precision, and with `make weights` those
// of the atlas, experiments/compare/weights.json (analysis/decisions/0034).
//
// Names read weights/PROBLEM/FORMULATION. The label is the line of the experiment: weights in units
// of one evaluation of the problem's index-1 residual. Counters, in ns, the least of many batches,
// of which one of each quantity follows the other: unit, residual, rates (an explicit solve without
// its linear algebra), jacobian (with its assembly), newton_1, newton_4 (factorisation and solve of
// one stage and of four coupled ones), pairs_1, pairs_4 (theirs). The weights of a factorisation
// and of a pair are the line through the two.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>

#include "analysis/setup/bound_run.hpp"
#include "base/linear/lu_tally.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/compare/compare_field.hpp"
#include "experiments/compare/comparison.hpp"
#include "methods/stages/stage_matrix.hpp"
#include "problems/system/registry.hpp"

namespace daemark {
namespace {

/// Least times of one call of each [ns], over many short batches that take turns: what others do on
/// the machine only lengthens some, and a slower clock meets all of them.
std::vector<double> least_ns(const std::vector<std::function<void()>>& works) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> best(works.size(), std::numeric_limits<double>::infinity());
  constexpr std::chrono::seconds most(4);  // of large mechanisms fewer batches
  const auto start = Clock::now();
  for (int batch = 0; batch < 1000 && (batch < 5 || Clock::now() - start < most); ++batch)
    for (std::size_t k = 0; k < works.size(); ++k) {
      constexpr int calls = 20;
      const auto begin = Clock::now();
      for (int i = 0; i < calls; ++i) works[k]();
      const std::chrono::duration<double, std::nano> time = Clock::now() - begin;
      best[k] = std::min(best[k], time.count() / calls);
    }
  return best;
}

double pairs_of(const std::function<void()>& work) {
  const LuTally tally;
  work();
  return static_cast<double>(tally.pairs);
}

/// A formulation at its initial state.
class Subject {
 public:
  Subject(const std::string& problem, const std::string& formulation, const std::string& step)
      : setup_(request(problem, formulation, step)),
        model_(setup_),
        state_(initial_state(setup_, model_)),
        layout_(std::make_shared<const StageLayout>(system())),
        residual_(system().unknowns()),
        one_(newton_matrix(1)),
        four_(newton_matrix(4)),
        x_(4 * residual_.size()) {
    newton(1), newton(4), rates();  // find the pivots
  }
  void residual() { system().evaluate(state_.point(), residual_.data(), nullptr, nullptr); }
  void with_jacobian() {
    system().evaluate(state_.point(), residual_.data(), one_->jacobian_y(), one_->jacobian_rate());
    one_->add_stage(0);
  }
  void rates() {
    system().explicit_rates(state_.y.data(), state_.rate.data(), state_.t, state_.chart.data());
  }
  bool newton(int stages) {
    std::fill(x_.begin(), x_.end(), 1.0);
    const auto& matrix = stages == 1 ? one_ : four_;
    if (!matrix->factor()) return false;
    matrix->solve(x_.data());
    return true;
  }
  bool has_factors() { return newton(1) && newton(4); }

 private:
  static RunRequest request(const std::string& problem, const std::string& formulation,
                            const std::string& step) {
    RunRequest request;
    request.problem = problem, request.formulation = formulation, request.method = "gauss(4)";
    request.h = request.t_end = Expression::parse(step, "h");
    return request;
  }
  ImplicitSystem<double>& system() { return *model_.system; }

  /// Of r stages coupled as by the matrix of ones plus the identity.
  std::unique_ptr<StageMatrix<double>> newton_matrix(int r) {
    const double h = to_double(setup_.h);
    auto matrix =
        std::make_unique<StageMatrix<double>>(system(), layout_, r, std::vector<char>(r * r, 1));
    std::vector<double> hB(r * r, h / (r + 1)), h2B2(r * r), scale(system().unknowns());
    for (int i = 0; i < r; ++i) hB[i * r + i] *= 2;
    for (int i = 0; i < r; ++i)
      for (int j = 0; j < r; ++j)
        for (int k = 0; k < r; ++k) h2B2[i * r + j] += hB[i * r + k] * hB[k * r + j];
    for (std::size_t i = 0; i < scale.size(); ++i) scale[i] = std::pow(h, system().row_power()[i]);
    matrix->set_step(hB, h2B2, scale);
    for (int i = 0; i < r; ++i) {
      system().evaluate(state_.point(), residual_.data(), matrix->jacobian_y(),
                        matrix->jacobian_rate());
      matrix->add_stage(i);
    }
    return matrix;
  }

  BoundRun setup_;
  BoundSystem<double> model_;
  State<double> state_;
  std::shared_ptr<const StageLayout> layout_;
  std::vector<double> residual_;
  std::unique_ptr<StageMatrix<double>> one_, four_;
  std::vector<double> x_;
};

void measure(benchmark::State& bench, const std::string& problem, const std::string& formulation,
             const std::string& step) {
  for ([[maybe_unused]] const auto _ : bench) try {
      Subject unit(problem, "index1", step), subject(problem, formulation, step);
      if (!subject.has_factors()) {
        bench.SkipWithError("the Newton matrix of gauss(4) is singular");
        return;
      }
      const std::function<void()> rates = [&] { subject.rates(); };
      const std::function<void()> one = [&] { subject.newton(1); },
                                  four = [&] { subject.newton(4); };
      const double pairs_1 = pairs_of(one), pairs_4 = pairs_of(four);
      const std::vector<double> ns =
          least_ns({[&] { unit.residual(); }, [&] { subject.residual(); }, rates,
                    [&] { subject.with_jacobian(); }, one, four});
      double pair = (ns[5] - ns[4]) / (pairs_4 - pairs_1), factorization = ns[4] - pair * pairs_1;
      if (factorization < 0)
        factorization = 0, pair = ns[5] / pairs_4;  // large: pairs are all of it
      // At least what it evaluates: on ggl its matrix is smaller than those of the line.
      const double bare = std::max(ns[2] - factorization - pair * pairs_of(rates), ns[1]),
                   jacobian = ns[3] - ns[1];
      bench.SetLabel(
          fmt::format(R"("{}": {{"residual": "{:.2g}", "rates": "{:.2g}", "jacobian": "{:.2g}", )"
                      R"("factorization": "{:.2g}", "pair": "{:.2g}"}})",
                      formulation, ns[1] / ns[0], bare / ns[0], jacobian / ns[0],
                      factorization / ns[0], pair / ns[0]));
      bench.counters["unit"] = ns[0], bench.counters["residual"] = ns[1];
      bench.counters["rates"] = bare, bench.counters["jacobian"] = jacobian;
      bench.counters["newton_1"] = ns[4], bench.counters["newton_4"] = ns[5];
      bench.counters["pairs_1"] = pairs_1, bench.counters["pairs_4"] = pairs_4;
    } catch (const BadInput& refused) {
      bench.SkipWithError(refused.what());
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
       {"index1", "baumgarte(alpha=5,beta=5)", "elimination", "substituted(c=4/44.452050)",
        "index2", "ggl", "index3"}},
      {"two_link", "1/80", {"minimal", "index1", "elimination", "index2", "ggl", "index3"}},
      {"andrews_squeezer(coordinates=angles)",
       "3/40000",
       {"index1", "elimination", "index2", "ggl", "index3"}}};
  const auto add = [](const std::string& name, const std::string& problem,
                      const std::string& formulation, const std::string& step) {
    benchmark::RegisterBenchmark(
        fmt::format("{}/{}/{}", name, problem, formulation).c_str(),
        [=](benchmark::State& s) { measure(s, problem, formulation, step); })
        ->Iterations(1);
  };
  for (const Case& one : cases)
    for (const char* formulation : one.formulations)
      add("weights", one.problem, formulation, one.step);
  for (const std::string& id : atlas_problems()) {
    const Problem problem = problem_registry().make(id);
    for (const FormulationInfo& info : formulations())
      if (!info.minimal || problem.has_minimal())
        if (std::all_of(info.parameters.begin(), info.parameters.end(),
                        [](const Parameter& p) { return !p.fallback.empty(); }))
          add("atlas_weights", id, info.id, assumed_motion(problem).h.front());
  }
  return true;
}();

}  // namespace
}  // namespace daemark
