// The constraint rows of a mechanism at its start: their rank, those that follow from others, and
// the joints they belong to.
#pragma once

#include <string>
#include <vector>

#include "problems/system/registry.hpp"

namespace daemark {

/// Constraint rows by name, without "lambda_".
struct RowFacts {
  int coordinates = 0, rows = 0, rank = 0;
  std::vector<std::string> redundant, joints;  ///< rows that follow from the others; their joints
  std::vector<std::string> shared;             ///< rows whose multipliers are not unique
  bool only_here = false;                      ///< they follow at the start alone
  int freedom() const { return coordinates - rank; }
};

/// Ranks the rows, or reads what the builder of a file has said of those it left out; others that
/// follow are left out of the problem's mechanism, unless they follow at the start alone.
RowFacts row_facts(Problem& problem, const MechanicalSystem<double>& mechanism);

/// Without "lambda_".
std::string row_name(const std::string& multiplier);
/// "joint4" of joint4_x, "revolute4" of revolute4_t1.
std::string joint_of(const std::string& row);
std::vector<std::string> joints_of(const std::vector<std::string>& rows);  ///< each once

}  // namespace daemark
