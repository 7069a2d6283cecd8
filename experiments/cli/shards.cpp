// daemark plan, run-shard and merge: the cells of one command on several machines.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <ostream>
#include <set>
#include <sstream>

#include "analysis/reference/reference.hpp"
#include "analysis/reference/reference_store.hpp"
#include "base/input/strict_json.hpp"
#include "base/program/interrupt.hpp"
#include "base/program/paths.hpp"
#include "base/program/write_file.hpp"
#include "base/text/counted.hpp"
#include "experiments/cli/cli.hpp"
#include "experiments/cli/common_options.hpp"
#include "experiments/cli/verb.hpp"
#include "experiments/engine/run/study.hpp"
#include "experiments/engine/shard/shard.hpp"
#include "experiments/terminal/progress_line.hpp"
#include "problems/system/registry.hpp"

namespace daemark {
namespace {

namespace fs = std::filesystem;

bool has(const std::vector<std::string>& words, const char* word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// The command a plan is of (reproduce, compare, atlas, converge): `reproduce` unless it says
/// otherwise; `compare` with all sweeps, since what else it integrates depends on what it finds.
std::vector<std::string> command_of(std::vector<std::string> words) {
  constexpr std::array verbs = {"reproduce", "compare", "atlas", "converge"};
  if (words.empty() || std::find(verbs.begin(), verbs.end(), words.front()) == verbs.end())
    words.insert(words.begin(), "reproduce");
  if (words.front() == "compare" && !has(words, "--all")) words.emplace_back("--all");
  for (const char* other : {"--check", "--jobs", "--dry", "--time"})
    if (has(words, other))
      throw BadInput(fmt::format(
          "{} cannot be divided; accepted: daemark plan --shards N "
          "[PAPER[/ITEM]...], or -- and a call of reproduce, compare, atlas or converge",
          other));
  return words;
}

int run_words(const std::vector<std::string>& words, std::ostream& out, std::ostream& err) {
  std::vector<const char*> argv = {"daemark"};
  for (const std::string& word : words) argv.push_back(word.c_str());
  return run_cli(static_cast<int>(argv.size()), argv.data(), out, err);
}

/// Status 0, or that with which the command was refused, which has said why.
int under_split(Split& split, const std::vector<std::string>& words, std::ostream& err) {
  const SplitScope scope(&split);
  std::ostringstream unused;
  return run_words(words, unused, err);
}

std::string span(double seconds) {
  return seconds >= 90 ? fmt::format("{:.0f} min", seconds / 60) : fmt::format("{:.0f} s", seconds);
}

struct PlanOptions {
  int shards = 0;
  bool short_only = false;
  std::vector<std::string> words, missing;
};

int plan_verb(const PlanOptions& options, std::ostream& out, std::ostream& err) {
  ShardPlan plan;
  std::vector<std::string> cells;
  if (options.missing.empty()) {
    plan = {program_version(), program_digest(), command_of(options.words), {}, {}};
    if (options.short_only) plan.command.emplace_back("--short");
  } else {
    if (!options.words.empty())
      throw BadInput("--missing: the folders name the command; accepted: no further words");
    const std::vector<ShardFolder> shards = read_shards(options.missing);
    plan = shards.front().plan;
    cells = missing_cells(shards);
  }
  Split split;
  const int status = under_split(split, plan.command, err);
  if (status > 1) return status;  // 1: some items could not be planned, as was said
  if (options.missing.empty()) {
    for (const auto& [name, listed] : split.asked) cells.push_back(name);
    plan.cells = cells;
  }
  const LearntCosts costs = LearntCosts::read(results_root() / ".cache");
  plan.memory = costs.memory;
  divide(plan, cells, options.shards, split, costs);
  out << plan.json().dump() << "\n";
  err << fmt::format("daemark plan: {} in {}", counted(cells.size(), "cell"),
                     counted(plan.shards.size(), "shard"));
  double longest = 0, cell = 0;
  for (const ShardPlan::Shard& shard : plan.shards)
    longest = std::max(longest, shard.seconds), cell = std::max(cell, shard.longest);
  if (longest > 0)
    err << fmt::format(", the longest about {} on one core (its longest cell {})", span(longest),
                       span(cell));
  err << "\n";
  if (!plan.references.empty())
    err << fmt::format(
        "daemark plan: {} that several shards need: run-shard 0 computes them, run "
        "before the others\n",
        counted(plan.references.size(), "reference state"));
  return status;
}

struct ShardOptions {
  int shard = 0;
  std::string plan, into;
  unsigned jobs = 0;
};

struct Redirected {
  explicit Redirected(const fs::path& folder) { redirect_results(folder); }
  ~Redirected() { redirect_results({}); }
};

/// Shard 0. States that do not exist are found missing by the cells that ask for them.
int run_references(const ShardPlan& plan, std::string& what, std::ostream& err) {
  const OnInterrupt on_interrupt([] { return "finished states are kept"; });
  int none = 0;
  for (const auto& [problem, t] : plan.references) {
    const ProgressLine progress(err, fmt::format("{}, t = {}", problem, t));
    try {
      reference_states(problem_registry().make(problem), {t}, standard_digits);
    } catch (const NoReference&) {
      ++none;
    }
  }
  what = counted(plan.references.size(), "reference state");
  if (none > 0) what += fmt::format(", {} of which do not exist", none);
  return 0;
}

int run_cells_of(const ShardFolder& own, const ShardOptions& options, std::string& what,
                 std::ostream& err) {
  Split split;
  split.cache = own.folder / ".cache";
  split.take.emplace();
  for (const std::string& cell : own.cells()) split.take->insert(cell);
  std::vector<std::string> words = own.plan.command;
  if (options.jobs > 0) words.insert(words.begin() + 1, {"--jobs", std::to_string(options.jobs)});
  if (const int status = under_split(split, words, err); status > 1) return status;
  const std::size_t done = static_cast<std::size_t>(split.computed + split.reused);
  if (done != split.take->size())
    throw BadInput(
        fmt::format("{}: {} of its {} are not cells of this tree's experiments; "
                    "accepted: the tree that the plan was made in",
                    options.plan, split.take->size() - done, counted(split.take->size(), "cell")));
  what = fmt::format("{} computed, {} reused", counted(split.computed, "cell"), split.reused);
  return 0;
}

int run_shard_verb(const ShardOptions& options, std::ostream& out, std::ostream& err) {
  const std::string text = options.plan == "-"
                               ? std::string(std::istreambuf_iterator<char>(std::cin), {})
                               : read_text(options.plan).value_or("");
  if (text.empty())
    throw BadInput(options.plan + ": cannot be read; accepted: what `daemark plan` writes");
  const ShardPlan plan = ShardPlan::parse(parse_json_text(text, options.plan), options.plan);
  const int count = static_cast<int>(plan.shards.size());
  const int first = plan.references.empty() ? 1 : 0;
  if (options.shard < first || options.shard > count)
    throw BadInput(fmt::format("shard {}; accepted: {} to {}", options.shard, first, count));
  ShardFolder own{{}, plan, options.shard, {}, {}};
  constexpr std::size_t short_id = 12;
  own.folder = options.into.empty()
                   ? results_root() / ".local" / "shards" / plan.id().substr(0, short_id) /
                         std::to_string(options.shard)
                   : fs::absolute(options.into);
  require_writable(own.folder);
  const FileLock lock = lock_results(own.folder, "daemark run-shard", err);
  if (fs::exists(own.folder / "shard.json")) {
    const ShardFolder standing = read_shards({own.folder.string()}).front();
    if (standing.plan.id() != plan.id() || standing.shard != options.shard)
      throw BadInput(own.folder.string() + " holds another shard; accepted: a folder of its own");
  }
  const nlohmann::json machine = machine_print(provenance());
  take_references(own.folder);
  std::string what;
  const int status = [&] {
    const Redirected results(own.folder);
    return options.shard == 0 ? run_references(plan, what, err)
                              : run_cells_of(own, options, what, err);
  }();
  if (status != 0) return status;
  seal(own.folder, plan, options.shard, machine);
  out << fmt::format("shard {} of {}: {}; in {}\n", options.shard, count, what,
                     fs::path(own.folder).lexically_relative(fs::current_path()).string());
  return 0;
}

/// Results of different machines may differ in their last digits: which facts of theirs differ.
void require_one_machine(const std::vector<ShardFolder>& shards) {
  const nlohmann::json own = machine_print(provenance());
  for (const ShardFolder& one : shards)
    for (const auto& [key, value] : own.items()) {
      const nlohmann::json theirs = one.machine.value(key, nlohmann::json());
      if (theirs == value) continue;
      throw BadInput(fmt::format("{}: {} is {}, here {}; accepted: the same, or --mixed",
                                 one.folder.string(), key, theirs.dump(), value.dump()));
    }
}

/// "2, 5 of 8"
std::string lost_shards(const std::vector<ShardFolder>& shards) {
  std::set<int> there;
  const ShardPlan& plan = shards.front().plan;
  for (const ShardFolder& one : shards)
    if (one.plan.id() == plan.id()) there.insert(one.shard);
  std::vector<int> lost;
  for (int k = 1; k <= static_cast<int>(plan.shards.size()); ++k)
    if (!there.contains(k)) lost.push_back(k);
  return fmt::format("{} of {}", fmt::join(lost, ", "), plan.shards.size());
}

struct MergeOptions {
  std::vector<std::string> folders;
  bool mixed = false;
};

int merge_verb(const MergeOptions& options, std::ostream& out, std::ostream& err) {
  const std::vector<ShardFolder> shards = read_shards(options.folders);
  const std::vector<std::string> missing = missing_cells(shards);
  if (!missing.empty())
    throw BadInput(fmt::format(
        "{} of {} missing, shards {}; accepted: all of them (run-shard goes on where one stopped), "
        "or those of daemark plan --shards N --missing {}",
        counted(missing.size(), "cell"), shards.front().plan.cells.size(), lost_shards(shards),
        fmt::join(options.folders, " --missing ")));
  if (!options.mixed) require_one_machine(shards);
  require_writable(results_root());
  const int cells = [&] {
    const FileLock lock = lock_results(results_root(), "daemark merge", err);
    return merge_files(shards, results_root());
  }();
  err << fmt::format("daemark merge: {} of {} taken\n", counted(cells, "cell"),
                     counted(shards.size(), "shard"));
  std::vector<std::string> words = shards.front().plan.command;
  std::erase(words, "--fresh");
  return run_words(words, out, err);
}

void declare(OptionSet& app, PlanOptions& options) {
  constexpr int most = 100000;
  app.add_option("--shards", options.shards, "N", "number of shards")->required()->range(1, most);
  app.add_option(
      "command", options.words, "PAPER[/ITEM]",
      "papers and items of reproduce, or after -- a call of reproduce, compare, atlas or converge");
  app.add_flag("--short", options.short_only, "of reproduce: leave the long cells out");
  app.add_option("--missing", options.missing, "DIR",
                 "plan what these shards of another plan lack (repeatable)")
      ->once();
}

void declare(OptionSet& app, ShardOptions& options) {
  app.add_option("shard", options.shard, "K", "which shard, from 1; 0 where the plan says so")
      ->required();
  app.add_option("plan", options.plan, "PLAN.json", "what `daemark plan` wrote; -: standard input")
      ->required();
  app.add_option("--into", options.into, "DIR",
                 "a folder for this shard alone; default: below results/.local/shards");
  add_jobs(app, options.jobs);
}

void declare(OptionSet& app, MergeOptions& options) {
  app.add_option("folders", options.folders, "DIR", "folders of shards, or folders above them")
      ->required();
  app.add_flag("--mixed", options.mixed,
               "take shards of machines whose processor, compiler or libraries differ");
}

}  // namespace

void register_shards(Verbs& verbs) {
  verbs.add<PlanOptions>({"plan", VerbGroup::share,
                          "divides the cells of reproduce, compare, atlas or converge into shards",
                          "daemark plan --shards 4 li2019/table1"},
                         declare, plan_verb);
  verbs.add<ShardOptions>(
      {"run-shard", VerbGroup::share, "computes one shard of a plan, into a separate folder",
       "daemark run-shard 3 plan.json"},
      declare, run_shard_verb);
  verbs.add<MergeOptions>(
      {"merge", VerbGroup::share,
       "collects the shards' results and finishes the command they were planned for",
       "daemark merge shards"},
      declare, merge_verb);
}

}  // namespace daemark
