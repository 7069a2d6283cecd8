#include "experiments/spec/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "base/text/bad_input.hpp"
#include "base/text/near.hpp"
#include "experiments/cells/support/cell_kind.hpp"
#include "experiments/cells/support/measure_names.hpp"
#include "methods/catalogue/registry.hpp"

namespace daemark {

namespace {

/// Patterns of many names each: all are listed.
std::string accepted_measures(const Formula& wanted, const Cell& cell) {
  const std::vector<std::string> known = measures_of(cell);
  return fmt::format("{}; accepted: {}", did_you_mean(wanted.text(), known),
                     fmt::join(known, ", "));
}

[[noreturn]] void refuse(const std::string& where, const std::string& name, const std::string& what,
                         const std::string& also = "") {
  throw BadInput(fmt::format(
      "{}: '{}' {}; accepted: row.measure or item.row.measure of a row with a cell, where measure "
      "is a column or what such a run measures or counts{}",
      where, name, what, also));
}

/// "; the cell needs "errors": true", where that is all that is missing.
std::string missing_key(const Cell& cell, const Formula& formula) {
  for (const std::string& name : formula.names()) {
    if (can_measure(cell, name)) continue;
    if (const std::string key = key_for(cell, name); !key.empty())
      return fmt::format("; for {} the cell needs {}", name, key);
  }
  return "";
}

/// The names a column needs, all of which `cell` can give.
bool can_fill(const Cell& cell, const Formula& formula) {
  return std::all_of(formula.names().begin(), formula.names().end(),
                     [&](const std::string& name) { return can_measure(cell, name); });
}

/// A column that shows a measure as it is has the unit that the kinds of its cells declare.
void check_unit(const ColumnSpec& column, const std::vector<FixedCell>& cells,
                const std::string& where) {
  if (column.measure.names() != std::vector{column.measure.text()}) return;
  for (const FixedCell& cell : cells) {
    const std::optional<std::string> unit = unit_of(cell, column.measure.text());
    if (unit && *unit != column.unit)
      throw BadInput(fmt::format("{}, column {}: unit '{}'; accepted: '{}', the unit of {}", where,
                                 column.id, column.unit, *unit, column.measure.text()));
  }
}

void check_columns(const ItemSpec& item, const std::string& where) {
  const std::vector<FixedCell> cells = cells_of(item);
  for (const ColumnSpec& column : item.columns) {
    check_unit(column, cells, where);
    std::vector<Formula> formulas = {column.measure};
    if (column.beside) formulas.push_back(*column.beside);
    if (column.known_to) formulas.push_back(*column.known_to);
    for (const MarkSpec& mark : column.marks) formulas.push_back(mark.when);
    for (const Formula& formula : formulas) {
      const bool somewhere = std::any_of(cells.begin(), cells.end(), [&](const FixedCell& cell) {
        return can_fill(cell, formula);
      });
      if (!cells.empty() && !somewhere)
        throw BadInput(fmt::format("{}, column {}: no cell of this item measures '{}'{}{}", where,
                                   column.id, formula.text(),
                                   accepted_measures(formula, cells.front()),
                                   missing_key(cells.front(), formula)));
    }
  }
}

void check_name(const std::vector<ItemSpec>& items, const ItemSpec& item, const std::string& where,
                const std::string& name) {
  const NamedMeasure found = named_measure(items, item, where, name);
  const Cell& cell = *found.row->cell;
  const bool possible = found.column != nullptr ? can_fill(cell, found.column->measure)
                                                : can_measure(cell, found.measure);
  if (possible) return;
  const Formula of_row =
      found.column != nullptr ? found.column->measure : Formula::parse(found.measure, where);
  refuse(where, name, "is nothing that this row's run can give",
         accepted_measures(of_row, cell) + missing_key(cell, of_row));
}

/// Measures of several rows; curves over a history are checked against it when they are drawn.
void check_plot(const std::vector<ItemSpec>& items, const ItemSpec& item,
                const std::string& where) {
  if (!item.plot) return;
  for (const PanelSpec& panel : item.plot->panels) {
    for (const CurveSpec& curve : panel.curves) {
      if (curve.rows.empty()) continue;
      for (const std::string& row : curve.rows) {
        for (const std::string& name : curve.x.names())
          check_name(items, item, where + ", plot", row + "." + name);
      }
    }
  }
}

}  // namespace

NamedMeasure named_measure(const std::vector<ItemSpec>& items, const ItemSpec& item,
                           const std::string& where, const std::string& name) {
  const std::size_t last = name.rfind('.');
  if (last == std::string::npos) refuse(where, name, "is not known");
  NamedMeasure found{&item, nullptr, nullptr, name.substr(last + 1)};
  std::string row = name.substr(0, last);
  if (const std::size_t dot = row.find('.'); dot != std::string::npos) {
    const auto other = std::find_if(items.begin(), items.end(), [&](const ItemSpec& candidate) {
      return candidate.id == row.substr(0, dot);
    });
    if (other == items.end()) refuse(where, name, "names no item");
    found.item = &*other;
    row.erase(0, dot + 1);
  }
  found.row = find_row(*found.item, row);
  if (found.row == nullptr || !found.row->cell) refuse(where, name, "names no row with a cell");
  for (const ColumnSpec& column : found.item->columns)
    if (column.id == found.measure) found.column = &column;
  return found;
}

void check_names(const std::vector<ItemSpec>& items, const ItemSpec& item) {
  const std::string where = fmt::format("{}/{}.json", item.paper, item.id);
  check_columns(item, where);
  check_plot(items, item, where);
  for (const ClaimSpec& claim : item.claims) {
    const std::string place = fmt::format("{}, claim {}", where, claim.id);
    for (const Formula& condition : claim.conditions) {
      for (const std::string& name : condition.names()) {
        const bool threshold = std::any_of(claim.thresholds.begin(), claim.thresholds.end(),
                                           [&](const ThresholdSpec& t) { return t.name == name; });
        if (!threshold) check_name(items, item, place, name);
      }
    }
  }
  for (const FilledText& finding : item.findings) {
    for (const Formula& formula : finding.formulas()) {
      for (const std::string& name : formula.names())
        check_name(items, item, where + ", findings", name);
    }
  }
}

namespace {

const SettingInfo& predictor_setting() {
  const std::vector<SettingInfo>& all = setting_infos();
  return *std::find_if(all.begin(), all.end(),
                       [](const SettingInfo& info) { return info.key == "predictor"; });
}

/// The words of "a | b | c".
std::vector<std::string> predictors() {
  std::vector<std::string> words;
  std::istringstream text(predictor_setting().accepted);
  for (std::string word; text >> word;)
    if (word != "|") words.push_back(word);
  return words;
}

bool makes_guesses(const Cell& cell) {
  const CellKind& kind = kind_of(cell);
  if (kind.key("method") == nullptr || kind.key("settings") == nullptr || cell.method.empty())
    return false;
  try {
    const auto method = method_registry().make(cell.method);
    return !method->is_explicit() && !method->owns_loop();
  } catch (const BadInput&) {
    return false;  // refused, with its place, where the cell itself is bound
  }
}

}  // namespace

bool is_end(const NamedMeasure& named) {
  const std::string& measure = named.column ? named.column->measure.text() : named.measure;
  return measure == "ok" || measure == "failed" || measure.starts_with("status_");
}

std::vector<SecondRoute> other_guesses(const Cell& cell) {
  std::vector<SecondRoute> out;
  if (!makes_guesses(cell)) return out;
  Cell other = cell;
  for (const auto& [name, key] : cell_kinds().keys())
    if (!key.second_routes) other.more.erase(name);
  const auto set = cell.settings.find("predictor");
  const std::string own = set == cell.settings.end() ? predictor_setting().fallback : set->second;
  for (const std::string& predictor : predictors()) {
    if (predictor == own) continue;
    if (predictor == predictor_setting().fallback)
      other.settings.erase("predictor");
    else
      other.settings["predictor"] = predictor;
    out.push_back({predictor, other});
  }
  return out;
}

void add_other_guesses(std::vector<ItemSpec>& items) {
  for (ItemSpec& item : items) {
    item.other_guesses.clear();
    std::set<std::string> names, known;
    for (const ClaimSpec& claim : item.claims)
      for (const Formula& condition : claim.conditions)
        for (const std::string& name : condition.names())
          if (name.find('.') != std::string::npos) names.insert(name);  // no threshold
    for (const std::string& name : names) {
      const NamedMeasure named = named_measure(items, item, item.paper + "/" + item.id, name);
      if (!is_end(named)) continue;
      for (SecondRoute& guess : other_guesses(*named.row->cell)) {
        guess.name = name.substr(0, name.rfind('.')) + ": predictor " + guess.name;
        if (known.insert(canonical(guess.cell)).second) item.other_guesses.push_back(guess);
      }
    }
  }
}

}  // namespace daemark
