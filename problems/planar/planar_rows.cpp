#include "problems/planar/planar_rows.hpp"

#include <algorithm>

#include "base/numbers/sin_cos.hpp"
#include "problems/planar/timed_loads.hpp"

namespace daemark {

template <class S>
void PlanarRows<S>::add(const PlanarMechanism::TrigRow& row, PatternBuilder& gradient,
                        PatternBuilder& curvature, PatternBuilder& residual_q) {
  const int r = size();
  for (const auto& [column, coefficient] : row.linear)
    linear_.push_back({column, from_wide<S>(coefficient), gradient.add(r, column)});
  for (const auto& [column, c, s] : row.trig) {
    const int angle = column / 3;
    if (static_cast<int>(sin_.size()) <= angle) {
      sin_.resize(angle + 1), cos_.resize(angle + 1);
      occurs_.resize(angle + 1, false);
    }
    if (!occurs_[angle]) angles_.push_back(angle);
    occurs_[angle] = true;
    trig_.push_back({angle, column, from_wide<S>(c), from_wide<S>(s), gradient.add(r, column),
                     curvature.add(r, column), residual_q.add(column, column)});
  }
  for (const auto& [column, coefficient] : row.linear)
    if (static_cast<int>(zeros_.size()) <= column) zeros_.resize(column + 1, S(0));
  for (const auto& [column, c, s] : row.trig)
    if (static_cast<int>(zeros_.size()) <= column) zeros_.resize(column + 1, S(0));
  rows_.push_back({linear_.size(), trig_.size(), from_wide<S>(row.constant), row.law});
}

template <class S>
bool PlanarRows<S>::has_law() const {
  return std::any_of(rows_.begin(), rows_.end(), [](const Row& row) { return row.law != nullptr; });
}

template <class S>
void PlanarRows<S>::find_angles(const S* q) {
  for (const int angle : angles_) sin_cos(q[3 * angle + 2], sin_[angle], cos_[angle]);
}

template <class S>
void PlanarRows<S>::evaluate(const MotionPoint<S>& p, const ConstraintWeights<S>& w,
                             const MotionValues<S>& out) {
  find_angles(p.q);
  if (out.derivatives())
    out.residual ? add_rows<true, true>(p, w, out) : add_rows<true, false>(p, w, out);
  else
    out.residual ? add_rows<false, true>(p, w, out) : add_rows<false, false>(p, w, out);
}

template <class S>
template <bool derivatives, bool residual>
void PlanarRows<S>::add_rows(const MotionPoint<S>& p, const ConstraintWeights<S>& w,
                             const MotionValues<S>& out) {
  const Linear* l = linear_.data();
  const Trig* k = trig_.data();
  const S *const q = p.q, *const v = p.v, *const a = p.a ? p.a : zeros_.data();
  S *const R = out.residual, *const C = out.weighted, *const gradient = out.gradient;
  S *const residual_q = out.residual_q, *const curvature_q = out.curvature_q,
           *const curvature_v = out.curvature_v;
  const bool levels = out.position || out.velocity || out.acceleration;
  const S w_position = w.position, w_velocity = w.velocity, w_acceleration = w.acceleration;
  const int rows = size();
  for (int r = 0; r < rows; ++r) {
    const Row& row = rows_[r];
    const S lambda = derivatives || residual ? p.lambda[r] : S(0);
    S value = row.constant, rate(0), second(0);
    if (row.law) {
      const TimeJet<S> law = law_value<S>(*row.law)(TimeJet<S>(p.t, S(1), S(0)));
      value -= law.value, rate -= law.rate, second -= law.second;
    }
    for (const Linear* end = linear_.data() + row.linear_end; l != end; ++l) {
      const int j = l->column;
      value += l->coefficient * q[j];
      rate += l->coefficient * v[j];
      second += l->coefficient * a[j];
      if constexpr (residual) R[j] += l->coefficient * lambda;
      if (gradient) gradient[l->gradient] += l->coefficient;
    }
    for (const Trig* end = trig_.data() + row.trig_end; k != end; ++k) {
      const int j = k->column;
      const S c = cos_[k->angle], s = sin_[k->angle], omega = v[j];
      const S position = k->cos_coefficient * c + k->sin_coefficient * s;
      const S slope = k->sin_coefficient * c - k->cos_coefficient * s;
      const S centripetal = position * omega;
      value += position;
      rate += slope * omega;
      second += slope * a[j] - centripetal * omega;
      if constexpr (residual) R[j] += slope * lambda;
      if (gradient) gradient[k->gradient] += slope;
      if constexpr (derivatives) {
        if (residual_q) residual_q[k->stiffness] -= position * lambda;
        if (curvature_q)
          curvature_q[k->curvature] -=
              w_velocity * centripetal + w_acceleration * (position * a[j] + slope * omega * omega);
        if (curvature_v)
          curvature_v[k->curvature] -= (w_acceleration + w_acceleration) * centripetal;
      }
    }
    if (C) C[r] = w_position * value + w_velocity * rate + w_acceleration * second;
    if (!levels) continue;
    if (out.position) out.position[r] = value;
    if (out.velocity) out.velocity[r] = rate;
    if (out.acceleration) out.acceleration[r] = second;
  }
}

template <class S>
void PlanarRows<S>::add_stiffness(const S* q, const S* mu, S* stiffness) {
  find_angles(q);
  const Trig* k = trig_.data();
  for (int r = 0; r < size(); ++r)
    for (const Trig* end = trig_.data() + rows_[r].trig_end; k != end; ++k)
      stiffness[k->stiffness] -=
          (k->cos_coefficient * cos_[k->angle] + k->sin_coefficient * sin_[k->angle]) * mu[r];
}

template <class S>
void PlanarRows<S>::record(const Var* q, const Var* lambda, const Var& t, Var* R, Var* Phi) const {
  using V = Var;
  const Linear* l = linear_.data();
  const Trig* k = trig_.data();
  for (int r = 0; r < size(); ++r) {
    V value(rows_[r].constant);
    if (rows_[r].law) value -= rows_[r].law->recorded(t);
    for (const Linear* end = linear_.data() + rows_[r].linear_end; l != end; ++l) {
      value += V(l->coefficient) * q[l->column];
      R[l->column] += V(l->coefficient) * lambda[r];
    }
    for (const Trig* end = trig_.data() + rows_[r].trig_end; k != end; ++k) {
      const V c = cos(q[k->column]), s = sin(q[k->column]);
      value += V(k->cos_coefficient) * c + V(k->sin_coefficient) * s;
      R[k->column] += (V(k->sin_coefficient) * c - V(k->cos_coefficient) * s) * lambda[r];
    }
    Phi[r] = value;
  }
}

template <class S>
S PlanarRows<S>::power(const MotionPoint<S>& p) const {
  S sum(0);
  for (int r = 0; r < size(); ++r)
    if (rows_[r].law)
      sum -= p.lambda[r] * law_value<S>(*rows_[r].law)(TimeJet<S>(p.t, S(1), S(0))).rate;
  return sum;
}

template class PlanarRows<double>;
template class PlanarRows<real50>;

}  // namespace daemark
