// How long cells will take, learnt from those that are done and from those in work. The time for a
// unit of guessed cost differs between kinds of cells, problems and precisions: each such cost
// class has a rate of its own once one of its cells is done or tells how far it is; before that the
// middle of all rates is used, with little confidence. The latest cells count most, since the
// expensive ones run first and the small ones show what a cell costs besides its steps.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "experiments/cells/support/cell.hpp"
#include "experiments/terminal/progress_line.hpp"

namespace daemark {

class Forecast {
 public:
  static std::string cost_class_of(const Cell& cell);

  /// A cell in work.
  struct Begun {
    std::string cost_class;
    double cost = 0;
    double seconds = 0;         ///< since it began
    double part = 0;            ///< that is done, as it tells; 0: it tells nothing
    double waiting = 0;         ///< seconds that a reference for it took so far; 0: none is in work
    double reference_part = 0;  ///< of it that is done, as it tells; 0: it tells nothing
  };

  /// A cell that is to come, with its guessed cost.
  void expect(const std::string& cost_class, double cost);
  /// What cells took earlier, seconds for a unit of cost by cost class: as much is known of a cost
  /// class as from one cell, until more are done.
  void recall(const std::map<std::string, double>& learnt);
  /// One that was expected and took so long [s].
  void finished(const std::string& cost_class, double cost, double seconds);
  /// One that was expected and will not come.
  void drop(const std::string& cost_class, double cost);

  /// Seconds for a unit of cost, of the cost classes of which cells are done.
  std::map<std::string, double> learnt() const;
  /// Whether anything is known of how long cells take.
  bool knows(const std::vector<Begun>& begun = {}) const;
  /// Until `threads` threads have done what is expected, of which `begun` is in work.
  TimeSpan left(const std::vector<Begun>& begun, unsigned threads) const;

 private:
  struct CostClass {
    std::multiset<double> left;    ///< costs
    double done = 0, seconds = 0;  ///< cost and what it took, of the last cells
    double weight = 0;             ///< how many cells that is
  };
  /// Seconds for a unit of cost.
  struct Rate {
    double low = 0, high = 0;
  };
  static TimeSpan left_of(const Begun& cell, const Rate& rate);
  std::map<std::string, Rate> rates(const std::vector<Begun>& begun) const;

  std::map<std::string, CostClass> classes_;
};

struct LearntCosts {
  static constexpr const char* file_name = "costs.learnt";
  std::map<std::string, double> seconds;  ///< by cost class, for a unit of CellKind::cost
  double memory = 0;                      ///< largest resident size of a process [MB]

  /// A missing or damaged file says nothing.
  static LearntCosts read(const std::filesystem::path& folder);
  /// Adds to what stands there; where that cannot be written, nothing is lost but time.
  void learn(const std::filesystem::path& folder) const;
  /// Of one cell [s]: by its cost class, else by the middle of all; 0: nothing is known.
  double of(const std::string& cost_class, double cost) const;
};

}  // namespace daemark
