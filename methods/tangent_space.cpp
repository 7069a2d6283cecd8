// tangent_space(inner): an inner method applied in the tangent space of the constraints at each of
// its stages, so that position, velocity and acceleration constraints hold at every one of them
// (Fernández de Bustos, Uriarte, Urkullu & García-Marina 2021, eqs. 34-58, for any implicit
// method).
//
// With N a basis of null G(x) at the stage's own point, minimum-norm particular solutions, and the
// inner formulas for positions, velocities and rates of all points before:
//
//   N ᵀ(x − formula) = 0,  Nᵀ(v − formula) = 0,  Nᵀ(M a − f) = 0,  Φ = 0,  G v + Φ_t = 0,
//   G a + … = 0
//
// (methods/tangent/tangent_system.hpp). Norms are Euclidean in the units of the coordinates: the
// result depends on them. The step end must be a stage of the inner method: only there the formulas
// have a tangent space. On mechanisms without constraints it is the inner method.
//
// Newton's test is max(|dx|, h |dv|, h² |da|) ≤ newton.tol, increments that no longer fall
// accepted.
//
//   form=bordered    sparse LU with the normal components as multipliers; needs independent rows
//   form=null_space  N from a rank-revealing QR of Gᵀ with the rank the mechanism names; rows may
//   be
//                    redundant, a wrong rank is detected
#include <fmt/format.h>

#include "methods/catalogue/registry.hpp"
#include "methods/runge_kutta/runge_kutta.hpp"
#include "methods/tangent/tangent_stepper.hpp"

namespace daemark {
namespace {

class TangentMethod final : public MethodOf<TangentMethod> {
 public:
  TangentMethod(std::shared_ptr<const Method> inner, TangentForm form)
      : inner_(std::move(inner)), form_(form) {}

  int cost_stages() const override { return inner_->cost_stages(); }
  bool constant_step() const override { return inner_->constant_step(); }
  int estimate_order() const override {
    SystemTraits inside(0);
    inside.mechanism = inside.levels = false;
    return inner_->control_refusal(inside).empty() ? inner_->estimate_order() : 0;
  }
  int error_order() const override { return inner_->error_order(); }
  int least_steps() const override { return inner_->least_steps(); }
  std::string refusal(const SystemTraits& system) const override {
    if (!system.mechanism) return refusals::needs_mechanism;
    if (system.index == 0) return inner_->refusal(system);
    if (system.index != 3) return "it holds constraints at all levels by itself; accepted: index3";
    if (!system.flat) return refusals::flat_only;
    if (system.velocity_rows > 0 && form_ == TangentForm::null_space)
      return "some constraints begin on the velocity level, where positions and velocities have "
             "two "
             "null spaces; accepted: form=bordered";
    if (!system.full_rank && form_ == TangentForm::bordered)
      return "constraints depend on each other and the bordered matrix is singular; accepted: "
             "form=null_space";
    return "";
  }

  template <class S>
  std::unique_ptr<Stepper<S>> make(const Target<S>& target, const Settings& settings) const {
    if (!target.mechanism) return inner_->stepper(target, settings);
    if constexpr (is_exact<S>) {
      return nullptr;
    } else {
      if (target.mechanism->constraints() == 0) return inner_->stepper(target, settings);
      return std::make_unique<TangentStepper<S>>(*inner_, form_, target, settings);
    }
  }

 private:
  std::shared_ptr<const Method> inner_;
  TangentForm form_;
};

/// Why the step end of a method is no stage of it; empty if it is.
std::string why_not(const Method& inner) {
  if (inner.is_explicit())
    return "it is explicit, no stage of it solves for a point on the constraints";
  SystemTraits no_mechanism(0);
  no_mechanism.mechanism = false;
  if (!inner.refusal(no_mechanism).empty())
    return "it works on mass, forces and constraints itself";
  if (inner.coefficients(MethodKind::multistep)) return "";
  if (inner.as<ExactSecondOrder>())
    return inner.solves_end_rates() ? "its equilibrium is between the ends of the step" : "";
  const WideTableau* tableau = inner.tableau();
  if (!tableau)
    return "it has neither a tableau nor the formula of a structural or multistep method";
  if (has_inner_explicit_stage(*tableau)) return "an explicit stage of it has no tangent space";
  if (is_stiffly_accurate(*tableau)) return "";
  return "it is not stiffly accurate: its step end is no stage";
}

}  // namespace

void register_tangent_space(MethodRegistry& registry) {
  using Type = Parameter::Type;
  MethodInfo info;
  info.id = "tangent_space";
  info.kind = "tangent space";
  info.summary = "an inner method in the tangent space of the constraints, all levels hold";
  info.parameters = {{"inner", Type::call, "average_acceleration",
                      "a structural, multistep or stiffly accurate implicit Runge–Kutta method"},
                     {"form", Type::word, "bordered", "bordered | null_space"}};
  info.examples = {"tangent_space(inner=average_acceleration)",
                   "tangent_space(inner=average_acceleration,form=null_space)",
                   "tangent_space(inner=fox_goodwin)",
                   "tangent_space(inner=generalized_alpha(rho=4/5))",
                   "tangent_space(inner=sdirk_2)",
                   "tangent_space(inner=radau_iia(s=2))",
                   "tangent_space(inner=bdf(k=2))",
                   "tangent_space(inner=radau_iia(s=3),form=null_space)"};
  info.source = {"fernandez2021", "eqs. 34-58"};
  registry.add(info, [](const Arguments& arguments) -> std::shared_ptr<const Method> {
    const std::string form = arguments.word("form", {"bordered", "null_space"});
    const std::string call = arguments.call("inner").text();
    const auto inner = method_registry().make(call);
    const std::string why = why_not(*inner);
    if (!why.empty())
      throw BadInput(
          fmt::format("tangent_space: inner method {}: {}; accepted: structural, "
                      "multistep and stiffly accurate implicit methods",
                      call, why));
    return std::make_shared<TangentMethod>(
        inner, form == "bordered" ? TangentForm::bordered : TangentForm::null_space);
  });
}

}  // namespace daemark
