#include "experiments/report/report.hpp"

#include <algorithm>
#include <set>

#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/report/report_html.hpp"

namespace daemark {
namespace {

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
