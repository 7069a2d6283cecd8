// mssth(n, rho): ESDIRK with n implicit stages and order n, as published; mssth_min(n, rho): the
// same conditions with the true leading error minimised. methods/runge_kutta/substep_high_order.hpp
// derives both.
#include <fmt/format.h>

#include "methods/catalogue/registry.hpp"
#include "methods/runge_kutta/runge_kutta.hpp"
#include "methods/runge_kutta/substep_high_order.hpp"

namespace daemark {

void register_mssth(MethodRegistry& registry) {
  using Type = Parameter::Type;
  for (const Objective objective : {Objective::published, Objective::error}) {
    const bool published = objective == Objective::published;
    MethodInfo info;
    info.id = published ? "mssth" : "mssth_min";
    info.kind = "implicit Runge–Kutta";
    info.summary = published
                       ? "n sub-steps, order n, dissipation set by rho; ESDIRK of stage order 2"
                       : "mssth with the leading error over all trees minimised (equal for n = 3)";
    info.parameters = {{"n", Type::integer, "3", "integer 3..5: implicit stages"},
                       {"rho", Type::real, "0", "rational in [0, 1]: spectral radius at infinity"}};
    info.claims.stage_order = 2;
    info.claims.a_stable = true;
    for (int n = published ? 3 : 4; n <= 5; ++n)
      for (const char* rho : {"0", "3/5", "1"})
        info.examples.push_back(fmt::format("{}(n={},rho={})", info.id, n, rho));
    info.source = {"zhang2022", "section 2.3, modified MSSTH of its appendix"};
    info.check = [](const Arguments& arguments) {
      arguments.integer("n", 3, 5);
      arguments.real_in("rho", 0, 1);
    };
    registry.add(info, [objective](const Arguments& arguments) {
      const int n = static_cast<int>(arguments.integer("n", 3, 5));
      const rational rho = arguments.real_in("rho", 0, 1);
      return runge_kutta_method({high_order_substeps(n, rho, objective)},
                                Mssth{n, rho, objective == Objective::published});
    });
  }
}

}  // namespace daemark
