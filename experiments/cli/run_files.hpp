// The files that `run` writes while it goes: `--trajectory FILE.csv`, time histories;
// `--plot QUANTITY,... FILE.svg`, time histories as a figure, a panel each; and
// `--animate FILE [--view AZIMUTH,ELEVATION]`, the motion as an animation.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "analysis/report/animation.hpp"
#include "analysis/run/run.hpp"
#include "analysis/setup/bound_run.hpp"
#include "base/program/write_file.hpp"
#include "experiments/cli/common_options.hpp"
#include "experiments/cli/options.hpp"

namespace daemark {

/// t, positions, velocities, multipliers, kinetic, potential, energy_error, the three violations
/// and the outputs, with enough digits to read back the same double. Rows are written as they come,
/// under a temporary name until finish(); those of the file "-" to `out`.
class TrajectoryFile {
 public:
  /// Throws BadInput where the file cannot be written or the disk has no room for `rows` rows.
  TrajectoryFile(const std::string& file, const StateNames& names, long rows, std::ostream& out);
  /// A failure is kept until finish(): it must not end the run.
  void add(const History& rows);
  /// Throws CannotWrite.
  void finish();

 private:
  void write(const std::string& line);
  std::optional<FileDraft> draft_;  ///< none: to out_
  std::ostream& out_;
  KeptFailure failure_;
};

struct AnimationOptions {
  std::string file, view;  ///< empty: no animation; the view of the drawing
  bool asked() const { return !file.empty(); }
};
void add_animation_options(OptionSet& app, AnimationOptions& options);

/// N such that every N-th step end gives about a thousand pictures.
long animation_every(const BoundRun& run);

/// The file appears with finish().
class AnimationFile {
 public:
  /// Throws BadInput, before the run, for a problem without a drawing, an unknown ending of the
  /// file name, a file that cannot be written, and a malformed view.
  AnimationFile(const AnimationOptions& options, const BoundRun& run);
  /// Thins the rows to as many as can be seen.
  void add(const History& rows);
  /// Throws CannotWrite, or BadInput for a motion that cannot be shown.
  void finish();

 private:
  Animation animation_;
  MechanicalPtr<double> minimal_;  ///< whose rows are not yet in reference coordinates; else null
  bool page_;
  long every_ = 1, seen_ = 0;
  FileDraft draft_;
};

class PlotFile {
 public:
  /// `asked`: quantities separated by commas, names of a trajectory's columns or "energy", and the
  /// file. Throws BadInput for other names, and where the file cannot be written.
  PlotFile(const std::vector<std::string>& asked, const StateNames& names, const BoundRun& run);
  /// Keeps what is drawn, every second row where they become too many.
  void add(const History& rows);
  /// Returns why it is not drawn, as write_svg does. Throws CannotWrite.
  std::string finish() const;

 private:
  struct Quantity {
    std::string name, unit;
    std::vector<std::size_t> columns;  ///< their sum is drawn
    std::vector<double> values;
  };
  std::vector<Quantity> quantities_;
  std::vector<double> t_;
  std::string file_, title_;
  long every_ = 1, seen_ = 0;
};

}  // namespace daemark
