// "Did you mean": the known name that is nearest to a mistyped one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace daemark {

/// Letters inserted, left out, replaced or swapped with their neighbour between two words (optimal
/// string alignment).
int edit_distance(std::string_view a, std::string_view b);

/// " (did you mean 'gauss'?)" with the name in `known` that is nearest, or that begins with what
/// was typed; upper and lower case do not matter. Empty if none is near: a third of the letters may
/// be wrong, and in any case one.
std::string did_you_mean(std::string_view typed, const std::vector<std::string>& known);

}  // namespace daemark
