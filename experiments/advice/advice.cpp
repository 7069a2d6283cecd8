#include "experiments/advice/advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <set>

#include "analysis/report/table.hpp"
#include "analysis/run/run.hpp"
#include "analysis/setup/bound_run.hpp"
#include "base/program/paths.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/advice/judging_motion.hpp"
#include "experiments/cells/support/integration.hpp"

namespace daemark {
namespace {

constexpr const char* with_control = " with control";
constexpr double infinity = std::numeric_limits<double>::infinity();

Trial trial_of(const AdviceRequest& request, const std::string& name,
               const std::string& formulation, bool popular) {
  Trial trial;
  trial.name = name, trial.popular = popular;
  trial.controlled = name.ends_with(with_control);
  trial.cell.problem = request.problem, trial.cell.t_end = request.t_end;
  const std::string call = trial.controlled ? name.substr(0, name.find(with_control)) : name;
  trial.cell.method = method_registry().bind(call).canonical();
  trial.cell.formulation = formulation;
  return trial;
}

/// What everyone knows: the generalized-alpha method, Baumgarte's stabilisation with the classical
/// method, RADAU5's with control, an explicit pair.
std::vector<Trial> popular_trials(const AdviceRequest& request) {
  std::vector<Trial> trials;
  for (const auto& [method, formulation] : {std::pair("generalized_alpha", "index3"),
                                            {"erk4", "baumgarte(alpha=10,beta=10)"},
                                            {"radau_iia(3) with control", "ggl"},
                                            {"dormand_prince_5 with control", "index1"}})
    trials.push_back(trial_of(request, method, formulation, true));
  return trials;
}

/// The names of results/atlas/ranks.csv, "q to 1e-6", for the accuracy that is not above.
std::string atlas_accuracy(const AdviceRequest& request) {
  constexpr const char* parts[] = {"q", "v", "λ"};
  const double digits = -std::log10(request.accuracy);
  return fmt::format("{} to 1e-{}", parts[request.part], digits <= 3 ? 3 : digits <= 6 ? 6 : 9);
}

/// The best of the atlas by the area of their performance profiles: two in each formulation, and
/// no method twice in one.
std::vector<Trial> atlas_trials(const AdviceRequest& request) {
  constexpr std::size_t most = 2;
  std::filesystem::path file = known_result("atlas/ranks.csv");
  if (!exists(file)) file = shipped_results() / "atlas/ranks.csv";
  std::ifstream in(file);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  if (text.empty()) return {};
  const auto rows = read_csv(text, "ranks.csv");
  const auto column = [&](const char* name) {
    const auto at = std::find(rows[0].begin(), rows[0].end(), name);
    if (at == rows[0].end()) throw BadInput(fmt::format("{}: no column {}", file.string(), name));
    return static_cast<std::size_t>(at - rows[0].begin());
  };
  const std::size_t formulation = column("formulation"), accuracy = column("accuracy"),
                    method = column("method"), area = column("profile area");
  std::map<std::string, std::vector<std::pair<double, std::string>>> by_formulation;
  for (std::size_t i = 1; i < rows.size(); ++i)
    if (rows[i][accuracy] == atlas_accuracy(request))
      by_formulation[rows[i][formulation]].emplace_back(-std::stod(rows[i][area]), rows[i][method]);
  std::vector<Trial> trials;
  for (auto& [form, methods] : by_formulation) {
    std::sort(methods.begin(), methods.end());
    std::set<std::string> taken;
    for (const auto& [minus_area, name] : methods)
      if (taken.size() < most && taken.insert(name.substr(0, name.find(with_control))).second)
        trials.push_back(trial_of(request, name, form, false));
  }
  return trials;
}

class Race {
 public:
  Race(const AdviceRequest& request, JudgingMotion judge, double seconds)
      : request_(request),
        judge_(std::move(judge)),
        problem_(problem_registry().make(request.problem)),
        end_(std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds)) {}

  /// Steps are halved, or tolerances divided by ten, until the accuracy is reached. `others`:
  /// candidates that wait.
  void run(Trial& trial, std::size_t others) {
    constexpr int most_runs = 16;
    constexpr long first_steps = 10;
    const double end_of_turn = left() - turn(others);
    try {
      for (int k = 0; k < most_runs && !trial.reached; ++k) {
        Cell cell = trial.cell;
        if (trial.controlled)
          trial.size = fmt::format("{:.0e}", request_.accuracy * std::pow(10.0, 1 - k));
        else
          trial.size = step_of(first_steps << k);
        cell.h = {trial.controlled ? step_of(1) : trial.size};
        if (trial.controlled) cell = with_tolerance(cell, trial.size);
        const double limit = left() - end_of_turn;
        if (limit <= 0 || !attempt(trial, cell, limit)) break;
      }
    } catch (const BadInput&) {
      if (trial.status.empty()) trial.status = "refused";
    } catch (const std::exception&) {  // no candidate ends the race of the others
      trial.status = "failed";
    }
    if (trial.reached) fastest_ = std::min(fastest_, trial.seconds);
  }

 private:
  double left() const {
    return std::chrono::duration<double>(end_ - std::chrono::steady_clock::now()).count();
  }
  /// How long a candidate may take: a fair share, and once one has reached the accuracy, ten times
  /// its run.
  double turn(std::size_t others) const {
    return std::min(left() / static_cast<double>(others + 1), std::max(0.4, 10 * fastest_));
  }
  std::string step_of(long steps) const {
    const rational span =
        Expression::parse(request_.t_end, "t_end").as_rational() - problem_.start.as_rational();
    return rational(span / steps).str();
  }

  /// One run; whether another may help.
  bool attempt(Trial& trial, const Cell& cell, double limit) {
    RunRequest request = run_request(cell);
    const BoundRun first(request, problem_);
    request.history_every = first.steps, request.repeat = 1;
    const BoundRun bound(request, problem_);
    const RunResult result = run_within(bound, limit);
    trial.status = result.status;
    if (result.status == "timed_out") return false;
    if (result.status != "ok") return true;  // a smaller step may succeed
    const double error = apart(at_end(bound, result)[request_.part], judge_.end[request_.part]);
    if (std::isnan(error)) return false;  // no multipliers
    trial.error = std::max(error / judge_.way, judge_.uncertainty);
    trial.evaluations = result.counts.at("residual_evals");
    trial.seconds = trial.slowest = result.seconds;
    trial.reached = trial.error <= request_.accuracy;
    if (!trial.reached) return true;
    trial.cell = cell;
    for (int again = 0; again < 2 && left() > result.seconds; ++again) {
      const double seconds = run_within(bound, limit).seconds;
      trial.seconds = std::min(trial.seconds, seconds);
      trial.slowest = std::max(trial.slowest, seconds);
    }
    return false;
  }

  const AdviceRequest& request_;
  JudgingMotion judge_;
  Problem problem_;
  std::chrono::time_point<std::chrono::steady_clock, std::chrono::duration<double>> end_;
  double fastest_ = infinity;
};

}  // namespace

Advice advise(const AdviceRequest& request) {
  const double for_judging = 0.4 * request.seconds;
  const auto begin = std::chrono::steady_clock::now();
  JudgingMotion judge =
      judging_motion(request.problem, request.t_end, request.part, request.accuracy, for_judging);
  Advice advice{judge.routes, judge.uncertainty, judge.way, atlas_trials(request)};
  for (Trial& popular : popular_trials(request)) {
    const auto same = std::find_if(advice.trials.begin(), advice.trials.end(), [&](const Trial& t) {
      return t.cell.method == popular.cell.method && t.controlled == popular.controlled &&
             t.cell.formulation == popular.cell.formulation;
    });
    if (same == advice.trials.end())
      advice.trials.push_back(std::move(popular));
    else
      same->popular = true;
  }
  const std::chrono::duration<double> used = std::chrono::steady_clock::now() - begin;
  Race race(request, std::move(judge), request.seconds - used.count());
  for (std::size_t k = 0; k < advice.trials.size(); ++k)
    race.run(advice.trials[k], advice.trials.size() - 1 - k);
  std::stable_sort(advice.trials.begin(), advice.trials.end(), [](const Trial& a, const Trial& b) {
    return a.reached != b.reached ? a.reached : a.reached && a.seconds < b.seconds;
  });
  return advice;
}

}  // namespace daemark
