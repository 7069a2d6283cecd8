// An item to be made, and what is written besides its files: times and provenance, reference
// states.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/engine/run/services.hpp"
#include "experiments/engine/write/book.hpp"

namespace daemark {

struct ItemTarget {
  Book* book = nullptr;
  const ItemSpec* item = nullptr;
  std::string inputs;
  bool written = false;
  std::string name() const { return book->paper.id + "/" + item->id; }
};

/// Times and provenance, which depend on the machine and are not committed:
/// results/.local/<paper>/<item>/.
void write_local(const std::filesystem::path& results, const std::vector<ItemTarget*>& targets,
                 const Services& services);

/// The reference states behind the errors of these cells, for everyone to see.
void publish_references(const std::vector<FixedCell>& cells);

}  // namespace daemark
