#include "experiments/cells/kinds/order_cell.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/orders/order_study.hpp"
#include "analysis/reference/reference.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/cells/support/cell_kind.hpp"
#include "experiments/cells/support/integration.hpp"
#include "experiments/cells/support/measure_names.hpp"
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
  Cell one = cell;
  one.kind = "integration";
  one.formulation = formulation;
  one.t_end = t_end;
  one.more = nlohmann::json::object();
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

nlohmann::json identity(const Cell& cell) {
  return {{"kind", "orders"},
          {"problem", canonical_call(cell.problem, "problem")},
          {"formulations", cell.texts("formulations")},
          {"method", canonical_call(cell.method, "method")},
          {"h", cell.h},
          {"t_ends", cell.texts("t_ends")},
          {"precision", cell.precision},
          {"settings", cell.settings}};
}

void check(const Cell& cell) {
  need(!cell.method.empty(), "method");
  need(!cell.problem.empty(), "problem");
  need(cell.h.size() > 1, "h (several)");
  need(!cell.texts("formulations").empty(), "formulations");
  need(!cell.texts("t_ends").empty(), "t_ends");
  for (const std::string& end : cell.texts("t_ends")) check_divides(cell.h, end);
}

double cost(const Cell& cell) {
  double sum = 0;
  for (const std::string& formulation : cell.texts("formulations"))
    for (const std::string& end : cell.texts("t_ends"))
      sum += integration_cost(part_of(cell, formulation, end));
  return sum;
}

bool measures(const Cell& cell, const std::string& name) {
  if (one_of(name, {"order", "least_slope"})) return true;
  const std::vector<std::string> formulations = cell.texts("formulations");
  return std::any_of(formulations.begin(), formulations.end(), [&](const std::string& formulation) {
    const std::string with = "_" + formulation;
    const std::size_t at = name.find(with);
    if (at == std::string_view::npos) return false;
    const std::string_view whole = name, stem = whole.substr(0, at),
                           end = whole.substr(at + with.size());
    if (end == "_min" || end == "_max")
      return composed(stem, {"slope", "local"}, {"_q", "_v", "_lambda"});
    return end.empty() && (one_of(stem, {"broken", "failed", "observed_only", "quad", "refused"}) ||
                           composed(stem,
                                    {"at_least_expected", "coarsest", "expected", "finest", "floor",
                                     "no_convergence", "off", "points", "pre_asymptotic", "slope"},
                                    {"_q", "_v", "_lambda"}));
  });
}

}  // namespace

CellResult run_orders(const Cell& given) {
  const OrdersCell cell(given);
  CellResult result;
  method_registry().make(cell.method);
  if (const auto order = order_of(cell.method)) result.measures["order"] = *order;
  const OrderStudyRequest request = study_request(cell);
  // All times at once, with the digits of a repeat: one pass of each route for the whole cell.
  constexpr int digits = 36;
  try {
    reference_states(request.problem, cell.t_ends, digits);
  } catch (const NoReference& failure) {
    result.status = "no_reference";
    result.why = failure.what();
    return result;
  }
  Record record(result);
  for (const std::string& formulation : cell.formulations)
    record.add(study_orders(request, formulation));
  record.finish();
  return result;
}

void register_order_cell(CellKinds& kinds) {
  using Type = CellKey::Type;
  CellKind kind;
  kind.id = "orders";
  kind.keys = {{"formulations", Type::texts}, {"t_ends", Type::texts}};
  kind.check = check;
  kind.identity = identity;
  kind.command = [](const Cell& cell) {
    Cell all = part_of(cell, fmt::format("{}", fmt::join(cell.texts("formulations"), ",")),
                       fmt::format("{}", fmt::join(cell.texts("t_ends"), ",")));
    if (cell.precision == "double") all.precision = "auto";
    return integration_command(all);
  };
  kind.cost = cost;
  kind.uses = [](const Cell& cell) -> CellUses { return {{cell.problem}, {cell.method}, {}, {}}; };
  kind.run = run_orders;
  kind.measures = measures;
  kind.is_study = [](const Cell&) { return true; };
  kind.reference_times = [](const Cell& cell) { return cell.texts("t_ends"); };
  kinds.add(std::move(kind));
}

}  // namespace daemark
