#include "methods/geometric/energy_momentum.hpp"

namespace daemark {

template <class S>
EnergyMomentumEquations<S>::EnergyMomentumEquations(MechanicalSystem<S>& mechanism)
    : mechanism_(mechanism), n_(mechanism.coordinates()), m_(mechanism.constraints()) {
  for (std::vector<S>* x :
       {&q_, &v_, &q_next_, &q_middle_, &v_middle_, &change_, &force_, &difference_})
    x->assign(n_, S(0));
  zeros_.assign(std::max(n_, m_), S(0));
  lambda_.assign(m_, S(0)), position_ = begin_position_ = lambda_;
  mass_.assign(mechanism.mass_pattern().size(), S(0));
  residual_q_.assign(mechanism.residual_q_pattern().size(), S(0));
  residual_v_.assign(mechanism.residual_v_pattern().size(), S(0));
  gradient_.assign(mechanism.gradient_pattern().size(), S(0)), end_gradient_ = gradient_;
  PlaceSink sink;
  const S none(0);
  sink.add(mechanism.mass_pattern(), mass_, none, 0, 0);
  sink.add(mechanism.residual_q_pattern(), residual_q_, none, 0, 0);
  sink.add(mechanism.residual_v_pattern(), residual_v_, none, 0, 0);
  sink.add_transposed(mechanism.gradient_pattern(), gradient_, none, 0, n_);
  sink.add(mechanism.gradient_pattern(), end_gradient_, none, n_, 0);
  // The equations at the midpoint and the end; F and Φ of the discrete gradients at rest.
  this->lay_out(n_ + m_, sink.take(), {4, 1});
}

template <class S>
S EnergyMomentumEquations<S>::potential(const std::vector<S>& q) {
  const MotionPoint<S> point{middle_, q.data(), zeros_.data(), zeros_.data(), zeros_.data()};
  return mechanism_.potential_energy(point) - mechanism_.work(point);
}

template <class S>
void EnergyMomentumEquations<S>::begin_at(const S& t, const S& h) {
  t_ = t, h_ = h, middle_ = t + h / S(2);
  begin_potential_ = potential(q_);
  MotionValues<S> out;
  out.position = begin_position_.data();
  mechanism_.evaluate({middle_, q_.data(), zeros_.data(), zeros_.data(), zeros_.data()}, {}, out);
}

template <class S>
void EnergyMomentumEquations<S>::place(const S* x) {
  end_position(x, q_next_.data());
  for (int k = 0; k < n_; ++k) {
    change_[k] = q_next_[k] - q_[k];
    q_middle_[k] = q_[k] + change_[k] / S(2);
    v_middle_[k] = (v_[k] + x[k]) / S(2);
    difference_[k] = x[k] - v_[k];
  }
}

/// What the discrete gradients of the potential and of each constraint have along the change of
/// positions beyond the midpoint's: r += h (c_V + Σ (c_r λ_r)) Δ, c = (F(q₁) − F(q₀) − ∇F·Δ)/|Δ|².
template <class S>
void EnergyMomentumEquations<S>::add_discrete_gradients(const S* lambda, S* r) {
  S square(0), along(0), sum(0);
  for (int k = 0; k < n_; ++k) square += change_[k] * change_[k];
  if (square == 0) return;
  MotionValues<S> out;
  out.force = force_.data();
  mechanism_.evaluate({middle_, q_middle_.data(), zeros_.data(), zeros_.data(), zeros_.data()}, {},
                      out);
  for (int k = 0; k < n_; ++k) along += force_[k] * change_[k];
  sum = h_ * (potential(q_next_) - begin_potential_ + along);
  out = {};
  out.position = position_.data();
  mechanism_.evaluate({middle_, q_next_.data(), zeros_.data(), zeros_.data(), zeros_.data()}, {},
                      out);
  for (int row = 0; row < m_; ++row) sum += lambda[row] * (position_[row] - begin_position_[row]);
  const auto& entries = mechanism_.gradient_pattern().entries;
  for (std::size_t e = 0; e < entries.size(); ++e)
    sum -= lambda[entries[e].first] * gradient_[e] * change_[entries[e].second];
  for (int k = 0; k < n_; ++k) r[k] += sum / square * change_[k];
}

template <class S>
void EnergyMomentumEquations<S>::residual(const S* x, S* r, S* jacobian) {
  place(x);
  const S* const scaled = x + multiplier();
  for (int k = 0; k < m_; ++k) lambda_[k] = scaled[k] / h_;
  // R with v₁ − v₀ over h in the place of the acceleration, times h
  for (int k = 0; k < n_; ++k) difference_[k] = difference_[k] / h_;
  MotionValues<S> out;
  out.residual = r, out.gradient = gradient_.data();
  if (jacobian) {
    out.mass = mass_.data();
    out.residual_q = residual_q_.data(), out.residual_v = residual_v_.data();
  }
  mechanism_.evaluate(
      {middle_, q_middle_.data(), v_middle_.data(), difference_.data(), lambda_.data()}, {}, out);
  for (int k = 0; k < n_; ++k) r[k] = h_ * r[k];
  add_discrete_gradients(scaled, r);
  out = {};
  out.position = position_.data();
  if (jacobian) out.gradient = end_gradient_.data();
  mechanism_.evaluate({t_ + h_, q_next_.data(), zeros_.data(), zeros_.data(), zeros_.data()}, {},
                      out);
  for (int k = 0; k < m_; ++k) r[n_ + k] = position_[k] / h_;
  if (!jacobian) return;
  ValueSink<S> sink(jacobian);
  sink.add(mechanism_.mass_pattern(), mass_, S(1), 0, 0);
  sink.add(mechanism_.residual_q_pattern(), residual_q_, h_ * h_ / S(4), 0, 0);
  sink.add(mechanism_.residual_v_pattern(), residual_v_, h_ / S(2), 0, 0);
  sink.add_transposed(mechanism_.gradient_pattern(), gradient_, S(1), 0, n_);
  sink.add(mechanism_.gradient_pattern(), end_gradient_, S(0.5), n_, 0);
}

template class EnergyMomentumEquations<double>;
template class EnergyMomentumEquations<real50>;

}  // namespace daemark
