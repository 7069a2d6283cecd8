// Tableaus for tests: from texts, and explicit extrapolation methods in exact fractions.
#pragma once

#include <string>
#include <vector>

#include "methods/core/tableau.hpp"

namespace daemark {

ExactTableau tableau_of_texts(const std::string& id, const std::vector<std::vector<std::string>>& a,
                              const std::vector<std::string>& b, const std::vector<std::string>& c);

/// methods/tableaus/<id>.json
std::string tableau_file(const std::string& id);

/// Extrapolated explicit Euler, 1, 2, ..., p substeps: order p with p(p-1)/2 + 1 stages (Hairer,
/// Nørsett & Wanner I, II.9).
ExactTableau extrapolated_euler(int p);
/// Extrapolated explicit midpoint rule, 2, 4, ..., 2k substeps, no smoothing: order 2k.
ExactTableau extrapolated_midpoint(int k);

}  // namespace daemark
