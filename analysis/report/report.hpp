// The report: results/index.html, one offline page of every table, figure and claim with printed
// values beside measured ones. Nothing in the model depends on the time or the machine, so the page
// is byte-identical on a re-run. Texts are plain UTF-8; `back-quoted` parts are set as code,
// nothing else is read as markup. Paths are relative to the folder of the page, with '/'.
#pragma once

#include <filesystem>
#include <map>
#include <string>
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
  std::string command;  ///< reruns this cell; empty: the row's command does
};

struct ReportRow {
  std::string label;
  std::string group;  ///< rows of equal non-empty group get one group heading, empty: none
  std::vector<ReportCell> cells;  ///< one per column of the table
  std::string command;            ///< reruns the row; may be empty if the cells have their own
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
  std::string command;
};

/// A sentence of the paper that claims a result, or what a figure is meant to show.
struct ReportClaim {
  std::string text;      ///< the claim, quoted or put briefly
  std::string where;     ///< place in the paper, e.g. "Section 6, p. 12"
  std::string edition;   ///< id of the edition; empty: all
  std::string verdict;   ///< one of verdict_names()
  std::string evidence;  ///< what was measured
  std::string why;       ///< one sentence, may be empty
  std::string command;   ///< may be empty
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
  std::string kind;                   ///< "table", "figure", "claims" or "section"
  std::vector<std::string> commands;  ///< remake the whole item
  std::vector<ReportTable> tables;
  std::vector<ReportFigure> figures;
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
  std::vector<ReportEdition> editions;
  std::vector<ReportItem> items;  ///< shown in this order
  std::vector<std::string> notes;
};

/// Further pages: errata, certificates, references.
struct ReportSection {
  std::string id;  ///< unique in the report
  std::string title;
  std::vector<std::string> paragraphs;
  std::vector<ReportLink> links;
};

struct ReportModel {
  std::vector<ReportPaper> papers;
  std::vector<ReportSection> sections;
  std::vector<ReportLink> downloads;  ///< e.g. verdicts.csv
};

/// The verdict words in the order they are shown (design: numbers first, then claims).
const std::vector<std::string>& verdict_names();

/// Verdict word -> how many printed numbers and claims of `paper` carry it, for one edition.
/// A claim without an edition counts in every edition.
std::map<std::string, int> count_verdicts(const ReportPaper& paper, const std::string& edition);

/// The page. Throws BadInput naming the place: an unknown verdict or edition, a row whose number of
/// cells differs from its table's columns, an absolute path or one with "..", a duplicate id.
std::string render_report(const ReportModel& model);

/// Writes render_report(model) to `file`, creating its folder; an identical file is left untouched.
void write_report(const ReportModel& model, const std::filesystem::path& file);

}  // namespace daemark
