// An item of a paper: its table, claims and notes; what is said of rows besides their numbers.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "experiments/report/report_html.hpp"
#include "methods/catalogue/registry.hpp"
#include "methods/external/external_method.hpp"

namespace daemark {
namespace {

bool alike(const NumberOutcome& a, const NumberOutcome& b) {
  return a.printed == b.printed && a.judgement.verdict == b.judgement.verdict &&
         a.judgement.why == b.judgement.why;
}

/// Verdicts that need only their sign next to a number.
bool plain(Verdict verdict) {
  return verdict == Verdict::reproduced || verdict == Verdict::close || verdict == Verdict::floor ||
         verdict == Verdict::not_comparable;
}

/// Editions that print the same number share one line.
PageData printed_lines(const ReportPaper& paper, const ValueOutcome& value) {
  PageData lines = PageData::array();
  for (auto number = value.numbers.begin(); number != value.numbers.end(); ++number) {
    const auto same = [&](const NumberOutcome& other) { return alike(*number, other); };
    if (std::any_of(value.numbers.begin(), number, same)) continue;
    std::vector<std::string> editions;
    for (const NumberOutcome& other : value.numbers)
      if (same(other)) editions.push_back(other.edition);
    const bool all = editions.size() == value.numbers.size();
    const std::string labels = all ? "" : edition_labels(paper, editions);
    const auto& [verdict, why] = number->judgement;
    lines.push_back(
        {{"editions", labels.empty() ? "printed" : labels},
         {"number", number->printed},
         {plain(verdict) ? "chip_sign" : "verdict", verdict_data(verdict_name(verdict), why)}});
  }
  return lines;
}

bool failed(const RowOutcome& row, const ColumnSpec& column) {
  return row.result != nullptr && !row.result->ok() && row.values.at(column.id).shown().empty();
}

bool differs(const ValueOutcome& value) { return value.marks.find("≠") != std::string::npos; }

PageData data_row(const ReportPaper& paper, const ItemSpec& item, const RowOutcome& row) {
  VerdictCounts verdicts;
  PageData cells = PageData::array();
  for (const ColumnSpec& column : item.columns) {
    const ValueOutcome& value = row.values.at(column.id);
    for (const NumberOutcome& number : value.numbers)
      ++verdicts[verdict_name(number.judgement.verdict)];
    const std::string mark =
        std::string(failed(row, column) ? " failed" : "") + (differs(value) ? " differs" : "");
    const PageData printed = printed_lines(paper, value);
    cells.push_back({{"text", measured_text(row, column)},
                     {"rich", !mark.empty() || !printed.empty()},
                     {"mark", mark},
                     {"printed", printed}});
  }
  return {{"words", verdict_words(verdicts)},
          {"group", row.row->group},
          {"label", row_label(row)},
          {"cells", cells}};
}

std::string full_label(const RowOutcome& row) {
  return (row.row->group.empty() ? "" : row.row->group + ", ") + row_label(row);
}

/// Adds a row to what it shares with others; each once, in the order of the table.
void add_entry(PageData& entries, const PageData& what, const std::string& place) {
  for (PageData& entry : entries) {
    if (entry["what"] != what) continue;
    std::string& places = entry["places"].get_ref<std::string&>();
    if (("; " + places + ";").find("; " + place + ";") == std::string::npos) places += "; " + place;
    return;
  }
  entries.push_back({{"what", what}, {"places", place}});
}

/// The reasons once more: paper and touch screens have no tooltips.
PageData reasons(const ItemOutcome& outcome) {
  PageData entries = PageData::array();
  for (const auto& [row, column, number] : numbers_of(outcome)) {
    const auto& [verdict, why] = number->judgement;
    if (why.empty() || verdict == Verdict::reproduced) continue;
    add_entry(entries, {{"chip", verdict_data(verdict_name(verdict))}, {"reason", why}},
              full_label(*row) + " · " + with_unit(*column));
  }
  return entries;
}

/// Columns sort by a click on their head, within the groups; a long table has a filter of its own,
/// and of its commands the two that lead to all: its page would be half commands.
PageData table_data(const ReportPaper& paper, const ItemOutcome& outcome) {
  const ItemSpec& item = *outcome.item;
  constexpr std::size_t sortable = 8, filtered = 40, most_commands = 40;
  PageData heads = {item.row_heading}, rows = PageData::array(), commands = PageData::array(),
           failures = PageData::array();
  for (const ColumnSpec& column : item.columns) heads.push_back(with_unit(column));
  std::string group;
  bool any_differs = false;
  for (const RowOutcome& row : outcome.rows) {
    rows.push_back(data_row(paper, item, row));
    rows.back()["heading"] = row.row->group == group ? "" : row.row->group;
    group = row.row->group;
    add_entry(commands, command(*row.compared->cell), full_label(row));
    if (const std::string failure = failure_text(row); !failure.empty())
      failures.push_back(row.row->label + ": " + failure);
    for (const auto& [id, value] : row.values) any_differs = any_differs || differs(value);
  }
  PageData data = {{"lines", item.legend},
                   {"filter", rows.size() > filtered},
                   {"differs", any_differs},
                   {"sortable", rows.size() > sortable},
                   {"caption", item.title},  // the item's title says it to those who see it
                   {"heads", heads},
                   {"rows", rows},
                   {"failures", {{"lines", failures}}},
                   {"reasons", reasons(outcome)}};
  if (commands.size() > most_commands)
    data["long"] = {{"row", outcome.rows.front().row->id}};
  else
    data["commands"] = commands;
  return data;
}

/// Alike claims of several editions are one row that names all their places. Rows of checks of our
/// own carry no verdict for the counts of the filter.
PageData claim_rows(const ReportPaper& paper, const ReportItem& item, bool own) {
  PageData rows = PageData::array();
  for (const ClaimOutcome* claim : distinct_claims(item)) {
    if (claim->claim->own != own) continue;
    std::string places;
    for (const ClaimOutcome& other : item.outcome->claims) {
      const std::string one =
          alike(*claim, other) ? daemark::places(*paper.spec, other.claim->where) : "";
      places += (places.empty() || one.empty() ? "" : "; ") + one;
    }
    const std::string verdict = verdict_name(claim->verdict);
    rows.push_back({{"anchor", claim_anchor(item, *claim)},
                    {"words", own ? "" : verdict},
                    {"verdict", verdict_data(verdict, claim->why)},
                    {"text", claim->claim->text},
                    {"places", places},
                    {"evidence", claim->evidence},
                    {"why", claim->why}});
  }
  return rows;
}

PageData claim_tables(const ReportPaper& paper, const ReportItem& item) {
  PageData tables = PageData::array();
  const auto add = [&](const char* caption, const char* head, bool own) {
    const PageData rows = claim_rows(paper, item, own);
    if (!rows.empty()) tables.push_back({{"caption", caption}, {"head", head}, {"rows", rows}});
  };
  add("Claims", paper.study() ? "we say" : "the paper says, in our words", false);
  add("Our own checks, counted for no paper", "we say", true);
  return tables;
}

std::vector<ReportLink> files(const ReportItem& item, const std::string& folder) {
  std::vector<ReportLink> links;
  const auto add = [&](const std::string& name, const std::string& description = "") {
    links.push_back({name, folder + name, description});
  };
  add("table.md");
  if (!item.spec().columns.empty()) add("table.csv"), add("table.tex");
  if (item.has_figure) add("figure.csv");
  if (!item.spec().rows.empty()) add("records.jsonl");
  if (!item.outcome->claims.empty()) add("conditions.csv", "every condition of the claims");
  return links;
}

using Lines = std::vector<std::string>;

/// Settings of rows, by what they share: "ROW; ROW: TEXT", or the group if all of its rows do.
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

std::string item_title(const ReportPaper& paper, const ReportItem& item) {
  const ItemSpec& spec = item.spec();
  for (const EditionSpec& edition : paper.spec->editions) {
    const auto place = spec.where.find(edition.key);
    if (spec.kind != "claims" && place != spec.where.end())
      return place->second + ": " + spec.title;
  }
  return spec.title;
}

std::string row_label(const RowOutcome& row) {
  return row.compared == row.row
             ? row.row->label
             : "printed as " + row.row->label + ", compared with " + row.compared->label;
}

std::string measured_text(const RowOutcome& row, const ColumnSpec& column) {
  if (row.result == nullptr) return "left out";
  if (failed(row, column))
    return fmt::format("{}, t = {:.4g} s", row.result->status, row.result->t);
  const std::string shown = row.values.at(column.id).shown();
  return shown.empty() ? "—" : shown;
}

PageData item_data(const ReportPaper& paper, const ReportItem& item) {
  const ItemSpec& spec = item.spec();
  const PageFrame page{paper_page(paper)};
  const std::string folder = paper.spec->id + "/" + spec.id + "/";
  std::vector<std::string> notes = spec.notes;
  notes.insert(notes.end(), item.outcome->findings.begin(), item.outcome->findings.end());
  PageData details = PageData::array();
  if (!spec.assumed.empty())
    details.push_back({{"summary", "Assumed, where the paper leaves it open (" +
                                       std::to_string(spec.assumed.size()) + ")"},
                       {"lines", spec.assumed}});
  if (const auto settings = settings_lines(*item.outcome); !settings.empty())
    details.push_back({{"summary", "Settings"}, {"lines", settings}});
  return {{"paper", paper.spec->id},
          {"id", spec.id},
          {"kind", spec.kind},
          {"title", item_title(paper, item)},
          {"folder", page.link(folder)},
          {"explore", item.explore},
          {"figure", item.explore.empty() && item.has_figure},
          {"caption", spec.plot ? spec.plot->caption : ""},
          {"table", spec.columns.empty() ? PageData() : table_data(paper, *item.outcome)},
          {"claims", claim_tables(paper, item)},
          {"details", details},
          {"lines", notes},
          {"files", files_data(files(item, folder), page)}};
}

}  // namespace daemark
