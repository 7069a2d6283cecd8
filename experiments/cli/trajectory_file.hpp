// `run --trajectory FILE.csv`: time histories as CSV.
#pragma once

#include <string>

#include "analysis/run/run.hpp"
#include "base/program/write_file.hpp"
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

}  // namespace daemark
