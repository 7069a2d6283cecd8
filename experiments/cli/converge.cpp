// daemark converge
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>

#include "analysis/orders/expected_orders.hpp"
#include "analysis/run/run.hpp"
#include "base/program/interrupt.hpp"
#include "experiments/cli/common_options.hpp"
#include "experiments/cli/state_names.hpp"
#include "experiments/cli/text.hpp"
#include "experiments/cli/tolerance_study.hpp"
#include "experiments/cli/verb.hpp"
#include "methods/core/registry.hpp"
#include "problems/core/formulation.hpp"
#include "problems/core/registry.hpp"

namespace daemark {
namespace {

using nlohmann::ordered_json;

struct ConvergeOptions : IntegrationOptions {
  std::string method, tol;
};

ConvergeRequest request_of(const ConvergeOptions& options) {
  ConvergeRequest request;
  request.problem = options.problem;
  request.formulation = options.formulation;
  request.method = options.method;
  request.h = read_numbers(options.h, "--h");
  request.t_end = Expression::parse(options.t_end, "--t-end");
  request.precision = options.precision;
  request.settings = read_settings(options.settings);
  return request;
}

std::vector<ordered_json> counts_of(const std::vector<RunResult>& runs) {
  std::vector<ordered_json> counts;
  for (const RunResult& run : runs) counts.push_back(run.counts);
  return counts;
}

/// Local slopes between the steps used, least and largest.
ordered_json spread(const SlopeFit& fit) { return {fit.least, fit.most}; }

std::vector<std::string> steps(const std::vector<std::string>& h, const SlopeFit& fit) {
  std::vector<std::string> used;
  for (std::size_t i = 0; i < h.size(); ++i)
    if (fit.used[i]) used.push_back(h[i]);
  return used;
}

/// Numbers that do not exist (a failed run, no multipliers, no asymptotic range) are null.
ordered_json result_json(const ConvergeRequest& request, const ConvergeResult& result) {
  std::vector<std::string> exact;
  for (const Expression& h : request.h) exact.push_back(h.text());
  return {{"h", result.h},
          {"h_exact", exact},
          {"status", result.status},
          {"error_q", result.error_q},
          {"error_v", result.error_v},
          {"error_lambda", result.error_lambda},
          {"slope_q", result.slope_q},
          {"slope_v", result.slope_v},
          {"slope_lambda", result.slope_lambda},
          {"used_q", result.used_q},
          {"used_v", result.used_v},
          {"used_lambda", result.used_lambda},
          {"spread_q", spread(result.fit_q)},
          {"spread_v", spread(result.fit_v)},
          {"spread_lambda", spread(result.fit_lambda)},
          {"steps_q", steps(exact, result.fit_q)},
          {"steps_v", steps(exact, result.fit_v)},
          {"steps_lambda", steps(exact, result.fit_lambda)},
          {"verdict_q", slope_verdict_name(result.fit_q.verdict)},
          {"verdict_v", slope_verdict_name(result.fit_v.verdict)},
          {"verdict_lambda", slope_verdict_name(result.fit_lambda.verdict)},
          {"component_slope_q", result.component_slope_q},
          {"counts", counts_of(result.runs)}};
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

std::string order_text(const std::optional<int>& order, bool at_least = false) {
  return order ? (at_least ? ">= " : "") + std::to_string(*order) : "-";
}

void print_result(const ConvergeRequest& request, const ConvergeResult& result, std::ostream& out) {
  out << fmt::format("{}, {}, {}, t-end = {}, {}\n", problem_registry().make(request.problem).name,
                     Formulation::parse(request.formulation).name(),
                     method_registry().bind(request.method).canonical(), request.t_end.text(),
                     request.precision);
  std::vector<std::vector<std::string>> rows = {
      {"h", "error_q", "error_v", "error_lambda", "iterations", "status"}};
  for (std::size_t i = 0; i < result.h.size(); ++i) {
    const auto& counts = result.runs[i].counts;
    const auto iterations = counts.find("newton_iterations");
    rows.push_back({request.h[i].text(), error_text(result.error_q[i], result.used_q[i]),
                    error_text(result.error_v[i], result.used_v[i]),
                    error_text(result.error_lambda[i], result.used_lambda[i]),
                    iterations == counts.end() ? "-" : std::to_string(iterations->second),
                    result.status[i]});
  }
  rows.push_back({"slope", slope_text(result.slope_q), slope_text(result.slope_v),
                  slope_text(result.slope_lambda)});
  rows.push_back({"local slopes", spread_text(result.fit_q), spread_text(result.fit_v),
                  spread_text(result.fit_lambda)});
  rows.push_back({"which are", slope_verdict_name(result.fit_q.verdict),
                  slope_verdict_name(result.fit_v.verdict),
                  slope_verdict_name(result.fit_lambda.verdict)});
  const ExpectedOrders expected =
      slopes_expected(request.method, request.formulation, request.settings);
  rows.push_back({"expected", order_text(expected.q, expected.q_at_least), order_text(expected.v),
                  order_text(expected.lambda)});
  out << columns(rows) << "  * enters the slope (round-off and coarse steps are left out)\n";
  if (!expected.reason.empty()) out << "  expected: " << expected.reason << "\n";
  const auto is = [&](SlopeVerdict verdict) {
    return result.fit_q.verdict == verdict || result.fit_v.verdict == verdict ||
           result.fit_lambda.verdict == verdict;
  };
  if (is(SlopeVerdict::pre_asymptotic))
    out << "  pre-asymptotic: the finest local slopes differ by more than 1/4, the slope shown is "
           "that of the two finest steps; take finer ones\n";
  if (is(SlopeVerdict::no_convergence))
    out << "  does not converge: the error stops falling far above round-off\n";
}

int converge_verb(const ConvergeOptions& options, std::ostream& out, std::ostream& err) {
  const Watch watch(0, "daemark converge");
  if (!options.tol.empty()) return tolerance_study(options, options.method, options.tol, out, err);
  const ConvergeRequest request = request_of(options);
  const ConvergeResult result = converge(request);
  warn_of_settings(request.settings, request.precision, "converge", err);
  if (options.json) {
    out << result_json(request, result).dump(2) << "\n";
  } else {
    print_result(request, result, out);
  }
  int status = 0;
  for (std::size_t i = 0; i < result.status.size(); ++i) {
    if (result.status[i] == "ok") continue;
    err << fmt::format("daemark converge: h = {}: {}: {}\n", request.h[i].text(), result.status[i],
                       result.runs[i].why);
    status = 1;
  }
  return status;
}

}  // namespace

VerbAction declare_converge(OptionSet& app) {
  auto options = std::make_shared<ConvergeOptions>();
  app.add_option("method", options->method, "a method, with arguments where it takes some")
      ->required()
      ->type_name("M");
  add_integration_options(app, *options,
                          "step sizes [s], two or more, separated by commas; with --tol one, the "
                          "spacing of output points");
  app.get_option("--h")->type_name("H,H,...");
  app.add_option("--tol", options->tol,
                 "tolerances of step-size control or of a solver that chooses its steps, two or "
                 "more, separated by commas")
      ->type_name("TOL,TOL,...");
  return
      [options](std::ostream& out, std::ostream& err) { return converge_verb(*options, out, err); };
}

}  // namespace daemark
