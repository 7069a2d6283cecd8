// The report: offline pages under results/. index.html says what holds and what does not and
// searches all items and claims; <paper>/index.html has every table, figure and claim of a paper
// with printed values beside measured ones; problems/, certificates/ and errata/ theirs. Nothing in
// the model depends on the time or the machine, so the pages are byte-identical on a re-run. Texts
// are plain UTF-8; `back-quoted` parts are set as code, nothing else is read as markup. Paths are
// relative to the results folder, with '/'.
#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace daemark {

/// One printed number of one edition beside what we measured.
struct ReportPrinted {
  std::string edition;  ///< an id of ReportPaper::editions
  std::string printed;  ///< exactly as printed
  std::string verdict;  ///< one of verdict_names()
  std::string why;      ///< one sentence, may be empty
};

/// One cell: our number and the printed ones it is compared with (none: shown alone).
struct ReportCell {
  std::string
      measured;         ///< text to show; for a failed run its status, e.g. "not_finite, t = 3.9 s"
  bool failed = false;  ///< the run behind it ended with a failure status
  bool differs = false;  ///< what was expected of it is another value: shown as such
  std::vector<ReportPrinted> printed;
};

struct ReportRow {
  std::string label;
  std::string group;  ///< rows of equal non-empty group get one group heading, empty: none
  std::vector<ReportCell> cells;  ///< one per column of the table
  std::string command;            ///< reruns the row
};

struct ReportTable {
  std::string caption;
  std::string row_heading;           ///< head of the label column, e.g. "method"
  std::vector<std::string> columns;  ///< heads of the value columns, with units
  std::vector<ReportRow> rows;
  std::vector<std::string> legend;  ///< how it is read, above it
  std::vector<std::string> notes;
};

struct ReportFigure {
  std::string path;     ///< e.g. "li2019/fig2/figure.svg"
  std::string caption;  ///< also the picture's alternative text
};

/// A sentence of the paper that claims a result, or what a figure is meant to show.
struct ReportClaim {
  std::string id;  ///< unique in its item
  /// The claim, quoted or put briefly; "Not in the paper: ..." is a check of our own.
  std::string text;
  std::string where;     ///< place in the paper, e.g. "Section 6, p. 12"
  std::string edition;   ///< id of the edition; empty: all
  std::string verdict;   ///< one of verdict_names()
  std::string evidence;  ///< what was measured
  std::string why;       ///< one sentence, may be empty
};

/// A link to a file under the results folder.
struct ReportLink {
  std::string label;
  std::string path;
  std::string description;  ///< may be empty
};

/// One table or figure of the paper, or a section's claims.
struct ReportItem {
  std::string id;  ///< e.g. "table1": unique in the paper, [A-Za-z0-9_.-]
  std::string title;
  std::string kind;     ///< "table", "figure", "claims" or "section"
  std::string command;  ///< remakes the whole item
  std::optional<ReportTable> table;
  std::optional<ReportFigure> figure;
  std::vector<ReportClaim> claims;
  std::vector<std::string> assumed;  ///< choices the paper leaves open
  std::vector<std::string> notes;
  std::vector<ReportLink> files;  ///< table.csv, table.tex, records.jsonl ...
};

struct ReportEdition {
  std::string id;     ///< as in verdicts.csv, e.g. "li2019-en"
  std::string label;  ///< e.g. "English"
};

struct ReportPaper {
  std::string id;  ///< e.g. "li2019"
  std::string title;
  std::string citation;
  bool study = false;  ///< of our own: nothing printed to compare with
  std::vector<ReportEdition> editions;
  std::vector<ReportItem> items;  ///< shown in this order
  std::vector<std::string> notes;
};

/// A mechanism: what it is, how it moves, what uses it.
struct ReportProblem {
  std::string id, summary, source, equations;
  std::vector<std::string> references;                 ///< in full, those the source cites
  std::vector<std::array<std::string, 2>> parameters;  ///< name, what is accepted
  std::vector<std::array<std::string, 4>> data;        ///< name, value, unit, source
  std::string animation;                               ///< text of an animation_svg(); may be empty
  std::string animation_path;                          ///< of the file with that text
  std::string caption, command;                        ///< of the animation
  std::vector<std::pair<std::string, std::string>> used_by;  ///< (paper, item)
};

/// A line of the catalogue that `daemark verify` wrote.
struct ReportCertificate {
  std::vector<std::string> cells;  ///< as many as ReportModel::certificate_columns
  std::string path;                ///< of the certificate; may be empty
};

/// A formula of a paper that was checked.
struct ReportErratum {
  std::string paper, place;  ///< "li2019", "eq. (14), both versions"
  std::string transcribed;   ///< may be empty: nothing was
  std::string derived;       ///< the right form
  std::string effect;        ///< on what was computed
  std::string check;         ///< outcome of the exact check
  std::string evidence;      ///< what carries the kind of the section; may be empty
};

/// A part of the page of errata.
struct ReportSection {
  std::string id;  ///< unique in the report
  std::string title;
  std::vector<std::string> paragraphs;
  std::vector<ReportLink> links;
  std::vector<ReportErratum> entries = {};  ///< those of a paper together
};

struct ReportModel {
  std::vector<ReportPaper> papers;
  std::vector<ReportProblem> problems;
  std::vector<std::string> certificate_columns;
  std::vector<ReportCertificate> certificates;
  std::vector<ReportSection> errata;
  std::vector<ReportLink> downloads;  ///< e.g. verdicts.csv
};

/// The verdict words in the order they are shown (design: numbers first, then claims).
const std::vector<std::string>& verdict_names();

/// Every printed number of an item, with the row and the column it stands in.
using VisitPrinted =
    std::function<void(const ReportRow& row, std::size_t column, const ReportPrinted& printed)>;
void visit_printed(const ReportItem& item, const VisitPrinted& visit);

/// Verdict word -> how many printed numbers and claims of `paper` carry it, for one edition.
/// A claim without an edition counts in every edition, a sentence of ours in none.
std::map<std::string, int> count_verdicts(const ReportPaper& paper, const std::string& edition);

/// The pages by their path. Throws BadInput for ids of papers and items that are no part of a link,
/// or that occur twice.
std::map<std::string, std::string> render_report(const ReportModel& model);

/// Writes render_report(model) under `results` and returns the paths; identical files are left
/// untouched.
std::vector<std::string> write_report(const ReportModel& model,
                                      const std::filesystem::path& results);

}  // namespace daemark
