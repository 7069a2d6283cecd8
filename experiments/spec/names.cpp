#include "experiments/spec/names.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/bad_input.hpp"
#include "experiments/cells/support/measure_names.hpp"
#include "experiments/spec/formula.hpp"

namespace daemark {
namespace {

[[noreturn]] void refuse(const std::string& where, const std::string& name,
                         const std::string& what) {
  throw BadInput(fmt::format(
      "{}: '{}' {}; accepted: row.measure or item.row.measure of a row with a cell, where measure "
      "is a column or what such a run measures or counts",
      where, name, what));
}

/// The names a column needs, all of which `cell` can give.
bool can_fill(const Cell& cell, const std::string& formula) {
  const Formula parsed = Formula::parse(formula, "column");
  return std::all_of(parsed.names().begin(), parsed.names().end(),
                     [&](const std::string& name) { return can_measure(cell, name); });
}

void check_columns(const ItemSpec& item, const std::string& where) {
  const std::vector<Cell> cells = cells_of(item);
  for (const ColumnSpec& column : item.columns) {
    std::vector<std::string> formulas = {column.measure};
    if (!column.beside.empty()) formulas.push_back(column.beside);
    for (const MarkSpec& mark : column.marks) formulas.push_back(mark.when);
    for (const std::string& formula : formulas) {
      const bool somewhere = std::any_of(cells.begin(), cells.end(),
                                         [&](const Cell& cell) { return can_fill(cell, formula); });
      if (!cells.empty() && !somewhere)
        throw BadInput(fmt::format("{}, column {}: no row of the item can give '{}'", where,
                                   column.id, formula));
    }
  }
}

void check_name(const std::vector<ItemSpec>& items, const ItemSpec& item, const std::string& where,
                const std::string& name) {
  const std::size_t last = name.rfind('.');
  if (last == std::string::npos) return refuse(where, name, "is not known");
  const std::string measure = name.substr(last + 1);
  std::string row_id = name.substr(0, last);
  const ItemSpec* owner = &item;
  if (const std::size_t dot = row_id.find('.'); dot != std::string::npos) {
    const auto other = std::find_if(items.begin(), items.end(), [&](const ItemSpec& candidate) {
      return candidate.id == row_id.substr(0, dot);
    });
    if (other == items.end()) refuse(where, name, "names no item");
    owner = &*other;
    row_id.erase(0, dot + 1);
  }
  const RowSpec* row = find_row(*owner, row_id);
  if (row == nullptr || !row->cell) refuse(where, name, "names no row with a cell");
  const auto column = std::find_if(owner->columns.begin(), owner->columns.end(),
                                   [&](const ColumnSpec& c) { return c.id == measure; });
  const bool possible = column != owner->columns.end() ? can_fill(*row->cell, column->measure)
                                                       : can_measure(*row->cell, measure);
  if (!possible) refuse(where, name, "is nothing that this row's run can give");
}

/// Measures of several rows; curves over a history are checked against it when they are drawn.
void check_plot(const std::vector<ItemSpec>& items, const ItemSpec& item,
                const std::string& where) {
  if (!item.plot) return;
  for (const PanelSpec& panel : item.plot->panels) {
    for (const CurveSpec& curve : panel.curves) {
      if (curve.rows.empty()) continue;
      const Formula formula = Formula::parse(curve.x, where);
      for (const std::string& row : curve.rows) {
        for (const std::string& name : formula.names())
          check_name(items, item, where + ", plot", row + "." + name);
      }
    }
  }
}

}  // namespace

void check_names(const std::vector<ItemSpec>& items) {
  for (const ItemSpec& item : items) {
    const std::string where = fmt::format("{}/{}.json", item.paper, item.id);
    check_columns(item, where);
    check_plot(items, item, where);
    for (const ClaimSpec& claim : item.claims) {
      const std::string place = fmt::format("{}, claim {}", where, claim.id);
      for (const std::string& condition : claim.conditions) {
        const Formula formula = Formula::parse(condition, place);
        for (const std::string& name : formula.names()) {
          const bool threshold =
              std::any_of(claim.thresholds.begin(), claim.thresholds.end(),
                          [&](const ThresholdSpec& t) { return t.name == name; });
          if (!threshold) check_name(items, item, place, name);
        }
      }
    }
    for (const std::string& finding : item.findings) {
      for (const Formula& formula : formulas_in(finding, where)) {
        for (const std::string& name : formula.names())
          check_name(items, item, where + ", findings", name);
      }
    }
  }
}

}  // namespace daemark
