#include "analysis/report/report.hpp"

#include <algorithm>
#include <set>

#include "analysis/report/report_assets.hpp"
#include "analysis/report/report_html.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"

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

void check(const ReportModel& model) {
  std::set<std::string> ids;
  for (const ReportPaper& paper : model.papers) {
    check_id(paper.id, "report", ids);
    for (const ReportItem& item : paper.items) {
      check_id(paper.id + "-" + item.id, "report, " + paper.id, ids);  // the anchors on the page
      check_item(paper, item);
    }
  }
  for (const ReportSection& section : model.sections) {
    check_id(section.id, "report", ids);
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
      if (claim.edition.empty() || claim.edition == edition) ++counts[claim.verdict];
    }
  }
  return counts;
}

std::string render_report(const ReportModel& model) {
  check(model);
  std::string page = html_head(model);
  for (const ReportPaper& paper : model.papers) page += html_paper(paper);
  page += html_sections(model);
  return page + html_foot();
}

void write_report(const ReportModel& model, const std::filesystem::path& file) {
  write_if_changed(file, render_report(model));
}

}  // namespace daemark
