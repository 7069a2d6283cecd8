#include "analysis/orders/order_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text/bad_input.hpp"
#include "methods/catalogue/registry.hpp"
#include "problems/system/registry.hpp"

namespace daemark {

namespace {

/// Round-off leaves so few steps that they do not show the order a theorem promises.
bool hidden(const ObservedSlopes& seen, const std::optional<int>& expected, bool at_least) {
  constexpr int few_points = 3;
  if (!expected || !seen.floor) return false;
  if (seen.settled.empty()) return true;
  if (seen.points > few_points) return false;
  const double off = middle(seen.settled) - *expected;
  return at_least ? off < -0.5 : std::abs(off) > 0.5;
}

void observe(const OrderStudyRequest& request, FormulationOrders& found, int enough_points) {
  found.seen = {};
  found.studies.clear();
  found.studies = converge(found.runs, request.t_ends, enough_points, request.together);
  for (const ConvergeResult& study : found.studies)
    for (std::size_t kind = 0; kind < 3; ++kind) found.seen[kind].take(study.h, study.fit[kind]);
}

}  // namespace

double middle(std::vector<double> values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

void ObservedSlopes::take(const std::vector<double>& h, const SlopeFit& fit) {
  points = std::min(points, fit.points());
  floor = floor || std::find(fit.floor.begin(), fit.floor.end(), true) != fit.floor.end();
  for (std::size_t k = 0; k < h.size(); ++k) {
    if (!fit.used[k]) continue;
    finest = std::min(finest, h[k]);
    coarsest = std::max(coarsest, h[k]);
  }
  if (std::isnan(fit.slope)) return;
  least = std::min(least, fit.least);
  most = std::max(most, fit.most);
  const bool stagnates = fit.verdict == SlopeVerdict::no_convergence;
  if (stagnates) ++stagnating;
  if (stagnates || fit.verdict == SlopeVerdict::asymptotic)
    settled.push_back(fit.slope);
  else if (fit.verdict == SlopeVerdict::pre_asymptotic)
    preliminary.push_back(fit.slope);
}

double ObservedSlopes::slope() const { return middle(slopes()); }

void require_given_steps(const std::string& method) {
  if (method_registry().make(method)->chooses_steps())
    throw BadInput(
        method_registry().bind(method).canonical() +
        " chooses its steps itself; accepted: tolerances in place of step sizes (--tol)");
}

namespace {

/// The study in real50; absent where the problem or the method exists in double only.
std::optional<FormulationOrders> widened(const OrderStudyRequest& request,
                                         const FormulationOrders& in_double) {
  FormulationOrders found;
  found.formulation = in_double.formulation, found.expected = in_double.expected;
  found.widened = true;
  try {
    for (const BoundRun& run : in_double.runs) found.runs.push_back(run.in(Precision::in_real50));
    // Repeated for the steps that round-off covers: what comes after them shows no more.
    constexpr int enough = 4;
    observe(request, found, enough);
  } catch (const BadInput&) {
    return std::nullopt;
  }
  return found;
}

}  // namespace

ExpectedOrders slopes_expected(const BoundRun& run) {
  if (run.system.multiplier_forces && run.system.index > 1)
    return no_orders("the theorems known here have multipliers along the gradients of constraints");
  return slopes_expected(run.request.method, run.request.formulation, run.request.settings);
}

FormulationOrders study_orders(const OrderStudyRequest& request, const std::string& formulation) {
  FormulationOrders found;
  found.formulation = formulation;
  RunRequest run = request.run;
  run.formulation = formulation, run.t_end = request.t_ends.front();
  found.expected = slopes_expected(run.method, formulation, run.settings);
  try {
    require_given_steps(run.method);
    found.runs = bind_study(run, request.h, request.problem);
    found.expected = slopes_expected(found.runs.front());
    observe(request, found, 0);
    const ExpectedOrders& expected = found.expected;
    const bool noise = hidden(found.seen[0], expected.q, expected.q_at_least) ||
                       hidden(found.seen[1], expected.v, false) ||
                       hidden(found.seen[2], expected.lambda, false);
    if (request.widen && noise && run.precision == Precision::in_double)
      if (const auto wide = widened(request, found)) return *wide;
  } catch (const BadInput& refusal) {
    found.refusal = refusal.what();
  }
  return found;
}

namespace {

constexpr double settled_within = 0.25;

}  // namespace

std::optional<MeasuredOrder> measured_order(const std::string& method) {
  if (method_registry().make(method)->owns_loop()) return std::nullopt;
  OrderStudyRequest request;
  request.problem = problem_registry().make("pendulum");
  request.run.problem = request.problem.name;
  request.run.method = method;
  for (const char* h : {"1/40", "1/80", "1/160", "1/320"})
    request.h.push_back(Expression::parse(h, "h"));
  for (const char* t : {"1/2", "3/4", "1"}) request.t_ends.push_back(Expression::parse(t, "t_end"));
  for (const char* formulation : {"minimal", "index1", "index2", "index3"}) {
    request.run.formulation = formulation;
    try {
      const FormulationOrders found = study_orders(request, formulation);
      if (!found.refusal.empty()) continue;
      const ObservedSlopes& q = found.seen[0];
      if (std::isnan(q.slope())) return std::nullopt;
      return MeasuredOrder{q.slope(), !q.is_preliminary(), formulation};
    } catch (const BadInput&) {  // refused otherwise: the next one
    }
  }
  return std::nullopt;
}

std::string judged(const MeasuredOrder& measured, const std::optional<int>& claimed) {
  std::string text = fmt::format("{:.3f}", measured.order);
  if (!measured.settled) text += ", not settled";
  if (!claimed) return text + ", nothing is claimed";
  if (is_below(measured.order, *claimed))
    return fmt::format("{}, below the claimed {}", text, *claimed);
  if (measured.order > *claimed + settled_within)
    return fmt::format("{}, above the claimed {}", text, *claimed);
  return text + ", as claimed";
}

bool is_below(double order, int claimed) { return order < claimed - settled_within; }

}  // namespace daemark
