#include "analysis/run/run_warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/linear/dense_matrix.hpp"

namespace daemark {

template <class S>
RunWarnings<S>::RunWarnings(MechanicalSystem<S>& mechanism)
    : mechanism_(mechanism),
      sizes_(mechanism.coordinates()),
      gradient_(mechanism.gradient_pattern().size()),
      violation_(mechanism.constraints()),
      of_gradient_(gradient_.size()) {}

template <class S>
void RunWarnings<S>::observe(const State<S>& state) {
  const int n = mechanism_.coordinates();
  const MotionPoint<S> point = motion_point(n, state.point());
  if (!mechanism_.has_power()) observe_energy(point);
  first_ = false;
  if (mechanism_.constraints() == 0) return;
  const std::vector<std::string>& units = mechanism_.coordinate_units();
  for (int j = 0; j < n; ++j) {
    double& size = size_of_[units[j]];
    size = units[j] == "rad" ? 1 : std::max(size, std::abs(to_double(point.q[j])));
  }
  for (int j = 0; j < n; ++j) sizes_[j] = size_of_[units[j]];
  for (const int begin : mechanism_.rotations()) std::fill_n(sizes_.begin() + begin, 3, 1.0);
  MotionValues<S> out;
  out.position = violation_.data(), out.gradient = gradient_.data();
  mechanism_.evaluate(point, {}, out);
  std::transform(gradient_.begin(), gradient_.end(), of_gradient_.begin(),
                 [](const S& x) { return to_double(x); });
  observe_violation(to_double(state.t));
  if (static_cast<long>(n) * mechanism_.constraints() <= most_entries)
    observe_rank(to_double(state.t));
}

template <class S>
void RunWarnings<S>::observe_energy(const MotionPoint<S>& point) {
  const double kinetic = to_double(mechanism_.kinetic_energy(point)),
               potential =
                   to_double(S(mechanism_.potential_energy(point) - mechanism_.work(point)));
  if (first_) initial_ = kinetic + potential, lowest_ = highest_ = potential;
  drift_ = std::max(drift_, std::abs(kinetic + potential - initial_));
  kinetic_ = std::max(kinetic_, kinetic);
  lowest_ = std::min(lowest_, potential), highest_ = std::max(highest_, potential);
}

template <class S>
void RunWarnings<S>::observe_violation(double t) {
  std::vector<double> scales(violation_.size());
  const auto& entries = mechanism_.gradient_pattern().entries;
  for (std::size_t k = 0; k < entries.size(); ++k)
    scales[entries[k].first] += std::abs(of_gradient_[k]) * sizes_[entries[k].second];
  for (std::size_t i = 0; i < violation_.size(); ++i) {
    const double share = scales[i] > 0 ? std::abs(to_double(violation_[i])) / scales[i] : 0;
    if (share > violated_.share) violated_ = {t, share};
  }
}

template <class S>
void RunWarnings<S>::observe_rank(double t) {
  Eigen::MatrixXd G = dense_matrix(mechanism_.gradient_pattern(), of_gradient_);
  if (!G.allFinite()) return;
  for (int i = 0; i < G.rows(); ++i)
    if (const double length = G.row(i).norm(); length > 0) G.row(i) /= length;
  const double margin = singular_values(G)[mechanism_.rank() - 1];
  // Where it passes 0 at a constant rate, the nearest point is at most a third as far as the
  // farther of its neighbours; a minimum that the points resolve is flat.
  constexpr double unresolved = 0.35;
  if (points_ > 1 && margins_[1] <= margins_[0] && margins_[1] <= margin &&
      margins_[1] <= unresolved * std::max(margins_[0], margin))
    singular_.push_back({times_[1], margins_[1]});
  times_[0] = times_[1], margins_[0] = margins_[1];
  times_[1] = t, margins_[1] = margin;
  largest_ = std::max(largest_, margin);
  ++points_;
}

template <class S>
std::vector<std::string> RunWarnings<S>::texts() const {
  std::vector<std::string> out;
  if (violated_.share > most_violation)
    out.push_back(fmt::format(
        "constraints are violated by {:.2g} of the size of the coordinates at t = {:.4g} "
        "s (threshold {:g}): the mechanism is not assembled there",
        violated_.share, violated_.t, most_violation));
  const double scale = kinetic_ + highest_ - lowest_;
  if (drift_ > most_drift * scale)
    out.push_back(fmt::format(
        "the energy of this conservative motion drifts by {:.3g} J, {:.2g} of its largest "
        "kinetic energy plus the range of its potential energy (threshold {:g})",
        drift_, drift_ / scale, most_drift));
  for (const Worst& passage : singular_) {
    const double share = passage.share / largest_;
    if (share > least_rank_margin) continue;
    out.push_back(fmt::format(
        "it passes a singular position near t = {:.4g} s: the smallest singular value of G "
        "falls to {:.2g} of its largest in the run (threshold {:g}). Motions may meet "
        "there, and another method or step may follow another one",
        passage.t, share, least_rank_margin));
    break;
  }
  return out;
}

template class RunWarnings<double>;
template class RunWarnings<real50>;

}  // namespace daemark
