#include "methods/geometric/pair_method.hpp"

#include "methods/geometric/pair_equations.hpp"
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
  PairMethod(PairForm form, PairOrders orders, MethodForm written, Family family)
      : MethodOf(std::move(written), std::move(family)),
        form_(std::move(form)),
        orders_(std::move(orders)),
        symmetric_(form_.projects_end && is_symmetric(form_.position) &&
                   is_symmetric(form_.momentum)) {}

  int cost_stages() const override { return form_.stages(); }
  int symmetric_order() const override { return symmetric_ ? orders_.free.v.value_or(0) : 0; }
  bool solves_end_rates() const override { return true; }
  std::string refusal(const SystemTraits& system) const override {
    const bool positions = form_.constraints == PairForm::Constraints::positions;
    if (!system.mechanism) return refusals::needs_mechanism;
    if (system.index != 0 && system.index != index())
      return positions ? "it holds positions and velocities by itself; accepted: index3, minimal"
                       : "it holds velocities by itself; accepted: index2, minimal";
    if (!system.second_order) return refusals::second_order_only;
    if (!form_.holds_constraints && system.index > 0 && system.constraints != 0)
      return "its tableaus hold no constraint; accepted: minimal, mechanisms without constraints, "
             "and velocity_verlet or lobatto_iiia_iiib(s)";
    if (positions && system.velocity_rows > 0)
      return std::string(refusals::needs_positions) + "; accepted: spark on index2";
    if (system.index > 0 && !system.full_rank) return refusals::redundant;
    return "";
  }
  std::optional<KnownOrders> known_orders(int index_of_system) const override {
    if (index_of_system != 0 && index_of_system != index()) return std::nullopt;
    const KnownOrders& known = index_of_system == 0 ? orders_.free : orders_.constrained;
    return known.q ? std::optional(known) : std::nullopt;
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
  bool symmetric_;
};

bool is_same(const WideTableau& x, const WideTableau& y) {
  RowsOf<wide> one = x.A, other = y.A;
  one.push_back(x.b), other.push_back(y.b);
  for (std::size_t i = 0; i < one.size(); ++i)
    for (std::size_t j = 0; j < one[i].size(); ++j)
      if (abs(one[i][j] - other[i][j]) > wide("1e-100")) return false;
  return true;
}

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
  return std::make_shared<PairMethod>(std::move(form), std::move(orders), MethodForm(),
                                      std::move(family));
}

std::shared_ptr<const Method> partitioned_method(const Coefficients& pair) {
  PairForm form;
  form.position = tableau_of<wide>(pair, 0), form.momentum = tableau_of<wide>(pair, 1);
  form.holds_constraints = false;
  constexpr int most_lobatto_stages = 10;
  if (form.stages() > 1 && form.stages() <= most_lobatto_stages) {
    const PairForm lobatto = lobatto_pair(form.stages());
    form.holds_constraints =
        is_same(form.position, lobatto.position) && is_same(form.momentum, lobatto.momentum);
  }
  PairOrders orders;
  const auto all = [](int p, const char* why) { return KnownOrders{p, p, p, false, why}; };
  if (const std::optional<int> p = pair.claims.order)
    orders.free = all(*p, "as claimed; verify proves it by trees of two colours");
  if (form.holds_constraints)
    orders.constrained = all(2 * form.stages() - 2,
                             "a Lobatto IIIA-IIIB pair (Jay 1996); λ is a function of the state");
  return std::make_shared<PairMethod>(std::move(form), std::move(orders), pair, Family());
}

}  // namespace daemark
