// What cells took on this machine, by kin (Forecast::kin_of): costs.learnt beside the finished
// cells, not committed. Plans of shards are balanced by it.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace daemark {

struct LearntCosts {
  static constexpr const char* file_name = "costs.learnt";
  std::map<std::string, double> seconds;  ///< by kin, for a unit of CellKind::cost
  double memory = 0;                      ///< largest resident size of a process [MB]

  /// A missing or damaged file says nothing.
  static LearntCosts read(const std::filesystem::path& folder);
  /// Adds to what stands there; where that cannot be written, nothing is lost but time.
  void learn(const std::filesystem::path& folder) const;
  /// Of one cell [s]: by its kin, else by the middle of all; 0: nothing is known.
  double of(const std::string& kin, double cost) const;
};

}  // namespace daemark
