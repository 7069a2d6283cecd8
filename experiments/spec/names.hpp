// The names in the formulas of a whole paper: every row, item and measure they speak of exists.
#pragma once

#include <vector>

#include "experiments/spec/spec.hpp"

namespace daemark {

/// Throws BadInput naming item and claim, finding or column: a name that is no row.measure or
/// item.row.measure, or whose measure no such cell can ever give.
void check_names(const std::vector<ItemSpec>& items);

}  // namespace daemark
