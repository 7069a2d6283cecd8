// Errors against the reference over step sizes, and the slopes over their asymptotic range.
#include <fmt/format.h>

#include <cmath>

#include "analysis/run/cell_setup.hpp"
#include "analysis/run/run.hpp"
#include "analysis/run/slope.hpp"

namespace daemark {

ConvergeResult converge(const ConvergeRequest& request) {
  if (request.h.size() < 2)
    throw BadInput("converge: one step size, accepted: at least two, separated by commas");
  ConvergeResult result;
  std::vector<RunRequest> cells;
  for (std::size_t i = 1; i < request.h.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (request.h[i].eval<double>() == request.h[k].eval<double>())
        throw BadInput(fmt::format("converge: h = {} is given twice, accepted: each step size once",
                                   request.h[i].text()));
  for (const Expression& h : request.h) {
    RunRequest cell;
    cell.problem = request.problem, cell.formulation = request.formulation;
    cell.method = request.method, cell.h = h, cell.t_end = request.t_end;
    cell.precision = request.precision, cell.settings = request.settings;
    cell.errors = true, cell.repeat = 0;
    CellSetup check(cell);  // refuse all bad input before anything runs
    cells.push_back(cell);
    result.h.push_back(h.eval<double>());
  }
  constexpr double missing = std::numeric_limits<double>::quiet_NaN();
  const auto measure = [](const RunResult& r, const std::string& name) {
    const auto found = r.measures.find(name);
    return found == r.measures.end() ? missing : found->second;
  };
  for (const RunRequest& cell : cells) {
    RunResult r = run(cell);
    result.status.push_back(r.status);
    result.error_q.push_back(measure(r, "error_q"));
    result.error_v.push_back(measure(r, "error_v"));
    result.error_lambda.push_back(measure(r, "error_lambda"));
    std::vector<double> components;
    for (int i = 0; r.measures.count(fmt::format("error_q_{}", i)); ++i)
      components.push_back(measure(r, fmt::format("error_q_{}", i)));
    result.component_error_q.push_back(components);
    result.runs.push_back(std::move(r));
  }
  const auto fill = [&](const std::vector<double>& errors, double& slope, std::vector<bool>& used) {
    const SlopeFit fit = fit_slope(result.h, errors);
    slope = fit.slope;
    used = fit.used;
  };
  fill(result.error_q, result.slope_q, result.used_q);
  fill(result.error_v, result.slope_v, result.used_v);
  fill(result.error_lambda, result.slope_lambda, result.used_lambda);
  std::size_t components = 0;
  for (const auto& row : result.component_error_q) components = std::max(components, row.size());
  for (std::size_t i = 0; i < components; ++i) {
    std::vector<double> errors;
    for (const auto& row : result.component_error_q)
      errors.push_back(i < row.size() ? row[i] : missing);
    result.component_slope_q.push_back(fit_slope(result.h, errors).slope);
  }
  return result;
}

}  // namespace daemark
