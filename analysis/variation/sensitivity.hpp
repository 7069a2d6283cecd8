// Sensitivities: d(q, v, λ)/dp of a motion, p a number of the problem's data, with the digits on
// which two routes agree.
//
// The first route integrates the variational equations with the motion, in 50 digits by Taylor
// series of R, Φ and their derivatives on the mechanism's graph,
//   R_q δq + R_v δv + R_a δa + R_λ δλ + R_p = 0,  Φ_q δq + Φ_p = 0.
// p is in the constants of the graph: two graphs recorded for p ± 1e-40 p have the same shape, and
// the differences of their constants, 130 digits each, are dc/dp to more digits than are used.
//
// The second route knows no derivative: central differences of order 4 between motions for p ± s,
// p ± 2 s, s = 1e-9 p.
#pragma once

#include <string>
#include <vector>

#include "analysis/reference/reference_store.hpp"
#include "problems/system/registry.hpp"

namespace daemark {

struct Sensitivity {
  std::string parameter, unit;  ///< "m2" of the datum "m1, m2"
  std::string t;
  Motion derivative;  ///< of q, v and λ, in their units a unit of the parameter
  int agreed_digits = 0;
};

/// At times not before the start. Throws BadInput if `parameter` is not a number of the problem's
/// data or the problem has no Taylor series in its coordinates; NoReference if the motion cannot be
/// continued that far.
std::vector<Sensitivity> sensitivities(const Problem& problem, const std::string& parameter,
                                       const std::vector<Expression>& times);

}  // namespace daemark
