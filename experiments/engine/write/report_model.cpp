#include "experiments/engine/write/report_model.hpp"

#include <map>
#include <set>

#include "analysis/exact/proof/catalogue_table.hpp"
#include "analysis/exact/proof/certificate.hpp"
#include "base/input/call.hpp"
#include "base/program/write_file.hpp"
#include "experiments/bibliography/bibliography.hpp"
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
  problem.source = with_citations(info.source);
  problem.references = full_references(info.source);
  problem.equations = info.equations;
  for (const Parameter& p : info.parameters) problem.parameters.push_back({p.name, p.accepted});
  for (const Datum& d : problem_registry().make(id).data)
    problem.data.push_back({d.name, d.text(), d.unit, d.source});
  return problem;
}

}  // namespace

std::vector<ReportProblem> report_problems(const Books& books,
                                           const std::filesystem::path& results) {
  std::map<std::string, ReportProblem> problems;
  for (const std::string& id : problem_registry().catalogue_ids()) problems.emplace(id, described(id));
  for (const auto& [paper, book] : books) {
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

void add_certificates(ReportModel& model, const std::filesystem::path& results) {
  model.certificate_columns = exact::catalogue_columns;
  for (const exact::CatalogueLine& line : exact::read_catalogue(results)) {
    const std::string path = "certificates/" + exact::certificate_name(line.method);
    const bool there = std::filesystem::exists(results / path);
    model.certificates.push_back({line.cells(), there ? path : ""});
  }
}

void add_comparisons(ReportModel& model, const std::filesystem::path& results) {
  std::error_code none;
  std::set<std::string> names;
  for (const auto& folder : std::filesystem::directory_iterator(results / "compare", none))
    if (std::filesystem::exists(folder.path() / "index.html"))
      names.insert(folder.path().filename());
  for (const std::string& name : names)
    model.downloads.push_back({"compare " + name, "compare/" + name + "/index.html",
                               "a method beside the catalogue, problem by problem"});
}

}  // namespace daemark
