#include <algorithm>
#include <set>

#include "analysis/report/figure_svg.hpp"
#include "experiments/report/report_html.hpp"

namespace daemark {
namespace {

bool alike(const ReportPrinted& a, const ReportPrinted& b) {
  return a.printed == b.printed && a.verdict == b.verdict && a.why == b.why;
}

/// What needs no word beside every number; the sign tells.
bool plain(const std::string& verdict) {
  return verdict == "reproduced" || verdict == "close" || verdict == "floor" ||
         verdict == "not_comparable";
}

/// Editions that print the same number share one line.
std::string printed_lines(const ReportPaper& paper, const ReportCell& cell) {
  std::string text;
  for (std::size_t i = 0; i < cell.printed.size(); ++i) {
    const ReportPrinted& printed = cell.printed[i];
    std::vector<std::string> editions;
    bool said_before = false;
    for (std::size_t k = 0; k < cell.printed.size(); ++k) {
      if (!alike(printed, cell.printed[k])) continue;
      said_before = said_before || k < i;
      editions.push_back(cell.printed[k].edition);
    }
    if (said_before) continue;
    const bool all = editions.size() == cell.printed.size();
    const std::string labels = all ? "" : edition_labels(paper, editions);
    const bool short_one = plain(printed.verdict);
    text += "<span class=\"printed\"><span>" + (labels.empty() ? "printed" : labels) + " <b>" +
            escape_xml(printed.printed) + "</b>" +
            (short_one ? " " + html_sign(printed.verdict, printed.why) + "</span>"
                       : "</span> " + html_verdict(printed.verdict, printed.why)) +
            "</span>";
  }
  return text;
}

std::string data_row(const ReportPaper& paper, const ReportRow& row) {
  VerdictCounts verdicts;
  for (const ReportCell& cell : row.cells)
    for (const ReportPrinted& printed : cell.printed) ++verdicts[printed.verdict];
  std::string text = "<tr data-v=\"" + verdict_words(verdicts) + "\"" +
                     (row.group.empty() ? "" : " data-g=\"" + escape_xml(row.group) + "\"") +
                     "><th scope=\"row\">" + html_text(row.label) + "</th>";
  for (const ReportCell& cell : row.cells) {
    text += std::string("<td><span class=\"measured") + (cell.failed ? " failed" : "") +
            (cell.differs ? " differs" : "") + "\">" + html_text(cell.measured) + "</span>" +
            printed_lines(paper, cell) + "</td>";
  }
  return text + "</tr>\n";
}

/// Command -> what it makes, in the order of the table; a command is shown once.
std::string table_commands(const ReportTable& table) {
  std::vector<std::pair<std::string, std::string>> entries;
  for (const ReportRow& row : table.rows) {
    const std::string label = (row.group.empty() ? "" : row.group + ", ") + row.label;
    const auto known = std::find_if(entries.begin(), entries.end(),
                                    [&](const auto& entry) { return entry.first == row.command; });
    if (known == entries.end())
      entries.emplace_back(row.command, label);
    else if (known->second != label)
      known->second += "; " + label;
  }
  if (entries.empty()) return "";
  std::string text = "<details><summary>Commands that make these numbers (" +
                     std::to_string(entries.size()) + ")</summary><dl>\n";
  for (const auto& [command, label] : entries) {
    text += "<dt>" + html_text(label) + "</dt><dd>" + html_command(command) + "</dd>\n";
  }
  return text + "</dl></details>\n";
}

/// Tooltips are out of reach on paper and touch screens: the reasons once more, equal ones
/// together.
std::string reasons(const ReportItem& item) {
  std::vector<std::pair<std::string, std::string>> entries;
  visit_printed(item, [&](const ReportRow& row, std::size_t c, const ReportPrinted& printed) {
    if (printed.why.empty() || printed.verdict == "reproduced") return;
    const std::string reason = html_verdict(printed.verdict) + " " + html_text(printed.why);
    const std::string place =
        (row.group.empty() ? "" : row.group + ", ") + row.label + " · " + item.table->columns[c];
    const auto known = std::find_if(entries.begin(), entries.end(),
                                    [&](const auto& entry) { return entry.first == reason; });
    if (known == entries.end())
      entries.emplace_back(reason, place);
    else if (("; " + known->second + ";").find("; " + place + ";") == std::string::npos)
      known->second += "; " + place;
  });
  if (entries.empty()) return "";
  std::string text = "<details><summary>Why these verdicts (" + std::to_string(entries.size()) +
                     ")</summary><ul>\n";
  for (const auto& [reason, places] : entries) {
    text += "<li>" + reason + " <span class=\"soft\">(" + html_text(places) + ")</span></li>\n";
  }
  return text + "</ul></details>\n";
}

/// Columns sort by a click on their head, within the groups; a long table has a filter of its own.
std::string html_table(const ReportPaper& paper, const ReportItem& item) {
  const ReportTable& table = *item.table;
  constexpr std::size_t sortable = 8, filtered = 40;
  std::string text = "<div class=\"block\">" +
                     html_list(table.legend.empty() ? "" : "How to read it", table.legend);
  if (table.rows.size() > filtered) {
    const bool marked = std::any_of(table.rows.begin(), table.rows.end(), [](const auto& row) {
      return std::any_of(row.cells.begin(), row.cells.end(),
                         [](const ReportCell& cell) { return cell.differs; });
    });
    text +=
        "<p class=\"filter\"><input type=\"search\" placeholder=\"rows with …\" "
        "aria-label=\"Filter this table\">";
    if (marked) {
      text +=
          "<label><input type=\"checkbox\"> only rows with <span class=\"differs\">≠</span>"
          "</label>";
    }
    text += "<span class=\"soft\"></span></p>\n";
  }
  text += std::string("<div class=\"scroll\" tabindex=\"0\"><table") +
          (table.rows.size() > sortable ? " class=\"sortable\"" : "") + ">";
  if (!table.caption.empty()) {  // the item's title says the same to those who see it
    text += std::string("<caption") +
            (item.title.ends_with(table.caption) ? " class=\"hear\">" : ">") +
            html_text(table.caption) + "</caption>";
  }
  text += "<thead><tr><th scope=\"col\">" + html_text(table.row_heading) + "</th>";
  for (const std::string& column : table.columns) {
    text += "<th scope=\"col\">" + html_text(column) + "</th>";
  }
  text += "</tr></thead><tbody>\n";
  std::string group;
  for (const ReportRow& row : table.rows) {
    if (row.group != group && !row.group.empty()) {
      text += "<tr class=\"group\"><th scope=\"rowgroup\" colspan=\"" +
              std::to_string(table.columns.size() + 1) + "\">" + html_text(row.group) +
              "</th></tr>\n";
    }
    group = row.group;
    text += data_row(paper, row);
  }
  text += "</tbody></table></div>\n" + html_list("", table.notes) + table_commands(table) +
          reasons(item);
  return text + "</div>\n";
}

std::string html_figure(const ReportFigure& figure, const PageFrame& page) {
  const std::string path = page.link(figure.path);
  return "<figure><a class=\"scroll\" href=\"" + path + "\"><img loading=\"lazy\" src=\"" + path +
         "\" alt=\"" + escape_xml(figure.caption) + "\"></a><figcaption>" +
         html_text(figure.caption) + "</figcaption></figure>\n";
}

std::string place(const ReportPaper& paper, const ReportClaim& claim) {
  const std::string edition = edition_labels(paper, {claim.edition});
  const std::string where = escape_xml(claim.where);
  return where + (where.empty() || edition.empty() ? "" : ", ") + edition;
}

/// The same claim of several editions with the same outcome is one row that names all its places.
/// Rows of checks of our own carry no verdict for the counts of the filter.
std::string claim_rows(const ReportPaper& paper, const ReportItem& item, bool own) {
  const std::vector<ReportClaim>& claims = item.claims;
  std::string text;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const ReportClaim& claim = claims[i];
    if (said_before(item, i) || own_check(claim) != own) continue;
    std::string places;
    for (const ReportClaim& other : claims) {
      const std::string one = alike(claim, other) ? place(paper, other) : "";
      places += (places.empty() || one.empty() ? "" : "; ") + one;
    }
    text += "<tr id=\"" + claim_anchor(item, claim) + "\" data-v=\"" + (own ? "" : claim.verdict) +
            "\"><td>" + html_verdict(claim.verdict, claim.why) + "</td><td class=\"text\">" +
            html_text(claim.text) +
            (places.empty() ? "" : "<br><span class=\"soft\">" + places + "</span>") +
            "</td><td class=\"text\">" + html_text(claim.evidence);
    if (!claim.why.empty()) text += "<br><span class=\"soft\">" + html_text(claim.why) + "</span>";
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
  return claim_table("Claims", paper.study ? "we say" : "the paper says",
                     claim_rows(paper, item, false)) +
         claim_table("Our own checks, counted for no paper", "we say",
                     claim_rows(paper, item, true));
}

}  // namespace

std::string html_item(const ReportPaper& paper, const ReportItem& item, const PageFrame& page) {
  std::string text =
      "<section class=\"item\" id=\"" + item.id + "\" data-k=\"" + item.kind + "\" data-name=\"" +
      escape_xml(paper.id + " " + item.kind + " " + item.id + " " + item.title) +
      "\">\n<h2><a href=\"#" + item.id + "\">" + html_text(item.title) + "</a></h2>\n";
  text += html_command(item.command);
  if (item.figure) text += html_figure(*item.figure, page);
  if (item.table) text += html_table(paper, item);
  text += html_claims(paper, item);
  if (!item.assumed.empty())
    text += "<details><summary>Assumed, where the paper leaves it open (" +
            std::to_string(item.assumed.size()) + ")</summary>" + html_list("", item.assumed) +
            "</details>\n";
  text += html_list("Notes", item.notes);
  return text + html_links(item.files, page) + "</section>\n";
}

}  // namespace daemark
