#include "analysis/orders/inside_orders.hpp"

#include "analysis/setup/bound_run.hpp"
#include "analysis/setup/bound_system.hpp"
#include "base/text/bad_input.hpp"
#include "methods/loop/inside_steps.hpp"

namespace daemark {

std::map<std::string, int> inside_orders(const std::string& method) {
  std::map<std::string, int> orders;
  for (const char* formulation : {"index1", "index2", "ggl", "index3"}) {
    RunRequest request;
    request.problem = "pendulum", request.formulation = formulation, request.method = method;
    request.h = request.t_end = Expression(rational(1));
    request.settings = {{"control.tol", "1e-6"}};
    try {
      const BoundRun run(request);
      if (run.method->owns_loop()) return orders;
      BoundSystem<double> model(run);
      const auto stepper = run.method->stepper(model.target(), run.settings);
      stepper->start(initial_state(run, model), 1);
      const InsideSteps<double> inside(*run.method, *stepper, model.target());
      if (const int order = inside.order(); order > 0) orders[formulation] = order;
    } catch (const BadInput&) {  // not with control, or not in this formulation
    }
  }
  return orders;
}

}  // namespace daemark
