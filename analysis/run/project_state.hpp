// A user's initial state put onto the constraints.
#pragma once

#include "analysis/setup/bound_run.hpp"

namespace daemark {

struct ProjectedState {
  InitialState state;                               ///< consistent, full digits of the precision
  double position_before = 0, velocity_before = 0;  ///< largest violations as given
  double moved_q = 0, moved_v = 0;  ///< 2-norms of the changes, in the units of q and v
};

/// The nearest consistent positions, then the nearest velocities, in the metric of M
/// (methods/projection/least_change.hpp), of run.request.initial, which must be given. Throws
/// BadInput where the sizes are wrong or no state on the constraints is found near it.
ProjectedState project_state(const BoundRun& run);

}  // namespace daemark
