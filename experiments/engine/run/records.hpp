// records.jsonl of an item: the results of its cells, one line each, from which tables, verdicts
// and the report can be made again.
#pragma once

#include <filesystem>
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

}  // namespace daemark
