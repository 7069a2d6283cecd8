// Files of kind "spatial". Internal.
#pragma once

#include "problems/files/file_entry.hpp"

namespace daemark {

/// `names`: data and choices.
Problem spatial_from_file(const nlohmann::json& file, const std::string& where, FileNames& names);

}  // namespace daemark
