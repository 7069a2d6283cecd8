// Where the program finds its data and leaves its results. Absolute paths stay inside the running
// program: nothing that is written may contain one.
#pragma once

#include <filesystem>

namespace daemark {

/// The data (tableaus, experiments): environment variable DAEMARK_ROOT; else, of an installed
/// program or library, share/daemark of the prefix it lies in; else the source tree it was built
/// from. Throws BadInput if that folder holds no methods.
std::filesystem::path source_root();

/// Whether source_root() came with an installation, which nothing is written into.
bool is_installed();

/// Results: environment variable DAEMARK_RESULTS, else source_root()/results; of an installed
/// program, results/ in the current folder. It need not exist.
std::filesystem::path results_root();

/// What the program came with: source_root()/results.
std::filesystem::path shipped_results();

/// From now on results of this process go to `folder`; what is missing there is still read where
/// results_root() was (known_result()).
void redirect_results(const std::filesystem::path& folder);

/// results_root()/`file`, to be read; where that is missing, that of the folder before
/// redirect_results(), or that of shipped_results() of an
/// installed program.
std::filesystem::path known_result(const std::filesystem::path& file);

}  // namespace daemark
