// The report: offline pages under results/. index.html says what holds and what does not and
// searches all items and claims; <paper>/index.html has every table, figure and claim of a paper
// with printed values beside measured ones; problems/, certificates/ and errata/ theirs. Nothing in
// the model depends on the time or the machine, so the pages are byte-identical on a re-run. Texts
// are plain UTF-8; `back-quoted` parts are set as code, nothing else is read as markup. Paths are
// relative to the results folder, with '/'.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "experiments/errata/errata.hpp"
#include "experiments/judge/judge.hpp"

namespace daemark {

/// A link to a file under the results folder.
struct ReportLink {
  std::string label;
  std::string path;
  std::string description;  ///< may be empty
};

/// One table or figure of the paper, or a section's claims. The outcome must outlive the model.
struct ReportItem {
  const ItemOutcome* outcome;
  bool has_figure = false;   ///< figure.svg and figure.csv are there
  std::string explore = {};  ///< HTML of interactive diagrams, in place of the figure
  const ItemSpec& spec() const { return *outcome->item; }
};

struct ReportPaper {
  const PaperSpec* spec;                                ///< must outlive the model
  std::vector<ReportItem> items;                        ///< shown in this order
  std::vector<std::string> families = {};               ///< of curves in interactive diagrams
  bool study() const { return spec->role != "paper"; }  ///< nothing printed to compare with
};

/// A mechanism: what it is, how it moves, what uses it.
struct ReportProblem {
  std::string id, summary, source, equations;
  std::vector<std::string> references;                 ///< in full, those the source cites
  std::vector<std::array<std::string, 2>> parameters;  ///< name, what is accepted
  std::vector<std::array<std::string, 4>> data;        ///< name, value, unit, source
  std::string animation;                               ///< text of an animation_svg(); may be empty
  std::string animation_path;                          ///< of the file with that text
  std::string card;                                    ///< page of the problem; may be empty
  std::string caption, command;                        ///< of the animation
  std::vector<std::pair<std::string, std::string>> used_by;  ///< (paper, item)
};

/// A line of the catalogue that `daemark verify` wrote.
struct ReportCertificate {
  std::vector<std::string> cells;  ///< as many as ReportModel::certificate_columns
  std::string path;                ///< of the certificate; may be empty
};

struct ReportModel {
  std::vector<ReportPaper> papers;
  std::vector<ReportProblem> problems;
  std::vector<std::string> certificate_columns;
  std::vector<ReportCertificate> certificates;
  std::vector<exact::Erratum> errata;  ///< empty: the report has no page of them
  bool field_errata = false;           ///< errata-field.md is there
  bool published = false;              ///< references/published.md is there
  bool league = false;                 ///< league/league.svg is there
  std::vector<ReportLink> downloads;   ///< e.g. verdicts.csv
  std::vector<ReportLink> rooms = {};  ///< further pages on the bar: the atlas, the methods
  /// Further results of the search on the first page: groups of links to methods and problems.
  std::vector<std::pair<std::string, std::vector<ReportLink>>> found = {};
};

/// Verdict word -> how many printed numbers and claims of `paper` carry it, for the edition with
/// that key. A sentence of ours counts in none.
std::map<std::string, int> count_verdicts(const ReportPaper& paper, const std::string& edition);

/// The pages by their path. Throws BadInput for ids of papers and items that are no part of a link,
/// or that occur twice.
std::map<std::string, std::string> render_report(const ReportModel& model);

/// The styles and scripts that pages share, with their licences, below results/assets; the paths.
std::vector<std::string> write_assets(const std::filesystem::path& results);

/// Writes render_report(model) and what its pages share under `results` and returns the paths;
/// identical files are left untouched.
std::vector<std::string> write_report(const ReportModel& model,
                                      const std::filesystem::path& results);

/// "newton_diverged at t = 0.7 s; REASON", "2 of the runs; REASON" of a sweep that succeeded
/// otherwise, empty where nothing failed.
std::string failure_text(const RowOutcome& row);

/// "ROW; ROW: SETTINGS" for all rows with the same ones, the group's name where all of its rows
/// have them. Of items in which solvers of others stand beside ours; else none.
std::vector<std::string> settings_lines(const ItemOutcome& outcome);

}  // namespace daemark
