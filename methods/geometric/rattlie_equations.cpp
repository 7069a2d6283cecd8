#include "methods/geometric/rattlie_equations.hpp"

#include "base/numbers/jet.hpp"

namespace daemark {

using rotation::combine;
using rotation::Vec3;
using rotation::vector;

template <class S>
RattlieEquations<S>::RattlieEquations(MechanicalSystem<S>& mechanism)
    : mechanism_(mechanism),
      frames_(mechanism),
      n_(mechanism.coordinates()),
      m_(mechanism.constraints()) {
  for (std::vector<S>* x :
       {&q_, &v_, &p_, &q_next_, &w_, &back_, &momentum_, &moved_, &space_, &force_})
    x->assign(n_, S(0));
  chart_.assign(mechanism.chart_size(), S(0)), chart_next_ = chart_;
  zeros_.assign(std::max(n_, m_), S(0));
  lambda_.assign(m_, S(0)), position_ = velocity_ = lambda_;
  start_gradient_.assign(mechanism.gradient_pattern().size(), S(0)), gradient_ = start_gradient_;
  for (BodyTurn<S>* turn : {&start_, &plain_, &columns_, &left_, &bend_})
    turn->resize(mechanism.rotations().size());
  find_mass();
  PlaceSink sink;
  write(sink);
  // Forces at rest, at the beginning and the end, and constraints there; forces are not derived.
  this->lay_out(2 * n_ + 2 * m_, sink.take(), {3, 0});
}

/// M in the frames of the bodies, column by column of its pattern at the start.
template <class S>
void RattlieEquations<S>::find_mass() {
  std::vector<S> v(n_), mass(mechanism_.mass_pattern().size());
  mechanism_.initial(q_.data(), v.data());
  mechanism_.initial_chart(chart_.data());
  for (int j = 0; j < n_; ++j)
    if (frames_.rotation_of(j) >= 0) q_[j] = S(0);
  MotionValues<S> out;
  out.mass = mass.data();
  mechanism_.evaluate({S(0), q_.data(), v.data(), zeros_.data(), zeros_.data(), chart_.data()}, {},
                      out);
  for (std::size_t r = 0; r < start_.size(); ++r)
    start_[r] = frames_.axes(chart_.data(), static_cast<int>(r));
  // Columns turned, then rows.
  const S one(1);
  PlaceSink columns;
  add_turned(columns, frames_, mechanism_.mass_pattern(), mass, &one, start_, 0, 0);
  Pattern turned{n_, n_, columns.take()};
  std::vector<S> values(turned.size());
  ValueSink<S> column_values(values.data());
  add_turned(column_values, frames_, mechanism_.mass_pattern(), mass, &one, start_, 0, 0);
  for (auto& [row, column] : turned.entries) std::swap(row, column);
  PlaceSink places;
  add_turned_transposed(places, frames_, turned, values, one, start_, 0, 0);
  const auto all = places.take();
  std::vector<S> sums(all.size());
  ValueSink<S> sink(sums.data());
  add_turned_transposed(sink, frames_, turned, values, one, start_, 0, 0);
  PatternBuilder builder;
  for (std::size_t e = 0; e < all.size(); ++e) {
    const std::size_t at = builder.add(all[e].first, all[e].second);
    if (at == mass_.size()) mass_.push_back(S(0));
    mass_[at] += sums[e];
  }
  mass_pattern_ = builder.pattern(n_, n_);
}

template <class S>
void RattlieEquations<S>::momentum(const S* x, S* to) const {
  std::fill_n(to, n_, S(0));
  for (int e = 0; e < mass_pattern_.size(); ++e)
    to[mass_pattern_.entries[e].first] += mass_[e] * x[mass_pattern_.entries[e].second];
}

/// Gᵀλ − f at v = 0.
template <class S>
void RattlieEquations<S>::resting_force(const S& t, const std::vector<S>& q,
                                        const std::vector<S>& chart, const S* h_lambda, S* to) {
  for (int k = 0; k < m_; ++k) lambda_[k] = h_lambda[k] / h_;
  MotionValues<S> out;
  out.residual = space_.data();
  mechanism_.evaluate({t, q.data(), zeros_.data(), zeros_.data(), lambda_.data(), chart.data()}, {},
                      out);
  frames_.to_body(chart.data(), space_.data(), to);
}

template <class S>
void RattlieEquations<S>::begin_at(const S& t, const S& h) {
  t_ = t, h_ = h;
  for (int j = 0; j < n_; ++j)
    if (frames_.rotation_of(j) >= 0) q_[j] = S(0);
  for (std::size_t r = 0; r < start_.size(); ++r)
    start_[r] = frames_.axes(chart_.data(), static_cast<int>(r));
  momentum(v_.data(), p_.data());
  MotionValues<S> out;
  out.gradient = start_gradient_.data();
  mechanism_.evaluate({t, q_.data(), zeros_.data(), zeros_.data(), zeros_.data(), chart_.data()},
                      {}, out);
}

template <class S>
void RattlieEquations<S>::place(const S* x) {
  for (int k = 0; k < n_; ++k) w_[k] = h_ * x[increment() + k], back_[k] = -w_[k];
  frames_.move(q_.data(), chart_.data(), w_.data(), q_next_.data(), chart_next_.data());
}

template <class S>
void RattlieEquations<S>::residual(const S* x, S* r, S* jacobian) {
  place(x);
  momentum(x + increment(), momentum_.data());
  const S half = h_ / S(2);
  frames_.tangent_inverse(w_.data(), momentum_.data(), moved_.data());
  resting_force(t_, q_, chart_, x + first_multiplier(), force_.data());
  for (int k = 0; k < n_; ++k) r[k] = moved_[k] - p_[k] + half * force_[k];
  const S* const v = x + velocity();
  S* const end = r + velocity();
  momentum(v, end);
  frames_.tangent_inverse(back_.data(), momentum_.data(), moved_.data());
  resting_force(t_ + h_, q_next_, chart_next_, x + second_multiplier(), force_.data());
  for (int k = 0; k < n_; ++k) end[k] += half * force_[k] - moved_[k];
  frames_.to_space(chart_next_.data(), v, space_.data());
  MotionValues<S> out;
  out.position = position_.data(), out.velocity = velocity_.data();
  if (jacobian) out.gradient = gradient_.data();
  mechanism_.evaluate(
      {t_ + h_, q_next_.data(), space_.data(), zeros_.data(), zeros_.data(), chart_next_.data()},
      {}, out);
  for (int k = 0; k < m_; ++k) r[first_multiplier() + k] = position_[k] / h_;
  std::copy(velocity_.begin(), velocity_.end(), r + second_multiplier());
  if (!jacobian) return;
  turn(x);
  ValueSink<S> sink(jacobian);
  write(sink);
}

template <class S>
void RattlieEquations<S>::turn(const S* x) {
  using D = Dual<S, 3>;
  const int terms = rotation::series_terms<S>();
  for (std::size_t r = 0; r < plain_.size(); ++r) {
    const int at = frames_.first_of(static_cast<int>(r));
    plain_[r] = frames_.axes(chart_next_.data(), static_cast<int>(r));
    const Vec3<S> w = vector(&w_[at]);
    Vec3<D> moving;
    for (int k = 0; k < 3; ++k) {
      moving[k] = D(S(h_ * x[increment() + at + k]));
      moving[k].grad[k] = h_;
    }
    const Vec3<D> bent =
        rotation::tangent_inverse(moving, rotation::constant<D>(vector(&momentum_[at])), terms);
    for (int k = 0; k < 3; ++k) {
      Vec3<S> unit{S(0), S(0), S(0)};
      unit[k] = S(1);
      const Vec3<S> delta = rotation::tangent(w, unit, terms);
      columns_[r][k] = combine(S(1), combine(delta[0], plain_[r][0], delta[1], plain_[r][1]),
                               delta[2], plain_[r][2]);
      const Vec3<S> column = rotation::tangent_inverse(w, unit, terms);
      for (int i = 0; i < 3; ++i) left_[r][i][k] = column[i], bend_[r][i][k] = bent[i].grad[k];
    }
  }
}

template <class S>
template <class Sink>
void RattlieEquations<S>::write(Sink& sink) {
  const Pattern& g = mechanism_.gradient_pattern();
  const int V = increment(), plus = first_multiplier(), v = velocity(), minus = second_multiplier();
  const S half(0.5), one(1);
  // T⁻¹(h V) M V: rows of M turned, and what T⁻¹ itself varies by
  add_turned_transposed(sink, frames_, mass_pattern_, mass_, one, left_, 0, V);  // M = Mᵀ
  for (std::size_t r = 0; r < bend_.size(); ++r) {
    const int at = frames_.first_of(static_cast<int>(r));
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) sink.add_one(at + i, V + at + k, bend_[r][i][k]);
  }
  add_turned_transposed(sink, frames_, g, start_gradient_, half, start_, 0, plus);
  add_turned(sink, frames_, g, gradient_, &one, columns_, plus, V);
  sink.add(mass_pattern_, mass_, one, v, v);
  add_turned_transposed(sink, frames_, g, gradient_, half, plain_, v, minus);
  add_turned(sink, frames_, g, gradient_, &one, plain_, minus, v);
}

template class RattlieEquations<double>;
template class RattlieEquations<real50>;

}  // namespace daemark
