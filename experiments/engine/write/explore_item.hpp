// Work-precision figures of items as diagrams that answer, from the points that stand in their
// figure.csv.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/spec/spec.hpp"

namespace daemark {

/// Diagrams of the panels that say which curves are best (PanelSpec::best_at), one after the other.
/// A curve is of the family before the colon of its name; families that are new are added to
/// `families`, which a page shares. Empty where there is no such panel or no points.
std::string explore_item(const ItemSpec& item, const std::filesystem::path& csv,
                         std::vector<std::string>& families);

}  // namespace daemark
