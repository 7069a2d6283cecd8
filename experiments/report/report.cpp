#include "experiments/report/report.hpp"

#include <algorithm>
#include <set>

#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/report/report_assets.hpp"
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

void check_path(const std::string& path, const std::string& where) {
  const std::filesystem::path parts(path);
  const bool up = std::find(parts.begin(), parts.end(), "..") != parts.end();
  const bool scheme = path.find(':') != std::string::npos;
  if (path.empty() || parts.is_absolute() || up || scheme || path.find('\\') != std::string::npos) {
    throw BadInput(where + ": path '" + path +
                   "'; accepted is one below the results folder, "
                   "with '/'");
  }
}

void check_edition(const ReportPaper& paper, const std::string& id, const std::string& where) {
  for (const ReportEdition& edition : paper.editions) {
    if (edition.id == id) return;
  }
  std::string accepted;
  for (const ReportEdition& edition : paper.editions) {
    accepted += (accepted.empty() ? "" : ", ") + edition.id;
  }
  throw BadInput(where + ": unknown edition '" + id + "'; accepted are " + accepted);
}

void check_table(const ReportPaper& paper, const ReportTable& table, const std::string& where) {
  for (const ReportRow& row : table.rows) {
    const std::string here = where + ", row '" + row.label + "'";
    if (row.cells.size() != table.columns.size()) {
      throw BadInput(here + " has " + std::to_string(row.cells.size()) + " cells; the table has " +
                     std::to_string(table.columns.size()) + " columns");
    }
    for (const ReportCell& cell : row.cells) {
      for (const ReportPrinted& printed : cell.printed) {
        verdict_text(printed.verdict);
        check_edition(paper, printed.edition, here);
      }
    }
  }
}

void check_item(const ReportPaper& paper, const ReportItem& item) {
  const std::string where = "report, " + paper.id + "/" + item.id;
  for (const ReportTable& table : item.tables) check_table(paper, table, where);
  for (const ReportFigure& figure : item.figures) check_path(figure.path, where);
  for (const ReportLink& link : item.files) check_path(link.path, where);
  for (const ReportClaim& claim : item.claims) {
    verdict_text(claim.verdict);
    if (!claim.edition.empty()) check_edition(paper, claim.edition, where);
  }
}

void check_paper(const ReportPaper& paper) {
  std::set<std::string> anchors;  // of the page
  for (const ReportItem& item : paper.items) {
    const std::string where = "report, " + paper.id;
    check_id(item.id, where, anchors);
    for (const ReportClaim& claim : item.claims)
      check_id(claim_anchor(item, claim), where + "/" + item.id, anchors);
    check_item(paper, item);
  }
}

void check(const ReportModel& model) {
  std::set<std::string> pages{"problems", "certificates", "errata"}, problems, sections;
  for (const ReportPaper& paper : model.papers) {
    check_id(paper.id, "report", pages);
    check_paper(paper);
  }
  for (const ReportProblem& problem : model.problems) {
    check_id(problem.id, "report, problems", problems);
    if (!problem.animation.empty()) check_path(problem.animation_path, "report, " + problem.id);
  }
  for (const ReportCertificate& line : model.certificates) {
    if (line.cells.size() != model.certificate_columns.size())
      throw BadInput("report, certificates: " + std::to_string(line.cells.size()) +
                     " cells; the table has " + std::to_string(model.certificate_columns.size()) +
                     " columns");
    if (!line.path.empty()) check_path(line.path, "report, certificates");
  }
  for (const ReportSection& section : model.errata) {
    check_id(section.id, "report, errata", sections);
    for (const ReportLink& link : section.links) check_path(link.path, "report, " + section.id);
  }
  for (const ReportLink& link : model.downloads) check_path(link.path, "report");
}

}  // namespace

const std::vector<std::string>& verdict_names() {
  static const std::vector<std::string> names{
      "reproduced",     "close", "same_order",   "floor", "differs",     "contradicted",
      "not_comparable", "holds", "holds_partly", "fails", "undetermined"};
  return names;
}

std::map<std::string, int> count_verdicts(const ReportPaper& paper, const std::string& edition) {
  std::map<std::string, int> counts;
  for (const ReportItem& item : paper.items) {
    for (const ReportTable& table : item.tables) {
      for (const ReportRow& row : table.rows) {
        for (const ReportCell& cell : row.cells) {
          for (const ReportPrinted& printed : cell.printed) {
            if (printed.edition == edition) ++counts[printed.verdict];
          }
        }
      }
    }
    for (const ReportClaim& claim : item.claims) {
      const bool theirs = claim.edition.empty() || claim.edition == edition;
      if (theirs && !own_check(claim)) ++counts[claim.verdict];
    }
  }
  return counts;
}

std::map<std::string, std::string> render_report(const ReportModel& model) {
  check(model);
  std::map<std::string, std::string> pages;
  const auto add = [&](const std::string& path, auto&& body) {
    const PageFrame page{path};
    pages[path] = html_head(model, page) + body(page) + html_foot();
  };
  add("index.html", [&](const PageFrame& page) { return html_index(model, page); });
  for (const ReportPaper& paper : model.papers)
    add(paper_page(paper), [&](const PageFrame& page) { return html_paper(paper, page); });
  if (!model.problems.empty())
    add(kProblemsPage, [&](const PageFrame& page) { return html_problems(model, page); });
  if (!model.certificates.empty())
    add(kCertificatesPage, [&](const PageFrame& page) { return html_certificates(model, page); });
  if (!model.errata.empty())
    add(kErrataPage, [&](const PageFrame& page) { return html_errata(model, page); });
  return pages;
}

std::vector<std::string> write_report(const ReportModel& model,
                                      const std::filesystem::path& results) {
  std::vector<std::string> paths;
  for (const auto& [path, text] : render_report(model)) {
    write_if_changed(results / path, text);
    paths.push_back(path);
  }
  return paths;
}

}  // namespace daemark
