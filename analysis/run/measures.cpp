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

}  // namespace daemark
