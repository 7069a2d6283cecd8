// What `daemark converge` prints of studies over step sizes, as JSON and as text.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ostream>

#include "analysis/enclosure/proof_file.hpp"
#include "analysis/orders/order_study.hpp"
#include "analysis/report/table.hpp"
#include "experiments/cli/common_options.hpp"
#include "experiments/cli/converge.hpp"
#include "experiments/terminal/text.hpp"
#include "methods/catalogue/registry.hpp"
#include "problems/formulations/formulation.hpp"
#include "problems/system/registry.hpp"

namespace daemark {

using nlohmann::ordered_json;

namespace {

std::vector<std::string> steps(const std::vector<std::string>& h, const SlopeFit& fit) {
  std::vector<std::string> used;
  for (std::size_t i = 0; i < h.size(); ++i)
    if (fit.used[i]) used.push_back(h[i]);
  return used;
}

/// Settled local slopes that lie above the order to expect by more than the bound within which they
/// count as settled: a leading term that is small at these steps.
bool is_above(const SlopeFit& fit, const std::optional<int>& expected) {
  return fit.verdict == SlopeVerdict::asymptotic && expected && fit.slope > *expected + 0.25;
}
/// Settled ones that lie below it as clearly.
bool is_below(const SlopeFit& fit, const std::optional<int>& expected) {
  return fit.verdict == SlopeVerdict::asymptotic && expected &&
         daemark::is_below(fit.slope, *expected);
}
constexpr const char *above_expected = "above expected", *below_expected = "below expected";

const char* verdict_text(const SlopeFit& fit, const std::optional<int>& expected) {
  if (is_below(fit, expected)) return below_expected;
  return is_above(fit, expected) ? above_expected : slope_verdict_name(fit.verdict);
}

/// The orders of q, v, λ that are known, not only bounded from below.
std::array<std::optional<int>, 3> known_orders(const ExpectedOrders& expected) {
  return {expected.q_at_least ? std::nullopt : expected.q, expected.v, expected.lambda};
}

std::string spread_text(const SlopeFit& fit) {
  return std::isnan(fit.slope) ? "-" : fmt::format("{:.2f} to {:.2f}", fit.least, fit.most);
}

/// What a formulation without multipliers has no order of.
bool has_multipliers(const BoundRun& run) {
  return !run.formulation.info.minimal && run.system.constraints > 0;
}

std::vector<std::string> expected_row(const ExpectedOrders& expected, bool multipliers) {
  const auto text = [](const std::optional<int>& order, bool at_least = false) {
    return order ? (at_least ? ">= " : "") + std::to_string(*order) : "-";
  };
  return {"expected", text(expected.q, expected.q_at_least), text(expected.v),
          multipliers ? text(expected.lambda) : "-"};
}

/// The component of q that errs most at the finest step.
void print_components(const std::vector<BoundRun>& runs, const ConvergeResult& result,
                      std::ostream& out) {
  const StateNames names = state_names(runs.front().problem);
  const auto finest = static_cast<std::size_t>(std::min_element(result.h.begin(), result.h.end()) -
                                               result.h.begin());
  const std::vector<double>& errors = result.component_error_q[finest];
  if (errors.size() < 2 || errors.size() != names.q.size()) return;
  const auto worst =
      static_cast<std::size_t>(std::max_element(errors.begin(), errors.end()) - errors.begin());
  out << fmt::format("  at h = {} the largest error of q is that of {}: {:.4e}\n",
                     runs[finest].request.h.text(), with_unit(names.q[worst], names.q_units[worst]),
                     errors[worst]);
}

/// A row for each step size, then the slopes.
std::string table_of(const std::vector<BoundRun>& runs, const ConvergeResult& result,
                     const ExpectedOrders& expected) {
  std::vector<std::vector<std::string>> rows = {
      {"h", "error_q", "error_v", "error_lambda", "iterations", "status"}};
  for (std::size_t i = 0; i < result.h.size(); ++i) {
    const auto& counts = result.runs[i].counts;
    rows.push_back({runs[i].request.h.text()});
    for (std::size_t kind = 0; kind < 3; ++kind)
      rows.back().push_back(error_text(result.error[kind][i], result.fit[kind].used[i]));
    constexpr const char* name = "newton_iterations";
    rows.back().push_back(counts.contains(name) ? std::to_string(counts.at(name)) : "-");
    rows.back().push_back(result.status[i]);
  }
  const bool multipliers = has_multipliers(runs.front());
  const auto& [q, v, lambda] = result.fit;
  rows.push_back({"slope", slope_text(q.slope), slope_text(v.slope),
                  multipliers ? slope_text(lambda.slope) : "-"});
  rows.push_back({"local slopes", spread_text(q), spread_text(v), spread_text(lambda)});
  const auto known = known_orders(expected);
  rows.push_back({"regime", verdict_text(q, known[0]), verdict_text(v, known[1]),
                  multipliers ? verdict_text(lambda, known[2]) : "no multipliers"});
  rows.push_back(expected_row(expected, multipliers));
  return columns(rows);
}

}  // namespace

std::string error_text(double error, bool used) {
  return std::isnan(error) ? "-" : fmt::format("{:.4e}{}", error, used ? " *" : "");
}

std::string slope_text(double slope) {
  return std::isnan(slope) ? "none" : fmt::format("{:.3f}", slope);
}

void print_start(const std::string& method, const std::map<std::string, std::string>& settings,
                 std::ostream& out) {
  const std::string start = start_text(method, settings);
  if (!start.empty()) out << "  starts by " << start << "\n";
}

ordered_json result_json(const std::vector<BoundRun>& runs, const ConvergeResult& result,
                         const ExpectedOrders& expected) {
  std::vector<std::string> exact;
  for (const BoundRun& run : runs) exact.push_back(run.request.h.text());
  ordered_json out = {{"h", result.h}, {"h_exact", exact}, {"status", result.status}};
  const auto add = [&](const char* name, const auto& value_of) {
    for (std::size_t kind = 0; kind < 3; ++kind)
      out[fmt::format("{}_{}", name, motion_parts[kind])] = value_of(kind);
  };
  add("error", [&](std::size_t kind) { return result.error[kind]; });
  add("slope", [&](std::size_t kind) { return result.fit[kind].slope; });
  add("used", [&](std::size_t kind) { return result.fit[kind].used; });
  add("spread",
      [&](std::size_t kind) { return std::pair(result.fit[kind].least, result.fit[kind].most); });
  add("steps", [&](std::size_t kind) { return steps(exact, result.fit[kind]); });
  add("verdict", [&, known = known_orders(expected)](std::size_t kind) {
    return verdict_text(result.fit[kind], known[kind]);
  });
  out["components"] = state_names(runs.front().problem).q;
  out["component_error_q"] = result.component_error_q;
  out["component_slope_q"] = result.component_slope_q;
  for (const RunResult& run : result.runs) out["counts"].push_back(run.counts);
  return out;
}

std::string latex_result(const std::vector<BoundRun>& runs, const ConvergeResult& result) {
  const BoundRun& one = runs.front();
  const bool multipliers = has_multipliers(one);
  Table table;
  table.caption = fmt::format("{}, {}, {}: errors at t = {} s", one.method_name, one.problem.name,
                              one.formulation.name(), one.request.t_end.text());
  table.head = {"h [s]", "error of q", "error of v"};
  if (multipliers) table.head.emplace_back("error of λ");
  const std::size_t kinds = table.head.size() - 1;
  const auto add = [&](const std::string& label, const auto& text) {
    std::vector<std::string> row = {label};
    for (std::size_t kind = 0; kind < kinds; ++kind) row.push_back(text(kind));
    table.rows.push_back(std::move(row));
  };
  for (std::size_t i = 0; i < result.h.size(); ++i)
    add(runs[i].request.h.text(),
        [&](std::size_t kind) { return error_text(result.error[kind][i]); });
  table.rows.emplace_back();
  add("slope", [&](std::size_t kind) { return slope_text(result.fit[kind].slope); });
  const std::vector<std::string> expected = expected_row(slopes_expected(one), multipliers);
  add("expected", [&](std::size_t kind) { return expected[kind + 1]; });
  return latex(table, "tab:convergence");
}

void print_result(const std::vector<BoundRun>& runs, const ConvergeResult& result,
                  std::ostream& out) {
  const BoundRun& one = runs.front();
  const RunRequest& request = one.request;
  const ExpectedOrders expected = slopes_expected(one);
  out << fmt::format("{}, {}, {}, t-end = {}, {}\n", one.problem.name, one.formulation.name(),
                     one.method_name, request.t_end.text(), name_of(request.precision))
      << table_of(runs, result, expected)
      << "  * enters the slope (round-off and coarse steps are left out)\n";
  print_components(runs, result, out);
  constexpr int telling = 20;
  if (result.reference_digits > 0)
    out << fmt::format(
        "  reference: {}{}\n",
        reference_standing(one.problem.name, request.t_end.text(), result.reference_digits),
        result.reference_digits < telling ? "; errors below that of the quantity are its own" : "");
  if (!expected.reason.empty()) out << "  expected: " << expected.reason << "\n";
  print_start(request.method, request.settings, out);
  const auto is = [&](SlopeVerdict verdict) {
    return std::any_of(result.fit.begin(), result.fit.end(),
                       [&](const SlopeFit& fit) { return fit.verdict == verdict; });
  };
  if (is(SlopeVerdict::pre_asymptotic))
    out << "  pre-asymptotic: the finest local slopes differ by more than 1/4 or lie below 1/2, "
           "the "
           "slope shown is that of the two finest steps; take finer ones\n";
  const auto known = known_orders(expected);
  for (std::size_t kind = 0; kind < 3; ++kind)
    if (is_above(result.fit[kind], known[kind])) {
      out << "  " << above_expected
          << ": the slope is above what is expected, not settled: finer steps may show less\n";
      break;
    }
  for (std::size_t kind = 0; kind < 3; ++kind)
    if (is_below(result.fit[kind], known[kind]))
      out << fmt::format("  {}: {:.3f}: below the {} {}\n", motion_parts[kind],
                         result.fit[kind].slope, expected.claimed ? "claimed" : "expected",
                         *known[kind]);
  if (is(SlopeVerdict::no_convergence))
    out << "  does not converge: the error stops falling far above round-off\n";
}

ordered_json study_json(const OrderStudyRequest& request, const FormulationOrders& found) {
  ordered_json out = {{"formulation", found.formulation}, {"refusal", found.refusal}};
  if (!found.refusal.empty()) return out;
  out["precision"] = name_of(found.runs.front().request.precision);
  for (std::size_t kind = 0; kind < 3; ++kind) {
    out[fmt::format("slope_{}", motion_parts[kind])] = found.seen[kind].slope();
    out[fmt::format("slopes_{}", motion_parts[kind])] = found.seen[kind].slopes();
  }
  for (std::size_t i = 0; i < found.studies.size(); ++i) {
    ordered_json one = {{"t_end", request.t_ends[i].text()}};
    one.update(result_json(found.runs, found.studies[i], found.expected));
    out["studies"].push_back(one);
  }
  return out;
}

void print_study(const OrderStudyRequest& request, const FormulationOrders& found,
                 std::ostream& out) {
  out << fmt::format("{}, {}, {}, {}\n", request.problem.name,
                     Formulation::parse(found.formulation).name(),
                     method_registry().bind(request.run.method).canonical(),
                     found.refusal.empty() ? name_of(found.runs.front().request.precision)
                                           : "refused: " + found.refusal);
  if (!found.refusal.empty()) return;
  std::vector<std::vector<std::string>> rows = {{"t-end", "slope q", "slope v", "slope lambda"}};
  const bool multipliers = has_multipliers(found.runs.front());
  const auto known = known_orders(found.expected);
  for (std::size_t i = 0; i < found.studies.size(); ++i) {
    rows.push_back({request.t_ends[i].text()});
    for (std::size_t kind = 0; kind < 3; ++kind) {
      const SlopeFit& fit = found.studies[i].fit[kind];
      rows.back().push_back(kind == 2 && !multipliers ? "no multipliers"
                            : std::isnan(fit.slope)   ? slope_text(fit.slope)
                                                    : fmt::format("{} ({})", slope_text(fit.slope),
                                                                  verdict_text(fit, known[kind])));
    }
  }
  rows.push_back({"median", slope_text(found.seen[0].slope()), slope_text(found.seen[1].slope()),
                  multipliers ? slope_text(found.seen[2].slope()) : "-"});
  rows.push_back(expected_row(found.expected, multipliers));
  out << columns(rows);
  const auto leaves_out = [&](const ObservedSlopes& seen) {
    return !std::isnan(seen.slope()) && seen.slopes().size() < found.studies.size();
  };
  if (std::any_of(found.seen.begin(), found.seen.begin() + (multipliers ? 3 : 2), leaves_out))
    out << "  median: of the asymptotic slopes, where there are any\n";
  if (found.widened) out << "  in 50 digits, since round-off of double hides the expected order\n";
  if (!found.expected.reason.empty()) out << "  expected: " << found.expected.reason << "\n";
}

}  // namespace daemark
