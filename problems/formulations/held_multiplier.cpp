#include "problems/formulations/held_multiplier.hpp"

#include <cmath>

namespace daemark {

template <class S>
HeldMultiplierSystem<S>::HeldMultiplierSystem(MechanicalSystem<S>& mechanism)
    : mechanism_(mechanism), n_(mechanism.coordinates()), lambda_(mechanism.constraints(), S(0)) {
  using Kind = Component::Kind;
  for (int i = 0; i < n_; ++i)
    this->components_.push_back({mechanism.coordinate_names()[i], Kind::integral, n_ + i});
  for (int i = 0; i < n_; ++i)
    this->components_.push_back({"d" + mechanism.coordinate_names()[i], Kind::differential, -1});
  this->finish_components();
  this->row_power_.assign(n_, 0);
  this->pattern_y_ = {n_, 2 * n_, mechanism.residual_q_pattern().entries};
  for (const auto& [i, j] : mechanism.residual_v_pattern().entries)
    this->pattern_y_.entries.emplace_back(i, n_ + j);
  this->pattern_rate_ = {n_, 2 * n_, {}};
  for (const auto& [i, j] : mechanism.mass_pattern().entries)
    this->pattern_rate_.entries.emplace_back(i, n_ + j);
  mass_.resize(mechanism.mass_pattern().size());
  mass_values_.resize(mass_.size());
  mass_lu_.set_pattern(n_, mechanism.mass_pattern().entries);
  residual_.resize(n_), correction_.resize(n_);
}

template <class S>
void HeldMultiplierSystem<S>::evaluate(const SystemPoint<S>& p, S* r, S* jacobian_y,
                                       S* jacobian_rate) {
  MotionValues<S> out;
  out.residual = r;
  if (jacobian_y) {
    out.mass = jacobian_rate;
    out.residual_q = jacobian_y;
    out.residual_v = jacobian_y + mechanism_.residual_q_pattern().size();
  }
  mechanism_.evaluate(motion(p.y, p.rate + n_, p.t), {}, out);
}

/// M a = f − Gᵀλ, in wide scalars refined from factors in double.
template <class S>
bool HeldMultiplierSystem<S>::explicit_rates(S* y, S* rate, const S& t, const S*) {
  S* const a = rate + n_;
  std::copy_n(y + n_, n_, rate);
  std::fill_n(a, n_, S(0));
  MotionValues<S> out;
  out.residual = residual_.data(), out.mass = mass_.data();
  mechanism_.evaluate(motion(y, a, t), {}, out);
  for (std::size_t k = 0; k < mass_.size(); ++k) mass_values_[k] = to_double(mass_[k]);
  if (!mass_lu_.factor(mass_values_.data())) return false;
  constexpr int most_rounds = 12;
  double previous = std::numeric_limits<double>::infinity();
  out.mass = nullptr;
  for (int round = 0; round < most_rounds; ++round) {
    double size = 0, change = 0;
    for (int i = 0; i < n_; ++i) correction_[i] = to_double(residual_[i]);
    mass_lu_.solve(correction_.data());
    for (int i = 0; i < n_; ++i) {
      a[i] -= S(correction_[i]);
      change += std::abs(correction_[i]), size += std::abs(to_double(a[i]));
    }
    if (!std::isfinite(change)) return false;
    if (std::is_same_v<S, double>) break;  // the factors are as good as the arithmetic
    if (change <= 4 * unit_roundoff<S>() * size || change >= previous / 2) break;
    previous = change;
    mechanism_.evaluate(motion(y, a, t), {}, out);
  }
  return true;
}

template class HeldMultiplierSystem<double>;
template class HeldMultiplierSystem<real50>;

}  // namespace daemark
