#include "experiments/report/report_assets.hpp"

#include <map>

namespace daemark {

const VerdictText& verdict_text(const std::string& verdict) {
  static const std::map<std::string, VerdictText> kTexts{
      {"reproduced",
       {"✓", "good", "inside the interval the printed digits stand for (2.6 is [2.55, 2.65])"}},
      {"close", {"≈", "good", "within 5 % of the printed number"}},
      {"same_order", {"∼", "fair", "within a factor of 3"}},
      {"floor", {"⌊⌋", "none", "both below a declared round-off floor: a bound, not digits"}},
      {"differs",
       {"≠", "odd", "elsewhere; no second route confirms ours, or it is open what was printed"}},
      {"contradicted", {"✗", "bad", "elsewhere, and a second independent route gives our number"}},
      {"not_comparable",
       {"–", "none", "runtimes, others' results, parameters the paper leaves out"}},
      {"holds", {"✓", "good", "the claim is true in every part that was measured"}},
      {"holds_partly", {"◐", "fair", "some parts of the claim are true"}},
      {"fails", {"✗", "bad", "no part of the claim is true"}},
      {"undetermined", {"?", "none", "what was measured does not decide it"}}};
  return kTexts.at(verdict);
}

}  // namespace daemark
