#include "problems/core/assembly.hpp"

#include <fmt/format.h>

#include <algorithm>

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

template <class S>
void scatter(const std::vector<int>& places, const S* block, S* values) {
  for (std::size_t i = 0; i < places.size(); ++i)
    if (places[i] >= 0) values[places[i]] += block[i];
}

template <class S>
void scatter(const std::vector<int>& coordinates, const S* local, S* values, int sign) {
  for (std::size_t i = 0; i < coordinates.size(); ++i)
    if (coordinates[i] >= 0)
      sign > 0 ? values[coordinates[i]] += local[i] : values[coordinates[i]] -= local[i];
}

/// Places of a block with `rows` rows; rows are numbered by `row_of`.
template <class S, class RowOf>
std::vector<int> places(const Element<S>& element, ElementBlock block, int rows, RowOf row_of,
                        PatternBuilder& pattern) {
  const std::vector<int>& column = element.coordinates();
  const int k = element.size();
  std::vector<int> at(static_cast<std::size_t>(rows) * k, -1);
  bool any = false;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < k; ++j) {
      if (row_of(i) < 0 || column[j] < 0 || !element.fills(block, i, j)) continue;
      at[i * k + j] = pattern.add(row_of(i), column[j]);
      any = true;
    }
  if (!any) at.clear();
  return at;
}

}  // namespace

template <class S>
void Assembly<S>::add(Laid element, int first_row, MotionPatterns& patterns) {
  Item item;
  const Element<S>& e = *element;
  const int k = e.size(), r = static_cast<int>(e.rows().size());
  const auto coordinate = [&e](int i) { return e.coordinates()[i]; };
  const auto row = [first_row](int i) { return first_row + i; };
  item.first_row = first_row, item.rows = r;
  item.gradient = places(e, ElementBlock::gradient, r, row, patterns.gradient);
  item.curvature = places(e, ElementBlock::curvature, r, row, patterns.curvature);
  item.mass = places(e, ElementBlock::mass, k, coordinate, patterns.mass);
  item.residual_q = places(e, ElementBlock::residual_q, k, coordinate, patterns.residual_q);
  item.residual_v = places(e, ElementBlock::residual_v, k, coordinate, patterns.residual_v);
  for (auto* x : {&q_, &v_, &a_, &inertia_, &force_}) grow(*x, k);
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
  return {p.t, gather(c, p.q, q_), gather(c, p.v, v_), gather(c, p.a, a_),
          p.lambda ? p.lambda + item.first_row : nullptr};
}

template <class S>
void Assembly<S>::evaluate(const MotionPoint<S>& p, const ConstraintWeights<S>& w,
                           const MotionValues<S>& out) {
  const bool derivatives = out.residual_q || out.residual_v;
  const bool rows_matter = out.residual || out.constraints() || out.gradient || out.derivatives();
  for (const Item& item : items_) {
    Element<S>& element = *item.element;
    const bool inertia = element.has_inertia(), force = element.has_force();
    ElementValues<S> values;
    if (inertia && (out.residual || out.inertia)) values.inertia = inertia_.data();
    if (inertia && out.mass) values.mass = mass_.data();
    if (force && (out.residual || out.force)) values.force = force_.data();
    if ((inertia || force) && out.residual_q && !item.residual_q.empty())
      values.residual_q = residual_q_.data();
    if ((inertia || force) && out.residual_v && !item.residual_v.empty())
      values.residual_v = residual_v_.data();
    const bool rows = item.rows > 0 && rows_matter;
    if (rows) {
      values.position = position_.data(), values.velocity = velocity_.data();
      values.acceleration = acceleration_.data();
      if (out.residual || out.gradient) values.gradient = gradient_.data();
      if (out.curvature_q) values.curvature_q = curvature_q_.data();
      if (out.curvature_v) values.curvature_v = curvature_v_.data();
    }
    if (!rows && !values.inertia && !values.mass && !values.force &&
        !(derivatives && (values.residual_q || values.residual_v)))
      continue;
    const ElementPoint<S> point = local(item, p);
    element.evaluate(point, w, values);
    const std::vector<int>& c = element.coordinates();
    if (values.inertia && out.residual) scatter(c, values.inertia, out.residual, +1);
    if (values.inertia && out.inertia) scatter(c, values.inertia, out.inertia, +1);
    if (values.force && out.residual) scatter(c, values.force, out.residual, -1);
    if (values.force && out.force) scatter(c, values.force, out.force, +1);
    if (values.mass) scatter(item.mass, values.mass, out.mass);
    if (values.residual_q) scatter(item.residual_q, values.residual_q, out.residual_q);
    if (values.residual_v) scatter(item.residual_v, values.residual_v, out.residual_v);
    if (!rows) continue;
    add_levels(item, p, w, values, out);
    if (out.residual_q && !item.residual_q.empty()) {
      element.multiplier_stiffness(point, residual_q_.data());
      scatter(item.residual_q, residual_q_.data(), out.residual_q);
    }
  }
}

template <class S>
void Assembly<S>::add_levels(const Item& item, const MotionPoint<S>& p,
                             const ConstraintWeights<S>& w, const ElementValues<S>& values,
                             const MotionValues<S>& out) const {
  const std::vector<int>& c = item.element->coordinates();
  const int k = static_cast<int>(c.size());
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
    for (int j = 0; j < k; ++j)
      if (c[j] >= 0) out.residual[c[j]] += gradient[j] * p.lambda[row];
  }
  if (out.gradient) scatter(item.gradient, values.gradient, out.gradient);
  if (out.curvature_q) scatter(item.curvature, values.curvature_q, out.curvature_q);
  if (out.curvature_v) scatter(item.curvature, values.curvature_v, out.curvature_v);
}

template <class S>
void Assembly<S>::add_multiplier_stiffness(const MotionPoint<S>& p, S* stiffness) {
  for (const Item& item : items_) {
    if (item.rows == 0 || item.residual_q.empty()) continue;
    item.element->multiplier_stiffness(local(item, p), residual_q_.data());
    scatter(item.residual_q, residual_q_.data(), stiffness);
  }
}

template <class S>
void Assembly<S>::record(const TapeVar<S>* q, const TapeVar<S>* v, const TapeVar<S>* a,
                         const TapeVar<S>* lambda, const TapeVar<S>& t, TapeVar<S>* R,
                         TapeVar<S>* Phi) const {
  using V = TapeVar<S>;
  for (const Item& item : items_) {
    Element<S>& element = *item.element;
    const std::vector<int>& c = element.coordinates();
    const int k = element.size();
    std::vector<V> local_q(k), local_v(k), local_a(k), inertia(k), force(k),
        gradient(item.rows * k);
    const ElementPoint<V> point{t, gather(c, q, local_q), gather(c, v, local_v),
                                gather(c, a, local_a), lambda + item.first_row};
    element.record(point, {inertia.data(), force.data(), Phi + item.first_row, gradient.data()});
    if (element.has_inertia()) scatter(c, inertia.data(), R, +1);
    if (element.has_force()) scatter(c, force.data(), R, -1);
    for (int i = 0; i < item.rows; ++i)
      for (int j = 0; j < k; ++j)
        if (c[j] >= 0) R[c[j]] += gradient[i * k + j] * point.lambda[i];
  }
}

template <class S>
void Assembly<S>::add_kinetic_energy(const MotionPoint<S>& p, S& sum) {
  for (const Item& item : items_)
    if (item.element->has_inertia()) sum += item.element->kinetic_energy(local(item, p));
}
template <class S>
void Assembly<S>::add_potential_energy(const MotionPoint<S>& p, S& sum) {
  for (const Item& item : items_)
    if (item.element->has_force()) sum += item.element->potential_energy(local(item, p));
}
template <class S>
void Assembly<S>::add_work(const MotionPoint<S>& p, S& sum) {
  for (const Item& item : items_)
    if (item.element->has_force()) sum += item.element->work(local(item, p));
}
template <class S>
void Assembly<S>::add_power(const MotionPoint<S>& p, S& sum) {
  for (const Item& item : items_)
    if (item.element->has_power()) sum += item.element->power(local(item, p));
}

template <class S>
ElementSystem<S>::ElementSystem(std::vector<std::string> names, std::vector<S> q0,
                                std::vector<S> v0,
                                std::vector<std::unique_ptr<Element<S>>> elements)
    : q0_(std::move(q0)), v0_(std::move(v0)) {
  const int n = static_cast<int>(names.size());
  if (q0_.size() != names.size() || v0_.size() != names.size())
    throw BadInput(
        fmt::format("element system: {} names, {} positions and {} velocities, "
                    "accepted: as many of each",
                    n, q0_.size(), v0_.size()));
  this->coordinate_names_ = std::move(names);
  MotionPatterns patterns;
  for (auto& element : elements) {
    for (const int c : element->coordinates())
      if (c < -1 || c >= n)
        throw BadInput(
            fmt::format("element: coordinate {} does not exist, accepted: -1..{}", c, n - 1));
    const int first_row = this->constraints();
    for (const std::string& row : element->rows()) this->constraint_names_.push_back(row);
    assembly_.add(std::move(element), first_row, patterns);
  }
  const int m = this->constraints();
  this->mass_pattern_ = patterns.mass.pattern(n, n);
  this->gradient_pattern_ = patterns.gradient.pattern(m, n);
  this->curvature_pattern_ = patterns.curvature.pattern(m, n);
  this->residual_q_pattern_ = patterns.residual_q.pattern(n, n);
  this->residual_v_pattern_ = patterns.residual_v.pattern(n, n);
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
}

template <class S>
void ElementSystem<S>::multiplier_stiffness(const MotionPoint<S>& p, S* stiffness) {
  std::fill_n(stiffness, this->residual_q_pattern_.size(), S(0));
  assembly_.add_multiplier_stiffness(p, stiffness);
}

template <class S>
void ElementSystem<S>::record(Tape<S>&, const TapeVar<S>* q, const TapeVar<S>* v,
                              const TapeVar<S>* a, const TapeVar<S>* lambda, const TapeVar<S>& t,
                              TapeVar<S>* R, TapeVar<S>* Phi) {
  for (int i = 0; i < this->coordinates(); ++i) R[i] = TapeVar<S>(0);
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

template class Assembly<double>;
template class Assembly<quad>;
template class Assembly<real50>;
template class ElementSystem<double>;
template class ElementSystem<quad>;
template class ElementSystem<real50>;

}  // namespace daemark
