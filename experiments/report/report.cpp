// The report checked and written; verdicts in words and counted; the frame of a page.
#include "experiments/report/report.hpp"

#include <algorithm>
#include <set>

#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/report/report_html.hpp"

namespace daemark {
namespace {

struct VerdictText {
  const char* sign;  ///< beside the word, so that colour never carries the meaning alone
  const char* colour;
  const char* meaning;
};

const std::map<std::string, VerdictText> kVerdicts{
    {"reproduced",
     {"✓", "good", "inside the interval the printed digits stand for (2.6 is [2.55, 2.65])"}},
    {"close", {"≈", "good", "within 5 % of the printed number"}},
    {"same_order", {"∼", "fair", "within a factor of 3"}},
    {"floor", {"⌊⌋", "none", "both below a declared round-off floor: a bound, not digits"}},
    {"differs",
     {"≠", "odd", "elsewhere; no second route confirms ours, or it is open what was printed"}},
    {"contradicted", {"✗", "bad", "elsewhere, and a second independent route gives our number"}},
    {"not_comparable", {"–", "none", "runtimes, others' results, parameters the paper leaves out"}},
    {"holds", {"✓", "good", "the claim is true in every part that was measured"}},
    {"holds_partly", {"◐", "fair", "some parts of the claim are true"}},
    {"fails", {"✗", "bad", "no part of the claim is true"}},
    {"undetermined", {"?", "none", "the measurements do not decide it"}}};

/// A relative path as the value of href or src.
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

void check_id(const std::string& id, const std::string& where, std::set<std::string>& seen) {
  const bool plain = !id.empty() && std::all_of(id.begin(), id.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '-';
  });
  if (!plain) throw BadInput(where + ": id '" + id + "'; accepted are letters, digits, _ . -");
  if (!seen.insert(id).second) throw BadInput(where + ": id '" + id + "' twice; once is accepted");
}

/// Of papers and items, which come from names of files and are parts of links.
void check(const ReportModel& model) {
  std::set<std::string> pages{"problems", "certificates", "errata"};
  for (const ReportPaper& paper : model.papers) {
    const std::string& id = paper.spec->id;
    check_id(id, "report", pages);
    std::set<std::string> anchors;  // of the page
    for (const ReportItem& item : paper.items) {
      check_id(item.spec().id, "report, " + id, anchors);
      for (const ClaimOutcome& claim : item.outcome->claims)
        check_id(claim_anchor(item, claim), "report, " + id + "/" + item.spec().id, anchors);
    }
  }
}

}  // namespace

std::string spaced(std::string verdict) {
  std::replace(verdict.begin(), verdict.end(), '_', ' ');
  return verdict;
}

PageData verdict_data(const std::string& verdict, const std::string& why) {
  const VerdictText& text = kVerdicts.at(verdict);
  return {{"verdict", verdict},    {"word", spaced(verdict)}, {"sign", text.sign},
          {"colour", text.colour}, {"meaning", text.meaning}, {"why", why}};
}

PageData files_data(const std::vector<ReportLink>& links, const PageFrame& page) {
  PageData files = PageData::array();
  for (const ReportLink& link : links)
    files.push_back(
        {{"link", page.link(link.path)}, {"label", link.label}, {"description", link.description}});
  return files;
}

PageData table_rows(const std::vector<std::vector<std::string>>& rows) {
  PageData out = PageData::array();
  for (const std::vector<std::string>& row : rows) {
    PageData cells = PageData::array();
    for (const std::string& text : row) cells.push_back({{"head", cells.empty()}, {"text", text}});
    out.push_back({{"cells", cells}});
  }
  return out;
}

std::string edition_labels(const ReportPaper& paper, const std::vector<std::string>& keys) {
  if (paper.spec->editions.size() < 2) return "";
  std::string labels;
  for (const EditionSpec& edition : paper.spec->editions) {
    if (std::find(keys.begin(), keys.end(), edition.key) == keys.end()) continue;
    labels += (labels.empty() ? "" : ", ") + edition.label;
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

std::string html_page(const ReportModel& model, const PageFrame& page, const std::string& body) {
  std::string title = page.title.empty() ? "daemark: results" : page.title;
  PageData bar = PageData::array(), styles = {"report.css"}, scripts = {"report.js"};
  const auto add = [&](const std::string& target, const std::string& label) {
    bar.push_back({{"link", page.link(target)}, {"label", label}, {"here", target == page.path}});
  };
  add("index.html", "daemark");
  for (const ReportPaper& paper : model.papers) {
    add(paper_page(paper), paper.spec->id);
    if (paper_page(paper) == page.path) title = paper.spec->id + ": " + paper.spec->title;
  }
  if (!model.problems.empty()) add(kProblemsPage, "problems");
  if (!model.certificates.empty()) add(kCertificatesPage, "certificates");
  if (!model.errata.empty()) add(kErrataPage, "errata");
  for (const ReportLink& link : model.rooms) add(link.path, link.label);
  const auto has = [&](const char* mark) { return body.find(mark) != std::string::npos; };
  const bool explores = has("class=\"explore");
  if (page.tags) scripts.push_back("tags.js");
  if (explores) styles.push_back("uplot/uplot.css"), scripts.push_back("uplot/uplot.js");
  if (explores || has("class=\"tagged")) scripts.push_back("expressions.js");
  if (explores) scripts.push_back("explore.js");
  if (has("class=\"animation"))
    styles.push_back("animation.css"), scripts.push_back("animation.js");
  return fill_template("page",
                       {{"title", title},
                        {"up", page.path.find('/') == std::string::npos ? "" : page.link("")},
                        {"styles", styles},
                        {"scripts", scripts},
                        {"bar", bar},
                        {"body", body}});
}

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

std::map<std::string, int> count_verdicts(const ReportPaper& paper, const std::string& edition) {
  std::map<std::string, int> counts;
  for (const ReportItem& item : paper.items) {
    for (const auto& [row, column, number] : numbers_of(*item.outcome))
      if (number->edition == edition) ++counts[verdict_name(number->judgement.verdict)];
    for (const ClaimOutcome& claim : item.outcome->claims)
      if (claim.claim->where.contains(edition) && !claim.claim->own)
        ++counts[verdict_name(claim.verdict)];
  }
  return counts;
}

std::map<std::string, std::string> render_report(const ReportModel& model) {
  check(model);
  std::map<std::string, std::string> pages;
  const auto add = [&](const std::string& skeleton, const PageFrame& page, const PageData& data) {
    pages[page.path] = html_page(model, page, fill_template(skeleton, data));
  };
  const PageFrame index{"index.html"}, problems{kProblemsPage}, certificates{kCertificatesPage};
  add("index", index, index_data(model, index));
  for (const ReportPaper& paper : model.papers)
    add("paper", {paper_page(paper)}, paper_data(paper));
  if (!model.problems.empty()) add("problems", problems, problems_data(model, problems));
  if (!model.certificates.empty())
    add("certificates", certificates, certificates_data(model, certificates));
  if (!model.errata.empty()) add("errata", {kErrataPage}, errata_data(model));
  return pages;
}

std::vector<std::string> write_assets(const std::filesystem::path& results) {
  std::vector<std::string> paths;
  for (const auto& [name, text] : assets()) {
    if (name.ends_with(".html") || name.starts_with("moving")) continue;
    paths.push_back("assets/" + name);
    write_if_changed(results / paths.back(), text);
  }
  return paths;
}

std::vector<std::string> write_report(const ReportModel& model,
                                      const std::filesystem::path& results) {
  std::vector<std::string> paths = write_assets(results);
  for (const auto& [path, text] : render_report(model)) {
    write_if_changed(results / path, text);
    paths.push_back(path);
  }
  return paths;
}

}  // namespace daemark
