// Verdicts counted, and counts shown: chips, bars, filter boxes.
#include <algorithm>

#include "analysis/report/figure_svg.hpp"
#include "experiments/report/report_assets.hpp"
#include "experiments/report/report_html.hpp"

namespace daemark {

namespace {

/// What occurs, in the order in which verdicts are shown.
std::vector<std::pair<std::string, std::string>> in_order(const VerdictCounts& counts) {
  std::vector<std::pair<std::string, std::string>> shown;
  for (const char* verdict : verdict_names)
    if (const auto found = counts.find(verdict); found != counts.end())
      shown.emplace_back(verdict, std::to_string(found->second));
  return shown;
}

}  // namespace

void add(VerdictCounts& sum, const VerdictCounts& counts) {
  for (const auto& [verdict, count] : counts) sum[verdict] += count;
}

bool alike(const ClaimOutcome& a, const ClaimOutcome& b) {
  return a.claim->text == b.claim->text && a.verdict == b.verdict && a.evidence == b.evidence &&
         a.why == b.why;
}

std::vector<const ClaimOutcome*> distinct_claims(const ReportItem& item) {
  std::vector<const ClaimOutcome*> claims;
  for (const ClaimOutcome& claim : item.outcome->claims)
    if (std::none_of(claims.begin(), claims.end(),
                     [&](const ClaimOutcome* known) { return alike(*known, claim); }))
      claims.push_back(&claim);
  return claims;
}

VerdictCounts count_numbers(const ReportItem& item) {
  VerdictCounts counts;
  for (const PlacedNumber& placed : numbers_of(*item.outcome))
    ++counts[verdict_name(placed.number->judgement.verdict)];
  return counts;
}

VerdictCounts count_claims(const ReportItem& item) {
  VerdictCounts counts;
  for (const ClaimOutcome* claim : distinct_claims(item))
    if (!claim->claim->own) ++counts[verdict_name(claim->verdict)];
  return counts;
}

int total(const VerdictCounts& counts) {
  int sum = 0;
  for (const auto& [verdict, count] : counts) sum += count;
  return sum;
}

VerdictCounts count_all(const ReportPaper& paper) {
  VerdictCounts counts;
  for (const ReportItem& item : paper.items) {
    add(counts, count_numbers(item));
    add(counts, count_claims(item));
  }
  return counts;
}

std::string html_bar(const VerdictCounts& counts) {
  std::string label, parts;
  for (const auto& [verdict, count] : in_order(counts)) {
    label += (label.empty() ? "" : ", ") + count + " " + spaced(verdict);
    parts += std::string("<span class=\"") + verdict_text(verdict).colour +
             "\" style=\"flex:" + count + "\"></span>";
  }
  if (parts.empty()) return "";
  return "<span class=\"share\" role=\"img\" aria-label=\"" + label + "\">" + parts + "</span>";
}

std::string html_counts(const VerdictCounts& counts, const std::string& target) {
  std::string text;
  for (const auto& [verdict, count] : in_order(counts)) {
    const VerdictText& looks = verdict_text(verdict);
    const std::string inner = std::string("<i aria-hidden=\"true\">") + looks.sign + "</i>" +
                              count + " " + spaced(verdict);
    const std::string chip = std::string("chip ") + looks.colour;
    text += target.empty() ? "<span class=\"" + chip + "\">" + inner + "</span> "
                           : "<a class=\"" + chip + "\" href=\"" + target + "#v=" + verdict +
                                 "\">" + inner + "</a> ";
  }
  return text;
}

std::string verdict_words(const VerdictCounts& counts) {
  std::string words;
  for (const auto& [verdict, count] : counts)
    for (int i = 0; i < count; ++i) words += (words.empty() ? "" : " ") + verdict;
  return words;
}

std::string html_filter(const VerdictCounts& counts, const std::string& selects,
                        const std::string& example) {
  std::string text =
      "<form class=\"bar\" role=\"search\"><div><input type=\"search\" id=\"search\" "
      "placeholder=\"" +
      escape_xml(example) + "\" aria-label=\"Search\">" + selects +
      "<button type=\"button\" id=\"clear\">show all</button> "
      "<output id=\"found\"></output></div><div class=\"boxes\">\n";
  for (const auto& [verdict, count] : in_order(counts)) {
    const VerdictText& looks = verdict_text(verdict);
    text += "<label title=\"" + escape_xml(looks.meaning) + "\"><input type=\"checkbox\" value=\"" +
            verdict + "\"><span class=\"chip " + looks.colour + "\"><i aria-hidden=\"true\">" +
            looks.sign + "</i>" + spaced(verdict) + " <b>" + count + "</b></span></label>\n";
  }
  return text + "</div></form>\n";
}

}  // namespace daemark
