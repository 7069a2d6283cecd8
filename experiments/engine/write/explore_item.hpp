// Figures of items as diagrams that answer, from the points that stand in their figure.csv.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/spec/spec.hpp"

namespace daemark {

/// Diagrams of all panels with the legend of their curves. Where panels say which curves are best
/// (PanelSpec::best_at) a curve is of the family before the colon of its name; families that are
/// new are added to `families`, whose legend a page shares. Empty where there are no points, and
/// for pictures of space (Panel::equal_scale) or of a chosen part.
std::string explore_item(const ItemSpec& item, const std::filesystem::path& csv,
                         std::vector<std::string>& families);

}  // namespace daemark
