// The files that `run` writes while it goes: `--trajectory FILE.csv`, time histories, and
// `--animate FILE [--view AZIMUTH,ELEVATION]`, the motion as a moving picture.
#pragma once

#include <string>

#include "analysis/report/animation.hpp"
#include "analysis/run/run.hpp"
#include "analysis/setup/bound_run.hpp"
#include "base/program/write_file.hpp"
#include "experiments/cli/options.hpp"
#include "experiments/cli/state_names.hpp"

namespace daemark {

/// t, positions, velocities, multipliers, kinetic, potential, energy_error, the three violations
/// and the outputs, in digits that read back to the same double. Rows go to the disk as they come;
/// the file appears with finish().
class TrajectoryFile {
 public:
  /// Throws BadInput where no file can be written or `rows` rows do not fit.
  TrajectoryFile(const std::string& file, const StateNames& names, long rows);
  /// A failure is kept until finish(): it must not end the run.
  void add(const History& rows);
  /// Throws CannotWrite.
  void finish();

 private:
  FileDraft draft_;
  KeptFailure failure_;
};

struct AnimationOptions {
  std::string file, view;  ///< empty: none, the drawing's own
  bool asked() const { return !file.empty(); }
};
void add_animation_options(OptionSet& app, AnimationOptions& options);

/// Of which step ends an animation needs each N-th: about a thousand are left.
long animation_every(const BoundRun& run);

/// Appears with finish().
class AnimationFile {
 public:
  /// Everything that can be refused before the run is: a problem without a drawing, an unknown
  /// ending, a file that cannot be written, a view that is none. Throws BadInput.
  AnimationFile(const AnimationOptions& options, const BoundRun& run);
  /// Keeps as many rows as can be seen, however many come.
  void add(const History& rows);
  /// Throws CannotWrite, or BadInput for a motion that cannot be shown.
  void finish();

 private:
  Animation animation_;
  bool page_;
  long every_ = 1, seen_ = 0;
  FileDraft draft_;
};

}  // namespace daemark
