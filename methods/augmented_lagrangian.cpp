// augmented_lagrangian(penalty, gamma, beta): the index-3 augmented Lagrangian form with
// projections (Bayo & Ledesma 1996; Cuadrado, Cardenal & Bayo 1997). Newmark's formulas and
//
//   M a₊ + Gᵀλ − f = 0,  λ ← λ + α Φ(q₊) in every Newton iteration (penalty α),
//
// so that iterations end, h² |da| at newton.tol, on the index-3 equations; they contract by about
// 1/(1 + α h²β GW⁻¹Gᵀ), and the matrix is regular for redundant constraints too. Velocities v* and
// accelerations a* of a step's end are then put near their constraints, once, in the metric of
// W = M + h γ ∂R/∂v + h² β ∂R/∂q (R = M a + Gᵀλ − f):
//
//   (W + c α GᵀG) v = W v* − c α GᵀΦ_t,  (W + c α GᵀG) a = W a* − c α Gᵀ(Φ̈ − G a),  c = h² β,
//
// which leaves violations of the size |v* violation|/(c α GW⁻¹Gᵀ). The method goes on from there.
// The papers use the trapezoidal rule (γ = 1/2, β = 1/4) and a diagonal matrix of penalties, here
// one number. Theirs is limited by the condition of M + α GᵀG, formed explicitly; here the penalty
// is −1/α on the diagonal of the bordered matrix and may be large, so that iterations contract at
// any usual step (analysis/decisions/0025-default-penalty.md). Order and stability: measured, not
// proved.
#include "methods/projection/augmented_lagrangian.hpp"

#include "methods/catalogue/registry.hpp"

namespace daemark {
namespace {

class AugmentedLagrangian final : public MethodOf<AugmentedLagrangian> {
 public:
  AugmentedLagrangian(StructuralForm form, rational penalty)
      : MethodOf(unconstrained(form)), form_(std::move(form)), penalty_(std::move(penalty)) {}

  int cost_stages() const override { return 1; }
  std::string refusal(const SystemTraits& system) const override {
    if (!system.mechanism) return refusals::needs_mechanism;
    if (!system.second_order) return refusals::second_order_only;
    if (system.velocity_rows > 0)
      return std::string("its penalties are on positions: ") + refusals::needs_positions;
    if (system.index != 0 && system.index != 3)
      return "its penalties are on positions and its projections on the other levels; accepted: "
             "index3";
    return "";
  }

  template <class S>
  std::unique_ptr<Stepper<S>> make(const Target<S>& target, const Settings& settings) const {
    if constexpr (!is_exact<S>)
      if (target.mechanism && target.mechanism->constraints() > 0)
        return std::make_unique<AugmentedLagrangianStepper<S>>(form_, penalty_, target, settings);
    return std::make_unique<StructuralStepper<S>>(form_, target, settings);
  }

 private:
  /// Nothing is known of its roots in the directions of constraints.
  static ExactSecondOrder unconstrained(const StructuralForm& form) {
    ExactSecondOrder step = form.exact();
    step.position_roots.clear(), step.velocity_roots.clear();
    return step;
  }

  StructuralForm form_;
  rational penalty_;
};

}  // namespace

void register_augmented_lagrangian(MethodRegistry& registry) {
  using Type = Parameter::Type;
  MethodInfo info;
  info.id = "augmented_lagrangian";
  info.kind = "structural";
  info.summary = "index-3 augmented Lagrangian form with projected velocities and accelerations";
  info.parameters = {{"penalty", Type::real, "10^11", "rational in [10^6, 10^14]"},
                     {"gamma", Type::real, "1/2", "rational in [1/2, 1]"},
                     {"beta", Type::real, "1/4", "rational in [1/12, 1]"}};
  info.source = {"bayo1996", ""};
  registry.add(info, [](const Arguments& arguments) -> std::shared_ptr<const Method> {
    const rational penalty = arguments.real_in("penalty", 1000000, rational("100000000000000"));
    return std::make_shared<AugmentedLagrangian>(
        StructuralForm{arguments.real_in("gamma", rational(1) / 2, 1),
                       arguments.real_in("beta", rational(1) / 12, 1)},
        penalty);
  });
}

}  // namespace daemark
