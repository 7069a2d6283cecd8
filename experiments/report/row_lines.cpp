#include "experiments/report/row_lines.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "methods/catalogue/registry.hpp"
#include "methods/external/external_method.hpp"

namespace daemark {
namespace {

using Lines = std::vector<std::string>;

/// What rows are set to, by what they share: "TEXT: ROW, ROW", or the group where all of its rows
/// do.
class SharedSettings {
 public:
  explicit SharedSettings(const ItemOutcome& outcome) : outcome_(outcome) {}

  void add(const std::string& text, const RowSpec& row) {
    const auto known = std::find_if(texts_.begin(), texts_.end(),
                                    [&](const auto& one) { return one.first == text; });
    auto& rows = known == texts_.end() ? texts_.emplace_back(text, Rows{}).second : known->second;
    rows.push_back(&row);
  }
  Lines lines() const {
    Lines lines;
    for (const auto& [text, rows] : texts_) {
      Lines who;
      std::set<std::string> named;
      for (const RowSpec* row : rows) {
        const bool whole =
            !row->group.empty() && size_of(rows, row->group) == group_size(row->group);
        if (!whole)
          who.push_back(row->group + ": " + row->label);
        else if (named.insert(row->group).second)
          who.push_back(row->group);
      }
      lines.push_back(fmt::format("{}: {}", fmt::join(who, "; "), text));
    }
    return lines;
  }

 private:
  using Rows = std::vector<const RowSpec*>;
  static std::ptrdiff_t size_of(const Rows& rows, const std::string& group) {
    return std::count_if(rows.begin(), rows.end(),
                         [&](const RowSpec* row) { return row->group == group; });
  }
  std::ptrdiff_t group_size(const std::string& group) const {
    return std::count_if(outcome_.rows.begin(), outcome_.rows.end(),
                         [&](const RowOutcome& row) { return row.row->group == group; });
  }

  const ItemOutcome& outcome_;
  std::vector<std::pair<std::string, Rows>> texts_;
};

}  // namespace

std::string failure_text(const RowOutcome& row) {
  if (!row.row->cell || row.result == nullptr) return "";
  const CellResult& result = *row.result;
  const double failures = result_value(result, "failures").value_or(0);
  if (result.ok() && failures == 0) return "";
  if (result.ok()) return fmt::format("{:.0f} of the runs; {}", failures, result.why);
  const std::string when = result.t > 0 ? fmt::format(" at t = {:.4g} s", result.t) : "";
  return fmt::format("{}{}; {}", result.status, when, result.why);
}

Lines settings_lines(const ItemOutcome& outcome) {
  SharedSettings shared(outcome);
  bool any = false;
  for (const RowOutcome& row : outcome.rows) {
    if (!row.row->cell) continue;
    const Cell& cell = *row.row->cell;
    Lines own;
    for (const auto& [key, value] : cell.settings) own.push_back(key + "=" + value);
    if (!own.empty()) shared.add(fmt::format("{}", fmt::join(own, ", ")), *row.row);
    if (cell.method.empty()) continue;
    for (const std::string& line : solver_settings(*method_registry().make(cell.method)))
      shared.add(line, *row.row), any = true;
  }
  return any ? shared.lines() : Lines{};
}

}  // namespace daemark
