#include "experiments/engine/reproduce.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <memory>
#include <ostream>
#include <set>

#include "base/program/digest.hpp"
#include "base/program/write_file.hpp"
#include "base/text/counted.hpp"
#include "experiments/engine/check/check.hpp"
#include "experiments/engine/plan/plan.hpp"
#include "experiments/engine/run/records.hpp"
#include "experiments/engine/run/runner.hpp"
#include "experiments/engine/write/render.hpp"
#include "methods/external/external_method.hpp"

namespace daemark {
namespace {

namespace fs = std::filesystem;

class Reproduction {
 public:
  Reproduction(const ReproduceOptions& options, const Services& services, std::ostream& out,
               std::ostream& err)
      : options_(options),
        services_(services),
        out_(out),
        err_(err),
        plan_(options.experiments, options.selection, services, options.short_only),
        stamp_(options.results),
        study_(services, {.command = "reproduce",
                          .results = options.results,
                          .jobs = options.jobs,
                          .fresh = options.fresh,
                          .short_only = options.short_only,
                          .progress = options.progress,
                          .time_limit = options.time_limit}),
        into_(options.check ? scratch_.emplace().path() : options.results) {
    for (const PlannedItem& item : plan_.items) asked_.insert(item.name());
  }

  int run() {
    if (Split::active() != nullptr) return share();
    remove_dead_drafts(options_.results);
    if (nothing_to_do()) return end(0);
    std::unique_ptr<FileLock> lock;
    failure_.guard([&] {  // where nobody can write, results are shown all the same
      // NOLINTNEXTLINE(modernize-make-unique): it cannot be moved
      lock.reset(new FileLock(lock_results(options_.results, "daemark reproduce", err_)));
    });
    stamp_ = Stamp(options_.results);  // as another run may have left it while this one waited
    if (nothing_to_do()) return end(0);
    plan_.keep([&](const PlannedItem& item) { return is_stale(item); });
    plan_.read_the_rest();
    find_others();
    const std::vector<PlannedCell> short_cells = plan_.cells(false), long_cells = plan_.cells(true);
    if (!compute(short_cells)) return *study_.ends();
    const std::vector<FixedCell> to_come = not_finished(long_cells);
    if (!to_come.empty() && !options_.short_only && !options_.check) {
      write(false);
      announce(to_come);
    }
    if (!compute(long_cells)) return *study_.ends();
    write(true);
    const std::size_t items = plan_.items.size();
    if (options_.check) {
      const bool own = options_.beside.empty();
      const CheckOf what = !own                                                 ? CheckOf::others
                           : options_.selection.empty() && plan_.faults.empty() ? CheckOf::all
                                                                                : CheckOf::some;
      const int status =
          check_results(plan_.items, own ? options_.results : options_.beside, into_, what, out_);
      return end(status);
    }
    if (items > 0 || plan_.faults.empty())
      out_ << fmt::format("{}: {} computed, {} reused, {} long ones skipped\n",
                          counted(items, "item"), counted(study_.computed(), "cell"),
                          study_.reused(), study_.left_out());
    for (const auto& [paper, book] : plan_.books)
      for (const std::string& line : not_computed_lines(book)) out_ << line << "\n";
    return end(0);
  }

 private:
  /// Of a command that is divided: the cells, no files.
  int share() {
    plan_.keep([&](const PlannedItem& item) { return is_stale(item); });
    plan_.read_the_rest();
    for (const bool is_long : {false, true})
      if (!compute(plan_.cells(is_long))) return *study_.ends();
    return end(0);
  }

  bool is_stale(const PlannedItem& item) const {
    return options_.check || options_.fresh || !stamp_.current(item.name(), inputs_of(item));
  }

  /// Of its files: what it is made from, and which of its long cells are there to be taken.
  std::string inputs_of(const PlannedItem& item) const {
    std::string inputs = item.inputs;
    for (const std::string& key : item.long_keys)
      if (study_.cache().has(key)) inputs += " " + key;
    return digest(inputs);
  }

  bool nothing_to_do() const {
    const bool stale = std::any_of(plan_.items.begin(), plan_.items.end(),
                                   [&](const PlannedItem& item) { return is_stale(item); });
    if (stale || !stamp_.current("summary", "")) return false;
    if (plan_.faults.empty())
      out_ << fmt::format("nothing to do: {} up to date\n", counted(plan_.items.size(), "item"));
    return true;
  }

  int end(int status) {
    const auto say = [&](const std::string& line) {
      err_ << fmt::format("daemark reproduce: {}\n", line);
    };
    for (const std::string& line : fault_lines(plan_.faults)) say(line);
    for (const std::string& line : damage_lines(damage_)) say(line);
    for (const auto& [item, statuses] : no_outcome_)
      say(fmt::format("{}: {}, which says nothing of the methods: what rests on it is undetermined",
                      item, fmt::join(statuses, ", ")));
    if (failure_.failed()) say(failure_.what());
    const bool all_bad = std::all_of(asked_.begin(), asked_.end(), [&](const std::string& item) {
      return plan_.faults.contains(item) || plan_.faults.contains(item.substr(0, item.find('/')));
    });
    if (failure_.failed() || (all_bad && !plan_.faults.empty())) return 2;
    return plan_.faults.empty() && damage_.empty() && no_outcome_.empty() ? status : 1;
  }

  /// False if interrupted, which is said.
  bool compute(const std::vector<PlannedCell>& planned) {
    std::vector<FixedCell> cells;
    for (const PlannedCell& each : planned)
      if (!stays(each)) cells.push_back(each.cell);
    const RunnerReport run = study_.run(cells, series_asked(plan_.books));
    failure_.guard([&] { run.cache_failure.raise(); });
    if (run.interrupted) return false;
    for (PlannedItem& item : plan_.items) take_results(item, run);
    plan_.drop_faulty();
    return true;
  }

  void take_results(PlannedItem& item, const RunnerReport& run) {
    for (const PlannedCell& planned : item.cells) {
      const std::string& name = canonical(planned.cell);
      if (const auto refusal = run.refused.find(name); refusal != run.refused.end())
        plan_.faults.try_emplace(item.name(),
                                 place_of(item.item(), planned.cell) + ": " + refusal->second);
      const auto found = run.results.find(name);
      if (found == run.results.end()) continue;
      CellResult& result = item.book->results[name] = found->second;
      result.sources = version_of(planned);
    }
  }

  /// Of the sources a cell uses as they are now, with the references that are known.
  std::string version_of(const PlannedCell& planned) const {
    constexpr std::size_t length = 16;
    return services_.sources(planned.cell).substr(0, length);
  }

  bool stays(const PlannedCell& planned) const { return others_.contains(canonical(planned.cell)); }

  /// Cells whose records are of another version of a library than this build has: they stay.
  void find_others() {
    if (options_.fresh) return;
    for (const PlannedItem& item : plan_.items) {
      const auto is_other = [](const PlannedCell& planned) {
        return is_of_other_version(planned.cell->method);
      };
      if (std::none_of(item.cells.begin(), item.cells.end(), is_other)) continue;
      const Records known = read_records(item.item(), options_.results);
      for (const PlannedCell& planned : item.cells)
        if (is_other(planned) && known.results.contains(canonical(planned.cell)))
          others_.insert(canonical(planned.cell));
    }
    if (!others_.empty())
      out_ << fmt::format(
          "{} stay as they are: of another SUNDIALS than this build has (--fresh computes them)\n",
          counted(others_.size(), "result"));
  }

  /// What an item leaves out (--short) stays as its records have it, marked where it is of other
  /// sources than these.
  void keep_known(PlannedItem& item) {
    if (item.is_computed()) return;
    Results& results = item.book->results;
    Records known = read_records(item.item(), options_.results);
    for (const PlannedCell& planned : item.cells) {
      auto kept = known.results.extract(canonical(planned.cell));
      if (kept.empty() || results.contains(kept.key())) continue;
      kept.mapped().kept = !stays(planned) && kept.mapped().sources != version_of(planned);
      results.insert(std::move(kept));
    }
    if (item.is_computed() || !is_made(item.item(), options_.results)) return;
    for (const std::string& line : known.damage)
      err_ << fmt::format("daemark reproduce: {}: left out\n", line);
  }

  /// "9 cells timed_out", by status, where results are no outcomes of their methods.
  static std::vector<std::string> without_outcome(const PlannedItem& item) {
    std::map<std::string, std::size_t> count;
    for (const PlannedCell& planned : item.cells) {
      const auto found = item.book->results.find(canonical(planned.cell));
      if (found != item.book->results.end() && !found->second.is_outcome())
        ++count[found->second.status];
    }
    std::vector<std::string> out;
    for (const auto& [status, cells] : count) out.push_back(counted(cells, "cell") + " " + status);
    return out;
  }

  /// The files of the items and of the whole. Before the end, an item whose long cells are to come
  /// keeps the files it has.
  void write(bool at_end) {
    std::map<const Book*, std::set<std::string>> anew;
    std::vector<PlannedItem*> ready;
    for (PlannedItem& item : plan_.items) {
      const bool whole = at_end || item.is_whole();
      const bool has_files = is_made(item.item(), into_);
      if (item.written || whole || !has_files) anew[item.book].insert(item.id);
      if (item.written || (!whole && has_files)) continue;
      item.written = whole;
      ready.push_back(&item);
    }
    damage_.clear();
    for (auto& [paper, book] : plan_.books) {
      book.forget(), book.not_computed.clear();
      damage_.merge(read_known(book, options_.results, anew[&book]));
    }
    if (at_end)
      for (PlannedItem* item : ready) keep_known(*item);
    for (const PlannedItem* item : ready) plan_.guarded(item->name(), [&] { write_files(*item); });
    if (!options_.check) write_the_rest(at_end, ready);
  }

  void write_files(const PlannedItem& item) {
    const PaperSpec& paper = item.book->paper;
    const ItemOutcome& outcome = item.book->outcome(item.item());
    WrittenItem written;
    try {
      written = write_item(into_, paper, outcome, item.book->judge());
    } catch (const CannotWrite& failure) {  // at least it is seen
      failure_.guard([&] { throw failure; });
      out_ << page_markdown(paper, outcome) << "\n";
      return;
    }
    if (!written.not_drawn.empty())
      err_ << fmt::format("daemark reproduce: {}: {}\n", item.name(), written.not_drawn);
    // A cell without an outcome may have one another time, and a figure may be drawn.
    const std::vector<std::string> none = without_outcome(item);
    if (!none.empty()) no_outcome_[item.name()] = none;
    if (!options_.check && item.written && none.empty() && written.not_drawn.empty())
      stamp_.set(item.name(), inputs_of(item), written.files);
  }

  /// Pages of all papers, reference states, times and provenance.
  void write_the_rest(bool at_end, const std::vector<PlannedItem*>& ready) {
    failure_.guard([&] {
      const auto files = write_summary(plan_.books, into_, plan_.faults, damage_);
      std::vector<FixedCell> cells;
      for (const PlannedItem* item : ready)
        for (const PlannedCell& planned : item->cells) cells.push_back(planned.cell);
      publish_references(cells);
      if (at_end && plan_.faults.empty() && damage_.empty() && !failure_.failed())
        stamp_.set("summary", "", files);
      stamp_.save();
      const std::string seen = services_.provenance().dump(2) + "\n";
      for (const PlannedItem* item : ready)
        write_local(options_.results, item->book->paper, item->item(), item->book->judge(), seen);
    });
  }

  std::vector<FixedCell> not_finished(const std::vector<PlannedCell>& cells) const {
    std::vector<FixedCell> left;
    for (const PlannedCell& planned : cells)
      if (!stays(planned) && (options_.fresh || !study_.cache().has(planned.key)))
        left.push_back(planned.cell);
    return left;
  }

  void announce(const std::vector<FixedCell>& cells) const {
    Forecast forecast = study_.forecast();
    for (const Cell& cell : cells) forecast.expect(Forecast::cost_class_of(cell), cost_guess(cell));
    out_ << fmt::format("short cells done, tables and report written; {} long cells follow",
                        cells.size());
    if (forecast.knows()) out_ << ", " << text_of(forecast.left({}, thread_count(options_.jobs)));
    out_ << std::endl;  // before they run
  }

  const ReproduceOptions& options_;
  const Services& services_;
  std::ostream &out_, &err_;
  Plan plan_;
  std::set<std::string> asked_;  ///< items without a fault when they were read
  Stamp stamp_;
  Study study_;
  std::set<std::string> others_;  ///< canonical, of another version of a library
  std::optional<ScratchFolder> scratch_;
  fs::path into_;                                               ///< where files are written
  Damage damage_;                                               ///< of items that are not made now
  std::map<std::string, std::vector<std::string>> no_outcome_;  ///< by item: cells and status
  KeptFailure failure_;  ///< results that could not be written
};

}  // namespace

int reproduce(const ReproduceOptions& options, const Services& services, std::ostream& out,
              std::ostream& err) {
  return Reproduction(options, services, out, err).run();
}

}  // namespace daemark
