#include "methods/rosenbrock/rosenbrock.hpp"

#include <algorithm>
#include <cmath>

#include "methods/core/estimate_order.hpp"

namespace daemark {

namespace {

template <class S>
S power(const S& h, int exponent) {
  S result(1);
  for (int i = 0; i < std::abs(exponent); ++i)
    result = exponent > 0 ? S(result * h) : S(result / h);
  return result;
}

}  // namespace

template <class S>
RosenbrockStepper<S>::RosenbrockStepper(RosenbrockCoefficients<S> coefficients,
                                        const Target<S>& target, const Settings& settings)
    : OneStateStepper<S>(target),
      method_(std::move(coefficients)),
      layout_(*target.factor_system),
      lists_(layout_.lists),
      s_(method_.stages()),
      size_(target.system->size()),
      unknowns_(target.system->unknowns()),
      increments_(static_cast<std::size_t>(s_) * size_, S(0)),
      rate_increments_(increments_),
      jacobian_y_(target.system->pattern_y().size()),
      jacobian_rate_(target.system->pattern_rate().size()),
      first_(layout_.block.coupled),
      second_(first_),
      block_values_(layout_.block.positions.size()),
      values_(block_values_.size()),
      row_scale_(unknowns_, S(1)),
      residual_(unknowns_),
      start_residual_(unknowns_),
      shifted_(unknowns_),
      time_derivative_(unknowns_, S(0)),
      y_(size_),
      rate_(size_),
      memory_(size_, S(0)) {
  lu_.set_pattern(unknowns_, layout_.block.positions);
  if (settings.control.on() && !method_.error.empty()) error_.assign(size_, S(0));
}

/// The matrix at the beginning of the step, its rows times h^row_power.
template <class S>
bool RosenbrockStepper<S>::linearise(const S& h) {
  ImplicitSystem<S>& system = *target_.system;
  system.evaluate(state_.point(), start_residual_.data(), jacobian_y_.data(),
                  jacobian_rate_.data());
  ++this->counts_.residual_evals, ++this->counts_.jacobian_evals, ++this->counts_.factorizations;
  for (int k = 0; k < unknowns_; ++k) row_scale_[k] = power(h, system.row_power()[k]);
  layout_.block.gather(jacobian_y_.data(), jacobian_rate_.data(), row_scale_.data(), first_,
                       second_, block_values_);
  const S g = h * method_.gamma, g2 = g * g;
  values_ = block_values_;
  for (int k = 0; k < layout_.block.coupled; ++k) values_[k] += g * first_[k] + g2 * second_[k];
  return lu_.factor(values_.data());
}

template <class S>
void RosenbrockStepper<S>::differentiate_in_time(const S& h) {
  S delta = h / S(8);  // exact arithmetic: exact for polynomials in t
  if constexpr (!is_exact<S>) delta = h * S(std::pow(unit_roundoff<S>(), 0.2));
  const auto residual_at = [&](int steps) {
    SystemPoint<S> point = state_.point();
    point.t += S(steps) * delta;
    target_.system->evaluate(point, shifted_.data(), nullptr, nullptr);
    ++this->counts_.residual_evals;
  };
  residual_at(1);
  depends_on_time_ = shifted_ != start_residual_;
  if (!depends_on_time_) return;
  for (int k = 0; k < unknowns_; ++k) time_derivative_[k] = S(8) * shifted_[k];
  for (const auto& [steps, weight] : {std::pair(-1, -8), std::pair(2, -1), std::pair(-2, 1)}) {
    residual_at(steps);
    for (int k = 0; k < unknowns_; ++k) time_derivative_[k] += S(weight) * shifted_[k];
  }
  for (S& x : time_derivative_) x /= S(12) * delta;
}

/// to += Σ_j weights_j (row j), all components.
template <class S>
void RosenbrockStepper<S>::add_stages(const S* weights, int count, const std::vector<S>& stages,
                                      S* to) const {
  for (int j = 0; j < count; ++j) {
    if (weights[j] == 0) continue;
    const S* const row = &stages[static_cast<std::size_t>(j) * size_];
    for (int k = 0; k < size_; ++k) to[k] += weights[j] * row[k];
  }
}

/// With g = ẏ_i + Σ_j C_ij U_j/h: U = hγ(X) and δẏ = X − g for differential components,
/// U = hγ (U_source + g) for integral ones, X and the multipliers' U by the matrix from
/// −r − h d_i ∂r/∂t + ∂r/∂ẏ g_diff − hγ ∂r/∂y g_int.
template <class S>
StepReport RosenbrockStepper<S>::stage(int i, const S& h) {
  ImplicitSystem<S>& system = *target_.system;
  const S* const A = &method_.A[static_cast<std::size_t>(i) * s_];
  y_ = state_.y, rate_ = state_.rate;
  add_stages(A, i, increments_, y_.data());
  add_stages(A, i, rate_increments_, rate_.data());
  for (const auto& [q, source] : lists_.integral) rate_[q] = y_[source];
  if (i == 0) {
    residual_ = start_residual_;
  } else {
    system.evaluate({y_.data(), rate_.data(), S(state_.t + method_.c[i] * h), state_.chart.data()},
                    residual_.data(), nullptr, nullptr);
    ++this->counts_.residual_evals;
  }
  std::fill(memory_.begin(), memory_.end(), S(0));
  add_stages(&method_.C[static_cast<std::size_t>(i) * s_], i, increments_, memory_.data());
  for (int k = 0; k < size_; ++k) memory_[k] = rate_[k] + memory_[k] / h;
  const S g = h * method_.gamma, hd = h * method_.d[i];
  for (int k = 0; k < unknowns_; ++k) {
    residual_[k] = -residual_[k];
    if (depends_on_time_) residual_[k] -= hd * time_derivative_[k];
  }
  const auto& entries_y = system.pattern_y().entries;
  const auto& entries_rate = system.pattern_rate().entries;
  for (std::size_t k = 0; k < entries_rate.size(); ++k)
    residual_[entries_rate[k].first] += jacobian_rate_[k] * memory_[entries_rate[k].second];
  for (std::size_t k = 0; k < entries_y.size(); ++k) {
    const int column = entries_y[k].second;
    if (system.components()[column].kind == Component::Kind::integral)
      residual_[entries_y[k].first] -= g * jacobian_y_[k] * memory_[column];
  }
  for (int k = 0; k < unknowns_; ++k) residual_[k] *= row_scale_[k];
  ++this->counts_.newton_iterations;  // the one there is
  if (!lu_.solve(residual_.data())) return {Status::not_finite, "a stage is not finite"};
  S *const U = increment(i), *const rate = rate_increment(i);
  for (const int c : lists_.differential) {
    const S& x = residual_[lists_.unknown_of[c]];
    U[c] = g * x, rate[c] = x - memory_[c];
  }
  for (const int c : lists_.algebraic) U[c] = residual_[lists_.unknown_of[c]];
  for (const auto& [q, source] : lists_.integral) U[q] = g * (U[source] + memory_[q]);
  return {};
}

template <class S>
StepReport RosenbrockStepper<S>::finish() {
  next_.y = state_.y, next_.rate = state_.rate;
  add_stages(method_.weights.data(), s_, increments_, next_.y.data());
  add_stages(method_.weights.data(), s_, rate_increments_, next_.rate.data());
  for (const auto& [q, source] : lists_.integral) next_.rate[q] = next_.y[source];
  if constexpr (!is_exact<S>)
    for (const std::vector<S>* part : {&next_.y, &next_.rate})
      for (const S& x : *part)
        if (!std::isfinite(to_double(x))) return {Status::not_finite, "the state is not finite"};
  if (error_.empty()) return {};
  std::fill(error_.begin(), error_.end(), S(0));
  add_stages(method_.error.data(), s_, increments_, error_.data());
  for (const int c : lists_.algebraic) error_[c] = S(0);
  return {};
}

template <class S>
StepReport RosenbrockStepper<S>::attempt(const S& h) {
  this->set_time(h);
  if (!linearise(h)) {
    if (lu_.status() == LuStatus::not_finite)
      return {Status::not_finite, "a value in the matrix of the stages is not finite"};
    return {Status::singular_matrix, "the matrix of the stages is singular to working precision"};
  }
  differentiate_in_time(h);
  for (int i = 0; i < s_; ++i)
    if (const StepReport report = stage(i, h); report.status != Status::ok) return report;
  return finish();
}

template class RosenbrockStepper<double>;
template class RosenbrockStepper<real50>;
template class RosenbrockStepper<rational>;

namespace {

template <class S, class T>
RosenbrockCoefficients<S> rounded(const RosenbrockNumbers<T>& numbers) {
  const auto narrow = [](const T& x) {
    if constexpr (std::is_same_v<S, T>)
      return x;
    else
      return from_wide<S>(x);
  };
  RosenbrockCoefficients<S> out;
  for (const auto* rows : {&numbers.A, &numbers.C})
    for (const auto& row : *rows)
      for (const T& x : row) (rows == &numbers.A ? out.A : out.C).push_back(narrow(x));
  for (const T& x : numbers.weights) out.weights.push_back(narrow(x));
  for (const T& x : numbers.error) out.error.push_back(narrow(x));
  for (const T& x : numbers.c) out.c.push_back(narrow(x));
  for (const T& x : numbers.d) out.d.push_back(narrow(x));
  out.gamma = narrow(numbers.gamma);
  return out;
}

class RosenbrockMethod final : public MethodOf<RosenbrockMethod> {
 public:
  explicit RosenbrockMethod(const Coefficients& written)
      : MethodOf(written),
        numbers_(rosenbrock_numbers<wide>(written)),
        estimate_order_(order_of_difference(numbers_)) {
    if (is_rational(written)) exact_ = rosenbrock_numbers<rational>(written);
  }

  int cost_stages() const override { return numbers_.stages(); }
  int estimate_order() const override { return estimate_order_; }
  /// On index 2 multipliers enter the estimate multiplied by h.
  ControlOrders control_orders(int index) const override {
    if (index < 2) return Method::control_orders(index);
    const IndexTwoOrders orders = index_two_orders(numbers_);
    return {std::min(orders.difference, orders.multipliers + 1), orders.motion};
  }

  std::string refusal(const SystemTraits& system) const override {
    if (system.index > 2)
      return "its multipliers follow one linear system a stage, which constraints on positions do "
             "not determine; accepted: " +
             formulation_ids([](const FormulationInfo& info) { return info.index <= 2; });
    return system.index > 0 && !system.full_rank ? refusals::redundant : "";
  }

  template <class S>
  std::unique_ptr<Stepper<S>> make(const Target<S>& target, const Settings& settings) const {
    if constexpr (is_exact<S>) {
      if (!exact_) return nullptr;
      return std::make_unique<RosenbrockStepper<S>>(rounded<S>(*exact_), target, settings);
    } else {
      return std::make_unique<RosenbrockStepper<S>>(rounded<S>(numbers_), target, settings);
    }
  }

 private:
  RosenbrockNumbers<wide> numbers_;
  std::optional<RosenbrockNumbers<rational>> exact_;
  int estimate_order_;
};

}  // namespace

std::shared_ptr<const Method> rosenbrock_method(const Coefficients& written) {
  return std::make_shared<RosenbrockMethod>(written);
}

}  // namespace daemark
