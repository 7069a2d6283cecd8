// What is written besides the files of an item: times and provenance, reference states.
#pragma once

#include <filesystem>
#include <vector>

#include "experiments/engine/run/services.hpp"
#include "experiments/engine/write/book.hpp"

namespace daemark {

/// Times and provenance of an item of the book, which depend on the machine and are not committed:
/// results/.local/<paper>/<item>/.
void write_local(const std::filesystem::path& results, const Book& book, const ItemSpec& item,
                 const std::string& provenance);

/// The reference states behind the errors of these cells, for everyone to see.
void publish_references(const std::vector<FixedCell>& cells);

}  // namespace daemark
