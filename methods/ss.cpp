// ss(n, rho): the linear n-step method of lms.cpp as a single-step method with n − 1 auxiliary
// derivatives (Zhang 2022, section 2.2). They are complex for n ≥ 3; kept as the real numbers that
// methods/multistep/multistep_stepper.hpp derives. No start: the auxiliary derivatives begin as
// ẏ_0.
#include <fmt/format.h>

#include "methods/catalogue/registry.hpp"
#include "methods/multistep/flat_multistep.hpp"
#include "methods/multistep/multistep_stepper.hpp"

namespace daemark {

void register_ss(MethodRegistry& registry) {
  using Type = Parameter::Type;
  MethodInfo info;
  info.id = "ss";
  info.kind = "single-step with auxiliary derivatives";
  info.summary = "single-step equivalent of lms(n, rho): same characteristic polynomial, no start";
  info.parameters = {{"n", Type::integer, "2",
                      fmt::format("integer 2..{}: steps of the equal lms", max_flat_steps)},
                     {"rho", Type::real, "0", "rational in [0, 1]: spectral radius at infinity"}};
  info.claims.order = 2;
  for (int n = 2; n <= 6; ++n)
    for (const char* rho : {"0", "3/5", "1"})
      info.examples.push_back(fmt::format("ss(n={},rho={})", n, rho));
  info.source = {"zhang2022", "section 2.2, eqs. 4 and 9-11"};
  registry.add(info, [](const Arguments& arguments) {
    const int n = static_cast<int>(arguments.integer("n", 2, max_flat_steps));
    return single_step_method(n, arguments.real_in("rho", 0, 1));
  });
}

}  // namespace daemark
