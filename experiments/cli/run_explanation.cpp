#include "experiments/cli/run_explanation.hpp"

#include <fmt/format.h>

#include <cmath>

#include "analysis/reference/reference.hpp"
#include "experiments/explain/explain_error.hpp"
#include "experiments/explain/explain_failure.hpp"

namespace daemark {
namespace {

using Json = Report::Json;

/// Columns q, v, λ; NaN is shown as "-" and null in JSON.
void add_sizes(std::vector<Json>& row, const std::array<double, 3>& sizes) {
  for (const double size : sizes) row.push_back(std::isnan(size) ? Json(nullptr) : Json(size));
}

std::string advice_of(const ErrorExplanation& found) {
  if (found.largest == "reference")
    return fmt::format("Largest: reference ({}). The run is as accurate as what it is judged by.",
                       found.reference);
  if (found.setting.empty()) return fmt::format("Largest: {}.", found.largest);
  std::string text =
      fmt::format("Largest: {}. {} leads to an error of ", found.largest, found.setting);
  text += std::isnan(found.predicted) ? "an unknown size (predicted)"
                                      : fmt::format("{:.2e} (predicted)", found.predicted);
  text += std::isnan(found.rerun) ? "; the rerun does not end"
                                  : fmt::format(", {:.2e} (rerun)", found.rerun);
  if (found.order != 0 && !std::isnan(found.order))
    text += fmt::format("; observed order {:.2g}", found.order);
  if (found.rerun >= found.error[0]) text += ". It does not lower the error";
  return text + ".";
}

Json explain_ended(const BoundRun& run, double seconds, Report& report) {
  const ErrorExplanation found = explain_error(run, seconds);
  ReportRows rows({{"part", ""},
                   {"q", "q", "{:.2e}"},
                   {"v", "v", "{:.2e}"},
                   {"lambda", "lambda", "{:.2e}"},
                   {"share", "share of q", "{:.3f}"},
                   {"unknown", ""}});
  const double sum = found.sum();
  for (const ErrorPart& part : found.parts) {
    std::vector<Json> row = {part.name};
    add_sizes(row, part.size());
    row.push_back(part.unknown.empty() && sum > 0 ? Json(part.size()[0] / sum) : Json(nullptr));
    row.push_back(part.unknown.empty() ? "" : "not measured: " + part.unknown);
    rows.add(row);
  }
  std::vector<Json> doubt = {"reference"}, all = {"error"};
  add_sizes(doubt, found.doubt), add_sizes(all, found.error);
  doubt.insert(doubt.end(), {nullptr, "at most, " + found.reference});
  rows.add(doubt), rows.add(all);
  report.rows("", "what the error is made of", rows).say(advice_of(found));
  return {{"parts", rows.objects()},      {"sum_over_error", sum / found.error[0]},
          {"largest", found.largest},     {"setting", found.setting},
          {"predicted", found.predicted}, {"rerun", found.rerun},
          {"order", found.order}};
}

Json explain_failed(const BoundRun& run, const RunResult& result, double seconds, Report& report) {
  const FailureExplanation found = explain_failure(run, result, seconds);
  ReportRows rows({{"change", "change"}, {"status", "status"}, {"t", "until t [s]"}});
  for (const FailureTrial& trial : found.trials) rows.add({trial.what, trial.status, trial.t});
  report.rows("", "reruns with one change", rows);
  report.say(fmt::format("Why it failed: {}.", found.sentence));
  if (!found.setting.empty()) report.say("A run that reaches the end: " + found.setting);
  return {{"cause", found.cause},
          {"sentence", found.sentence},
          {"setting", found.setting},
          {"trials", rows.objects()}};
}

}  // namespace

void add_explanation(const BoundRun& run, const RunResult& result, double seconds, Report& report) {
  const bool ended = result.status == "ok" || result.status == "no_reference";
  try {
    report.set("explanation", ended ? explain_ended(run, seconds, report)
                                    : explain_failed(run, result, seconds, report));
  } catch (const NoReference& why) {
    report.set("explanation", {{"unknown", why.what()}});
    report.say(fmt::format("The error is not explained: {}.", why.what()));
  }
}

}  // namespace daemark
