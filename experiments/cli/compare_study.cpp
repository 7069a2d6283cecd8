#include "experiments/cli/compare_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "analysis/reference/taylor_reference.hpp"
#include "analysis/run/slope.hpp"
#include "experiments/cells/integration.hpp"
#include "methods/core/registry.hpp"
#include "problems/core/formulation.hpp"
#include "problems/core/registry.hpp"

namespace daemark {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

bool has_required(const std::vector<Parameter>& parameters) {
  return std::any_of(parameters.begin(), parameters.end(),
                     [](const Parameter& p) { return p.fallback.empty() && !p.optional; });
}

/// The catalogue in calls that can be run.
std::vector<std::string> catalogue() {
  std::vector<std::string> calls;
  const MethodRegistry& registry = method_registry();
  for (const std::string& id : registry.ids()) {
    const MethodInfo& info = registry.info(id);
    if (!has_required(info.parameters))
      calls.push_back(registry.bind(id).canonical());
    else
      for (const std::string& example : info.examples) {  // the small members of a family
        const auto tableau = registry.make(example)->tableau();
        if (tableau && (tableau->stages() == 2 || tableau->stages() == 3))
          calls.push_back(registry.bind(example).canonical());
      }
  }
  return calls;
}

bool takes(const std::string& method, const SystemTraits& system) {
  return method_registry().make(method)->refusal(system).empty();
}

/// Formulations of a problem that need no arguments, with what the method sees.
std::vector<std::pair<std::string, SystemTraits>> formulations_of(const Problem& problem) {
  std::vector<std::pair<std::string, SystemTraits>> out;
  const auto mechanism = problem.make<double>();
  const bool constrained = mechanism->constraints() > 0;
  for (const FormulationInfo& info : formulations()) {
    if (has_required(info.parameters)) continue;
    if (info.index == 0 && !problem.has_minimal()) continue;
    if (!constrained && info.index != 1) continue;  // without constraints all are the same
    SystemTraits traits(info);
    if (!constrained) traits.index = 0;
    traits.full_rank = mechanism->rank() == mechanism->constraints();
    out.emplace_back(info.id, traits);
  }
  return out;
}

/// The longest of 1, 1/2, 1/5, 1/10, 1/20, … s that a Taylor series in double crosses in 100 steps:
/// in as many steps as these methods take, a faster motion would only show noise.
rational own_time(const Problem& problem) {
  constexpr int most_steps = 100;
  const auto mechanism =
      problem.series.in_double ? problem.series.in_double() : problem.make<double>();
  if (!mechanism->has_record()) return rational(1, 10);  // on a chart: no series
  std::vector<double> q(mechanism->coordinates()), v(q.size());
  mechanism->initial(q.data(), v.data());
  for (const int part : {1, 2, 5, 10, 20, 50, 100, 200, 500}) {
    try {
      TaylorIntegrator<double> integrator(*mechanism);
      integrator.integrate(0, q, v, {1.0 / part});
      if (integrator.steps() <= most_steps) return rational(1, part);
    } catch (const TaylorFailure&) {  // too far for a series: a shorter time
    }
  }
  return rational(1, 1000);
}

std::string times(const std::string& text, const rational& unit) {
  const Expression value = Expression::parse(text, "compare");
  return unit == 1 ? text : rational(value.as_rational() * unit).str();
}

CompareField::Entry entry_of(const CompareRequest& request, const std::string& problem,
                             const rational& unit, const std::string& formulation,
                             const std::string& method, bool is_new, bool controlled) {
  const bool own = method_registry().make(method)->owns_loop();
  CompareField::Entry entry{
      controlled && !own ? method + " with control" : method, is_new, controlled, {}};
  Cell cell;
  cell.problem = problem;
  cell.formulation = formulation;
  cell.method = method;
  cell.t_end = times(request.t_end, unit);
  cell.more["errors"] = true;
  for (const std::string& tol : controlled ? request.tolerances : std::vector<std::string>{}) {
    cell.h = {cell.t_end};
    entry.cells.push_back(with_tolerance(cell, tol));
  }
  for (const std::string& h : controlled ? std::vector<std::string>{} : request.h) {
    cell.h = {times(h, unit)};
    entry.cells.push_back(cell);
  }
  return entry;
}

double value_of(const std::map<std::string, double>& values, const std::string& name) {
  const auto found = values.find(name);
  return found == values.end() ? missing : found->second;
}

/// Where the polyline of log error over log work first falls to the target.
double work_to_target(const std::vector<double>& work, const std::vector<double>& error) {
  double last_work = missing, last_error = missing;
  for (std::size_t i = 0; i < work.size(); ++i) {
    if (!(error[i] > 0) || !std::isfinite(error[i])) continue;
    if (error[i] <= compare_target) {
      if (!(last_error > compare_target)) return work[i];  // already the coarsest run is as good
      const double part = std::log(last_error / compare_target) / std::log(last_error / error[i]);
      return last_work * std::pow(work[i] / last_work, part);
    }
    last_work = work[i], last_error = error[i];
  }
  return missing;
}

double norm(const std::vector<std::string>& values) {
  double sum = 0;
  for (const std::string& text : values) sum += std::pow(std::stod(text), 2);
  return std::sqrt(sum);
}

CompareLine line_of(const CompareField::Entry& entry, const CompareRequest& request,
                    const RunnerReport& report) {
  CompareLine line;
  line.method = entry.method;
  line.is_new = entry.is_new;
  line.status = "ok";
  line.error_q = line.error_v = line.energy = line.position = line.velocity = missing;
  std::vector<double> h, error_v, error_lambda;
  std::array<double, 3> scale{};  // of q, v, λ at the end of the finest run
  const int index = Formulation::parse(entry.cells.front().formulation).info.index;
  const double span = Expression::parse(request.t_end, "--t-end").eval<double>();  // as h counts
  for (std::size_t i = 0; i < entry.cells.size(); ++i) {
    const auto found = report.results.find(canonical(entry.cells[i]));
    if (!entry.controlled) h.push_back(Expression::parse(request.h[i], "--h").eval<double>());
    const CellResult result = found == report.results.end() ? CellResult{} : found->second;
    if (!result.ok()) line.status = result.status;
    if (result.ok()) scale = {norm(result.q), norm(result.v), norm(result.lambda)};
    const auto count = [&](const char* name) {
      const auto at = result.counts.find(name);
      return at == result.counts.end() ? 0L : at->second;
    };
    line.curve_error.push_back(result.ok() ? value_of(result.measures, "error_q") : missing);
    line.curve_work.push_back(static_cast<double>(count("residual_evals")));
    error_v.push_back(result.ok() ? value_of(result.measures, "error_v") : missing);
    error_lambda.push_back(result.ok() ? value_of(result.measures, "error_lambda") : missing);
    if (i + 1 < entry.cells.size() || !result.ok()) continue;
    line.error_q = line.curve_error.back();
    line.error_v = error_v.back();
    line.energy = value_of(result.measures, "energy_error_max");
    line.position = value_of(result.measures, "position_violation_max");
    line.velocity = value_of(result.measures, "velocity_violation_max");
    line.residuals = count("residual_evals");
    line.factorizations = count("factorizations");
  }
  const auto slope = [&](const std::vector<double>& error, int level) {
    RoundOff round_off{unit_roundoff<double>(), scale[level], span, 1, 0};
    round_off.power = round_off_power(level, index);
    const SlopeFit fit = fit_slope(h, error, round_off);
    return fit.verdict == SlopeVerdict::pre_asymptotic ? missing : fit.slope;
  };
  line.slope_q = line.slope_v = line.slope_lambda = missing;
  if (!entry.controlled) {
    line.slope_q = slope(line.curve_error, 0);
    line.slope_v = slope(error_v, 1);
    line.slope_lambda = slope(error_lambda, 2);
  }
  line.work = work_to_target(line.curve_work, line.curve_error);
  return line;
}

/// Problems to compare on where none is named: not those that exist in double only, which are
/// large.
std::vector<std::string> small_problems() {
  std::vector<std::string> ids;
  for (const std::string& id : problem_registry().ids())
    if (problem_registry().make(id).absolute.in_quad) ids.push_back(id);
  return ids;
}

}  // namespace

std::vector<CompareField> compare_fields(const CompareRequest& request) {
  std::vector<std::string> added;
  for (const std::string& method : request.methods) {
    method_registry().make(method);  // refuses bad arguments before anything runs
    added.push_back(method_registry().bind(method).canonical());
  }
  const std::vector<std::string> known = catalogue();
  std::vector<CompareField> fields;
  for (const std::string& call : request.problems.empty() ? small_problems() : request.problems) {
    const Problem problem = problem_registry().make(call);
    const rational unit = request.in_own_time ? own_time(problem) : rational(1);
    for (const auto& [formulation, traits] : formulations_of(problem)) {
      CompareField field{problem.name, formulation, times(request.t_end, unit), {}};
      std::set<std::string> seen;
      const auto add = [&, &traits = traits, &formulation = formulation](const std::string& method,
                                                                         bool is_new) {
        if (!takes(method, traits) || !seen.insert(method).second) return;
        for (const bool controlled : {false, true}) {
          const bool possible =
              controlled ? takes_tolerance(method) : !method_registry().make(method)->owns_loop();
          if (possible)
            field.entries.push_back(
                entry_of(request, problem.name, unit, formulation, method, is_new, controlled));
        }
      };
      for (const std::string& method : added) add(method, true);
      if (field.entries.empty()) continue;
      for (const std::string& method : known) add(method, false);
      fields.push_back(std::move(field));
    }
  }
  if (fields.empty()) throw BadInput("no problem takes these methods; accepted: another method");
  return fields;
}

std::vector<Cell> cells_of(const std::vector<CompareField>& fields) {
  std::vector<Cell> cells;
  for (const CompareField& field : fields) {
    for (const CompareField::Entry& entry : field.entries) {
      cells.insert(cells.end(), entry.cells.begin(), entry.cells.end());
    }
  }
  return cells;
}

std::vector<CompareLine> compare_lines(const CompareField& field, const CompareRequest& request,
                                       const RunnerReport& report) {
  std::vector<CompareLine> lines;
  for (const auto& entry : field.entries) lines.push_back(line_of(entry, request, report));
  const auto key = [](double value) {
    return std::isnan(value) ? std::numeric_limits<double>::infinity() : value;
  };
  std::stable_sort(lines.begin(), lines.end(), [&](const CompareLine& a, const CompareLine& b) {
    if (key(a.work) != key(b.work)) return key(a.work) < key(b.work);
    return key(a.error_q) < key(b.error_q);
  });
  return lines;
}

Table compare_table(const CompareField& field, const std::vector<CompareLine>& lines) {
  const auto number = [](double value) {
    return std::isnan(value) ? std::string("-") : fmt::format("{:.2e}", value);
  };
  const auto slope = [](double value) {
    return std::isnan(value) ? std::string("-") : fmt::format("{:.1f}", value);
  };
  Table table;
  table.caption = fmt::format("{}, {}, t = {} s", field.problem, field.formulation, field.t_end);
  table.head = {"method",
                "work to 1e-4",
                "slope q",
                "slope v",
                "slope λ",
                "error q",
                "error v",
                "energy error [J]",
                "position violation",
                "velocity violation",
                "residuals",
                "factorizations",
                "status"};
  for (const CompareLine& line : lines) {
    const bool ran = line.residuals > 0;
    table.rows.push_back({(line.is_new ? "→ " : "") + line.method,
                          std::isnan(line.work) ? "-" : fmt::format("{:.0f}", line.work),
                          slope(line.slope_q), slope(line.slope_v), slope(line.slope_lambda),
                          number(line.error_q), number(line.error_v), number(line.energy),
                          number(line.position), number(line.velocity),
                          ran ? std::to_string(line.residuals) : "-",
                          ran ? std::to_string(line.factorizations) : "-", line.status});
  }
  return table;
}

Panel compare_panel(const CompareField& field, const std::vector<CompareLine>& lines) {
  constexpr int most_others = 6;
  Panel panel;
  panel.title = fmt::format("{}, {}, t = {} s", field.problem, field.formulation, field.t_end);
  panel.x = {"residual evaluations", "", true, {}, {}};
  panel.y = {"error in q", "", true, {}, {}};
  panel.legend = LegendPosition::right_outside;
  int others = 0, news = 0;
  for (const CompareLine& line : lines) {
    if (!line.is_new && others >= most_others) continue;
    const bool any = std::any_of(line.curve_error.begin(), line.curve_error.end(),
                                 [](double e) { return e > 0 && std::isfinite(e); });
    if (!any) continue;
    Curve curve;
    curve.label = line.method;
    curve.x = line.curve_work;
    curve.y = line.curve_error;
    curve.style = CurveStyle::linespoints;
    curve.width = line.is_new ? 3.0 : 1.0;
    curve.colour = line.is_new ? 6 - news++ % 6 : others++;  // black, the last of seven, is new
    panel.curves.push_back(std::move(curve));
  }
  return panel;
}

}  // namespace daemark
