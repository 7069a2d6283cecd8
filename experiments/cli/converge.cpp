// daemark converge: studies over step sizes, tolerances and places inside steps.
#include "experiments/cli/converge.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <set>

#include "analysis/orders/inside_orders.hpp"
#include "analysis/run/slope.hpp"
#include "base/program/paths.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/cells/support/integration.hpp"
#include "experiments/cli/verb.hpp"
#include "experiments/engine/run/study.hpp"
#include "experiments/terminal/progress_line.hpp"
#include "experiments/terminal/text.hpp"
#include "methods/catalogue/registry.hpp"
#include "problems/system/registry.hpp"

namespace daemark {

namespace {

using Json = Report::Json;

/// The runs of a study as cells, kept one by one: a Study runs those that are not finished.
class StudyRuns {
 public:
  StudyRuns(const std::vector<BoundRun>& runs, unsigned jobs)
      : study_(catalogue_services(), {.command = "converge",
                                      .results = results_root(),
                                      .jobs = jobs,
                                      .time_limit = no_limit}) {
    std::vector<FixedCell> cells;
    for (const BoundRun& run : runs) cells.emplace_back(cell_of(run.request));
    const RunnerReport report = study_.run(cells);
    if (!report.refused.empty()) throw BadInput(report.refused.begin()->second);
    for (const auto& [name, result] : report.results) finished_[name] = to_run(result);
    study_.cache_failure().raise();
  }
  std::optional<int> ends() const { return study_.ends(); }

  /// RunTogether: what a study asks for besides them is integrated now.
  std::vector<RunResult> operator()(const std::vector<BoundRun>& runs) const {
    std::vector<BoundRun> others;
    for (const BoundRun& run : runs)
      if (!finished_.contains(canonical(cell_of(run.request)))) others.push_back(run);
    std::vector<RunResult> results, more = others.empty() ? results : run_together(others);
    auto next = more.begin();
    for (const BoundRun& run : runs) {
      const auto found = finished_.find(canonical(cell_of(run.request)));
      results.push_back(found != finished_.end() ? found->second : std::move(*next++));
    }
    return results;
  }

 private:
  static constexpr double no_limit = 1e9;  ///< [s]
  Study study_;
  std::map<std::string, RunResult> finished_;  ///< by canonical cell
};

/// A line on `err` for a run that did not reach its end; whether it did.
bool reached_end(const std::string& which, const std::string& status, const std::string& why,
                 std::ostream& err) {
  if (status == "ok") return true;
  err << fmt::format("daemark converge: {}: {}{}\n", which, status, why.empty() ? "" : ": " + why);
  return false;
}

struct Point {
  Expression tol;
  BoundRun run;
  RunResult result;

  double error(const std::string& kind) const {
    const std::string name = "error_" + kind;
    return result.status == "ok" && result.measures.contains(name) ? result.measures.at(name)
                                                                   : missing;
  }
};

std::vector<Expression> tolerances(const std::string& text) {
  std::vector<Expression> tols = read_numbers(text, "--tol");
  if (tols.size() < 2)
    throw BadInput("--tol: one tolerance, accepted: at least two, separated by commas");
  std::set<double> seen;
  for (const Expression& tol : tols) {
    const double value = tol.eval<double>();
    if (!(value > 0)) throw BadInput(fmt::format("--tol {}: accepted: numbers > 0", tol.text()));
    if (!seen.insert(value).second)
      throw BadInput(fmt::format("--tol {} is given twice, accepted: each once", tol.text()));
  }
  return tols;
}

Cell swept_cell(const IntegrationOptions& options) {
  Cell cell;
  cell.problem = options.problem, cell.formulation = options.formulation;
  cell.method = options.method;
  cell.h = {options.h}, cell.t_end = options.t_end, cell.precision = options.precision;
  cell.settings = read_settings(options.settings);
  cell.more["errors"] = true;
  if (cell.settings.contains("control.tol"))
    throw BadInput("--set control.tol excludes --tol, accepted: one of them");
  return cell;
}

/// Least squares of log error over log tolerance through all runs that succeeded.
double slope(const std::vector<Point>& points, const std::string& kind) {
  std::vector<double> tols, errors;
  for (const Point& point : points)
    tols.push_back(point.tol.eval<double>()), errors.push_back(point.error(kind));
  return log_log_slope(tols, errors);
}

Report report_of(const Cell& cell, const std::vector<Point>& points) {
  const BoundRun& run = points.front().run;
  std::vector<Column> columns = {{"tol", "-"}, {"tol_exact", "tol"}, {"status", "-"}};
  for (const std::string part : motion_parts)
    columns.push_back({"error_" + part, "error_" + part, "{:.4e}"});
  columns.insert(columns.end(), {{"counts", "-"},
                                 {"", "error_q/tol", "{:.3g}"},
                                 {"", "steps"},
                                 {"", "rejected"},
                                 {"", "residuals"},
                                 {"", "status"}});
  ReportRows rows(columns);
  for (const Point& point : points) {
    const auto count = [&counts = point.result.counts](const char* name) {
      return counts.contains(name) ? Json(counts.at(name)) : Json(nullptr);
    };
    const double tol = point.tol.eval<double>();
    rows.add({tol, point.tol.text(), point.result.status, point.error("q"), point.error("v"),
              point.error("lambda"), point.result.counts, point.error("q") / tol, count("steps"),
              count("rejected_steps"), count("residual_evals"), point.result.status});
  }
  std::vector<std::string> slopes = {"slope"};
  for (const char* kind : motion_parts) slopes.push_back(slope_text(slope(points, kind)));
  rows.note(slopes);
  Report report;
  report.lists(fmt::format("{}, {}, {}, t-end = {}, output every {}, {}", run.problem.name,
                           run.formulation.name(), method_registry().bind(cell.method).canonical(),
                           cell.t_end, cell.h.front(), cell.precision),
               rows);
  for (const char* kind : motion_parts)
    report.set(std::string("slope_") + kind, slope(points, kind));
  return report.say(
      "  slope of log error over log tolerance, all runs that succeeded: 1 where the error follows "
      "the tolerance");
}

/// `--tol`: errors against the reference over tolerances, for methods that choose their steps.
Report tolerance_study(const ConvergeOptions& options, std::ostream& err) {
  const Cell cell = swept_cell(options);
  if (!takes_tolerance(cell.method))
    throw BadInput(
        fmt::format("--tol: the steps of {} follow no tolerance, accepted: a method "
                    "with an error estimate or a solver that chooses its steps",
                    method_registry().bind(cell.method).canonical()));
  const Problem problem = problem_registry().make(cell.problem);
  std::vector<Point> points;
  for (const Expression& tol : tolerances(options.tol)) {  // refuses bad input before anything runs
    RunRequest request = run_request(with_tolerance(cell, tol.text()));
    request.repeat = 0;
    points.push_back({tol, BoundRun(std::move(request), problem), {}});
  }
  std::vector<BoundRun> runs;
  for (const Point& point : points) runs.push_back(point.run);
  const StudyRuns cells(runs, options.jobs);
  if (cells.ends()) return Report::ended(*cells.ends());
  for (Point& point : points) point.result = cells({point.run}).front();
  bool all = true;
  for (const Point& point : points)
    all =
        reached_end("tol = " + point.tol.text(), point.result.status, point.result.why, err) && all;
  Report report = report_of(cell, points);
  report.status = all ? 0 : 1;
  return report;
}

/// `--inside`: errors of the dense output in the middle of the last step, over step sizes.
Report inside_study(const ConvergeOptions& options, std::ostream& err) {
  RunRequest request = request_of(options);
  request.t_end = Expression::parse(options.t_end, "--t-end");
  const std::vector<InsideErrors> found = errors_inside(request, read_numbers(options.h, "--h"));
  Report report;
  report.json = Json::array();
  report.say(fmt::format("{}, {}, {}, in the middle of the step around t = {}, {}", options.problem,
                         options.formulation, options.method, options.t_end,
                         name_of(request.precision)));
  const InsideErrors* last = nullptr;
  for (const InsideErrors& one : found) {
    Json json{{"h", one.h}, {"status", one.status}};
    std::string text = fmt::format("  h {:<12.6g}", one.h);
    for (const char* part : motion_parts) {
      const auto error = one.errors.find(std::string("error_") + part);
      if (error == one.errors.end()) continue;
      json["error_" + std::string(part)] = error->second;
      text += fmt::format("  {} {:.3e}", part, error->second);
      if (last == nullptr || !last->errors.contains(error->first)) continue;
      const double slope =
          std::log(error->second / last->errors.at(error->first)) / std::log(one.h / last->h);
      json["slope_" + std::string(part)] = slope;
      text += fmt::format(" ({:.2f})", slope);
    }
    report.json.push_back(std::move(json));
    report.say(text);
    if (reached_end(fmt::format("h = {:.6g}", one.h), one.status, "", err))
      last = &one;
    else
      report.status = 1;
  }
  return report;
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

/// Returns whether every run of it reached its end.
bool tell_failures(const OrderStudyRequest& request, const FormulationOrders& found,
                   std::ostream& err) {
  bool all = true;
  for (std::size_t k = 0; k < found.studies.size(); ++k)
    for (std::size_t i = 0; i < found.studies[k].status.size(); ++i) {
      const std::string& status = found.studies[k].status[i];
      if (status == "not_run") continue;
      const std::string which = fmt::format("{}, t-end = {}, h = {}", found.formulation,
                                            request.t_ends[k].text(), request.h[i].text());
      all = reached_end(which, status, found.studies[k].runs[i].why, err) && all;
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

Report order_study(const ConvergeOptions& options, std::ostream& out, std::ostream& err) {
  OrderStudyRequest request = study_of(options);
  const std::vector<std::string> formulations = read_calls(options.formulation);
  const StudyRuns cells(runs_of(request, formulations), options.jobs);
  if (cells.ends()) return Report::ended(*cells.ends());
  request.together = cells;
  Report report;
  bool any = false;
  std::string refusal;
  for (const std::string& formulation : formulations) {
    const FormulationOrders found = [&] {
      const ProgressLine progress(err, formulation);
      return study_orders(request, formulation);
    }();
    if (found.refusal.empty())
      any = true;
    else
      refusal = found.refusal;
    report.add(report_of(request, found), out);
    if (!tell_failures(request, found, err)) report.status = 1;
  }
  if (!any) throw BadInput(refusal);
  return report.say(start_line(request.run.method, request.run.settings));
}

Report step_study(const ConvergeOptions& options, std::ostream& err) {
  RunRequest request = request_of(options);
  request.t_end = Expression::parse(options.t_end, "--t-end");
  const std::vector<BoundRun> runs = bind_study(request, read_numbers(options.h, "--h"));
  const StudyRuns cells(runs, options.jobs);
  if (cells.ends()) return Report::ended(*cells.ends());
  const ConvergeResult result = [&] {
    const ProgressLine progress(err, options.problem);
    return std::move(converge(runs, {request.t_end}, 0, cells).front());
  }();
  warn_of_settings(runs.front().settings, "converge", err);
  Report report = report_of(runs, result);
  if (options.latex) report.text = latex_result(runs, result);
  for (std::size_t i = 0; i < result.status.size(); ++i)
    if (!reached_end("h = " + runs[i].request.h.text(), result.status[i], result.runs[i].why, err))
      report.status = 1;
  return report;
}

Report converge_verb(const ConvergeOptions& options, std::ostream& out, std::ostream& err) {
  const Compiling compiling(options.compile, "converge", err);
  const GivenStart start(options.start, options.problem, "converge", err);
  method_registry().make(options.method);
  if (options.precision != "auto" && !is_precision(options.precision))
    throw BadInput(fmt::format("--precision: '{}', accepted: auto, {}", options.precision,
                               fmt::join(precision_names, ", ")));
  warn_of_defects("converge", {options.method}, err);
  const bool plain = options.tol.empty() && !options.is_order_study();
  if ((options.inside && !plain) || (options.latex && (options.inside || !plain)))
    throw BadInput(fmt::format("{}: accepted: step sizes, one formulation, end time and precision",
                               options.inside && !plain ? "--inside" : "--latex"));
  if (options.inside) return inside_study(options, err);
  if (!options.tol.empty()) return tolerance_study(options, err);
  require_given_steps(options.method);
  return plain ? step_study(options, err) : order_study(options, out, err);
}

void declare(OptionSet& app, ConvergeOptions& options) {
  app.add_option("method", options.method, "M", "a method, with arguments where it takes some")
      ->required();
  // Of several end times the median slopes, as a single one misleads where a component turns.
  add_integration_options(app, options, true,
                          "step sizes [s], two or more, separated by commas; with --tol one, the "
                          "spacing of output points");
  app.add_option("--tol", options.tol, "TOL,TOL,...",
                 "tolerances of step-size control or of a solver that chooses its steps, two or "
                 "more, separated by commas");
  app.add_flag("--inside", options.inside,
               "errors of the dense output in the middle of the last step, for steps near --h");
  app.add_flag("--latex", options.latex, "print the table as LaTeX");
  add_jobs(app, options.jobs);
}

}  // namespace

void register_converge(Verbs& verbs) {
  verbs.add<ConvergeOptions>(
      {"converge", VerbGroup::run, "errors against the reference over step sizes, and their slopes",
       "daemark converge 'gauss(3)' --problem two_link --formulation index3 "
       "--h 1/40,1/80,1/160,1/320 --t-end 1"},
      declare, converge_verb);
}

}  // namespace daemark
