// A start that nearly fits the constraints is made to fit.
#pragma once

#include "problems/mechanism/recorded_system.hpp"

namespace daemark {

/// Which coordinates keep the position, and which the velocity, that is stated. All others may
/// move; they change by the least in the mass metric (the diagonal of M).
struct Assembly {
  std::vector<int> held_positions, held_velocities;
};

struct Assembled {
  std::vector<wide> q, v;
  std::vector<std::string> remarks;  ///< how far it moved, and whether held rates were let go
};

/// To some 45 digits. Velocities that are held against the constraints are let go, together.
/// Throws BadInput naming the row where positions do not close.
Assembled assembled_start(const std::shared_ptr<const Mechanism>& mechanism, const wide& t,
                          const Assembly& assembly);

}  // namespace daemark
