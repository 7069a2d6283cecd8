// "assemble" of planar and spatial files. Internal.
#pragma once

#include "problems/files/file_entry.hpp"
#include "problems/mechanism/assembly.hpp"

namespace daemark {

/// What bodies state under a key ("omega") are these of their rates.
struct StatedRates {
  const char* key;
  std::vector<int> which;
};

/// true, or {"hold": ["crank.theta", "rod"]}: these coordinates stay, or all of a body. Rates that
/// a body states stay, where they fit. `coordinates`: names of one body's.
Assembly assembly_of(const nlohmann::json& file, const FileEntry& whole, const FileNames& names,
                     const std::vector<std::string>& coordinates,
                     const std::vector<StatedRates>& rates);

}  // namespace daemark
