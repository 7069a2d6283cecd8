#include <fmt/format.h>

#include <algorithm>

#include "analysis/report/figure_svg.hpp"
#include "experiments/report/report_html.hpp"
#include "experiments/report/row_lines.hpp"

namespace daemark {
namespace {

bool alike(const NumberOutcome& a, const NumberOutcome& b) {
  return a.printed == b.printed && a.judgement.verdict == b.judgement.verdict &&
         a.judgement.why == b.judgement.why;
}

/// What needs no word beside every number; the sign tells.
bool plain(Verdict verdict) {
  return verdict == Verdict::reproduced || verdict == Verdict::close || verdict == Verdict::floor ||
         verdict == Verdict::not_comparable;
}

/// Editions that print the same number share one line.
std::string printed_lines(const ReportPaper& paper, const ValueOutcome& value) {
  std::string text;
  for (auto number = value.numbers.begin(); number != value.numbers.end(); ++number) {
    const auto same = [&](const NumberOutcome& other) { return alike(*number, other); };
    if (std::any_of(value.numbers.begin(), number, same)) continue;
    std::vector<std::string> editions;
    for (const NumberOutcome& other : value.numbers)
      if (same(other)) editions.push_back(other.edition);
    const bool all = editions.size() == value.numbers.size();
    const std::string labels = all ? "" : edition_labels(paper, editions);
    const auto& [verdict, why] = number->judgement;
    text += "<span class=\"printed\"><span>" + (labels.empty() ? "printed" : labels) + " <b>" +
            escape_xml(number->printed) + "</b>" +
            (plain(verdict) ? " " + html_sign(verdict_name(verdict), why) + "</span>"
                            : "</span> " + html_verdict(verdict_name(verdict), why)) +
            "</span>";
  }
  return text;
}

bool failed(const RowOutcome& row, const ColumnSpec& column) {
  return row.result != nullptr && !row.result->ok() && row.values.at(column.id).shown().empty();
}

bool differs(const ValueOutcome& value) { return value.marks.find("≠") != std::string::npos; }

std::string data_row(const ReportPaper& paper, const ItemSpec& item, const RowOutcome& row) {
  VerdictCounts verdicts;
  std::string cells;
  for (const ColumnSpec& column : item.columns) {
    const ValueOutcome& value = row.values.at(column.id);
    for (const NumberOutcome& number : value.numbers)
      ++verdicts[verdict_name(number.judgement.verdict)];
    const std::string mark =
        std::string(failed(row, column) ? " failed" : "") + (differs(value) ? " differs" : "");
    const std::string text = html_text(measured_text(row, column));
    const std::string printed = printed_lines(paper, value);
    cells += mark.empty() && printed.empty() ? "<td class=\"measured\">" + text + "</td>"
                                             : "<td><span class=\"measured" + mark + "\">" + text +
                                                   "</span>" + printed + "</td>";
  }
  const std::string& group = row.row->group;
  return "<tr data-v=\"" + verdict_words(verdicts) + "\"" +
         (group.empty() ? "" : " data-g=\"" + escape_xml(group) + "\"") + "><th scope=\"row\">" +
         html_text(row_label(row)) + "</th>" + cells + "</tr>\n";
}

std::string full_label(const RowOutcome& row) {
  return (row.row->group.empty() ? "" : row.row->group + ", ") + row_label(row);
}

/// Texts with what each stands for, each once, in the order of the table.
using Entries = std::vector<std::pair<std::string, std::string>>;

void add_entry(Entries& entries, const std::string& text, const std::string& place) {
  const auto known = std::find_if(entries.begin(), entries.end(),
                                  [&](const auto& entry) { return entry.first == text; });
  if (known == entries.end())
    entries.emplace_back(text, place);
  else if (("; " + known->second + ";").find("; " + place + ";") == std::string::npos)
    known->second += "; " + place;
}

/// The entries under a summary that counts them; closed until somebody asks.
template <class Line>
std::string details(const Entries& entries, const std::string& summary, const std::string& list,
                    Line line) {
  if (entries.empty()) return "";
  std::string text = "<details><summary>" + summary + " (" + std::to_string(entries.size()) +
                     ")</summary><" + list + ">\n";
  for (const auto& [entry, places] : entries) text += line(entry, places);
  return text + "</" + list + "></details>\n";
}

/// Of a long table the two that lead to all of them: its page would be half commands.
std::string table_commands(const ReportPaper& paper, const ItemOutcome& outcome) {
  constexpr std::size_t most = 40;
  Entries entries;
  for (const RowOutcome& row : outcome.rows)
    add_entry(entries, command(*row.compared->cell), full_label(row));
  const std::string item = paper.spec->id + "/" + outcome.item->id;
  if (entries.size() > most)
    return "<p class=\"soft\">The command of every row, and all numbers of one:</p>" +
           html_command("daemark show " + item) +
           html_command("daemark measure " + item + "/" + outcome.rows.front().row->id);
  return details(entries, "Commands that make these numbers", "dl",
                 [](const std::string& command, const std::string& rows) {
                   return "<dt>" + html_text(rows) + "</dt><dd>" + html_command(command) +
                          "</dd>\n";
                 });
}

/// Tooltips are out of reach on paper and touch screens: the reasons once more.
std::string reasons(const ItemOutcome& outcome) {
  Entries entries;
  for (const auto& [row, column, number] : numbers_of(outcome)) {
    const auto& [verdict, why] = number->judgement;
    if (why.empty() || verdict == Verdict::reproduced) continue;
    add_entry(entries, html_verdict(verdict_name(verdict)) + " " + html_text(why),
              full_label(*row) + " · " + with_unit(*column));
  }
  return details(entries, "Why these verdicts", "ul",
                 [](const std::string& reason, const std::string& places) {
                   return "<li>" + reason + " <span class=\"soft\">(" + html_text(places) +
                          ")</span></li>\n";
                 });
}

std::string table_filter(const ItemOutcome& outcome) {
  std::string text =
      "<p class=\"filter\"><input type=\"search\" placeholder=\"rows with …\" "
      "aria-label=\"Filter this table\">";
  if (std::any_of(outcome.rows.begin(), outcome.rows.end(), [](const RowOutcome& row) {
        return std::any_of(row.values.begin(), row.values.end(),
                           [](const auto& value) { return differs(value.second); });
      }))
    text +=
        "<label><input type=\"checkbox\"> only rows with <span class=\"differs\">≠</span>"
        "</label>";
  return text + "<span class=\"soft\"></span></p>\n";
}

/// Columns sort by a click on their head, within the groups; a long table has a filter of its own.
std::string html_table(const ReportPaper& paper, const ItemOutcome& outcome) {
  const ItemSpec& item = *outcome.item;
  constexpr std::size_t sortable = 8, filtered = 40;
  std::string text =
      "<div class=\"block\">" +
      html_list(item.legend.empty() ? "" : "How to read it", item.legend) +
      (outcome.rows.size() > filtered ? table_filter(outcome) : "") +
      "<div class=\"scroll\" tabindex=\"0\"><table" +
      (outcome.rows.size() > sortable ? " class=\"sortable\"" : "") +
      // the item's title says the same to those who see it
      (item.title.empty() ? ">"
                          : "><caption class=\"hear\">" + html_text(item.title) + "</caption>") +
      "<thead><tr><th scope=\"col\">" + html_text(item.row_heading) + "</th>";
  for (const ColumnSpec& column : item.columns)
    text += "<th scope=\"col\">" + html_text(with_unit(column)) + "</th>";
  text += "</tr></thead><tbody>\n";
  std::string group;
  std::vector<std::string> failures;
  for (const RowOutcome& row : outcome.rows) {
    if (row.row->group != group && !row.row->group.empty()) {
      text += "<tr class=\"group\"><th scope=\"rowgroup\" colspan=\"" +
              std::to_string(item.columns.size() + 1) + "\">" + html_text(row.row->group) +
              "</th></tr>\n";
    }
    group = row.row->group;
    text += data_row(paper, item, row);
    if (const std::string failure = failure_text(row); !failure.empty())
      failures.push_back(row.row->label + ": " + failure);
  }
  return text + "</tbody></table></div>\n" + html_list("", failures) +
         table_commands(paper, outcome) + reasons(outcome) + "</div>\n";
}

std::string html_figure(const std::string& path, const std::string& caption) {
  return "<figure><a class=\"scroll\" href=\"" + path + "\"><img loading=\"lazy\" src=\"" + path +
         "\" alt=\"" + escape_xml(caption) + "\"></a><figcaption>" + html_text(caption) +
         "</figcaption></figure>\n";
}

/// Alike claims of several editions are one row that names all their places. Rows of checks of our
/// own carry no verdict for the counts of the filter.
std::string claim_rows(const ReportPaper& paper, const ReportItem& item, bool own) {
  std::string text;
  for (const ClaimOutcome* claim : distinct_claims(item)) {
    if (claim->claim->own != own) continue;
    std::string places;
    for (const ClaimOutcome& other : item.outcome->claims) {
      const std::string one =
          alike(*claim, other) ? escape_xml(daemark::places(*paper.spec, other.claim->where)) : "";
      places += (places.empty() || one.empty() ? "" : "; ") + one;
    }
    const std::string verdict = verdict_name(claim->verdict);
    text += "<tr id=\"" + claim_anchor(item, *claim) + "\" data-v=\"" + (own ? "" : verdict) +
            "\"><td>" + html_verdict(verdict, claim->why) + "</td><td class=\"text\">" +
            html_text(claim->claim->text) +
            (places.empty() ? "" : "<br><span class=\"soft\">" + places + "</span>") +
            "</td><td class=\"text\">" + html_text(claim->evidence);
    if (!claim->why.empty())
      text += "<br><span class=\"soft\">" + html_text(claim->why) + "</span>";
    text += "</td></tr>\n";
  }
  return text;
}

std::string claim_table(const char* caption, const char* head, const std::string& rows) {
  if (rows.empty()) return "";
  return std::string(
             "<div class=\"block\"><div class=\"scroll flat\" tabindex=\"0\"><table "
             "class=\"claims\"><caption>") +
         caption + "</caption><thead><tr><th scope=\"col\">verdict</th><th scope=\"col\">" + head +
         "</th><th scope=\"col\">measured</th></tr></thead><tbody>\n" + rows +
         "</tbody></table></div></div>\n";
}

std::string html_claims(const ReportPaper& paper, const ReportItem& item) {
  return claim_table("Claims", paper.study() ? "we say" : "the paper says, in our words",
                     claim_rows(paper, item, false)) +
         claim_table("Our own checks, counted for no paper", "we say",
                     claim_rows(paper, item, true));
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

}  // namespace

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
  return row.compared == row.row ? row.row->label
                                 : row.row->label + ", as printed, beside " + row.compared->label;
}

std::string measured_text(const RowOutcome& row, const ColumnSpec& column) {
  if (row.result == nullptr) return "left out";
  if (failed(row, column))
    return fmt::format("{}, t = {:.4g} s", row.result->status, row.result->t);
  const std::string shown = row.values.at(column.id).shown();
  return shown.empty() ? "—" : shown;
}

std::string html_item(const ReportPaper& paper, const ReportItem& item, const PageFrame& page) {
  const ItemSpec& spec = item.spec();
  const std::string title = item_title(paper, item), folder = paper.spec->id + "/" + spec.id + "/";
  std::string text = "<section class=\"item\" id=\"" + spec.id + "\" data-k=\"" + spec.kind +
                     "\" data-name=\"" +
                     escape_xml(paper.spec->id + " " + spec.kind + " " + spec.id + " " + title) +
                     "\">\n<h2><a href=\"#" + spec.id + "\">" + html_text(title) + "</a></h2>\n";
  text += html_command("daemark reproduce " + paper.spec->id + "/" + spec.id);
  if (!item.explore.empty())
    text += item.explore + "<p class=\"soft\">" + html_text(spec.plot->caption) + "</p>\n" +
            html_links({{"figure.svg", folder + "figure.svg", "for papers"}}, page);
  else if (item.has_figure)
    text += html_figure(page.link(folder + "figure.svg"), spec.plot->caption);
  if (!spec.columns.empty()) text += html_table(paper, *item.outcome);
  text += html_claims(paper, item);
  if (!spec.assumed.empty())
    text += "<details><summary>Assumed, where the paper leaves it open (" +
            std::to_string(spec.assumed.size()) + ")</summary>" + html_list("", spec.assumed) +
            "</details>\n";
  if (const auto settings = settings_lines(*item.outcome); !settings.empty())
    text += "<details><summary>Settings</summary>" + html_list("", settings) + "</details>\n";
  std::vector<std::string> notes = spec.notes;
  const std::vector<std::string>& findings = item.outcome->findings;
  notes.insert(notes.end(), findings.begin(), findings.end());
  return text + html_list("Notes", notes) + html_links(files(item, folder), page) + "</section>\n";
}

}  // namespace daemark
