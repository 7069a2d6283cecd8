// daemark run
#include "analysis/run/run.hpp"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>

#include "analysis/setup/bound_run.hpp"
#include "base/input/strict_json.hpp"
#include "base/text/printable.hpp"
#include "experiments/cli/common_options.hpp"
#include "experiments/cli/run_files.hpp"
#include "experiments/cli/run_plot.hpp"
#include "experiments/cli/state_names.hpp"
#include "experiments/cli/verb.hpp"
#include "experiments/engine/run/study.hpp"
#include "experiments/terminal/progress_line.hpp"
#include "experiments/terminal/text.hpp"

namespace daemark {
namespace {

using nlohmann::ordered_json;

struct RunOptions : IntegrationOptions {
  std::string init, trajectory;
  std::vector<std::string> plot, events, ends;
  AnimationOptions animation;
  long every = 1;
  int repeat = 1;
  bool errors = false, project = false;
};

std::vector<Expression> numbers_at(const nlohmann::json& object, const std::string& key,
                                   const std::string& file) {
  std::vector<Expression> numbers;
  for (const nlohmann::json& entry : get_array(object, key, file))
    numbers.push_back(
        to_expression(entry, fmt::format("{}, {} {}", file, key, numbers.size() + 1)));
  return numbers;
}

/// {"q": [...], "v": [...]}, exact expressions.
InitialState read_initial(const std::string& file) {
  const nlohmann::json object = parse_json_file(file);
  require_keys(object, file, {"q", "v"});
  return {numbers_at(object, "q", file), numbers_at(object, "v", file)};
}

RunRequest run_request(const RunOptions& options) {
  if (options.h.find(',') != std::string::npos)
    throw BadInput("--h: " + printable(options.h) +
                   ": several step sizes, accepted: one, as every method here has a fixed step "
                   "(`converge` takes several)");
  RunRequest request = request_of(options);
  request.h = read_time(options.h, "--h");
  request.t_end = read_time(options.t_end, "--t-end");
  if (options.project && options.init.empty())
    throw BadInput("--project is for the state of --init; accepted: both, or neither");
  if (!options.init.empty()) request.initial = read_initial(options.init);
  for (const std::string& event : options.ends)
    request.events.push_back(EventRequest::parse(event, "--until", true));
  for (const std::string& event : options.events)
    request.events.push_back(EventRequest::parse(event, "--event", false));
  request.errors = options.errors;
  request.warnings = true;
  request.repeat = options.repeat;
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

ordered_json result_json(const BoundRun& run, const RunResult& result,
                         const std::vector<std::string>& ignored_settings) {
  ordered_json seen = request_json(run);
  seen.update(provenance());
  ordered_json events = ordered_json::array();
  for (const EventFound& event : result.events)
    events.push_back({{"event", event.event},
                      {"t", event.t},
                      {"direction", event.rising ? "rising" : "falling"}});
  ordered_json not_resolved = ordered_json::object();
  if (const std::string note = work_note(result.measures); !note.empty())
    not_resolved["energy_error"] = note;
  return {{"status", result.status},
          {"why", result.why},
          {"t", result.t},
          {"q", result.q},
          {"v", result.v},
          {"lambda", result.lambda},
          {"a", result.a},
          {"outputs", result.outputs},
          {"measures", result.measures},
          {"not_resolved", not_resolved},
          {"ignored_settings", ignored_settings},
          {"counts", result.counts},
          {"events", events},
          {"warnings", result.warnings},
          {"provenance", seen},
          {"seconds", result.seconds}};
}

/// "error_q_0" is the error of the first reference coordinate.
std::string shown_measure(const std::string& measure, const StateNames& reference) {
  constexpr std::string_view prefix = "error_q_";
  if (!measure.starts_with(prefix)) return measure;
  const auto i = static_cast<std::size_t>(std::stoi(measure.substr(prefix.size())));
  return i < reference.q.size() ? "error of " + with_unit(reference.q[i], reference.q_units[i])
                                : measure;
}

void print_state(const RunResult& result, const StateNames& names, std::ostream& out) {
  std::vector<std::vector<std::string>> rows = {{"", "unit", "q", "v", "a"}};
  for (std::size_t i = 0; i < result.q.size(); ++i)
    rows.push_back({names.q[i], names.q_units[i], result.q[i], result.v[i],
                    i < result.a.size() ? result.a[i] : ""});
  out << fmt::format("state at t = {:.10g} s (v per s, a per s^2)\n", result.t) << columns(rows);
  if (!names.outputs.empty()) {
    rows.clear();
    for (const OutputInfo& output : names.outputs)
      rows.push_back({output.id, brief(result.outputs.at(output.id)), output.unit});
    out << "outputs\n" << columns(rows);
  }
  if (result.lambda.empty()) return;
  rows.clear();
  for (std::size_t i = 0; i < result.lambda.size(); ++i)
    rows.push_back({names.lambda[i], names.lambda_units[i], result.lambda[i]});
  out << "multipliers\n" << columns(rows);
}

void print_result(const BoundRun& run, const RunResult& result, const StateNames& names,
                  std::ostream& out) {
  const StateNames reference = state_names(run.problem);
  const RunRequest& request = run.request;
  out << fmt::format("{}, {}, {}\nh = {}, t-end = {}, {}\nstatus {}{}\n", run.problem.name,
                     run.formulation.name(), run.method_name, request.h.text(),
                     request.t_end.text(), name_of(request.precision), result.status,
                     result.why.empty() ? "" : ": " + result.why);
  std::vector<std::vector<std::string>> rows;
  for (const EventFound& event : result.events)
    rows.push_back({event.event, "t = " + event.t + " s", event.rising ? "rising" : "falling"});
  if (!rows.empty()) out << "events\n" << columns(rows);
  print_state(result, names, out);
  rows.clear();
  for (const auto& [name, value] : result.measures)
    rows.push_back({shown_measure(name, reference), shown_value(name, value, result.measures),
                    unit_of_measure(name, names)});
  out << "measures\n" << columns(rows) << work_note(result.measures);
  rows.clear();
  for (const auto& [name, count] : result.counts) rows.push_back({name, std::to_string(count)});
  out << "counts\n" << columns(rows) << fmt::format("time {:.4g} ms\n", result.seconds * 1e3);
}

int run_verb(const RunOptions& options, bool every_given, std::ostream& out, std::ostream& err) {
  if (every_given && options.trajectory.empty())
    throw BadInput("--every is for --trajectory; accepted: both, or neither");
  if (!options.animation.view.empty() && !options.animation.asked())
    throw BadInput("--view is for --animate; accepted: both, or neither");
  const bool to_output = options.trajectory == "-";
  const Compiling compiling(options.compile, "run", err);
  if (to_output && options.json)
    throw BadInput(
        "--trajectory - and --json both write to standard output; accepted: one of them");
  BoundRun bound(run_request(options));
  if (options.project) {
    const ProjectedState projected = project_state(bound);
    err << fmt::format(
        "daemark run: --init projected: positions moved by {:.3g}, velocities by {:.3g} (they "
        "violated the constraints by {:.3g} and {:.3g})\n",
        projected.moved_q, projected.moved_v, projected.position_before, projected.velocity_before);
    bound.request.initial = projected.state;
  }
  const StateNames names = state_names(bound.problem, bound.formulation.info.minimal);
  std::optional<AnimationFile> animation;
  if (options.animation.asked()) {
    animation.emplace(options.animation, bound);
    bound.request.history_every = animation_every(bound);
  }
  std::optional<TrajectoryFile> trajectory;
  if (!options.trajectory.empty()) {
    bound.request.history_every = options.every;
    trajectory.emplace(options.trajectory, names, history_rows(bound), out);
  }
  std::optional<PlotFile> plot;
  if (!options.plot.empty()) {
    plot.emplace(options.plot, names, bound);
    if (!trajectory) bound.request.history_every = 1;
  }
  if (trajectory || animation || plot)
    bound.request.history_sink = [&](const History& rows) {
      if (trajectory) trajectory->add(rows);
      if (plot) plot->add(rows);
      if (animation) animation->add(rows);
    };
  warn_of_defects("run", {options.method}, err);
  const SettingReads reads;
  const RunResult result = [&] {
    const ProgressLine progress(err, bound.problem.name);
    return run(bound);
  }();
  const auto ignored = ignored_settings(bound.request.settings, reads, "run", err);
  warn_of_settings(bound.settings, "run", err);
  for (const std::string& warning : result.warnings)
    err << fmt::format("daemark run: warning: {}\n", warning);
  if (options.json)
    out << result_json(bound, result, ignored).dump(2) << "\n";
  else
    print_result(bound, result, names, to_output ? err : out);
  if (trajectory) trajectory->finish();
  if (animation) animation->finish();
  if (plot)
    if (const std::string why = plot->finish(); !why.empty())
      err << fmt::format("daemark run: warning: {}\n", why);
  return result.status == "ok" ? 0 : 1;
}

}  // namespace

VerbAction declare_run(OptionSet& app) {
  auto options = std::make_shared<RunOptions>();
  constexpr int most_repeats = 1000000;
  add_integration_options(app, *options, false,
                          "step size [s], an exact number that divides t-end");
  app.add_option("--method", options->method, "M", "a method, with arguments where it takes some")
      ->required();
  app.add_option("--init", options->init, "FILE",
                 "JSON {\"q\":[...],\"v\":[...]} of integers and exact expressions as strings: "
                 "\"0.6\", \"1/3\"");
  app.add_flag("--project", options->project,
               "put the state of --init onto the constraints: the nearest in the metric of M");
  app.add_option("--trajectory", options->trajectory, "FILE.csv|-",
                 "write time histories as CSV; -: to standard output, what else is shown to "
                 "standard error");
  const Option* every = app.add_option("--every", options->every, "N", "keep every N-th step end")
                            ->range(1L, 1000000000L);
  app.add_option("--plot", options->plot, "Q,... FILE.svg",
                 "draw time histories: energy and names of a trajectory's columns, e.g. --plot "
                 "energy,x1 run.svg");
  add_animation_options(app, options->animation);
  app.add_option(
         "--event", options->events, "NAME=VALUE",
         "tell when a coordinate, velocity (v_ and its name), multiplier or output passes a "
         "value; NAME=VALUE:rising or :falling in one direction only (repeatable)")
      ->allow_extra_args(false);
  app.add_option("--until", options->ends, "NAME=VALUE", "likewise, and end the run there")
      ->allow_extra_args(false);
  app.add_option("--repeat", options->repeat, "N", "time the least of N runs")
      ->range(1, most_repeats);
  app.add_flag("--errors", options->errors, "errors at the end against the reference");
  return [options, every](std::ostream& out, std::ostream& err) {
    return run_verb(*options, every->given(), out, err);
  };
}

}  // namespace daemark
