// Pieces that the pages of the atlas and the cards share.
#pragma once

#include <string>

#include "experiments/report/report_html.hpp"

namespace daemark {

/// The model of pages that load their style and scripts: only the bar on top is taken from it.
const ReportModel& card_bar();

/// A section with a heading; nothing around nothing.
std::string card_section(const char* title, const std::string& inner);

/// The name of a sweep, linked to the card of its method where it has one.
std::string sweep_link(const std::string& sweep, const PageFrame& page);

/// The field that filters the rows of the table with this id by words or an expression of tags.
std::string tagged_filter(const std::string& table);

}  // namespace daemark
