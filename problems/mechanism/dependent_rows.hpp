// Constraint rows that follow from the others: found at the start, named, left out.
#pragma once

#include "problems/mechanism/recorded_system.hpp"

namespace daemark {

/// What the rows of a mechanism are worth at a point. A row depends on the rows before it.
struct RowRank {
  int rank = 0;
  std::vector<int> dependent;
  /// Rows in a relation among rows: their multipliers are not unique. Empty of large mechanisms.
  std::vector<int> undetermined;
  /// The rows depend on each other at this point alone: accelerations of a motion through it do
  /// not fit (a dead centre, a change point).
  bool only_here = false;
};

/// At the start, at time t.
RowRank row_rank(const std::shared_ptr<const Mechanism>& mechanism, const wide& t);

/// The same motion without these rows.
std::shared_ptr<const Mechanism> without_rows(const std::shared_ptr<const Mechanism>& mechanism,
                                              const std::vector<int>& rows);

/// The mechanism without its dependent rows, and with remarks, the last on what its rows leave.
/// Where rows depend on each other at the start alone it keeps them all.
std::shared_ptr<const Mechanism> independent(const std::shared_ptr<const Mechanism>& mechanism,
                                             const wide& t, std::vector<std::string> remarks = {});

/// "joint4_x, joint4_y (and 3 more)" of multipliers lambda_joint4_x, …
std::string names_of_rows(const std::vector<std::string>& names, const std::vector<int>& rows);

}  // namespace daemark
