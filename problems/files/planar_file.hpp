// Files of kind "planar". Internal.
#pragma once

#include "problems/files/file_entry.hpp"
#include "problems/planar/planar_mechanism.hpp"

namespace daemark {

/// `names`: data and choices.
Problem planar_from_file(const nlohmann::json& file, const std::string& where, FileNames& names);

/// Gravity, bodies and elements of an object with the names of these bodies.
PlanarMechanism planar_parts_of(const nlohmann::json& object, const FileEntry& whole,
                                FileNames& names);

}  // namespace daemark
