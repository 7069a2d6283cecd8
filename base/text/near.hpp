// "did you mean": the known name a mistyped one is nearest to.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace daemark {

/// Letters inserted, left out, replaced or swapped with their neighbour between two words (optimal
/// string alignment).
int edit_distance(std::string_view a, std::string_view b);

/// " (did you mean 'gauss'?)" with the nearest of `known`, case aside, or one that begins with what
/// was typed; empty where none is near: a third of the letters may be wrong, and one always.
std::string did_you_mean(std::string_view typed, const std::vector<std::string>& known);

}  // namespace daemark
