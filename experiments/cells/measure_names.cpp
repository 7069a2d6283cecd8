#include "experiments/cells/measure_names.hpp"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <string_view>

#include "base/text/bad_input.hpp"
#include "experiments/cells/cell_kind.hpp"
#include "methods/core/stepper.hpp"
#include "problems/core/formulation.hpp"
#include "problems/core/registry.hpp"

namespace daemark {
namespace {

bool one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// `name` is one of `stems` followed by one of `ends`.
bool composed(std::string_view name, std::initializer_list<std::string_view> stems,
              std::initializer_list<std::string_view> ends) {
  return std::any_of(stems.begin(), stems.end(), [&](std::string_view stem) {
    return name.starts_with(stem) && one_of(name.substr(stem.size()), ends);
  });
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool is_count(std::string_view name) {
  return one_of(name, {"steps", "newton_iterations", "residual_evals", "jacobian_evals",
                       "factorizations", "floor_stops", "rejected_steps", "multiplier_iterations",
                       "inner_sweeps", "failed_solves"});
}

bool of_every_cell(std::string_view name) {
  if (one_of(name, {"ok", "failed", "t_reached", "seconds"})) return true;
  constexpr std::string_view status = "status_";
  if (!name.starts_with(status)) return false;
  const std::string_view word = name.substr(status.size());
  for (const Status each : {Status::ok, Status::newton_diverged, Status::singular_matrix,
                            Status::not_finite, Status::step_limit, Status::not_available}) {
    if (word == status_name(each)) return true;
  }
  return one_of(word, {"refused", "failed"});
}

bool of_run(const Cell& cell, std::string_view name) {
  if (composed(
          name,
          {"energy_error", "position_violation", "velocity_violation", "acceleration_violation"},
          {"_max", "_final"}) ||
      is_count(name) || name == "sub_steps") {
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

bool of_orders(const Cell& cell, std::string_view name) {
  if (one_of(name, {"order", "least_slope"})) return true;
  const std::vector<std::string> formulations = cell.texts("formulations");
  return std::any_of(formulations.begin(), formulations.end(), [&](const std::string& formulation) {
    const std::string with = "_" + formulation;
    const std::size_t at = name.find(with);
    if (at == std::string_view::npos) return false;
    const std::string_view stem = name.substr(0, at), end = name.substr(at + with.size());
    if (end == "_min" || end == "_max")
      return composed(stem, {"slope", "local"}, {"_q", "_v", "_lambda"});
    return end.empty() && (one_of(stem, {"broken", "failed", "observed_only", "quad", "refused"}) ||
                           composed(stem,
                                    {"at_least_expected", "coarsest", "expected", "finest", "floor",
                                     "no_convergence", "off", "points", "pre_asymptotic", "slope"},
                                    {"_q", "_v", "_lambda"}));
  });
}

bool of_linear(const Cell& cell, std::string_view name) {
  if (one_of(name, {"n", "order", "linear_order", "rho_infinity", "rho_max", "rho_dip", "x_half",
                    "x_settled", "ad_0_05", "pe_0_05", "ad_0_1", "pe_0_1"})) {
    return true;
  }
  if (name == "region_left") return cell.flag("region");
  const std::vector<std::string> points = cell.texts("x");
  const bool at_a_point =
      name.starts_with("ad_") || name.starts_with("pe_") || name.starts_with("rho_");
  return at_a_point && std::any_of(points.begin(), points.end(), [&](std::string x) {
           std::replace_if(
               x.begin(), x.end(),
               [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
           return name.substr(name.find('_') + 1) == x;
         });
}

}  // namespace

bool can_measure(const Cell& cell, const std::string& name) {
  if (of_every_cell(name)) return true;
  if (const auto own = kind_of(cell).measures) return own(cell, name);
  if (cell.kind == "linear") return of_linear(cell, name);
  if (cell.kind == "orders") return of_orders(cell, name);
  if (cell.kind == "exact")
    return one_of(name, {"order", "stage_order", "a_stable", "l_stable", "verified"}) ||
           (name == "printed_holds" && !cell.text("erratum").empty());
  if (one_of(name, {"constraint_rho", "constraint_coupling"}))
    return Formulation::parse(cell.formulation).info.index == 3;
  return cell.h.size() > 1 ? of_study(cell, name) : of_run(cell, name);
}

}  // namespace daemark
