#include "analysis/run/measures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/linear/lu_tally.hpp"

namespace daemark {
namespace {

constexpr std::size_t most_ends = 4;  ///< on charts

/// Over [a, b], of the polynomial through (t_i, p_i), i < n ≤ 4: two points of Gauss are exact.
template <class S>
S integral_of(const S* t, const S* p, std::size_t n, const S& a, const S& b) {
  using std::sqrt;
  const S half = (b - a) / S(2), middle = (a + b) / S(2), offset = half / sqrt(S(3));
  S sum(0);
  for (const S& x : {S(middle - offset), S(middle + offset)}) {
    for (std::size_t i = 0; i < n; ++i) {
      S weight(1);
      for (std::size_t j = 0; j < n; ++j)
        if (j != i) weight *= (x - t[j]) / (t[i] - t[j]);
      sum += weight * p[i];
    }
  }
  return half * sum;
}

}  // namespace

template <class S>
WorkIntegral<S>::WorkIntegral(MechanicalSystem<S>& mechanism)
    : mechanism_(mechanism), on_chart_(mechanism.chart_size() > 0) {
  if (!on_chart_) index_one_ = std::make_unique<IndexOneSolve<S>>(mechanism);
}

template <class S>
typename WorkIntegral<S>::Node WorkIntegral<S>::end_of(const State<S>& s) {
  const int n = mechanism_.coordinates(), m = mechanism_.constraints();
  Node node;
  node.t = s.t;
  if (on_chart_) {
    node.power = mechanism_.power(motion_point(n, s.point()));
    return node;
  }
  const auto y = s.y.begin();
  node.q.assign(y, y + n), node.v.assign(y + n, y + 2 * n);
  node.lambda.assign(y + 2 * n, y + 2 * n + m);
  node.a.assign(s.rate.begin() + n, s.rate.begin() + 2 * n);
  complete(node);
  return node;
}

template <class S>
void WorkIntegral<S>::complete(Node& node) {
  const LuTally apart;  // the method is not charged for it
  std::vector<S> a = node.a, lambda = node.lambda;
  if (index_one_->solve(mechanism_, point(node), {S(0), S(0), S(1)}, a.data(), lambda.data()))
    node.a.swap(a), node.lambda.swap(lambda);
  node.power = mechanism_.power(point(node));
}

template <class S>
typename WorkIntegral<S>::Node WorkIntegral<S>::between(const Node& from, const Node& to,
                                                        const S& t) const {
  const S h = to.t - from.t, x = (t - from.t) / h, z = S(1) - x;
  Node node = to;
  node.t = t;
  // q = q0 + h x v0 + h² x²/2 a0 + x³ (c0 − c1 z + c2 z²): what the end adds to the start's Taylor
  // polynomial, in powers of z.
  for (std::size_t i = 0; i < node.q.size(); ++i) {
    const S v0 = h * from.v[i], a0 = h * h * from.a[i];
    const S c0 = to.q[i] - from.q[i] - v0 - a0 / S(2), rate = h * to.v[i] - v0 - a0,
            bend = h * h * to.a[i] - a0;
    const S c1 = rate - S(3) * c0, c2 = bend / S(2) - S(3) * c1 - S(3) * c0;
    const S part = c0 - c1 * z + c2 * z * z, slope = c1 - S(2) * c2 * z;
    node.q[i] = from.q[i] + x * (v0 + x * (a0 / S(2) + x * part));
    node.v[i] = (v0 + x * (a0 + x * (S(3) * part + x * slope))) / h;
    node.a[i] = (a0 + x * (S(6) * part + x * (S(6) * slope + S(2) * x * c2))) / (h * h);
  }
  for (std::size_t i = 0; i < node.lambda.size(); ++i)
    node.lambda[i] = z * from.lambda[i] + x * to.lambda[i];
  return node;
}

/// The quintic is off by a multiple of x³ (1 − x)³, which its second derivative shows.
template <class S>
typename WorkIntegral<S>::Node WorkIntegral<S>::middle_of(const Node& from, const Node& to) {
  Node node = between(from, to, S((from.t + to.t) / S(2)));
  const S h = to.t - from.t;
  const std::vector<S> bent = node.a;
  complete(node);
  for (std::size_t i = 0; i < node.q.size(); ++i)
    node.q[i] -= h * h / S(24) * (node.a[i] - bent[i]);
  complete(node);
  return node;
}

template <class S>
S WorkIntegral<S>::lobatto(const Node& from, const Node& to, const S& a, const S& b) {
  using std::sqrt;
  const S half = (b - a) / S(2), middle = (a + b) / S(2), offset = half / sqrt(S(5));
  const auto power = [&](const S& t) {
    if (t == from.t || t == to.t) return t == from.t ? from.power : to.power;
    Node node = between(from, to, t);
    complete(node);
    return node.power;
  };
  return half / S(6) *
         (power(a) + S(5) * (power(S(middle - offset)) + power(S(middle + offset))) + power(b));
}

template <class S>
void WorkIntegral<S>::start(const State<S>& initial) {
  to_ = end_of(initial);
  done_ = to_.t;
  ends_ = {to_.t}, powers_ = {to_.power};
}

/// On the step and on its halves, whose errors are 64 times smaller.
template <class S>
void WorkIntegral<S>::add_step(const S& a, const S& b) {
  const S once = lobatto(from_, to_, a, b);
  const bool forth = to_.t > from_.t;  // back: to an event
  if (middle_.t == from_.t) middle_ = middle_of(from_, to_);
  const S split = forth ? std::clamp(middle_.t, a, b) : std::clamp(middle_.t, b, a);
  S twice(0);
  if (split != a) twice += lobatto(from_, middle_, a, split);
  if (split != b) twice += lobatto(middle_, to_, split, b);
  const S off = (twice - once) / S(63);
  integral_ += twice + off;
  off_ += off < S(0) ? -off : off;
}

/// Of the cubic and the parabola through the last step ends.
template <class S>
void WorkIntegral<S>::add_ends(const S& a, const S& b) {
  const std::size_t n = ends_.size(), left_out = n == most_ends ? 1 : 0;
  integral_ += integral_of(ends_.data(), powers_.data(), n, a, b);
  coarser_ += integral_of(ends_.data() + left_out, powers_.data() + left_out, n - left_out, a, b);
  off_ = integral_ - coarser_;
}

template <class S>
void WorkIntegral<S>::advance(const S& t) {
  if (t == done_) return;
  on_chart_ ? add_ends(done_, t) : add_step(done_, t);
  done_ = t;
  const double size = std::abs(to_double(off_));
  if (!std::isnan(doubt_) && !(size <= doubt_)) doubt_ = size;  // a NaN stays
}

template <class S>
void WorkIntegral<S>::step(const State<S>& end) {
  if (end.t == to_.t) return;
  advance(to_.t);
  from_ = std::move(to_);
  to_ = end_of(end);
  middle_.t = from_.t;  // not known yet
  if (ends_.size() == most_ends) ends_.erase(ends_.begin()), powers_.erase(powers_.begin());
  ends_.push_back(to_.t), powers_.push_back(to_.power);
}

template <class S>
const S& WorkIntegral<S>::up_to(const State<S>& at) {
  if (at.t < done_ || at.t > to_.t) step(at);
  advance(at.t);
  return integral_;
}

template class WorkIntegral<double>;
template class WorkIntegral<real50>;

namespace {

constexpr const char* measure_names[] = {"energy_error", "position_violation", "velocity_violation",
                                         "acceleration_violation"};

/// NaN-proof maximum: a NaN stays.
void raise(double& maximum, double value) {
  if (!std::isnan(maximum) && !(value <= maximum)) maximum = value;
}

template <class S>
double size_of(const std::vector<S>& violation, ViolationNorm norm) {
  double size = 0;
  for (const S& c : violation) {
    const double entry = std::abs(to_double(c));
    if (norm == ViolationNorm::euclidean)
      size = std::hypot(size, entry);
    else
      raise(size, entry);
  }
  return size;
}

}  // namespace

template <class S>
Measures<S>::Measures(MechanicalSystem<S>& mechanism, ViolationNorm norm)
    : mechanism_(mechanism), norm_(norm), n_(mechanism.coordinates()), m_(mechanism.constraints()) {
  for (std::vector<S>& level : levels_) level.resize(m_);
  outputs_.resize(mechanism.outputs().size()), shown_outputs_.resize(outputs_.size());
  if (mechanism.has_power()) work_.emplace(mechanism);
}

template <class S>
S Measures<S>::energy(const State<S>& s) const {
  const MotionPoint<S> p = motion(s);
  return mechanism_.kinetic_energy(p) + mechanism_.potential_energy(p) - mechanism_.work(p);
}

template <class S>
void Measures<S>::observe(const State<S>& s) {
  const MotionPoint<S> p = motion(s);
  if (first_) initial_energy_ = energy(s);
  if (work_ && first_) work_->start(s);
  const S done = work_ ? work_->up_to(s) : S(0);
  first_ = false;
  const S kinetic = mechanism_.kinetic_energy(p), potential = mechanism_.potential_energy(p);
  kinetic_ = to_double(kinetic), potential_ = to_double(potential);
  last_[0] = to_double(S(kinetic + potential - mechanism_.work(p) - initial_energy_ - done));
  if (m_ > 0) {
    MotionValues<S> out;
    out.position = levels_[0].data(), out.velocity = levels_[1].data();
    out.acceleration = levels_[2].data();
    mechanism_.evaluate(p, {}, out);
  }
  for (int level = 0; level < 3 && m_ > 0; ++level)
    last_[level + 1] = size_of(levels_[level], norm_);
  for (int k = 0; k < 4; ++k) raise(max_[k], std::abs(last_[k]));
}

template <class S>
void Measures<S>::append_to(History& history, const State<S>& s) const {
  const auto row = [&](const S* from, int count) {
    std::vector<double> values(count);
    for (int i = 0; i < count; ++i) values[i] = to_double(from[i]);
    return values;
  };
  history.t.push_back(to_double(s.t));
  const auto [q, v] = shown_motion(mechanism_, motion(s));
  history.q.push_back(row(q.data(), static_cast<int>(q.size())));
  history.v.push_back(row(v.data(), static_cast<int>(v.size())));
  history.lambda.push_back(row(s.y.data() + 2 * n_, m_));
  if (!mechanism_.outputs().empty()) {
    std::vector<S> values(mechanism_.outputs().size());
    mechanism_.output_values(motion(s), values.data());
    history.outputs.push_back(row(values.data(), static_cast<int>(values.size())));
  }
  history.kinetic.push_back(kinetic_);
  history.potential.push_back(potential_);
  history.energy_error.push_back(last_[0]);
  history.position_violation.push_back(last_[1]);
  history.velocity_violation.push_back(last_[2]);
  history.acceleration_violation.push_back(last_[3]);
}

template <class S>
OutputSample Measures<S>::sample(const State<S>& s) {
  if (!outputs_.empty()) mechanism_.output_values(motion(s), outputs_.data());
  for (std::size_t i = 0; i < outputs_.size(); ++i) shown_outputs_[i] = to_double(outputs_[i]);
  return {to_double(s.t), shown_outputs_, last_[0]};
}

template <class S>
void Measures<S>::write(std::map<std::string, double>& measures) const {
  if (work_) measures["work_doubt_max"] = work_->doubt();
  for (int k = 0; k < (m_ == 0 ? 1 : 4); ++k) {
    measures[std::string(measure_names[k]) + "_max"] = max_[k];
    measures[std::string(measure_names[k]) + "_final"] = std::abs(last_[k]);
  }
}

template <class S>
std::pair<std::vector<S>, std::vector<S>> shown_motion(const MechanicalSystem<S>& mechanism,
                                                       const MotionPoint<S>& p) {
  const int n = mechanism.coordinates();
  if (mechanism.chart_size() == 0) return {{p.q, p.q + n}, {p.v, p.v + n}};
  const int n_ref = mechanism.reference_coordinates();
  std::pair<std::vector<S>, std::vector<S>> shown{std::vector<S>(n_ref), std::vector<S>(n_ref)};
  mechanism.to_reference(p, shown.first.data(), shown.second.data());
  return shown;
}

template <class S>
std::map<std::string, double> output_values(MechanicalSystem<S>& mechanism,
                                            const MotionPoint<S>& point) {
  const std::vector<OutputInfo>& outputs = mechanism.outputs();
  std::vector<S> values(outputs.size());
  if (!outputs.empty()) mechanism.output_values(point, values.data());
  std::map<std::string, double> named;
  for (std::size_t i = 0; i < outputs.size(); ++i) named[outputs[i].id] = to_double(values[i]);
  return named;
}

#define DAEMARK_INSTANTIATE(S)                                                                \
  template class Measures<S>;                                                                 \
  template std::pair<std::vector<S>, std::vector<S>> shown_motion(const MechanicalSystem<S>&, \
                                                                  const MotionPoint<S>&);     \
  template std::map<std::string, double> output_values(MechanicalSystem<S>&, const MotionPoint<S>&);
DAEMARK_INSTANTIATE(double)
DAEMARK_INSTANTIATE(real50)
#undef DAEMARK_INSTANTIATE

template <class S>
std::map<std::string, double> errors_against(const ReferenceState& reference,
                                             const BoundSystem<S>& model, const State<S>& state) {
  std::map<std::string, double> errors;
  const MechanicalSystem<S>& mechanism = *model.mechanism;
  const int n = mechanism.coordinates(), m = mechanism.constraints(),
            n_ref = mechanism.reference_coordinates();
  std::vector<S> q(n_ref), v(n_ref);
  mechanism.to_reference(model.motion(state), q.data(), v.data());
  const auto distance = [](const auto* x, const std::vector<real50>& y) {
    real50 sum = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      const real50 d = real50(x[i]) - y[i];
      sum += d * d;
    }
    return to_double(real50(sqrt(sum)));
  };
  const std::vector<real50> position(q.begin(), q.end()), zero(n_ref, real50(0));
  std::vector<real50> apart(n_ref);
  mechanism.reference_difference(position.data(), reference.q.data(), apart.data());
  errors["error_q"] = distance(apart.data(), zero);
  errors["error_v"] = distance(v.data(), reference.v);
  for (int i = 0; i < n_ref; ++i)
    errors[fmt::format("error_q_{}", i)] = std::abs(to_double(apart[i]));
  if (m > 0 && m == static_cast<int>(reference.lambda.size()))
    errors["error_lambda"] = distance(state.y.data() + 2 * n, reference.lambda);
  return errors;
}

template std::map<std::string, double> errors_against(const ReferenceState&,
                                                      const BoundSystem<double>&,
                                                      const State<double>&);
template std::map<std::string, double> errors_against(const ReferenceState&,
                                                      const BoundSystem<real50>&,
                                                      const State<real50>&);

}  // namespace daemark
