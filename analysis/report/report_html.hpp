// The pieces of the report page as HTML text; the model is already checked.
#pragma once

#include <string>

#include "analysis/report/report.hpp"

namespace daemark {

/// Document head, title, summary of verdicts, navigation, filter bar.
std::string html_head(const ReportModel& model);
std::string html_paper(const ReportPaper& paper);
std::string html_item(const ReportPaper& paper, const ReportItem& item);  // report_item.cpp
std::string html_sections(const ReportModel& model);
std::string html_foot();

/// Escaped text with `back-quoted` parts as code.
std::string html_text(const std::string& text);
/// A relative path as the value of href or src.
std::string html_path(const std::string& path);
/// The coloured word; `why` becomes its tooltip.
std::string html_verdict(const std::string& verdict, const std::string& why = "");
/// A command in its copyable box, nothing for an empty one.
std::string html_command(const std::string& command);
std::string html_links(const std::vector<ReportLink>& links);
std::string html_list(const std::string& title, const std::vector<std::string>& texts);
/// Labels of the editions that carry `ids`, "" for a paper with a single edition.
std::string edition_labels(const ReportPaper& paper, const std::vector<std::string>& ids);

}  // namespace daemark
