// lms(n, rho): linear n-step methods of order 2, A-stable, with every root at infinity at −rho.
// Coefficients: methods/multistep/flat_multistep.hpp. n = 2, 3, 4 are those of Zhang 2022,
// section 2.1; more steps are the same construction continued. rho = 1 is the trapezoidal rule
// (times (E+1)^(n−1)), n = 2 with rho = 0 the backward differentiation formula of order 2.
#include <fmt/format.h>

#include "methods/catalogue/registry.hpp"
#include "methods/multistep/flat_multistep.hpp"
#include "methods/multistep/multistep_stepper.hpp"

namespace daemark {

void register_lms(MethodRegistry& registry) {
  using Type = Parameter::Type;
  MethodInfo info;
  info.id = "lms";
  info.kind = "multistep";
  info.summary =
      "linear n-step method of order 2, A-stable (n > 2: for rho < 1), numerical dissipation set "
      "by rho";
  info.parameters = {{"n", Type::integer, "2", fmt::format("integer 2..{}: steps", max_flat_steps)},
                     {"rho", Type::real, "0", "rational in [0, 1]: spectral radius at infinity"}};
  info.claims.order = 2;
  for (int n = 2; n <= 6; ++n)
    for (const char* rho : {"0", "3/5", "1"})
      info.examples.push_back(fmt::format("lms(n={},rho={})", n, rho));
  info.source = {"zhang2022", "section 2.1; steps beyond 4: the same conditions"};
  registry.add(info, [](const Arguments& arguments) {
    const int n = static_cast<int>(arguments.integer("n", 2, max_flat_steps));
    const rational rho = arguments.real_in("rho", 0, 1);
    MultistepForm form{flat_multistep(n, rho), {flat_multistep(1, 1)}};
    for (int m = 2; m < n; ++m) form.lower.push_back(flat_multistep(m, rho));
    if (n == 2) form.variable_rho = rho;
    return multistep_method(std::move(form), FlatMultistep{n, rho});
  });
}

}  // namespace daemark
