#include "analysis/soundness/row_facts.hpp"

#include <algorithm>
#include <cstdio>
#include <regex>

#include "problems/mechanism/dependent_rows.hpp"
#include "problems/system/remarks.hpp"

namespace daemark {
namespace {

/// Of "...: a, b, c (...)" or "...: a, b; ...".
std::vector<std::string> listed(const std::string& remark, std::size_t from) {
  std::vector<std::string> names;
  const std::string list = remark.substr(from, remark.find_first_of(";(", from) - from);
  static const std::regex name("[A-Za-z_][A-Za-z_0-9]*");
  for (std::sregex_iterator at(list.begin(), list.end(), name), end; at != end; ++at)
    if (at->str() != "and" && at->str() != "more") names.push_back(at->str());
  return names;
}

/// What a builder that leaves rows out has said.
bool read_remarks(const std::vector<std::string>& remarks, RowFacts& rows) {
  bool found = false;
  for (const std::string& remark : remarks) {
    const auto after = [&](const std::string& begin) {
      return remark.starts_with(begin) ? begin.size() : 0;
    };
    int freedom = 0;
    if (std::sscanf(remark.c_str(),
                    "degrees of freedom: %d (%d coordinates, %d constraint rows of rank %d)",
                    &freedom, &rows.coordinates, &rows.rows, &rows.rank) == 4)
      found = true;
    if (const auto at = after("redundant rows, left out: ")) rows.redundant = listed(remark, at);
    if (const auto at = after("multipliers that are not unique: "))
      rows.shared = listed(remark, at);
    if (after("singular start: rows ")) {
      rows.only_here = true;
      rows.redundant = listed(remark.substr(0, remark.find(" follow")), 21);
    }
  }
  return found;
}

}  // namespace

std::string row_name(const std::string& row) {
  return row.starts_with("lambda_") ? row.substr(7) : row;
}

std::string joint_of(const std::string& row) {
  static const std::regex pattern("([a-z_]*[0-9]+)_[a-z]+[0-9]*");
  std::smatch found;
  return std::regex_match(row, found, pattern) ? found[1].str() : row;
}
std::vector<std::string> joints_of(const std::vector<std::string>& rows) {
  std::vector<std::string> joints;
  for (const std::string& row : rows)
    if (const std::string joint = joint_of(row);
        std::find(joints.begin(), joints.end(), joint) == joints.end())
      joints.push_back(joint);
  return joints;
}

RowFacts row_facts(Problem& problem, const MechanicalSystem<double>& mechanism) {
  RowFacts rows;
  const auto* remarked = dynamic_cast<const Remarked*>(&mechanism);
  if (!remarked || !read_remarks(remarked->remarks(), rows)) {
    rows.coordinates = mechanism.coordinates(), rows.rows = mechanism.constraints();
    rows.rank = mechanism.rank();
    if (const auto* recorded = dynamic_cast<const RecordedSystem<double>*>(&mechanism)) {
      const auto made = std::make_shared<const Mechanism>(recorded->mechanism());
      const wide start = problem.start.eval<wide>();
      const RowRank found = row_rank(made, start);
      rows.rank = found.rank, rows.only_here = found.only_here;
      for (const int row : found.dependent)
        rows.redundant.push_back(row_name(mechanism.constraint_names()[row]));
      for (const int row : found.undetermined)
        rows.shared.push_back(row_name(mechanism.constraint_names()[row]));
      if (!found.dependent.empty() && !found.only_here)
        problem.absolute =
            recorded_makers([made, found] { return without_rows(made, found.dependent); });
    }
  }
  rows.joints = joints_of(rows.redundant);
  return rows;
}

}  // namespace daemark
