// Where the pages of methods and problems stand, and what leads to them.
#pragma once

#include <string>
#include <vector>

#include "experiments/report/report.hpp"

namespace daemark {

/// "methods/gauss_s_2.html" of a canonical call; empty for a call without a card: one that is no
/// member of the catalogue.
std::string method_card(const std::string& call);
/// "problems/two_link/index.html"
std::string problem_card(const std::string& id);

/// The members of the catalogue and its library, which have cards, canonical and sorted.
const std::vector<std::string>& carded_methods();

/// The pages over all methods and over the atlas, for the bar on top.
std::vector<ReportLink> atlas_rooms();

}  // namespace daemark
