// A problem that begins at another state.
#pragma once

#include <vector>

#include "problems/mechanism/recorded_system.hpp"

namespace daemark {

/// Positions and velocities in the coordinates of the mechanism; of one on charts in those that are
/// shown.
struct OtherStart {
  std::vector<wide> q, v;
};

/// Whether a start of so many coordinates is one of the minimal form alone.
bool is_minimal_start(const Problem& problem, std::size_t coordinates);

/// The problem with this start in every form that can take it: of a start in minimal coordinates
/// the absolute form begins at what they show; of one in absolute coordinates there is no minimal
/// form unless both are the same. Has neither closed form nor bodies for other programs. Throws
/// BadInput for another number of coordinates.
Problem starting_at(Problem problem, const OtherStart& start);

}  // namespace daemark
