// Cells of kind "orders": observed orders of one method on one problem, for several formulations
// and several end times.
//
// Keys: formulations, t_ends (texts).
// For each formulation F and kind K of q, v, lambda: slope_K_F, the middle one over the times at
// which the errors settle on one (asymptotic, or no longer falling), with slope_K_F_min and _max;
// local_K_F_min and _max, the local slopes they stand on, over the steps coarsest_K_F to
// finest_K_F; points_K_F (the fewest steps in a range). no_convergence_K_F: the error stops
// falling above round-off. pre_asymptotic_K_F: at no time do the slopes settle, slope_K_F is that
// of the finest steps. floor_K_F: finer steps were left out on the round-off floor. refused_F,
// failed_F (runs that failed), broken_F (1: all of them), quad_F (1: repeated in real50, from
// coarse to fine until four points agree, since round-off of double hid the order that is
// expected). expected_K_F with at_least_expected_K_F (a lower bound) and observed_only_F (no source
// for it was read), off_K_F: the slope less expected, 0 above a lower bound; order. least_slope:
// over all K and F. Series error_K_F_t<i> and used_K_F_t<i> over h (nan: not run), verdict_K_F_t<i>
// (SlopeVerdict).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/orders/order_study.hpp"
#include "analysis/reference/reference.hpp"
#include "base/program/progress.hpp"
#include "experiments/cells/support/cell_kind.hpp"
#include "experiments/cells/support/integration.hpp"
#include "methods/catalogue/registry.hpp"

namespace daemark {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

/// Two decimals: what a slope over a few steps can claim.
double rounded(double slope) { return std::round(100 * slope) / 100; }

/// A cell with the keys of its kind.
struct OrdersCell : Cell {
  explicit OrdersCell(const Cell& cell)
      : Cell(cell), formulations(texts("formulations")), t_ends(texts("t_ends")) {}
  std::vector<std::string> formulations, t_ends;
};

/// One formulation and one time of the study: what converge computes.
Cell part_of(const Cell& cell, const std::string& formulation, const std::string& t_end) {
  Cell one = run_of(cell, nlohmann::json::object());
  one.formulation = formulation;
  one.t_end = t_end;
  return one;
}

OrderStudyRequest study_request(const OrdersCell& cell) {
  OrderStudyRequest request;
  request.problem = problem_registry().make(cell.problem);
  request.run.method = cell.method, request.run.settings = cell.settings;
  request.run.precision = parse_precision(cell.precision);
  for (const std::string& h : cell.h) request.h.push_back(Expression::parse(h, "h"));
  for (const std::string& end : cell.t_ends)
    request.t_ends.push_back(Expression::parse(end, "t_ends"));
  request.widen = request.run.precision == Precision::in_double;
  return request;
}

class Record {
 public:
  explicit Record(CellResult& result) : result_(result) {}

  void add(const FormulationOrders& found) {
    const std::string& name = found.formulation;
    auto& measures = result_.measures;
    if (!found.refusal.empty()) {
      measures["refused_" + name] = 1;
      if (result_.why.empty()) result_.why = found.refusal;
      return;
    }
    taken_ = true;
    if (found.widened) measures["quad_" + name] = 1;
    add_runs(found);
    const ExpectedOrders& expected = found.expected;
    if (expected.observed_only) measures["observed_only_" + name] = 1;
    if (expected.q && expected.q_at_least) measures["at_least_expected_q_" + name] = 1;
    add_slopes("q_" + name, found.seen[0], expected.q, expected.q_at_least);
    add_slopes("v_" + name, found.seen[1], expected.v, false);
    add_slopes("lambda_" + name, found.seen[2], expected.lambda, false);
  }

  void finish() {
    if (!taken_) result_.status = "refused";
    if (taken_) result_.why.clear();
    result_.measures["least_slope"] = least_;
  }

 private:
  void add_runs(const FormulationOrders& found) {
    double failed = 0, runs = 0;
    for (std::size_t i = 0; i < found.studies.size(); ++i) {
      const ConvergeResult& study = found.studies[i];
      result_.series["h"] = study.h;
      for (std::size_t kind = 0; kind < 3; ++kind) {
        const std::string key =
            fmt::format("{}_{}_t{}", motion_parts[kind], found.formulation, i + 1);
        const SlopeFit& fit = study.fit[kind];
        result_.series["error_" + key] = study.error[kind];
        result_.series["used_" + key] = {fit.used.begin(), fit.used.end()};
        result_.series["verdict_" + key] = {static_cast<double>(fit.verdict)};
      }
      for (const RunResult& run : study.runs) result_.seconds += run.seconds;
      for (const std::string& status : study.status) {
        if (status == "not_run") continue;
        if (!is_outcome(status)) result_.take_status(status);
        ++runs;
        if (status != "ok") ++failed;
      }
    }
    result_.measures["failed_" + found.formulation] = failed;
    result_.measures["broken_" + found.formulation] = failed == runs ? 1 : 0;
  }

  void add_slopes(const std::string& key, const ObservedSlopes& seen,
                  const std::optional<int>& expected, bool at_least) {
    auto& measures = result_.measures;
    const std::vector<double>& slopes = seen.slopes();
    const double slope = seen.slope();
    measures["slope_" + key] = rounded(slope);
    const bool any = !slopes.empty();
    measures["slope_" + key + "_min"] =
        any ? rounded(*std::min_element(slopes.begin(), slopes.end())) : missing;
    measures["slope_" + key + "_max"] =
        any ? rounded(*std::max_element(slopes.begin(), slopes.end())) : missing;
    measures["local_" + key + "_min"] = any ? rounded(seen.least) : missing;
    measures["local_" + key + "_max"] = any ? rounded(seen.most) : missing;
    measures["finest_" + key] = any ? seen.finest : missing;
    measures["coarsest_" + key] = any ? seen.coarsest : missing;
    measures["points_" + key] = seen.points;
    measures["floor_" + key] = seen.floor ? 1 : 0;
    if (seen.is_preliminary()) measures["pre_asymptotic_" + key] = 1;
    if (seen.no_convergence()) measures["no_convergence_" + key] = 1;
    if (expected) {
      measures["expected_" + key] = *expected;
      const double off = slope - *expected;
      measures["off_" + key] = at_least ? rounded(std::min(off, 0.0)) : rounded(off);
    }
    if (!std::isnan(slope))
      least_ = std::isnan(least_) ? rounded(slope) : std::min(least_, rounded(slope));
  }

  CellResult& result_;
  bool taken_ = false;
  double least_ = missing;
};

void check(const Cell& cell) {
  for (const std::string& end : cell.texts("t_ends")) check_divides(cell.h, end);
}

double cost(const Cell& cell) {
  double sum = 0;
  for (const std::string& formulation : cell.texts("formulations"))
    for (const std::string& end : cell.texts("t_ends"))
      sum += integration_cost(part_of(cell, formulation, end));
  return sum;
}

std::vector<CellMeasure> order_measures() {
  const auto formulations = [](const Cell& cell) { return cell.texts("formulations"); };
  return {{"{order,least_slope}", ""},
          {"{slope,local}_{q,v,lambda}_*_{min,max}", "", nullptr, formulations},
          {"{coarsest,finest}_{q,v,lambda}_*", "s", nullptr, formulations},
          {"{at_least_expected,expected,floor,no_convergence,off,points,pre_asymptotic,slope}_"
           "{q,v,lambda}_*",
           "", nullptr, formulations},
          {"{broken,failed,observed_only,quad,refused}_*", "", nullptr, formulations}};
}

CellResult run_orders(const Cell& given) {
  const OrdersCell cell(given);
  CellResult result;
  method_registry().make(cell.method);  // a method that exists nowhere is bad input
  if (const auto order = order_of(cell.method)) result.measures["order"] = *order;
  const OrderStudyRequest request = study_request(cell);
  // All times at once, with the digits of a repeat: one pass of each route for the whole cell.
  constexpr int digits = 36;
  reference_states(request.problem, cell.t_ends, digits);
  Record record(result);
  ProgressParts parts(std::vector<double>(cell.formulations.size(), 1.0));
  for (const std::string& formulation : cell.formulations) {
    const ProgressShare share = parts.next();
    record.add(study_orders(request, formulation));
  }
  record.finish();
  return result;
}

}  // namespace

void register_order_cell(CellKinds& kinds) {
  using Type = CellKey::Type;
  CellKind kind;
  kind.id = "orders";
  kind.keys = {required(key_method()),
               required(key_problem()),
               required({"h", Type::steps}, CellKey::Count::several),
               required({"formulations", Type::texts}),
               required({"t_ends", Type::texts}),
               {"precision"},
               {"settings", Type::settings}};
  kind.measures = order_measures();
  kind.compute = run_orders;
  kind.commands = [](const Cell& cell) -> Commands {
    Cell all = part_of(cell, fmt::format("{}", fmt::join(cell.texts("formulations"), ",")),
                       fmt::format("{}", fmt::join(cell.texts("t_ends"), ",")));
    if (cell.precision == "double") all.precision = "auto";
    return {integration_command(all)};
  };
  kind.cost = cost;
  kind.check_more = check;
  kind.reference_times = [](const Cell& cell) { return cell.texts("t_ends"); };
  kinds.add(std::move(kind));
}

}  // namespace daemark
