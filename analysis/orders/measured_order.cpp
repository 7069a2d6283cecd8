#include "analysis/orders/measured_order.hpp"

#include <fmt/format.h>

#include <cmath>

#include "analysis/orders/order_study.hpp"
#include "base/text/bad_input.hpp"
#include "methods/catalogue/registry.hpp"
#include "problems/system/registry.hpp"

namespace daemark {
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
