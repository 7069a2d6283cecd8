// Verdicts counted.
#include <algorithm>

#include "experiments/report/report_html.hpp"

namespace daemark {

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

PageData counts_data(const VerdictCounts& counts) {
  PageData shown = PageData::array();
  for (const char* verdict : verdict_names)
    if (const auto found = counts.find(verdict); found != counts.end()) {
      shown.push_back(verdict_data(verdict));
      shown.back()["count"] = found->second;
    }
  return shown;
}

std::string verdict_words(const VerdictCounts& counts) {
  std::string words;
  for (const auto& [verdict, count] : counts)
    for (int i = 0; i < count; ++i) words += (words.empty() ? "" : " ") + verdict;
  return words;
}

}  // namespace daemark
