// daemark compare
#include <fmt/format.h>

#include <memory>
#include <ostream>
#include <set>

#include "base/program/paths.hpp"
#include "base/program/write_file.hpp"
#include "base/text/printable.hpp"
#include "experiments/cells/services.hpp"
#include "experiments/cli/common_options.hpp"
#include "experiments/cli/compare_study.hpp"
#include "experiments/cli/text.hpp"
#include "experiments/cli/verb.hpp"
#include "methods/core/registry.hpp"

namespace daemark {
namespace {

namespace fs = std::filesystem;

struct CompareOptions {
  CompareRequest request;
  std::string h, t_end;
  unsigned jobs = 0;
  bool fresh = false;
};

/// "pade_block-r-4-k-2": a folder name for the methods compared.
std::string folder_name(const std::vector<std::string>& methods) {
  constexpr std::size_t longest = 100;
  std::string name;
  for (const std::string& method : methods) {
    if (!name.empty()) name += "_and_";
    for (const char c : method_registry().bind(method).canonical()) {
      const bool plain = std::isalnum(static_cast<unsigned char>(c)) || c == '_';
      if (plain)
        name += c;
      else if (!name.empty() && name.back() != '-')
        name += '-';
    }
    while (name.ends_with('-')) name.pop_back();
  }
  return name.substr(0, longest);
}

rational positive_rational(const std::string& text, const std::string& where) {
  const Expression value = Expression::parse(text, where);
  if (!value.is_rational() || value.as_rational() <= 0)
    throw BadInput(
        fmt::format("{}: {} is not accepted: a rational number > 0", where, printable(text)));
  return value.as_rational();
}

void check(const CompareRequest& request) {
  positive_rational(request.t_end, "--t-end");
  std::set<rational> steps;
  for (const std::string& h : request.h)
    if (!steps.insert(positive_rational(h, "--h")).second)
      throw BadInput(fmt::format("--h: {} stands there twice; accepted: different steps", h));
  if (request.h.size() < 2) {
    throw BadInput("--h: one step size; accepted: two or more, separated by commas");
  }
}

void print_best(const CompareField& field, const std::vector<CompareLine>& lines,
                std::ostream& out) {
  constexpr std::size_t most = 5;
  const Table table = compare_table(field, lines);
  std::vector<std::vector<std::string>> rows = {table.head};
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i < most || lines[i].is_new) {
      rows.push_back(table.rows[i]);
      rows.back()[0] = fmt::format("{}. {}", i + 1, rows.back()[0]);
    }
  }
  out << fmt::format("{}, {} (of {} methods)\n", field.problem, field.formulation, lines.size())
      << columns(rows);
}

int compare_verb(CompareOptions& options, std::ostream& out, std::ostream& err) {
  CompareRequest& request = options.request;
  if (!options.h.empty()) {
    request.h.clear();
    for (const Expression& h : read_numbers(options.h, "--h")) request.h.push_back(h.text());
  }
  if (!options.t_end.empty()) request.t_end = options.t_end;
  request.in_own_time = options.h.empty() && options.t_end.empty();
  check(request);
  const std::vector<CompareField> fields = compare_fields(request);
  const Services services = catalogue_services();
  InterruptGuard guard;
  const RunnerReport report = run_cells(
      cells_of(fields), services.run_cell, services.sources, CellCache(results_root() / ".cache"),
      {.jobs = options.jobs, .fresh = options.fresh, .progress = true, .stop = &guard.flag()});
  if (!report.refused.empty()) throw BadInput(report.refused.begin()->second);
  if (report.interrupted) {
    err << "daemark compare: interrupted; finished cells are kept\n";
    return 2;
  }
  FigureSpec figure;
  figure.title = "accuracy against work";
  figure.width = 900;
  figure.caption = "Error in q at the end over residual evaluations; thin: the best six others";
  std::string page, all;
  for (const CompareField& field : fields) {
    const auto lines = compare_lines(field, request, report);
    const Table table = compare_table(field, lines);
    page += "## " + table.caption + "\n\n" + markdown(table) + "\n";
    if (all.empty()) {
      std::vector<std::string> head = {"problem", "formulation"};
      head.insert(head.end(), table.head.begin(), table.head.end());
      all = csv_line(head);
    }
    for (const auto& row : table.rows) {
      std::vector<std::string> fields_of_row = {field.problem, field.formulation};
      fields_of_row.insert(fields_of_row.end(), row.begin(), row.end());
      all += csv_line(fields_of_row);
    }
    Panel panel = compare_panel(field, lines);
    if (!panel.curves.empty()) figure.panels.push_back(std::move(panel));
    print_best(field, lines, out);
  }
  const fs::path folder = fs::path("compare") / folder_name(request.methods);
  report.cache_failure.raise();
  write_if_changed(results_root() / folder / "table.md", page);
  write_if_changed(results_root() / folder / "table.csv", all);
  figure.height = 60 + 240 * static_cast<int>(figure.panels.size());
  if (!figure.panels.empty()) {
    const std::string missing = write_svg(figure, results_root() / folder / "figure.svg");
    if (!missing.empty()) err << fmt::format("daemark compare: {}\n", missing);
  }
  out << fmt::format("{} runs; written to {}: table.md, table.csv, figure.svg\n",
                     report.computed + report.reused, (fs::path("results") / folder).string());
  return 0;
}

}  // namespace

VerbAction declare_compare(OptionSet& app) {
  auto options = std::make_shared<CompareOptions>();
  constexpr unsigned most_jobs = 1024;
  app.add_option("methods", options->request.methods, "the methods to set beside the catalogue")
      ->required()
      ->type_name("M");
  app.add_option("--problem", options->request.problems, "only this problem (repeatable)")
      ->type_name("P")
      ->allow_extra_args(false);
  app.add_option("--h", options->h,
                 "step sizes [s], default 1/20,1/40,1/80,1/160,1/320 of the problem's own time")
      ->type_name("H,H,...");
  app.add_option("--t-end", options->t_end,
                 "end of every run [s]; default: 1 s, or less where a problem moves faster")
      ->type_name("T");
  app.add_option("--jobs", options->jobs, "threads, default one a core")
      ->type_name("N")
      ->range(1U, most_jobs);
  app.add_flag("--fresh", options->fresh, "ignore finished runs");
  return
      [options](std::ostream& out, std::ostream& err) { return compare_verb(*options, out, err); };
}

}  // namespace daemark
