// What an experiment file says: one JSON per table or figure of a paper (or one with its claims).
// Verdicts are never written there: they come out of the comparison.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/report/figure.hpp"
#include "experiments/cells/support/cell.hpp"
#include "experiments/spec/formula.hpp"

namespace daemark {

/// One printed version of a paper: key "en" in items, id "li2019-en" in verdicts.csv.
struct EditionSpec {
  std::string key, id, label;
};

struct PaperSpec {
  std::string id, title, citation;
  std::string role;  ///< "paper"; "study", of our own; "problems", whose items show mechanisms
  std::vector<EditionSpec> editions;
  std::vector<std::string> items;  ///< in the order of the report; each is <id>.json beside it
  std::vector<std::string> notes;
  std::map<std::string, std::string> settings;  ///< of every cell that does not set them itself
};

/// Written behind a value where the formula is true.
struct MarkSpec {
  std::string sign;
  Formula when;
};

/// One quantity of a table. `measure` is a measure, a count, or any formula over both.
struct ColumnSpec {
  std::string id, label, unit;
  Formula measure;
  std::optional<Formula> beside;  ///< a whole number in parentheses behind the value, "2.98 (3)"
  std::vector<MarkSpec> marks;
  std::optional<double> floor;  ///< values below are round-off or stopping floors
  /// How far the value is known, by other measures of the row's run: a floor of its own, such as
  /// the distance between the two routes of its reference.
  std::optional<Formula> known_to;
  std::optional<double> least;  ///< nothing can be less: values down there are not ranked
  std::string not_comparable;   ///< why its printed numbers are not judged; empty: judged
  int digits = 5;               ///< significant ones shown; 0: a whole number
};

/// A second way to our value: the row's cell with some of it replaced.
struct SecondRoute {
  std::string name;
  FixedCell cell;
};

struct RowSpec {
  std::string id, label, group;
  bool of_catalogue = false;            ///< one of a row for each method
  std::optional<FixedCell> cell;        ///< absent: a printed row judged against `candidates` only
  std::vector<std::string> candidates;  ///< rows that may be meant; the nearest is compared with
  std::vector<std::string> variants;    ///< further ones, asked only where that one is elsewhere
  std::vector<SecondRoute> second;
  std::map<std::string, std::map<std::string, std::string>> printed;  ///< column → edition → text
  std::map<std::string, double> floors;               ///< by column, in place of the column's own
  std::map<std::string, std::string> not_comparable;  ///< by column
};

/// An inequality between the printed numbers of a row: `printed.position <= t_end *
/// printed.velocity`.
struct BoundSpec {
  std::string id;
  Formula formula;
  std::string column, why;
};

/// A number of ours, not the paper's, that conditions use by its name; `plausible` are others a
/// reader could have taken for the same word.
struct ThresholdSpec {
  std::string name;
  double value = 0;
  std::vector<double> plausible;
};

struct ClaimSpec {
  std::string id, text;                      ///< a paraphrase of the sentence
  std::map<std::string, std::string> where;  ///< edition → place in the paper
  std::vector<Formula> conditions;           ///< none: undetermined, for the reason in `why`
  std::vector<ThresholdSpec> thresholds;
  std::string why;   ///< how the conditions read the sentence
  bool own = false;  ///< a check of ours, which counts for no paper
};

/// Either the series `x`, `y` of one row, or one measure of several rows, `x`, beside the names of
/// the panel's y axis (from the top).
struct CurveSpec {
  std::string row, label;
  CurveStyle style = CurveStyle::line;
  Formula x, y;
  std::vector<std::string> rows;
  bool slope = false;  ///< a guide with the row's fitted slope beside it
  bool marks = false;  ///< circle at the start, star at the end
};

struct PanelSpec {
  Panel frame;  ///< title, axes and legend, without curves
  /// > 0: in each group of rows the curve that reaches this y at the least x is drawn thick and
  /// named, the others thin in its colour.
  double best_at = 0;
  std::vector<CurveSpec> curves;
};

struct PlotSpec {
  std::string caption;
  int columns = 1;
  std::vector<PanelSpec> panels;
};

struct ItemSpec {
  std::string paper, id, kind, title;        ///< kind: table, figure or claims
  std::map<std::string, std::string> where;  ///< edition → "Table 1"; the editions that have it
  std::string row_heading;
  std::vector<ColumnSpec> columns;
  std::vector<RowSpec> rows;
  std::vector<BoundSpec> bounds;
  std::vector<ClaimSpec> claims;
  std::optional<PlotSpec> plot;
  std::string animate;              ///< the row whose motion is shown; empty: none
  std::vector<std::string> legend;  ///< how the table is read, above it
  std::vector<std::string> assumed, notes;
  std::vector<FilledText> findings;        ///< texts with {row.measure}
  std::vector<std::string> references;     ///< the other items its claims and findings refer to
  std::vector<SecondRoute> other_guesses;  ///< of runs whose ends its claims ask for (names.hpp)
  std::string digest;                      ///< of the file
};

/// Throws BadInput naming file and key: unknown or doubled keys, rows or columns that do not exist,
/// malformed formulas, printed numbers or step sizes.
PaperSpec read_paper(const std::filesystem::path& folder);
ItemSpec read_item(const std::filesystem::path& file, const PaperSpec& paper);

/// Every cell of an item: rows with their second routes, then other guesses.
std::vector<FixedCell> cells_of(const ItemSpec& item);
/// Where a cell of an item is written: "li2019/table1.json, row h_0_01".
std::string place_of(const ItemSpec& item, const FixedCell& cell);

std::string with_unit(const ColumnSpec& column);  ///< "energy [J]"
/// "English: Table 1; Chinese: Table 1 (表 1)", in the order of the paper's editions.
std::string places(const PaperSpec& paper, const std::map<std::string, std::string>& place);

const RowSpec* find_row(const ItemSpec& item, const std::string& id);  ///< null if there is none

}  // namespace daemark
