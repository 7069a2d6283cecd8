// Where the program finds its data and leaves its results. Absolute paths stay inside the running
// program: nothing that is written may contain one.
#pragma once

#include <filesystem>

namespace daemark {

/// The source tree (tableaus, experiments): environment variable DAEMARK_ROOT, else where the
/// program was built. Throws BadInput if that folder is not a daemark source tree.
std::filesystem::path source_root();

/// Results: environment variable DAEMARK_RESULTS, else source_root()/results. It need not exist.
std::filesystem::path results_root();

}  // namespace daemark
