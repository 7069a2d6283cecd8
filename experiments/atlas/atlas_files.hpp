// The tables and pages of the atlas under results/atlas, from its shelves.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/atlas/atlas_book.hpp"

namespace daemark {

/// Who needs least, for the screen: a line for each field, of q to 1e-6.
std::string atlas_lines(const std::vector<Compared>& fields);

struct AtlasFiles {
  std::size_t pages = 0;  ///< of problems
};

/// work.csv (every method in every field), best.csv (the best of each family, the front), ranks.csv
/// and the pages. Nothing where there is no shelf.
AtlasFiles write_atlas_files(const std::filesystem::path& results, const Services& services);
AtlasFiles write_atlas_files(const std::filesystem::path& results, const AtlasBook& book);

std::string best_csv(const AtlasBook& book);
std::string ranks_csv(const AtlasBook& book);
std::string atlas_index_page(const AtlasBook& book);
std::string atlas_problem_page(const std::string& problem,
                               const std::vector<const Compared*>& fields);

/// results/assets: the style, the scripts and the tags that many pages load.
void write_shared(const std::filesystem::path& results, const AtlasBook& book);

/// The script with the tags of all methods, which pages load: results/assets/tags.js.
std::string tags_script(const std::vector<std::string>& calls);

}  // namespace daemark
