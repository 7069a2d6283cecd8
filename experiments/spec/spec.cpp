#include "experiments/spec/spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/input/call.hpp"
#include "base/input/strict_json.hpp"
#include "base/program/digest.hpp"
#include "experiments/bibliography/bibliography.hpp"
#include "experiments/cells/support/cell_kind.hpp"
#include "experiments/spec/spec_parts.hpp"
#include "experiments/spec/sweeps.hpp"
#include "experiments/spec/verdict.hpp"

namespace daemark {
namespace {

using nlohmann::json;
using spec_parts::Place;

/// Text for every edition, or an object edition → text.
std::map<std::string, std::string> by_edition(const json& value, const Place& place,
                                              const std::vector<std::string>& editions) {
  std::map<std::string, std::string> out;
  if (value.is_string()) {
    for (const std::string& edition : editions) out[edition] = value.get<std::string>();
    return out;
  }
  place.require(value, {}, editions);
  for (const auto& [edition, text] : value.items()) out[edition] = place.text(value, edition);
  return out;
}

Formula formula(const json& object, const std::string& key, const Place& place) {
  return Formula::parse(place.text(object, key), place.name);
}

class ItemReader {
 public:
  ItemReader(const std::filesystem::path& file, const PaperSpec& paper)
      : paper_(paper), where_{fmt::format("{}/{}", paper.id, file.filename().string())} {
    item_.paper = paper.id;
    item_.id = file.stem().string();
    for (const EditionSpec& edition : paper.editions) editions_.push_back(edition.key);
    defaults_.settings = paper.settings;
  }

  ItemSpec read(const json& in) {
    where_.require(
        in, {"kind", "title"},
        {"where", "row_heading", "defaults", "columns", "rows", "second_routes", "bounds", "claims",
         "plot", "animate", "legend", "assumed", "notes", "findings", "catalogue"});
    item_.kind = where_.word(in, "kind", {"table", "figure", "claims"});
    item_.title = where_.text(in, "title");
    item_.row_heading = where_.text_or(in, "row_heading", "");
    if (in.contains("where")) item_.where = by_edition(in["where"], where_.at("where"), editions_);
    if (in.contains("defaults"))
      spec_parts::overlay(defaults_, in["defaults"], where_.at("defaults"));
    if (in.contains("second_routes")) routes_ = in["second_routes"];
    where_.each(in, "columns", [&](const json& c, const Place& p) { column(c, p); });
    where_.each(in, "rows", [&](const json& r, const Place& p) { row(r, p); });
    if (in.contains("catalogue")) catalogue(in["catalogue"], where_.at("catalogue"));
    where_.each(in, "bounds", [&](const json& b, const Place& p) { bound(b, p); });
    where_.each(in, "claims", [&](const json& c, const Place& p) { claim(c, p); });
    if (in.contains("plot")) item_.plot = spec_parts::plot(in["plot"], where_.at("plot"));
    item_.animate = where_.text_or(in, "animate", "");
    item_.legend = where_.texts(in, "legend");
    item_.assumed = where_.texts(in, "assumed");
    item_.notes = where_.texts(in, "notes");
    for (const std::string& text : where_.texts(in, "findings"))
      item_.findings.push_back(FilledText::parse(text, where_.name));
    check();
    item_.references = references();
    return std::move(item_);
  }

 private:
  void column(const json& in, const Place& place) {
    place.require(
        in, {"id", "label", "measure"},
        {"unit", "floor", "known_to", "least", "not_comparable", "digits", "beside", "marks"});
    ColumnSpec column;
    column.id = place.identifier(in, "id", columns_seen_);
    column.label = place.text(in, "label");
    column.unit = place.text_or(in, "unit", "");
    column.measure = formula(in, "measure", place);
    if (in.contains("floor")) column.floor = place.positive(in, "floor");
    if (!place.text_or(in, "known_to", "").empty())
      column.known_to = formula(in, "known_to", place);
    if (in.contains("least")) column.least = place.positive(in, "least");
    column.not_comparable = place.text_or(in, "not_comparable", "");
    if (in.contains("digits")) {
      column.digits = static_cast<int>(get_int(in, "digits", place.name, 0, 17));
    }
    if (!place.text_or(in, "beside", "").empty()) column.beside = formula(in, "beside", place);
    place.each(in, "marks", [&](const json& mark, const Place& at) {
      at.require(mark, {"sign", "when"}, {});
      column.marks.push_back({at.text(mark, "sign"), formula(mark, "when", at)});
    });
    item_.columns.push_back(std::move(column));
  }

  void row(const json& in, const Place& place) {
    place.require(in, {"id", "label"},
                  {"group", "cell", "candidates", "variants", "second_routes", "printed", "floors",
                   "not_comparable"});
    RowSpec row;
    row.id = place.identifier(in, "id", rows_seen_);
    row.label = place.text(in, "label");
    row.group = place.text_or(in, "group", "");
    if (in.contains("cell")) {
      Cell cell = defaults_;
      spec_parts::overlay(cell, in["cell"], place.at("cell"));
      row.cell = spec_parts::checked_cell(cell, in["cell"], place.at("cell"));
    }
    row.candidates = place.texts(in, "candidates");
    if (row.cell.has_value() == !row.candidates.empty()) {
      place.refuse("a row has either a cell of its own or candidates");
    }
    row.variants = place.texts(in, "variants");
    if (row.cell && !row.variants.empty()) place.refuse("variants accompany candidates only");
    second_routes(row, in.contains("second_routes") ? in["second_routes"] : routes_, place);
    if (in.contains("printed")) printed(row, in["printed"], place.at("printed"));
    by_column(in, "floors", place,
              [&](const json& floors, const std::string& column, const Place& at) {
                row.floors[column] = at.positive(floors, column);
              });
    by_column(in, "not_comparable", place,
              [&](const json& reasons, const std::string& column, const Place& at) {
                row.not_comparable[column] = at.text(reasons, column);
              });
    item_.rows.push_back(std::move(row));
  }

  /// The members of an object whose keys are columns, where it is there.
  template <class Visit>
  void by_column(const json& in, const char* key, const Place& place, const Visit& visit) const {
    if (!in.contains(key)) return;
    place.at(key).require(in[key], {}, {columns_seen_.begin(), columns_seen_.end()});
    for (const auto& [column, value] : in[key].items()) visit(in[key], column, place.at(key));
  }

  /// A row for every method of the catalogue, times the variants.
  void catalogue(const json& in, const Place& place) {
    place.require(in, {}, {"parameters", "variants"});
    std::map<std::string, std::vector<std::string>> values;
    if (in.contains("parameters")) {
      const Place at = place.at("parameters");
      for (const auto& [name, list] : get_object(in, "parameters", place.name).items()) {
        values[name] = at.texts(in["parameters"], name);
      }
    }
    static const json plain = json::array({json{{"cell", json::object()}}});
    for (const json& variant : in.contains("variants") ? in["variants"] : plain) {
      const Place at = place.at("variants");
      at.require(variant, {"cell"}, {"id", "label", "methods", "except"});
      const std::string prefix = at.text_or(variant, "id", "");
      const std::vector<std::string> only = at.texts(variant, "methods"),
                                     but = at.texts(variant, "except");
      const std::size_t rows_before = item_.rows.size();
      for (const CatalogueMethod& method : catalogue_methods(values)) {
        const std::string family = parse_call(method.call, at.name).id;
        if (!only.empty() && std::count(only.begin(), only.end(), family) == 0) continue;
        if (std::count(but.begin(), but.end(), family) != 0) continue;
        RowSpec row;
        row.id = prefix.empty() ? method.id : prefix + "_" + method.id;
        if (!rows_seen_.insert(row.id).second)
          at.refuse(fmt::format("row '{}' occurs twice", row.id));
        row.label = method.call;
        row.of_catalogue = true;
        row.group = at.text_or(variant, "label", method.kind);
        Cell cell = defaults_;
        cell.method = method.call;
        spec_parts::overlay(cell, variant["cell"], at);
        row.cell = spec_parts::checked_cell(cell, variant["cell"], at);
        item_.rows.push_back(std::move(row));
      }
      if (item_.rows.size() == rows_before) at.refuse("methods: none of the catalogue");
    }
  }

  void second_routes(RowSpec& row, const json& routes, const Place& place) const {
    if (!row.cell || routes.is_null()) return;
    if (!routes.is_array()) place.refuse("second_routes is a list of {name, cell}");
    for (const json& in : routes) {
      const Place at = place.at("second_routes");
      at.require(in, {"name", "cell"}, {});
      const std::string name = at.text(in, "name");
      Cell cell = *row.cell;
      for (const auto& [key, type] : cell_kinds().keys())
        if (!type.second_routes) cell.more.erase(key);
      spec_parts::overlay(cell, in["cell"], at);
      const SecondRoute route{name, spec_parts::checked_cell(cell, in["cell"], at)};
      // A route that changes nothing in this row would agree with it without proving anything.
      if (canonical(route.cell) != canonical(*row.cell)) row.second.push_back(route);
    }
  }

  void printed(RowSpec& row, const json& in, const Place& place) const {
    place.require(in, {}, {columns_seen_.begin(), columns_seen_.end()});
    std::vector<std::string> editions;
    for (const auto& [edition, text] : item_.where) editions.push_back(edition);
    for (const auto& [column, value] : in.items()) {
      row.printed[column] = by_edition(value, place.at(column), editions);
      for (const auto& [edition, text] : row.printed[column]) {
        printed_interval(text, place.at(column).name);
      }
    }
  }

  void bound(const json& in, const Place& place) {
    place.require(in, {"id", "formula", "column", "why"}, {});
    std::set<std::string> seen;
    item_.bounds.push_back({place.identifier(in, "id", seen), formula(in, "formula", place),
                            place.text(in, "column"), place.text(in, "why")});
    if (!item_.bounds.back().formula.is_comparison()) place.refuse("a bound is a comparison");
    if (!columns_seen_.contains(item_.bounds.back().column)) place.refuse("no such column");
  }

  void claim(const json& in, const Place& place) {
    place.require(in, {"id", "text", "where"}, {"conditions", "thresholds", "why", "own"});
    ClaimSpec claim;
    claim.id = place.identifier(in, "id", claims_seen_);
    claim.text = place.text(in, "text");
    claim.own = place.flag(in, "own");
    if (claim.text.starts_with("Not in the paper"))
      place.refuse("text 'Not in the paper...'; accepted: the statement alone, with \"own\": true");
    claim.where = by_edition(in["where"], place.at("where"), editions_);
    claim.why = place.text_or(in, "why", "");
    thresholds(claim, in, place);
    std::set<std::string> bare;  // names that are no row.measure
    for (const std::string& text : place.texts(in, "conditions")) {
      claim.conditions.push_back(Formula::parse(text, place.name));
      const Formula& condition = claim.conditions.back();
      if (!condition.is_comparison())
        place.refuse(fmt::format("condition '{}' is not a comparison", text));
      for (const std::string& name : condition.names())
        if (name.find('.') == std::string::npos) bare.insert(name);
    }
    for (const ThresholdSpec& threshold : claim.thresholds) {
      if (bare.erase(threshold.name) == 0)
        place.refuse(fmt::format("threshold '{}' stands in no condition", threshold.name));
    }
    if (!bare.empty()) {
      place.refuse(
          fmt::format("conditions: '{}' is neither a row.measure nor a threshold", *bare.begin()));
    }
    if (claim.conditions.empty() && claim.why.empty()) {
      place.refuse("a claim without conditions needs a `why`");
    }
    item_.claims.push_back(std::move(claim));
  }

  static void thresholds(ClaimSpec& claim, const json& in, const Place& place) {
    if (!in.contains("thresholds")) return;
    for (const auto& [name, value] : get_object(in, "thresholds", place.name).items()) {
      const Place at = place.at("thresholds").at(name);
      at.require(value, {"value"}, {"plausible"});
      ThresholdSpec threshold{name, at.positive(value, "value"), {}};
      if (value.contains("plausible")) {
        for (const json& other : get_array(value, "plausible", at.name)) {
          threshold.plausible.push_back(to_expression(other, at.name).eval<double>());
          if (!(threshold.plausible.back() > 0)) at.refuse("plausible must be positive");
        }
      }
      claim.thresholds.push_back(std::move(threshold));
    }
  }

  void check() const {
    for (const RowSpec& row : item_.rows) {
      std::vector<std::string> others = row.candidates;
      others.insert(others.end(), row.variants.begin(), row.variants.end());
      for (const std::string& candidate : others) {
        const RowSpec* meant = find_row(item_, candidate);
        if (meant == nullptr || !meant->cell) {
          where_.refuse(fmt::format("row {}: '{}' is no row with a cell", row.id, candidate));
        }
      }
    }
    if (!item_.animate.empty()) need_history("animate", item_.animate);
    if (!item_.plot) return;
    for (const PanelSpec& panel : item_.plot->panels) {
      for (const CurveSpec& curve : panel.curves) {
        for (const std::string& id : curve.rows) {
          const RowSpec* row = find_row(item_, id);
          if (row == nullptr || !row->cell) where_.refuse(fmt::format("plot: no row '{}'", id));
        }
        if (!curve.rows.empty()) continue;
        need_history("plot", curve.row);
      }
    }
  }

  void need_history(const char* use, const std::string& id) const {
    const RowSpec* row = find_row(item_, id);
    if (row == nullptr || !row->cell) where_.refuse(fmt::format("{}: no row '{}'", use, id));
    if (!kind_of(*row->cell).has_series(*row->cell))
      where_.refuse(fmt::format("{}: row '{}' keeps no history", use, id));
  }

  /// The other items of the paper that claims and findings name.
  std::vector<std::string> references() const {
    std::set<std::string> found;
    const auto take = [&](const std::vector<Formula>& formulas) {
      for (const Formula& formula : formulas)
        for (const std::string& name : formula.names())
          if (const std::size_t dot = name.find('.'); dot != std::string::npos)
            found.insert(name.substr(0, dot));
    };
    for (const ClaimSpec& claim : item_.claims) take(claim.conditions);
    for (const FilledText& finding : item_.findings) take(finding.formulas());
    std::erase_if(found, [&](const std::string& id) {
      return id == item_.id || std::count(paper_.items.begin(), paper_.items.end(), id) == 0;
    });
    return {found.begin(), found.end()};
  }

  const PaperSpec& paper_;
  Place where_;
  ItemSpec item_;
  Cell defaults_;
  json routes_;
  std::vector<std::string> editions_;
  std::set<std::string> columns_seen_, rows_seen_, claims_seen_;
};

}  // namespace

PaperSpec read_paper(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "paper.json";
  const json in = parse_json_file(file.string());
  const Place place{fmt::format("{}/paper.json", folder.filename().string())};
  place.require(in, {"editions", "items"}, {"title", "citation", "notes", "role", "settings"});
  PaperSpec paper;
  paper.id = folder.filename().string();
  const auto known = bibliography().find(paper.id);
  if (known != bibliography().end() && !in.contains("title") && !in.contains("citation")) {
    paper.title = known->second.title;
    paper.citation = known->second.text();
  } else if (known == bibliography().end()) {
    paper.title = place.text(in, "title");
    paper.citation = place.text(in, "citation");
  } else {
    place.refuse("title and citation of '" + paper.id +
                 "' stand in experiments/bibliography/bibliography.json, and there alone");
  }
  paper.role =
      in.contains("role") ? place.word(in, "role", {"paper", "study", "problems"}) : "paper";
  paper.items = place.texts(in, "items");
  paper.notes = place.texts(in, "notes");
  if (in.contains("settings"))
    for (const auto& [name, value] : get_object(in, "settings", place.name).items())
      paper.settings[name] = place.text(in["settings"], name);
  place.each(in, "editions", [&](const json& edition, const Place& at) {
    at.require(edition, {"key", "id", "label"}, {});
    paper.editions.push_back(
        {at.text(edition, "key"), at.text(edition, "id"), at.text(edition, "label")});
  });
  return paper;
}

ItemSpec read_item(const std::filesystem::path& file, const PaperSpec& paper) {
  const json in = parse_json_file(file.string());
  const std::string where = fmt::format("{}/{}", paper.id, file.filename().string());
  ItemSpec item = ItemReader(file, paper).read(with_sweeps(in, where));
  item.digest = digest(in.dump());
  return item;
}

std::vector<FixedCell> cells_of(const ItemSpec& item) {
  std::vector<FixedCell> cells;
  for (const RowSpec& row : item.rows) {
    if (row.cell) cells.push_back(*row.cell);
    for (const SecondRoute& route : row.second) cells.push_back(route.cell);
  }
  for (const SecondRoute& guess : item.other_guesses) cells.push_back(guess.cell);
  return cells;
}

std::string place_of(const ItemSpec& item, const FixedCell& cell) {
  const std::string file = item.paper + "/" + item.id + ".json", &name = canonical(cell);
  for (const RowSpec& row : item.rows) {
    const bool own = row.cell && canonical(*row.cell) == name;
    if (own || std::any_of(row.second.begin(), row.second.end(),
                           [&](const SecondRoute& route) { return canonical(route.cell) == name; }))
      return file + ", row " + row.id;
  }
  return file;
}

std::string with_unit(const ColumnSpec& column) {
  return column.unit.empty() ? column.label : fmt::format("{} [{}]", column.label, column.unit);
}

std::string places(const PaperSpec& paper, const std::map<std::string, std::string>& place) {
  std::vector<std::string> parts;
  for (const EditionSpec& edition : paper.editions) {
    const auto found = place.find(edition.key);
    if (found != place.end()) parts.push_back(fmt::format("{}: {}", edition.label, found->second));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

const RowSpec* find_row(const ItemSpec& item, const std::string& id) {
  const auto row = std::find_if(item.rows.begin(), item.rows.end(),
                                [&](const RowSpec& candidate) { return candidate.id == id; });
  return row == item.rows.end() ? nullptr : &*row;
}

}  // namespace daemark
