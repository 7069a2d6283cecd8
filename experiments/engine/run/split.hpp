// The cells of a command divided between processes or machines. While a Split is set, run_cells()
// runs only those that the split takes and keeps them in the split's own folder, or runs none and
// lists them; the command that asked gets no results and ends before it would use them.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace daemark {

struct Split {
  struct Listed {
    std::string kin;  ///< Forecast::kin_of
    double cost = 0;  ///< CellKind::cost
    bool is_long = false;
  };
  /// By digest of the canonical cell. None: nothing is run.
  std::optional<std::set<std::string>> take;
  std::filesystem::path cache;          ///< folder of the cells that are run
  std::map<std::string, Listed> asked;  ///< not finished when they were asked for, by digest
  /// Reference states that they need and that are not stored, by problem and time: which cells.
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> references;
  std::set<std::string> keys;  ///< under which all that were asked for are or would be kept
  int computed = 0, reused = 0;

  /// That of this process; null: commands run whole.
  static Split* active();
};

/// Makes it that of this process for the lifetime of the object; null sets none.
class SplitScope {
 public:
  explicit SplitScope(Split* split);
  ~SplitScope();
  SplitScope(const SplitScope&) = delete;
  SplitScope& operator=(const SplitScope&) = delete;

 private:
  Split* outer_;
};

}  // namespace daemark
