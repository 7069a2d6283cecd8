// bdf(k): backward differentiation formulas Σ_{j=1..k} ∇^j y/j = h ẏ, order k, A-stable for k ≤ 2,
// zero-stable for k ≤ 6 (Hairer & Wanner II, V.1). With step-size control the coefficients follow
// the steps (methods/multistep/variable_steps.hpp), from order 1 up as steps settle.
// start=lower_orders, the trapezoidal rule and
// then bdf(2), bdf(3), …, costs order for k ≥ 4: by default these start with Radau IIA.
#include "methods/catalogue/registry.hpp"
#include "methods/multistep/flat_multistep.hpp"
#include "methods/multistep/multistep_stepper.hpp"

namespace daemark {

void register_bdf(MethodRegistry& registry) {
  MethodInfo info;
  info.id = "bdf";
  info.kind = "multistep";
  info.summary = "backward differentiation formula of order k";
  info.parameters = {{"k", Parameter::Type::integer, "2", "integer 1..6: steps"}};
  for (int k = 1; k <= 6; ++k) info.examples.push_back("bdf(k=" + std::to_string(k) + ")");
  info.source = {"hairer1996", "V.1; steps that change: [soederlind2018]"};
  registry.add(info, [](const Arguments& arguments) {
    const int k = static_cast<int>(arguments.integer("k", 1, 6));
    MultistepForm form{backward_differentiation(k), {flat_multistep(1, 1)}};
    form.lower_keeps_order = k <= 3;
    if (k == 2) form.variable_rho = 0;
    form.backward_differences = k > 2;
    for (int m = 2; m < k; ++m) form.lower.push_back(backward_differentiation(m));
    return multistep_method(std::move(form));
  });
}

}  // namespace daemark
