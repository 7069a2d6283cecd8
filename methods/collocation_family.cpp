// Gauss, Radau IA, Radau IIA, Lobatto IIIA and Lobatto IIIC with any number of stages.
//
// Equations: methods/runge_kutta/collocation.hpp. Orders 2s (Gauss), 2s−1 (Radau), 2s−2 (Lobatto);
// Gauss and IIIA are A-stable, Radau and IIIC L-stable (Hairer & Wanner II, IV.5). Li 2019 sets its
// method against Radau IA, Radau IIA and Lobatto IIIC in Table 7.
#include <fmt/format.h>

#include "methods/catalogue/registry.hpp"
#include "methods/collocation/collocation_stepper.hpp"
#include "methods/runge_kutta/collocation.hpp"
#include "methods/runge_kutta/runge_kutta.hpp"

namespace daemark {
namespace {

/// Fewest and most stages: what an estimate needs, and what double precision can part.
constexpr int least_controlled_stages = 2, most_controlled_stages = 16;
constexpr int most_varied = 7;  // stages, as in RADAU

class ControlledCollocation final : public MethodOf<ControlledCollocation> {
 public:
  ControlledCollocation(std::shared_ptr<const Method> fixed, WideTableau (*family)(int))
      : MethodOf(*fixed->as<RungeKuttaForm>(), fixed->family()),
        fixed_(std::move(fixed)),
        formulas_{*fixed_->tableau()},
        error_order_(leading_error(formulas_.front()).order) {
    const int stages = formulas_.front().stages();
    for (int s = stages + 2; family != nullptr && stages % 2 == 1 && s <= most_varied; s += 2)
      formulas_.push_back(family(s));
  }

  int cost_stages() const override { return fixed_->cost_stages(); }
  int estimate_order() const override {
    const WideTableau& formula = formulas_.front();
    return formula.stages() + (formula.c[0] == 0 ? 0 : 1);
  }
  int error_order() const override { return error_order_; }
  std::string refusal(const SystemTraits& system) const override { return fixed_->refusal(system); }
  std::string control_refusal(const SystemTraits& system) const override {
    if (!system.mechanism && !system.multiplier_forces) return refusals::needs_mechanism;
    if (system.velocity_rows > 0 && system.index > 1)
      return "its step-size control takes constraints of one level, some here begin on the "
             "velocity level; accepted: no control.tol";
    if (!is_stiffly_accurate(formulas_.front()) &&
        (system.index > 2 || (system.index == 2 && !system.second_order)))
      return "its steps end off the constraints on positions, and its estimate does not see what "
             "their projection changes: errors of 70 tolerances; accepted: index1, index2, or "
             "radau_iia and lobatto_iiic";
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
  int error_order_;
};

}  // namespace

void register_collocation_family(MethodRegistry& registry) {
  struct Named {
    const char *id, *name;
    WideTableau (*tableau)(int);
    int fewest;
    const char* order;
    bool controlled, varied;  ///< steps, and the order along with them
  };
  static const Named families[] = {
      {"gauss", "Gauss", gauss, 1, "2s", true, false},
      {"radau_ia", "Radau IA", radau_ia, 1, "2s-1", false, false},
      {"radau_iia", "Radau IIA", radau_iia, 1, "2s-1", true, true},
      {"lobatto_iiia", "Lobatto IIIA", lobatto_iiia, 2, "2s-2", false, false},
      {"lobatto_iiic", "Lobatto IIIC", lobatto_iiic, 2, "2s-2", true, false},
  };
  for (const Named& family : families) {
    MethodInfo info;
    info.id = family.id;
    info.kind = "implicit Runge–Kutta";
    info.summary = fmt::format("{} with s stages, order {}", family.name, family.order);
    info.parameters = {{"s", Parameter::Type::integer, "",
                        fmt::format("integer {}..{}", family.fewest, max_collocation_stages)}};
    for (int s = family.fewest; s <= 6; ++s)
      info.examples.push_back(fmt::format("{}({})", family.id, s));
    info.source = {"hairer1996", "IV.5"};
    registry.add(info, [family](const Arguments& arguments) -> std::shared_ptr<const Method> {
      const int s = static_cast<int>(arguments.integer("s", family.fewest, max_collocation_stages));
      auto method = runge_kutta_method({family.tableau(s)}, Collocation{family.id, s});
      if (!family.controlled || s < least_controlled_stages || s > most_controlled_stages)
        return method;
      return std::make_shared<ControlledCollocation>(method,
                                                     family.varied ? family.tableau : nullptr);
    });
  }
}

}  // namespace daemark
