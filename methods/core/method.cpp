#include "methods/core/method.hpp"

namespace daemark {

const WideTableau* Method::tableau() const {
  const auto* form = as<RungeKuttaForm>();
  return form ? &form->tableau : nullptr;
}

const Coefficients* Method::coefficients() const {
  const auto* form = as<RungeKuttaForm>();
  return form == nullptr ? as<Coefficients>() : form->written ? &*form->written : nullptr;
}

const Coefficients* Method::coefficients(MethodKind kind) const {
  const Coefficients* written = coefficients();
  return written && written->kind == kind ? written : nullptr;
}

std::string Method::control_refusal(const SystemTraits&) const {
  if (constant_step()) return std::string(refusals::constant_step) + "control.tol";
  return estimate_order() == 0 ? refusals::no_estimate : "";
}

}  // namespace daemark
