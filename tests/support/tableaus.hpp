// Tableaus for tests: from texts, and explicit extrapolation methods in exact fractions.
#pragma once

#include <string>
#include <vector>

#include "methods/core/tableau.hpp"

namespace daemark {

std::vector<Expression> expressions(const std::vector<std::string>& texts);
Coefficients tableau_of_texts(const std::string& id, const std::vector<std::vector<std::string>>& a,
                              const std::vector<std::string>& b, const std::vector<std::string>& c);
Coefficients formula_of_texts(const std::string& id, const std::vector<std::string>& alpha,
                              const std::vector<std::string>& beta);
/// Two tableaus on the same stages.
Coefficients pair_of(MethodKind kind, const Coefficients& first, const Coefficients& second);

/// methods/tableaus/<id>.json
std::string tableau_file(const std::string& id);

/// Extrapolated explicit Euler, 1, 2, ..., p substeps: order p with p(p-1)/2 + 1 stages (Hairer,
/// Nørsett & Wanner I, II.9).
Coefficients extrapolated_euler(int p);
/// Extrapolated explicit midpoint rule, 2, 4, ..., 2k substeps, no smoothing: order 2k.
Coefficients extrapolated_midpoint(int k);

}  // namespace daemark
