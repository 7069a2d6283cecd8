// Pieces that the pages of the atlas and the cards share.
#pragma once

#include <string>

#include "experiments/report/report_html.hpp"

namespace daemark {

/// A page of the atlas or a card: `skeleton` filled, below the bar of such pages.
std::string card_page(const PageFrame& page, const std::string& skeleton, const PageData& data);

/// A cell with the name of a sweep, linked to the card of its method where it has one; `head`: the
/// first of its row.
PageData sweep_cell(const std::string& sweep, const PageFrame& page, bool head = false);

}  // namespace daemark
