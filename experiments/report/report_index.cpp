// The first page: what the tool is, the papers with their verdicts, what does not hold, and a
// search over all items and claims.
#include <algorithm>
#include <set>

#include "experiments/report/report_html.hpp"

namespace daemark {
namespace {

const std::set<std::string> kAgree{"reproduced", "close"};
const std::set<std::string> kAgainst{"differs", "contradicted", "fails"};

int sum_of(const VerdictCounts& counts, const std::set<std::string>& words) {
  int sum = 0;
  for (const auto& [verdict, count] : counts) sum += words.contains(verdict) ? count : 0;
  return sum;
}

VerdictCounts of_items(const ReportPaper& paper, VerdictCounts (*count)(const ReportItem&)) {
  VerdictCounts counts;
  for (const ReportItem& item : paper.items) add(counts, count(item));
  return counts;
}

/// Three numbers that say it all.
PageData tiles(const ReportModel& model) {
  VerdictCounts numbers, claims;
  for (const ReportPaper& paper : model.papers) {
    if (paper.study()) continue;
    add(numbers, of_items(paper, count_numbers));
    add(claims, of_items(paper, count_claims));
  }
  PageData out = PageData::array();
  const auto tile = [&](int number, const std::string& of, const char* text, const char* colour,
                        const char* link) {
    out.push_back(
        {{"number", number}, {"of", of}, {"text", text}, {"colour", colour}, {"link", link}});
  };
  const int judged = total(numbers) - sum_of(numbers, {"not_comparable"});
  const int against = sum_of(numbers, kAgainst) + sum_of(claims, kAgainst);
  if (judged > 0)
    tile(sum_of(numbers, kAgree), " of " + std::to_string(judged),
         "printed numbers reproduced or close", "good", "#papers");
  if (total(claims) > 0)
    tile(sum_of(claims, {"holds"}), " of " + std::to_string(total(claims)), "claims hold", "good",
         "#papers");
  if (against > 0)
    tile(against, "",
         against == 1 ? "number or claim does not hold" : "numbers and claims do not hold", "bad",
         "#against");
  return out;
}

PageData papers(const ReportModel& model, const PageFrame& page) {
  PageData out = PageData::array();
  for (const ReportPaper& paper : model.papers) {
    if (paper.study()) continue;
    PageData parts = PageData::array();
    const auto part = [&](const char* label, VerdictCounts (*count)(const ReportItem&)) {
      parts.push_back({{"label", label}, {"counts", counts_data(of_items(paper, count))}});
    };
    part("printed numbers", count_numbers), part("claims", count_claims);
    out.push_back({{"id", paper.spec->id},
                   {"title", paper.spec->title},
                   {"target", page.link(paper_page(paper))},
                   {"items", paper.items.size()},
                   {"parts", parts}});
  }
  return out;
}

/// Cells of the item that do not hold, the first few by name.
void add_numbers_against(PageData& entries, const ReportPaper& paper, const ReportItem& item,
                         const PageFrame& page) {
  constexpr std::size_t named = 4;
  VerdictCounts counts;
  PageData numbers = PageData::array();
  std::size_t count = 0;
  for (const auto& [row, column, number] : numbers_of(*item.outcome)) {
    const std::string verdict = verdict_name(number->judgement.verdict);
    if (!kAgainst.contains(verdict)) continue;
    ++counts[verdict];
    if (++count > named) continue;
    numbers.push_back({{"row", row_label(*row)},
                       {"column", with_unit(*column)},
                       {"printed", number->printed},
                       {"measured", measured_text(*row, *column)}});
  }
  if (count == 0) return;
  entries.push_back({{"counts", counts_data(counts)},
                     {"link", page.link(paper_page(paper), "#" + item.spec().id)},
                     {"text", item_title(paper, item)},
                     {"numbers", numbers}});
  if (count > named) entries.back()["more"] = std::to_string(count - named);
}

/// Refuted claims of an item: those of the paper, or our own.
void add_claims_against(PageData& entries, const ReportPaper& paper, const ReportItem& item,
                        bool own, const PageFrame& page) {
  for (const ClaimOutcome* claim : distinct_claims(item)) {
    const std::string verdict = verdict_name(claim->verdict);
    if (!kAgainst.contains(verdict) || (paper.study() || claim->claim->own) != own) continue;
    entries.push_back({{"verdict", verdict_data(verdict)},
                       {"link", page.link(paper_page(paper), "#" + claim_anchor(item, *claim))},
                       {"text", claim->claim->text},
                       {"place", places(*paper.spec, claim->claim->where)}});
  }
}

PageData against(const ReportModel& model, const PageFrame& page) {
  PageData out = PageData::array(), own = PageData::array();
  for (const ReportPaper& paper : model.papers) {
    PageData entries = PageData::array();
    for (const ReportItem& item : paper.items) {
      add_numbers_against(entries, paper, item, page);
      add_claims_against(entries, paper, item, false, page);
      add_claims_against(own, paper, item, true, page);
    }
    if (!entries.empty()) out.push_back({{"title", paper.spec->title}, {"entries", entries}});
  }
  if (!own.empty()) out.push_back({{"title", "Our own checks"}, {"own", true}, {"entries", own}});
  return out;
}

/// Items and their claims; claims are seen once somebody looks for something.
PageData entries(const ReportPaper& paper, const PageFrame& page) {
  PageData out = PageData::array();
  for (const ReportItem& item : paper.items) {
    const VerdictCounts numbers = count_numbers(item), claims = count_claims(item);
    out.push_back(
        {{"kind", item.spec().kind},
         {"words", verdict_words(numbers)},
         {"link", page.link(paper_page(paper), "#" + item.spec().id)},
         {"text", item_title(paper, item)},
         {"numbers", {{"counts", counts_data(numbers)}}},
         {"claims", claims.empty() ? PageData() : PageData{{"counts", counts_data(claims)}}}});
    for (const ClaimOutcome* claim : distinct_claims(item)) {
      const std::string verdict = verdict_name(claim->verdict);
      out.push_back({{"kind", item.spec().kind},
                     {"words", claim->claim->own ? "" : verdict},
                     {"more", true},
                     {"verdict", verdict_data(verdict)},
                     {"link", page.link(paper_page(paper), "#" + claim_anchor(item, *claim))},
                     {"text", claim->claim->text},
                     {"place", item_title(paper, item)}});
    }
  }
  return out;
}

PageData groups(const ReportModel& model, const PageFrame& page) {
  PageData out = PageData::array();
  for (const ReportPaper& paper : model.papers)
    out.push_back(
        {{"id", paper.spec->id}, {"title", paper.spec->title}, {"entries", entries(paper, page)}});
  for (const auto& [name, links] : model.found) {  // methods, problems: seen like claims
    PageData found = PageData::array();
    for (const ReportLink& link : links)
      found.push_back({{"kind", ""},
                       {"words", ""},
                       {"more", true},
                       {"link", page.link(link.path)},
                       {"text", link.label},
                       {"place", link.description}});
    out.push_back({{"id", ""}, {"title", name}, {"entries", found}});
  }
  return out;
}

PageData search(const ReportModel& model) {
  VerdictCounts counts;
  std::set<std::string> kinds;
  PageData papers = PageData::array();
  for (const ReportPaper& paper : model.papers) {
    add(counts, count_all(paper));
    papers.push_back(paper.spec->id);
    for (const ReportItem& item : paper.items) kinds.insert(item.spec().kind);
  }
  return {{"example", "e.g. radau \"index 3\" energy"},
          {"counts", counts_data(counts)},
          {"choices",
           {{{"id", "paper"}, {"label", "Paper"}, {"options", papers}},
            {{"id", "kind"}, {"label", "Kind"}, {"options", kinds}}}}};
}

PageData cards(const ReportModel& model, const PageFrame& page) {
  std::vector<ReportLink> links;
  if (!model.problems.empty())
    links.push_back({"Problems", kProblemsPage,
                     std::to_string(model.problems.size()) +
                         " mechanisms: equations, parameters, animations, what uses them"});
  if (!model.certificates.empty())
    links.push_back({"Certificates", kCertificatesPage,
                     "order and stability of " + std::to_string(model.certificates.size()) +
                         " methods, proved exactly; what is not decided says so"});
  if (!model.errata.empty())
    links.push_back({"Errata", kErrataPage, "printed formulas that were checked exactly"});
  for (const ReportLink& room : model.rooms)
    links.push_back(room.label == "atlas"
                        ? ReportLink{"The atlas", room.path,
                                     "every method on every problem: who needs least, where, and "
                                     "how that varies"}
                        : ReportLink{"Methods", room.path,
                                     "a page for each: formula, proof, stability, orders, place"});
  for (const ReportPaper& paper : model.papers)
    if (paper.study())
      links.push_back({paper.spec->title, paper_page(paper), paper.spec->citation});
  links.insert(links.end(), model.downloads.begin(), model.downloads.end());
  return files_data(links, page);
}

}  // namespace

PageData index_data(const ReportModel& model, const PageFrame& page) {
  PageData verdicts = PageData::array();
  for (const char* verdict : verdict_names) verdicts.push_back(verdict_data(verdict));
  return {
      {"tiles", tiles(model)},        {"papers", papers(model, page)},   {"verdicts", verdicts},
      {"cards", cards(model, page)},  {"against", against(model, page)}, {"search", search(model)},
      {"groups", groups(model, page)}};
}

}  // namespace daemark
