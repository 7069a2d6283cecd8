// Problems stated by formulas: files of kind "equations". Internal.
#pragma once

#include "problems/files/file_entry.hpp"

namespace daemark {

/// `names`: data and choices. Throws BadInput, also for data and definitions that nothing uses.
Problem equations_from_file(const nlohmann::json& file, const std::string& where, FileNames& names);

}  // namespace daemark
