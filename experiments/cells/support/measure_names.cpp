#include "experiments/cells/support/measure_names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "base/text/bad_input.hpp"

namespace daemark {
namespace {

/// What '*' stands for; absent: any name.
using Names = std::optional<std::vector<std::string>>;

bool matches(std::string_view pattern, std::string_view name, const Names& names);

/// `word`, then the rest of the pattern.
bool continues(std::string_view word, std::string_view rest, std::string_view name,
               const Names& names) {
  return name.starts_with(word) && matches(rest, name.substr(word.size()), names);
}

bool matches(std::string_view pattern, std::string_view name, const Names& names) {
  const std::size_t plain = std::min(pattern.find_first_of("{*#"), pattern.size());
  if (pattern.substr(0, plain) != name.substr(0, plain)) return false;
  if (plain == pattern.size()) return name.size() == plain;
  const char sign = pattern[plain];
  pattern.remove_prefix(plain), name.remove_prefix(plain);
  if (sign == '{') {
    const std::size_t end = pattern.find('}');
    for (std::size_t at = 1; at <= end;) {
      const std::size_t comma = std::min(pattern.find(',', at), end);
      if (continues(pattern.substr(at, comma - at), pattern.substr(end + 1), name, names))
        return true;
      at = comma + 1;
    }
    return false;
  }
  const std::string_view rest = pattern.substr(1);
  if (sign == '*' && names) {
    return std::any_of(names->begin(), names->end(),
                       [&](const std::string& one) { return continues(one, rest, name, names); });
  }
  for (std::size_t length = 1; length <= name.size(); ++length) {
    if (sign == '#' && std::isdigit(static_cast<unsigned char>(name[length - 1])) == 0) break;
    if (matches(rest, name.substr(length), names)) return true;
  }
  return false;
}

Names names_of(const CellMeasure& measure, const Cell& cell) {
  try {
    return measure.names(cell);
  } catch (const BadInput&) {  // an unknown problem is refused where the cell is run
    return std::nullopt;
  }
}

/// Whatever kind a cell is of.
const std::vector<CellMeasure>& of_every_cell() {
  static const std::vector<CellMeasure> all = [] {
    return std::vector<CellMeasure>{
        {"{ok,failed}", ""},
        {"{t_reached,seconds}", "s"},
        {fmt::format("status_{{{}}}", fmt::join(outcome_statuses(), ",")), ""}};
  }();
  return all;
}

}  // namespace

const CellMeasure* find_measure(const CellKind& kind, const Cell& cell, const std::string& name) {
  for (const auto* list : {&of_every_cell(), &kind.measures})
    for (const CellMeasure& measure : *list)
      if (matches(measure.pattern, name, std::nullopt) &&
          (measure.when == nullptr || measure.when(cell)) &&
          (measure.names == nullptr || matches(measure.pattern, name, names_of(measure, cell))))
        return &measure;
  return nullptr;
}

bool can_measure(const Cell& cell, const std::string& name) {
  return find_measure(kind_of(cell), cell, name) != nullptr;
}

std::string key_for(const Cell& cell, const std::string& name) {
  const CellKind& kind = kind_of(cell);
  const auto gives = [&](const Cell& changed) {
    try {
      return find_measure(kind, changed, name) != nullptr;
    } catch (const std::exception&) {  // a value that is no value of this key
      return false;
    }
  };
  for (const CellKey& key : kind.keys) {
    Cell changed = cell;
    std::string shown;
    if (key.type == CellKey::Type::step || key.type == CellKey::Type::steps) {
      changed.h = {"1", "1/2"}, shown = "two step sizes or more in \"h\"";
    } else if (key.type == CellKey::Type::flag) {
      changed.more[key.name] = true, shown = fmt::format("\"{}\": true", key.name);
    } else if (key.type == CellKey::Type::whole && cell.whole(key.name) == 0) {
      changed.more[key.name] = 1, shown = fmt::format("\"{}\": 1", key.name);
    } else if (key.type == CellKey::Type::texts) {
      const std::string of = name.substr(name.find('_') + 1);
      changed.more[key.name] = nlohmann::json::array({of});
      shown = fmt::format("\"{}\": [\"{}\"]", key.name, of);
    } else if (key.type == CellKey::Type::object) {
      changed.more[key.name] = nlohmann::json::object(), shown = fmt::format("\"{}\"", key.name);
    } else if (key.type == CellKey::Type::text && cell_kinds().keys().contains(key.name)) {
      changed.more[key.name] = "1", shown = fmt::format("\"{}\"", key.name);
    }
    if (!shown.empty() && gives(changed)) return shown;
  }
  return "";
}

std::optional<std::string> unit_of(const Cell& cell, const std::string& name) {
  const CellMeasure* measure = find_measure(kind_of(cell), cell, name);
  if (measure == nullptr || measure->unit == "?") return std::nullopt;
  return measure->unit;
}

std::vector<std::string> measures_of(const Cell& cell) {
  std::vector<std::string> patterns;
  for (const CellMeasure& measure : kind_of(cell).measures) {
    if (measure.when != nullptr && !measure.when(cell)) continue;
    std::string text = measure.pattern;
    if (const Names names = measure.names == nullptr ? Names{} : names_of(measure, cell))
      text.replace(text.find('*'), 1, fmt::format("{{{}}}", fmt::join(*names, ",")));
    patterns.push_back(std::move(text));
  }
  return patterns;
}

CellMeasure count_measures(bool (*when)(const Cell&)) {
  return {
      "{steps,newton_iterations,residual_evals,jacobian_evals,factorizations,floor_stops,"
      "rejected_steps,multiplier_iterations,inner_sweeps,failed_solves}",
      "", when};
}

}  // namespace daemark
