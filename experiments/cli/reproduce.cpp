// daemark reproduce, report and measure: the numbers of the papers, recomputed.
#include "experiments/engine/reproduce.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>
#include <sstream>

#include "base/program/digest.hpp"
#include "base/program/paths.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/counted.hpp"
#include "base/text/near.hpp"
#include "base/text/printable.hpp"
#include "experiments/cli/cli.hpp"
#include "experiments/cli/common_options.hpp"
#include "experiments/cli/verb.hpp"
#include "experiments/crate/crate.hpp"
#include "experiments/engine/run/runner.hpp"
#include "experiments/engine/run/study.hpp"
#include "experiments/engine/write/book.hpp"
#include "experiments/terminal/progress_line.hpp"
#include "experiments/terminal/text.hpp"

namespace daemark {
namespace {

struct MeasureOptions {
  std::string row;
  bool compile = false;
};

/// The cell of PAPER/ITEM/ROW. Throws BadInput with the nearest names.
Cell cell_of(const std::string& text) {
  const std::size_t first = text.find('/'), second = text.find('/', first + 1);
  if (first == std::string::npos || second == std::string::npos)
    throw BadInput("'" + text + "'; accepted: PAPER/ITEM/ROW");
  const std::string paper = text.substr(0, first),
                    item = text.substr(first + 1, second - first - 1);
  const std::string id = text.substr(second + 1);
  const Book book = read_book(source_root() / "experiments", paper, {item});
  std::vector<std::string> known;
  for (const RowSpec& row : book.item(item).rows) {
    if (row.cell && row.id == id) return *row.cell;
    if (row.cell) known.push_back(row.id);
  }
  throw BadInput(
      fmt::format("{}/{} has no row '{}' with a number of its own{}; accepted: what "
                  "daemark show {}/{} --json names",
                  paper, item, id, did_you_mean(id, known), paper, item));
}

Report measure_verb(const MeasureOptions& options, std::ostream&, std::ostream& err) {
  const Compiling compiling(options.compile, "measure", err);
  constexpr double no_limit = 1e9;  // [s]
  const FixedCell cell = cell_of(options.row);
  Study study(catalogue_services(), {.command = "measure",
                                     .results = results_root(),
                                     .jobs = 1,
                                     .fresh = true,
                                     .time_limit = no_limit});
  const RunnerReport done = study.run({cell});
  if (const auto ends = study.ends()) return Report::ended(*ends);
  if (!done.refused.empty()) throw BadInput(done.refused.begin()->second);
  const CellResult& result = done.results.at(canonical(cell));
  Report report;
  report.json = result_json(result, false, false);
  ReportRows rows({{}, {}});
  rows.add({"status", result.status});
  if (!result.why.empty()) rows.add({"why", result.why});
  for (const char* kind : {"measures", "counts"})
    for (const auto& [name, value] : report.json.at(kind).items()) rows.add({name, value.dump()});
  report.status = result.ok() ? 0 : 1;
  return report.say(rows.text(0));
}

namespace fs = std::filesystem;

/// Of a command, as if all of its cells were to be run: under which keys they are kept.
void ask(const std::vector<const char*>& words, Split& split) {
  const SplitScope scope(&split);
  std::ostringstream out, err;
  if (run_cli(static_cast<int>(words.size()), words.data(), out, err) != 0)
    throw BadInput("nothing is dropped, since the command is refused: " + err.str());
}

struct Amount {
  int files = 0;
  double bytes = 0;
  std::string text() const {
    constexpr double mega = 1e6;
    return fmt::format("{}, {:.1f} MB", counted(files, "file"), bytes / mega);
  }
};

/// `--prune`: drops the finished cells under results/ that neither `reproduce` nor `compare` asks
/// for with these sources, and says how much it was.
int prune(std::ostream& out, std::ostream& err) {
  Split split;
  ask({"daemark", "reproduce", "--fresh"}, split);
  if (fs::exists(results_root() / "atlas"))  // else each motion would be looked for anew
    ask({"daemark", "compare", "gauss(2)", "--all"}, split);
  const FileLock lock = lock_results(results_root(), "daemark reproduce --prune", err);
  Amount kept, dropped;
  std::error_code failure;
  for (fs::directory_iterator entry(results_root() / ".cache", failure), end;
       !failure && entry != end; entry.increment(failure)) {
    const std::string key = entry->path().stem().string();
    if (entry->path().extension() != ".json" || key.size() != digest("").size()) continue;
    const bool is_used = split.keys.contains(key);
    Amount& amount = is_used ? kept : dropped;
    ++amount.files, amount.bytes += static_cast<double>(entry->file_size(failure));
    if (!is_used) fs::remove(entry->path(), failure);
  }
  out << fmt::format("dropped: {}; kept: {}\n", dropped.text(), kept.text());
  return 0;
}

void declare(OptionSet& app, MeasureOptions& options) {
  app.add_option("row", options.row, "PAPER/ITEM/ROW",
                 "a row of a table or figure, whose cell is recomputed")
      ->required();
  add_compile_flag(app, options.compile);
}

struct ReproduceVerb {
  ReproduceOptions request;
  std::string crate;
  bool prune = false, compile = false;
};

/// `reproduce --check` against a crate: what moved since another machine, compiler or year.
int reproduce_beside(ReproduceOptions& request, const std::string& crate, std::ostream& out,
                     std::ostream& err) {
  if (!request.check)
    throw BadInput("--with compares; accepted: --check --with " + printable(crate, 200));
  const ScratchFolder folder;
  const std::vector<std::string> items = unpack_crate(crate, folder.path());
  for (const std::string& line : lock_difference(read_lock(crate), lock_of_this()))
    out << "there | here: " << line << "\n";
  if (request.selection.empty()) request.selection = items;
  if (request.selection.empty())
    throw BadInput(printable(crate, 200) + ": holds no item; accepted: a crate with some");
  request.beside = folder.path() / "results";
  return reproduce(request, catalogue_services(), out, err);
}

int reproduce_verb(const ReproduceVerb& options, std::ostream& out, std::ostream& err) {
  if (options.prune) return prune(out, err);
  const Compiling compiling(options.compile, "reproduce", err);
  ReproduceOptions request = options.request;
  request.experiments = source_root() / "experiments";
  request.results = results_root();
  request.progress = true;
  if (!request.check) require_writable(request.results);
  if (!options.crate.empty()) return reproduce_beside(request, options.crate, out, err);
  return reproduce(request, catalogue_services(), out, err);
}

void declare(OptionSet& app, ReproduceVerb& options) {
  app.add_option("items", options.request.selection, "PAPER[/ITEM]",
                 "papers and items; everything if none is named");
  app.add_flag("--fresh", options.request.fresh, "ignore finished cells");
  app.add_flag("--short", options.request.short_only, "leave the long cells out");
  app.add_flag(
      "--check", options.request.check,
      "recompute in another folder and compare with the committed tables (status 1 if one moved)");
  add_jobs(app, options.request.jobs);
  app.add_option("--time-limit", options.request.time_limit, "SECONDS",
                 "processor time a cell may take [s]; default 900, long cells 7200")
      ->positive();
  app.add_option("--with", options.crate, "FILE.zip",
                 "of --check: compare with what `daemark export` packed elsewhere");
  add_compile_flag(app, options.compile);
  app.add_flag("--prune", options.prune,
               "remove finished cells that the current sources do not use");
}

struct ReportOptions {};
void declare(OptionSet&, ReportOptions&) {}

int report_verb(const ReportOptions&, std::ostream& out, std::ostream& err) {
  const ProgressLine progress(err, "pages of results/");
  return report(source_root() / "experiments", results_root(), out, err);
}

}  // namespace

void register_reproduce(Verbs& verbs) {
  verbs.add<ReproduceVerb>(
      {"reproduce", VerbGroup::papers, "tables, figures and verdicts of the papers, under results/",
       "daemark reproduce li2019/table1"},
      declare, reproduce_verb);
  verbs.add<MeasureOptions>({"measure", VerbGroup::papers,
                             "recomputes one row of a table or figure and shows every number of it",
                             "daemark measure li2019/table1/h0_01"},
                            declare, measure_verb);
  verbs.add<ReportOptions>(
      {"report", VerbGroup::papers, "writes the pages of results/ from the records there",
       "daemark report"},
      declare, report_verb);
}

}  // namespace daemark
