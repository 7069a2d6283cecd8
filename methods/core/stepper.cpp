#include "methods/core/stepper.hpp"

#include <algorithm>
#include <cmath>

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
    case Status::cannot_express:
      return "cannot_express";
    case Status::failed:
      return "failed";
    case Status::aborted:
      return "aborted";
    case Status::timed_out:
      return "timed_out";
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

const std::vector<StepFilter>& step_filters() {
  static const std::vector<StepFilter> all = {
      {"pi", {0.7, -0.4, 0}, 0, "proportional and integral (Hairer & Wanner II, IV.2)"},
      {"i", {1, 0, 0}, 0, "the elementary one (Hairer, Norsett & Wanner I, II.4)"},
      {"pid", {0.58, -0.21, 0.1}, 0, "of three errors (Kennedy & Carpenter 2003)"},
      {"gustafsson", {2, -1, 0}, -1, "predictive (Gustafsson 1994)"},
      {"h211b", {0.25, 0.25, 0}, 0.25, "smoothing filter H211b, b = 4 (Soderlind 2003)"},
  };
  return all;
}

void StepController::restart() {
  errors_ = {1, 1};
  step_ = 0;
}

double StepController::limited(double factor) const {
  if (factor >= 1 && factor <= settings_.dead_zone) return 1;
  return std::clamp<double>(factor, settings_.shrink, settings_.grow);
}

double StepController::after_accepted(double h, double error, double caution) {
  constexpr double least_error = 1e-10;  // an estimate of zero says nothing
  error = std::max(error, least_error);
  const StepFilter& filter = step_filters()[static_cast<std::size_t>(settings_.filter)];
  const std::array<double, 3> errors{error, errors_[0], errors_[1]};
  double factor = settings_.safety * caution;
  for (std::size_t i = 0; i < errors.size(); ++i)
    if (filter.b[i] != 0) factor *= std::pow(errors[i], -filter.b[i] / order_);
  if (filter.a != 0 && step_ > 0) factor *= std::pow(h / step_, -filter.a);
  errors_ = {error, errors_[0]};
  step_ = h;
  return h * limited(factor);
}

double StepController::after_rejected(double h, double error, double caution) const {
  // A caution above 1 is for what comes next: the step that was too large becomes smaller.
  return h * std::max<double>(settings_.shrink, settings_.safety * std::min(caution, 1.0) *
                                                    std::pow(error, -1.0 / order_));
}

}  // namespace daemark
