// A solution in closed form, stated by formulas of the time. Internal.
#pragma once

#include <nlohmann/json.hpp>

#include "problems/files/file_entry.hpp"

namespace daemark {

/// Values of `wanted` at a time, in their order; `list` states them, and what they rest on, each by
/// those before it. Throws BadInput; the values may be no numbers.
std::function<std::vector<real50>(const real50& t)> known_solution(
    const nlohmann::json& list, const std::string& where, const FileNames& names,
    const std::vector<std::string>& wanted);

}  // namespace daemark
