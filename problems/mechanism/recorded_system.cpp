#include "problems/mechanism/recorded_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/text/bad_input.hpp"

namespace daemark {

template <class S>
RecordedSystem<S>::RecordedSystem(std::shared_ptr<const Mechanism> mechanism)
    : mechanism_(std::move(mechanism)), charts_(mechanism_->charts) {
  check();
  for (const Quantity& coordinate : mechanism_->coordinates) this->add_coordinate(coordinate);
  lay_out();
  this->outputs_ = mechanism_->outputs;
  this->redundant_ = mechanism_->redundant;
  if (mechanism_->redundant > 0 && this->velocity_rows() > 0)
    throw BadInput(
        fmt::format("mechanism: {} redundant constraints and {} rows of velocities, accepted: "
                    "either",
                    mechanism_->redundant, this->velocity_rows()));
  levels_.resize(3 * static_cast<std::size_t>(this->constraints()));
  record_functions();
}

template <class S>
void RecordedSystem<S>::check() const {
  const std::size_t n = mechanism_->coordinates.size();
  if (mechanism_->q0.size() != n || mechanism_->v0.size() != n)
    throw BadInput(
        fmt::format("mechanism: {} names, {} positions and {} velocities, accepted: as "
                    "many of each",
                    n, mechanism_->q0.size(), mechanism_->v0.size()));
  const auto exists = [](const std::vector<int>& places, int count, const char* what) {
    for (const int place : places)
      if (place < 0 || place >= count)
        throw BadInput(
            fmt::format("element: {} {} does not exist, accepted: 0..{}", what, place, count - 1));
  };
  for (const Element& element : mechanism_->elements) {
    exists(element.coordinates, static_cast<int>(n), "coordinate");
    exists(element.chart, charts_.size(), "number of a chart");
  }
}

template <class S>
void RecordedSystem<S>::lay_out() {
  MotionPatterns patterns;
  std::map<const Part*, PartBatch<S>*> known;
  std::vector<int> all(this->coordinates());
  std::iota(all.begin(), all.end(), 0);
  whole_ = mechanism_->elements.size() == 1 && mechanism_->elements.front().coordinates == all;
  for (const Element& element : mechanism_->elements) {
    PartBatch<S>*& batch = known[element.part.get()];
    if (!batch) batch = &batches_.emplace_back(element.part);
    batch->add(element, this->constraints(), patterns);
    const PartSizes& sizes = element.part->sizes();
    for (int i = 0; i < sizes.rows; ++i)
      this->add_row(element.rows[i],
                    i < sizes.rows - sizes.velocity_rows ? RowLevel::position : RowLevel::velocity);
    has_power_ = has_power_ || element.part->has_power();
  }
  for (PartBatch<S>& batch : batches_) batch.lay_out(whole_);
  const int n = this->coordinates(), m = this->constraints();
  this->mass_pattern_ = patterns.mass.pattern(n, n);
  this->gradient_pattern_ = patterns.gradient.pattern(m, n);
  this->curvature_pattern_ = patterns.curvature.pattern(m, n);
  this->residual_q_pattern_ = patterns.residual_q.pattern(n, n);
  this->residual_v_pattern_ = patterns.residual_v.pattern(n, n);
  if (patterns.residual_lambda.size() > 0)
    this->residual_lambda_pattern_ = patterns.residual_lambda.pattern(n, m);
  const auto size = [this](PartGroup group, int count) { sizes_[static_cast<int>(group)] = count; };
  for (int group = 0; group < part_groups; ++group) sizes_[group] = 1;
  size(PartGroup::residual, n), size(PartGroup::inertia, n), size(PartGroup::force, n);
  size(PartGroup::position, m), size(PartGroup::velocity, m), size(PartGroup::acceleration, m);
  size(PartGroup::mass, patterns.mass.size()), size(PartGroup::gradient, patterns.gradient.size());
  size(PartGroup::residual_q, patterns.residual_q.size());
  size(PartGroup::stiffness, patterns.residual_q.size());
  size(PartGroup::residual_v, patterns.residual_v.size());
  size(PartGroup::residual_lambda, patterns.residual_lambda.size());
  size(PartGroup::curvature_q, patterns.curvature.size());
  size(PartGroup::curvature_v, patterns.curvature.size());
}

template <class S>
void RecordedSystem<S>::record_functions() {
  const int n = this->coordinates(), m = this->constraints();
  const auto evaluator = [](const graph::Graph& g, const std::vector<std::vector<Var>>& groups) {
    return graph::Evaluator<S>(std::make_shared<const graph::Code>(graph::compile(g, groups)));
  };
  if (mechanism_->shown) {
    graph::Graph g;
    const auto q = g.inputs(n), v = g.inputs(n);
    const std::vector<Var> states = mechanism_->shown(q.data(), v.data());
    shown_size_ = static_cast<int>(states.size());
    const auto middle = states.begin() + shown_size_ / 2;
    shown_ = evaluator(g, {{states.begin(), middle}, {middle, states.end()}});
  }
  if (mechanism_->output_values) {
    graph::Graph g;
    const Var t = g.input();
    const auto q = g.inputs(n), v = g.inputs(n), a = g.inputs(n), lambda = g.inputs(m),
               chart = g.inputs(charts_.size());
    outputs_of_ = evaluator(g, {mechanism_->output_values({t, q.data(), v.data(), a.data(),
                                                           lambda.data(), chart.data()})});
  }
}

template <class S>
void RecordedSystem<S>::guess_multipliers(S* lambda) const {
  if (mechanism_->lambda0.empty()) return MechanicalSystem<S>::guess_multipliers(lambda);
  narrow(mechanism_->lambda0, lambda);
}

template <class S>
void RecordedSystem<S>::run(unsigned mask, const MotionPoint<S>& p, const ConstraintWeights<S>& w,
                            S* const* groups, const S& row_weight) {
  if (!whole_)
    for (int group = 0; group < part_groups; ++group)
      if (mask >> group & 1U) std::fill_n(groups[group], sizes_[group], S(0));
  for (PartBatch<S>& batch : batches_)
    batch.run(mask, p, {w.velocity, w.acceleration, row_weight}, groups);
}

template <class S>
S RecordedSystem<S>::number(PartGroup group, const MotionPoint<S>& p) {
  S value(0);
  S* groups[part_groups] = {};
  groups[static_cast<int>(group)] = &value;
  run(bit(group), p, {}, groups);
  return value;
}

template <class S>
void RecordedSystem<S>::evaluate(const MotionPoint<S>& p, const ConstraintWeights<S>& w,
                                 const MotionValues<S>& out) {
  unsigned mask = 0;
  S* groups[part_groups] = {};
  const auto ask = [&](PartGroup group, S* to) {
    if (!to) return;
    mask |= bit(group), groups[static_cast<int>(group)] = to;
  };
  ask(PartGroup::residual, out.residual), ask(PartGroup::inertia, out.inertia);
  ask(PartGroup::force, out.force), ask(PartGroup::mass, out.mass);
  ask(PartGroup::gradient, out.gradient);
  ask(PartGroup::residual_q, out.residual_q), ask(PartGroup::residual_v, out.residual_v);
  ask(PartGroup::residual_lambda, out.residual_lambda);
  ask(PartGroup::curvature_q, out.curvature_q), ask(PartGroup::curvature_v, out.curvature_v);
  const int m = this->constraints();
  const bool velocity_rows = this->velocity_rows() > 0;
  const ConstraintWeights<S> of_velocities = velocity_rows ? w.of_velocity_rows() : w;
  const auto level = [&](PartGroup group, S* to, bool weighted, int number) {
    ask(group, to ? to : out.weighted && weighted ? &levels_[number * m] : nullptr);
  };
  level(PartGroup::position, out.position, w.position != 0, 0);
  level(PartGroup::velocity, out.velocity, w.velocity != 0 || of_velocities.velocity != 0, 1);
  level(PartGroup::acceleration, out.acceleration, w.acceleration != 0, 2);
  if (w.velocity != 0) mask |= with_velocity_weight;
  if (velocity_rows && of_velocities.velocity != 0) mask |= with_row_weight;
  if (w.acceleration != 0) mask |= with_acceleration_weight;
  if (!out.curvature_q && !out.curvature_v) mask &= bit(PartGroup::count) - 1;
  run(mask, p, w, groups, of_velocities.velocity);
  if (out.weighted) weigh(w, groups, out.weighted);
  if (charts_.size() == 0 || charts_.hold(p.q)) return;
  const S none = std::numeric_limits<S>::quiet_NaN();  // which ends a step
  for (S* values : {out.residual, out.inertia, out.force})
    if (values) std::fill_n(values, this->coordinates(), none);
  for (S* values : {out.weighted, out.position, out.velocity, out.acceleration})
    if (values) std::fill_n(values, m, none);
}

template <class S>
void RecordedSystem<S>::weigh(const ConstraintWeights<S>& w, S* const* groups, S* weighted) const {
  const bool velocity_rows = this->velocity_rows() > 0;
  const ConstraintWeights<S> of_velocities = velocity_rows ? w.of_velocity_rows() : w;
  const S* const position = groups[static_cast<int>(PartGroup::position)];
  const S* const velocity = groups[static_cast<int>(PartGroup::velocity)];
  const S* const acceleration = groups[static_cast<int>(PartGroup::acceleration)];
  for (int r = 0; r < this->constraints(); ++r) {
    const ConstraintWeights<S>& own =
        velocity_rows && this->row_level(r) == RowLevel::velocity ? of_velocities : w;
    S sum(0);
    if (position && own.position != 0) sum += own.position * position[r];
    if (velocity && own.velocity != 0) sum += own.velocity * velocity[r];
    if (acceleration && own.acceleration != 0) sum += own.acceleration * acceleration[r];
    weighted[r] = sum;
  }
}

template <class S>
void RecordedSystem<S>::multiplier_stiffness(const MotionPoint<S>& p, S* stiffness) {
  S* groups[part_groups] = {};
  groups[static_cast<int>(PartGroup::stiffness)] = stiffness;
  run(bit(PartGroup::stiffness), p, {}, groups);
}

template <class S>
void RecordedSystem<S>::record(graph::Graph&, const Var* q, const Var* v, const Var* a,
                               const Var* lambda, const Var& t, Var* R, Var* Phi) {
  std::fill_n(R, this->coordinates(), Var());
  std::vector<Var> numbers;
  for (const Chart& chart : mechanism_->charts)
    numbers.insert(numbers.end(), chart.numbers.begin(), chart.numbers.end());
  for (const Element& element : mechanism_->elements) {
    const PartSizes& sizes = element.part->sizes();
    PartArguments at;
    at.t = t;
    for (const int c : element.coordinates)
      at.q.push_back(q[c]), at.v.push_back(v[c]), at.a.push_back(a[c]);
    at.lambda = {lambda, lambda + sizes.rows};
    for (const int number : element.chart) at.chart.push_back(numbers[number]);
    at.data = {element.data.begin(), element.data.end()};
    std::vector<Var> felt(sizes.k);
    element.part->record(at, felt.data(), Phi);
    for (int i = 0; i < sizes.k; ++i) R[element.coordinates[i]] += felt[i];
    lambda += sizes.rows, Phi += sizes.rows;
  }
}

template <class S>
void RecordedSystem<S>::output_values(const MotionPoint<S>& p, S* values) {
  if (!outputs_of_) return;
  S* x = outputs_of_.inputs();
  *x++ = p.t;
  const int n = this->coordinates();
  for (const auto& [from, count] :
       {std::pair(p.q, n), std::pair(p.v, n), std::pair(p.a, n),
        std::pair(p.lambda, this->constraints()), std::pair(p.chart, charts_.size())})
    x = from ? std::copy_n(from, count, x) : std::fill_n(x, count, S(0));
  outputs_of_.run(values);
}

template <class S>
std::shared_ptr<MechanicalSystem<S>> RecordedSystem<S>::stiff_part() const {
  const auto part = mechanism_->stiff ? mechanism_->stiff() : nullptr;
  if (!part) return nullptr;
  Mechanism same_rows = *part;
  same_rows.redundant = mechanism_->redundant;
  return std::make_shared<RecordedSystem<S>>(
      std::make_shared<const Mechanism>(std::move(same_rows)));
}

template <class S>
void RecordedSystem<S>::to_reference(const MotionPoint<S>& p, S* q_ref, S* v_ref) const {
  if (!mechanism_->shown) {
    MechanicalSystem<S>::to_reference(p, q_ref, v_ref);
    return charts_.to_reference(p, q_ref, v_ref);
  }
  const int n = this->coordinates();
  std::copy_n(p.v, n, std::copy_n(p.q, n, shown_.inputs()));
  S* groups[] = {q_ref, v_ref};
  shown_.run(groups);
}

template <class S>
void RecordedSystem<S>::from_reference(const S* q_ref, const S* v_ref, S* q, S* v, S* chart) const {
  MechanicalSystem<S>::from_reference(q_ref, v_ref, q, v, chart);
  charts_.from_reference(q_ref, v_ref, q, v, chart);
}

template <class S>
std::vector<std::string> RecordedSystem<S>::reference_names() const {
  return mechanism_->reference_names.empty() ? this->coordinate_names_
                                             : mechanism_->reference_names;
}

template <class S>
std::vector<std::string> RecordedSystem<S>::reference_velocity_names() const {
  return mechanism_->reference_velocity_names.empty() ? this->coordinate_names_
                                                      : mechanism_->reference_velocity_names;
}

template <class S>
void RecordedSystem<S>::reference_difference(const real50* a, const real50* b,
                                             real50* difference) const {
  MechanicalSystem<S>::reference_difference(a, b, difference);
  charts_.reference_difference(a, b, difference);
}

template class RecordedSystem<double>;
template class RecordedSystem<real50>;

Element whole_of(const Mechanism& mechanism) {
  PartSizes sizes;
  std::vector<Quantity> rows;
  const int n = sizes.k = static_cast<int>(mechanism.coordinates.size());
  for (const Element& element : mechanism.elements) {
    sizes.rows += element.part->sizes().rows;
    sizes.velocity_rows += element.part->sizes().velocity_rows;
    rows.insert(rows.end(), element.rows.begin(), element.rows.end());
  }
  for (const Chart& chart : mechanism.charts) sizes.chart += static_cast<int>(chart.numbers.size());
  return whole_element(sizes, rows, [&](const PartArguments& all) {
    PartFunctions f;
    f.mass.resize(static_cast<std::size_t>(n) * n), f.force.resize(n);
    f.kinetic = Var();
    auto lambda = all.lambda.begin();
    for (const Element& element : mechanism.elements) {
      PartArguments at;
      at.t = all.t;
      for (const int c : element.coordinates)
        at.q.push_back(all.q[c]), at.v.push_back(all.v[c]), at.a.push_back(all.a[c]);
      at.lambda = {lambda, lambda + element.part->sizes().rows};
      lambda += element.part->sizes().rows;
      for (const int number : element.chart) at.chart.push_back(all.chart[number]);
      at.data = {element.data.begin(), element.data.end()};
      const PartFunctions own = element.part->stated(at);
      const std::size_t k = element.coordinates.size();
      for (std::size_t i = 0; i < k; ++i) {
        f.force[element.coordinates[i]] += own.force[i];
        for (std::size_t j = 0; j < k && !own.mass.empty(); ++j)
          f.mass[element.coordinates[i] * n + element.coordinates[j]] += own.mass[i * k + j];
      }
      f.rows.insert(f.rows.end(), own.rows.begin(), own.rows.end());
      *f.kinetic += *own.kinetic;
      f.potential += own.potential, f.work += own.work, f.dissipation += own.dissipation;
    }
    return f;
  });
}

namespace {

/// Whether one part of all is the shorter way: nothing is repeated often, and rows of velocities,
/// which a part has last, are so.
bool better_whole(const Mechanism& mechanism) {
  constexpr std::size_t coordinates = 64;
  constexpr int operations = 20000;
  int sum = 0;
  bool in_order = true, velocity = false;
  for (const Element& element : mechanism.elements) {
    const PartSizes& sizes = element.part->sizes();
    sum += element.part->operations();
    in_order = in_order && !(velocity && sizes.rows > sizes.velocity_rows);
    velocity = velocity || sizes.velocity_rows > 0;
    if (sum > operations) return false;
  }
  return mechanism.elements.size() > 1 && mechanism.coordinates.size() <= coordinates && in_order;
}

std::shared_ptr<const Mechanism> assembled(std::shared_ptr<const Mechanism> mechanism) {
  if (!better_whole(*mechanism)) return mechanism;
  auto whole = std::make_shared<Mechanism>(*mechanism);
  whole->elements = {whole_of(*mechanism)};
  return whole;
}

}  // namespace

MechanismMakers recorded_makers(std::function<std::shared_ptr<const Mechanism>()> make) {
  struct Shared {
    std::once_flag once;
    std::shared_ptr<const Mechanism> mechanism;
  };
  const auto of = [make = std::move(make), shared = std::make_shared<Shared>()] {
    std::call_once(shared->once, [&] { shared->mechanism = assembled(make()); });
    return shared->mechanism;
  };
  return {[of] { return std::make_shared<RecordedSystem<double>>(of()); },
          [of] { return std::make_shared<RecordedSystem<real50>>(of()); }};
}

}  // namespace daemark
