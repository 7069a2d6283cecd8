#include "experiments/report/report_html.hpp"

#include <algorithm>
#include <array>

#include "analysis/report/animation.hpp"
#include "analysis/report/figure_svg.hpp"
#include "experiments/report/report_assets.hpp"

namespace daemark {
namespace {

std::string tag(const std::string& name, const std::string& inner) {
  return "<" + name + ">" + inner + "</" + name + ">";
}

/// A link of the bar on top; the page itself is marked.
std::string bar_link(const PageFrame& page, const std::string& target, const std::string& label) {
  return "<a href=\"" + page.link(target) + "\"" +
         (target == page.path ? " aria-current=\"page\"" : "") + ">" + escape_xml(label) + "</a>\n";
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

std::string spaced(std::string verdict) {
  std::replace(verdict.begin(), verdict.end(), '_', ' ');
  return verdict;
}

std::string html_verdict(const std::string& verdict, const std::string& why) {
  const VerdictText& text = verdict_text(verdict);
  return std::string("<span class=\"chip ") + text.colour + "\"" +
         (why.empty() ? "" : " title=\"" + escape_xml(why) + "\"") + "><i aria-hidden=\"true\">" +
         text.sign + "</i>" + spaced(verdict) + "</span>";
}

std::string html_sign(const std::string& verdict, const std::string& why) {
  const VerdictText& text = verdict_text(verdict);
  return std::string("<span class=\"chip sign ") + text.colour + "\" title=\"" +
         escape_xml(spaced(verdict) + (why.empty() ? "" : ": " + why)) +
         "\"><i aria-hidden=\"true\">" + text.sign + "</i><span class=\"hear\">" + spaced(verdict) +
         "</span></span>";
}

std::string html_command(const std::string& command) {
  return command.empty() ? "" : "<code class=\"cmd\">" + escape_xml(command) + "</code>";
}

std::string html_links(const std::vector<ReportLink>& links, const PageFrame& page) {
  if (links.empty()) return "";
  std::string text = "<p class=\"files\">";
  for (const ReportLink& link : links) {
    text += "<a href=\"" + page.link(link.path) + "\">" + escape_xml(link.label) + "</a> ";
    if (!link.description.empty()) {
      text += "<span class=\"soft\">" + html_text(link.description) + "</span><br>";
    }
  }
  return text + "</p>\n";
}

std::string html_list(const std::string& title, const std::vector<std::string>& texts) {
  if (texts.empty()) return "";
  std::string list = (title.empty() ? "" : tag("h3", escape_xml(title))) + "<ul class=\"notes\">";
  for (const std::string& text : texts) list += tag("li", html_text(text));
  return list + "</ul>\n";
}

std::string edition_labels(const ReportPaper& paper, const std::vector<std::string>& keys) {
  if (paper.spec->editions.size() < 2) return "";
  std::string labels;
  for (const EditionSpec& edition : paper.spec->editions) {
    if (std::find(keys.begin(), keys.end(), edition.key) == keys.end()) continue;
    labels += (labels.empty() ? "" : ", ") + escape_xml(edition.label);
  }
  return labels;
}

std::string PageFrame::link(const std::string& target, const std::string& anchor) const {
  if (target == path) return anchor.empty() ? "#" : anchor;
  const std::string folder = path.substr(0, path.rfind('/') + 1);  // "" at the top
  if (!folder.empty() && target.starts_with(folder))
    return html_path(target.substr(folder.size())) + anchor;
  std::string up;
  for (const char c : folder) up += c == '/' ? "../" : "";
  return up + html_path(target) + anchor;
}

std::string paper_page(const ReportPaper& paper) { return paper.spec->id + "/index.html"; }

std::string claim_anchor(const ReportItem& item, const ClaimOutcome& claim) {
  return item.spec().id + "." + claim.claim->id;
}

namespace {

std::string style_of(const PageFrame& page) {
  if (page.shared)
    return "<link rel=\"stylesheet\" href=\"" + page.link("assets/report.css") + "\">\n";
  return std::string("<style>") + kReportStyle + "</style>\n";
}

}  // namespace

std::string html_head(const ReportModel& model, const PageFrame& page) {
  std::string title = page.title.empty() ? "daemark: results" : page.title;
  for (const ReportPaper& paper : model.papers)
    if (paper_page(paper) == page.path) title = paper.spec->id + ": " + paper.spec->title;
  std::string text =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
      escape_xml(title) + "</title>\n" + style_of(page) +
      "</head>\n<body>\n<a class=\"skip\" href=\"#content\">Skip to the content</a>\n"
      "<header class=\"top\"><nav aria-label=\"Pages\">\n";
  text += bar_link(page, "index.html", "daemark");
  for (const ReportPaper& paper : model.papers)
    text += bar_link(page, paper_page(paper), paper.spec->id);
  if (!model.problems.empty()) text += bar_link(page, kProblemsPage, "problems");
  if (!model.certificates.empty()) text += bar_link(page, kCertificatesPage, "certificates");
  if (!model.errata.empty()) text += bar_link(page, kErrataPage, "errata");
  for (const ReportLink& link : model.rooms) text += bar_link(page, link.path, link.label);
  return text + "</nav></header>\n<div id=\"content\">\n";
}

std::string html_foot() {
  return "</div>\n<script>" + std::string(kReportScript) + "</script>\n</body>\n</html>\n";
}

std::string html_foot(const PageFrame& page) {
  if (!page.shared) return html_foot();
  return "</div>\n<script src=\"" + page.link("assets/tags.js") + "\"></script>\n<script src=\"" +
         page.link("assets/report.js") + "\"></script>\n</body>\n</html>\n";
}

}  // namespace daemark
