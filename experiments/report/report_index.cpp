// The first page: what the tool is, the papers with their verdicts, what does not hold, and a
// search over all items and claims.
#include <algorithm>

#include "analysis/report/figure_svg.hpp"
#include "experiments/report/report_assets.hpp"
#include "experiments/report/report_html.hpp"

namespace daemark {
namespace {

const std::vector<std::string> kAgree{"reproduced", "close"};
const std::vector<std::string> kAgainst{"differs", "contradicted", "fails"};

bool is_one_of(const std::vector<std::string>& words, const std::string& verdict) {
  return std::find(words.begin(), words.end(), verdict) != words.end();
}

int sum_of(const VerdictCounts& counts, const std::vector<std::string>& words) {
  int sum = 0;
  for (const auto& [verdict, count] : counts) sum += is_one_of(words, verdict) ? count : 0;
  return sum;
}

VerdictCounts of_items(const ReportPaper& paper, VerdictCounts (*count)(const ReportItem&)) {
  VerdictCounts counts;
  for (const ReportItem& item : paper.items) add(counts, count(item));
  return counts;
}

std::string tile(const std::string& number, const std::string& of, const std::string& text,
                 const char* colour, const std::string& target) {
  return std::string("<a class=\"tile ") + colour + "\" href=\"" + target + "\"><b>" + number +
         "</b><span class=\"of\">" + of + "</span> <span>" + text + "</span></a>\n";
}

/// Three numbers that say it all.
std::string tiles(const VerdictCounts& numbers, const VerdictCounts& claims) {
  const int judged = total(numbers) - sum_of(numbers, {"not_comparable"});
  const int against = sum_of(numbers, kAgainst) + sum_of(claims, kAgainst);
  std::string text = "<div class=\"tiles\">\n";
  if (judged > 0)
    text += tile(std::to_string(sum_of(numbers, kAgree)), " of " + std::to_string(judged),
                 "printed numbers reproduced or close", "good", "#papers");
  if (total(claims) > 0)
    text += tile(std::to_string(sum_of(claims, {"holds"})), " of " + std::to_string(total(claims)),
                 "claims hold", "good", "#papers");
  if (against > 0)
    text += tile(std::to_string(against), "",
                 against == 1 ? "number or claim does not hold" : "numbers and claims do not hold",
                 "bad", "#against");
  return text + "</div>\n";
}

std::string paper_row(const ReportPaper& paper, const PageFrame& page) {
  const std::string target = page.link(paper_page(paper));
  const auto part = [&](const char* label, const VerdictCounts& counts) {
    const std::string cell = std::string("<td data-label=\"") + label + "\"";
    return counts.empty() ? cell + " class=\"soft\"> none</td>"
                          : cell + ">" + html_bar(counts) + "<div class=\"chips\">" +
                                html_counts(counts, target) + "</div></td>";
  };
  return "<tr><th scope=\"row\"><a href=\"" + target + "\">" + escape_xml(paper.spec->title) +
         "</a><span class=\"soft\"><code>" + escape_xml(paper.spec->id) + "</code> · " +
         std::to_string(paper.items.size()) + " tables, figures and sections</span></th>" +
         part("printed numbers", of_items(paper, count_numbers)) +
         part("claims", of_items(paper, count_claims)) + "</tr>\n";
}

std::string papers_table(const ReportModel& model, const PageFrame& page) {
  std::string rows;
  for (const ReportPaper& paper : model.papers)
    if (!paper.study()) rows += paper_row(paper, page);
  if (rows.empty()) return "";
  std::string text =
      "<section id=\"papers\"><h2>The papers</h2>\n<table class=\"papers\"><thead><tr><th "
      "scope=\"col\">paper</th><th scope=\"col\">printed numbers</th><th scope=\"col\">claims</th>"
      "</tr></thead><tbody>\n" +
      rows + "</tbody></table>\n<details><summary>What the verdicts mean</summary><ul>";
  for (const char* verdict : verdict_names)
    text += "<li>" + html_verdict(verdict) + " " + escape_xml(verdict_text(verdict).meaning) +
            "</li>\n";
  return text + "</ul></details></section>\n";
}

/// Cells of the item that do not hold, the first few by name.
std::string numbers_against(const ReportPaper& paper, const ReportItem& item,
                            const PageFrame& page) {
  constexpr int named = 4;
  VerdictCounts counts;
  std::string places;
  int count = 0;
  for (const auto& [row, column, number] : numbers_of(*item.outcome)) {
    const std::string verdict = verdict_name(number->judgement.verdict);
    if (!is_one_of(kAgainst, verdict)) continue;
    ++counts[verdict];
    if (++count > named) continue;
    places += "<li>" + html_text(row_label(*row)) + ", " + html_text(with_unit(*column)) +
              ": printed <b>" + escape_xml(number->printed) + "</b>, measured <b>" +
              html_text(measured_text(*row, *column)) + "</b></li>";
  }
  if (count == 0) return "";
  if (count > named) places += "<li>and " + std::to_string(count - named) + " more</li>";
  return "<li>" + html_counts(counts) + "<a href=\"" +
         page.link(paper_page(paper), "#" + item.spec().id) + "\">" +
         html_text(item_title(paper, item)) + "</a><ul class=\"soft\">" + places + "</ul></li>\n";
}

/// Refuted claims of an item: those of the paper, or our own.
std::string claims_against(const ReportPaper& paper, const ReportItem& item, bool own,
                           const PageFrame& page) {
  std::string text;
  for (const ClaimOutcome* claim : distinct_claims(item)) {
    const std::string verdict = verdict_name(claim->verdict);
    const bool is_own = paper.study() || claim->claim->own;
    if (!is_one_of(kAgainst, verdict) || is_own != own) continue;
    text += "<li>" + html_verdict(verdict) + " <a href=\"" +
            page.link(paper_page(paper), "#" + claim_anchor(item, *claim)) + "\">" +
            html_text(claim->claim->text) + "</a> <span class=\"soft\">" +
            escape_xml(places(*paper.spec, claim->claim->where)) + "</span></li>\n";
  }
  return text;
}

std::string against(const ReportModel& model, const PageFrame& page) {
  std::string text, own;
  for (const ReportPaper& paper : model.papers) {
    std::string entries;
    for (const ReportItem& item : paper.items) {
      entries += numbers_against(paper, item, page) + claims_against(paper, item, false, page);
      own += claims_against(paper, item, true, page);
    }
    if (!entries.empty())
      text += "<h3>" + escape_xml(paper.spec->title) + "</h3><ul class=\"against\">\n" + entries +
              "</ul>\n";
  }
  if (!own.empty())
    text +=
        "<h3>Our own checks</h3>\n<p class=\"soft\">Sentences of ours, about what the papers leave "
        "open and in our studies: they count for no paper.</p>\n<ul class=\"against\">\n" +
        own + "</ul>\n";
  if (text.empty()) return "";
  return "<section id=\"against\"><h2>What does not hold</h2>\n<p class=\"soft\">Numbers that come "
         "out elsewhere and claims that the measurements refute. Each entry leads to what was "
         "measured and to the command that measures it again.</p>\n" +
         text + "</section>\n";
}

std::string option(const std::string& value, const std::string& label) {
  return "<option value=\"" + value + "\">" + escape_xml(label) + "</option>";
}

std::string selects(const ReportModel& model) {
  std::vector<std::string> kinds;
  std::string papers = option("", "all papers"), choices = option("", "all kinds");
  for (const ReportPaper& paper : model.papers) {
    papers += option(paper.spec->id, paper.spec->id);
    for (const ReportItem& item : paper.items)
      if (!is_one_of(kinds, item.spec().kind)) kinds.push_back(item.spec().kind);
  }
  std::sort(kinds.begin(), kinds.end());
  for (const std::string& kind : kinds) choices += option(kind, kind);
  return "<select id=\"paper\" aria-label=\"Paper\">" + papers +
         "</select><select id=\"kind\" aria-label=\"Kind\">" + choices + "</select>";
}

/// An item and its claims; claims are seen once somebody looks for something.
std::string entries(const ReportPaper& paper, const ReportItem& item, const PageFrame& page) {
  const VerdictCounts numbers = count_numbers(item), claims = count_claims(item);
  std::string text =
      "<li class=\"entry\" data-k=\"" + item.spec().kind + "\" data-v=\"" + verdict_words(numbers) +
      "\"><a href=\"" + page.link(paper_page(paper), "#" + item.spec().id) + "\">" +
      html_text(item_title(paper, item)) + "</a> <span class=\"chips\">" + html_counts(numbers) +
      (claims.empty() ? "" : "<span class=\"less\">" + html_counts(claims) + "</span>") +
      "</span></li>\n";
  for (const ClaimOutcome* claim : distinct_claims(item)) {
    const std::string verdict = verdict_name(claim->verdict);
    text += "<li class=\"entry more\" data-k=\"" + item.spec().kind + "\" data-v=\"" +
            (claim->claim->own ? "" : verdict) + "\">" + html_verdict(verdict) + " <a href=\"" +
            page.link(paper_page(paper), "#" + claim_anchor(item, *claim)) + "\">" +
            html_text(claim->claim->text) + "</a> <span class=\"soft\">" +
            html_text(item_title(paper, item)) + "</span></li>\n";
  }
  return text;
}

/// Methods, problems: seen once somebody looks for something.
std::string found_group(const std::string& name, const std::vector<ReportLink>& links,
                        const PageFrame& page) {
  std::string text = "<div class=\"group-of\" data-name=\"" + escape_xml(name) + "\"><h3>" +
                     escape_xml(name) + " <span class=\"soft\">" + std::to_string(links.size()) +
                     " pages</span></h3><ul class=\"entries\">\n";
  for (const ReportLink& link : links)
    text += "<li class=\"entry more\" data-v=\"\"><a href=\"" + page.link(link.path) + "\">" +
            escape_xml(link.label) + "</a> <span class=\"soft\">" + html_text(link.description) +
            "</span></li>\n";
  return text + "</ul></div>\n";
}

std::string everything(const ReportModel& model, const PageFrame& page) {
  VerdictCounts counts;
  for (const ReportPaper& paper : model.papers) add(counts, count_all(paper));
  std::string text =
      "<section id=\"find\"><h2>Find a table, figure, claim, method or problem</h2>\n" +
      html_filter(counts, selects(model), "e.g. radau \"index 3\" energy") +
      "<p id=\"nothing\" hidden>Nothing matches. Clear the search or choose other verdicts.</p>\n";
  for (const ReportPaper& paper : model.papers) {
    text += "<div class=\"group-of\" data-p=\"" + paper.spec->id + "\" data-name=\"" +
            escape_xml(paper.spec->id + " " + paper.spec->title) + "\"><h3>" +
            escape_xml(paper.spec->title) + " <code class=\"soft\">" + paper.spec->id +
            "</code></h3><ul class=\"entries\">\n";
    for (const ReportItem& item : paper.items) text += entries(paper, item, page);
    text += "</ul></div>\n";
  }
  for (const auto& [name, links] : model.found) text += found_group(name, links, page);
  return text + "</section>\n";
}

std::string card(const PageFrame& page, const std::string& target, const std::string& title,
                 const std::string& text) {
  return "<a class=\"card\" href=\"" + page.link(target) + "\"><b>" + escape_xml(title) +
         "</b><span>" + escape_xml(text) + "</span></a>\n";
}

std::string cards(const ReportModel& model, const PageFrame& page) {
  std::string text;
  if (!model.problems.empty())
    text += card(page, kProblemsPage, "Problems",
                 std::to_string(model.problems.size()) +
                     " mechanisms: equations, parameters, animations, what uses them");
  if (!model.certificates.empty())
    text += card(page, kCertificatesPage, "Certificates",
                 "order and stability of " + std::to_string(model.certificates.size()) +
                     " methods, proved exactly; what is not decided says so");
  if (!model.errata.empty())
    text += card(page, kErrataPage, "Errata", "printed formulas that were checked exactly");
  for (const ReportLink& room : model.rooms)
    text +=
        card(page, room.path, room.label == "atlas" ? "The atlas" : "Methods",
             room.label == "atlas" ? "every method on every problem: who needs least, where, and "
                                     "how that varies"
                                   : "a page for each: formula, proof, stability, orders, place");
  for (const ReportPaper& paper : model.papers)
    if (paper.study())
      text += card(page, paper_page(paper), paper.spec->title, paper.spec->citation);
  for (const ReportLink& link : model.downloads)
    text += card(page, link.path, link.label, link.description);
  return text.empty() ? "" : "<nav class=\"cards\" aria-label=\"Further\">\n" + text + "</nav>\n";
}

}  // namespace

std::string html_index(const ReportModel& model, const PageFrame& page) {
  VerdictCounts numbers, claims;
  for (const ReportPaper& paper : model.papers) {
    if (paper.study()) continue;
    add(numbers, of_items(paper, count_numbers));
    add(claims, of_items(paper, count_claims));
  }
  return "<main class=\"wide\">\n<h1>Do the published numbers hold?</h1>\n<p "
         "class=\"lead\">daemark "
         "integrates the mechanisms of papers on multibody dynamics with the methods they propose, "
         "and puts every printed number, figure and claim beside what it measures. Everything here "
         "is made by <code>make reproduce</code>, each number by the command beside it.</p>\n" +
         tiles(numbers, claims) + papers_table(model, page) + cards(model, page) +
         against(model, page) + everything(model, page) + "</main>\n";
}

}  // namespace daemark
