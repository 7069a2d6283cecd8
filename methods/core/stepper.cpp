#include "methods/core/stepper.hpp"

namespace daemark {

const char* status_name(Status status) {
  switch (status) {
    case Status::ok:
      return "ok";
    case Status::newton_diverged:
      return "newton_diverged";
    case Status::singular_matrix:
      return "singular_matrix";
    case Status::not_finite:
      return "not_finite";
    case Status::step_limit:
      return "step_limit";
    case Status::not_available:
      return "not_available";
  }
  return "unknown";
}

void Counts::add_work(const Counts& after, const Counts& before) {
  newton_iterations += after.newton_iterations - before.newton_iterations;
  residual_evals += after.residual_evals - before.residual_evals;
  jacobian_evals += after.jacobian_evals - before.jacobian_evals;
  factorizations += after.factorizations - before.factorizations;
  floor_stops += after.floor_stops - before.floor_stops;
  rejected_steps += after.rejected_steps - before.rejected_steps;
  multiplier_iterations += after.multiplier_iterations - before.multiplier_iterations;
  inner_sweeps += after.inner_sweeps - before.inner_sweeps;
  failed_solves += after.failed_solves - before.failed_solves;
}

}  // namespace daemark
