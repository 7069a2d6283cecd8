#include "methods/runge_kutta/nystrom.hpp"

#include "methods/core/estimate_order.hpp"
#include "methods/runge_kutta/pair_coefficients.hpp"
#include "methods/stages/stage_layout.hpp"
#include "methods/stages/state_stepper.hpp"

namespace daemark {
namespace {

bool is_zero(const Expression& e) { return e.eval<wide>() == 0; }

bool equal(const std::vector<Expression>& x, const std::vector<Expression>& y) {
  for (std::size_t i = 0; i < x.size(); ++i)
    if (x[i].eval<wide>() != y[i].eval<wide>()) return false;
  return true;
}

bool is_strictly_lower(const std::vector<std::vector<Expression>>& A) {
  for (std::size_t i = 0; i < A.size(); ++i)
    for (std::size_t j = i; j < A.size(); ++j)
      if (!is_zero(A[i][j])) return false;
  return true;
}

/// The last stage is the step's end: its acceleration is that of the state there.
bool ends_with_a_stage(const ExactPair& pair) {
  if (pair.first.c.back().eval<wide>() != 1 || !equal(pair.first.A.back(), pair.first.b))
    return false;
  return pair.second.A.empty() || equal(pair.second.A.back(), pair.second.b);
}

template <class S>
class NystromStepper final : public StateStepper<S> {
 public:
  NystromStepper(const ExactPair& pair, const Target<S>& target, bool with_error)
      : StateStepper<S>(target),
        lists_(*target.system),
        position_(pair.first),
        velocity_(pair.second),
        s_(pair.stages()),
        count_(static_cast<int>(lists_.integral.size())),
        reuses_last_(ends_with_a_stage(pair)) {
    k_.assign(static_cast<std::size_t>(s_) * count_, S(0));
    y_.assign(target.system->size(), S(0));
    rate_ = y_;
    if (with_error && !is_exact<S>) error_ = y_;
  }
  const std::vector<S>& error_estimate() const override { return error_; }

 protected:
  StepReport advance(const S& h) override {
    const bool begins = position_.c[0] == S(0);  // its acceleration is that of the state
    if (begins) keep_rates(0, this->state_.rate);
    for (int i = begins ? 1 : 0; i < s_; ++i) {
      set_stage(i, h);
      ++this->counts_.residual_evals, ++this->counts_.factorizations;
      const S t =
          i == s_ - 1 && reuses_last_ ? this->next_.t : S(this->state_.t + position_.c[i] * h);
      if (!this->target_.system->explicit_rates(y_.data(), rate_.data(), t,
                                                this->state_.chart.data()))
        return {Status::singular_matrix, "the index-1 matrix is singular at a stage"};
      keep_rates(i, rate_);
    }
    const std::vector<S>& y0 = this->state_.y;
    for (int p = 0; p < count_; ++p) {
      const auto [q, v] = lists_.integral[p];
      this->next_.y[q] = y0[q] + h * y0[v] + h * h * sum(position_.b, s_, p);
      this->next_.y[v] = y0[v] + h * sum(velocity_.b, s_, p);
    }
    for (const int c : lists_.algebraic) this->next_.y[c] = reuses_last_ ? y_[c] : y0[c];
    if (!error_.empty()) estimate_error(h);
    return {};
  }
  bool end_rates() override {
    if (!reuses_last_) return StateStepper<S>::end_rates();
    this->next_.rate = rate_;
    for (const auto& [q, v] : lists_.integral) this->next_.rate[q] = this->next_.y[v];
    return true;
  }

 private:
  S& k(int stage, int p) { return k_[static_cast<std::size_t>(stage) * count_ + p]; }
  void keep_rates(int stage, const std::vector<S>& rate) {
    for (int p = 0; p < count_; ++p) k(stage, p) = rate[lists_.integral[p].second];
  }
  S sum(const std::vector<S>& weights, int stages, int p) {
    S out(0);
    for (int j = 0; j < stages; ++j)
      if (weights[j] != 0) out += weights[j] * k(j, p);
    return out;
  }
  void set_stage(int i, const S& h) {
    const std::vector<S>& y0 = this->state_.y;
    const S ch = position_.c[i] * h, h2 = h * h;
    for (int p = 0; p < count_; ++p) {
      const auto [q, v] = lists_.integral[p];
      y_[q] = y0[q] + ch * y0[v] + h2 * sum(position_.A[i], i, p);
      y_[v] = velocity_.A.empty() ? y0[v] : S(y0[v] + h * sum(velocity_.A[i], i, p));
    }
    for (const int c : lists_.algebraic) y_[c] = y0[c];
  }
  void estimate_error(const S& h) {
    for (int p = 0; p < count_; ++p) {
      const auto [q, v] = lists_.integral[p];
      if (!position_.difference.empty()) error_[q] = h * h * sum(position_.difference, s_, p);
      if (!velocity_.difference.empty()) error_[v] = h * sum(velocity_.difference, s_, p);
    }
  }

  ComponentLists lists_;
  PartCoefficients<S> position_, velocity_;
  int s_, count_;  ///< stages; coordinates
  bool reuses_last_;
  std::vector<S> k_, y_, rate_, error_;  ///< error_: empty where none is estimated
};

class NystromMethod final : public MethodOf<NystromMethod> {
 public:
  explicit NystromMethod(const ExactPair& pair)
      : MethodOf(pair),
        pair_(*as<ExactPair>()),
        explicit_(is_strictly_lower(pair.first.A) && is_strictly_lower(pair.second.A)),
        rational_(is_rational(pair)),
        estimate_order_(order_of_difference(pair)) {}

  int cost_stages() const override { return pair_.stages(); }
  bool is_explicit() const override { return true; }
  bool solves_end_rates() const override { return true; }
  int estimate_order() const override { return estimate_order_; }

  std::string refusal(const SystemTraits& system) const override {
    if (!explicit_) return "a Nyström matrix with entries on or above the diagonal is not run";
    if (!system.second_order) return refusals::second_order_only;
    if (system.index > 1)
      return "an explicit method determines no constraint; accepted: " +
             formulation_ids(
                 [](const FormulationInfo& info) { return info.index <= 1 && info.second_order; });
    if (!pair_.second.A.empty()) return "";
    if (system.velocity_forces)
      return "its accelerations must not depend on velocities, those of this mechanism do; "
             "accepted: nystrom_4, fine_4, fine_5";
    if (system.index > 0 && system.constraints != 0)
      return "its accelerations must not depend on velocities, those of constrained motion do; "
             "accepted: minimal, and mechanisms without constraints";
    return "";
  }
  std::optional<StatedOrders> stated_orders(int index) const override {
    if (index > 1 || !pair_.claims.order) return std::nullopt;
    const int p = *pair_.claims.order;
    return StatedOrders{p, p, p, false, "as claimed; verify proves it by Nyström trees"};
  }
  template <class S>
  std::unique_ptr<Stepper<S>> make(const Target<S>& target, const Settings& settings) const {
    if (is_exact<S> && !rational_) return nullptr;
    return std::make_unique<NystromStepper<S>>(pair_, target,
                                               settings.control.on() && estimate_order_ > 0);
  }

 private:
  const ExactPair& pair_;
  bool explicit_, rational_;
  int estimate_order_;
};

}  // namespace

std::shared_ptr<const Method> nystrom_method(const ExactPair& pair) {
  return std::make_shared<NystromMethod>(pair);
}

}  // namespace daemark
