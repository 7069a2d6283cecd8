// `run --plot QUANTITY,... FILE.svg`: time histories as a figure, a panel each.
#pragma once

#include <string>
#include <vector>

#include "analysis/run/run.hpp"
#include "analysis/setup/bound_run.hpp"
#include "experiments/cli/state_names.hpp"

namespace daemark {

/// A row of a trajectory: the numbers under column_names(), of the i-th time kept.
std::vector<double> trajectory_row(const History& rows, std::size_t i);

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
