// records.jsonl of an item: the results of its cells, one line each, from which tables, verdicts
// and the report can be made again.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "experiments/judge/judge.hpp"

namespace daemark {

/// One JSON line for each cell, sorted; studies with their series, long cells with the digest of
/// the sources they were computed with ("kept": these differ from the sources at the time of
/// writing). A cell without a result has "left_out", so that none is missing silently.
std::string records(const ItemSpec& item, const Judge& judge);

struct Records {
  Results results;
  std::vector<std::string> damage;  ///< file, line, what is wrong; results are those of sound lines
  std::vector<std::string> not_computed;  ///< rows of the catalogue, which has grown since
};

/// From results/<paper>/<item>/records.jsonl; what does not fit the item is damage: missing,
/// doubled and unknown cells, lines that are no records.
Records read_records(const ItemSpec& item, const std::filesystem::path& results);

/// The data of a figure without the drawing, or the other way round: neither is in the records.
std::vector<std::string> missing_figures(const ItemSpec& item,
                                         const std::filesystem::path& results);

/// Whether the item has cells to record.
bool has_records(const ItemSpec& item);
/// Whether the item has any file.
bool is_made(const ItemSpec& item, const std::filesystem::path& results);

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
