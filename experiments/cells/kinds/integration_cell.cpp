// Cells of kind "integration", the one an experiment means where it names none: a run or, with
// several step sizes, a convergence study.
//
// Keys: errors (runs: errors at the end against the reference), history_every (runs: keep every
// N-th step end), against (a run to measure the history against, deviation.hpp). Block methods on
// index 3 get the measures constraint_rho and constraint_coupling beside those of the run.
#include <algorithm>

#include "analysis/setup/bound_run.hpp"
#include "base/input/call.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/cells/support/cell_kind.hpp"
#include "experiments/cells/support/constraint_block.hpp"
#include "experiments/cells/support/deviation.hpp"
#include "experiments/cells/support/integration.hpp"
#include "experiments/cells/support/measure_names.hpp"
#include "methods/catalogue/registry.hpp"
#include "methods/core/settings.hpp"
#include "problems/formulations/formulation.hpp"
#include "problems/system/registry.hpp"

namespace daemark {
namespace {

using nlohmann::json;

void check(const Cell& cell) {
  need(!cell.method.empty(), "method");
  need(!cell.problem.empty(), "problem");
  need(!cell.h.empty(), "h");
  need(!cell.formulation.empty(), "formulation");
  need(!cell.t_end.empty(), "t_end");
  check_divides(cell.h, cell.t_end);
  if (const auto against = against_of(cell)) {
    check_divides({against->h}, cell.t_end);
    if (is_study(cell) || cell.whole("history_every") == 0)
      throw BadInput("'against' needs one run that keeps its history");
  }
}

json identity(const Cell& cell) {
  json out = {{"problem", canonical_call(cell.problem, "problem")},
              {"formulation", canonical_call(cell.formulation, "formulation")},
              {"method", canonical_call(cell.method, "method")},
              {"t_end", cell.t_end},
              {"precision", cell.precision},
              {"settings", cell.settings}};
  if (is_study(cell)) {
    out["h"] = cell.h;
  } else {
    out["h"] = cell.h.empty() ? "" : cell.h.front();
    out["errors"] = cell.flag("errors");
    out["history_every"] = cell.whole("history_every");
  }
  if (const auto against = against_of(cell)) {
    out["against"] = {{"series", against->series},
                      {"method", canonical_call(against->method, "method")},
                      {"h", against->h},
                      {"settings", against->settings}};
  }
  return out;
}

bool has_errors(const Cell& cell) { return is_study(cell) || cell.flag("errors"); }

double cost(const Cell& cell) {
  // What comes beside: reading the reference, the other run of a comparison (shared by many).
  constexpr double beside = 2000;
  return integration_cost(cell) + (against_of(cell) ? beside : 0);
}

CellUses uses(const Cell& cell) {
  CellUses uses{{cell.problem}, {cell.method}, {}, {}};
  if (const auto against = against_of(cell)) {
    uses.methods.push_back(against->method);
  } else {
    uses.unused.emplace_back("experiments/cells/support/deviation.hpp");
  }
  if (!is_study(cell)) uses.unused.emplace_back("analysis/run/converge.cpp");
  if (!has_errors(cell)) uses.unused.emplace_back("analysis/reference/reference.hpp");
  return uses;
}

std::vector<std::string> components_of(const Cell& cell) {
  const bool minimal = Formulation::parse(cell.formulation).info.minimal;
  const auto mechanism = problem_registry().make(cell.problem).make<double>(minimal);
  return mechanism->chart_size() > 0 ? mechanism->reference_names() : mechanism->coordinate_names();
}

void add_constraint_measures(const Cell& cell, CellResult& result) {
  if (Formulation::parse(cell.formulation).info.index != 3) return;
  const auto method = method_registry().make(cell.method);
  const auto* form = method->as<RungeKuttaForm>();
  if (!form || !form->block) return;
  const ConstraintBlock pair = constraint_block(*form->block);
  if (!pair.exists) return;
  result.measures["constraint_rho"] = pair.rho;
  result.measures["constraint_coupling"] = pair.coupling;
}

CellResult run_integration(const Cell& cell) {
  const std::vector<std::string> components = components_of(cell);
  method_registry().make(cell.method);
  parse_settings(cell.settings, parse_precision(cell.precision));
  CellResult result;
  try {
    result = is_study(cell) ? from_study(converge(bind_study(cell)), components)
                            : from_run(run(run_request(cell)), components);
  } catch (const BadInput& refusal) {
    result.status = "refused";
    result.why = refusal.what();
    return result;
  }
  if (const auto steps = result.counts.find("steps");
      !is_study(cell) && steps != result.counts.end()) {
    result.counts["sub_steps"] = steps->second * method_registry().make(cell.method)->cost_stages();
  }
  add_constraint_measures(cell, result);
  if (against_of(cell)) add_deviation(cell, components, result);
  return result;
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool of_run(const Cell& cell, std::string_view name) {
  if (composed(
          name,
          {"energy_error", "position_violation", "velocity_violation", "acceleration_violation"},
          {"_max", "_final"}) ||
      is_count(name) || name == "sub_steps" || name == "work_doubt_max") {
    return true;
  }
  if (one_of(name, {"error_q", "error_v", "error_lambda"}) ||
      (name.starts_with("error_q_") && is_number(name.substr(8)))) {
    return cell.flag("errors");
  }
  if (name == "energy_error_end" ||
      composed(name, {"energy_error_quarter"}, {"1", "2", "3", "4"})) {
    return cell.whole("history_every") > 0;
  }
  return cell.more.contains("against") &&
         (one_of(name, {"deviation_max", "deviation_rms", "departs_at", "energy_error_upper",
                        "energy_error_lower", "energy_error_jitter"}) ||
          composed(name, {"deviation_quarter", "energy_error_mean"}, {"1", "2", "3", "4"}));
}

/// q, v, lambda or a component of the positions.
bool is_group(const Cell& cell, std::string_view name) {
  if (one_of(name, {"q", "v", "lambda"})) return true;
  try {
    const auto mechanism = problem_registry()
                               .make(cell.problem)
                               .make<double>(Formulation::parse(cell.formulation).info.minimal);
    const std::vector<std::string> names =
        mechanism->chart_size() > 0 ? mechanism->reference_names() : mechanism->coordinate_names();
    return std::find(names.begin(), names.end(), name) != names.end();
  } catch (const BadInput&) {  // an unknown problem is refused where the cell is run
    return true;
  }
}

bool of_study(const Cell& cell, std::string_view name) {
  if (is_count(name)) return true;
  constexpr std::string_view slope = "slope_", ratio = "paper_order_";
  if (name.starts_with(slope)) return is_group(cell, name.substr(slope.size()));
  constexpr std::size_t ending = 4;
  return name.starts_with(ratio) && (name.ends_with("_min") || name.ends_with("_max")) &&
         is_group(cell, name.substr(ratio.size(), name.size() - ratio.size() - ending));
}

bool measures(const Cell& cell, const std::string& name) {
  if (one_of(name, {"constraint_rho", "constraint_coupling"}))
    return Formulation::parse(cell.formulation).info.index == 3;
  return is_study(cell) ? of_study(cell, name) : of_run(cell, name);
}

}  // namespace

void register_integration_cell(CellKinds& kinds) {
  using Type = CellKey::Type;
  CellKind kind;
  kind.id = "integration";
  kind.keys = {
      {"errors", Type::flag}, {"history_every", Type::whole, false}, {"against", Type::object}};
  kind.check = check;
  kind.identity = identity;
  kind.command = integration_command;
  kind.cost = cost;
  kind.uses = uses;
  kind.run = run_integration;
  kind.measures = measures;
  kind.is_study = is_study;
  kind.has_series = [](const Cell& cell) {
    return is_study(cell) || cell.whole("history_every") > 0;
  };
  kind.reference_times = [](const Cell& cell) {
    return has_errors(cell) ? std::vector<std::string>{cell.t_end} : std::vector<std::string>{};
  };
  kinds.add(std::move(kind));
}

}  // namespace daemark
