// Errors against the reference over step sizes, and the slopes over their asymptotic range.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>

#include "analysis/reference/reference.hpp"
#include "analysis/run/run.hpp"
#include "analysis/run/slope.hpp"
#include "analysis/setup/cell_setup.hpp"
#include "base/program/progress.hpp"

namespace daemark {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

/// q, v, λ in this order wherever there are three of something.
constexpr std::array<const char*, 3> error_names = {"error_q", "error_v", "error_lambda"};

double measure(const RunResult& r, const std::string& name) {
  const auto found = r.measures.find(name);
  return found == r.measures.end() ? missing : found->second;
}

std::vector<RunRequest> requests_of(const ConvergeRequest& request) {
  if (request.h.size() < 2)
    throw BadInput("converge: one step size, accepted: at least two, separated by commas");
  for (std::size_t i = 1; i < request.h.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (request.h[i].eval<double>() == request.h[k].eval<double>())
        throw BadInput(fmt::format("converge: h = {} is given twice, accepted: each step size once",
                                   request.h[i].text()));
  std::vector<RunRequest> cells;
  for (const Expression& h : request.h) {
    RunRequest cell;
    cell.problem = request.problem, cell.formulation = request.formulation;
    cell.method = request.method, cell.h = h, cell.t_end = request.t_end;
    cell.precision = request.precision, cell.settings = request.settings;
    cell.errors = true, cell.repeat = 0;
    const CellSetup check(cell);  // refuse all bad input before anything runs
    cells.push_back(std::move(cell));
  }
  return cells;
}

/// The next wider precision, empty for the widest.
std::string wider(const std::string& precision) {
  return precision == "double" ? "quad" : precision == "quad" ? "real50" : "";
}

double unit_of(const std::string& precision) {
  if (precision == "quad") return unit_roundoff<quad>();
  return precision == "real50" ? unit_roundoff<real50>() : unit_roundoff<double>();
}

/// What the last Newton iteration of a step leaves, from its tolerance on accelerations and
/// multipliers (decisions 0004 and 0007).
double left_by_newton(const Settings& settings, const std::string& precision) {
  const NewtonSettings& newton = settings.newton;
  constexpr double gain_of_a_correction = 1e-13, part_of_simplified = 1.0 / 20;
  if (precision != "double") return newton.tol * gain_of_a_correction;
  return newton.simplified ? newton.tol * part_of_simplified : newton.tol * newton.tol;
}

double norm(const std::vector<std::string>& values) {
  double sum = 0;
  for (const std::string& text : values) sum += std::pow(std::stod(text), 2);
  return std::sqrt(sum);
}

class Study {
 public:
  explicit Study(const ConvergeRequest& request) : cells_(requests_of(request)) {
    const std::size_t n = cells_.size();
    for (const RunRequest& cell : cells_) result_.h.push_back(cell.h.eval<double>());
    result_.status.assign(n, "not_run");
    result_.runs.resize(n);
    for (std::size_t kind = 0; kind < 3; ++kind) {
      errors_[kind].assign(n, missing);
      finer_[kind].assign(n, missing);
    }
    const CellSetup setup(cells_.front());
    index_ = setup.formulation.info.index;
    problem_ = setup.problem.name;
    left_ = left_by_newton(setup.settings, request.precision);
    span_ = request.t_end.eval<double>();
  }

  const RunRequest& cell(std::size_t i) const { return cells_[i]; }

  void take(std::size_t i, RunResult r) {
    result_.status[i] = r.status;
    if (r.status == "ok" && result_.reference_digits == 0)
      result_.reference_digits = reference_states(problem_, {cells_[i].t_end.text()},
                                                  digits_for_errors(cells_[i].precision))
                                     .front()
                                     .agreed_digits;
    if (r.status == "ok") {  // the sizes of the finest run
      scale_ = {norm(r.q), norm(r.v), norm(r.lambda)};
      if (scale_[1] == 0) scale_[1] = scale_[0] / span_;
    }
    for (std::size_t kind = 0; kind < 3; ++kind) errors_[kind][i] = measure(r, error_names[kind]);
    result_.runs[i] = std::move(r);
  }

  bool enough(int points) const {
    for (std::size_t kind = 0; kind < 3; ++kind) {
      const bool none = std::none_of(errors_[kind].begin(), errors_[kind].end(),
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
    tell_round_off();
    result_.error_q = errors_[0];
    result_.error_v = errors_[1];
    result_.error_lambda = errors_[2];
    result_.fit_q = fit(0);
    result_.fit_v = fit(1);
    result_.fit_lambda = fit(2);
    result_.slope_q = result_.fit_q.slope;
    result_.slope_v = result_.fit_v.slope;
    result_.slope_lambda = result_.fit_lambda.slope;
    result_.used_q = result_.fit_q.used;
    result_.used_v = result_.fit_v.used;
    result_.used_lambda = result_.fit_lambda.used;
    add_components();
    return std::move(result_);
  }

 private:
  RoundOff round_off(std::size_t kind) const {
    const int level = static_cast<int>(kind);
    return {unit_of(cells_.front().precision),
            scale_[kind],
            span_,
            round_off_power(level, index_),
            left_ * std::pow(std::max(1.0, span_), 2 - level),
            scale_[kind] * std::pow(10, -result_.reference_digits)};
  }
  SlopeFit fit(std::size_t kind) const {
    return fit_slope(result_.h, errors_[kind], round_off(kind), finer_[kind]);
  }

  /// Where the bound does not tell round-off from error the next precision does, if the problem and
  /// the method are to be had in it.
  void tell_round_off() {
    const std::string precision = wider(cells_.front().precision);
    if (precision.empty()) return;
    std::set<std::size_t> doubtful;
    for (std::size_t kind = 0; kind < 3; ++kind)
      if (const SlopeFit found = fit(kind); found.doubtful >= 0)
        doubtful.insert(static_cast<std::size_t>(found.doubtful));
    for (const std::size_t i : doubtful) {
      RunRequest cell = cells_[i];
      cell.precision = precision;
      try {
        const RunResult r = run(cell);
        for (std::size_t kind = 0; kind < 3; ++kind)
          finer_[kind][i] = measure(r, error_names[kind]);
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

  std::vector<RunRequest> cells_;
  ConvergeResult result_;
  std::array<std::vector<double>, 3> errors_, finer_;
  std::array<double, 3> scale_{};
  std::string problem_;
  int index_ = 1;
  double left_ = 0, span_ = 1;
};

}  // namespace

std::vector<ConvergeResult> converge(const ConvergeRequest& request,
                                     const std::vector<Expression>& t_ends) {
  std::vector<Study> studies;
  for (const Expression& t_end : t_ends) {
    ConvergeRequest one = request;
    one.t_end = t_end;
    studies.emplace_back(one);
  }
  std::vector<double> h;
  for (const Expression& step : request.h) h.push_back(step.eval<double>());
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
    std::vector<Expression> ends;
    for (std::size_t k = 0; k < studies.size(); ++k)
      if (open[k]) ends.push_back(t_ends[k]);
    if (ends.empty()) break;
    std::vector<RunResult> runs = run_through(studies.front().cell(i), ends);
    for (std::size_t k = 0, taken = 0; k < studies.size(); ++k) {
      if (!open[k]) continue;
      studies[k].take(i, std::move(runs[taken++]));
      open[k] = request.enough_points == 0 || !studies[k].enough(request.enough_points);
    }
  }
  std::vector<ConvergeResult> results;
  for (Study& study : studies) results.push_back(study.finish());
  return results;
}

ConvergeResult converge(const ConvergeRequest& request) {
  return std::move(converge(request, {request.t_end}).front());
}

}  // namespace daemark
