// daemark run
#include "analysis/run/run.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>

#include "analysis/enclosure/proof_file.hpp"
#include "analysis/reference/reference.hpp"
#include "analysis/setup/bound_run.hpp"
#include "base/text/printable.hpp"
#include "experiments/cli/common_options.hpp"
#include "experiments/cli/run_files.hpp"
#include "experiments/cli/verb.hpp"
#include "experiments/compare/comparison.hpp"
#include "experiments/engine/run/study.hpp"
#include "experiments/explain/explain.hpp"
#include "experiments/terminal/progress_line.hpp"
#include "experiments/terminal/text.hpp"
#include "problems/system/remarks.hpp"

namespace daemark {
namespace {

using nlohmann::ordered_json;

struct RunOptions : IntegrationOptions {
  std::string trajectory, sensitivity;
  std::vector<std::string> plot, events, ends;
  AnimationOptions animation;
  long every = 1;
  int repeat = 1;
  bool errors = false, explain = false;
  double explain_seconds = 60;
};

RunRequest run_request(const RunOptions& options) {
  if (options.h.find(',') != std::string::npos)
    throw BadInput("--h: " + printable(options.h) +
                   ": several step sizes; accepted: one (converge takes several)");
  RunRequest request = request_of(options);
  request.h = read_time(options.h, "--h");
  request.t_end = read_time(options.t_end, "--t-end");
  for (const std::string& event : options.ends)
    request.events.push_back(EventRequest::parse(event, "--until", true));
  for (const std::string& event : options.events)
    request.events.push_back(EventRequest::parse(event, "--event", false));
  request.errors = options.errors;
  request.warnings = true;
  return request;
}

/// The request with every default written out.
ordered_json request_json(const BoundRun& run) {
  const RunRequest& request = run.request;
  ordered_json settings = ordered_json::object();
  for (const SettingInfo& info : setting_infos())
    settings[info.key] =
        request.settings.contains(info.key) ? request.settings.at(info.key) : info.fallback;
  settings["newton.tol"] = fmt::format("{}", static_cast<double>(run.settings.newton.tol));
  return {{"problem", run.problem.name},   {"formulation", run.formulation.name()},
          {"method", run.method_name},     {"h", request.h.text()},
          {"t_end", request.t_end.text()}, {"precision", name_of(request.precision)},
          {"settings", settings}};
}

/// "error_q_0" is the error of the first reference coordinate.
std::string shown_measure(const std::string& measure, const StateNames& reference) {
  constexpr std::string_view prefix = "error_q_";
  if (!measure.starts_with(prefix)) return measure;
  const auto i = static_cast<std::size_t>(std::stoi(measure.substr(prefix.size())));
  return i < reference.q.size() ? "error of " + with_unit(reference.q[i], reference.q_units[i])
                                : measure;
}

ReportRows events_of(const RunResult& result) {
  ReportRows rows({{"event", ""}, {"t", "-"}, {"", ""}, {"direction", ""}});
  for (const EventFound& event : result.events)
    rows.add({event.event, event.t, "t = " + event.t + " s", event.rising ? "rising" : "falling"});
  return rows;
}

void add_state(const RunResult& result, const StateNames& names, Report& report) {
  ReportRows state({{"", ""}, {"", "unit"}, {"q", "q"}, {"v", "v"}, {"a", "a"}});
  for (std::size_t i = 0; i < result.q.size(); ++i)
    state.add({names.q[i], names.q_units[i], result.q[i], result.v[i],
               i < result.a.size() ? result.a[i] : ""});
  ReportRows outputs({{"", ""}, {"", ""}, {"", ""}});
  for (const OutputInfo& output : names.outputs)
    outputs.add({output.id, brief(result.outputs.at(output.id)), output.unit});
  ReportRows multipliers({{"", ""}, {"", ""}, {"lambda", ""}});
  for (std::size_t i = 0; i < result.lambda.size(); ++i)
    multipliers.add({names.lambda[i], names.lambda_units[i], result.lambda[i]});
  report.lists(fmt::format("state at t = {:.10g} s (v per s, a per s^2)", result.t), state);
  report.set("a", result.a).set("outputs", result.outputs).set("lambda", result.lambda);
  report.rows("", "outputs", outputs).rows("", "multipliers", multipliers);
}

/// Degrees of freedom and rows left out, of mechanisms that say so.
void add_remarks(const BoundRun& run, Report& report) {
  const auto mechanism = run.problem.make<double>(run.formulation.info.minimal);
  const auto* remarked = dynamic_cast<const Remarked*>(mechanism.get());
  if (!remarked || remarked->remarks().empty()) return;
  report.set("remarks", remarked->remarks());
  for (const std::string& remark : remarked->remarks()) report.say(remark);
}

/// The time, of several runs the median and how far they spread.
void add_times(const std::vector<double>& times, Report& report) {
  const auto [min, q1, median, q3, max] = time_statistics(times);
  report.set("seconds", min);
  if (times.size() < 2) {
    report.say(fmt::format("time {:.4g} ms", min * 1e3));
    return;
  }
  report.set("times", {{"runs", times.size()},
                       {"min", min},
                       {"q1", q1},
                       {"median", median},
                       {"q3", q3},
                       {"max", max}});
  report.say(fmt::format(
      "time {:.4g} ms, the median of {} runs; half of them {:.4g} to {:.4g}, all {:.4g} to {:.4g} "
      "ms",
      median * 1e3, times.size(), q1 * 1e3, q3 * 1e3, min * 1e3, max * 1e3));
}

Report report_of(const BoundRun& run, const RunResult& result, const StateNames& names,
                 const std::vector<std::string>& ignored_settings,
                 const std::vector<double>& times) {
  const StateNames reference = state_names(run.problem);
  const RunRequest& request = run.request;
  ordered_json seen = request_json(run), not_resolved = ordered_json::object();
  seen.update(provenance());
  const std::string note = work_note(result.measures);
  if (!note.empty()) not_resolved["energy_error"] = note;
  ReportRows measures({{"", ""}, {"", ""}, {"", ""}});
  for (const auto& [name, value] : result.measures)
    measures.add({shown_measure(name, reference), shown_value(name, value, result.measures),
                  unit_of_measure(name, names)});
  Report report;
  report.keys({"status", "why", "t", "q", "v", "lambda", "a", "outputs", "measures", "not_resolved",
               "ignored_settings", "counts", "events", "sensitivities", "explanation", "warnings",
               "provenance", "seconds", "times"});
  report.set("status", result.status).set("why", result.why).set("t", result.t);
  report.set("measures", result.measures).set("not_resolved", not_resolved);
  report.set("ignored_settings", ignored_settings).set("warnings", result.warnings);
  report.set("provenance", seen);
  report.say(fmt::format("{}, {}, {}\nh = {}, t-end = {}, {}\nstatus {}{}", run.problem.name,
                         run.formulation.name(), run.method_name, request.h.text(),
                         request.t_end.text(), name_of(request.precision), result.status,
                         result.why.empty() ? "" : ": " + result.why));
  add_remarks(run, report);
  report.rows("events", "events", events_of(result));
  add_state(result, names, report);
  report.rows("", "measures", measures).say(note);
  if (result.measures.contains("error_q")) {
    const std::string t = request.t_end.text();
    const int known =
        reference_states(run.problem, {t}, digits_for_errors(request.precision))[0].agreed_digits;
    const std::string standing = reference_standing(run.problem.name, t, known);
    report.set("reference", standing).say("reference: " + standing);
  }
  report.pairs("counts", "counts", result.counts);
  add_times(times, report);
  report.status = result.status == "ok" ? 0 : 1;
  return report;
}

/// Columns q, v, λ; NaN is shown as "-" and null in JSON.
void add_sizes(std::vector<ordered_json>& row, const std::array<double, 3>& sizes) {
  for (const double size : sizes)
    row.push_back(std::isnan(size) ? ordered_json(nullptr) : ordered_json(size));
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

ordered_json explain_ended(const BoundRun& run, double seconds, Report& report) {
  const ErrorExplanation found = explain_error(run, seconds);
  ReportRows rows({{"part", ""},
                   {"q", "q", "{:.2e}"},
                   {"v", "v", "{:.2e}"},
                   {"lambda", "lambda", "{:.2e}"},
                   {"share", "share of q", "{:.3f}"},
                   {"unknown", ""}});
  const double sum = found.sum();
  for (const ErrorPart& part : found.parts) {
    std::vector<ordered_json> row = {part.name};
    add_sizes(row, part.size());
    row.push_back(part.unknown.empty() && sum > 0 ? ordered_json(part.size()[0] / sum)
                                                  : ordered_json(nullptr));
    row.push_back(part.unknown.empty() ? "" : "not measured: " + part.unknown);
    rows.add(row);
  }
  std::vector<ordered_json> doubt = {"reference"}, all = {"error"};
  add_sizes(doubt, found.doubt), add_sizes(all, found.error);
  doubt.insert(doubt.end(), {nullptr, "at most, " + found.reference});
  rows.add(doubt), rows.add(all);
  report.rows("", "what the error is made of", rows).say(advice_of(found));
  return {{"parts", rows.objects()},      {"sum_over_error", sum / found.error[0]},
          {"largest", found.largest},     {"setting", found.setting},
          {"predicted", found.predicted}, {"rerun", found.rerun},
          {"order", found.order}};
}

ordered_json explain_failed(const BoundRun& run, const RunResult& result, double seconds,
                            Report& report) {
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

/// `--explain`, by reruns that take about so many seconds at most.
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

/// The files that the run writes while it goes.
struct Files {
  std::optional<AnimationFile> animation;
  std::optional<TrajectoryFile> trajectory;
  std::optional<PlotFile> plot;

  void open(const RunOptions& options, const StateNames& names, BoundRun& bound,
            std::ostream& out) {
    if (options.animation.asked()) {
      animation.emplace(options.animation, bound);
      bound.request.history_every = animation_every(bound);
    }
    if (!options.trajectory.empty()) {
      bound.request.history_every = options.every;
      trajectory.emplace(options.trajectory, names, history_rows(bound), out);
    }
    if (!options.plot.empty()) {
      plot.emplace(options.plot, names, bound);
      if (!trajectory) bound.request.history_every = 1;
    }
    if (!trajectory && !animation && !plot) return;
    bound.request.history_sink = [this](const History& rows) {
      if (trajectory) trajectory->add(rows);
      if (plot) plot->add(rows);
      if (animation) animation->add(rows);
    };
  }
  void finish(std::ostream& err) {
    if (trajectory) trajectory->finish();
    if (animation) animation->finish();
    const std::string why = plot ? plot->finish() : "";
    if (!why.empty()) err << fmt::format("daemark run: warning: {}\n", why);
  }
};

/// Of this run and as many more, without what is measured and written besides.
std::vector<double> times_of(const BoundRun& bound, const RunResult& first, int repeat) {
  std::vector<double> times = {first.seconds};
  BoundRun again = bound;
  again.request.errors = again.request.warnings = false;
  again.request.history_every = 0, again.request.history_sink = {};
  while (first.status == "ok" && static_cast<int>(times.size()) < repeat)
    times.push_back(run(again).seconds);
  return times;
}

Report run_verb(const RunOptions& options, std::ostream& out, std::ostream& err) {
  const Compiling compiling(options.compile, "run", err);
  RunRequest request = run_request(options);
  const GivenStart start(options.start, options.problem, "run", err);
  request.initial = start.state_in(options.formulation);
  BoundRun bound(std::move(request));
  const StateNames names = state_names(bound.problem, bound.formulation.info.minimal);
  const auto files = std::make_shared<Files>();
  files->open(options, names, bound, out);
  warn_of_defects("run", {options.method}, err);
  const SettingReads reads;
  RunResult result = [&] {
    const ProgressLine progress(err, bound.problem.name);
    return run(bound);
  }();
  const auto ignored = ignored_settings(bound.request.settings, reads, "run", err);
  warn_of_settings(bound.settings, "run", err);
  if (!start.state() && bound.request.precision == Precision::in_double) {
    const std::string beyond = beyond_horizon(bound.problem, result.t, to_double(bound.h));
    if (!beyond.empty()) result.warnings.push_back(beyond);
  }
  for (const std::string& warning : result.warnings)
    err << fmt::format("daemark run: warning: {}\n", warning);
  Report report = report_of(bound, result, names, ignored, times_of(bound, result, options.repeat));
  if (!options.sensitivity.empty())
    add_sensitivities(bound.problem, options.sensitivity, {bound.request.t_end}, report);
  if (options.explain) {
    const ProgressLine progress(err, "explanation");
    add_explanation(bound, result, options.explain_seconds, report);
  }
  report.text_to_err = options.trajectory == "-";
  report.then = [files, &err] { files->finish(err); };
  return report;
}

void declare(OptionSet& app, RunOptions& options) {
  add_integration_options(app, options, false, "step size [s], an exact number that divides t-end");
  app.add_option("--method", options.method, "M", a_method)->required();
  app.add_option("--trajectory", options.trajectory, "FILE.csv|-",
                 "write time histories as CSV; -: to standard output, everything else then goes to "
                 "standard error")
      ->excludes("--json", "-");
  app.add_option("--every", options.every, "N", "write every N-th step end")
      ->range(1L, 1000000000L)
      ->needs("--trajectory");
  app.add_option("--plot", options.plot, "Q,... FILE.svg",
                 "draw time histories: energy and names of a trajectory's columns, e.g. --plot "
                 "energy,x1 run.svg");
  add_animation_options(app, options.animation);
  app.add_option(
         "--event", options.events, "NAME=VALUE",
         "report when a coordinate, velocity (v_ and its name), multiplier or output "
         "crosses a value; NAME=VALUE:rising or :falling in one direction only (repeatable)")
      ->once();
  app.add_option("--until", options.ends, "NAME=VALUE", "likewise, and end the run there")->once();
  app.add_option("--repeat", options.repeat, "N", "time N runs: median, quartiles and extremes")
      ->range(1, 1000000);
  app.add_option("--sensitivity", options.sensitivity, "PARAM,...",
                 "also derivatives of the exact motion at t-end by numbers of the problem's data")
      ->excludes("--init");
  app.add_flag("--explain", options.explain,
               "what the error at t-end is made of, by reruns, or why the run failed")
      ->excludes("--event")
      ->excludes("--until");
  app.add_option("--explain-seconds", options.explain_seconds, "S",
                 "time for the reruns of --explain, default 60")
      ->positive()
      ->needs("--explain");
  app.add_flag("--errors", options.errors, "errors at the end against the reference");
}

}  // namespace

void register_run(Verbs& verbs) {
  verbs.add<RunOptions>(
      {"run", VerbGroup::run, "integrate once",
       "daemark run --problem two_link --formulation index1 --method 'pade_block(r=4,k=2)' "
       "--h 0.01 --t-end 10"},
      declare, run_verb);
}

}  // namespace daemark
