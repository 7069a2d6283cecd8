// What cells of kind "problem_data" measure.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "problems/system/registry.hpp"

namespace daemark {

/// data_1, data_2, … of the data named, mass_COMPONENT and start_COMPONENT of every coordinate, in
/// the data's units and SI. Throws BadInput for a name the problem has no datum of.
std::map<std::string, double> problem_measures(const Problem& problem,
                                               const std::vector<std::string>& data);

}  // namespace daemark
