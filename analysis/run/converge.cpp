// Errors against the reference over step sizes, and the slopes over their asymptotic range.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>

#include "analysis/reference/reference.hpp"
#include "analysis/run/run.hpp"
#include "analysis/run/slope.hpp"
#include "analysis/setup/bound_run.hpp"
#include "base/program/progress.hpp"
#include "base/text/read_double.hpp"

namespace daemark {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

double measure(const RunResult& r, const std::string& name) {
  const auto found = r.measures.find(name);
  return found == r.measures.end() ? missing : found->second;
}

double error_of(const RunResult& r, std::size_t kind) {
  return measure(r, std::string("error_") + motion_parts[kind]);
}

/// What the last Newton iteration of a step leaves, from its tolerance on accelerations and
/// multipliers (decisions 0004 and 0007).
double left_by_newton(const BoundRun& run) {
  const NewtonSettings& newton = run.settings.newton;
  constexpr double gain_of_a_correction = 1e-13, part_of_simplified = 1.0 / 20;
  if (run.request.precision != Precision::in_double) return newton.tol * gain_of_a_correction;
  return newton.simplified ? newton.tol * part_of_simplified : newton.tol * newton.tol;
}

double norm(const std::vector<std::string>& values) {
  double sum = 0;
  for (const std::string& text : values) sum += std::pow(double_of(text), 2);
  return std::sqrt(sum);
}

class Study {
 public:
  explicit Study(std::vector<BoundRun> runs) : runs_(std::move(runs)) {
    const std::size_t n = runs_.size();
    for (const BoundRun& run : runs_) result_.h.push_back(run.request.h.eval<double>());
    result_.status.assign(n, "not_run");
    result_.runs.resize(n);
    result_.error.fill(std::vector<double>(n, missing));
    finer_ = result_.error;
    left_ = left_by_newton(first());
    span_ = first().request.t_end.eval<double>();
  }

  const BoundRun& run(std::size_t i) const { return runs_[i]; }

  void take(std::size_t i, RunResult r) {
    result_.status[i] = r.status;
    if (r.status == "ok" && result_.reference_digits == 0)
      result_.reference_digits = reference_states(first().problem, {first().request.t_end.text()},
                                                  digits_for_errors(first().request.precision))
                                     .front()
                                     .agreed_digits;
    if (r.status == "ok") {  // the sizes of the finest run
      scale_ = {norm(r.q), norm(r.v), norm(r.lambda)};
      if (scale_[1] == 0) scale_[1] = scale_[0] / span_;
    }
    for (std::size_t kind = 0; kind < 3; ++kind) result_.error[kind][i] = error_of(r, kind);
    result_.runs[i] = std::move(r);
  }

  bool enough(int points) const {
    for (std::size_t kind = 0; kind < 3; ++kind) {
      const bool none = std::none_of(result_.error[kind].begin(), result_.error[kind].end(),
                                     [](double e) { return std::isfinite(e); });
      if (none) continue;  // no multipliers
      const SlopeFit found = fit(kind);
      const bool floor = std::find(found.floor.begin(), found.floor.end(), true) !=
                         found.floor.end();  // finer steps show no more
      if (!floor && (found.verdict != SlopeVerdict::asymptotic || found.points() < points))
        return false;
    }
    return true;
  }

  ConvergeResult finish() {
    settle_doubts();
    for (std::size_t kind = 0; kind < 3; ++kind) result_.fit[kind] = fit(kind);
    add_components();
    return std::move(result_);
  }

 private:
  /// What all of them have in common.
  const BoundRun& first() const { return runs_.front(); }

  RoundOff round_off(std::size_t kind) const {
    const int level = static_cast<int>(kind);
    return {unit_roundoff(first().request.precision),
            scale_[kind],
            span_,
            round_off_power(level, first().formulation.info.index),
            left_ * std::pow(std::max(1.0, span_), 2 - level),
            scale_[kind] * std::pow(10, -result_.reference_digits)};
  }
  SlopeFit fit(std::size_t kind) const {
    return fit_slope(result_.h, result_.error[kind], round_off(kind), finer_[kind]);
  }

  /// Where the bound does not tell round-off of double from error, a run in real50 does, if the
  /// problem and the method exist in it.
  void settle_doubts() {
    if (first().request.precision != Precision::in_double) return;
    std::set<std::size_t> doubtful;
    for (std::size_t kind = 0; kind < 3; ++kind)
      if (const SlopeFit found = fit(kind); found.doubtful >= 0)
        doubtful.insert(static_cast<std::size_t>(found.doubtful));
    for (const std::size_t i : doubtful) {
      try {
        const RunResult r = daemark::run(runs_[i].in(Precision::in_real50));
        for (std::size_t kind = 0; kind < 3; ++kind) finer_[kind][i] = error_of(r, kind);
      } catch (const BadInput&) {
        return;
      }
    }
  }

  void add_components() {
    std::size_t count = 0;
    for (const RunResult& r : result_.runs) {
      std::vector<double> components;
      for (int i = 0; r.measures.count(fmt::format("error_q_{}", i)); ++i)
        components.push_back(measure(r, fmt::format("error_q_{}", i)));
      count = std::max(count, components.size());
      result_.component_error_q.push_back(std::move(components));
    }
    for (std::size_t i = 0; i < count; ++i) {
      std::vector<double> errors;
      for (const auto& row : result_.component_error_q)
        errors.push_back(i < row.size() ? row[i] : missing);
      result_.component_slope_q.push_back(fit_slope(result_.h, errors, round_off(0)).slope);
    }
  }

  std::vector<BoundRun> runs_;
  ConvergeResult result_;
  std::array<std::vector<double>, 3> finer_;
  std::array<double, 3> scale_{};
  double left_ = 0, span_ = 1;
};

std::vector<BoundRun> until(const std::vector<BoundRun>& runs, const Expression& t_end) {
  std::vector<BoundRun> out;
  for (const BoundRun& run : runs) out.push_back(run.until(t_end));
  return out;
}

}  // namespace

std::vector<BoundRun> bind_study(RunRequest request, const std::vector<Expression>& h,
                                 const Problem& problem) {
  if (h.size() < 2)
    throw BadInput("converge: one step size, accepted: at least two, separated by commas");
  for (std::size_t i = 1; i < h.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (h[i].eval<double>() == h[k].eval<double>())
        throw BadInput(fmt::format("converge: h = {} is given twice, accepted: each step size once",
                                   h[i].text()));
  request.h = h.front(), request.errors = true, request.repeat = 0;
  request.settings.emplace("newton.tol", "strict");  // slopes are read far below a step's error
  std::vector<BoundRun> runs = {BoundRun(std::move(request), problem)};
  for (std::size_t i = 1; i < h.size(); ++i) runs.push_back(runs.front().with_step(h[i]));
  return runs;
}

std::vector<BoundRun> bind_study(RunRequest request, const std::vector<Expression>& h) {
  const Problem problem = problem_registry().make(request.problem);
  return bind_study(std::move(request), h, problem);
}

std::vector<ConvergeResult> converge(const std::vector<BoundRun>& runs,
                                     const std::vector<Expression>& t_ends, int enough_points,
                                     const RunTogether& together) {
  std::vector<Study> studies;
  for (const Expression& t_end : t_ends) studies.emplace_back(until(runs, t_end));
  std::vector<double> h;
  for (const BoundRun& run : runs) h.push_back(run.request.h.eval<double>());
  std::vector<std::size_t> order(h.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return h[a] > h[b]; });
  double work = 0, done = 0;
  for (const double step : h) work += 1 / step;
  std::vector<bool> open(studies.size(), true);
  for (const std::size_t i : order) {
    const double next = done + 1 / h[i] / work;
    const ProgressShare share(done, next);
    done = next;
    std::vector<BoundRun> asked;
    for (std::size_t k = 0; k < studies.size(); ++k)
      if (open[k]) asked.push_back(studies[k].run(i));
    if (asked.empty()) break;
    std::vector<RunResult> found = together(asked);
    for (std::size_t k = 0, taken = 0; k < studies.size(); ++k) {
      if (!open[k]) continue;
      studies[k].take(i, std::move(found[taken++]));
      open[k] = enough_points == 0 || !studies[k].enough(enough_points);
    }
  }
  std::vector<ConvergeResult> results;
  for (Study& study : studies) results.push_back(study.finish());
  return results;
}

ConvergeResult converge(const std::vector<BoundRun>& runs, int enough_points) {
  return std::move(converge(runs, {runs.front().request.t_end}, enough_points).front());
}

}  // namespace daemark
