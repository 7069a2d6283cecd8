#include "experiments/spec/spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/input/call.hpp"
#include "base/input/strict_json.hpp"
#include "base/program/digest.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/bibliography/bibliography.hpp"
#include "experiments/cells/support/cell_kind.hpp"
#include "experiments/spec/catalogue.hpp"
#include "experiments/spec/formula.hpp"
#include "experiments/spec/spec_parts.hpp"
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

class ItemReader {
 public:
  ItemReader(const std::filesystem::path& file, const PaperSpec& paper)
      : paper_(paper), where_{fmt::format("{}/{}", paper.id, file.filename().string())} {
    item_.paper = paper.id;
    item_.id = file.stem().string();
    for (const EditionSpec& edition : paper.editions) editions_.push_back(edition.key);
  }

  ItemSpec read(const json& in) {
    where_.require(
        in, {"kind", "title"},
        {"place", "row_heading", "defaults", "columns", "rows", "second_routes", "bounds", "claims",
         "plot", "animate", "legend", "assumed", "notes", "findings", "catalogue"});
    item_.kind = where_.word(in, "kind", {"table", "figure", "claims"});
    item_.title = where_.text(in, "title");
    item_.row_heading = where_.text_or(in, "row_heading", "");
    if (in.contains("place")) item_.place = by_edition(in["place"], where_.at("place"), editions_);
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
    item_.findings = where_.texts(in, "findings");
    check();
    return std::move(item_);
  }

 private:
  void column(const json& in, const Place& place) {
    place.require(in, {"id", "label", "measure"},
                  {"unit", "floor", "least", "not_comparable", "digits", "beside", "marks"});
    ColumnSpec column;
    column.id = place.identifier(in, "id", columns_seen_);
    column.label = place.text(in, "label");
    column.unit = place.text_or(in, "unit", "");
    column.measure = place.text(in, "measure");
    if (in.contains("floor")) column.floor = place.positive(in, "floor");
    if (in.contains("least")) column.least = place.positive(in, "least");
    column.not_comparable = place.text_or(in, "not_comparable", "");
    if (in.contains("digits")) {
      column.digits = static_cast<int>(get_int(in, "digits", place.name, 0, 17));
    }
    Formula::parse(column.measure, place.name);
    column.beside = place.text_or(in, "beside", "");
    if (!column.beside.empty()) Formula::parse(column.beside, place.name);
    place.each(in, "marks", [&](const json& mark, const Place& at) {
      at.require(mark, {"sign", "when"}, {});
      column.marks.push_back({at.text(mark, "sign"), at.text(mark, "when")});
      Formula::parse(column.marks.back().when, at.name);
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
      row.cell = defaults_;
      spec_parts::overlay(*row.cell, in["cell"], place.at("cell"));
      spec_parts::check_cell(*row.cell, place.at("cell"));
    }
    row.candidates = place.texts(in, "candidates");
    if (row.cell.has_value() == !row.candidates.empty()) {
      place.refuse("a row has either a cell of its own or candidates");
    }
    row.variants = place.texts(in, "variants");
    if (row.cell && !row.variants.empty()) place.refuse("variants stand beside candidates only");
    second_routes(row, in.contains("second_routes") ? in["second_routes"] : routes_, place);
    if (in.contains("printed")) printed(row, in["printed"], place.at("printed"));
    if (in.contains("floors")) {
      const Place floors = place.at("floors");
      floors.require(in["floors"], {}, {columns_seen_.begin(), columns_seen_.end()});
      for (const auto& [key, value] : in["floors"].items()) {
        row.floors[key] = floors.positive(in["floors"], key);
      }
    }
    if (in.contains("not_comparable")) {
      const Place reasons = place.at("not_comparable");
      reasons.require(in["not_comparable"], {}, {columns_seen_.begin(), columns_seen_.end()});
      for (const auto& [key, value] : in["not_comparable"].items()) {
        row.not_comparable[key] = reasons.text(in["not_comparable"], key);
      }
    }
    item_.rows.push_back(std::move(row));
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
        row.group = at.text_or(variant, "label", method.kind);
        row.cell = defaults_;
        row.cell->method = method.call;
        spec_parts::overlay(*row.cell, variant["cell"], at);
        spec_parts::check_cell(*row.cell, at);
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
      SecondRoute route{at.text(in, "name"), *row.cell};
      for (const auto& [name, key] : cell_kinds().keys())
        if (!key.second_routes) route.cell.more.erase(name);
      spec_parts::overlay(route.cell, in["cell"], at);
      spec_parts::check_cell(route.cell, at);
      // A route that changes nothing in this row would agree with it without proving anything.
      if (canonical(route.cell) != canonical(*row.cell)) row.second.push_back(std::move(route));
    }
  }

  void printed(RowSpec& row, const json& in, const Place& place) const {
    place.require(in, {}, {columns_seen_.begin(), columns_seen_.end()});
    std::vector<std::string> editions;
    for (const auto& [edition, text] : item_.place) editions.push_back(edition);
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
    item_.bounds.push_back({place.identifier(in, "id", seen), place.text(in, "formula"),
                            place.text(in, "column"), place.text(in, "why")});
    if (!Formula::parse(item_.bounds.back().formula, place.name).is_comparison()) {
      place.refuse("a bound is a comparison");
    }
    if (!columns_seen_.contains(item_.bounds.back().column)) place.refuse("no such column");
  }

  void claim(const json& in, const Place& place) {
    place.require(in, {"id", "text", "where"}, {"conditions", "thresholds", "why"});
    ClaimSpec claim;
    claim.id = place.identifier(in, "id", claims_seen_);
    claim.text = place.text(in, "text");
    claim.where = by_edition(in["where"], place.at("where"), editions_);
    claim.conditions = place.texts(in, "conditions");
    claim.why = place.text_or(in, "why", "");
    thresholds(claim, in, place);
    std::set<std::string> bare;  // names that are no row.measure
    for (const std::string& text : claim.conditions) {
      const Formula condition = Formula::parse(text, place.name);
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
    for (const std::string& finding : item_.findings) formulas_in(finding, where_.name);
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
  place.require(in, {"editions", "items"}, {"title", "citation", "notes", "role"});
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
  place.each(in, "editions", [&](const json& edition, const Place& at) {
    at.require(edition, {"key", "id", "label"}, {});
    paper.editions.push_back(
        {at.text(edition, "key"), at.text(edition, "id"), at.text(edition, "label")});
  });
  return paper;
}

ItemSpec read_item(const std::filesystem::path& file, const PaperSpec& paper) {
  const json in = parse_json_file(file.string());
  ItemSpec item = ItemReader(file, paper).read(in);
  item.digest = digest(in.dump());
  return item;
}

std::vector<Cell> cells_of(const ItemSpec& item) {
  std::vector<Cell> cells;
  for (const RowSpec& row : item.rows) {
    if (row.cell) cells.push_back(*row.cell);
    for (const SecondRoute& route : row.second) cells.push_back(route.cell);
  }
  return cells;
}

std::string place_of(const ItemSpec& item, const Cell& cell) {
  const std::string file = item.paper + "/" + item.id + ".json", name = canonical(cell);
  for (const RowSpec& row : item.rows) {
    const bool own = row.cell && canonical(*row.cell) == name;
    if (own || std::any_of(row.second.begin(), row.second.end(),
                           [&](const SecondRoute& route) { return canonical(route.cell) == name; }))
      return file + ", row " + row.id;
  }
  return file;
}

std::vector<std::string> references_of(const ItemSpec& item, const PaperSpec& paper) {
  std::set<std::string> found;
  const auto take = [&](const Formula& formula) {
    for (const std::string& name : formula.names()) {
      const std::string first = name.substr(0, name.find('.'));
      if (first == name) continue;  // a threshold
      if (std::count(paper.items.begin(), paper.items.end(), first) > 0) found.insert(first);
    }
  };
  for (const ClaimSpec& claim : item.claims) {
    for (const std::string& condition : claim.conditions) take(Formula::parse(condition, item.id));
  }
  for (const std::string& finding : item.findings) {
    for (const Formula& formula : formulas_in(finding, item.id)) take(formula);
  }
  found.erase(item.id);
  return {found.begin(), found.end()};
}

const RowSpec* find_row(const ItemSpec& item, const std::string& id) {
  const auto row = std::find_if(item.rows.begin(), item.rows.end(),
                                [&](const RowSpec& candidate) { return candidate.id == id; });
  return row == item.rows.end() ? nullptr : &*row;
}

}  // namespace daemark
