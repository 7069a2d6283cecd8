// PAPER or PAPER/ITEM with the results that stand, for verbs that write them in another form.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/engine/write/book.hpp"

namespace daemark {

struct StudyItems {
  /// Throws BadInput for names that do not exist and for damaged records.
  explicit StudyItems(const std::string& name);

  Book book;
  std::filesystem::path results;       ///< of the paper: where others than the program's own stand
  std::vector<const ItemSpec*> items;  ///< the one that is named, or all that are made
};

}  // namespace daemark
