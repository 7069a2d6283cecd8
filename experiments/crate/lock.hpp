// The exact versions of everything that makes a result: sources, compiler, flags, libraries,
// packages, processor, elementary functions. Two locks show why two results may differ.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace daemark {

/// Of this program on this machine. Packages are those of scripts/dependencies.sh as the package
/// manager knows them; none where it does not say.
nlohmann::ordered_json lock_of_this();

/// From a file that `daemark lock` wrote, or from a crate. Throws BadInput.
nlohmann::ordered_json read_lock(const std::string& file);

/// "compiler: GNU 12.2.0 | GNU 13.2.0", a line for each entry that differs; sources are counted and
/// the first few named.
std::vector<std::string> lock_difference(const nlohmann::ordered_json& a,
                                         const nlohmann::ordered_json& b);

}  // namespace daemark
