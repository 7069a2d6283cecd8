// daemark converge
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>

#include "analysis/orders/measured_order.hpp"
#include "analysis/orders/order_study.hpp"
#include "analysis/run/run.hpp"
#include "analysis/setup/bound_run.hpp"
#include "experiments/cli/common_options.hpp"
#include "experiments/cli/inside_study.hpp"
#include "experiments/cli/state_names.hpp"
#include "experiments/cli/study_cells.hpp"
#include "experiments/cli/tolerance_study.hpp"
#include "experiments/cli/verb.hpp"
#include "experiments/terminal/progress_line.hpp"
#include "experiments/terminal/text.hpp"
#include "methods/catalogue/registry.hpp"
#include "problems/formulations/formulation.hpp"
#include "problems/system/registry.hpp"

namespace daemark {
namespace {

using nlohmann::ordered_json;

struct ConvergeOptions : IntegrationOptions {
  std::string tol;
  unsigned jobs = 0;
  bool inside = false;
  /// Several formulations or end times, or a precision that follows from the theory.
  bool is_order_study() const {
    return precision == "auto" || read_calls(formulation).size() > 1 ||
           read_calls(t_end).size() > 1;
  }
};

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

/// Numbers that do not exist (a failed run, no multipliers, no asymptotic range) are null.
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

/// A star marks the errors that enter the slope.
std::string error_text(double error, bool used) {
  return std::isnan(error) ? "-" : fmt::format("{:.4e}{}", error, used ? " *" : "");
}

std::string slope_text(double slope) {
  return std::isnan(slope) ? "none" : fmt::format("{:.3f}", slope);
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

void print_start(const std::string& method, const std::map<std::string, std::string>& settings,
                 std::ostream& out) {
  const std::string start = start_text(method, settings);
  if (!start.empty()) out << "  starts by " << start << "\n";
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
  rows.push_back({"which are", verdict_text(q, known[0]), verdict_text(v, known[1]),
                  multipliers ? verdict_text(lambda, known[2]) : "no multipliers"});
  rows.push_back(expected_row(expected, multipliers));
  return columns(rows);
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
  if (result.reference_digits > 0 && result.reference_digits < telling)
    out << fmt::format(
        "  the reference is known to {} digits: errors below that of the quantity are its own\n",
        result.reference_digits);
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

OrderStudyRequest study_of(const ConvergeOptions& options) {
  OrderStudyRequest study;
  study.h = read_numbers(options.h, "--h");
  study.t_ends = read_numbers(options.t_end, "--t-end");
  study.widen = options.precision == "auto";
  const IntegrationOptions& common = options;
  IntegrationOptions plain = common;
  if (study.widen) plain.precision = "double";
  study.run = request_of(plain);
  study.problem = problem_registry().make(options.problem);
  return study;
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

/// The slopes at each end time and the middle ones.
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
  rows.push_back({"middle", slope_text(found.seen[0].slope()), slope_text(found.seen[1].slope()),
                  multipliers ? slope_text(found.seen[2].slope()) : "-"});
  rows.push_back(expected_row(found.expected, multipliers));
  out << columns(rows);
  const auto leaves_out = [&](const ObservedSlopes& seen) {
    return !std::isnan(seen.slope()) && seen.slopes().size() < found.studies.size();
  };
  if (std::any_of(found.seen.begin(), found.seen.begin() + (multipliers ? 3 : 2), leaves_out))
    out << "  middle: of the asymptotic slopes, where there are any\n";
  if (found.widened) out << "  in 50 digits, since round-off of double hides the expected order\n";
  if (!found.expected.reason.empty()) out << "  expected: " << found.expected.reason << "\n";
}

/// Returns whether every run of it reached its end.
bool tell_failures(const OrderStudyRequest& request, const FormulationOrders& found,
                   std::ostream& err) {
  bool all = true;
  for (std::size_t k = 0; k < found.studies.size(); ++k) {
    const ConvergeResult& study = found.studies[k];
    for (std::size_t i = 0; i < study.status.size(); ++i) {
      if (study.status[i] == "ok" || study.status[i] == "not_run") continue;
      err << fmt::format("daemark converge: {}, t-end = {}, h = {}: {}: {}\n", found.formulation,
                         request.t_ends[k].text(), request.h[i].text(), study.status[i],
                         study.runs[i].why);
      all = false;
    }
  }
  return all;
}

/// To every end time, of the formulations that the method takes.
std::vector<BoundRun> runs_of(const OrderStudyRequest& request,
                              const std::vector<std::string>& formulations) {
  std::vector<BoundRun> all;
  for (const std::string& formulation : formulations) {
    RunRequest run = request.run;
    run.formulation = formulation;
    try {
      std::vector<BoundRun> of_this;
      for (const Expression& end : request.t_ends) {
        run.t_end = end;
        for (BoundRun& one : bind_study(run, request.h, request.problem))
          of_this.push_back(std::move(one));
      }
      all.insert(all.end(), of_this.begin(), of_this.end());
    } catch (const BadInput&) {  // the study says why
    }
  }
  return all;
}

int order_study_verb(const ConvergeOptions& options, std::ostream& out, std::ostream& err) {
  OrderStudyRequest request = study_of(options);
  const std::vector<std::string> formulations = read_calls(options.formulation);
  const StudyCells cells(runs_of(request, formulations), options.jobs);
  if (cells.ends()) return *cells.ends();
  request.together = cells;
  ordered_json list = ordered_json::array();
  bool all_ran = true;
  int taken = 0;
  std::string refusal;
  for (const std::string& formulation : formulations) {
    const FormulationOrders found = [&] {
      const ProgressLine progress(err, formulation);
      return study_orders(request, formulation);
    }();
    if (found.refusal.empty())
      ++taken;
    else
      refusal = found.refusal;
    if (options.json)
      list.push_back(study_json(request, found));
    else
      print_study(request, found, out), out << std::flush;  // the next may take long
    all_ran = tell_failures(request, found, err) && all_ran;
  }
  if (taken == 0) throw BadInput(refusal);
  if (options.json)
    out << list.dump(2) << "\n";
  else
    print_start(request.run.method, request.run.settings, out);
  return all_ran ? 0 : 1;
}

int converge_verb(const ConvergeOptions& options, std::ostream& out, std::ostream& err) {
  const Compiling compiling(options.compile, "converge", err);
  method_registry().make(options.method);
  if (options.precision != "auto" && !is_precision(options.precision))
    throw BadInput(fmt::format("--precision: '{}', accepted: auto, {}", options.precision,
                               fmt::join(precision_names, ", ")));
  warn_of_defects("converge", {options.method}, err);
  if (options.inside && (!options.tol.empty() || options.is_order_study()))
    throw BadInput("--inside: accepted: step sizes, one formulation, end time and precision");
  if (options.inside) return inside_study(options, out, err);
  if (!options.tol.empty()) return tolerance_study(options, options.tol, options.jobs, out, err);
  require_given_steps(options.method);
  if (options.is_order_study()) return order_study_verb(options, out, err);
  RunRequest request = request_of(options);
  request.t_end = Expression::parse(options.t_end, "--t-end");
  const std::vector<BoundRun> runs = bind_study(request, read_numbers(options.h, "--h"));
  const StudyCells cells(runs, options.jobs);
  if (cells.ends()) return *cells.ends();
  const ConvergeResult result = [&] {
    const ProgressLine progress(err, options.problem);
    return std::move(converge(runs, {request.t_end}, 0, cells).front());
  }();
  warn_of_settings(runs.front().settings, "converge", err);
  if (options.json)
    out << result_json(runs, result, slopes_expected(runs.front())).dump(2) << "\n";
  else
    print_result(runs, result, out);
  int status = 0;
  for (std::size_t i = 0; i < result.status.size(); ++i) {
    if (result.status[i] == "ok") continue;
    err << fmt::format("daemark converge: h = {}: {}: {}\n", runs[i].request.h.text(),
                       result.status[i], result.runs[i].why);
    status = 1;
  }
  return status;
}

}  // namespace

VerbAction declare_converge(OptionSet& app) {
  auto options = std::make_shared<ConvergeOptions>();
  app.add_option("method", options->method, "M", "a method, with arguments where it takes some")
      ->required();
  // Of several end times, as a single one misleads where a component turns, the middle slopes.
  add_integration_options(app, *options, true,
                          "step sizes [s], two or more, separated by commas; with --tol one, the "
                          "spacing of output points");
  app.add_option("--tol", options->tol, "TOL,TOL,...",
                 "tolerances of step-size control or of a solver that chooses its steps, two or "
                 "more, separated by commas");
  app.add_flag("--inside", options->inside,
               "errors of the values inside steps: in the middle of the last of steps near --h");
  constexpr unsigned most_jobs = 1024;
  app.add_option("--jobs", options->jobs, "N", "threads, default one a core")->range(1U, most_jobs);
  return [options](auto& out, auto& err) { return converge_verb(*options, out, err); };
}

}  // namespace daemark
