// What the files in results/ were made from, so that nothing is done twice. Kept with the cache,
// not committed: a fresh clone recomputes.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace daemark {

class Stamp {
 public:
  /// A missing or damaged stamp is an empty one.
  explicit Stamp(std::filesystem::path results);

  /// Whether `name` was made from these inputs and its files still hold what was written then.
  bool current(const std::string& name, const std::string& inputs) const;
  void set(const std::string& name, const std::string& inputs,
           const std::vector<std::string>& files);
  void save() const;

 private:
  std::filesystem::path results_;
  nlohmann::json entries_;
};

}  // namespace daemark
