#include "experiments/cells/order_cell.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/orders/expected_orders.hpp"
#include "analysis/reference/reference.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/cells/cell_kind.hpp"
#include "experiments/cells/integration.hpp"
#include "experiments/cells/measure_names.hpp"
#include "methods/core/registry.hpp"

namespace daemark {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

/// What one of q, v, λ showed at the end times of a formulation.
struct Observed {
  std::vector<double> settled, preliminary;  ///< slopes of asymptotic ranges; others, if any
  double points = std::numeric_limits<double>::infinity();
  double least = std::numeric_limits<double>::infinity(), most = -least;  ///< local slopes
  double finest = std::numeric_limits<double>::infinity(), coarsest = 0;  ///< steps used
  int stagnating = 0;
  bool floor = false;
};

double middle(std::vector<double> values) {
  if (values.empty()) return missing;
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/// Round-off left so few steps that they do not show the order a theorem promises.
bool hidden(const Observed& seen, const std::optional<int>& expected, bool at_least) {
  constexpr int few_points = 3;
  if (!expected || !seen.floor) return false;
  if (seen.settled.empty()) return true;
  if (seen.points > few_points) return false;
  const double off = middle(seen.settled) - *expected;
  return at_least ? off < -0.5 : std::abs(off) > 0.5;
}

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

class Study {
 public:
  Study(const OrdersCell& cell, CellResult& result) : cell_(cell), result_(result) {}

  void formulation(const std::string& name) {
    const ExpectedOrders expected = slopes_expected(cell_.method, name, cell_.settings);
    std::map<std::string, Observed> seen;
    try {
      seen = observe(name, cell_.precision);
      const bool noise = hidden(seen["q"], expected.q, expected.q_at_least) ||
                         hidden(seen["v"], expected.v, false) ||
                         hidden(seen["lambda"], expected.lambda, false);
      if (cell_.precision == "double" && noise) {
        seen = observe(name, "quad");
        result_.measures["quad_" + name] = 1;
      }
    } catch (const BadInput& refusal) {
      result_.measures["refused_" + name] = 1;
      if (result_.why.empty()) result_.why = refusal.what();
      return;
    }
    taken_ = true;
    if (expected.observed_only) result_.measures["observed_only_" + name] = 1;
    if (expected.q && expected.q_at_least) result_.measures["at_least_expected_q_" + name] = 1;
    add(name, "q", seen["q"], expected.q, expected.q_at_least);
    add(name, "v", seen["v"], expected.v, false);
    add(name, "lambda", seen["lambda"], expected.lambda, false);
  }

  void finish() {
    if (!taken_) result_.status = "refused";
    if (taken_) result_.why.clear();
    result_.measures["least_slope"] = least_;
  }

 private:
  std::map<std::string, Observed> observe(const std::string& name, const std::string& precision) {
    std::map<std::string, Observed> seen;
    double failed = 0, runs = 0;
    for (std::size_t i = 0; i < cell_.t_ends.size(); ++i) {
      const ConvergeResult study = at_time(name, precision, i, seen);
      for (const std::string& status : study.status) {
        if (status == "not_run") continue;
        ++runs;
        if (status != "ok") ++failed;
      }
    }
    result_.measures["failed_" + name] = failed;
    result_.measures["broken_" + name] = failed == runs ? 1 : 0;
    return seen;
  }

  ConvergeResult at_time(const std::string& name, const std::string& precision, std::size_t i,
                         std::map<std::string, Observed>& seen) {
    Cell cell = part_of(cell_, name, cell_.t_ends[i]);
    cell.precision = precision;
    ConvergeRequest request = converge_request(cell);
    // Repeated for the steps that round-off of double covers: what comes after them shows no more.
    constexpr int enough = 4;
    if (precision != cell_.precision) request.enough_points = enough;
    ConvergeResult study = converge(request);
    result_.series["h"] = study.h;
    take(seen["q"], fmt::format("q_{}_t{}", name, i + 1), study.h, study.error_q, study.fit_q);
    take(seen["v"], fmt::format("v_{}_t{}", name, i + 1), study.h, study.error_v, study.fit_v);
    take(seen["lambda"], fmt::format("lambda_{}_t{}", name, i + 1), study.h, study.error_lambda,
         study.fit_lambda);
    for (const RunResult& run : study.runs) result_.seconds += run.seconds;
    return study;
  }

  void take(Observed& seen, const std::string& key, const std::vector<double>& h,
            const std::vector<double>& error, const SlopeFit& fit) {
    result_.series["error_" + key] = error;
    result_.series["used_" + key] = {fit.used.begin(), fit.used.end()};
    result_.series["verdict_" + key] = {static_cast<double>(fit.verdict)};
    seen.points = std::min<double>(seen.points, fit.points());
    seen.floor =
        seen.floor || std::find(fit.floor.begin(), fit.floor.end(), true) != fit.floor.end();
    for (std::size_t k = 0; k < h.size(); ++k) {
      if (!fit.used[k]) continue;
      seen.finest = std::min(seen.finest, h[k]);
      seen.coarsest = std::max(seen.coarsest, h[k]);
    }
    if (std::isnan(fit.slope)) return;
    seen.least = std::min(seen.least, fit.least);
    seen.most = std::max(seen.most, fit.most);
    const bool stagnates = fit.verdict == SlopeVerdict::no_convergence;
    if (stagnates) ++seen.stagnating;
    if (stagnates || fit.verdict == SlopeVerdict::asymptotic)
      seen.settled.push_back(fit.slope);
    else if (fit.verdict == SlopeVerdict::pre_asymptotic)
      seen.preliminary.push_back(fit.slope);
  }

  void add(const std::string& name, const std::string& kind, const Observed& seen,
           const std::optional<int>& expected, bool at_least) {
    const std::string key = kind + "_" + name;
    auto& measures = result_.measures;
    // Most end times decide: slopes of ranges that are not asymptotic stand in where no other is.
    const bool preliminary = seen.settled.empty() && !seen.preliminary.empty();
    const std::vector<double>& slopes = preliminary ? seen.preliminary : seen.settled;
    const double slope = middle(slopes);
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
    if (preliminary) measures["pre_asymptotic_" + key] = 1;
    if (2 * seen.stagnating > static_cast<int>(slopes.size()))
      measures["no_convergence_" + key] = 1;
    if (expected) {
      measures["expected_" + key] = *expected;
      const double off = slope - *expected;
      measures["off_" + key] = at_least ? rounded(std::min(off, 0.0)) : rounded(off);
    }
    if (!std::isnan(slope))
      least_ = std::isnan(least_) ? rounded(slope) : std::min(least_, rounded(slope));
  }

  const OrdersCell& cell_;
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
  // All times at once, with the digits of a repeat: one pass of each route for the whole cell.
  constexpr int digits = 36;
  try {
    reference_states(cell.problem, cell.t_ends, digits);
  } catch (const NoReference& failure) {
    result.status = "no_reference";
    result.why = failure.what();
    return result;
  }
  Study study(cell, result);
  for (const std::string& formulation : cell.formulations) study.formulation(formulation);
  study.finish();
  return result;
}

void register_order_cell(CellKinds& kinds) {
  using Type = CellKey::Type;
  CellKind kind;
  kind.id = "orders";
  kind.file = __FILE__;
  kind.keys = {{"formulations", Type::texts}, {"t_ends", Type::texts}};
  kind.check = check;
  kind.identity = identity;
  kind.command = [](const Cell& cell) {  // one of the study; the others by changing these two
    return integration_command(
        part_of(cell, cell.texts("formulations").front(), cell.texts("t_ends").back()));
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
