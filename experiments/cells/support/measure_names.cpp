#include "experiments/cells/support/measure_names.hpp"

#include <algorithm>

#include "base/text/bad_input.hpp"
#include "experiments/cells/support/cell_kind.hpp"
#include "methods/core/stepper.hpp"

namespace daemark {

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

bool is_count(std::string_view name) {
  return one_of(name, {"steps", "newton_iterations", "residual_evals", "jacobian_evals",
                       "factorizations", "floor_stops", "rejected_steps", "multiplier_iterations",
                       "inner_sweeps", "failed_solves"});
}

namespace {

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

}  // namespace

bool can_measure(const Cell& cell, const std::string& name) {
  if (of_every_cell(name)) return true;
  const auto own = kind_of(cell).measures;
  if (own == nullptr) return false;
  // What counts iterations counts whatever an integration counts.
  return own(cell, name) || (is_count(name) && own(cell, "newton_iterations"));
}

}  // namespace daemark
