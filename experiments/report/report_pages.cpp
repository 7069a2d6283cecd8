// The first page (the papers with their verdicts, what does not hold, a search over all items and
// claims) and the pages of the papers, the problems, the certificates and the errata.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "analysis/report/animation.hpp"
#include "experiments/report/explore.hpp"
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

/// Three numbers that summarise the report.
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

/// Words that the page's search finds: an id and the end of its title.
std::string search_example(const std::string& id, const std::string& title) {
  std::size_t from = title.rfind(' ');
  if (from != std::string::npos && from > 0) from = title.rfind(' ', from - 1);
  return fmt::format("e.g. {} \"{}\"", id,
                     from == std::string::npos ? title : title.substr(from + 1));
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
  const PaperSpec* first = model.papers.empty() ? nullptr : model.papers.front().spec;
  return {{"example", first == nullptr ? "" : search_example(first->id, first->title)},
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
                         " mechanisms: equations, parameters, animations, where they are used"});
  if (!model.certificates.empty())
    links.push_back({"Certificates", kCertificatesPage,
                     "order and stability of " + std::to_string(model.certificates.size()) +
                         " methods, proved exactly; undecided properties are marked"});
  if (!model.errata.empty())
    links.push_back({"Errata", kErrataPage, "printed formulas that were checked exactly"});
  for (const ReportLink& room : model.rooms)
    links.push_back(room.label == "atlas"
                        ? ReportLink{"The atlas", room.path,
                                     "every method on every problem: which is cheapest, where, and "
                                     "how much that varies"}
                        : ReportLink{"Methods", room.path,
                                     "a page for each: formula, proof, stability, orders, place"});
  for (const ReportPaper& paper : model.papers)
    if (paper.study())
      links.push_back({paper.spec->title, paper_page(paper), paper.spec->citation});
  links.insert(links.end(), model.downloads.begin(), model.downloads.end());
  return files_data(links, page);
}

/// The worst there is decides the colour of an entry's dot.
std::string worst_colour(const VerdictCounts& counts) {
  for (const char* colour : {"bad", "odd", "fair", "good"})
    for (const auto& [verdict, count] : counts)
      if (verdict_data(verdict)["colour"] == colour) return colour;
  return "none";
}

/// The title of an item of the report; empty for one that is no part of it.
std::string title_of(const ReportModel& model, const std::string& paper, const std::string& id) {
  for (const ReportPaper& candidate : model.papers)
    for (const ReportItem& item : candidate.items)
      if (candidate.spec->id == paper && item.spec().id == id) return item_title(candidate, item);
  return "";
}

/// Items by paper; those that are no part of the report are left out.
PageData used_by(const ReportModel& model, const ReportProblem& problem, const PageFrame& page) {
  PageData papers = PageData::array();
  for (const auto& [paper, item] : problem.used_by) {
    const std::string title = title_of(model, paper, item);
    if (title.empty()) continue;
    if (papers.empty() || papers.back()["paper"] != paper)
      papers.push_back({{"paper", paper}, {"items", PageData::array()}});
    papers.back()["items"].push_back({{"link", page.link(paper + "/index.html", "#" + item)},
                                      {"title", title},
                                      {"label", item}});
  }
  return papers;
}

template <std::size_t n>
void add_table(PageData& tables, const char* title, const std::vector<std::string>& heads,
               const std::vector<std::array<std::string, n>>& rows) {
  std::vector<std::vector<std::string>> cells;
  for (const auto& row : rows) cells.emplace_back(row.begin(), row.end());
  if (!rows.empty())
    tables.push_back({{"title", title}, {"heads", heads}, {"rows", table_rows(cells)}});
}

PageData problem_data(const ReportModel& model, const ReportProblem& problem,
                      const PageFrame& page) {
  PageData tables = PageData::array();
  add_table(tables, "Arguments", {"name", "accepted"}, problem.parameters);
  add_table(tables, "Parameters", {"name", "value", "unit", "source"}, problem.data);
  const bool moves = !animation_figure(problem.animation).empty();
  return {{"id", problem.id},
          {"summary", problem.summary},
          {"more", page.link(problem.card.empty() ? problem.animation_path : problem.card)},
          {"moving", moves ? page.link(problem.animation_path) : ""},
          {"caption", problem.caption},
          {"command", problem.command},
          {"card", problem.card.empty() ? "" : page.link(problem.card)},
          {"equations", problem.equations},
          {"source", problem.source},
          {"lines", problem.references},
          {"tables", tables},
          {"used", used_by(model, problem, page)}};
}

std::string citation(const ReportModel& model, const std::string& id) {
  for (const ReportPaper& paper : model.papers)
    if (paper.spec->id == id) return paper.spec->citation;
  return "";
}

/// The place, the transcribed form and the right one; the proof on request.
PageData erratum_data(const exact::Erratum& erratum) {
  PageData lines = PageData::array(), evidence = PageData::array();
  const auto add = [](PageData& to, const char* name, const std::string& value) {
    if (!value.empty()) to.push_back({{"name", name}, {"value", value}});
  };
  add(lines, "as transcribed", erratum.transcribed.empty() ? "nothing" : erratum.transcribed);
  add(lines, "right", erratum.right);
  add(lines, "effect", erratum.effect);
  add(evidence, "exact check", erratum.condition);
  add(evidence, "evidence", erratum.evidence);
  return {{"place", erratum.place}, {"lines", lines}, {"evidence", evidence}};
}

}  // namespace

PageData index_data(const ReportModel& model, const PageFrame& page) {
  PageData verdicts = PageData::array();
  for (const char* verdict : verdict_names) verdicts.push_back(verdict_data(verdict));
  return {
      {"tiles", tiles(model)},         {"papers", papers(model, page)},   {"verdicts", verdicts},
      {"cards", cards(model, page)},   {"against", against(model, page)}, {"search", search(model)},
      {"groups", groups(model, page)}, {"league", model.league}};
}

PageData paper_data(const ReportPaper& paper) {
  const PaperSpec& spec = *paper.spec;
  const PageData counts = counts_data(count_all(paper));
  PageData editions = PageData::array(), items = PageData::array();
  if (spec.editions.size() > 1 && !counts.empty())
    for (const EditionSpec& edition : spec.editions)
      editions.push_back(
          {{"label", edition.label}, {"count", total(count_verdicts(paper, edition.key))}});
  const std::string example =
      paper.items.empty()
          ? ""
          : search_example(paper.items.front().spec().id, paper.items.front().spec().title);
  for (const ReportItem& item : paper.items) {
    VerdictCounts of_item = count_numbers(item);
    add(of_item, count_claims(item));
    items.push_back(item_data(paper, item));
    items.back()["worst"] = worst_colour(of_item);
    items.back()["count"] = of_item.empty() ? "" : std::to_string(total(of_item));
  }
  return {{"id", spec.id},
          {"title", spec.title},
          {"citation", spec.citation},
          {"counts", counts},
          {"editions", editions},
          {"lines", spec.notes},
          {"search", {{"example", example}, {"counts", counts}, {"choices", PageData()}}},
          {"legend", paper.families.empty() ? "" : explore_legend(paper.families, {})},
          {"items", items}};
}

PageData problems_data(const ReportModel& model, const PageFrame& page) {
  PageData problems = PageData::array();
  for (const ReportProblem& problem : model.problems)
    problems.push_back(problem_data(model, problem, page));
  return {{"problems", problems}};
}

PageData certificates_data(const ReportModel& model, const PageFrame& page) {
  std::vector<std::vector<std::string>> cells;
  for (const ReportCertificate& line : model.certificates) {
    cells.push_back(line.cells);
    cells.back().front() = "`" + cells.back().front() + "`";
  }
  PageData rows = table_rows(cells);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i]["words"] = true;
    if (const std::string& path = model.certificates[i].path; !path.empty())
      rows[i]["cells"][0]["link"] = page.link(path);
  }
  return {{"class", "sortable"}, {"heads", model.certificate_columns}, {"rows", rows}};
}

PageData errata_data(const ReportModel& model) {
  PageData kinds = PageData::array();
  for (const exact::ErratumKind kind : exact::erratum_kinds) {
    PageData papers = PageData::array();
    int count = 0;
    for (const exact::Erratum& erratum : model.errata) {
      if (erratum.kind != kind) continue;
      if (papers.empty() || papers.back()["paper"] != erratum.paper)
        papers.push_back({{"paper", erratum.paper},
                          {"citation", citation(model, erratum.paper)},
                          {"entries", PageData::array()}});
      papers.back()["entries"].push_back(erratum_data(erratum));
      ++count;
    }
    kinds.push_back({{"word", exact::word(kind)},
                     {"heading", exact::heading(kind)},
                     {"count", count},
                     {"rule", exact::errata_rule},
                     {"papers", papers}});
  }
  return {{"kinds", kinds}, {"field", model.field_errata}, {"published", model.published}};
}

}  // namespace daemark
