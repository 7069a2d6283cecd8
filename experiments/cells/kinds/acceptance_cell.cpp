// Cells of kind "acceptance": what `daemark accept` sees of a method, runs of one mechanism with
// each of the step sizes h.
//
// Keys beside those of a run: times (texts; none: no errors), at which errors are taken; events
// (texts); displacement, kick (texts): the motion starts at (1 + displacement) q and v + kick q,
// off the constraints; inside (flag): errors of the dense output in the middle of the last step
// instead.
//
// Series, an entry a step size, NaN where a run failed:
//   h, steps, rejected
//   error_X, size_X   X = q, v, lambda: the largest 2-norms of the error and of the reference
//   lag_X, stray_X    the error as a shift of time, in steps, by least squares over all times (-1:
//                     what belongs to one step earlier), and the part that is no shift; where a
//                     problem has a closed form
//   energy_error, energy_size, position_violation, velocity_violation, first_violation,
//   first_rate_violation: the largest |error| [J], kinetic plus the range of potential energy, the
//   largest violations at `times` (at all step ends where none are given), and those at the start
//   reach_q, reach_v  the largest 2-norms of the run itself
//   row, row_share    the constraint row that is violated most at the end, by how much more than
//   any
//                     other; of flat mechanisms
//   event             the time of the first event [s]
// The state, the counts and the status are those of the last step size.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "analysis/orders/inside_orders.hpp"
#include "analysis/reference/reference.hpp"
#include "analysis/run/run.hpp"
#include "base/program/progress.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/read_double.hpp"
#include "experiments/cells/support/cell_kind.hpp"
#include "experiments/cells/support/integration.hpp"
#include "experiments/cells/support/measure_names.hpp"
#include "problems/system/registry.hpp"

namespace daemark {
namespace {

using Values = std::map<std::string, double>;

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

/// What is compared with the reference: the problem, its mechanism, and the states at the times.
struct Truth {
  Problem problem;
  MechanicalPtr<double> mechanism;
  std::vector<ReferenceState> states;
  bool closed = false;

  explicit Truth(const Cell& cell) : problem(problem_registry().make(cell.problem)) {
    mechanism = problem.make<double>();
    const std::vector<std::string> times = cell.texts("times");
    if (!times.empty())
      states = reference_states(problem, times, digits_for_errors(Precision::in_double));
    closed = problem.closed_form && mechanism->chart_size() == 0;
  }

  std::vector<double> error(std::size_t part, const std::vector<double>& x,
                            const std::vector<real50>& y) const {
    std::vector<real50> a(x.begin(), x.end()), apart(y.size());
    if (part == 0)
      mechanism->reference_difference(a.data(), y.data(), apart.data());
    else
      for (std::size_t i = 0; i < y.size(); ++i) apart[i] = a[i] - y[i];
    std::vector<double> out;
    for (const real50& d : apart) out.push_back(to_double(d));
    return out;
  }
  /// How far the closed form moves in the step that ends at a time.
  std::array<std::vector<double>, 3> movement(const ReferenceState& end, double h) const {
    ReferenceState before = end;
    const real50 t = Expression::parse(end.t, "times").eval<real50>() - real50(h);
    problem.closed_form(t, before.q.data(), before.v.data(), before.lambda.data());
    const auto apart = [](const std::vector<real50>& a, const std::vector<real50>& b) {
      std::vector<double> d;
      for (std::size_t i = 0; i < a.size(); ++i) d.push_back(to_double(real50(a[i] - b[i])));
      return d;
    };
    return {apart(end.q, before.q), apart(end.v, before.v), apart(end.lambda, before.lambda)};
  }
};

/// Sums of one of q, v, λ over the times.
struct PartSums {
  double error = 0, size = 0, ee = 0, em = 0, mm = 0;
};

/// The row of a history at a time; none where the run has no step end there.
std::optional<std::size_t> row_at(const History& history, const std::string& time) {
  const double t = number(time, "times");
  for (std::size_t k = 0; k < history.t.size(); ++k)
    if (std::abs(history.t[k] - t) <= 1e-9 * (1 + std::abs(t))) return k;
  return std::nullopt;
}

void add_errors_at_times(const Truth& truth, const History& history, double h, Values& values) {
  const std::array parts = {&history.q, &history.v, &history.lambda};
  std::array<PartSums, 3> sums;
  for (const ReferenceState& state : truth.states) {
    const std::optional<std::size_t> row = row_at(history, state.t);
    if (!row) continue;
    const std::array exact = {&state.q, &state.v, &state.lambda};
    const auto moved =
        truth.closed ? truth.movement(state, h) : std::array<std::vector<double>, 3>{};
    for (std::size_t part = 0; part < 3; ++part) {
      const std::vector<double>& x = (*parts[part])[*row];
      if (x.size() != exact[part]->size()) continue;
      const std::vector<double> e = truth.error(part, x, *exact[part]), &m = moved[part];
      PartSums& sum = sums[part];
      const double size = two_norm(e);
      sum.error = size <= sum.error ? sum.error : size;  // NaN stays
      sum.size = std::max(sum.size, two_norm(std::vector<double>(x.begin(), x.end())));
      for (std::size_t i = 0; i < m.size(); ++i)
        sum.ee += e[i] * e[i], sum.em += e[i] * m[i], sum.mm += m[i] * m[i];
    }
  }
  for (std::size_t part = 0; part < 3; ++part) {
    const PartSums& sum = sums[part];
    const std::string name = motion_parts[part];
    if (sum.size == 0 && sum.error == 0) continue;
    values["error_" + name] = sum.error, values["size_" + name] = sum.size;
    if (!(sum.mm > 0) || !(sum.ee > 0)) continue;
    values["lag_" + name] = sum.em / sum.mm;
    values["stray_" + name] = std::sqrt(std::max(0.0, 1 - sum.em * sum.em / (sum.mm * sum.ee)));
  }
}

void add_violated_row(const Truth& truth, const History& history, Values& values) {
  MechanicalSystem<double>& mechanism = *truth.mechanism;
  const int m = mechanism.constraints();
  if (m == 0 || mechanism.chart_size() > 0) return;
  std::vector<double> position(m), velocity(m);
  MotionValues<double> out;
  out.position = position.data(), out.velocity = velocity.data();
  mechanism.evaluate({history.t.back(), history.q.back().data(), history.v.back().data(), nullptr,
                      nullptr, nullptr},
                     {}, out);
  std::vector<std::pair<double, int>> rows;
  for (int i = 0; i < m; ++i) rows.emplace_back(std::abs(position[i]) + std::abs(velocity[i]), i);
  std::sort(rows.rbegin(), rows.rend());
  values["row"] = rows[0].second;
  values["row_share"] = m > 1 && rows[1].first > 0 ? rows[0].first / rows[1].first : nothing;
}

void add_energy_and_violations(const Truth& truth, const RunResult& run, Values& values) {
  const History& history = run.history;
  const auto [low, high] = std::minmax_element(history.potential.begin(), history.potential.end());
  values["energy_size"] =
      *std::max_element(history.kinetic.begin(), history.kinetic.end()) + *high - *low;
  values["energy_error"] = run.measures.at("energy_error_max");
  for (const std::vector<double>& q : history.q)
    values["reach_q"] = std::max(values["reach_q"], two_norm(q));
  for (const std::vector<double>& v : history.v)
    values["reach_v"] = std::max(values["reach_v"], two_norm(v));
  if (!run.measures.contains("position_violation_max")) return;
  values["first_violation"] = history.position_violation.front();
  values["first_rate_violation"] = history.velocity_violation.front();
  double& position = values["position_violation"] = 0;
  double& velocity = values["velocity_violation"] = 0;
  for (const ReferenceState& state : truth.states)
    if (const auto row = row_at(history, state.t)) {
      position = std::max(position, history.position_violation[*row]);
      velocity = std::max(velocity, history.velocity_violation[*row]);
    }
  if (!truth.states.empty()) return;
  position = run.measures.at("position_violation_max");
  velocity = run.measures.at("velocity_violation_max");
}

Values values_of(const Truth& truth, const RunResult& run, double h) {
  Values values{{"h", h}};
  if (run.status != "ok") return values;
  const auto count = [&](const char* name) {
    return run.counts.contains(name) ? static_cast<double>(run.counts.at(name)) : 0;
  };
  values["steps"] = count("steps"), values["rejected"] = count("rejected_steps");
  add_errors_at_times(truth, run.history, h, values);
  add_violated_row(truth, run.history, values);
  add_energy_and_violations(truth, run, values);
  if (!run.events.empty()) values["event"] = double_of(run.events.front().t);
  return values;
}

RunResult one_acceptance_run(const Cell& cell, const Truth& truth, const std::string& h) {
  RunRequest request = run_request(run_of(cell, nlohmann::json::object()));
  request.h = Expression::parse(h, "h"), request.repeat = 0;
  request.history_every = 1;
  for (const std::string& event : cell.texts("events"))
    request.events.push_back(EventRequest::parse(event, "events", false));
  if (is_displaced(cell)) request.initial = displaced<double>(cell);
  return run(BoundRun(std::move(request), truth.problem));
}

void inside_acceptance(const Cell& cell, CellResult& result, std::vector<Values>& rows) {
  std::vector<Expression> steps;
  for (const std::string& h : cell.h) steps.push_back(Expression::parse(h, "h"));
  for (const InsideErrors& one :
       errors_inside(run_request(run_of(cell, nlohmann::json::object())), steps)) {
    Values values{{"h", one.h}};
    for (const char* part : motion_parts)
      if (const std::string name = std::string("error_") + part; one.errors.contains(name))
        values[name] = one.errors.at(name);
    rows.push_back(std::move(values));
    result.status = one.status == "ok" ? "ok" : one.status.substr(0, one.status.find(':'));
  }
}

CellResult run_acceptance(const Cell& cell) {
  CellResult result;
  std::vector<Values> rows;
  if (cell.flag("inside")) {
    inside_acceptance(cell, result, rows);
  } else {
    const Truth truth(cell);
    ProgressParts parts(run_sizes(cell.h));
    for (const std::string& h : cell.h) {
      const ProgressShare share = parts.next();
      RunResult run;
      try {
        run = one_acceptance_run(cell, truth, h);
      } catch (const BadInput&) {  // fewer steps than a formula needs
        if (h == cell.h.back()) throw;
        run.status = "refused";
      }
      rows.push_back(values_of(truth, run, number(h, "h")));
      run.history = {};
      const double seconds = result.seconds + run.seconds;
      result = from_run(run, {});
      result.seconds = seconds;
    }
  }
  for (const Values& row : rows)
    for (const auto& [name, value] : row) result.series[name];
  for (const Values& row : rows)
    for (auto& [name, column] : result.series)
      column.push_back(row.contains(name) ? row.at(name) : nothing);
  return result;
}

}  // namespace

void register_acceptance_cell(CellKinds& kinds) {
  using Type = CellKey::Type;
  CellKind kind;
  kind.id = "acceptance";
  kind.keys = run_keys() + std::vector<CellKey>{{"times", Type::texts},
                                                {"events", Type::texts},
                                                {"displacement"},
                                                {"kick"},
                                                {"inside", Type::flag}};
  kind.measures = {{"energy_error_{max,final}", "J"},
                   {"{position,velocity,acceleration}_violation_{max,final}", "?"},
                   {"work_doubt_max", "J"},
                   count_measures()};
  kind.compute = run_acceptance;
  kind.commands = [](const Cell& cell) -> Commands {
    return {integration_command(run_of(cell, nlohmann::json::object()))};
  };
  kind.cost = integration_cost;
  kind.refusable = true;
  kind.reference_times = [](const Cell& cell) { return cell.texts("times"); };
  kinds.add(std::move(kind));
}

}  // namespace daemark
