#include "experiments/spec/spec_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/input/strict_json.hpp"
#include "base/numbers/precision.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/cells/support/cell_kind.hpp"

namespace daemark::spec_parts {

using nlohmann::json;

void Place::refuse(const std::string& what) const { throw BadInput(name + ": " + what); }

void Place::require(const json& object, const std::vector<std::string>& required,
                    const std::vector<std::string>& optional) const {
  require_keys(object, name, required, optional);
}

std::string Place::text(const json& object, const std::string& key) const {
  return get_string(object, key, name);
}

std::string Place::text_or(const json& object, const std::string& key,
                           const std::string& fallback) const {
  return object.contains(key) ? text(object, key) : fallback;
}

std::vector<std::string> Place::texts(const json& object, const std::string& key) const {
  return object.contains(key) ? get_strings(object, key, name) : std::vector<std::string>{};
}

std::string Place::word(const json& object, const std::string& key,
                        const std::vector<std::string>& accepted) const {
  const std::string value = text(object, key);
  if (std::count(accepted.begin(), accepted.end(), value) == 0) {
    refuse(fmt::format("{} '{}'; accepted: {}", key, value, fmt::join(accepted, ", ")));
  }
  return value;
}

std::string Place::identifier(const json& object, const std::string& key,
                              std::set<std::string>& seen) const {
  const std::string id = text(object, key);
  const bool plain = !id.empty() && std::isalpha(static_cast<unsigned char>(id[0])) != 0 &&
                     std::all_of(id.begin(), id.end(),
                                 [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
  if (!plain) {
    refuse(fmt::format("{} '{}'; accepted: letters, digits, '_', a letter first", key, id));
  }
  if (!seen.insert(id).second) refuse(fmt::format("{} '{}' occurs twice", key, id));
  return id;
}

double Place::positive(const json& object, const std::string& key) const {
  const double value = get_expression(object, key, name).eval<double>();
  if (!(value > 0)) refuse(fmt::format("{} must be positive", key));
  return value;
}

bool Place::flag(const json& object, const std::string& key) const {
  return object.contains(key) && get_bool(object, key, name);
}

void Place::each(const json& object, const std::string& key,
                 const std::function<void(const json&, const Place&)>& visit) const {
  if (!object.contains(key)) return;
  int count = 0;
  for (const json& member : get_array(object, key, name)) {
    visit(member, at(fmt::format("{} {}", key, ++count)));
  }
}

namespace {

constexpr const char* common_keys[] = {"problem",   "formulation", "method", "h",   "t_end",
                                       "precision", "settings",    "cost",   "kind"};

void overlay_common(Cell& cell, const json& in, const std::string& key, const Place& place) {
  if (key == "problem") cell.problem = place.text(in, key);
  if (key == "formulation") cell.formulation = place.text(in, key);
  if (key == "method") cell.method = place.text(in, key);
  if (key == "t_end") cell.t_end = place.text(in, key);
  if (key == "precision")
    cell.precision = place.word(in, key, {precision_names.begin(), precision_names.end()});
  if (key == "cost") cell.is_long = place.word(in, key, {"short", "long"}) == "long";
  if (key == "kind") cell.kind = place.word(in, key, cell_kinds().ids());
  if (key == "h") {
    cell.h =
        in[key].is_string() ? std::vector<std::string>{place.text(in, key)} : place.texts(in, key);
  }
  if (key == "settings") {
    for (const auto& [name, setting] : get_object(in, key, place.name).items()) {
      const std::string text = place.text(in[key], name);
      if (text.empty()) {
        cell.settings.erase(name);
      } else {
        cell.settings[name] = text;
      }
    }
  }
}

/// A key of one kind, kept as JSON of the type it must have.
json value_of(const CellKey& key, const json& in, const Place& place) {
  switch (key.type) {
    case CellKey::Type::flag:
      return get_bool(in, key.name, place.name);
    case CellKey::Type::whole:
      return get_int(in, key.name, place.name, 0, 1000000);
    case CellKey::Type::texts:
      return place.texts(in, key.name);
    case CellKey::Type::object:
      return get_object(in, key.name, place.name);
    default:  // the types of members of Cell, and calls
      return place.text(in, key.name);
  }
}

}  // namespace

void overlay(Cell& cell, const json& in, const Place& place) {
  std::vector<std::string> accepted(std::begin(common_keys), std::end(common_keys));
  for (const auto& [name, key] : cell_kinds().keys()) accepted.push_back(name);
  place.require(in, {}, accepted);
  for (const auto& [name, value] : in.items()) {
    const auto key = cell_kinds().keys().find(name);
    if (key == cell_kinds().keys().end()) {
      overlay_common(cell, in, name, place);
    } else {
      cell.more[name] = value_of(key->second, in, place);
    }
  }
}

FixedCell checked_cell(const Cell& cell, const json& own, const Place& place) {
  const CellKind& kind = kind_of(cell);
  for (const auto& [name, value] : own.items()) {
    if (kind.key(name) != nullptr || !cell_kinds().keys().contains(name)) continue;
    std::vector<std::string> known;
    for (const CellKey& key : kind.keys) known.push_back(key.name);
    place.refuse(fmt::format("key '{}' is not of kind '{}'; accepted: {}", name, kind.id,
                             fmt::join(known, ", ")));
  }
  try {
    kind.check(cell);
    return cell;
  } catch (const BadInput& why) {
    place.refuse(why.what());
  }
}

namespace {

Axis axis(const json& in, const std::string& key, const Place& place) {
  Axis axis;
  const Place at = place.at(key);
  const json& object = get_object(in, key, place.name);
  at.require(object, {"label"}, {"unit", "log", "names"});
  axis.label = at.text(object, "label");
  axis.unit = at.text_or(object, "unit", "");
  axis.log = at.flag(object, "log");
  axis.names = at.texts(object, "names");
  std::reverse(axis.names.begin(), axis.names.end());  // written from the top
  return axis;
}

template <class Value>
using Names = std::vector<std::pair<std::string, Value>>;

const Names<CurveStyle> styles = {{"line", CurveStyle::line},
                                  {"dashed", CurveStyle::dashed},
                                  {"dotted", CurveStyle::dotted},
                                  {"points", CurveStyle::points},
                                  {"linespoints", CurveStyle::linespoints}};
const Names<LegendPosition> legends = {{"none", LegendPosition::none},
                                       {"top_right", LegendPosition::top_right},
                                       {"top_left", LegendPosition::top_left},
                                       {"bottom_right", LegendPosition::bottom_right},
                                       {"bottom_left", LegendPosition::bottom_left},
                                       {"right_outside", LegendPosition::right_outside},
                                       {"below", LegendPosition::below}};

/// What a word stands for.
template <class Value>
Value named(const json& in, const std::string& key, const Place& place, const Names<Value>& names,
            Value absent) {
  if (!in.contains(key)) return absent;
  std::vector<std::string> words;
  for (const auto& [word, value] : names) words.push_back(word);
  const std::string chosen = place.word(in, key, words);
  return names[static_cast<std::size_t>(std::find(words.begin(), words.end(), chosen) -
                                        words.begin())]
      .second;
}

/// One measure of several rows.
CurveSpec column_of_rows(const json& in, const Place& place, const Axis& y) {
  place.require(in, {"rows", "x"}, {"label"});
  CurveSpec curve;
  curve.rows = place.texts(in, "rows");
  curve.x = Formula::parse(place.text(in, "x"), place.name);
  curve.label = place.text_or(in, "label", "");
  curve.style = CurveStyle::points;
  if (curve.rows.size() != y.names.size()) {
    place.refuse(
        fmt::format("{} rows for {} names of the y axis", curve.rows.size(), y.names.size()));
  }
  return curve;
}

CurveSpec curve(const json& in, const Place& place, const Axis& y) {
  if (in.is_object() && in.contains("rows")) return column_of_rows(in, place, y);
  place.require(in, {"row", "x", "y"}, {"label", "style", "slope", "marks"});
  CurveSpec curve;
  curve.row = place.text(in, "row");
  curve.x = Formula::parse(place.text(in, "x"), place.name);
  curve.y = Formula::parse(place.text(in, "y"), place.name);
  curve.label = place.text_or(in, "label", "");
  curve.style = named(in, "style", place, styles, CurveStyle::line);
  curve.slope = place.flag(in, "slope");
  curve.marks = place.flag(in, "marks");
  return curve;
}

}  // namespace

PlotSpec plot(const json& in, const Place& place) {
  place.require(in, {"caption", "panels"}, {"columns"});
  PlotSpec plot;
  plot.caption = place.text(in, "caption");
  if (in.contains("columns")) {
    plot.columns = static_cast<int>(get_int(in, "columns", place.name, 1, 4));
  }
  place.each(in, "panels", [&](const json& object, const Place& at) {
    at.require(object, {"x", "y", "curves"}, {"title", "legend", "equal_scale", "best_at"});
    PanelSpec panel;
    Panel& frame = panel.frame;
    frame.title = at.text_or(object, "title", "");
    frame.legend = named(object, "legend", at, legends, LegendPosition::top_right);
    frame.x = axis(object, "x", at);
    frame.y = axis(object, "y", at);
    frame.equal_scale = at.flag(object, "equal_scale");
    if (object.contains("best_at")) panel.best_at = at.positive(object, "best_at");
    at.each(object, "curves",
            [&](const json& c, const Place& p) { panel.curves.push_back(curve(c, p, frame.y)); });
    plot.panels.push_back(std::move(panel));
  });
  return plot;
}

}  // namespace daemark::spec_parts
