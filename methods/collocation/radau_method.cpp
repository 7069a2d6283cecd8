#include "methods/collocation/radau_method.hpp"

#include "methods/collocation/collocation_stepper.hpp"
#include "methods/runge_kutta/collocation.hpp"

namespace daemark {
namespace {

constexpr int most_varied = 7;  // stages, as in RADAU

class RadauMethod final : public MethodOf<RadauMethod> {
 public:
  RadauMethod(int stages, std::shared_ptr<const Method> fixed)
      : MethodOf(*fixed->as<RungeKuttaForm>(), fixed->family()), fixed_(std::move(fixed)) {
    for (int s = stages; s == stages || s <= most_varied; s += 2) formulas_.push_back(radau_iia(s));
  }

  int cost_stages() const override { return fixed_->cost_stages(); }
  int estimate_order() const override { return formulas_.front().stages() + 1; }
  std::string refusal(const SystemTraits& system) const override { return fixed_->refusal(system); }
  std::string control_refusal(const SystemTraits& system) const override {
    if (!system.mechanism) return refusals::needs_mechanism;
    if (system.velocity_rows > 0)
      return "its step-size control takes constraints of one level, some here begin on the "
             "velocity level; accepted: no control.tol";
    if (system.levels) return "";
    return "its step-size control works on Φ, Φ̇ or Φ̈ as the rows of constraints; accepted: " +
           formulation_ids([](const FormulationInfo& info) { return info.levels; });
  }
  bool varies_order() const override { return formulas_.size() > 1; }
  bool solves_end_rates() const override { return fixed_->solves_end_rates(); }

  template <class S>
  std::unique_ptr<Stepper<S>> make(const Target<S>& target, const Settings& settings) const {
    if constexpr (!is_exact<S>)
      if (settings.control.on()) {
        std::vector<WideTableau> used = formulas_;
        if (!settings.control.vary_order) used.resize(1);
        return std::make_unique<CollocationStepper<S>>(used, target, settings);
      }
    return fixed_->stepper(target, settings);
  }

 private:
  std::shared_ptr<const Method> fixed_;
  std::vector<WideTableau> formulas_;
};

}  // namespace

std::shared_ptr<const Method> radau_method(int stages, std::shared_ptr<const Method> fixed) {
  return std::make_shared<RadauMethod>(stages, std::move(fixed));
}

bool radau_controls(int stages) {
  constexpr int most = 11;  // the condition of the eigenvectors grows by 20 with each two stages
  return stages >= 3 && stages <= most && stages % 2 == 1;
}

}  // namespace daemark
