#include "methods/runge_kutta/pair_methods.hpp"

#include "methods/core/estimate_order.hpp"
#include "methods/stages/stage_layout.hpp"
#include "methods/stages/stage_system.hpp"
#include "methods/stages/state_stepper.hpp"

namespace daemark {

namespace {

bool is_zero(const Expression& e) { return e.eval<wide>() == 0; }

bool equal(const std::vector<Expression>& x, const std::vector<Expression>& y) {
  for (std::size_t i = 0; i < x.size(); ++i)
    if (x[i].eval<wide>() != y[i].eval<wide>()) return false;
  return true;
}

/// Entries on and below the diagonal alone; `strictly`: below it alone.
bool is_lower(const RowsOf<Expression>& A, bool strictly) {
  for (std::size_t i = 0; i < A.size(); ++i)
    for (std::size_t j = strictly ? i : i + 1; j < A.size(); ++j)
      if (!is_zero(A[i][j])) return false;
  return true;
}

/// The last stage is the step's end: its acceleration is that of the state there.
bool ends_with_a_stage(const Tableau<Expression>& q, const Tableau<Expression>& v) {
  return q.c.back().eval<wide>() == 1 && equal(q.A.back(), q.b) &&
         (v.A.empty() || equal(v.A.back(), v.b));
}

template <class S>
class NystromStepper final : public StateStepper<S> {
 public:
  NystromStepper(const Tableau<Expression>& position, const Tableau<Expression>& velocity,
                 const Target<S>& target, bool with_error)
      : StateStepper<S>(target),
        lists_(*target.system),
        position_(position),
        velocity_(velocity),
        s_(position.stages()),
        count_(static_cast<int>(lists_.integral.size())),
        reuses_last_(ends_with_a_stage(position, velocity)) {
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
  explicit NystromMethod(const Coefficients& pair)
      : MethodOf(pair),
        position_(tableau_of<Expression>(pair, 0)),
        velocity_(tableau_of<Expression>(pair, 1)),
        explicit_(is_lower(position_.A, true) && is_lower(velocity_.A, true)),
        rational_(rational_tableau(pair, 0) && rational_tableau(pair, 1)),
        estimate_order_(order_of_difference(pair)) {}

  int cost_stages() const override { return position_.stages(); }
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
    if (!velocity_.A.empty()) return "";
    if (system.velocity_forces)
      return "its accelerations must not depend on velocities, those of this mechanism do; "
             "accepted: nystrom_4, fine_4, fine_5";
    if (system.index > 0 && system.constraints != 0)
      return "its accelerations must not depend on velocities, those of constrained motion do; "
             "accepted: minimal, and mechanisms without constraints";
    return "";
  }
  std::optional<KnownOrders> known_orders(int index) const override {
    const std::optional<int> claimed = coefficients()->claims.order;
    if (index > 1 || !claimed) return std::nullopt;
    const int p = *claimed;
    return KnownOrders{p, p, p, false, "as claimed; verify proves it by Nyström trees"};
  }
  template <class S>
  std::unique_ptr<Stepper<S>> make(const Target<S>& target, const Settings& settings) const {
    if (is_exact<S> && !rational_) return nullptr;
    return std::make_unique<NystromStepper<S>>(position_, velocity_, target,
                                               settings.control.on() && estimate_order_ > 0);
  }

 private:
  Tableau<Expression> position_, velocity_;
  bool explicit_, rational_;
  int estimate_order_;
};

}  // namespace

std::shared_ptr<const Method> nystrom_method(const Coefficients& pair) {
  return std::make_shared<NystromMethod>(pair);
}

namespace {

/// The stiff part of a mechanism in the formulation of the run, in S and in the scalar of factors.
template <class S>
struct StiffPart {
  using F = FactorScalar<S>;
  std::unique_ptr<ImplicitSystem<S>> system;
  std::unique_ptr<ImplicitSystem<F>> twin;  ///< null where S = F
  Target<S> target;

  explicit StiffPart(const Target<S>& whole, const wide& h) : target(whole) {
    auto mechanism = whole.mechanism->stiff_part();
    target.mechanism = mechanism.get();
    system = formulate<S>(*whole.formulation, std::move(mechanism), h);
    target.system = system.get();
    target.algebra = nullptr;
    if constexpr (std::is_same_v<S, F>) {
      target.factor_system = system.get();
      target.factor_mechanism = target.mechanism;
    } else {
      auto factors = whole.factor_mechanism->stiff_part();
      target.factor_mechanism = factors.get();
      twin = formulate<F>(*whole.formulation, std::move(factors), h);
      target.factor_system = twin.get();
    }
  }
};

template <class S>
class AdditiveStepper final : public StateStepper<S> {
 public:
  AdditiveStepper(const Coefficients& pair, const Target<S>& target, const Settings& settings,
                  bool with_error)
      : StateStepper<S>(target),
        stiff_(target, wide(0)),
        layout_(std::make_shared<const StageLayout>(*stiff_.target.factor_system)),
        explicit_(tableau_of<Expression>(pair, 0)),
        implicit_(tableau_of<Expression>(pair, 1)),
        s_(pair.stages()),
        size_(target.system->size()) {
    stages_.resize(s_);
    for (int i = 0; i < s_; ++i)
      if (implicit_.A[i][i] != 0)
        stages_[i] = std::make_unique<StageSystem<S>>(
            stiff_.target,
            StageCoefficients(
                DenseMatrix<wide>{{pair.rows("A_implicit")[i][i].template eval<wide>()}}),
            settings.newton, layout_);
    stiff_rate_.assign(static_cast<std::size_t>(s_) * size_, S(0));
    rest_ = stiff_rate_;
    y_.assign(size_, S(0));
    rate_ = stiff_y_ = y_;
    if (with_error) error_ = y_;
  }
  const std::vector<S>& error_estimate() const override { return error_; }

 protected:
  StepReport advance(const S& h) override {
    for (int i = 0; i < s_; ++i) {
      const StepReport report = stage(i, h);
      if (report.status != Status::ok) return report;
    }
    this->next_.y = this->state_.y;
    for (int j = 0; j < s_; ++j)
      for (int c = 0; c < size_; ++c)
        this->next_.y[c] += h * (implicit_.b[j] * stiff(j)[c] + explicit_.b[j] * rest(j)[c]);
    restore_algebraic(this->next_.y);
    if (error_.empty()) return {};
    std::fill(error_.begin(), error_.end(), S(0));
    for (int j = 0; j < s_; ++j)
      for (int c = 0; c < size_; ++c)
        error_[c] +=
            h * (implicit_.difference[j] * stiff(j)[c] + explicit_.difference[j] * rest(j)[c]);
    for (const int c : layout_->lists.algebraic) error_[c] = S(0);
    return {};
  }

 private:
  S* stiff(int j) { return &stiff_rate_[static_cast<std::size_t>(j) * size_]; }
  S* rest(int j) { return &rest_[static_cast<std::size_t>(j) * size_]; }
  void restore_algebraic(std::vector<S>& y) const {
    for (const int c : layout_->lists.algebraic) y[c] = this->state_.y[c];
  }

  /// Y_i with g(Y_i), then f(Y_i) as what all forces add to it.
  StepReport stage(int i, const S& h) {
    y_ = this->state_.y;
    for (int j = 0; j < i; ++j)
      for (int c = 0; c < size_; ++c)
        y_[c] += h * (implicit_.A[i][j] * stiff(j)[c] + explicit_.A[i][j] * rest(j)[c]);
    restore_algebraic(y_);
    const S t = this->state_.t + implicit_.c[i] * h;
    if (stages_[i]) {
      const StepReport report = solve(*stages_[i], t, h);
      if (report.status != Status::ok) return report;
      std::copy_n(stages_[i]->rate(0), size_, stiff(i));
      std::copy_n(stages_[i]->y(0), size_, y_.begin());
      restore_algebraic(y_);
    } else {
      stiff_y_ = y_;
      if (!rates(*stiff_.target.system, stiff_y_, stiff(i), t)) return singular();
    }
    if (!rates(*this->target_.system, y_, rate_.data(), t)) return singular();
    // Both have q' = v: what is left are the accelerations of the other forces.
    for (int c = 0; c < size_; ++c) rest(i)[c] = rate_[c] - stiff(i)[c];
    for (const auto& [q, v] : layout_->lists.integral) stiff(i)[q] = y_[v], rest(i)[q] = S(0);
    for (const int c : layout_->lists.algebraic) stiff(i)[c] = rest(i)[c] = S(0);
    return {};
  }

  StepReport solve(StageSystem<S>& stage, const S& t, const S& h) {
    std::copy(y_.begin(), y_.end(), stage.base(0));
    stage.time(0) = t;
    stage.set_chart(this->state_.chart);
    const auto guess = [&] {
      for (const int c : layout_->lists.differential) stage.rate(0)[c] = this->state_.rate[c];
      for (const int c : layout_->lists.algebraic) stage.y(0)[c] = this->state_.y[c];
    };
    return stage.solve(h, this->counts_, guess,
                       {{this->state_.y.data(), this->state_.rate.data(), S(t - this->state_.t)}});
  }

  bool rates(ImplicitSystem<S>& system, std::vector<S>& y, S* rate, const S& t) {
    ++this->counts_.residual_evals;
    ++this->counts_.factorizations;
    return system.explicit_rates(y.data(), rate, t, this->state_.chart.data());
  }
  static StepReport singular() {
    return {Status::singular_matrix, "the index-1 matrix is singular at a stage"};
  }

  StiffPart<S> stiff_;
  StageLayoutPtr layout_;
  PartCoefficients<S> explicit_, implicit_;
  int s_, size_;
  std::vector<std::unique_ptr<StageSystem<S>>> stages_;  ///< null where a stage is explicit
  std::vector<S> stiff_rate_, rest_;                     ///< by stage: g, f
  std::vector<S> y_, rate_, stiff_y_, error_;            ///< error_: empty where none is estimated
};

class AdditiveMethod final : public MethodOf<AdditiveMethod> {
 public:
  explicit AdditiveMethod(const Coefficients& pair)
      : MethodOf(pair),
        pair_(*coefficients()),
        triangular_(is_lower(pair.rows("A_explicit"), true) &&
                    is_lower(pair.rows("A_implicit"), false)),
        estimate_order_(order_of_difference(pair)) {}

  int cost_stages() const override {
    int implicit = 0;
    for (int i = 0; i < pair_.stages(); ++i)
      implicit += pair_.rows("A_implicit")[i][i].eval<wide>() != 0 ? 1 : 0;
    return implicit;
  }
  bool solves_end_rates() const override { return true; }
  int estimate_order() const override { return estimate_order_; }

  std::string refusal(const SystemTraits& system) const override {
    if (!triangular_)
      return "A_explicit has to be strictly lower triangular, A_implicit lower triangular";
    if (!system.mechanism) return refusals::needs_mechanism;
    if (!system.second_order) return refusals::second_order_only;
    if (system.index > 1)
      return "its explicit part determines no constraint; accepted: " +
             formulation_ids(
                 [](const FormulationInfo& info) { return info.index <= 1 && info.second_order; });
    if (!system.stiff_forces)
      return "it treats the forces implicitly that elements declare stiff, here none does; "
             "accepted: mechanisms with \"stiff\": true at springs or dampers";
    if (system.index > 0 && !system.full_rank) return refusals::redundant;
    return "";
  }
  std::optional<KnownOrders> known_orders(int index) const override {
    if (index > 1 || !pair_.claims.order) return std::nullopt;
    const int p = *pair_.claims.order;
    return KnownOrders{p, p, p, false, "as claimed; verify proves it by trees of two colours"};
  }
  template <class S>
  std::unique_ptr<Stepper<S>> make(const Target<S>& target, const Settings& settings) const {
    if constexpr (!is_exact<S>)
      if (target.mechanism && target.formulation && target.mechanism->stiff_part())
        return std::make_unique<AdditiveStepper<S>>(pair_, target, settings,
                                                    settings.control.on() && estimate_order_ > 0);
    return nullptr;
  }

 private:
  const Coefficients& pair_;
  bool triangular_;
  int estimate_order_;
};

}  // namespace

std::shared_ptr<const Method> additive_method(const Coefficients& pair) {
  return std::make_shared<AdditiveMethod>(pair);
}

}  // namespace daemark
