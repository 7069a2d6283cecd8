#include "methods/geometric/lie_stepper.hpp"

namespace daemark {

using rotation::combine;
using rotation::cross;
using rotation::dot;
using rotation::Vec3;
using rotation::vector;

template <class S>
LieEquations<S>::LieEquations(MechanicalSystem<S>& mechanism, bool stabilised)
    : mechanism_(mechanism),
      frames_(mechanism),
      n_(mechanism.coordinates()),
      m_(mechanism.constraints()),
      stabilised_(stabilised) {
  for (std::vector<S>* x : {&q_, &u_, &v_, &d_, &q_next_, &v_next_, &d_next_, &w_, &normal_,
                            &turned_, &v_space_, &d_space_})
    x->assign(n_, S(0));
  chart_.assign(mechanism.chart_size(), S(0)), chart_next_ = chart_;
  zeros_.assign(std::max(n_, m_), S(0));
  position_.assign(m_, S(0)), velocity_.assign(m_, S(0));
  mass_.assign(mechanism.mass_pattern().size(), S(0));
  residual_q_.assign(mechanism.residual_q_pattern().size(), S(0));
  residual_v_.assign(mechanism.residual_v_pattern().size(), S(0));
  gradient_.assign(mechanism.gradient_pattern().size(), S(0)), start_gradient_ = gradient_;
  curvature_.assign(mechanism.curvature_pattern().size(), S(0));
  ones_.assign(n_, S(1));
  for (int i = 0; i < n_; ++i) identity_.entries.emplace_back(i, i);
  for (Turn* turn : {&plain_, &moved_, &spun_, &driven_, &sum_, &start_})
    turn->resize(mechanism.rotations().size());
  PlaceSink sink;
  write(sink);
  this->lay_out(2 * n_ + (stabilised_ ? 2 : 1) * m_, sink.take(), {1, 1});
}

template <class S>
void LieEquations<S>::begin_at(const S& t, const S& h) {
  t_ = t, h_ = h;
  for (int j = 0; j < n_; ++j)
    if (frames_.rotation_of(j) >= 0) q_[j] = S(0);
  for (std::size_t r = 0; r < start_.size(); ++r) start_[r] = frames_.axes(chart_.data(), r);
  if (!stabilised_) return;
  MotionValues<S> out;
  out.gradient = start_gradient_.data();
  mechanism_.evaluate({t, q_.data(), zeros_.data(), zeros_.data(), zeros_.data(), chart_.data()},
                      {}, out);
}

template <class S>
void LieEquations<S>::place(const S* x) {
  const S *const a = x + acceleration(), *const u = x + increment();
  for (int k = 0; k < n_; ++k) {
    v_next_[k] = v_[k] + h_ * c_v_ * a[k];
    d_next_[k] = d_[k] + c_d_ * a[k];
    w_[k] = h_ * u[k];
  }
  frames_.move(q_.data(), chart_.data(), w_.data(), q_next_.data(), chart_next_.data());
  frames_.to_space(chart_next_.data(), v_next_.data(), v_space_.data());
  frames_.to_space(chart_next_.data(), d_next_.data(), d_space_.data());
}

/// The four turns at the point placed. A body's δ = T(h u) h δu turns its frame by ε = R δ in
/// space.
template <class S>
void LieEquations<S>::turn_columns() {
  const int terms = rotation::series_terms<S>();
  for (std::size_t r = 0; r < plain_.size(); ++r) {
    const int at = frames_.first_of(static_cast<int>(r));
    plain_[r] = frames_.axes(chart_next_.data(), static_cast<int>(r));
    const Vec3<S> w = vector(&w_[at]), nu = vector(&v_space_[at]), rate = vector(&d_space_[at]);
    const S half(0.5);
    for (int k = 0; k < 3; ++k) {
      Vec3<S> unit{S(0), S(0), S(0)};
      unit[k] = h_;
      const Vec3<S> delta = rotation::tangent(w, unit, terms);
      const Vec3<S> first = combine(delta[0], plain_[r][0], delta[1], plain_[r][1]);
      const Vec3<S> epsilon = combine(S(1), first, delta[2], plain_[r][2]);
      moved_[r][k] = epsilon;
      spun_[r][k] = combine(half, cross(epsilon, nu), S(0), nu);
      driven_[r][k] = combine(half, cross(epsilon, rate), half * dot(epsilon, nu), nu);
    }
  }
}

template <class S>
void LieEquations<S>::residual(const S* x, S* r, S* jacobian) {
  place(x);
  const MotionPoint<S> point{t_ + h_,         q_next_.data(),   v_space_.data(),
                             d_space_.data(), x + multiplier(), chart_next_.data()};
  MotionValues<S> out;
  out.residual = r, out.position = position_.data(), out.velocity = velocity_.data();
  if (jacobian) {
    out.mass = mass_.data(), out.gradient = gradient_.data(), out.curvature_q = curvature_.data();
    out.residual_q = residual_q_.data(), out.residual_v = residual_v_.data();
  }
  mechanism_.evaluate(point, {S(0), S(1), S(0)}, out);
  const S *const a = x + acceleration(), *const u = x + increment();
  for (int k = 0; k < n_; ++k) r[n_ + k] = u[k] - u_[k] - h_ * c_w_ * a[k];
  for (int k = 0; k < m_; ++k) r[multiplier() + k] = position_[k] / (h_ * h_);
  if (stabilised_) {
    const S* const eta = x + stabiliser();
    std::fill(normal_.begin(), normal_.end(), S(0));
    add_transposed_product(mechanism_.gradient_pattern(), start_gradient_, eta, normal_.data());
    frames_.to_body(chart_.data(), normal_.data(), turned_.data());
    for (int k = 0; k < n_; ++k) r[n_ + k] += turned_[k];
    for (int k = 0; k < m_; ++k) r[stabiliser() + k] = velocity_[k] / h_;
  }
  if (!jacobian) return;
  turn_columns();
  ValueSink<S> sink(jacobian);
  write(sink);
}

template <class S>
template <class Sink>
void LieEquations<S>::write(Sink& sink) {
  const Pattern &mass = mechanism_.mass_pattern(), &q = mechanism_.residual_q_pattern(),
                &v = mechanism_.residual_v_pattern(), &g = mechanism_.gradient_pattern(),
                &curvature = mechanism_.curvature_pattern();
  const int a = acceleration(), u = increment(), lambda = multiplier(), eta = stabiliser();
  const auto weighted = [this](const Turn& turn, const S& weight) -> const Turn& {
    for (std::size_t r = 0; r < turn.size(); ++r)
      for (int k = 0; k < 3; ++k) sum_[r][k] = combine(weight, turn[r][k], S(0), turn[r][k]);
    return sum_;
  };
  const S none(0), one(1), h = h_, speed = h_ * c_v_, inverse = h_ == 0 ? none : S(one / h_);
  // dynamics
  add_turned(sink, frames_, mass, mass_, &c_d_, weighted(plain_, c_d_), 0, a);
  add_turned(sink, frames_, v, residual_v_, &speed, weighted(plain_, speed), 0, a);
  add_turned(sink, frames_, q, residual_q_, &h, moved_, 0, u);
  add_turned(sink, frames_, v, residual_v_, nullptr, spun_, 0, u);
  add_turned(sink, frames_, mass, mass_, nullptr, driven_, 0, u);
  sink.add_transposed(g, gradient_, one, 0, lambda);
  // increments
  sink.add(identity_, ones_, one, n_, u);
  sink.add(identity_, ones_, S(-h_ * c_w_), n_, a);
  // positions over h²
  add_turned(sink, frames_, g, gradient_, &inverse, weighted(moved_, S(inverse * inverse)), lambda,
             u);
  if (!stabilised_) return;
  add_turned_transposed(sink, frames_, g, start_gradient_, one, start_, n_, eta);
  // velocities over h
  add_turned(sink, frames_, g, gradient_, &c_v_, weighted(plain_, c_v_), eta, a);
  add_turned(sink, frames_, curvature, curvature_, &one, weighted(moved_, inverse), eta, u);
  add_turned(sink, frames_, g, gradient_, nullptr, weighted(spun_, inverse), eta, u);
}

template class LieEquations<double>;
template class LieEquations<real50>;

/// Index 3, or stabilised index 2 where the formulation has multipliers for positions too (ggl).
template <class S>
bool is_stabilised(const Target<S>& target) {
  return target.formulation != nullptr && !target.formulation->info.second_order;
}

template <class S>
LieStepper<S>::LieStepper(const Target<S>& target, const Settings& settings)
    : StateStepper<S>(target),
      stabilised_(is_stabilised(target)),
      frames_(*target.mechanism),
      solver_(target, settings.newton, stabilised_),
      body_v_(this->n_, S(0)),
      rate_(this->n_, S(0)) {
  for (std::vector<S>* x : {&known_.u, &known_.v, &known_.rate}) x->assign(this->n_, S(0));
}

template <class S>
StepReport LieStepper<S>::advance(const S& h) {
  const int n = this->n_, m = this->m_;
  const State<S>& from = this->state_;
  State<S>& to = this->next_;
  frames_.to_body(from.chart.data(), from.y.data() + n, body_v_.data());
  fill_known(h);
  solver_.begin([&](auto& equations) { equations.begin(from, h, known_); });
  LieEquations<S>& step = solver_.equations();
  S* const x = solver_.x();
  std::copy_n(this->own_.begin(), n, x + step.acceleration());  // a, or v̇, of the last step
  for (int k = 0; k < n; ++k)
    x[step.increment() + k] = known_.u[k] + h * known_.c_w * x[step.acceleration() + k];
  std::copy_n(from.y.begin() + 2 * n, m, x + step.multiplier());
  if (stabilised_) std::fill_n(x + step.stabiliser(), m, S(0));
  const StepReport report = solver_.solve(this->counts_);
  if (report.status != Status::ok) return report;
  step.settle(x);
  frames_.to_chart(from.chart.data(), step.position().data(), step.chart().data(),
                   step.velocity().data(), step.velocity_rate().data(), to.y.data(),
                   to.y.data() + n, to.rate.data() + n);
  std::copy_n(to.y.begin() + n, n, to.rate.begin());
  std::copy_n(x + step.multiplier(), m, to.y.begin() + 2 * n);
  if (stabilised_) std::copy_n(x + step.stabiliser(), m, to.y.begin() + 2 * n + m);
  keep(x + step.acceleration(), x + step.increment());
  return {};
}

template <class S>
bool LieStepper<S>::solve_rate(const S* w, const S* v, const S& t, S* rate) {
  const int n = this->n_;
  probe_ = this->state_;
  probe_.t = t;
  frames_.move(this->state_.y.data(), this->state_.chart.data(), w, probe_.y.data(),
               probe_.chart.data());
  frames_.to_space(probe_.chart.data(), v, probe_.y.data() + n);
  ++this->counts_.residual_evals, ++this->counts_.factorizations;
  if (!this->target_.system->explicit_rates(probe_.y.data(), probe_.rate.data(), t,
                                            probe_.chart.data()))
    return false;
  frames_.to_body(probe_.chart.data(), probe_.rate.data() + n, rate);
  return true;
}

std::string lie_refusal(const SystemTraits& system) {
  if (!system.mechanism) return refusals::needs_mechanism;
  if (system.index == 0 && !system.second_order) return refusals::second_order_only;
  const bool stabilised = system.index == 2 && !system.second_order;
  if (system.index != 0 && system.index != 3 && !stabilised)
    return "it holds positions (index3), or positions and velocities with a multiplier more (ggl); "
           "accepted: index3, ggl, minimal";
  if (system.velocity_rows > 0)
    return std::string("its positions follow from constraints on them: ") +
           refusals::needs_positions;
  if (system.index > 0 && !system.full_rank) return refusals::redundant;
  return "";
}

std::optional<KnownOrders> lie_orders(int index, const char* reason) {
  if (index == 1) return std::nullopt;
  return KnownOrders{2, 2, 2, false, reason};
}

template class LieStepper<double>;
template class LieStepper<real50>;

}  // namespace daemark
