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
#include "methods/core/registry.hpp"

namespace daemark {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

/// Two points always lie on a line: fewer than this show no asymptotic range.
constexpr int least_points = 3;

/// What one of q, v, λ showed at the end times of a formulation.
struct Observed {
  std::vector<double> slopes;
  double points = std::numeric_limits<double>::infinity();
  bool floor = false;
};

/// Finite errors at steps finer than the finest one used: they stand on the floor.
bool has_floor(const std::vector<double>& h, const std::vector<double>& error,
               const std::vector<bool>& used) {
  double finest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < h.size(); ++i) {
    if (used[i]) finest = std::min(finest, h[i]);
  }
  for (std::size_t i = 0; i < h.size(); ++i) {
    if (h[i] < finest && std::isfinite(error[i])) return true;
  }
  return false;
}

double middle(std::vector<double> values) {
  std::erase_if(values, [](double x) { return std::isnan(x); });
  if (values.empty()) return missing;
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/// Round-off left so few steps that a run of noise may stand for the order a theorem promises.
bool hidden(const Observed& seen, const std::optional<int>& expected) {
  if (!expected || !seen.floor || seen.points > least_points) return false;
  const double slope = middle(seen.slopes);
  return std::isnan(slope) || std::abs(slope - *expected) > 0.5;
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
Cell one_of(const Cell& cell, const std::string& formulation, const std::string& t_end) {
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
      const bool noise = hidden(seen["q"], expected.q) || hidden(seen["v"], expected.v) ||
                         hidden(seen["lambda"], expected.lambda);
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
    add(name, "q", seen["q"], expected.q);
    add(name, "v", seen["v"], expected.v);
    add(name, "lambda", seen["lambda"], expected.lambda);
  }

  void finish() {
    if (!taken_) result_.status = "refused";
    if (taken_) result_.why.clear();
    result_.measures["least_slope"] = least_;
  }

 private:
  std::map<std::string, Observed> observe(const std::string& name, const std::string& precision) {
    std::map<std::string, Observed> seen;
    double failed = 0;
    for (std::size_t i = 0; i < cell_.t_ends.size(); ++i)
      failed += at_time(name, precision, i, seen);
    result_.measures["failed_" + name] = failed;
    const double runs = static_cast<double>(cell_.t_ends.size() * cell_.h.size());
    result_.measures["broken_" + name] = failed == runs ? 1 : 0;
    return seen;
  }

  double at_time(const std::string& name, const std::string& precision, std::size_t i,
                 std::map<std::string, Observed>& seen) {
    Cell cell = one_of(cell_, name, cell_.t_ends[i]);
    cell.precision = precision;
    const ConvergeResult study = converge(converge_request(cell));
    result_.series["h"] = study.h;
    take(seen["q"], name, "q", i, study.h, study.error_q, study.used_q, study.slope_q);
    take(seen["v"], name, "v", i, study.h, study.error_v, study.used_v, study.slope_v);
    take(seen["lambda"], name, "lambda", i, study.h, study.error_lambda, study.used_lambda,
         study.slope_lambda);
    for (const RunResult& run : study.runs) result_.seconds += run.seconds;
    return static_cast<double>(std::count_if(study.status.begin(), study.status.end(),
                                             [](const auto& s) { return s != "ok"; }));
  }

  void take(Observed& seen, const std::string& name, const std::string& kind, std::size_t i,
            const std::vector<double>& h, const std::vector<double>& error,
            const std::vector<bool>& used, double slope) {
    const std::string key = fmt::format("{}_{}_t{}", kind, name, i + 1);
    result_.series["error_" + key] = error;
    result_.series["used_" + key] = {used.begin(), used.end()};
    const auto points = std::count(used.begin(), used.end(), true);
    seen.slopes.push_back(points >= least_points ? slope : missing);
    seen.points = std::min<double>(seen.points, static_cast<double>(points));
    seen.floor = seen.floor || has_floor(h, error, used);
  }

  void add(const std::string& name, const std::string& kind, const Observed& seen,
           const std::optional<int>& expected) {
    const std::string key = kind + "_" + name;
    const double slope = middle(seen.slopes);
    auto& measures = result_.measures;
    measures["slope_" + key] = rounded(slope);
    double low = missing, high = missing;
    for (const double x : seen.slopes) {
      if (std::isnan(x)) continue;
      low = std::isnan(low) ? x : std::min(low, x);
      high = std::isnan(high) ? x : std::max(high, x);
    }
    measures["slope_" + key + "_min"] = rounded(low);
    measures["slope_" + key + "_max"] = rounded(high);
    measures["points_" + key] = seen.points;
    measures["floor_" + key] = seen.floor ? 1 : 0;
    if (expected) measures["expected_" + key] = *expected;
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
      sum += integration_cost(one_of(cell, formulation, end));
  return sum;
}

}  // namespace

CellResult run_orders(const Cell& given) {
  const OrdersCell cell(given);
  CellResult result;
  method_registry().make(cell.method);
  if (const auto order = order_of(cell.method)) result.measures["order"] = *order;
  // All times at once: one pass of each route instead of one a time.
  constexpr int digits_for_double = 25, digits_beyond = 36;
  try {
    reference_states(cell.problem, cell.t_ends,
                     cell.precision == "double" ? digits_for_double : digits_beyond);
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
        one_of(cell, cell.texts("formulations").front(), cell.texts("t_ends").back()));
  };
  kind.cost = cost;
  kind.uses = [](const Cell& cell) -> CellUses { return {{cell.problem}, {cell.method}, {}, {}}; };
  kind.run = run_orders;
  kind.is_study = [](const Cell&) { return true; };
  kind.reference_times = [](const Cell& cell) { return cell.texts("t_ends"); };
  kinds.add(std::move(kind));
}

}  // namespace daemark
