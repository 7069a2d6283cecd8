// "Did you mean": the known name that is nearest to a mistyped one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace daemark {

/// Letters inserted, left out, replaced or swapped with their neighbour between two words (optimal
/// string alignment).
int edit_distance(std::string_view a, std::string_view b);

/// " (did you mean 'gauss'?)" with the nearest names in `known`, three at most, also those that
/// begin with `name` or the other way round; case does not matter. Empty if none is near: a third
/// of the letters may be wrong, and at least one.
std::string did_you_mean(std::string_view typed, const std::vector<std::string>& known);

/// The end of the refusal of a name that is not in `known`: " (did you mean 'gauss'?); accepted:
/// gauss, bathe", and where that would be a long list " (did you mean 'gauss'?); accepted: one of
/// 93, daemark list methods names them", with `command` in the place of the verb.
std::string accepted_names(std::string_view typed, const std::vector<std::string>& known,
                           std::string_view command);

}  // namespace daemark
