// daemark atlas
#include "experiments/atlas/atlas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <ostream>
#include <set>

#include "analysis/tags/tag_expression.hpp"
#include "base/program/paths.hpp"
#include "base/program/write_file.hpp"
#include "base/text/counted.hpp"
#include "experiments/cli/common_options.hpp"
#include "experiments/cli/verb.hpp"
#include "experiments/compare/compare_views.hpp"
#include "experiments/compare/comparison.hpp"
#include "experiments/crate/crate.hpp"
#include "experiments/engine/run/runner.hpp"
#include "methods/catalogue/registry.hpp"
#include "problems/formulations/formulation.hpp"

namespace daemark {
namespace {

struct AtlasOptions {
  CompareRequest request;
  std::vector<std::string> problems, with, methods;
  std::string formulations, tag;
  bool dry = false, short_only = false;
  int repeats = 0;
};

/// Every member of the catalogue, or what the short atlas and comparisons take.
std::vector<std::string> members(bool core) {
  std::vector<std::string> calls = core_members();
  if (core) return calls;
  std::set<std::string> known(calls.begin(), calls.end());
  for (const std::string& call : method_registry().examples()) {
    const std::string canonical = method_registry().bind(call).canonical();
    if (known.insert(canonical).second) calls.push_back(canonical);
  }
  return calls;
}

void read_options(AtlasOptions& options) {
  CompareRequest& request = options.request;
  for (const std::string& list : options.problems)
    for (const std::string& call : read_calls(list)) request.problems.push_back(call);
  if (!options.formulations.empty()) request.formulations = read_calls(options.formulations);
  for (const std::string& formulation : request.formulations) Formulation::parse(formulation);
  request.catalogue =
      options.tag.empty() ? members(options.short_only) : select_methods(options.tag, "--tag");
  for (const std::string& call : options.methods)
    request.catalogue.push_back(method_registry().bind(call).canonical());
  request.accuracies = atlas_accuracies();
}

void time_atlas(const AtlasOptions& options, const std::vector<Compared>& compared,
                const CompareTools& tools, std::ostream& out) {
  std::map<std::string, std::vector<CompareField>> by_problem;
  for (const Compared& one : compared) by_problem[one.field.motion.problem].push_back(one.field);
  nlohmann::json ratios;
  for (const auto& [problem, fields] : by_problem) {
    const std::string name = ".local/atlas/" + problem.substr(0, problem.find('(')) + ".times.csv";
    const double spread =
        time_sweeps(fields, options.repeats, tools.services.run_cell, tools.results / name, ratios);
    out << fmt::format("{}: {} of every run, in {}{}\n", problem, counted(options.repeats, "time"),
                       shown_result(name),
                       std::isnan(spread)
                           ? ""
                           : fmt::format("; median interquartile range {:.1f} %", 100 * spread));
  }
  const std::string name = ".local/atlas/time_ratios.json";
  write_if_changed(tools.results / name, ratios.dump(1) + "\n");
  out << fmt::format("time of a unit of work, in {}; the pages read experiments/compare/{}\n",
                     shown_result(name), "time_ratios.json");
}

int atlas_verb(const AtlasOptions& given, std::ostream& out, std::ostream& err) {
  AtlasOptions options = given;
  read_options(options);
  const Compiling compiling(true, "atlas", err);
  CompareRequest& request = options.request;
  const CompareTools tools{"atlas", catalogue_services(), results_root(), err};
  const std::vector<AtlasShare> shares = atlas_shares(request, tools, options.short_only);
  if (options.dry) {
    out << shares_text(shares);
    return 0;
  }
  const std::vector<OpenCrate> crates(options.with.begin(), options.with.end());
  require_writable(results_root());
  std::unique_ptr<FileLock> lock;  // a shard has the lock of its folder already
  if (Split::active() == nullptr)
    // NOLINTNEXTLINE(modernize-make-unique): it cannot be moved
    lock.reset(new FileLock(lock_results(results_root(), "daemark atlas", err)));
  if (const auto ends = fill_atlas(request, tools, shares, out)) return *ends;
  request.fresh = false;
  std::vector<std::string> problems;
  for (const AtlasShare& share : shares)
    if (share.left_out.empty()) problems.push_back(share.problem);
  const std::vector<Compared> compared = stored_fields(request, tools, problems);
  out << atlas_lines(compared);
  for (const OpenCrate& crate : crates)
    out << beside_lines(compared, 0, crate.results(), crate.name());
  if (options.repeats > 0) time_atlas(options, compared, tools, out);
  const AtlasFiles written = write_atlas_files(results_root(), tools.services);
  out << fmt::format("written to {}: index.html and {}, work.csv, best.csv, ranks.csv\n",
                     shown_result("atlas"), counted(written.pages, "page"));
  return 0;
}

void declare(OptionSet& app, AtlasOptions& options) {
  constexpr int most_repeats = 1000;
  app.add_option(
      "--tag", options.tag, "EXPR",
      "only methods with these tags, 'esdirk & L_stable & order>=3' (daemark list tags)");
  app.add_option("--method", options.methods, "M",
                 "these methods too, a joined program for instance (repeatable)")
      ->once();
  app.add_option("--problem", options.problems, "P[,P...]",
                 "only these problems of the catalogue (repeatable)")
      ->once();
  app.add_option("--formulation", options.formulations, "F[,F...]",
                 "these formulations, with arguments too; default: all that need none");
  app.add_flag("--dry", options.dry,
               "integrate nothing: how many cells, their processor time, the disk they take");
  app.add_flag("--short", options.short_only,
               "members of families with two and three stages, problems from small to large as far "
               "as five minutes on two cores go");
  app.add_option(
         "--time", options.repeats, "N",
         "afterwards time every sweep N times on one thread: minimum, median and spread of the "
         "wall times, in results/.local/atlas")
      ->range(1, most_repeats);
  app.add_option("--with", options.with, "FILE.zip",
                 "what `daemark export` packed elsewhere: which sweeps changed (repeatable)")
      ->once();
  add_jobs(app, options.request.jobs);
  app.add_flag("--fresh", options.request.fresh, "ignore cached runs");
}

}  // namespace

void register_atlas(Verbs& verbs) {
  verbs.add<AtlasOptions>(
      {"atlas", VerbGroup::run,
       "every method on every problem: which is cheapest, where, and how much that varies",
       "daemark atlas --problem oscillator --tag 'explicit & order>=4' --dry"},
      declare, atlas_verb);
}

}  // namespace daemark
