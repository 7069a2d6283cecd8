#include "methods/core/method.hpp"

namespace daemark {

const WideTableau* Method::tableau() const {
  const auto* form = as<RungeKuttaForm>();
  return form ? &form->tableau : nullptr;
}

const ExactTableau* Method::written() const {
  const auto* form = as<RungeKuttaForm>();
  return form && form->written ? &*form->written : nullptr;
}

}  // namespace daemark
