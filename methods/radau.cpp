// radau: Radau IIA with 3, 5 or 7 stages (orders 5, 9, 13), the number chosen along with the step
// as in the code RADAU of Hairer & Wanner, "Stiff differential equations solved by Radau methods",
// J. Comput. Appl. Math. 111, 93-111 (1999).
//
// That needs step-size control (control.tol); on fixed steps it is radau_iia(3). How a controlled
// step is made: methods/collocation/collocation_stepper.hpp.
#include "methods/catalogue/registry.hpp"
#include "methods/collocation/radau_method.hpp"

namespace daemark {

void register_radau(MethodRegistry& registry) {
  MethodInfo info;
  info.id = "radau";
  info.kind = "implicit Runge–Kutta";
  info.summary =
      "Radau IIA, with control.tol of 3, 5 or 7 stages, as the steps need; fixed steps: 3";
  info.source = {"hairer1996", "IV.8"};
  registry.add(info, [](const Arguments&) {
    return radau_method({3, 5, 7}, method_registry().make("radau_iia(3)"));
  });
}

}  // namespace daemark
