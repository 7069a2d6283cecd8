// The pieces of the report's pages as HTML text; the model is already checked.
#pragma once

#include <string>

#include "experiments/report/report.hpp"

namespace daemark {

/// Where a page stands, since links are relative to it.
struct PageFrame {
  std::string path;        ///< below the results folder: "index.html", "li2019/index.html"
  std::string title = {};  ///< of the document; empty: by what the model has there
  /// Style and scripts stand in assets/, not in the page: of pages there are many of.
  bool shared = false;
  /// A path below the results folder as the value of href or src; `anchor` with its '#' or empty.
  std::string link(const std::string& target, const std::string& anchor = "") const;
};

inline constexpr const char* kProblemsPage = "problems/index.html";
inline constexpr const char* kCertificatesPage = "certificates/index.html";
inline constexpr const char* kErrataPage = "errata/index.html";
std::string paper_page(const ReportPaper& paper);
std::string claim_anchor(const ReportItem& item, const ClaimOutcome& claim);
/// With the place of the item in front, in the first edition that has it: "Table 1: Energies".
std::string item_title(const ReportPaper& paper, const ReportItem& item);
std::string row_label(const RowOutcome& row);
/// For a failed run its status: "not_finite, t = 3.9 s".
std::string measured_text(const RowOutcome& row, const ColumnSpec& column);

/// Document head and the bar that is on every page; html_foot() ends what it began.
std::string html_head(const ReportModel& model, const PageFrame& page);
std::string html_foot();
std::string html_foot(const PageFrame& page);  ///< with the scripts that a shared page loads

std::string html_index(const ReportModel& model, const PageFrame& page);  // report_index.cpp
std::string html_paper(const ReportPaper& paper,
                       const PageFrame& page);  // report_paper.cpp
std::string html_item(const ReportPaper& paper, const ReportItem& item,
                      const PageFrame& page);                                    // report_item.cpp
std::string html_problems(const ReportModel& model, const PageFrame& page);      // report_pages.cpp
std::string html_certificates(const ReportModel& model, const PageFrame& page);  // the same
std::string html_errata(const ReportModel& model, const PageFrame& page);        // the same

/// Escaped text with `back-quoted` parts as code.
std::string html_text(const std::string& text);
/// A relative path as the value of href or src.
std::string html_path(const std::string& path);
std::string spaced(std::string verdict);  ///< "same order" of "same_order"
/// The coloured word; `why` becomes its tooltip.
std::string html_verdict(const std::string& verdict, const std::string& why = "");
/// The sign alone on its colour, the word for those who cannot see it.
std::string html_sign(const std::string& verdict, const std::string& why = "");
/// A command in its copyable box, nothing for an empty one.
std::string html_command(const std::string& command);
std::string html_links(const std::vector<ReportLink>& links, const PageFrame& page);
std::string html_list(const std::string& title, const std::vector<std::string>& texts);
/// Labels of the editions with these keys, "" for a paper with a single edition.
std::string edition_labels(const ReportPaper& paper, const std::vector<std::string>& keys);

/// Verdict word → how often; of printed numbers of all editions, of the paper's claims (equal ones
/// of several editions once), or of both.
using VerdictCounts = std::map<std::string, int>;
void add(VerdictCounts& sum, const VerdictCounts& counts);
int total(const VerdictCounts& counts);
VerdictCounts count_numbers(const ReportItem& item);
VerdictCounts count_claims(const ReportItem& item);
VerdictCounts count_all(const ReportPaper& paper);
/// One bar of proportional, coloured parts.
std::string html_bar(const VerdictCounts& counts);
/// Chips with counts in the order of verdict_names; each links to `target`#v=VERDICT if given.
std::string html_counts(const VerdictCounts& counts, const std::string& target = "");
/// The words of a data-v attribute: each verdict as often as it is there.
std::string verdict_words(const VerdictCounts& counts);
/// Search field and a box a verdict that occurs; `selects`: further HTML between them.
std::string html_filter(const VerdictCounts& counts, const std::string& selects,
                        const std::string& example);
/// In everything but edition and place.
bool alike(const ClaimOutcome& a, const ClaimOutcome& b);
/// The claims of an item, of alike ones the first.
std::vector<const ClaimOutcome*> distinct_claims(const ReportItem& item);

}  // namespace daemark
