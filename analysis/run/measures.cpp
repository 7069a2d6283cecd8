#include "analysis/run/measures.hpp"

#include <cmath>
#include <limits>

namespace daemark {
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

constexpr std::size_t most_ends = 4;  ///< whose power is kept

/// Over the last of the intervals between t_0 < … < t_{n−1}, of the polynomial through (t_i, p_i),
/// n ≤ 4: two points of Gauss are exact for a cubic.
template <class S>
S last_interval(const S* t, const S* p, std::size_t n) {
  using std::sqrt;
  const S half = (t[n - 1] - t[n - 2]) / S(2), middle = (t[n - 1] + t[n - 2]) / S(2);
  const S offset = half / sqrt(S(3));
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

/// Over both intervals between t_0, t_1 and t_2, of the parabola through (t_i, p_i): Simpson's rule
/// where they are equal.
template <class S>
S parabola(const S* t, const S* p) {
  const S a = t[1] - t[0], b = t[2] - t[1], sum = a + b;
  return sum / S(6) * ((S(2) - b / a) * p[0] + sum * sum / (a * b) * p[1] + (S(2) - a / b) * p[2]);
}

}  // namespace

template <class S>
Measures<S>::Measures(MechanicalSystem<S>& mechanism, ViolationNorm norm)
    : mechanism_(mechanism), norm_(norm), n_(mechanism.coordinates()), m_(mechanism.constraints()) {
  for (std::vector<S>& level : levels_) level.resize(m_);
  middle_q_.resize(n_), middle_v_.resize(n_);
  outputs_.resize(mechanism.outputs().size()), shown_outputs_.resize(outputs_.size());
  if (mechanism.has_power() && mechanism.chart_size() == 0)
    index_one_ = std::make_unique<IndexOneSolve<S>>(mechanism);
}

template <class S>
S Measures<S>::energy(const State<S>& s) const {
  const MotionPoint<S> p = motion(s);
  return mechanism_.kinetic_energy(p) + mechanism_.potential_energy(p) - mechanism_.work(p);
}

/// Simpson's rule on the step, with the middle from the quintic Hermite interpolant of q, q̇, q̈ and
/// the multipliers that belong to it (their mean would cost two orders).
template <class S>
void Measures<S>::add_power_with_middle(const State<S>& s) {
  const std::size_t last = power_.size() - 1;
  const S h = s.t - previous_.t;
  for (int i = 0; i < n_; ++i) {
    const S q0 = previous_.y[i], q1 = s.y[i], v0 = previous_.y[n_ + i], v1 = s.y[n_ + i];
    const S a0 = previous_.rate[n_ + i], a1 = s.rate[n_ + i];
    middle_q_[i] = (q0 + q1) / S(2) + S(5) * h * (v0 - v1) / S(32) + h * h * (a0 + a1) / S(64);
    middle_v_[i] =
        S(15) * (q1 - q0) / (S(8) * h) - S(7) * (v0 + v1) / S(16) + h * (a1 - a0) / S(32);
  }
  const S t = previous_.t + h / S(2);
  std::vector<S> a(n_), lambda(m_);
  MotionPoint<S> middle{t, middle_q_.data(), middle_v_.data(), a.data(), lambda.data(), nullptr};
  if (!index_one_->solve(mechanism_, middle, {S(0), S(0), S(1)}, a.data(), lambda.data()))
    for (int i = 0; i < m_; ++i) lambda[i] = (previous_.y[2 * n_ + i] + s.y[2 * n_ + i]) / S(2);
  power_integral_ += h / S(6) * (power_[last - 1] + S(4) * mechanism_.power(middle) + power_[last]);
  if (++steps_ % 2 == 0) compare_with_pairs();
}

/// Errors of Simpson's rule fall with the fourth power of the step.
template <class S>
void Measures<S>::compare_with_pairs() {
  constexpr int gain = 15;
  const std::size_t n = power_.size();
  coarser_integral_ += parabola(power_t_.data() + n - 3, power_.data() + n - 3);
  raise(work_doubt_, std::abs(to_double(S(power_integral_ - coarser_integral_))) / gain);
}

/// Two step ends are on different charts, and an index-1 solve between them would cost as much as a
/// Newton iteration: only the power at step ends is used. Fourth order where it is smooth.
template <class S>
void Measures<S>::add_power_of_step_ends() {
  const std::size_t n = power_.size(), left_out = n == most_ends ? 1 : 0;
  power_integral_ += last_interval(power_t_.data(), power_.data(), n);
  coarser_integral_ +=
      last_interval(power_t_.data() + left_out, power_.data() + left_out, n - left_out);
  raise(work_doubt_, std::abs(to_double(S(power_integral_ - coarser_integral_))));
}

template <class S>
void Measures<S>::add_power(const State<S>& s) {
  if (power_.size() == most_ends) power_t_.erase(power_t_.begin()), power_.erase(power_.begin());
  power_t_.push_back(s.t), power_.push_back(mechanism_.power(motion(s)));
  const bool on_chart = mechanism_.chart_size() > 0;
  if (!first_ && on_chart) add_power_of_step_ends();
  if (!first_ && !on_chart) add_power_with_middle(s);
  if (!on_chart) previous_ = s;
}

template <class S>
void Measures<S>::observe(const State<S>& s) {
  const MotionPoint<S> p = motion(s);
  if (first_) initial_energy_ = energy(s);
  if (mechanism_.has_power()) add_power(s);
  first_ = false;
  const S kinetic = mechanism_.kinetic_energy(p), potential = mechanism_.potential_energy(p);
  kinetic_ = to_double(kinetic), potential_ = to_double(potential);
  last_[0] =
      to_double(S(kinetic + potential - mechanism_.work(p) - initial_energy_ - power_integral_));
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
  if (mechanism_.has_power()) measures["work_doubt_max"] = work_doubt_;
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
DAEMARK_INSTANTIATE(quad)
DAEMARK_INSTANTIATE(real50)
#undef DAEMARK_INSTANTIATE

}  // namespace daemark
