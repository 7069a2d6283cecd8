#include "methods/half_explicit/half_explicit.hpp"

#include <algorithm>

#include "methods/core/estimate_order.hpp"
#include "methods/half_explicit/half_explicit_stepper.hpp"

namespace daemark {

bool is_carried(const std::vector<wide>& row) {
  return std::all_of(row.begin(), row.end(), [](const wide& a) { return a == 0; });
}

bool ends_with_a_stage(const WideHalfExplicit& form) {
  return form.stages.A.back() == form.stages.b && form.stages.c.back() == 1;
}

namespace {

class HalfExplicitMethod final : public MethodOf<HalfExplicitMethod> {
 public:
  explicit HalfExplicitMethod(const ExactHalfExplicit& written)
      : MethodOf(written), form_(evaluate(written)) {
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

std::shared_ptr<const Method> half_explicit_method(const ExactHalfExplicit& written) {
  return std::make_shared<HalfExplicitMethod>(written);
}

}  // namespace daemark
