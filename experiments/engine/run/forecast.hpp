// How long cells will take, learnt from those that are done. The time for a unit of guessed cost
// differs between kinds of cells, problems and precisions. Each such kin has a rate of its own once
// one of its cells is done; before that the rate of all is used. The latest cells count most, since
// the expensive ones run first and the small ones show what a cell costs besides its steps.
#pragma once

#include <map>
#include <string>

#include "experiments/cells/support/cell.hpp"

namespace daemark {

class Forecast {
 public:
  static std::string kin_of(const Cell& cell);

  /// A cell that is to come, with its guessed cost.
  void expect(const std::string& kin, double cost) { kins_[kin].left += cost; }
  /// One that was expected and took so much processor time [s].
  void finished(const std::string& kin, double cost, double seconds);
  /// One that was expected and will not come.
  void drop(const std::string& kin, double cost) { kins_[kin].left -= cost; }

  bool knows() const;
  /// Processor time of what is expected [s]; 0 where nothing is known.
  double left() const;

 private:
  struct Kin {
    double left = 0;               ///< cost
    double done = 0, seconds = 0;  ///< cost and what it took, of the last cells
  };
  std::map<std::string, Kin> kins_;
};

}  // namespace daemark
