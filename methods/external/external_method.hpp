// Solvers of other libraries as methods of the catalogue: they advance from output point to output
// point with steps and orders that they choose themselves by the parameter tol.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "methods/loop/integrator.hpp"

namespace daemark {

/// One call of such a solver.
struct ExternalSolver {
  using Maker = std::function<std::unique_ptr<Integrator<double>>(const Target<double>&)>;
  Maker make;  ///< empty where the build has no such library: every run is `not_available`
  int highest_index = 1;
  int stages = 1;
  bool is_explicit = false;
  std::vector<std::string> details;
  std::string settings;  ///< its own, beside those that all of them share
};

/// Of steps to one output point; a run that needs more has Status::step_limit and says so. It
/// bounds a run to some ten seconds, where the libraries' own default, 500, is meant for output at
/// many points.
inline constexpr long most_steps = 2000000;
/// After so many it is asked whether that will do.
inline constexpr long trial_steps = 200000;

std::shared_ptr<const Method> external_method(ExternalSolver solver);
/// Whether runs of such a call depend on the version of its library and this build has another one
/// than the committed results are of: ARKODE of SUNDIALS 7 has other coefficients and counts.
bool is_of_other_version(const std::string& call);
/// What such a method is set to, line by line; empty for methods of our own.
std::vector<std::string> solver_settings(const Method& method);

/// The parameter tol, and its value: BadInput below what double precision can be asked for.
Parameter tolerance_parameter();
double tolerance(const Arguments& arguments, const std::string& id);

/// "" or what the summary of a method says where its library is missing.
inline const char* without_library(bool available) {
  return available ? "" : " (not available: built without SUNDIALS, libsundials-dev)";
}

#ifdef DAEMARK_SUNDIALS
inline constexpr bool has_sundials = true;
#else
inline constexpr bool has_sundials = false;
#endif

}  // namespace daemark
