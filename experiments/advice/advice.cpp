#include "experiments/advice/advice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "analysis/reference/reference.hpp"
#include "analysis/report/table.hpp"
#include "analysis/run/run.hpp"
#include "analysis/setup/bound_run.hpp"
#include "base/program/interrupt.hpp"
#include "base/program/paths.hpp"
#include "base/program/stop.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/cells/support/integration.hpp"

namespace daemark {
RunResult run_within(const BoundRun& bound, double seconds) {
  constexpr double least = 1e-3;  // 0 is no limit
  const Watch watch(std::max(seconds, least));
  return run(bound);
}

namespace {

/// q, v, λ at the end, in the coordinates of references; λ is empty where the formulation has none.
using MotionEnd = std::array<std::vector<double>, 3>;

MotionEnd at_row(const BoundRun& run, const History& history, std::size_t row) {
  return in_reference<double>(run, history.t[row],
                              MotionEnd{history.q[row], history.v[row], history.lambda[row]});
}

/// 2-norm of a − b; NaN where their sizes differ.
double apart(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return std::numeric_limits<double>::quiet_NaN();
  std::vector<double> change(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) change[i] = a[i] - b[i];
  return two_norm(change);
}

/// Of a run with a history.
MotionEnd at_end(const BoundRun& run, const RunResult& result) {
  return at_row(run, result.history, result.history.t.size() - 1);
}

/// Radau IIA of order 9 on the constrained equations, and an explicit pair of order 8 on ordinary
/// ones: routes with nothing in common but the equations. Where rows that depend on each other are
/// refused by the first, another explicit pair.
struct JudgingRoute {
  const char *method, *formulation;
};
constexpr JudgingRoute implicit_routes[] = {
    {"radau_iia(5)", "index2"}, {"radau_iia(5)", "index1"}, {"verner_8", "index1"}};
constexpr JudgingRoute explicit_routes[] = {
    {"fehlberg_8", "minimal"}, {"fehlberg_8", "index1"}, {"fehlberg_8", "elimination"}};

struct Routed {
  MotionEnd start, end;
  double span = 0;
  std::string name;
};

/// The first of the routes that runs.
std::optional<Routed> first_that_runs(const std::string& problem, const std::string& t_end,
                                      const JudgingRoute* begin, const JudgingRoute* end,
                                      double tolerance, bool needs_multipliers, double seconds) {
  for (const JudgingRoute* route = begin; route != end; ++route) {
    Cell cell;
    cell.problem = problem, cell.method = route->method, cell.formulation = route->formulation;
    cell.t_end = t_end;
    try {
      const Problem made = problem_registry().make(problem);
      const rational span =
          Expression::parse(t_end, "t_end").as_rational() - made.start.as_rational();
      cell.h = {span.str()};
      RunRequest request = run_request(with_tolerance(cell, fmt::format("{:.0e}", tolerance)));
      request.history_every = 1, request.repeat = 0;
      const BoundRun bound(request, made);
      const RunResult result = run_within(bound, seconds);
      if (result.status != "ok") continue;
      Routed routed{at_row(bound, result.history, 0), at_end(bound, result),
                    span.convert_to<double>(),
                    fmt::format("{}, {}", route->method, route->formulation)};
      if (!needs_multipliers || !routed.end[2].empty()) return routed;
    } catch (const BadInput&) {  // refused: the next one
    }
  }
  return std::nullopt;
}

double way_of(const Routed& motion, int part) {
  if (part == 2) return std::max(two_norm(motion.start[2]), two_norm(motion.end[2]));
  const double way =
      std::max({apart(motion.start[0], motion.end[0]), motion.span * two_norm(motion.start[1]),
                motion.span * two_norm(motion.end[1])});
  return part == 0 ? way : way / motion.span;
}

struct JudgingMotion {
  MotionEnd end;
  double way = 0;          ///< the scale of the part that is asked for
  double uncertainty = 0;  ///< of that part, relative to `way`
  std::vector<std::string> routes;
};

/// Runs two methods with ever smaller tolerances until they agree to a twentieth of `accuracy`. The
/// scale is the largest of ‖q(T) − q(0)‖, T ‖v(0)‖ and T ‖v(T)‖ for q, this by T for v, and the
/// larger of ‖λ(0)‖ and ‖λ(T)‖ for λ. Throws NoReference.
JudgingMotion judging_motion(const std::string& problem, const std::string& t_end, int part,
                             double accuracy, double seconds) {
  const auto begin = std::chrono::steady_clock::now();
  const auto left = [&] {
    const std::chrono::duration<double> used = std::chrono::steady_clock::now() - begin;
    return seconds - used.count();
  };
  double closest = std::numeric_limits<double>::infinity();
  for (double tolerance = std::max(accuracy * 1e-3, 1e-13); left() > 0; tolerance *= 1e-2) {
    const auto a = first_that_runs(problem, t_end, std::begin(implicit_routes),
                                   std::end(implicit_routes), tolerance, part == 2, left());
    const auto b = first_that_runs(problem, t_end, std::begin(explicit_routes),
                                   std::end(explicit_routes), tolerance, part == 2, left());
    if (a && b) {
      const double way = way_of(*a, part);
      if (way == 0) throw BadInput("nothing moves; accepted: a mechanism that does");
      const double differ = apart(a->end[part], b->end[part]) / way;
      closest = std::min(closest, differ);
      if (differ <= accuracy / 20) return {a->end, way, differ, {a->name, b->name}};
    }
    if (tolerance < 1e-14) break;
  }
  throw NoReference(
      std::isinf(closest)
          ? fmt::format("no two methods reached t = {} s in {:g} s; try a shorter --t-end", t_end,
                        seconds)
          : fmt::format(
                "two methods agree to {:.1e} at t = {} s only, and a twentieth of the "
                "accuracy is needed to judge by; try a shorter --t-end{}",
                closest, t_end,
                closest < 5e-3 ? fmt::format(", or an accuracy above {:.0e}", 20 * closest) : ""));
}

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
