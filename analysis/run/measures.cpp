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

}  // namespace

template <class S>
Measures<S>::Measures(MechanicalSystem<S>& mechanism)
    : mechanism_(mechanism), n_(mechanism.coordinates()), m_(mechanism.constraints()) {
  scratch_r_.resize(n_), scratch_c_.resize(m_);
  middle_q_.resize(n_), middle_v_.resize(n_);
  if (mechanism.has_power())
    index_one_ = formulate<S>(Formulation::parse("index1"),
                              MechanicalPtr<S>(MechanicalPtr<S>(), &mechanism), wide(1));
}

template <class S>
S Measures<S>::energy(const State<S>& s) const {
  const S* q = s.y.data();
  return mechanism_.kinetic_energy(s.t, q, q + n_) + mechanism_.potential_energy(s.t, q) -
         mechanism_.work(s.t, q);
}

template <class S>
S Measures<S>::power_at(const State<S>& s) const {
  return mechanism_.power(
      {s.t, s.y.data(), s.y.data() + n_, s.rate.data() + n_, s.y.data() + 2 * n_});
}

/// Simpson's rule on the step, with the middle from the quintic Hermite interpolant of q, q̇, q̈ and
/// the multipliers that belong to it (their mean would cost two orders).
template <class S>
void Measures<S>::add_power(const State<S>& s) {
  const S h = s.t - previous_.t;
  for (int i = 0; i < n_; ++i) {
    const S q0 = previous_.y[i], q1 = s.y[i], v0 = previous_.y[n_ + i], v1 = s.y[n_ + i];
    const S a0 = previous_.rate[n_ + i], a1 = s.rate[n_ + i];
    middle_q_[i] = (q0 + q1) / S(2) + S(5) * h * (v0 - v1) / S(32) + h * h * (a0 + a1) / S(64);
    middle_v_[i] =
        S(15) * (q1 - q0) / (S(8) * h) - S(7) * (v0 + v1) / S(16) + h * (a1 - a0) / S(32);
  }
  const S t = previous_.t + h / S(2);
  std::vector<S> y(middle_q_), rate(2 * n_ + m_, S(0));
  y.insert(y.end(), middle_v_.begin(), middle_v_.end());
  for (int i = 0; i < m_; ++i)
    y.push_back((previous_.y[2 * n_ + i] + s.y[2 * n_ + i]) / S(2));  // where the solve fails
  index_one_->explicit_rates(y.data(), rate.data(), t);
  const S middle = power_at(State<S>{t, std::move(y), std::move(rate), {}});
  power_integral_ += h / S(6) * (power_at(previous_) + S(4) * middle + power_at(s));
}

template <class S>
void Measures<S>::observe(const State<S>& s) {
  const S* q = s.y.data();
  if (first_) {
    initial_energy_ = energy(s);
    power_integral_ = S(0);
  } else if (mechanism_.has_power()) {
    add_power(s);
  }
  if (mechanism_.has_power()) previous_ = s;
  first_ = false;
  const S kinetic = mechanism_.kinetic_energy(s.t, q, q + n_);
  const S potential = mechanism_.potential_energy(s.t, q);
  kinetic_ = to_double(kinetic), potential_ = to_double(potential);
  last_[0] = to_double(
      S(kinetic + potential - mechanism_.work(s.t, q) - initial_energy_ - power_integral_));
  for (int level = 0; level < 3; ++level) {
    if (m_ == 0) break;
    mechanism_.evaluate({s.t, q, q + n_, s.rate.data() + n_, q + 2 * n_},
                        {S(level == 0), S(level == 1), S(level == 2)}, scratch_r_.data(),
                        scratch_c_.data(), {});
    double worst = 0;
    for (const S& c : scratch_c_) raise(worst, std::abs(to_double(c)));
    last_[level + 1] = worst;
  }
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
  std::vector<S> q(s.y.begin(), s.y.begin() + n_), v(s.y.begin() + n_, s.y.begin() + 2 * n_);
  if (mechanism_.chart_size() > 0)
    mechanism_.to_reference(s.y.data(), s.y.data() + n_, q.data(), v.data());
  history.q.push_back(row(q.data(), n_));
  history.v.push_back(row(v.data(), n_));
  history.lambda.push_back(row(s.y.data() + 2 * n_, m_));
  history.kinetic.push_back(kinetic_);
  history.potential.push_back(potential_);
  history.energy_error.push_back(last_[0]);
  history.position_violation.push_back(last_[1]);
  history.velocity_violation.push_back(last_[2]);
  history.acceleration_violation.push_back(last_[3]);
}

template <class S>
void Measures<S>::write(std::map<std::string, double>& measures) const {
  for (int k = 0; k < (m_ == 0 ? 1 : 4); ++k) {
    measures[std::string(measure_names[k]) + "_max"] = max_[k];
    measures[std::string(measure_names[k]) + "_final"] = std::abs(last_[k]);
  }
}

template class Measures<double>;
template class Measures<quad>;
template class Measures<real50>;

}  // namespace daemark
