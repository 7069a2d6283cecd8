#include "problems/elements/assembly.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace daemark {
namespace {

template <class T>
void grow(std::vector<T>& x, int size) {
  if (static_cast<int>(x.size()) < size) x.resize(size);
}

/// x of the element's coordinates; 0 for the ground's and where x is not given.
template <class T>
const T* gather(const std::vector<int>& coordinates, const T* x, std::vector<T>& local) {
  for (std::size_t i = 0; i < coordinates.size(); ++i)
    local[i] = x && coordinates[i] >= 0 ? x[coordinates[i]] : T(0);
  return local.data();
}

/// The quaternions of the element's charts; the identity for a fixed one.
template <class S>
const S* gather_charts(const std::vector<int>& offsets, const S* chart, std::vector<S>& local) {
  if (offsets.empty()) return nullptr;
  for (std::size_t i = 0; i < offsets.size(); ++i)
    for (int j = 0; j < 4; ++j)
      local[4 * i + j] = offsets[i] >= 0 ? chart[offsets[i] + j] : S(j == 0);
  return local.data();
}

/// Each `step` after the one before it, none on the ground; no places are.
bool neighbours(const std::vector<int>& places, int step) {
  for (std::size_t i = 0; i < places.size(); ++i)
    if (places[i] < 0 || places[i] != places.front() + step * static_cast<int>(i)) return false;
  return true;
}

}  // namespace

template <class S>
void Assembly<S>::append(Places& places, int local, int to) {
  if (!places.empty() && places.back().local + places.back().length == local &&
      places.back().to + places.back().length == to)
    ++places.back().length;
  else
    places.push_back({local, to, 1});
}

/// first_row: of the block's rows; −1 where they are the element's coordinates.
template <class S>
typename Assembly<S>::Places Assembly<S>::places(const Element<S>& element, ElementBlock block,
                                                 int first_row, PatternBuilder& pattern) {
  const std::vector<int>& column = element.coordinates();
  const int k = element.size(), rows = first_row < 0 ? k : static_cast<int>(element.rows().size());
  Places found;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < k; ++j) {
      const int row = first_row < 0 ? column[i] : first_row + i;
      if (row >= 0 && column[j] >= 0 && element.fills(block, i, j))
        append(found, i * k + j, pattern.add(row, column[j]));
    }
  return found;
}

template <class S>
void Assembly<S>::add(Laid element, int first_row, MotionPatterns& patterns) {
  const Element<S>& e = *element;
  const int k = e.size(), r = static_cast<int>(e.rows().size());
  Item item;
  item.first_row = first_row, item.rows = r;
  item.inertia = e.has_inertia(), item.force = e.has_force();
  item.of_velocities = e.level() == RowLevel::velocity;
  for (int i = 0; i < k; ++i)
    if (e.coordinates()[i] >= 0) append(item.coordinates, i, e.coordinates()[i]);
  item.together = k > 0 && neighbours(e.coordinates(), 1) && neighbours(e.charts(), 4);
  item.gradient = places(e, ElementBlock::gradient, first_row, patterns.gradient);
  item.curvature = places(e, ElementBlock::curvature, first_row, patterns.curvature);
  item.mass = places(e, ElementBlock::mass, -1, patterns.mass);
  item.residual_q = places(e, ElementBlock::residual_q, -1, patterns.residual_q);
  item.residual_v = places(e, ElementBlock::residual_v, -1, patterns.residual_v);
  grow(chart_, 4 * static_cast<int>(e.charts().size()));
  for (auto* x : {&q_, &v_, &a_, &none_, &inertia_, &force_}) grow(*x, k);
  for (auto* x : {&position_, &velocity_, &acceleration_}) grow(*x, r);
  for (auto* x : {&mass_, &residual_q_, &residual_v_}) grow(*x, k * k);
  for (auto* x : {&gradient_, &curvature_q_, &curvature_v_}) grow(*x, r * k);
  has_power_ = has_power_ || e.has_power();
  has_record_ = has_record_ && e.has_record();
  item.element = std::move(element);
  items_.push_back(std::move(item));
}

template <class S>
ElementPoint<S> Assembly<S>::local(const Item& item, const MotionPoint<S>& p) {
  const std::vector<int>& c = item.element->coordinates();
  if (item.together) {
    const auto from_here = [&](const S* x) { return x ? x + c.front() : none_.data(); };
    const std::vector<int>& charts = item.element->charts();
    return {p.t,
            from_here(p.q),
            from_here(p.v),
            from_here(p.a),
            p.lambda ? p.lambda + item.first_row : nullptr,
            charts.empty() ? nullptr : p.chart + charts.front()};
  }
  return {p.t,
          gather(c, p.q, q_),
          gather(c, p.v, v_),
          gather(c, p.a, a_),
          p.lambda ? p.lambda + item.first_row : nullptr,
          gather_charts(item.element->charts(), p.chart, chart_)};
}

template <class S>
void Assembly<S>::evaluate(const MotionPoint<S>& p, const ConstraintWeights<S>& w,
                           const MotionValues<S>& out) {
  const bool rows_matter = out.residual || out.constraints() || out.gradient || out.derivatives();
  if (rows_matter) velocity_weights_ = w.of_velocity_rows();
  for (const Item& item : items_) {
    const bool acts = item.inertia || item.force, rows = item.rows > 0 && rows_matter;
    ElementValues<S> values;
    if (item.inertia && (out.residual || out.inertia)) values.inertia = inertia_.data();
    if (item.inertia && out.mass) values.mass = mass_.data();
    if (item.force && (out.residual || out.force)) values.force = force_.data();
    if (acts && out.residual_q && !item.residual_q.empty()) values.residual_q = residual_q_.data();
    if (acts && out.residual_v && !item.residual_v.empty()) values.residual_v = residual_v_.data();
    if (rows) {
      values.position = position_.data(), values.velocity = velocity_.data();
      values.acceleration = acceleration_.data();
      if (out.residual || out.gradient) values.gradient = gradient_.data();
      if (out.curvature_q) values.curvature_q = curvature_q_.data();
      if (out.curvature_v) values.curvature_v = curvature_v_.data();
    }
    if (!rows && !values.inertia && !values.mass && !values.force && !values.residual_q &&
        !values.residual_v)
      continue;
    const ElementPoint<S> point = local(item, p);
    const ConstraintWeights<S>& weights = item.of_velocities ? velocity_weights_ : w;
    item.element->evaluate(point, weights, values);
    if (acts) add_forces(item, values, out);
    if (!rows) continue;
    add_levels(item, p, weights, values, out);
    if (out.residual_q && !item.residual_q.empty()) {
      item.element->multiplier_stiffness(point, residual_q_.data());
      add_to(item.residual_q, residual_q_.data(), out.residual_q);
    }
  }
}

template <class S>
void Assembly<S>::add_forces(const Item& item, const ElementValues<S>& values,
                             const MotionValues<S>& out) const {
  if (values.inertia && out.residual) add_to(item.coordinates, values.inertia, out.residual);
  if (values.inertia && out.inertia) add_to(item.coordinates, values.inertia, out.inertia);
  if (values.force && out.residual) subtract_from(item.coordinates, values.force, out.residual);
  if (values.force && out.force) add_to(item.coordinates, values.force, out.force);
  if (values.mass) add_to(item.mass, values.mass, out.mass);
  if (values.residual_q) add_to(item.residual_q, values.residual_q, out.residual_q);
  if (values.residual_v) add_to(item.residual_v, values.residual_v, out.residual_v);
}

template <class S>
void Assembly<S>::add_levels(const Item& item, const MotionPoint<S>& p,
                             const ConstraintWeights<S>& w, const ElementValues<S>& values,
                             const MotionValues<S>& out) const {
  const int k = item.element->size();
  for (int i = 0; i < item.rows; ++i) {
    const int row = item.first_row + i;
    const S &value = values.position[i], &rate = values.velocity[i],
            &second = values.acceleration[i];
    if (out.weighted)
      out.weighted[row] = w.position * value + w.velocity * rate + w.acceleration * second;
    if (out.position) out.position[row] = value;
    if (out.velocity) out.velocity[row] = rate;
    if (out.acceleration) out.acceleration[row] = second;
    if (!out.residual) continue;
    const S* gradient = values.gradient + i * k;
    for (const Place& at : item.coordinates)
      for (int j = 0; j < at.length; ++j)
        out.residual[at.to + j] += gradient[at.local + j] * p.lambda[row];
  }
  if (out.gradient) add_to(item.gradient, values.gradient, out.gradient);
  if (out.curvature_q) add_to(item.curvature, values.curvature_q, out.curvature_q);
  if (out.curvature_v) add_to(item.curvature, values.curvature_v, out.curvature_v);
}

template <class S>
void Assembly<S>::add_multiplier_stiffness(const MotionPoint<S>& p, S* stiffness) {
  for (const Item& item : items_) {
    if (item.rows == 0 || item.residual_q.empty()) continue;
    item.element->multiplier_stiffness(local(item, p), residual_q_.data());
    add_to(item.residual_q, residual_q_.data(), stiffness);
  }
}

template <class S>
void Assembly<S>::record(const Var* q, const Var* v, const Var* a, const Var* lambda, const Var& t,
                         Var* R, Var* Phi) const {
  using V = Var;
  for (const Item& item : items_) {
    Element<S>& element = *item.element;
    const std::vector<int>& c = element.coordinates();
    const int k = element.size();
    std::vector<V> local_q(k), local_v(k), local_a(k), inertia(k), force(k),
        gradient(item.rows * k);
    const ElementPoint<V> point{t, gather(c, q, local_q), gather(c, v, local_v),
                                gather(c, a, local_a), lambda + item.first_row};
    element.record(point, {inertia.data(), force.data(), Phi + item.first_row, gradient.data()});
    if (item.inertia) add_to(item.coordinates, inertia.data(), R);
    if (item.force) subtract_from(item.coordinates, force.data(), R);
    for (int i = 0; i < item.rows; ++i)
      for (const Place& at : item.coordinates)
        for (int j = 0; j < at.length; ++j)
          R[at.to + j] += gradient[i * k + at.local + j] * point.lambda[i];
  }
}

template <class S>
void Assembly<S>::add_kinetic_energy(const MotionPoint<S>& p, S& sum) {
  for (const Item& item : items_)
    if (item.inertia) sum += item.element->kinetic_energy(local(item, p));
}
template <class S>
void Assembly<S>::add_potential_energy(const MotionPoint<S>& p, S& sum) {
  for (const Item& item : items_)
    if (item.force) sum += item.element->potential_energy(local(item, p));
}
template <class S>
void Assembly<S>::add_work(const MotionPoint<S>& p, S& sum) {
  for (const Item& item : items_)
    if (item.force) sum += item.element->work(local(item, p));
}
template <class S>
void Assembly<S>::add_power(const MotionPoint<S>& p, S& sum) {
  for (const Item& item : items_)
    if (item.element->has_power()) sum += item.element->power(local(item, p));
}

template <class S>
ElementSystem<S>::ElementSystem(const std::vector<Quantity>& coordinates, std::vector<S> q0,
                                std::vector<S> v0,
                                std::vector<std::unique_ptr<Element<S>>> elements,
                                RotationCharts<S> charts, int redundant)
    : q0_(std::move(q0)), v0_(std::move(v0)), charts_(std::move(charts)) {
  const int n = static_cast<int>(coordinates.size());
  if (q0_.size() != coordinates.size() || v0_.size() != coordinates.size())
    throw BadInput(
        fmt::format("element system: {} names, {} positions and {} velocities, "
                    "accepted: as many of each",
                    n, q0_.size(), v0_.size()));
  for (const Quantity& coordinate : coordinates) this->add_coordinate(coordinate);
  MotionPatterns patterns;
  for (auto& element : elements) {
    check(*element);
    const int first_row = this->constraints();
    for (const Quantity& row : element->rows()) this->add_row(row, element->level());
    assembly_.add(std::move(element), first_row, patterns);
  }
  this->redundant_ = redundant;
  if (redundant > 0 && this->velocity_rows() > 0)
    throw BadInput(
        fmt::format("element system: {} redundant constraints beside {} rows of velocities, "
                    "accepted: either",
                    redundant, this->velocity_rows()));
  const int m = this->constraints();
  this->mass_pattern_ = patterns.mass.pattern(n, n);
  this->gradient_pattern_ = patterns.gradient.pattern(m, n);
  this->curvature_pattern_ = patterns.curvature.pattern(m, n);
  this->residual_q_pattern_ = patterns.residual_q.pattern(n, n);
  this->residual_v_pattern_ = patterns.residual_v.pattern(n, n);
}

template <class S>
void ElementSystem<S>::check(const Element<S>& element) const {
  const int n = this->coordinates();
  for (const int c : element.coordinates())
    if (c < -1 || c >= n)
      throw BadInput(
          fmt::format("element: coordinate {} does not exist, accepted: -1..{}", c, n - 1));
  for (const int c : element.charts())
    if (c != ElementNode::fixed_chart && (c < 0 || c + 4 > charts_.size()))
      throw BadInput(
          fmt::format("element: chart {} does not exist, accepted: 0..{}", c, charts_.size() - 4));
}

template <class S>
void ElementSystem<S>::initial(S* q, S* v) const {
  std::copy(q0_.begin(), q0_.end(), q);
  std::copy(v0_.begin(), v0_.end(), v);
}

template <class S>
void ElementSystem<S>::evaluate(const MotionPoint<S>& p, const ConstraintWeights<S>& w,
                                const MotionValues<S>& out) {
  const auto clear = [](S* values, int size) {
    if (values) std::fill_n(values, size, S(0));
  };
  const int n = this->coordinates();
  for (S* values : {out.residual, out.inertia, out.force}) clear(values, n);
  clear(out.mass, this->mass_pattern_.size());
  clear(out.gradient, this->gradient_pattern_.size());
  clear(out.residual_q, this->residual_q_pattern_.size());
  clear(out.residual_v, this->residual_v_pattern_.size());
  clear(out.curvature_q, this->curvature_pattern_.size());
  clear(out.curvature_v, this->curvature_pattern_.size());
  assembly_.evaluate(p, w, out);
  if (charts_.hold(p.q)) return;
  const S none = std::numeric_limits<S>::quiet_NaN();
  for (S* values : {out.residual, out.inertia, out.force})
    if (values) std::fill_n(values, n, none);
  for (S* values : {out.weighted, out.position, out.velocity, out.acceleration})
    if (values) std::fill_n(values, this->constraints(), none);
}

template <class S>
void ElementSystem<S>::multiplier_stiffness(const MotionPoint<S>& p, S* stiffness) {
  std::fill_n(stiffness, this->residual_q_pattern_.size(), S(0));
  assembly_.add_multiplier_stiffness(p, stiffness);
}

template <class S>
void ElementSystem<S>::record(graph::Graph&, const Var* q, const Var* v, const Var* a,
                              const Var* lambda, const Var& t, Var* R, Var* Phi) {
  for (int i = 0; i < this->coordinates(); ++i) R[i] = Var(0);
  assembly_.record(q, v, a, lambda, t, R, Phi);
}

template <class S>
S ElementSystem<S>::kinetic_energy(const MotionPoint<S>& p) {
  S sum(0);
  assembly_.add_kinetic_energy(p, sum);
  return sum;
}
template <class S>
S ElementSystem<S>::potential_energy(const MotionPoint<S>& p) {
  S sum(0);
  assembly_.add_potential_energy(p, sum);
  return sum;
}
template <class S>
S ElementSystem<S>::work(const MotionPoint<S>& p) {
  S sum(0);
  assembly_.add_work(p, sum);
  return sum;
}
template <class S>
S ElementSystem<S>::power(const MotionPoint<S>& p) {
  S sum(0);
  assembly_.add_power(p, sum);
  return sum;
}

template <class S>
void ElementSystem<S>::to_reference(const MotionPoint<S>& p, S* q_ref, S* v_ref) const {
  MechanicalSystem<S>::to_reference(p, q_ref, v_ref);
  charts_.to_reference(p, q_ref, v_ref);
}
template <class S>
void ElementSystem<S>::from_reference(const S* q_ref, const S* v_ref, S* q, S* v, S* chart) const {
  MechanicalSystem<S>::from_reference(q_ref, v_ref, q, v, chart);
  charts_.from_reference(q_ref, v_ref, q, v, chart);
}
template <class S>
std::vector<std::string> ElementSystem<S>::reference_names() const {
  return charts_.reference_names(this->coordinate_names_);
}
template <class S>
std::vector<std::string> ElementSystem<S>::reference_velocity_names() const {
  return charts_.reference_velocity_names(this->coordinate_names_);
}
template <class S>
void ElementSystem<S>::reference_difference(const real50* a, const real50* b,
                                            real50* difference) const {
  MechanicalSystem<S>::reference_difference(a, b, difference);
  charts_.reference_difference(a, b, difference);
}

template class Assembly<double>;
template class Assembly<real50>;
template class ElementSystem<double>;
template class ElementSystem<real50>;

}  // namespace daemark
