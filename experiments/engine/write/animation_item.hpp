// An item's animation, from the history of the row that its `animate` names.
#pragma once

#include <optional>

#include "analysis/report/animation.hpp"
#include "experiments/judge/judge.hpp"

namespace daemark {

/// The pages of the report hold many of them.
inline constexpr std::size_t item_animation_bytes = 90000;

/// Absent if the item has none, or where the history is not at hand (records keep none). Throws
/// BadInput for a problem without a drawing or coordinates that are not its own.
std::optional<Animation> animation_of(const ItemSpec& item, const Judge& judge);

}  // namespace daemark
