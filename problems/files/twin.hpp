// "twin" of files of kind equations: the same mechanism as bodies and joints of the plane, for
// other programs. Internal.
#pragma once

#include "problems/files/file_entry.hpp"

namespace daemark {

/// With the points of bodies that the coordinates are. `problem` is that of the file; throws
/// BadInput where these points do not start where it does.
void read_twin(const nlohmann::json& file, const std::string& where, const FileNames& names,
               Problem& problem);

}  // namespace daemark
