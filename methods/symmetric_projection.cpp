// symmetric_projection(inner): a symmetric Runge–Kutta step between two shifts off the constraints,
// the same at both ends (Hairer 2000):
//
//   ŷ₀ = y₀ + H(y₀)ᵀ μ,   ŷ₁ = Φ_h(ŷ₀),   y₁ = ŷ₁ + H(y₁)ᵀ μ,   g(y₁) = 0
//
// on the underlying equation (index 1), y = (q, v), g = (Φ, Φ̇), H = ∂g/∂y. Order of the inner
// method, symmetric, on both constraints at every step end; not symplectic. Shifts are Euclidean in
// the units of the coordinates. μ by a simplified Newton iteration with 2 H Hᵀ, to round-off; each
// iteration is a step of the inner method. On mechanisms without constraints it is the inner
// method.
#include "methods/geometric/symmetric_projection.hpp"

#include <fmt/format.h>

#include "methods/catalogue/registry.hpp"
#include "methods/geometric/symmetry.hpp"

namespace daemark {
namespace {

class SymmetricProjection final : public MethodOf<SymmetricProjection>, public SymmetricStep {
 public:
  explicit SymmetricProjection(std::shared_ptr<const Method> inner) : inner_(std::move(inner)) {}

  int cost_stages() const override { return inner_->cost_stages(); }
  int symmetric_order() const override { return daemark::symmetric_order(*inner_); }
  bool solves_end_rates() const override { return true; }
  std::string refusal(const SystemTraits& system) const override {
    if (!system.mechanism) return refusals::needs_mechanism;
    if (!system.second_order) return refusals::second_order_only;
    if (!system.flat) return refusals::flat_only;
    if (system.index > 1)
      return "it puts a step on the underlying equation onto the constraints; accepted: " +
             formulation_ids([](const FormulationInfo& info) { return info.index <= 1; });
    if (system.velocity_rows > 0)
      return std::string("it projects positions: ") + refusals::needs_positions;
    if (system.index == 1 && !system.full_rank) return refusals::redundant;
    return inner_->refusal(system);
  }
  template <class S>
  std::unique_ptr<Stepper<S>> make(const Target<S>& target, const Settings& settings) const {
    auto inner = inner_->stepper(target, settings);
    if constexpr (!is_exact<S>)
      if (target.mechanism && target.mechanism->constraints() > 0)
        return std::make_unique<SymmetricProjectionStepper<S>>(std::move(inner), target);
    return inner;
  }

 private:
  std::shared_ptr<const Method> inner_;
};

}  // namespace

void register_symmetric_projection(MethodRegistry& registry) {
  MethodInfo info;
  info.id = "symmetric_projection";
  info.kind = "projection";
  info.summary =
      "a symmetric Runge–Kutta step with the same shift off the constraints at both ends";
  info.parameters = {
      {"inner", Parameter::Type::call, "gauss(s=2)", "a symmetric Runge–Kutta method"}};
  info.examples = {"symmetric_projection(gauss(1))", "symmetric_projection(gauss(2))",
                   "symmetric_projection(gauss(3))", "symmetric_projection(lobatto_iiia(3))"};
  info.source = {"hairer2000", ""};
  registry.add(info, [](const Arguments& arguments) -> std::shared_ptr<const Method> {
    const std::string call = arguments.call("inner").text();
    auto inner = method_registry().make(call);
    const WideTableau* tableau = inner->tableau();
    if (!tableau || !is_symmetric(*tableau))
      throw BadInput(fmt::format(
          "symmetric_projection: inner = {} is not accepted, it is {}; accepted: symmetric "
          "Runge–Kutta methods such as gauss(s), lobatto_iiia(s)",
          call, tableau ? "not symmetric" : "no Runge–Kutta method"));
    return std::make_shared<SymmetricProjection>(std::move(inner));
  });
}

}  // namespace daemark
