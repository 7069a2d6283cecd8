#include "analysis/report/report_html.hpp"

#include <algorithm>
#include <array>

#include "analysis/report/figure_svg.hpp"
#include "analysis/report/report_assets.hpp"

namespace daemark {
namespace {

std::string tag(const std::string& name, const std::string& inner) {
  return "<" + name + ">" + inner + "</" + name + ">";
}

std::string summary_row(const ReportPaper& paper, const ReportEdition& edition,
                        const std::vector<std::string>& shown) {
  const std::map<std::string, int> counts = count_verdicts(paper, edition.id);
  std::string row = "<tr><th scope=\"row\"><a href=\"#" + paper.id + "\">" + escape_xml(paper.id) +
                    "</a>" + (paper.editions.size() > 1 ? " " + escape_xml(edition.label) : "") +
                    "</th>";
  int total = 0;
  for (const std::string& verdict : shown) {
    const auto found = counts.find(verdict);
    row += "<td>" + (found == counts.end() ? "" : std::to_string(found->second)) + "</td>";
    total += found == counts.end() ? 0 : found->second;
  }
  return row + "<td>" + std::to_string(total) + "</td></tr>\n";
}

std::vector<std::string> verdicts_in(const ReportModel& model) {
  std::map<std::string, int> found;
  for (const ReportPaper& paper : model.papers) {
    for (const ReportEdition& edition : paper.editions) {
      for (const auto& [verdict, count] : count_verdicts(paper, edition.id)) {
        found[verdict] += count;
      }
    }
  }
  std::vector<std::string> shown;
  for (const std::string& verdict : verdict_names()) {
    if (found.count(verdict)) shown.push_back(verdict);
  }
  return shown;
}

std::string summary(const ReportModel& model) {
  const std::vector<std::string> shown = verdicts_in(model);
  std::string text =
      "<div class=\"scroll\"><table class=\"summary\"><caption>Printed numbers and "
      "claims by verdict</caption><thead><tr><th>paper</th>";
  for (const std::string& verdict : shown) {
    text += "<th>" + html_verdict(verdict, verdict_text(verdict).meaning) + "</th>";
  }
  text += "<th>all</th></tr></thead><tbody>\n";
  for (const ReportPaper& paper : model.papers) {
    for (const ReportEdition& edition : paper.editions) text += summary_row(paper, edition, shown);
  }
  text += "</tbody></table></div>\n<details><summary>What the verdicts mean</summary><ul>";
  for (const std::string& verdict : verdict_names()) {
    text +=
        "<li>" + html_verdict(verdict) + " " + escape_xml(verdict_text(verdict).meaning) + "</li>";
  }
  return text + "</ul></details>\n";
}

std::string navigation(const ReportModel& model) {
  std::string text = "<nav aria-label=\"Contents\">\n";
  for (const ReportPaper& paper : model.papers) {
    text += "<b><a href=\"#" + paper.id + "\">" + escape_xml(paper.id) + "</a></b><ol>\n";
    for (const ReportItem& item : paper.items) {
      text += "<li><a href=\"#" + paper.id + "-" + item.id + "\"><code>" + item.id + "</code> " +
              escape_xml(item.title) + "</a></li>\n";
    }
    text += "</ol>\n";
  }
  if (!model.sections.empty()) text += "<b>Further</b><ol>\n";
  for (const ReportSection& section : model.sections) {
    text += "<li><a href=\"#" + section.id + "\">" + escape_xml(section.title) + "</a></li>\n";
  }
  return text + (model.sections.empty() ? "" : "</ol>\n") + "</nav>\n";
}

std::string filter_bar(const ReportModel& model) {
  std::string text =
      "<div class=\"bar\" role=\"search\"><input type=\"search\" id=\"search\" "
      "placeholder=\"e.g. radau &quot;index 3&quot;\" aria-label=\"Search\">\n";
  for (const std::string& verdict : verdicts_in(model)) {
    text += "<label><input type=\"checkbox\" value=\"" + verdict + "\">" + html_verdict(verdict) +
            "</label>\n";
  }
  return text + "<button type=\"button\" id=\"clear\">show all</button></div>\n";
}

}  // namespace

std::string html_text(const std::string& text) {
  std::string out;
  std::size_t from = 0;
  while (from < text.size()) {
    const std::size_t open = text.find('`', from);
    const std::size_t close = open == std::string::npos ? open : text.find('`', open + 1);
    if (close == std::string::npos) break;
    out += escape_xml(text.substr(from, open - from)) +
           tag("code", escape_xml(text.substr(open + 1, close - open - 1)));
    from = close + 1;
  }
  return out + escape_xml(text.substr(from));
}

std::string html_path(const std::string& path) {
  constexpr std::array<char, 17> kHex{"0123456789ABCDEF"};
  std::string out;
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string("-._~/+,=()").find(c) != std::string::npos;
    const auto byte = static_cast<unsigned char>(c);
    out += plain ? std::string(1, c) : std::string{'%', kHex[byte >> 4], kHex[byte & 15]};
  }
  return out;
}

std::string html_verdict(const std::string& verdict, const std::string& why) {
  const VerdictText& text = verdict_text(verdict);
  std::string word = verdict;
  std::replace(word.begin(), word.end(), '_', ' ');
  return std::string("<span class=\"chip ") + text.colour + "\"" +
         (why.empty() ? "" : " title=\"" + escape_xml(why) + "\"") + "><i aria-hidden=\"true\">" +
         text.sign + "</i>" + word + "</span>";
}

std::string html_command(const std::string& command) {
  return command.empty() ? "" : "<code class=\"cmd\">" + escape_xml(command) + "</code>";
}

std::string html_links(const std::vector<ReportLink>& links) {
  if (links.empty()) return "";
  std::string text = "<p class=\"files\">";
  for (const ReportLink& link : links) {
    text += "<a href=\"" + html_path(link.path) + "\">" + escape_xml(link.label) + "</a> ";
    if (!link.description.empty()) {
      text += "<span class=\"soft\">" + html_text(link.description) + "</span><br>";
    }
  }
  return text + "</p>\n";
}

std::string html_list(const std::string& title, const std::vector<std::string>& texts) {
  if (texts.empty()) return "";
  std::string list = (title.empty() ? "" : tag("h4", escape_xml(title))) + "<ul class=\"notes\">";
  for (const std::string& text : texts) list += tag("li", html_text(text));
  return list + "</ul>\n";
}

std::string edition_labels(const ReportPaper& paper, const std::vector<std::string>& ids) {
  if (paper.editions.size() < 2) return "";
  std::string labels;
  for (const ReportEdition& edition : paper.editions) {
    if (std::find(ids.begin(), ids.end(), edition.id) == ids.end()) continue;
    labels += (labels.empty() ? "" : ", ") + escape_xml(edition.label);
  }
  return labels;
}

std::string html_head(const ReportModel& model) {
  std::string page =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>daemark: results</title>\n<style>" +
      std::string(kReportStyle) +
      "</style>\n</head>\n<body>\n<header class=\"top\">\n<h1>daemark: results</h1>\n"
      "<p>daemark runs integration methods for differential-algebraic equations of mechanics on "
      "benchmark problems and puts every number a paper prints beside the number it measures. "
      "Each row names the command that makes it; <code>make reproduce</code> makes all of "
      "them.</p>\n";
  page += summary(model) + html_links(model.downloads);
  page += "</header>\n<div class=\"page\">\n" + navigation(model) + "<main>\n" + filter_bar(model);
  return page +
         "<p id=\"nothing\">Nothing matches. Clear the search or choose other verdicts.</p>\n";
}

std::string html_paper(const ReportPaper& paper) {
  std::string text = "<section class=\"paper\">\n<h2 id=\"" + paper.id + "\">" +
                     escape_xml(paper.title) + "</h2>\n<p class=\"soft\">" +
                     html_text(paper.citation) + "</p>\n" + html_list("", paper.notes);
  for (const ReportItem& item : paper.items) text += html_item(paper, item);
  return text + "</section>\n";
}

std::string html_sections(const ReportModel& model) {
  std::string text;
  for (const ReportSection& section : model.sections) {
    text += "<section>\n<h2 id=\"" + section.id + "\">" + escape_xml(section.title) + "</h2>\n";
    for (const std::string& paragraph : section.paragraphs) text += tag("p", html_text(paragraph));
    text += html_links(section.links) + "</section>\n";
  }
  return text;
}

std::string html_foot() {
  return "</main>\n</div>\n<script>" + std::string(kReportScript) + "</script>\n</body>\n</html>\n";
}

}  // namespace daemark
