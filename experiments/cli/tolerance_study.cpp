#include "experiments/cli/tolerance_study.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>

#include "analysis/run/run.hpp"
#include "analysis/run/slope.hpp"
#include "analysis/setup/bound_run.hpp"
#include "experiments/cells/support/integration.hpp"
#include "experiments/cli/study_cells.hpp"
#include "experiments/terminal/text.hpp"
#include "methods/catalogue/registry.hpp"
#include "problems/system/registry.hpp"

namespace daemark {
namespace {

using nlohmann::ordered_json;

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

Cell cell_of(const IntegrationOptions& options) {
  Cell cell;
  cell.problem = options.problem, cell.formulation = options.formulation;
  cell.method = options.method;
  cell.h = {options.h}, cell.t_end = options.t_end, cell.precision = options.precision;
  cell.settings = read_settings(options.settings);
  cell.more["errors"] = true;
  if (cell.settings.contains("control.tol"))
    throw BadInput("--set control.tol stands beside --tol, accepted: one of them");
  return cell;
}

/// Least squares of log error over log tolerance through all runs that succeeded.
double slope(const std::vector<Point>& points, const std::string& kind) {
  std::vector<double> tols, errors;
  for (const Point& point : points)
    tols.push_back(point.tol.eval<double>()), errors.push_back(point.error(kind));
  return log_log_slope(tols, errors);
}

ordered_json study_json(const std::vector<Point>& points) {
  ordered_json json;
  for (const Point& point : points) {
    json["tol"].push_back(point.tol.eval<double>());
    json["tol_exact"].push_back(point.tol.text());
    json["status"].push_back(point.result.status);
    for (const char* kind : motion_parts)
      json[std::string("error_") + kind].push_back(point.error(kind));
    json["counts"].push_back(point.result.counts);
  }
  for (const char* kind : motion_parts) json[std::string("slope_") + kind] = slope(points, kind);
  return json;
}

std::string error_text(double error) {
  return std::isnan(error) ? "-" : fmt::format("{:.4e}", error);
}

void print_study(const Cell& cell, const std::vector<Point>& points, std::ostream& out) {
  const BoundRun& run = points.front().run;
  out << fmt::format("{}, {}, {}, t-end = {}, output every {}, {}\n", run.problem.name,
                     run.formulation.name(), method_registry().bind(cell.method).canonical(),
                     cell.t_end, cell.h.front(), cell.precision);
  std::vector<std::vector<std::string>> rows = {{"tol", "error_q", "error_v", "error_lambda",
                                                 "error_q/tol", "steps", "rejected", "residuals",
                                                 "status"}};
  for (const Point& point : points) {
    const auto count = [&counts = point.result.counts](const char* name) {
      return counts.contains(name) ? std::to_string(counts.at(name)) : "-";
    };
    const double ratio = point.error("q") / point.tol.eval<double>();
    rows.push_back({point.tol.text(), error_text(point.error("q")), error_text(point.error("v")),
                    error_text(point.error("lambda")),
                    std::isnan(ratio) ? "-" : fmt::format("{:.3g}", ratio), count("steps"),
                    count("rejected_steps"), count("residual_evals"), point.result.status});
  }
  rows.push_back({"slope"});
  for (const char* kind : motion_parts) {
    const double found = slope(points, kind);
    rows.back().push_back(std::isnan(found) ? "none" : fmt::format("{:.3f}", found));
  }
  out << columns(rows) << "  slope of log error over log tolerance, all runs that succeeded: 1 "
      << "where the error follows the tolerance\n";
}

}  // namespace

int tolerance_study(const IntegrationOptions& options, const std::string& tols, unsigned jobs,
                    std::ostream& out, std::ostream& err) {
  const Cell cell = cell_of(options);
  if (!takes_tolerance(cell.method))
    throw BadInput(
        fmt::format("--tol: the steps of {} follow no tolerance, accepted: a method "
                    "with an error estimate or a solver that chooses its steps",
                    method_registry().bind(cell.method).canonical()));
  const Problem problem = problem_registry().make(cell.problem);
  std::vector<Point> points;
  for (const Expression& tol : tolerances(tols)) {  // refuses bad input before anything runs
    RunRequest request = run_request(with_tolerance(cell, tol.text()));
    request.repeat = 0;
    points.push_back({tol, BoundRun(std::move(request), problem), {}});
  }
  std::vector<BoundRun> runs;
  for (const Point& point : points) runs.push_back(point.run);
  const StudyCells cells(runs, jobs);
  if (cells.ends()) return *cells.ends();
  for (Point& point : points) point.result = cells({point.run}).front();
  int status = 0;
  for (const Point& point : points) {
    if (point.result.status == "ok") continue;
    err << fmt::format("daemark converge: tol = {}: {}: {}\n", point.tol.text(),
                       point.result.status, point.result.why);
    status = 1;
  }
  if (options.json)
    out << study_json(points).dump(2) << "\n";
  else
    print_study(cell, points, out);
  return status;
}

}  // namespace daemark
