// Sweeps of another machine, compiler or year beside those here: what moved, and by how much.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/compare/compare_lines.hpp"

namespace daemark {

/// A line for each field from the `shown`-th on whose problem has a shelf under `results`, named
/// `name`: how many sweeps agree in the four digits a shelf keeps (below 1e-10 errors are
/// round-off, counts may differ by two or a hundredth), and the worst of those that moved.
std::string beside_lines(const std::vector<Compared>& compared, std::size_t shown,
                         const std::filesystem::path& results, const std::string& name);

}  // namespace daemark
