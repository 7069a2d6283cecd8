#include "analysis/orders/inside_orders.hpp"

#include <fmt/format.h>

#include <cmath>

#include "analysis/reference/reference.hpp"
#include "analysis/run/measures.hpp"
#include "base/program/stop.hpp"
#include "base/text/bad_input.hpp"
#include "methods/loop/inside_steps.hpp"

namespace daemark {

std::map<std::string, InsideOrders> inside_orders(const std::string& method) {
  std::map<std::string, InsideOrders> orders;
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
      if (const InsideOrders found = inside.orders(); found.q > 0) orders[formulation] = found;
    } catch (const BadInput&) {  // not with control, or not in this formulation
    }
  }
  return orders;
}

namespace {

/// Steps are made by hand; Newton's iteration stops by this tolerance, in every precision: of what
/// is far below it coarse steps know nothing.
constexpr const char* tolerance = "1e-10";

template <class S>
InsideErrors errors_of(const BoundRun& run, const ReferenceState& reference, double h_asked) {
  BoundSystem<S> model(run);
  const State<S> initial = initial_state(run, model);
  const S span = from_wide<S>(wide(run.t_end - run.t_start)), half = S(1) / S(2);
  const long whole = std::max(1L, std::lround(to_double(span) / h_asked - 0.5));
  const S h = span / (S(static_cast<double>(whole)) + half);
  InsideErrors found{to_double(h), "ok", {}};
  const auto stepper = run.method->stepper(model.target(), run.settings);
  stepper->start(initial, h);
  InsideSteps<S> inside(*run.method, *stepper, model.target());
  if (inside.orders().q == 0)
    throw BadInput(fmt::format(
        "method {} has no values inside its steps on {} in {}; accepted: methods up to order 6 and "
        "those with an interpolant, on flat coordinates and rotations",
        run.method_name, run.problem.name, run.formulation.name()));
  for (long i = 0; i <= whole; ++i) {
    checkpoint();
    inside.begin();
    const StepReport report = stepper->attempt(h);
    if (report.status != Status::ok) {
      found.status = fmt::format("{}: {}", status_name(report.status), report.why);
      return found;
    }
    stepper->accept();
  }
  State<S> middle;
  inside.at(half, middle);
  middle.t = from_wide<S>(run.t_end);
  found.errors = errors_against(reference, model, middle);
  return found;
}

}  // namespace

std::vector<InsideErrors> errors_inside(const RunRequest& request,
                                        const std::vector<Expression>& h) {
  RunRequest controlled = request;
  controlled.settings.emplace("control.tol", tolerance);
  controlled.h =
      Expression::parse(fmt::format("({})-({})", request.t_end.text(),
                                    problem_registry().make(request.problem).start.text()),
                        "converge");
  const BoundRun run(std::move(controlled));
  if (run.method->owns_loop())
    throw BadInput(
        fmt::format("method {} makes its steps itself, --inside: accepted: methods of "
                    "ours with step-size control",
                    run.method_name));
  const ReferenceState reference = reference_states(run.problem, {run.request.t_end.text()},
                                                    digits_for_errors(request.precision))
                                       .front();
  std::vector<InsideErrors> found;
  for (const Expression& step : h)
    found.push_back(with_scalar(request.precision, [&]<class S>() {
      return errors_of<S>(run, reference, step.eval<double>());
    }));
  return found;
}

}  // namespace daemark
