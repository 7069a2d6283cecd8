// How a run ends is a fact of its method only where the first guess of Newton's iteration does not
// decide it: what claims say of ends ("fails", "completes") is judged over every predictor.
#pragma once

#include <string>
#include <vector>

#include "experiments/spec/names.hpp"

namespace daemark {

/// `ok`, `failed` and `status_<word>`, also as a column.
bool is_end(const NamedMeasure& named);

/// The run with every other predictor, named after it; none where it makes no first guess: explicit
/// methods, solvers of others, kinds without a method and settings.
std::vector<SecondRoute> other_guesses(const Cell& cell);

/// Gives each item the other guesses of the runs whose ends its claims ask for.
void add_other_guesses(std::vector<ItemSpec>& items);

}  // namespace daemark
