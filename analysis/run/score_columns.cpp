#include "analysis/run/score_columns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/text/bad_input.hpp"
#include "base/text/near.hpp"
#include "base/text/printable.hpp"

namespace daemark {
namespace {

/// Where the number of a column goes, and its unit.
struct Place {
  std::vector<int>* columns;
  int component;
  std::string unit;
};

/// Whether reference states have the columns as components: the map between them is the identity.
bool is_identity(const MechanicalSystem<double>& mechanism) {
  const int n = mechanism.coordinates();
  if (mechanism.chart_size() > 0) return true;  // shown in reference coordinates
  if (mechanism.reference_coordinates() != n) return false;
  std::vector<double> q(n), v(n), q_ref(n), v_ref(n);
  mechanism.initial(q.data(), v.data());
  for (int i = 0; i < n; ++i) v[i] += 0.1 * (i + 1);
  mechanism.to_reference({0, q.data(), v.data()}, q_ref.data(), v_ref.data());
  return q == q_ref && v == v_ref;
}

MechanicalPtr<double> mechanism_of(const Problem& problem, const Formulation& formulation) {
  if (formulation.info.minimal && !problem.has_minimal())
    throw BadInput(
        fmt::format("problem {} has no minimal form, accepted: {}", problem.name,
                    formulation_ids([](const FormulationInfo& i) { return !i.minimal; })));
  return problem.make<double>(formulation.info.minimal);
}

}  // namespace

ScoredModel::ScoredModel(const Problem& given, const Formulation& formulation)
    : problem(&given),
      minimal(formulation.info.minimal),
      mechanism(mechanism_of(given, formulation)),
      names(state_names(*mechanism)),
      compared_as_shown(is_identity(*mechanism)) {}

ScoreColumns::ScoreColumns(const std::vector<TrajectoryColumn>& columns, const ScoredModel& model,
                           const std::string& place)
    : model_(model), on_chart_(model.mechanism->chart_size() > 0) {
  const StateNames& names = model.names;
  std::map<std::string, Place> known;
  const auto add = [&](const std::vector<std::string>& ids, const std::vector<std::string>& units,
                       std::vector<int>& columns) {
    columns.assign(ids.size(), -1);
    for (std::size_t i = 0; i < ids.size(); ++i)
      known.insert_or_assign(ids[i], Place{&columns, static_cast<int>(i), units[i]});
  };
  std::vector<std::string> rates;
  for (const std::string& id : names.q) rates.push_back("a_" + id);
  add(rates, names.a_units, a_);
  add(names.q, names.q_units, q_);
  add(names.v, names.v_units, v_);
  add(names.lambda, names.lambda_units, lambda_);
  outputs_.assign(names.outputs.size(), -1);
  for (std::size_t i = 0; i < outputs_.size(); ++i)
    known.insert_or_assign(names.outputs[i].id,
                           Place{&outputs_, static_cast<int>(i), names.outputs[i].unit});
  const std::vector<std::string> own = {"kinetic",
                                        "potential",
                                        "energy_error",
                                        "position_violation",
                                        "velocity_violation",
                                        "acceleration_violation"};
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto& [name, unit] = columns[i];
    const auto found = known.find(name);
    if (found == known.end()) {
      const bool recomputed = std::find(own.begin(), own.end(), name) != own.end();
      if (!recomputed && !name.starts_with("mu_")) {
        std::vector<std::string> ids;
        for (const auto& [id, to] : known) ids.push_back(id);
        throw BadInput(
            fmt::format("{}: column {} is unknown{}", place, in_quotes(name),
                        accepted_names(name, ids, "daemark show '" + model.problem->name + "'")));
      }
      ignored_.push_back({name, recomputed ? "computed anew, not read" : "no reference has it"});
      continue;
    }
    const Place& to = found->second;
    if (!unit.empty() && unit != to.unit)
      throw BadInput(fmt::format("{}: column {} is in {}; accepted: {}", place, name,
                                 in_quotes(unit), to.unit));
    (*to.columns)[to.component] = static_cast<int>(i);
  }
}

bool ScoreColumns::complete(const std::vector<int>& columns) {
  return std::find(columns.begin(), columns.end(), -1) == columns.end();
}

std::string ScoreColumns::what_is_missing() const {
  std::vector<std::string> missing;
  for (std::size_t i = 0; i < q_.size(); ++i)
    if (q_[i] < 0) missing.push_back(model_.names.q[i]);
  for (std::size_t i = 0; i < v_.size(); ++i)
    if (v_[i] < 0) missing.push_back(model_.names.v[i]);
  return fmt::format("the file has no column for {}", fmt::join(missing, ", "));
}

void ScoreColumns::check_start(const TrajectoryRow& row, const State<double>& start) const {
  constexpr double tolerance = 1e-6;
  const int n_ref = static_cast<int>(q_.size());
  std::vector<double> q(start.y.begin(), start.y.begin() + model_.n()),
      v(start.y.begin() + model_.n(), start.y.begin() + 2 * model_.n());
  if (on_chart_) {
    q.resize(n_ref), v.resize(n_ref);
    model_.mechanism->to_reference(motion_point(model_.n(), start.point()), q.data(), v.data());
  }
  const auto check = [&](const std::vector<int>& columns, const std::vector<double>& values,
                         const std::vector<std::string>& names) {
    for (int i = 0; i < n_ref; ++i) {
      if (columns[i] < 0) continue;
      const double given = row.values[columns[i]];
      if (!(std::abs(given - values[i]) <= tolerance * std::max(1.0, std::abs(values[i]))))
        throw BadInput(fmt::format(
            "line {}: {} starts at {}, in {} at {:.10g}; accepted: the problem's start within {:g}",
            row.line, names[i], given, model_.problem->name, values[i], tolerance));
    }
  };
  check(q_, q, model_.names.q);
  check(v_, v, model_.names.v);
}

State<double> ScoreColumns::state_of(const MechanicalSystem<double>& mechanism, double t) {
  State<double> state;
  state.t = t;
  state.y.assign(2 * mechanism.coordinates() + mechanism.constraints(), 0.0), state.rate = state.y;
  state.chart.resize(mechanism.chart_size());
  mechanism.initial_chart(state.chart.data());
  return state;
}

void ScoreColumns::place_state(const TrajectoryRow& row, State<double>& state) const {
  const int n = model_.n();
  const auto value = [&](int column) { return column < 0 ? 0.0 : row.values[column]; };
  std::vector<double> q(q_.size()), v(v_.size());
  std::transform(q_.begin(), q_.end(), q.begin(), value);
  std::transform(v_.begin(), v_.end(), v.begin(), value);
  if (on_chart_) {
    model_.mechanism->from_reference(q.data(), v.data(), state.y.data(), state.y.data() + n,
                                     state.chart.data());
    return;
  }
  std::copy(q.begin(), q.end(), state.y.begin());
  std::copy(v.begin(), v.end(), state.y.begin() + n);
}

void ScoreColumns::place_rest(const TrajectoryRow& row, State<double>& state) const {
  const int n = model_.n();
  for (std::size_t i = 0; has_multipliers() && i < lambda_.size(); ++i)
    state.y[2 * n + i] = row.values[lambda_[i]];
  for (int i = 0; has_accelerations() && i < n; ++i) state.rate[n + i] = row.values[a_[i]];
}

void ScoreColumns::report(std::vector<NotJudged>& to) const {
  to.insert(to.end(), ignored_.begin(), ignored_.end());
  for (std::size_t i = 0; i < a_.size(); ++i)
    if (a_[i] >= 0 && !has_accelerations())
      to.push_back({"a_" + model_.names.q[i], on_chart_ ? "accelerations depend on the chart"
                                                        : "not all accelerations are there"});
}

}  // namespace daemark
