// Pages of the report: the checked model as JSON for the skeletons in analysis/report/assets.
#pragma once

#include <string>

#include "analysis/report/template.hpp"
#include "experiments/report/report.hpp"

namespace daemark {

/// Where a page stands, since links are relative to it.
struct PageFrame {
  std::string path;        ///< below the results folder: "index.html", "li2019/index.html"
  std::string title = {};  ///< of the document; empty: by what the model has there
  bool tags = false;       ///< assets/tags.js is there to be loaded
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

/// A whole page: what every page has around `body`, with the bar of the model's pages and the
/// shared styles and scripts that the body needs.
std::string html_page(const ReportModel& model, const PageFrame& page, const std::string& body);

PageData index_data(const ReportModel& model, const PageFrame& page);
PageData item_data(const ReportPaper& paper, const ReportItem& item);
PageData paper_data(const ReportPaper& paper);
PageData problems_data(const ReportModel& model, const PageFrame& page);
PageData certificates_data(const ReportModel& model, const PageFrame& page);
PageData errata_data(const ReportModel& model);

/// Rows of cells for the skeleton table.html: the first a heading, the others plain.
PageData table_rows(const std::vector<std::vector<std::string>>& rows);

std::string spaced(std::string verdict);  ///< "same order" of "same_order"
/// Of the chip of a verdict: word, sign, colour (class: good, fair, odd, bad, none), what the word
/// means, why it was given.
PageData verdict_data(const std::string& verdict, const std::string& why = "");
PageData files_data(const std::vector<ReportLink>& links, const PageFrame& page);
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
/// What occurs, as verdict_data() with its count, in the order of verdict_names.
PageData counts_data(const VerdictCounts& counts);
/// The words of a data-v attribute: each verdict as often as it is there.
std::string verdict_words(const VerdictCounts& counts);
/// In everything but edition and place.
bool alike(const ClaimOutcome& a, const ClaimOutcome& b);
/// The claims of an item, of alike ones the first.
std::vector<const ClaimOutcome*> distinct_claims(const ReportItem& item);

}  // namespace daemark
