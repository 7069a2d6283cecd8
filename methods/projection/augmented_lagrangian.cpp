#include "methods/projection/augmented_lagrangian.hpp"

#include <algorithm>
#include <cmath>

namespace daemark {

template <class S>
PenaltySystem<S>::PenaltySystem(ImplicitSystem<S>& inner, const S& penalty)
    : inner_(inner), diagonal_(S(-1) / penalty), rows_(0) {
  this->components_ = inner.components();
  this->finish_components();
  this->row_power_ = inner.row_power();
  this->pattern_y_ = inner.pattern_y();
  this->pattern_rate_ = inner.pattern_rate();
  for (const Component& c : this->components_) rows_ += c.kind == Component::Kind::algebraic;
  this->increment_power_.assign(this->unknowns() - rows_, 2);  // h² |da|
  this->increment_power_.insert(this->increment_power_.end(), rows_, -1);
  for (int i = rows_; i > 0; --i)
    this->pattern_y_.entries.emplace_back(this->unknowns() - i, this->size() - i);
}

template <class S>
void PenaltySystem<S>::evaluate(const SystemPoint<S>& point, S* r, S* jacobian_y,
                                S* jacobian_rate) {
  inner_.evaluate(point, r, jacobian_y, jacobian_rate);
  if (jacobian_y) std::fill_n(jacobian_y + inner_.pattern_y().size(), rows_, diagonal_);
}

template <class S>
PenaltyProjection<S>::PenaltyProjection(MechanicalSystem<S>& mechanism, double gamma, double beta,
                                        double penalty)
    : mechanism_(mechanism),
      n_(mechanism.coordinates()),
      m_(mechanism.constraints()),
      gamma_(gamma),
      beta_(beta),
      penalty_(penalty) {
  PatternBuilder builder;
  const auto place = [&builder](const Pattern& pattern, std::vector<int>& at, int row) {
    for (const auto& [i, j] : pattern.entries) at.push_back(builder.add(row + i, j));
  };
  const Pattern& g = mechanism.gradient_pattern();
  place(mechanism.mass_pattern(), mass_at_, 0);
  place(mechanism.residual_v_pattern(), damping_at_, 0);
  place(mechanism.residual_q_pattern(), stiffness_at_, 0);
  place(g, gradient_at_, n_);
  for (const auto& [i, j] : g.entries) transposed_at_.push_back(builder.add(j, n_ + i));
  for (int i = 0; i < m_; ++i) diagonal_at_.push_back(builder.add(n_ + i, n_ + i));
  values_.resize(builder.size());
  lu_.set_pattern(n_ + m_, builder.entries());
  mass_.resize(mass_at_.size()), damping_.resize(damping_at_.size());
  stiffness_.resize(stiffness_at_.size()), gradient_.resize(g.size());
  curvature_.resize(mechanism.curvature_pattern().size());
  residual_.resize(n_), violation_.resize(m_), solution_.resize(n_ + m_);
}

template <class S>
bool PenaltyProjection<S>::factor(double h) {
  std::fill(values_.begin(), values_.end(), 0.0);
  const auto add = [this](const std::vector<int>& at, const std::vector<S>& from, double weight) {
    for (std::size_t k = 0; k < at.size(); ++k) values_[at[k]] += weight * to_double(from[k]);
  };
  add(mass_at_, mass_, 1);
  add(damping_at_, damping_, h * gamma_);
  add(stiffness_at_, stiffness_, h * h * beta_);
  add(gradient_at_, gradient_, 1);
  add(transposed_at_, gradient_, 1);
  for (const int k : diagonal_at_) values_[k] -= 1 / (h * h * beta_ * penalty_);
  return lu_.factor(values_.data());
}

template <class S>
bool PenaltyProjection<S>::step(S* x) {
  std::fill_n(solution_.begin(), n_, 0.0);
  for (int i = 0; i < m_; ++i) solution_[n_ + i] = -to_double(violation_[i]);
  lu_.solve(solution_.data());
  for (int i = 0; i < n_; ++i) {
    if (!std::isfinite(solution_[i])) return false;
    x[i] += S(solution_[i]);
  }
  return true;
}

template <class S>
bool PenaltyProjection<S>::move(double h, const MotionPoint<S>& point, S* v, S* a) {
  MotionValues<S> out;
  out.residual = residual_.data(), out.velocity = violation_.data();
  out.mass = mass_.data(), out.gradient = gradient_.data();
  out.residual_q = stiffness_.data(), out.residual_v = damping_.data();
  mechanism_.evaluate(point, {S(0), S(0), S(1)}, out);
  if (!factor(h) || !step(v)) return false;
  MotionValues<S> accelerations;
  accelerations.acceleration = violation_.data();
  mechanism_.evaluate(point, {S(0), S(0), S(1)}, accelerations);
  return step(a);
}

template <class S>
AugmentedLagrangianStepper<S>::AugmentedLagrangianStepper(const StructuralForm& form,
                                                          const rational& penalty,
                                                          const Target<S>& target,
                                                          const Settings& settings)
    : target_(target),
      system_(*target.system, from_wide<S>(wide(penalty))),
      projection_(*target.mechanism, to_double(form.gamma), to_double(form.beta),
                  to_double(penalty)) {
  Target<S> inside = target;
  inside.system = &system_;
  if constexpr (std::is_same_v<S, F>) {
    inside.factor_system = &system_;
  } else {
    twin_ = std::make_unique<PenaltySystem<F>>(*target.factor_system, to_double(penalty));
    inside.factor_system = twin_.get();
  }
  inner_ = std::make_unique<StructuralStepper<S>>(form, inside, settings);
}

template <class S>
void AugmentedLagrangianStepper<S>::start(const State<S>& initial, const S& h) {
  this->step_size_ = h;
  inner_->start(initial, h);
}

template <class S>
StepReport AugmentedLagrangianStepper<S>::attempt(const S& h) {
  const StepReport report = inner_->attempt(h);
  bool moved = false;
  if (report.status == Status::ok) {
    ++work_;
    const int n = target_.mechanism->coordinates();
    State<S>& end = inner_->candidate();
    S *const v = end.y.data() + n, *const a = end.rate.data() + n;
    moved = projection_.move(
        to_double(h),
        {end.t, end.y.data(), v, a, end.y.data() + 2 * n, inner_->state().chart.data()}, v, a);
    std::copy_n(v, n, end.rate.begin());
  }
  this->counts_ = inner_->counts();
  this->counts_.factorizations += work_, this->counts_.residual_evals += 2 * work_;
  this->counts_.jacobian_evals += work_;
  if (report.status != Status::ok || moved) return report;
  return {Status::singular_matrix, "the matrix of the projections is singular or not finite"};
}

template <class S>
void AugmentedLagrangianStepper<S>::accept() {
  inner_->accept();
  this->counts_.steps = inner_->counts().steps;
}

#define DAEMARK_INSTANTIATE(S)         \
  template class PenaltySystem<S>;     \
  template class PenaltyProjection<S>; \
  template class AugmentedLagrangianStepper<S>;
DAEMARK_INSTANTIATE(double)
DAEMARK_INSTANTIATE(real50)
#undef DAEMARK_INSTANTIATE

}  // namespace daemark
