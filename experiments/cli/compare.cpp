// daemark compare
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <ostream>
#include <set>

#include "analysis/orders/expected_orders.hpp"
#include "base/program/digest.hpp"
#include "base/program/paths.hpp"
#include "base/program/write_file.hpp"
#include "base/text/printable.hpp"
#include "experiments/cli/common_options.hpp"
#include "experiments/cli/verb.hpp"
#include "experiments/compare/compare_figures.hpp"
#include "experiments/engine/run/services.hpp"
#include "experiments/terminal/text.hpp"
#include "methods/catalogue/registry.hpp"
#include "problems/system/registry.hpp"

namespace daemark {
namespace {

namespace fs = std::filesystem;

struct CompareOptions {
  CompareRequest request;
  std::string h, t_end;
  unsigned jobs = 0;
  bool fresh = false;
};

/// "pade_block-r-4-k-2": a name for a file.
std::string plain_name(const std::string& call) {
  std::string name;
  for (const char c : call) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) || c == '_';
    if (plain)
      name += c;
    else if (!name.empty() && name.back() != '-')
      name += '-';
  }
  while (name.ends_with('-')) name.pop_back();
  return name;
}

/// Of the methods compared, and of what was asked besides: a comparison on one problem does not
/// take the place of that on all.
std::string folder_name(const CompareOptions& options) {
  constexpr std::size_t longest = 100;
  std::string name;
  for (const std::string& method : options.request.methods)
    name += (name.empty() ? "" : "_and_") + plain_name(method_registry().bind(method).canonical());
  for (const std::string& problem : options.request.problems) name += "_on_" + plain_name(problem);
  if (!options.h.empty()) name += "_h_" + plain_name(options.h);
  if (!options.t_end.empty()) name += "_t_end_" + plain_name(options.t_end);
  if (name.size() <= longest) return name;
  constexpr std::size_t told_apart_by = 12;
  return name.substr(0, longest) + "-" + digest(name).substr(0, told_apart_by);
}

rational any_rational(const std::string& text, const std::string& where) {
  const Expression value = Expression::parse(text, where);
  if (!value.is_rational())
    throw BadInput(
        fmt::format("{}: {} is not accepted: a rational number", where, printable(text)));
  return value.as_rational();
}

/// Steps in the order a study takes them, coarse to fine; throws BadInput before anything runs.
void check(CompareRequest& request) {
  const rational end = request.t_end.empty() ? rational(0) : any_rational(request.t_end, "--t-end");
  if (!request.t_end.empty() && request.problems.empty() && end <= 0)
    throw BadInput(fmt::format("--t-end: {}; accepted: a rational number > 0 or --problem",
                               printable(request.t_end)));
  for (const std::string& problem : request.problems) {
    const Expression start = problem_registry().make(problem).start;
    if (!request.t_end.empty() && end <= start.as_rational())
      throw BadInput(fmt::format("--t-end: {} is not after the start of {} at {} s",
                                 printable(request.t_end), problem, start.text()));
  }
  if (request.h.empty()) return;
  std::vector<std::pair<rational, std::string>> steps;
  for (const std::string& text : request.h) {
    const rational h = any_rational(text, "--h");
    if (h <= 0)
      throw BadInput(fmt::format("--h: {}; accepted: rational numbers > 0", printable(text)));
    for (const auto& [other, name] : steps)
      if (other == h)
        throw BadInput(
            fmt::format("--h: {} stands there twice; accepted: different steps", printable(text)));
    steps.emplace_back(h, text);
  }
  if (steps.size() < 2)
    throw BadInput("--h: one step size; accepted: two or more, separated by commas");
  std::sort(steps.rbegin(), steps.rend());
  request.h.clear();
  for (const auto& [h, text] : steps) request.h.push_back(text);
}

/// Where a problem was named its steps have to divide its time; else it is left out.
void check_steps(const CompareRequest& request, std::vector<CompareField>& fields,
                 std::ostream& err) {
  if (request.h.empty()) return;
  std::set<std::string> said;
  std::erase_if(fields, [&](const CompareField& field) {
    const rational start = problem_registry().make(field.problem).start.as_rational();
    const rational end = any_rational(field.t_end, "--t-end");
    for (const std::string& h : request.h) {
      const rational steps = (end - start) / any_rational(h, "--h");
      if (denominator(steps) == 1) continue;
      const std::string why = fmt::format("h = {} does not divide the time of {}, from {} to {} s",
                                          h, field.problem, start.str(), field.t_end);
      if (!request.problems.empty())
        throw BadInput(fmt::format("--h: {}; accepted: steps that do, or another --t-end", why));
      if (said.insert(field.problem).second)
        err << fmt::format("daemark compare: {} is left out: {}\n", field.problem, why);
      return true;
    }
    return false;
  });
  if (fields.empty())
    throw BadInput("--h: no problem has a time these steps divide; accepted: others, or --t-end");
}

void print_summary(const Table& table, std::ostream& out) {
  std::vector<std::vector<std::string>> rows = {table.head};
  rows.insert(rows.end(), table.rows.begin(), table.rows.end());
  out << table.caption << "\n" << columns(rows);
}

constexpr const char* explanation =
    "Work: residual evaluations to a relative error of q, interpolated between the runs that "
    "bracket it; the error is the 2-norm over q at the end against the reference, over the way of "
    "the motion (the largest of |q(T) - q(0)|, T |v(0)|, T |v(T)|). <=: the coarsest run is "
    "already better and took so much. In parentheses the rank. Sorted by the tightest accuracy "
    "reached, then by the work to it. Errors, energy and violations are those of the finest run.";

/// Everything under results/compare/<folder_name>/; what stood there of other fields goes.
void write_results(const fs::path& folder, const std::vector<CompareField>& fields,
                   const std::vector<std::vector<CompareLine>>& lines, std::ostream& err) {
  const std::vector<Profile> profiles = profiles_of(fields, lines);
  std::string page = std::string(explanation) + "\n\n", all;
  for (const Profile& profile : profiles) {
    const Table table = profile_table(profile);
    page += "## " + table.caption + "\n\n" + markdown(table) + "\n";
  }
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const Table table = compare_table(fields[i], lines[i]);
    page += "## " + table.caption + "\n\n" + markdown(table) + "\n";
    const auto line = [](std::vector<std::string> first, const std::vector<std::string>& rest) {
      first.insert(first.end(), rest.begin(), rest.end());
      return csv_line(first);
    };
    if (all.empty()) all = line({"problem", "formulation"}, table.head);
    for (const auto& row : table.rows) all += line({fields[i].problem, fields[i].formulation}, row);
  }
  write_if_changed(folder / "table.md", page);
  write_if_changed(folder / "table.csv", all);
  std::set<std::string> figures = {"profiles.svg"};
  const auto draw = [&](const FigureSpec& figure, const std::string& name) {
    figures.insert(name);
    const std::string missing = write_svg(figure, folder / name);
    if (!missing.empty()) err << fmt::format("daemark compare: warning: {}: {}\n", name, missing);
  };
  if (!profiles.empty()) draw(profile_figure(profiles), "profiles.svg");
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const FigureSpec figure = compare_figure(fields[i], lines[i]);
    if (!figure.panels.empty())
      draw(figure, plain_name(fields[i].problem + "_" + fields[i].formulation) + ".svg");
  }
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".svg" && figures.count(entry.path().filename().string()) == 0)
      fs::remove(entry.path());
}

/// Why nothing runs, e.g. a formulation that does not take dependent constraints; else empty.
std::string refused_by_all(const CompareField& field, const RunnerReport& report) {
  std::string why;
  for (const CompareField::Entry& entry : field.entries)
    for (const Cell& cell : entry.cells) {
      const auto found = report.results.find(canonical(cell));
      if (found == report.results.end() || found->second.status != "refused") return "";
      why = found->second.why;
    }
  return why;
}

int compare_verb(CompareOptions& options, std::ostream& out, std::ostream& err) {
  CompareRequest& request = options.request;
  if (!options.h.empty())
    for (const Expression& h : read_numbers(options.h, "--h")) request.h.push_back(h.text());
  request.t_end = options.t_end;
  check(request);
  for (const std::string& method : request.methods) method_registry().make(method);
  warn_of_defects("compare", request.methods, err);
  std::vector<CompareField> fields = compare_fields(request, err);
  check_steps(request, fields, err);
  const Services services = catalogue_services();
  InterruptGuard guard;
  std::vector<Cell> cells;
  for (const CompareField& field : fields)
    for (const CompareField::Entry& entry : field.entries)
      cells.insert(cells.end(), entry.cells.begin(), entry.cells.end());
  const RunnerReport report = run_cells(
      cells, services.run_cell, services.sources, CellCache(results_root() / ".cache"),
      {.jobs = options.jobs, .fresh = options.fresh, .progress = true, .stop = &guard.flag()});
  if (!report.refused.empty()) throw BadInput(report.refused.begin()->second);
  if (report.interrupted) {
    say_interrupted("daemark compare", "finished runs are kept");
    return interrupted_status();
  }
  std::erase_if(fields, [&](const CompareField& field) {
    const std::string why = refused_by_all(field, report);
    if (!why.empty())
      err << fmt::format("daemark compare: {}, {} is left out: {}\n", field.problem,
                         field.formulation, why);
    return !why.empty();
  });
  std::vector<std::vector<CompareLine>> lines;
  for (const CompareField& field : fields) {
    lines.push_back(compare_lines(field, report));
    print_summary(compare_summary(field, lines.back()), out);
  }
  for (const Profile& profile : profiles_of(fields, lines))
    print_summary(profile_summary(profile), out);
  for (const std::string& method : request.methods) {
    const std::string start = start_text(method);
    if (!start.empty()) out << method << " starts by " << start << "\n";
  }
  const fs::path folder = fs::path("compare") / folder_name(options);
  report.cache_failure.raise();
  write_results(results_root() / folder, fields, lines, err);
  out << wrapped(explanation) << "\nTime: that of the finest run on this machine.\n"
      << fmt::format(
             "{} runs; written to {}: table.md, table.csv, profiles.svg and a figure a "
             "problem and formulation\n",
             report.computed + report.reused, (fs::path("results") / folder).string());
  return 0;
}

}  // namespace

VerbAction declare_compare(OptionSet& app) {
  auto options = std::make_shared<CompareOptions>();
  constexpr unsigned most_jobs = 1024;
  app.add_option("methods", options->request.methods, "M",
                 "the methods to set beside the catalogue")
      ->required();
  app.add_option("--problem", options->request.problems, "P", "only this problem (repeatable)")
      ->allow_extra_args(false);
  app.add_option(
      "--h", options->h, "H,H,...",
      "step sizes [s]; default: five, each half of the one before, the first so that the "
      "trapezoidal rule errs by at most 1/20 of the way of the motion");
  app.add_option("--t-end", options->t_end, "T",
                 "end of every run [s]; default: 1 s, or less where a problem moves faster");
  app.add_option("--jobs", options->jobs, "N", "threads, default one a core")->range(1U, most_jobs);
  app.add_flag("--fresh", options->fresh, "ignore finished runs");
  return [options](auto& out, auto& err) { return compare_verb(*options, out, err); };
}

}  // namespace daemark
