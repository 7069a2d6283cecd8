#include "methods/structural/weighted_system.hpp"

#include <algorithm>

namespace daemark {

template <class S>
WeightedSystem<S>::WeightedSystem(ImplicitSystem<S>& inner, const S& acceleration_weight,
                                  const S& state_weight)
    : inner_(inner),
      lists_(inner),
      acceleration_weight_(acceleration_weight),
      state_weight_(state_weight) {
  this->components_ = inner.components();
  this->finish_components();
  this->row_power_ = inner.row_power();
  this->pattern_y_ = inner.pattern_y();
  this->pattern_rate_ = inner.pattern_rate();
  dynamics_ = inner.unknowns();
  for (const int power : inner.row_power()) dynamics_ -= power != 0;
  for (std::vector<S>* x : {&begin_y_, &begin_rate_, &y_, &rate_}) x->assign(inner.size(), S(0));
  if (dynamics_ == inner.unknowns()) return;
  end_residual_.resize(inner.unknowns());
  end_jacobian_y_.resize(inner.pattern_y().size());
  end_jacobian_rate_.resize(inner.pattern_rate().size());
}

template <class S>
void WeightedSystem<S>::set_beginning(const S* y, const S* rate, const S& t) {
  std::copy_n(y, begin_y_.size(), begin_y_.begin());
  std::copy_n(rate, begin_rate_.size(), begin_rate_.begin());
  begin_t_ = t;
}

template <class S>
EvaluationPoints WeightedSystem<S>::points() const {
  return end_residual_.empty() ? EvaluationPoints{1, 1} : EvaluationPoints{2, 2};
}

template <class S>
void WeightedSystem<S>::evaluate(const SystemPoint<S>& end, S* r, S* jacobian_y, S* jacobian_rate) {
  const S &w = state_weight_, &wa = acceleration_weight_;
  const S rest = S(1) - w, rest_a = S(1) - wa;
  for (int c = 0; c < this->size(); ++c) y_[c] = w * end.y[c] + rest * begin_y_[c];
  for (const int c : lists_.algebraic) y_[c] = end.y[c];
  for (const int c : lists_.differential) rate_[c] = wa * end.rate[c] + rest_a * begin_rate_[c];
  for (const auto& [c, source] : lists_.integral) rate_[c] = y_[source];
  inner_.evaluate({y_.data(), rate_.data(), S(w * end.t + rest * begin_t_), end.chart}, r,
                  jacobian_y, jacobian_rate);
  if (jacobian_y) scale_dynamics(jacobian_y, jacobian_rate);
  if (end_residual_.empty()) return;
  inner_.evaluate(end, end_residual_.data(), jacobian_y ? end_jacobian_y_.data() : nullptr,
                  jacobian_y ? end_jacobian_rate_.data() : nullptr);
  std::copy(end_residual_.begin() + dynamics_, end_residual_.end(), r + dynamics_);
  if (!jacobian_y) return;
  const auto take_end = [this](const Pattern& pattern, const std::vector<S>& from, S* to) {
    for (int k = 0; k < pattern.size(); ++k)
      if (pattern.entries[k].first >= dynamics_) to[k] = from[k];
  };
  take_end(this->pattern_y_, end_jacobian_y_, jacobian_y);
  take_end(this->pattern_rate_, end_jacobian_rate_, jacobian_rate);
}

/// By the chain rule; columns of multipliers are those of the equilibrium.
template <class S>
void WeightedSystem<S>::scale_dynamics(S* jacobian_y, S* jacobian_rate) {
  const auto& y = this->pattern_y_.entries;
  for (std::size_t k = 0; k < y.size(); ++k)
    if (this->components_[y[k].second].kind != Component::Kind::algebraic)
      jacobian_y[k] *= state_weight_;
  for (int k = 0; k < this->pattern_rate_.size(); ++k) jacobian_rate[k] *= acceleration_weight_;
}

template class WeightedSystem<double>;
template class WeightedSystem<real50>;
template class WeightedSystem<rational>;

}  // namespace daemark
