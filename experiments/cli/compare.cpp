// daemark compare
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <ostream>
#include <set>

#include "analysis/orders/expected_orders.hpp"
#include "analysis/tags/tag_expression.hpp"
#include "base/program/digest.hpp"
#include "base/program/paths.hpp"
#include "base/program/write_file.hpp"
#include "base/text/counted.hpp"
#include "base/text/printable.hpp"
#include "base/text/shell_word.hpp"
#include "experiments/cli/common_options.hpp"
#include "experiments/cli/verb.hpp"
#include "experiments/compare/compare_views.hpp"
#include "experiments/compare/comparison.hpp"
#include "experiments/crate/crate.hpp"
#include "experiments/engine/run/runner.hpp"
#include "experiments/report/report.hpp"
#include "experiments/terminal/text.hpp"
#include "methods/catalogue/registry.hpp"
#include "problems/system/registry.hpp"

namespace daemark {
namespace {

namespace fs = std::filesystem;

struct CompareOptions {
  CompareRequest request;
  std::vector<std::string> problems;
  std::string formulations, h;
  std::vector<std::string> with;  ///< files of scores, and crates
  std::string asked;              ///< --accuracy as typed, empty where it is the default
  std::string tag;
  StartOptions start;
  bool csv = false;
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
  const CompareRequest& request = options.request;
  std::string name;
  for (const std::string& method : request.methods)
    name += (name.empty() ? "" : "_and_") + plain_name(method_registry().bind(method).canonical());
  for (const std::string& problem : request.problems) name += "_on_" + plain_name(problem);
  for (const std::string& formulation : request.formulations)
    name += "_in_" + plain_name(formulation);
  if (!options.tag.empty()) name += "_of_" + plain_name(options.tag);
  if (!options.asked.empty()) name += "_to_" + plain_name(options.asked);
  if (!options.h.empty()) name += "_h_" + plain_name(options.h);
  if (!request.t_end.empty()) name += "_t_end_" + plain_name(request.t_end);
  if (!options.start.init.empty())
    name += "_from_" + plain_name(fs::path(options.start.init).stem().string());
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
            fmt::format("--h: {} is given twice; accepted: different steps", printable(text)));
    steps.emplace_back(h, text);
  }
  if (steps.size() < 2)
    throw BadInput("--h: one step size; accepted: two or more, separated by commas");
  std::sort(steps.rbegin(), steps.rend());
  request.h.clear();
  for (const auto& [h, text] : steps) request.h.push_back(text);
}

/// The command that makes it again.
std::string command_of(const CompareOptions& options) {
  const CompareRequest& request = options.request;
  std::string text = "daemark compare";
  for (const std::string& method : request.methods) text += " " + shell_word(method);
  for (const std::string& problem : request.problems) text += " --problem " + shell_word(problem);
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) text += fmt::format(" {} {}", name, shell_word(value));
  };
  add("--formulation", options.formulations);
  add("--tag", options.tag);
  add("--accuracy", options.asked);
  add("--h", options.h);
  add("--t-end", request.t_end);
  return text + (request.all ? " --all" : "") + file_options();
}

/// The files under results/compare/NAME/; figures are drawn as their problems are done.
class Folder {
 public:
  Folder(const CompareOptions& options, std::ostream& err)
      : options_(options), err_(err), path_(fs::path("compare") / folder_name(options)) {
    page_.path = (path_ / "index.html").generic_string();
    page_.title = fmt::format("{}", fmt::join(options.request.methods, ", "));
    page_.command = command_of(options);
    page_.tags = fs::exists(results_root() / "assets" / "tags.js");
  }

  void write(const Comparison& found) {
    const std::vector<Accuracy>& accuracies = options_.request.accuracies;
    draw_problems(found);
    const fs::path folder = results_root() / path_;
    write_assets(results_root());
    write_if_changed(folder / "table.md",
                     compare_markdown(found.compared, accuracies, found.left_out));
    write_if_changed(folder / "table.csv", compare_csv(found.compared, accuracies, true));
    write_if_changed(folder / "table.tex", compare_latex(found.compared, accuracies));
    write_if_changed(folder / "index.html",
                     compare_page(page_, found.compared, accuracies, found.left_out));
  }

  /// At the end: the profiles, over all problems; what stood there of other problems goes.
  void finish(const Comparison& found) {
    const std::vector<Profile> profiles = profiles_of(found.compared);
    if (!profiles.empty()) {
      page_.profiles = "profiles.svg";
      draw(profile_figure(profiles), page_.profiles);
    }
    write(found);
    for (const auto& entry : fs::directory_iterator(results_root() / path_))
      if (entry.path().extension() == ".svg" && !drawn_.contains(entry.path().filename().string()))
        fs::remove(entry.path());
  }

  std::string name() const { return (fs::path("results") / path_).string(); }

 private:
  void draw(const FigureSpec& figure, const std::string& name) {
    drawn_.insert(name);
    const std::string missing = write_svg(figure, results_root() / path_ / name);
    if (!missing.empty()) err_ << fmt::format("daemark compare: warning: {}: {}\n", name, missing);
  }

  void draw_problems(const Comparison& found) {
    std::map<std::string, std::vector<const Compared*>> by_problem;
    for (const Compared& one : found.compared) by_problem[one.field.motion.problem].push_back(&one);
    for (const auto& [problem, fields] : by_problem) {
      const std::string name = plain_name(problem) + ".svg";
      if (drawn_.contains(name)) continue;
      const FigureSpec figure = compare_figure(fields, options_.request.accuracies.front());
      if (figure.panels.empty()) continue;
      draw(figure, name);
      page_.figures.emplace_back(problem, name);
    }
  }

  const CompareOptions& options_;
  std::ostream& err_;
  fs::path path_;
  ComparePage page_;
  std::set<std::string> drawn_;
};

void read_options(CompareOptions& options) {
  CompareRequest& request = options.request;
  for (const std::string& list : options.problems)
    for (const std::string& call : read_calls(list)) request.problems.push_back(call);
  if (!options.tag.empty()) request.catalogue = select_methods(options.tag, "--tag");
  if (!options.formulations.empty()) request.formulations = read_calls(options.formulations);
  if (!options.h.empty())
    for (const Expression& h : read_numbers(options.h, "--h")) request.h.push_back(h.text());
  for (const std::string& file : options.with) {
    if (file.ends_with(".zip")) continue;
    request.scored.push_back(read_scored_run(file));
    const std::string& problem = request.scored.back().problem;
    const std::vector<std::string>& named = request.problems;
    if (options.problems.empty() && std::find(named.begin(), named.end(), problem) == named.end())
      request.problems.push_back(problem);
  }
  request.accuracies = read_accuracies(options.asked.empty() ? "1e-3,1e-6" : options.asked);
  check(request);
}

void print_end(const Comparison& found, const CompareRequest& request, std::ostream& out) {
  const Table over = over_problems(found.compared, request.accuracies);
  if (!over.rows.empty()) {
    std::vector<std::vector<std::string>> rows = {over.head};
    rows.insert(rows.end(), over.rows.begin(), over.rows.end());
    out << over.caption << "\n" << columns(rows);
  }
  for (const std::string& method : request.methods) {
    const std::string start = start_text(method);
    if (!start.empty()) out << method << " starts by " << start << "\n";
  }
  for (const std::string& note : found.left_out) out << wrapped("left out: " + note) << "\n";
  out << wrapped(compare_explanation(found.compared)) << "\n";
}

/// Scored runs that are in no field.
void tell_left_out(const std::vector<ScoredRun>& scored, const Comparison& found,
                   std::ostream& out) {
  for (const ScoredRun& run : scored) {
    bool there = false;
    std::string ends;
    for (const Compared& one : found.compared) {
      for (const CompareLine& line : one.lines)
        there = there || (line.scored && line.method == run.name);
      if (one.field.motion.problem == run.problem)
        ends += fmt::format("{}{}, t = {}", ends.empty() ? "" : "; ", one.field.formulation,
                            one.field.motion.t_end);
    }
    if (there || found.interrupted) continue;
    std::string times;
    for (const auto& [t, errors] : run.errors) times += (times.empty() ? "" : ", ") + t.str();
    out << wrapped(fmt::format("left out: {} is of {} in {}, judged at t = {}; compared here: {}",
                               run.name, run.problem, run.formulation, times,
                               ends.empty() ? "other problems" : ends))
        << "\n";
  }
}

/// Whose results of the catalogue were read, where those are not of the folder of results.
void tell_origin(std::ostream& err) {
  if (results_root() == shipped_results() || fs::exists(results_root() / "atlas")) return;
  err << fmt::format(
      "daemark compare: the catalogue's results are those the program came with, {}: there are "
      "none in {}\n",
      (shipped_results() / "atlas").string(), results_root().string());
}

int compare_verb(const CompareOptions& given, std::ostream& table, std::ostream& err) {
  CompareOptions options = given;
  CompareRequest& request = options.request;
  std::ostream& out = options.csv ? err : table;
  read_options(options);
  const Compiling compiling(true, "compare", err);
  if (!options.start.init.empty() && request.problems.size() != 1)
    throw BadInput(fmt::format("--init: {}; accepted: --problem P, one, whose start it is",
                               counted(request.problems.size(), "problem")));
  const GivenStart start(options.start, request.problems.empty() ? "" : request.problems.front(),
                         "compare", err);
  if (!request.methods.empty()) require_writable(results_root());
  const CompareTools tools{"compare", catalogue_services(), results_root(), err, shipped_results()};
  for (const std::string& method : request.methods) method_registry().make(method);
  warn_of_defects("compare", request.methods, err);
  std::optional<Folder> folder;
  if (!request.methods.empty()) folder.emplace(options, err);
  std::vector<OpenCrate> crates;
  for (const std::string& file : options.with)
    if (file.ends_with(".zip")) crates.emplace_back(file);
  std::size_t shown = 0;
  KeptFailure failure;
  const Comparison found = compare(request, tools, [&](const Comparison& so_far) {
    out << screen_lines(so_far.compared, shown, request.accuracies)
        << scored_lines(so_far.compared, shown);
    for (const OpenCrate& crate : crates)
      out << beside_lines(so_far.compared, shown, crate.results(), crate.name());
    out << std::flush;
    shown = so_far.compared.size();
    if (folder) failure.guard([&] { folder->write(so_far); });
  });
  if (Split::active() != nullptr) return *found.ends;
  tell_left_out(request.scored, found, out);
  if (found.compared.empty() && !found.interrupted && !found.left_out.empty())
    throw BadInput(found.left_out.front());
  print_end(found, request, out);
  found.cache_failure.raise();
  failure.raise();
  if (folder && !found.compared.empty()) folder->finish(found);
  out << fmt::format("{} integrated, {} read", counted(found.integrated, "sweep"), found.read);
  if (folder && !found.compared.empty())
    out << fmt::format("; written to {}: index.html, table.md, table.csv, table.tex, figures",
                       folder->name());
  out << "\n";
  if (found.read > 0) tell_origin(err);
  if (options.csv) table << compare_csv(found.compared, request.accuracies, true);
  return found.ends.value_or(0);
}

void declare(OptionSet& app, CompareOptions& options) {
  app.add_option("methods", options.request.methods, "M",
                 "the methods to compare with the catalogue; none: the catalogue alone");
  app.add_option("--problem", options.problems, "P[,P...]", "only these problems (repeatable)")
      ->once();
  app.add_option("--formulation", options.formulations, "F[,F...]", "only these formulations");
  app.add_option("--tag", options.tag, "EXPR",
                 "only catalogue methods with these tags, 'esdirk & L_stable & order>=3' "
                 "(daemark list tags)");
  app.add_option("--accuracy", options.asked, "A[,A...]",
                 "relative errors at the end whose cost is compared: 1e-4 of q, v:1e-4, "
                 "lambda:1e-4; the first one ranks; default: 1e-3,1e-6");
  app.add_option("--h", options.h, "H,H,...",
                 "step sizes [s]; default: five steps, each half the previous; with the first, the "
                 "trapezoidal rule has an error of at most 5 % of the scale of the motion");
  app.add_option("--t-end", options.request.t_end, "T",
                 "end of every run [s]; default: 1 s, or less where a problem moves faster");
  app.add_option(
         "--with", options.with, "FILE.json|FILE.zip",
         "a score kept by `daemark score --save`, as one more row; or what `daemark export` "
         "packed elsewhere: which sweeps changed (repeatable)")
      ->once();
  app.add_flag("--all", options.request.all, "include what takes longer than a minute");
  add_start_options(app, options.start);
  add_jobs(app, options.request.jobs);
  app.add_flag("--fresh", options.request.fresh, "ignore cached runs");
  app.add_flag("--csv", options.csv, "print the table as CSV, all else to standard error");
}

}  // namespace

void register_compare(Verbs& verbs) {
  verbs.add<CompareOptions>(
      {"compare", VerbGroup::run,
       "a method compared with the catalogue on every problem it accepts, or on those named",
       "daemark compare 'radau_iia(3)' --problem oscillator"},
      declare, compare_verb);
}

}  // namespace daemark
