// The names in the formulas of an item: every row, item and measure they speak of exists.
//
// Whether a run fails may depend on the initial guess of Newton's iteration: what claims say of
// ends
// ("fails", "completes") is judged over every predictor.
#pragma once

#include <string>
#include <vector>

#include "experiments/spec/spec.hpp"

namespace daemark {

/// What `row.measure` of an item, or `item.row.measure`, stands for.
struct NamedMeasure {
  const ItemSpec* item;
  const RowSpec* row;        ///< with a cell
  const ColumnSpec* column;  ///< null: a measure or count of the cell itself
  std::string measure;
};

/// Throws BadInput naming `where` for rows and items that do not exist.
NamedMeasure named_measure(const std::vector<ItemSpec>& items, const ItemSpec& item,
                           const std::string& where, const std::string& name);

/// Throws BadInput naming item and claim, finding or column: a name that is no row.measure or
/// item.row.measure of `items`, or whose measure no such cell can ever give.
void check_names(const std::vector<ItemSpec>& items, const ItemSpec& item);

/// `ok`, `failed` and `status_<word>`, also as a column.
bool is_end(const NamedMeasure& named);

/// The run with every other predictor, named after it; none where it makes no first guess: explicit
/// methods, solvers of others, kinds without a method and settings.
std::vector<SecondRoute> other_guesses(const Cell& cell);

/// Gives each item the other guesses of the runs whose ends its claims ask for.
void add_other_guesses(std::vector<ItemSpec>& items);

}  // namespace daemark
