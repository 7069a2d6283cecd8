// The kinds of mechanism files. Throw BadInput, "equations" also for data and definitions that
// nothing uses. `names`: data and choices. Internal.
#pragma once

#include "problems/files/file_entry.hpp"
#include "problems/planar/planar_mechanism.hpp"

namespace daemark {

Problem planar_from_file(const nlohmann::json& file, const std::string& where, FileNames& names);
Problem spatial_from_file(const nlohmann::json& file, const std::string& where, FileNames& names);
Problem equations_from_file(const nlohmann::json& file, const std::string& where, FileNames& names);

/// Gravity, bodies and elements of an object with the names of these bodies.
PlanarMechanism planar_parts_of(const nlohmann::json& object, const FileEntry& whole,
                                FileNames& names);

/// "twin" of files of kind equations: the same mechanism as bodies and joints of the plane, for
/// other programs, with the points of bodies that the coordinates are. `problem` is that of the
/// file; throws BadInput where these points do not start where it does.
void read_twin(const nlohmann::json& file, const std::string& where, const FileNames& names,
               Problem& problem);

}  // namespace daemark
