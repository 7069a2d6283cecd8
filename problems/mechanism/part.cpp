#include "problems/mechanism/part.hpp"

#include <algorithm>

namespace daemark {

using graph::Entry;

namespace {

std::vector<Var> slice(const std::vector<Var>& x, int first, int count) {
  return {x.begin() + first, x.begin() + first + count};
}

/// Values at places, zero where there is no entry.
std::vector<Var> at_places(const std::vector<Entry>& entries,
                           const std::vector<std::pair<int, int>>& places) {
  std::map<std::pair<int, int>, Var> by_place;
  for (const Entry& e : entries) by_place[{e.row, e.column}] = e.value;
  std::vector<Var> values;
  for (const auto& place : places) {
    const auto found = by_place.find(place);
    values.push_back(found == by_place.end() ? Var() : found->second);
  }
  return values;
}

}  // namespace

Part::Part(const PartSizes& sizes, const Recorder& record) : sizes_(sizes) {
  arguments_.t = graph_.input();
  for (auto* x : {&arguments_.q, &arguments_.v, &arguments_.a}) *x = graph_.inputs(sizes.k);
  arguments_.lambda = graph_.inputs(sizes.rows);
  arguments_.chart = graph_.inputs(sizes.chart);
  arguments_.data = graph_.inputs(sizes.data);
  velocity_weight_ = graph_.input(), acceleration_weight_ = graph_.input();
  row_weight_ = graph_.input();
  functions_ = record(arguments_);
  derive();
}

/// Keeps the entries' places as the group's, gives back their values.
std::vector<Var> Part::with_places(PartGroup group, const std::vector<Entry>& entries) {
  std::vector<Var> values;
  auto& places = places_[static_cast<int>(group)];
  for (const Entry& e : entries) {
    places.emplace_back(e.row, e.column);
    values.push_back(e.value);
  }
  return values;
}

void Part::derive() {
  const std::vector<Entry> gradient = derive_levels();
  derive_residual(gradient);
  derive_curvature();
  derive_energy();
}

/// Φ, Φ̇, Φ̈ and G, whose entries it gives back.
std::vector<Entry> Part::derive_levels() {
  const auto& [t, q, v, a, lambda, chart, data] = arguments_;
  const int r = sizes_.rows, positions = r - sizes_.velocity_rows;
  std::vector<Var> moving = q, along = v;  // what Φ depends on, and its rates
  moving.push_back(t), along.emplace_back(1);
  std::vector<Var> moving_twice = moving, along_twice = along;
  moving_twice.insert(moving_twice.end(), v.begin(), v.end());
  along_twice.insert(along_twice.end(), a.begin(), a.end());
  const std::vector<Var> phi = slice(functions_.rows, 0, positions),
                         stated = slice(functions_.rows, positions, sizes_.velocity_rows);
  std::vector<Var>& rate = set(PartGroup::velocity);
  rate = graph::directional(phi, moving, along);
  rate.insert(rate.end(), stated.begin(), stated.end());
  set(PartGroup::acceleration) = graph::directional(rate, moving_twice, along_twice);
  set(PartGroup::position) = phi;
  set(PartGroup::position).resize(r);
  std::vector<Entry> gradient = graph::jacobian(phi, q);
  for (Entry e : graph::jacobian(stated, v)) e.row += positions, gradient.push_back(e);
  set(PartGroup::gradient) = with_places(PartGroup::gradient, gradient);
  return gradient;
}

/// R = M a − f + Gᵀλ, its parts and its derivatives.
void Part::derive_residual(const std::vector<Entry>& gradient) {
  const auto& [t, q, v, a, lambda, chart, data] = arguments_;
  const int k = sizes_.k;
  std::vector<Var> reaction(k), inertia(k);
  for (const Entry& e : gradient) reaction[e.column] += e.value * lambda[e.row];
  const bool massive = !functions_.mass.empty();
  for (int i = 0; i < k && massive; ++i)
    for (int j = 0; j < k; ++j) inertia[i] += functions_.mass[i * k + j] * a[j];
  functions_.force.resize(k);
  std::vector<Var>& residual = set(PartGroup::residual);
  residual.resize(k);
  for (int i = 0; i < k; ++i) residual[i] = inertia[i] - functions_.force[i] + reaction[i];
  set(PartGroup::inertia) = inertia, set(PartGroup::force) = functions_.force;
  std::vector<Entry> mass, of_multipliers;
  for (int i = 0; i < k * k && massive; ++i)
    if (!functions_.mass[i].is_zero()) mass.push_back({i / k, i % k, functions_.mass[i]});
  set(PartGroup::mass) = with_places(PartGroup::mass, mass);
  set(PartGroup::residual_q) = with_places(PartGroup::residual_q, graph::jacobian(residual, q));
  set(PartGroup::residual_v) = with_places(PartGroup::residual_v, graph::jacobian(residual, v));
  for (Entry e : graph::jacobian(functions_.force, lambda))
    e.value = -e.value, of_multipliers.push_back(e);
  set(PartGroup::residual_lambda) = with_places(PartGroup::residual_lambda, of_multipliers);
  // On the places of ∂R/∂q, where all its entries are.
  set(PartGroup::stiffness) =
      at_places(graph::jacobian(reaction, q), places(PartGroup::residual_q));
}

void Part::derive_curvature() {
  const auto &q = arguments_.q, &v = arguments_.v, &second = set(PartGroup::acceleration);
  const std::vector<Entry> rate_q = graph::jacobian(set(PartGroup::velocity), q),
                           second_q = graph::jacobian(second, q),
                           second_v = graph::jacobian(second, v);
  auto& curved = places_[static_cast<int>(PartGroup::curvature_q)];
  for (const auto* entries : {&rate_q, &second_q, &second_v})
    for (const Entry& e : *entries) curved.emplace_back(e.row, e.column);
  std::sort(curved.begin(), curved.end());
  curved.erase(std::unique(curved.begin(), curved.end()), curved.end());
  places_[static_cast<int>(PartGroup::curvature_v)] = curved;
  rate_q_ = at_places(rate_q, curved), second_q_ = at_places(second_q, curved);
  set(PartGroup::curvature_v) = at_places(second_v, curved);
}

void Part::derive_energy() {
  const auto& [t, q, v, a, lambda, chart, data] = arguments_;
  const int k = sizes_.k, positions = sizes_.rows - sizes_.velocity_rows;
  Var kinetic;
  if (functions_.kinetic) {
    kinetic = *functions_.kinetic;
  } else if (!functions_.mass.empty()) {
    const auto& mass_places = places(PartGroup::mass);
    for (std::size_t i = 0; i < mass_places.size(); ++i)
      kinetic += set(PartGroup::mass)[i] * v[mass_places[i].first] * v[mass_places[i].second];
    kinetic /= Var(2);
  }
  const std::vector<Var> start = {t}, phi = slice(functions_.rows, 0, positions),
                         stated = slice(functions_.rows, positions, sizes_.velocity_rows);
  drive_ = graph::directional({functions_.potential}, start, {Var(1)})[0];
  const std::vector<Var> driven = graph::directional(phi, start, {Var(1)});
  for (int i = 0; i < positions; ++i) drive_ += lambda[i] * driven[i];
  std::vector<Var> rest(graph_.input_count());  // c: rows of velocities at rest
  for (int i = 0; i < graph_.input_count(); ++i) rest[i] = graph_.var(graph_.input_node(i));
  for (int i = 0; i < k; ++i) rest[1 + k + i] = 0;
  const std::vector<Var> held = graph_.call(stated, rest);
  for (std::size_t i = 0; i < held.size(); ++i)
    drive_ += lambda[positions + static_cast<int>(i)] * held[i];
  set(PartGroup::kinetic) = {kinetic}, set(PartGroup::potential) = {functions_.potential};
  set(PartGroup::work) = {functions_.work};
  set(PartGroup::power) = {functions_.dissipation + drive_};
}

std::vector<Var> Part::values(PartGroup group, unsigned mask) const {
  std::vector<Var> values = values_[static_cast<int>(group)];
  const Var by_rate = (mask & with_velocity_weight) ? velocity_weight_ : Var(),
            by_row = (mask & with_row_weight) ? row_weight_ : Var(),
            by_second = (mask & with_acceleration_weight) ? acceleration_weight_ : Var();
  const auto& curved = places(PartGroup::curvature_q);
  for (std::size_t i = 0; group == PartGroup::curvature_q && i < curved.size(); ++i) {
    const bool of_velocities = curved[i].first >= sizes_.rows - sizes_.velocity_rows;
    values.push_back((of_velocities ? by_row : by_rate) * rate_q_[i] + by_second * second_q_[i]);
  }
  if (group == PartGroup::curvature_v)
    for (Var& x : values) x = by_second * x;
  return values;
}

std::shared_ptr<const graph::Code> Part::code(unsigned mask) const {
  const std::lock_guard lock(mutex_);
  auto& made = codes_[mask];
  if (made) return made;
  std::vector<std::vector<Var>> groups(part_groups);
  for (int g = 0; g < part_groups; ++g)
    if (mask >> g & 1U) groups[g] = values(static_cast<PartGroup>(g), mask);
  made = std::make_shared<const graph::Code>(graph::compile(graph_, groups));
  return made;
}

std::vector<Var> Part::call(const std::vector<Var>& functions, const PartArguments& at) const {
  std::vector<Var> arguments = {at.t};
  for (const auto* x : {&at.q, &at.v, &at.a, &at.lambda, &at.chart, &at.data})
    arguments.insert(arguments.end(), x->begin(), x->end());
  arguments.resize(graph_.input_count());  // the weights are not read
  return graph_.call(functions, arguments);
}

PartFunctions Part::stated(const PartArguments& at) const {
  std::vector<Var> all = {values_[static_cast<int>(PartGroup::kinetic)][0], functions_.potential,
                          functions_.work, functions_.dissipation};
  for (const auto* x : {&functions_.force, &functions_.rows, &functions_.mass})
    all.insert(all.end(), x->begin(), x->end());
  all = call(all, at);
  PartFunctions stated;
  stated.kinetic = all[0], stated.potential = all[1], stated.work = all[2];
  stated.dissipation = all[3];
  const int k = sizes_.k;
  stated.force = slice(all, 4, k), stated.rows = slice(all, 4 + k, sizes_.rows);
  stated.mass = {all.begin() + 4 + k + sizes_.rows, all.end()};
  return stated;
}

void Part::record(const PartArguments& at, Var* R, Var* rows) const {
  std::vector<Var> wanted = values_[static_cast<int>(PartGroup::residual)];
  wanted.insert(wanted.end(), functions_.rows.begin(), functions_.rows.end());
  const std::vector<Var> recorded = call(wanted, at);
  for (int i = 0; i < sizes_.k; ++i) R[i] = recorded[i];
  std::copy(recorded.begin() + sizes_.k, recorded.end(), rows);
}

}  // namespace daemark
