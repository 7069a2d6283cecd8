// The files of an item: table.md, table.csv, table.tex, records.jsonl, figure.svg, figure.csv,
// conditions.csv; the lines of verdicts.csv. All of it free of times and of
// the machine.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/report/animation.hpp"
#include "analysis/report/figure.hpp"
#include "analysis/report/table.hpp"
#include "experiments/judge/judge.hpp"
#include "experiments/spec/spec.hpp"

namespace daemark {

/// The table in the paper's layout: a line of measured values a row, then a line a printed edition
/// with the verdicts; editions that print the same share a line.
/// With `group` only the rows of that group, whose labels need not name it.
Table layout(const PaperSpec& paper, const ItemOutcome& outcome,
             const std::optional<std::string>& group = {});

std::string page_markdown(const PaperSpec& paper, const ItemOutcome& outcome);
/// row,column,unit,status,measured,floor[,bound][,beside], then printed_<edition>,verdict_<edition>
/// for each.
std::string long_csv(const PaperSpec& paper, const ItemOutcome& outcome);
/// claim,condition,values,truth (true, false, open or floors): every condition of every claim.
std::string conditions_csv(const ItemOutcome& outcome);
/// From the rows' series, numbers rounded to 6 digits; empty panels are left out. Absent if no
/// series is there.
/// `timed`: over the wall time of each run instead of the x of its curves, where it was taken.
std::optional<FigureSpec> figure_of(const ItemSpec& item, const Judge& judge, bool timed = false);
/// What panels are called in figure.csv: by the letter in front, "(a)", where all have one of their
/// own, else by their titles, without one by their number.
std::vector<std::string> panel_names(const FigureSpec& figure);
/// Whether a panel of that title, the number-th of its figure from 1, is called so in figure.csv.
bool is_panel(const std::string& name, const std::string& title, std::size_t number);
std::string figure_csv(const FigureSpec& figure);  ///< panel,curve,x,y

/// paper,item,row,column,printed,measured,verdict,why
std::vector<std::vector<std::string>> verdict_lines(const PaperSpec& paper,
                                                    const ItemOutcome& outcome);
extern const std::vector<std::string> verdict_head;

/// Whether a curve of its figure needs a history that is not there: of a cell from the records.
bool lacks_series(const ItemSpec& item, const Judge& judge);

/// {name, content} of those that records alone determine: tables and conditions.
std::map<std::string, std::string> text_files(const PaperSpec& paper, const ItemOutcome& outcome);

struct WrittenItem {
  std::vector<std::string> files;  ///< relative to the results
  std::string not_drawn;           ///< why there is no figure; empty if there is one, or none asked
};

/// Writes the files of an item under `results`/<paper>/<item>/. A figure that lacks series stays as
/// it is.
WrittenItem write_item(const std::filesystem::path& results, const PaperSpec& paper,
                       const ItemOutcome& outcome, const Judge& judge);

/// The pages of the report hold many of them.
inline constexpr std::size_t item_animation_bytes = 90000;

/// Absent if the item has none, or where the history is not at hand (records keep none). Throws
/// BadInput for a problem without a drawing or coordinates that are not its own.
std::optional<Animation> animation_of(const ItemSpec& item, const Judge& judge);

/// Diagrams of all panels with the legend of their curves. Where panels say which curves are best
/// (PanelSpec::best_at) a curve is of the family before the colon of its name; families that are
/// new are added to `families`, whose legend a page shares. Empty where there are no points, and
/// for pictures of space (Panel::equal_scale) or of a chosen part.
std::string explore_item(const ItemSpec& item, const std::filesystem::path& csv,
                         std::vector<std::string>& families);

/// The figure as it stands with the results: where records have no histories, with the curves of
/// figure.csv. Throws BadInput for an item without one.
FigureSpec standing_figure(const PaperSpec& paper, const ItemSpec& item, const Judge& judge,
                           const std::filesystem::path& results);

/// Times and provenance of an item, which depend on the machine and are not committed:
/// results/.local/<paper>/<item>/.
void write_local(const std::filesystem::path& results, const PaperSpec& paper, const ItemSpec& item,
                 const Judge& judge, const std::string& provenance);

/// The reference states behind the errors of these cells, for everyone to see.
void publish_references(const std::vector<FixedCell>& cells);

}  // namespace daemark
