#include "experiments/cells/support/integration_keys.hpp"

#include "experiments/cells/support/deviation.hpp"
#include "experiments/cells/support/integration.hpp"
#include "experiments/cells/support/measure_names.hpp"
#include "problems/formulations/formulation.hpp"

namespace daemark {
namespace {

bool has_errors(const Cell& cell) { return is_study(cell) || cell.flag("errors"); }
bool has_against(const Cell& cell) { return !cell.object("against").is_null(); }

}  // namespace

std::vector<CellKey> integration_keys() {
  using Type = CellKey::Type;
  using Identity = CellKey::Identity;
  return run_keys(Type::step) +
         std::vector<CellKey>{
             {.name = "errors", .type = Type::flag, .identity = Identity::of_one_run},
             {.name = "history_every",
              .type = Type::whole,
              .identity = Identity::of_one_run,
              .second_routes = false},
             {.name = "against",
              .type = Type::object,
              .identity = Identity::where_given,
              .respelled = against_identity}};
}

std::vector<CellMeasure> run_measures() {
  const auto errors = [](const Cell& cell) { return !is_study(cell) && cell.flag("errors"); };
  const auto history = [](const Cell& cell) {  // a motion is measured at all step ends
    return !is_study(cell) && (cell.kind == "motion" || cell.whole("history_every") > 0);
  };
  const auto index3 = [](const Cell& cell) {
    return Formulation::parse(cell.formulation).info.index == 3;
  };
  return end_measures() +
         std::vector<CellMeasure>{
             count_measures(),
             {"sub_steps", "", [](const Cell& cell) { return !is_study(cell); }},
             {"error_{q,v,lambda}", "?", errors},
             {"error_q_#", "?", errors},
             {"energy_error_{end,quarter1,quarter2,quarter3,quarter4}", "J", history},
             {"deviation_{max,rms,quarter1,quarter2,quarter3,quarter4}", "", has_against},
             {"departs_at", "s", has_against},
             {"energy_error_{upper,lower,mean1,mean2,mean3,mean4}", "J", has_against},
             {"energy_error_jitter", "", has_against},
             {"constraint_{rho,coupling}", "", index3}};
}

double run_cost(const Cell& cell) {
  // The other run of a comparison, which many cells share.
  constexpr double comparison = 2000;
  return integration_cost(cell) + (has_against(cell) ? comparison : 0);
}

void use_against(const Cell& cell, CellUses& uses) {
  if (const auto against = against_of(cell)) uses.methods.push_back(against->method);
}

std::vector<UnusedSource> unused_in_runs() {
  return {
      {"experiments/cells/support/deviation.hpp", [](const Cell& c) { return !has_against(c); }},
      {"analysis/run/converge.cpp", [](const Cell& c) { return !is_study(c); }},
      {"analysis/reference/reference.hpp", [](const Cell& c) { return !has_errors(c); }}};
}

std::vector<std::string> end_where_errors(const Cell& cell) {
  return has_errors(cell) ? std::vector<std::string>{cell.t_end} : std::vector<std::string>{};
}

}  // namespace daemark
