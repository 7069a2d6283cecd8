// Errors of a state against the reference at its time.
#pragma once

#include <map>
#include <string>

#include "analysis/reference/reference.hpp"
#include "analysis/setup/bound_system.hpp"

namespace daemark {

/// 2-norms "error_q", "error_v" in the reference's coordinates, "error_lambda" where both have the
/// same multipliers, and the distance in each coordinate, "error_q_0", …
template <class S>
std::map<std::string, double> errors_against(const ReferenceState& reference,
                                             const BoundSystem<S>& model, const State<S>& state);

}  // namespace daemark
