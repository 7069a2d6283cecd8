#include "methods/geometric/pair_method.hpp"

#include "methods/geometric/symmetry.hpp"
#include "methods/runge_kutta/collocation.hpp"
#include "methods/stages/state_stepper.hpp"

namespace daemark {
namespace {

template <class S>
class PairStepper final : public StateStepper<S> {
 public:
  PairStepper(const PairForm& form, const Target<S>& target, const Settings& settings)
      : StateStepper<S>(target), s_(form.stages()), solver_(target, settings.newton, form) {}

 protected:
  StepReport advance(const S& h) override {
    const int n = this->n_, m = this->m_;
    const State<S>& from = this->state_;
    solver_.begin([&](auto& equations) { equations.begin(from, h); });
    const PairEquations<S>& pair = solver_.equations();
    S* const x = solver_.x();
    const S *const v = from.y.data() + n, *const a = from.rate.data() + n;
    for (int i = 0; i <= s_; ++i)
      for (int k = 0; k < n; ++k) x[pair.unknowns_of(i) + k] = v[k] + pair.node(i) * h * a[k];
    for (int i = 0; i < s_; ++i)
      for (int k = 0; k < m; ++k) x[pair.multiplier_of(i) + k] = h * from.y[2 * n + k];
    const StepReport report = solver_.solve(this->counts_);
    if (report.status != Status::ok) return report;
    solver_.equations().end_position(x, this->next_.y.data());
    std::copy_n(x + pair.unknowns_of(s_), n, this->next_.y.begin() + n);
    return {};
  }

 private:
  int s_;
  EquationSolver<PairEquations, S> solver_;
};

class PairMethod final : public MethodOf<PairMethod>, public SymmetricStep {
 public:
  PairMethod(PairForm form, PairOrders orders, Family family)
      : MethodOf({}, std::move(family)), form_(std::move(form)), orders_(std::move(orders)) {}

  int cost_stages() const override { return form_.stages(); }
  int symmetric_order() const override {
    return form_.projects_end ? orders_.free.v.value_or(0) : 0;
  }
  bool solves_end_rates() const override { return true; }
  std::string refusal(const SystemTraits& system) const override {
    const bool positions = form_.constraints == PairForm::Constraints::positions;
    if (!system.mechanism) return refusals::needs_mechanism;
    if (system.index != 0 && system.index != index())
      return positions ? "it holds positions and velocities by itself; accepted: index3, minimal"
                       : "it holds velocities by itself; accepted: index2, minimal";
    if (!system.second_order) return refusals::second_order_only;
    if (positions && system.velocity_rows > 0)
      return std::string(refusals::needs_positions) + "; accepted: spark on index2";
    if (system.index > 0 && !system.full_rank) return refusals::redundant;
    return "";
  }
  std::optional<StatedOrders> stated_orders(int index_of_system) const override {
    if (index_of_system == 0) return orders_.free;
    if (index_of_system == index()) return orders_.constrained;
    return std::nullopt;
  }
  template <class S>
  std::unique_ptr<Stepper<S>> make(const Target<S>& target, const Settings& settings) const {
    if constexpr (!is_exact<S>)
      if (target.mechanism) return std::make_unique<PairStepper<S>>(form_, target, settings);
    return nullptr;
  }

 private:
  int index() const { return form_.constraints == PairForm::Constraints::positions ? 3 : 2; }

  PairForm form_;
  PairOrders orders_;
};

}  // namespace

PairForm lobatto_pair(int s) {
  PairForm form;
  form.position = form.momentum = lobatto_iiia(s);
  const WideTableau& iiia = form.position;
  for (int i = 0; i < s; ++i)
    for (int j = 0; j < s; ++j)
      form.momentum.A[i][j] =
          j == s - 1 ? wide(0) : iiia.b[j] - iiia.b[j] * iiia.A[j][i] / iiia.b[i];
  return form;
}

std::shared_ptr<const Method> pair_method(PairForm form, PairOrders orders, Family family) {
  return std::make_shared<PairMethod>(std::move(form), std::move(orders), std::move(family));
}

}  // namespace daemark
