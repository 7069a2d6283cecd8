// What stands out in a league, in sentences that its rows give.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "experiments/league/league.hpp"

namespace daemark {

/// The rows of one problem, by program and variant in the order they are in.
struct LeagueSweeps {
  using Key = std::array<std::string, 2>;  ///< program, variant
  using Sweep = std::vector<const LeagueRow*>;
  std::vector<Key> order;
  std::map<Key, std::map<std::string, Sweep>> by_end;

  LeagueSweeps(const std::vector<LeagueRow>& rows, const std::string& problem);
  bool can_be_expressed(const Key& key) const;
  Sweep to(const Key& key, const std::string& end) const;  ///< empty: none
};

std::string league_title(const LeagueRow& row);
double league_step(const std::string& text);
/// The order that the two finest steps show; NaN where there are no two.
double league_order(const LeagueSweeps::Sweep& sweep, double LeagueRow::*error);

/// Programs that err alike to six digits; errors that do not fall with the step; orders that are
/// lost on some mechanisms; energy without bound; and longer motions where ours err more.
std::vector<std::string> league_findings(const LeagueSpec& spec,
                                         const std::vector<LeagueRow>& rows);

}  // namespace daemark
