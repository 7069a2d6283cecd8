// How this program was built, for the provenance of a run.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace daemark {

std::string compiler();        ///< "GNU 12.2.0"
std::string compiler_flags();  ///< standard, optimisation and floating-point flags; no paths
std::string build_type();      ///< "Release"

/// {library, version}, in alphabetical order; for shared libraries the version loaded now.
std::vector<std::pair<std::string, std::string>> library_versions();

}  // namespace daemark
