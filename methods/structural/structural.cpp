#include "methods/structural/structural.hpp"

#include "methods/structural/structural_stepper.hpp"

namespace daemark {
namespace {

using Polynomial = std::vector<rational>;

Polynomial product(const Polynomial& a, const Polynomial& b) {
  Polynomial out(a.size() + b.size() - 1, rational(0));
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) out[i + j] += a[i] * b[j];
  return out;
}

class StructuralMethod final : public MethodOf<StructuralMethod> {
 public:
  explicit StructuralMethod(StructuralForm form) : MethodOf(form.exact()), form_(std::move(form)) {}

  int cost_stages() const override { return 1; }
  int estimate_order() const override { return form_.position_error() == 0 ? 0 : 3; }
  int error_order() const override {
    return form_.estimate || form_.position_error() == 0 ? estimate_order() : 2;
  }
  std::string control_refusal(const SystemTraits& system) const override {
    if (system.index >= 2 && form_.position_error() != 0 && form_.gamma <= rational(1) / 2)
      return "gamma = 1/2 does not damp accelerations where a constraint holds, and its estimate "
             "takes them for errors: steps up to 30 times too small; accepted: index1, minimal, or "
             "a method with gamma > 1/2";
    return Method::control_refusal(system);
  }
  std::string refusal(const SystemTraits& system) const override {
    if (!system.second_order) return refusals::second_order_only;
    if (system.index == 3 && form_.beta == 0)
      return "its positions at the step's end do not depend on the multipliers there (beta = 0), "
             "so they cannot meet the constraints; accepted: index1, index2, minimal";
    const bool holds_velocities =
        system.index == 2 || (system.index == 3 && system.velocity_rows > 0);
    if (holds_velocities && form_.gamma == 0)
      return "its velocities at the step's end do not depend on the multipliers there (gamma = 0), "
             "so they cannot meet the constraints; accepted: index1, minimal";
    if (system.index > 0 && !system.full_rank) return refusals::redundant;
    return "";
  }
  bool solves_end_rates() const override {
    return form_.balance == StructuralForm::Balance::weighted;
  }

  template <class S>
  std::unique_ptr<Stepper<S>> make(const Target<S>& target, const Settings& settings) const {
    return std::make_unique<StructuralStepper<S>>(form_, target, settings);
  }

 private:
  StructuralForm form_;
};

}  // namespace

rational StructuralForm::position_error() const {
  if (estimate) return *estimate;
  const rational lead = alpha_m - alpha_f;
  if (gamma != rational(1) / 2 - lead) return 0;
  return beta + lead / 2 - rational(1) / 6;
}

ExactSecondOrder StructuralForm::exact() const {
  using Entry = ExactSecondOrder::Entry;
  const rational half = rational(1) / 2;
  const auto constant = [](const rational& x) { return Entry{x, 0, 0}; };
  ExactSecondOrder step;
  step.memory = {"q", "h v", "h^2 a"};
  step.next = {{constant(1), constant(0), constant(-beta)},
               {constant(0), constant(1), constant(-gamma)},
               {{0, 0, 1 - alpha_f}, {0, 1 - alpha_f, 0}, constant(1 - alpha_m)}};
  step.previous = {{constant(1), constant(1), constant(half - beta)},
                   {constant(0), constant(1), constant(1 - gamma)},
                   {{0, 0, -alpha_f}, {0, -alpha_f, 0}, constant(-alpha_m)}};
  const Polynomial reported{alpha_f, 1 - alpha_f};  // v̇ beside a
  if (beta != 0)
    step.position_roots = product({beta - gamma + half, gamma + half - 2 * beta, beta}, reported);
  if (gamma != 0) step.velocity_roots = product({1 - gamma, gamma}, reported);
  return step;
}

std::shared_ptr<const Method> structural_method(StructuralForm form) {
  return std::make_shared<StructuralMethod>(std::move(form));
}

}  // namespace daemark
