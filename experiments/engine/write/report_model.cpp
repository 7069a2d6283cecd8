#include "experiments/engine/write/report_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "analysis/exact/proof/certificate.hpp"
#include "analysis/report/table.hpp"
#include "base/input/call.hpp"
#include "base/program/write_file.hpp"
#include "experiments/errata/errata.hpp"
#include "problems/system/registry.hpp"

namespace daemark {
namespace {

/// The registry's id of what a cell integrates; empty for a cell without a problem.
std::string problem_of(const Cell& cell) {
  return cell.problem.empty() ? "" : parse_call(cell.problem, "problem").id;
}

void add_animation(ReportProblem& problem, const Book& book, const ItemSpec& item,
                   const std::filesystem::path& results) {
  const RowSpec& row = *find_row(item, item.animate);
  const std::string path = book.paper.id + "/" + item.id + "/animation.svg";
  const std::optional<std::string> text = read_text(results / path);
  if (!text || !problem.animation.empty()) return;
  problem.animation = *text;
  problem.animation_path = path;
  problem.caption = row.label;
  problem.command = command(*row.cell) + " --animate " + problem.id + ".html";
}

ReportProblem described(const std::string& id) {
  const ProblemInfo& info = problem_registry().info(id);
  ReportProblem problem;
  problem.id = id;
  problem.summary = info.summary;
  problem.source = info.source;
  problem.equations = info.equations;
  for (const Parameter& p : info.parameters) problem.parameters.push_back({p.name, p.accepted});
  for (const Datum& d : problem_registry().make(id).data)
    problem.data.push_back({d.name, d.text(), d.unit, d.source});
  return problem;
}

/// "| a | b |" as a, b.
std::vector<std::string> cells_of_line(const std::string& line) {
  std::vector<std::string> cells;
  for (std::size_t at = 1; at + 1 < line.size();) {
    const std::size_t end = std::min(line.find(" |", at), line.size());
    cells.push_back(line.substr(at + 1, end - at - 1));
    at = end + 2;
  }
  return cells;
}

}  // namespace

std::vector<ReportProblem> report_problems(const std::vector<Book>& books,
                                           const std::filesystem::path& results) {
  std::map<std::string, ReportProblem> problems;
  for (const std::string& id : problem_registry().ids()) problems.emplace(id, described(id));
  for (const Book& book : books) {
    for (const ItemSpec& item : book.items) {
      if (!item.animate.empty()) {
        const auto shown = problems.find(problem_of(*find_row(item, item.animate)->cell));
        if (shown != problems.end()) add_animation(shown->second, book, item, results);
      }
      std::set<std::string> used;
      for (const Cell& cell : cells_of(item)) used.insert(problem_of(cell));
      for (const std::string& id : used) {
        const auto problem = problems.find(id);
        if (problem != problems.end() && book.paper.role != "problems")
          problem->second.used_by.emplace_back(book.paper.id, item.id);
      }
    }
  }
  std::vector<ReportProblem> out;
  for (auto& [id, problem] : problems) out.push_back(std::move(problem));
  return out;
}

void read_certificates(ReportModel& model, const std::filesystem::path& results) {
  const std::optional<std::string> text = read_text(results / "certificates" / "catalogue.md");
  if (!text) return;
  std::size_t at = text->find("\n| ");
  for (int number = 0; at != std::string::npos && text->compare(at, 2, "\n|") == 0; ++number) {
    const std::size_t end = text->find('\n', at + 1);
    if (end == std::string::npos) break;
    std::vector<std::string> cells = cells_of_line(text->substr(at + 1, end - at - 1));
    at = end;
    if (number == 0) {
      model.certificate_columns = std::move(cells);
    } else if (number > 1 && cells.size() == model.certificate_columns.size()) {
      const std::string path = "certificates/" + exact::certificate_name(cells.front());
      const bool there = std::filesystem::exists(results / path);
      model.certificates.push_back({std::move(cells), there ? path : ""});
    }
  }
}

std::vector<ReportSection> errata_sections(const std::filesystem::path& results) {
  const std::optional<std::string> text = read_text(results / "errata.csv");
  std::vector<ReportSection> sections;
  if (!text) return sections;
  const auto lines = read_csv(*text, "errata.csv");
  for (const auto& line : lines)
    if (line.size() != 8) return sections;  // left by another version of verify
  for (const exact::ErratumKind kind : exact::erratum_kinds) {
    ReportSection section;
    section.id = "errata-" + exact::word(kind);
    section.paragraphs = {exact::errata_rule};
    for (std::size_t i = 1; i < lines.size(); ++i) {
      const auto& e =
          lines[i];  // paper, place, kind, transcribed, derived, evidence, condition, effect
      if (e[2] != exact::word(kind)) continue;
      section.entries.push_back({e[0], e[1], e[3], e[4], e[7], e[6], e[5]});
    }
    section.title = fmt::format("Errata: {} ({})", exact::heading(kind), section.entries.size());
    section.links = {{"errata", "errata.md", "with what each changes"}};
    sections.push_back(std::move(section));
  }
  return sections;
}

}  // namespace daemark
