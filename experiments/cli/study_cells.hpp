// The runs of `converge` as cells: on all cores, kept one by one, and divided by `plan`.
#pragma once

#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/run/run.hpp"
#include "analysis/setup/bound_run.hpp"

namespace daemark {

class StudyCells {
 public:
  /// Runs those that are not finished. `jobs`: threads, 0: one a core. Throws BadInput.
  StudyCells(const std::vector<BoundRun>& runs, unsigned jobs);

  /// With what the verb ends where there is nothing to go on with: it was interrupted, or it is
  /// divided (engine/run/split.hpp) and this is a part.
  std::optional<int> ends() const { return ends_; }

  /// RunTogether: finished ones as they are kept; what a study asks for beside them is integrated.
  std::vector<RunResult> operator()(const std::vector<BoundRun>& runs) const;

 private:
  std::map<std::string, RunResult> finished_;  ///< by canonical cell
  std::optional<int> ends_;
};

}  // namespace daemark
