// What `daemark converge` shows of studies over step sizes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "analysis/enclosure/proof_file.hpp"
#include "analysis/orders/order_study.hpp"
#include "analysis/report/table.hpp"
#include "experiments/cli/common_options.hpp"
#include "experiments/cli/converge.hpp"
#include "methods/catalogue/registry.hpp"
#include "problems/formulations/formulation.hpp"
#include "problems/system/registry.hpp"

namespace daemark {

namespace {

using Json = Report::Json;

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
std::array<std::optional<int>, 3> derived_or_known(const ExpectedOrders& expected) {
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

/// The component of q with the largest error at the finest step.
std::string largest_component(const std::vector<BoundRun>& runs, const ConvergeResult& result) {
  const StateNames names = state_names(runs.front().problem);
  const auto finest = static_cast<std::size_t>(std::min_element(result.h.begin(), result.h.end()) -
                                               result.h.begin());
  const std::vector<double>& errors = result.component_error_q[finest];
  if (errors.size() < 2 || errors.size() != names.q.size()) return "";
  const auto worst =
      static_cast<std::size_t>(std::max_element(errors.begin(), errors.end()) - errors.begin());
  return fmt::format("  at h = {} the largest error of q is that of {}: {:.4e}\n",
                     runs[finest].request.h.text(), with_unit(names.q[worst], names.q_units[worst]),
                     errors[worst]);
}

/// A row for each step size, then the slopes.
Report table_of(const std::vector<BoundRun>& runs, const ConvergeResult& result,
                const ExpectedOrders& expected) {
  const BoundRun& one = runs.front();
  std::vector<Column> columns = {{"h", "-"}, {"h_exact", "h"}, {"status", "-"}};
  for (const std::string part : motion_parts) columns.push_back({"error_" + part, "-"});
  for (const std::string part : motion_parts) columns.push_back({"", "error_" + part});
  columns.insert(columns.end(), {{"", "iterations"}, {"", "status"}});
  ReportRows rows(columns);
  Json counts;
  std::vector<std::string> exact;
  for (std::size_t i = 0; i < result.h.size(); ++i) {
    exact.push_back(runs[i].request.h.text());
    counts.push_back(result.runs[i].counts);
    std::vector<Json> row = {result.h[i], exact.back(), result.status[i]};
    for (const auto& errors : result.error) row.emplace_back(errors[i]);
    for (std::size_t kind = 0; kind < 3; ++kind)
      row.emplace_back(error_text(result.error[kind][i], result.fit[kind].used[i]));
    row.emplace_back(counts.back().value("newton_iterations", Json()));
    row.emplace_back(result.status[i]);
    rows.add(row);
  }
  const bool multipliers = has_multipliers(one);
  const auto known = derived_or_known(expected);
  const auto& [q, v, lambda] = result.fit;
  rows.note({"slope", slope_text(q.slope), slope_text(v.slope),
             multipliers ? slope_text(lambda.slope) : "-"});
  rows.note({"local slopes", spread_text(q), spread_text(v), spread_text(lambda)});
  rows.note({"regime", verdict_text(q, known[0]), verdict_text(v, known[1]),
             multipliers ? verdict_text(lambda, known[2]) : "no multipliers"});
  rows.note(expected_row(expected, multipliers));
  Report report;
  report.lists(
      fmt::format("{}, {}, {}, t-end = {}, {}", one.problem.name, one.formulation.name(),
                  one.method_name, one.request.t_end.text(), name_of(one.request.precision)),
      rows);
  const auto set = [&](const char* name, const auto& value_of) {
    for (std::size_t kind = 0; kind < 3; ++kind)
      report.set(fmt::format("{}_{}", name, motion_parts[kind]), value_of(kind));
  };
  set("slope", [&](std::size_t kind) { return result.fit[kind].slope; });
  set("used", [&](std::size_t kind) { return result.fit[kind].used; });
  set("spread",
      [&](std::size_t kind) { return std::pair(result.fit[kind].least, result.fit[kind].most); });
  set("steps", [&](std::size_t kind) { return steps(exact, result.fit[kind]); });
  set("verdict", [&](std::size_t kind) { return verdict_text(result.fit[kind], known[kind]); });
  report.set("components", state_names(one.problem).q);
  report.set("component_error_q", result.component_error_q);
  report.set("component_slope_q", result.component_slope_q);
  return report.set("counts", counts);
}

}  // namespace

std::string error_text(double error, bool used) {
  return std::isnan(error) ? "-" : fmt::format("{:.4e}{}", error, used ? " *" : "");
}

std::string slope_text(double slope) {
  return std::isnan(slope) ? "none" : fmt::format("{:.3f}", slope);
}

std::string start_line(const std::string& method,
                       const std::map<std::string, std::string>& settings) {
  const std::string start = start_text(method, settings);
  return start.empty() ? "" : "  starts by " + start + "\n";
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

Report report_of(const std::vector<BoundRun>& runs, const ConvergeResult& result) {
  const BoundRun& one = runs.front();
  const RunRequest& request = one.request;
  const ExpectedOrders expected = slopes_expected(one);
  Report report = table_of(runs, result, expected);
  report.say("  * enters the slope (round-off and coarse steps are left out)");
  report.say(largest_component(runs, result));
  constexpr int telling = 20;
  if (result.reference_digits > 0)
    report.say(fmt::format(
        "  reference: {}{}",
        reference_standing(one.problem.name, request.t_end.text(), result.reference_digits),
        result.reference_digits < telling ? "; errors below that of the quantity are its own"
                                          : ""));
  if (!expected.reason.empty()) report.say("  expected: " + expected.reason);
  report.say(start_line(request.method, request.settings));
  const auto is = [&](SlopeVerdict verdict) {
    return std::any_of(result.fit.begin(), result.fit.end(),
                       [&](const SlopeFit& fit) { return fit.verdict == verdict; });
  };
  if (is(SlopeVerdict::pre_asymptotic))
    report.say(
        "  pre-asymptotic: the finest local slopes differ by more than 1/4 or lie below 1/2, the "
        "slope shown is that of the two finest steps; take finer ones");
  const auto known = derived_or_known(expected);
  bool above = false;
  std::string below;
  for (std::size_t kind = 0; kind < 3; ++kind) {
    above = above || is_above(result.fit[kind], known[kind]);
    if (is_below(result.fit[kind], known[kind]))
      below +=
          fmt::format("  {}: {:.3f}: below the {} {}\n", motion_parts[kind], result.fit[kind].slope,
                      expected.claimed ? "claimed" : "expected", *known[kind]);
  }
  if (above)
    report.say(
        fmt::format("  {}: the slope is above the expected order and not settled: finer steps may "
                    "show less",
                    above_expected));
  report.say(below);
  if (is(SlopeVerdict::no_convergence))
    report.say("  does not converge: the error stops falling far above round-off");
  return report;
}

Report report_of(const OrderStudyRequest& request, const FormulationOrders& found) {
  Report report;
  report.set("formulation", found.formulation).set("refusal", found.refusal);
  const std::string title = fmt::format(
      "{}, {}, {}, {}", request.problem.name, Formulation::parse(found.formulation).name(),
      method_registry().bind(request.run.method).canonical(),
      found.refusal.empty() ? name_of(found.runs.front().request.precision)
                            : "refused: " + found.refusal);
  if (!found.refusal.empty()) return report.say(title);
  report.set("precision", name_of(found.runs.front().request.precision));
  for (std::size_t kind = 0; kind < 3; ++kind) {
    report.set(fmt::format("slope_{}", motion_parts[kind]), found.seen[kind].slope());
    report.set(fmt::format("slopes_{}", motion_parts[kind]), found.seen[kind].slopes());
  }
  ReportRows rows({{"", "t-end"}, {"", "slope q"}, {"", "slope v"}, {"", "slope lambda"}});
  const bool multipliers = has_multipliers(found.runs.front());
  const auto known = derived_or_known(found.expected);
  for (std::size_t i = 0; i < found.studies.size(); ++i) {
    Json study = {{"t_end", request.t_ends[i].text()}};
    study.update(table_of(found.runs, found.studies[i], found.expected).json);
    report.json["studies"].push_back(study);
    std::vector<Json> row = {request.t_ends[i].text()};
    for (std::size_t kind = 0; kind < 3; ++kind) {
      const SlopeFit& fit = found.studies[i].fit[kind];
      row.emplace_back(kind == 2 && !multipliers ? "no multipliers"
                       : std::isnan(fit.slope)   ? slope_text(fit.slope)
                                                 : fmt::format("{} ({})", slope_text(fit.slope),
                                                               verdict_text(fit, known[kind])));
    }
    rows.add(row);
  }
  rows.note({"median", slope_text(found.seen[0].slope()), slope_text(found.seen[1].slope()),
             multipliers ? slope_text(found.seen[2].slope()) : "-"});
  rows.note(expected_row(found.expected, multipliers));
  report.rows("", title, rows);
  const auto leaves_out = [&](const ObservedSlopes& seen) {
    return !std::isnan(seen.slope()) && seen.slopes().size() < found.studies.size();
  };
  if (std::any_of(found.seen.begin(), found.seen.begin() + (multipliers ? 3 : 2), leaves_out))
    report.say("  median: of the asymptotic slopes, where there are any");
  if (found.widened)
    report.say("  in 50 digits, since round-off of double hides the expected order");
  return found.expected.reason.empty() ? report
                                       : report.say("  expected: " + found.expected.reason);
}

}  // namespace daemark
