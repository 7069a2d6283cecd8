#include "methods/half_explicit/half_explicit.hpp"

#include <algorithm>
#include <cmath>

#include "methods/core/estimate_order.hpp"
#include "methods/stages/weighted_sum.hpp"

namespace daemark {

template <class S>
ConstrainedSolve<S>::ConstrainedSolve(MechanicalSystem<S>& mechanism)
    : mechanism_(mechanism),
      n_(mechanism.coordinates()),
      m_(mechanism.constraints()),
      mass_(mechanism.mass_pattern().size()),
      gradient_(mechanism.gradient_pattern().size()),
      values_(mass_ + 2 * static_cast<std::size_t>(gradient_), S(0)),
      right_(n_ + m_, S(0)),
      solution_(right_) {
  std::vector<std::pair<int, int>> entries = mechanism.mass_pattern().entries;
  const auto& gradient = mechanism.gradient_pattern().entries;
  for (const auto& [row, j] : gradient) entries.emplace_back(j, n_ + row);
  for (const auto& [row, j] : gradient) entries.emplace_back(n_ + row, j);
  lu_.set_pattern(n_ + m_, std::move(entries));
}

template <class S>
void ConstrainedSolve<S>::evaluate(const MotionPoint<S>& point, MotionValues<S> out,
                                   bool with_force) {
  if (with_force) out.force = right_.data();
  mechanism_.evaluate(point, {}, out);
  for (int k = 0; with_force && k < n_; ++k) right_[k] = -right_[k];
}

template <class S>
void ConstrainedSolve<S>::dynamics(const MotionPoint<S>& point, Counts& counts) {
  MotionValues<S> out;
  out.mass = mass(), out.gradient = reaction();
  evaluate(point, out, true);
  ++counts.residual_evals;
}

template <class S>
void ConstrainedSolve<S>::dynamics_there(const MotionPoint<S>& point, Counts& counts) {
  ++counts.residual_evals;
  std::copy_n(rows(), gradient_, reaction());
  MotionValues<S> out;
  out.mass = mass();
  evaluate(point, out, true);
}

template <class S>
void ConstrainedSolve<S>::force(const MotionPoint<S>& point, Counts& counts) {
  ++counts.residual_evals;
  evaluate(point, {}, true);
}

template <class S>
void ConstrainedSolve<S>::constraint(const MotionPoint<S>& point, const S& beta, Counts& counts) {
  if (m_ == 0) return;
  MotionValues<S> out;
  out.gradient = rows(), out.velocity = velocities();
  evaluate(point, out, false);
  ++counts.residual_evals;
  for (int k = 0; k < m_; ++k) velocities()[k] /= beta;
}

template <class S>
void ConstrainedSolve<S>::motion(const MotionPoint<S>& point, const S& beta, Counts& counts) {
  MotionValues<S> out;
  out.mass = mass(), out.gradient = rows(), out.velocity = velocities();
  evaluate(point, out, false);
  ++counts.residual_evals;
  std::copy_n(rows(), gradient_, reaction());
  for (int k = 0; k < m_; ++k) velocities()[k] /= beta;
}

template <class S>
StepReport ConstrainedSolve<S>::solve(S* a, S* lambda, Counts& counts) {
  ++counts.factorizations;
  solution_ = right_;
  const bool factored = lu_.factor(values_.data());
  if (!factored && lu_.status() == LuStatus::singular)
    return {Status::singular_matrix, "the matrix of mass and constraints is singular at a stage"};
  if (!factored || !lu_.solve(solution_.data()))
    return {Status::not_finite, "a value in a stage's linear system is not finite"};
  for (int k = 0; k < n_; ++k) a[k] = -solution_[k];
  for (int k = 0; k < m_; ++k) lambda[k] = -solution_[n_ + k];
  return {};
}

template <class S>
bool ConstrainedSolve<S>::project(const MotionPoint<S>& point, S* v, Counts& counts) {
  if (m_ == 0) return true;
  std::fill_n(solution_.begin(), n_, S(0));
  MotionValues<S> out;
  out.velocity = solution_.data() + n_;
  evaluate(point, out, false);
  ++counts.residual_evals;
  if (!lu_.solve(solution_.data())) return false;
  for (int k = 0; k < n_; ++k) v[k] -= solution_[k];
  return true;
}

template class ConstrainedSolve<double>;
template class ConstrainedSolve<real50>;

bool is_carried(const std::vector<wide>& row) {
  return std::all_of(row.begin(), row.end(), [](const wide& a) { return a == 0; });
}

bool ends_with_a_stage(const WideHalfExplicit& form) {
  return form.stages.A.back() == form.stages.b && form.stages.c.back() == 1;
}

namespace {

class HalfExplicitMethod final : public MethodOf<HalfExplicitMethod> {
 public:
  explicit HalfExplicitMethod(const Coefficients& written)
      : MethodOf(written), form_(half_explicit_numbers(written)) {
    const auto& rows = form_.constraint;
    solves_ = static_cast<int>(
        std::count_if(rows.begin(), rows.end(), [](const auto& row) { return !is_carried(row); }));
    if (form_.stages.embedded.empty()) return;
    estimate_order_ = order_of_difference(form_.stages);
    if (form_.lower.empty()) return;
    WideTableau lower = form_.stages;  // e²/(e + 0.01 e_low)
    lower.embedded = form_.lower;
    estimate_order_ = std::max(1, 2 * estimate_order_ - order_of_difference(lower));
  }

  int cost_stages() const override { return solves_; }
  bool is_explicit() const override { return true; }
  int estimate_order() const override { return estimate_order_; }
  bool solves_end_rates() const override { return !ends_with_a_stage(form_); }

  std::string refusal(const SystemTraits& system) const override {
    for (int i = 0; i < form_.stages.stages(); ++i)
      if (is_carried(form_.constraint[i]) &&
          (!is_carried(form_.stages.A[i]) || form_.stages.c[i] != 0))
        return "stage " + std::to_string(i + 1) +
               " takes its multipliers from the step before (a row of zeros in A_hat), yet lies "
               "elsewhere; accepted there: zeros in A and c";
    if (!system.mechanism) return refusals::needs_mechanism;
    if ((system.index != 2 && system.index != 0) || !system.second_order)
      return "its stages impose the constraints on velocities and integrate q' = v; accepted: " +
             formulation_ids([](const FormulationInfo& info) {
               return (info.index == 2 || info.index == 0) && info.second_order;
             });
    return system.index > 0 && !system.full_rank ? refusals::redundant : "";
  }

  template <class S>
  std::unique_ptr<Stepper<S>> make(const Target<S>& target, const Settings& settings) const {
    if constexpr (is_exact<S>) {
      return nullptr;
    } else {
      if (!target.mechanism) return nullptr;
      return std::make_unique<HalfExplicitStepper<S>>(form_, estimate_order_, target, settings);
    }
  }

 private:
  WideHalfExplicit form_;
  int solves_ = 0, estimate_order_ = 0;
};

}  // namespace

std::shared_ptr<const Method> half_explicit_method(const Coefficients& written) {
  return std::make_shared<HalfExplicitMethod>(written);
}

template <class S>
HalfExplicitStepper<S>::HalfExplicitStepper(const WideHalfExplicit& form, int estimate_order,
                                            const Target<S>& target, const Settings& settings)
    : OneStateStepper<S>(target),
      mechanism_(*target.mechanism),
      n_(mechanism_.coordinates()),
      m_(mechanism_.constraints()),
      s_(form.stages.stages()),
      estimate_order_(estimate_order),
      estimates_(settings.control.on() && !form.stages.embedded.empty()),
      end_stage_(ends_with_a_stage(form)),
      lists_(*target.system),
      error_size_(target, settings.control),
      solve_(mechanism_),
      rates_(static_cast<std::size_t>(s_) * 2 * n_, S(0)),
      multipliers_(static_cast<std::size_t>(s_) * m_, S(0)),
      point_(2 * n_),
      zeros_(2 * n_, S(0)),
      difference_(estimates_ ? target.system->size() : 0, S(0)),
      lower_difference_(difference_) {
  wide last_constraint_c = 0;
  for (int i = 0; i < s_; ++i) {
    const std::vector<wide>& row = form.constraint[i];
    Stage stage;
    stage.carried = is_carried(row);
    wide constraint_c = 0;
    for (const wide& a : row) constraint_c += a;
    stage.at_end = form.stages.c[i] == 1;
    stage.constraint_at_end = abs(constraint_c - 1) < wide("1e-14");  // of decimals, too
    stage.c = from_wide<S>(form.stages.c[i]);
    stage.constraint_c = from_wide<S>(constraint_c);
    stage.own = from_wide<S>(row[i]);
    stage.there = m_ > 0 && i > 0 && !stages_[i - 1].carried &&
                  form.constraint[i - 1] == form.stages.A[i] &&
                  abs(wide(form.stages.c[i] - last_constraint_c)) < wide("1e-14");
    last_constraint_c = constraint_c;
    stage.values = sum_of(form.stages.A[i], i);
    stage.constraint = sum_of(row, i);
    stages_.push_back(std::move(stage));
  }
  end_ = sum_of(form.stages.b, s_);
  if (!estimates_) return;
  const auto against = [&form](std::vector<wide> weights) {
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = form.stages.b[i] - weights[i];
    return weights;
  };
  error_ = sum_of(against(form.stages.embedded), s_);
  if (!form.lower.empty()) lower_ = sum_of(against(form.lower), s_);
}

template <class S>
typename HalfExplicitStepper<S>::Sum HalfExplicitStepper<S>::sum_of(
    const std::vector<wide>& weights, int count) const {
  Sum sum;
  for (int j = 0; j < count; ++j) {
    if (weights[j] == 0) continue;
    sum.weights.push_back(from_wide<S>(weights[j]));
    sum.offsets.push_back(j * 2 * n_);
  }
  sum.scaled = sum.weights;
  return sum;
}

template <class S>
void HalfExplicitStepper<S>::set_step(const S& h) {
  h_ = h;
  const auto scale = [&h](Sum& sum) {
    for (std::size_t j = 0; j < sum.weights.size(); ++j) sum.scaled[j] = h * sum.weights[j];
  };
  for (Stage& stage : stages_) scale(stage.values), scale(stage.constraint);
  for (Sum* sum : {&end_, &error_, &lower_}) scale(*sum);
}

/// to := base + h Σ_j a_j (V_j, V'_j).
template <class S>
void HalfExplicitStepper<S>::add(const Sum& sum, const S* base, S* to) const {
  sparse_weighted_sum(to, base, sum.scaled.data(), sum.offsets.data(), rates_.data(),
                      static_cast<int>(sum.offsets.size()), 2 * n_);
}

template <class S>
double HalfExplicitStepper<S>::first_step(double span) {
  ++this->counts_.residual_evals, ++this->counts_.factorizations;
  return automatic_first_step(state_, target_, error_size_, estimate_order_, span);
}

template <class S>
StepReport HalfExplicitStepper<S>::run(const Stage& stage, int i) {
  S *const velocity = rates(i), *const acceleration = velocity + n_;
  if (stage.carried) {
    std::copy_n(&state_.y[n_], n_, velocity);
    std::copy_n(&state_.rate[n_], n_, acceleration);
    std::copy_n(state_.y.begin() + 2 * n_, m_, multipliers(i));
    return {};
  }
  add(stage.values, state_.y.data(), point_.data());
  std::copy_n(&point_[n_], n_, velocity);
  const MotionPoint<S> here = at(stage.at_end ? next_.t : S(state_.t + stage.c * h_));
  if (stage.there)
    solve_.dynamics_there(here, this->counts_);
  else
    solve_.dynamics(here, this->counts_);
  if (m_ > 0) {
    const S own = h_ * stage.own;
    add(stage.constraint, state_.y.data(), point_.data());
    for (int k = 0; k < n_; ++k) point_[k] += own * velocity[k];
    solve_.constraint(at(stage.constraint_at_end ? next_.t : S(state_.t + stage.constraint_c * h_)),
                      own, this->counts_);
  }
  return solve_.solve(acceleration, multipliers(i), this->counts_);
}

template <class S>
StepReport HalfExplicitStepper<S>::finish() {
  S *const y = next_.y.data(), *const rate = next_.rate.data();
  add(end_, state_.y.data(), y);
  double sum = 0;  // not finite if any entry is not
  for (int k = 0; k < 2 * n_; ++k) sum += std::fabs(to_double(y[k]));
  if (!std::isfinite(sum)) return {Status::not_finite, "the state is not finite"};
  std::copy_n(y + n_, n_, rate);
  std::fill(rate + 2 * n_, rate + next_.rate.size(), S(0));
  if (end_stage_) {
    std::copy_n(rates(s_ - 1) + n_, n_, rate + n_);
    std::copy_n(multipliers(s_ - 1), m_, y + 2 * n_);
    return {};
  }
  ++this->counts_.residual_evals, ++this->counts_.factorizations;
  if (!target_.system->explicit_rates(y, rate, next_.t, next_.chart.data()))
    return {Status::singular_matrix, "the index-1 matrix is singular at the step end"};
  return {};
}

/// v̂ onto Φ̇(q̂) = 0 with the matrix of the last stage.
template <class S>
bool HalfExplicitStepper<S>::project_difference() {
  for (int k = 0; k < 2 * n_; ++k) point_[k] = next_.y[k] - difference_[k];
  if (!solve_.project(at(next_.t), &point_[n_], this->counts_)) return false;
  for (int k = n_; k < 2 * n_; ++k) difference_[k] = next_.y[k] - point_[k];
  return true;
}

template <class S>
void HalfExplicitStepper<S>::estimate() {
  add(error_, zeros_.data(), difference_.data());
  if (end_stage_ && !project_difference()) difference_[0] = S(NAN);
  advice_.order = estimate_order_;
  advice_.error = error_size_(difference_, next_.y);
  if (lower_.weights.empty()) return;
  add(lower_, zeros_.data(), lower_difference_.data());
  const double e = advice_.error, low = error_size_(lower_difference_, next_.y);
  if (e > 0) advice_.error = e * e / (e + 0.01 * low);
}

template <class S>
StepReport HalfExplicitStepper<S>::attempt(const S& h) {
  this->set_time(h);
  if (h != h_) set_step(h);
  for (int i = 0; i < s_; ++i)
    if (const StepReport report = run(stages_[i], i); report.status != Status::ok) return report;
  const StepReport report = finish();
  if (report.status == Status::ok && estimates_) estimate();
  return report;
}

template class HalfExplicitStepper<double>;
template class HalfExplicitStepper<real50>;

}  // namespace daemark
