// The start of equations of motion: free values solved for, all checked. Internal.
#pragma once

#include <utility>

#include "problems/files/equations.hpp"

namespace daemark {

/// q and v at the start. `at`: inputs of g in their order; f: functions of them. Throws BadInput
/// as mechanism_of() says.
std::pair<std::vector<wide>, std::vector<wide>> start_of(const Equations& equations,
                                                         graph::Graph& g, const PartArguments& at,
                                                         const PartFunctions& f);

}  // namespace daemark
