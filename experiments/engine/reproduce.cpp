#include "experiments/engine/reproduce.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <ostream>
#include <set>

#include "base/program/file_lock.hpp"
#include "base/program/scratch_folder.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/near.hpp"
#include "experiments/engine/check/check.hpp"
#include "experiments/engine/plan/target.hpp"
#include "experiments/engine/run/records.hpp"
#include "experiments/engine/run/stamp.hpp"
#include "experiments/engine/write/book.hpp"

namespace daemark {
namespace {

namespace fs = std::filesystem;

/// Papers and items asked for; no items: all of the paper. Throws BadInput for papers that do not
/// exist.
std::map<std::string, std::set<std::string>> asked_for(const ReproduceOptions& options) {
  const std::vector<std::string> papers = paper_ids(options.experiments);
  std::map<std::string, std::set<std::string>> asked;
  if (options.selection.empty()) {
    for (const std::string& paper : papers) asked[paper];
  }
  std::set<std::string> whole;
  for (const std::string& text : options.selection) {
    const std::size_t slash = text.find('/');
    const std::string paper = text.substr(0, slash);
    if (std::count(papers.begin(), papers.end(), paper) == 0) {
      throw BadInput(fmt::format("no paper '{}'{}; accepted: {} or PAPER/ITEM", paper,
                                 did_you_mean(paper, papers), fmt::join(papers, ", ")));
    }
    if (slash == std::string::npos) whole.insert(paper);
    asked[paper].insert(slash == std::string::npos ? "" : text.substr(slash + 1));
  }
  for (const std::string& paper : whole) asked[paper].clear();
  return asked;
}

/// Everything the files of an item depend on.
std::string inputs_of(const Book& book, const ItemSpec& item, const Services& services,
                      bool short_only) {
  std::string text = services.renderer + (short_only ? " short " : " all ") +
                     digest(book.paper.title + book.paper.citation);
  for (const EditionSpec& edition : book.paper.editions) text += edition.id + edition.label;
  const auto add = [&](const ItemSpec& used) {
    text += "\n" + used.id + " " + used.digest;
    for (const FixedCell& cell : cells_of(used)) {
      try {
        text += " " + cell_key(cell, services.sources);
      } catch (const BadInput& refusal) {
        throw BadInput(place_of(used, cell) + ": " + refusal.what());
      }
    }
  };
  add(item);
  for (const std::string& other : item.references) add(book.item(other));
  return digest(text);
}

class Reproduction {
 public:
  Reproduction(const ReproduceOptions& options, const Services& services, std::ostream& out,
               std::ostream& err)
      : options_(options),
        services_(services),
        out_(out),
        err_(err),
        stamp_(options.results),
        cache_(options.results / ".cache"),
        into_(options.check ? scratch_.emplace().path() : options.results) {}

  int run() {
    const auto asked = asked_for(options_);
    remove_dead_drafts(options_.results);
    Stale stale;
    if (nothing_to_do(asked, stale)) return end(0);
    std::unique_ptr<FileLock> lock;
    failure_.guard([&] {  // where nobody can write, results are shown all the same
      lock.reset(new FileLock(lock_results(options_.results, "daemark reproduce", err_)));
    });
    stamp_ = Stamp(options_.results);  // as another run may have left it while this one waited
    stale.clear(), faults_.clear();
    if (nothing_to_do(asked, stale)) return end(0);
    read_all(stale);
    const std::vector<FixedCell> short_cells = cells_of_class(false),
                                 long_cells = cells_of_class(true);
    if (!compute(short_cells)) return 2;
    const std::vector<FixedCell> to_come = not_finished(long_cells);
    if (!to_come.empty() && !options_.short_only && !options_.check) {
      write(false);
      announce(to_come);
    }
    if (!compute(long_cells)) return 2;
    write(true);
    if (options_.check) {
      const int status = check_results(targets_, options_.results, into_,
                                       options_.selection.empty() && faults_.empty(), out_);
      return end(status);
    }
    if (!targets_.empty() || faults_.empty())
      out_ << fmt::format(
          "{} items: {} cells computed, {} taken from earlier runs, {} left out (long)\n",
          targets_.size(), total_.computed, total_.reused, total_.left_out);
    return end(0);
  }

 private:
  using Asked = std::map<std::string, std::set<std::string>>;
  using Stale = std::map<std::string, std::string>;  ///< PAPER/ITEM → inputs

  bool nothing_to_do(const Asked& asked, Stale& stale) {
    const std::size_t items = find_stale(asked, stale);
    if (!stale.empty() || !stamp_.current("summary", "")) return false;
    if (faults_.empty()) out_ << fmt::format("nothing to do: {} items are up to date\n", items);
    return true;
  }

  /// Does `work` for a paper; what is wrong with it stops this paper only.
  template <class Work>
  void guarded(const std::string& paper, Work&& work) {
    if (faults_.contains(paper)) return;
    try {
      work();
    } catch (const BadInput& fault) {
      faults_.emplace(paper, fault.what());
    }
  }

  int end(int status) {
    for (const auto& [paper, fault] : faults_)
      err_ << fmt::format("daemark reproduce: {}\n", fault);
    for (const std::string& line : damage_lines(damage_))
      err_ << fmt::format("daemark reproduce: {}\n", line);
    if (failure_.failed()) err_ << fmt::format("daemark reproduce: {}\n", failure_.what());
    return faults_.empty() && damage_.empty() && !failure_.failed() ? status : 2;
  }

  /// Reads what is asked for and nothing else; returns the number of items.
  std::size_t find_stale(const Asked& asked, Stale& stale) {
    std::size_t count = 0;
    for (const auto& [paper, items] : asked) {
      require_items(paper, items);
      guarded(paper, [&, &paper = paper, &items = items] {
        Book& book = read_[paper];
        if (book.items.empty())
          book = read_book(options_.experiments, paper, items, std::move(book));
        Stale own;
        for (const ItemSpec& item : book.items) {
          const std::string name = paper + "/" + item.id;
          const std::string inputs = inputs_of(book, item, services_, options_.short_only);
          if (options_.check || options_.fresh || !stamp_.current(name, inputs)) own[name] = inputs;
        }
        count += book.items.size();
        stale.merge(own);
      });
    }
    return count;
  }

  /// What the user names must exist; everything else is the paper's own fault.
  void require_items(const std::string& paper, const std::set<std::string>& items) {
    if (read_.contains(paper)) return;
    guarded(paper, [&] { read_[paper].paper = read_paper(options_.experiments / paper); });
    for (const std::string& item : items)
      if (read_.contains(paper)) require_item(read_[paper].paper, item);
  }

  /// All papers, since the summary is of all of them.
  void read_all(const Stale& stale) {
    for (const std::string& paper : paper_ids(options_.experiments))
      guarded(paper, [&] {
        books_.push_back(read_book(options_.experiments, paper, {}, std::move(read_[paper])));
      });
    for (Book& book : books_) {
      for (const ItemSpec& item : book.items) {
        const auto inputs = stale.find(book.paper.id + "/" + item.id);
        if (inputs != stale.end()) targets_.push_back({&book, &item, inputs->second});
      }
    }
  }

  /// Each once; what is short in one item and long in another is short.
  std::vector<FixedCell> cells_of_class(bool is_long) const {
    std::map<std::string, FixedCell> cells;
    for (const ItemTarget& target : targets_) {
      for (const FixedCell& cell : cells_of(*target.item)) {
        FixedCell& known = cells.try_emplace(canonical(cell), cell).first->second;
        if (known->is_long && !cell->is_long) known = cell;
      }
    }
    std::vector<FixedCell> out;
    for (const auto& [name, cell] : cells)
      if (cell->is_long == is_long) out.push_back(cell);
    return out;
  }

  /// False if interrupted.
  bool compute(const std::vector<FixedCell>& cells) {
    InterruptGuard guard;
    RunnerReport run = run_cells(cells, services_.run_cell, services_.sources, cache_,
                                 {.jobs = options_.jobs,
                                  .fresh = options_.fresh,
                                  .short_only = options_.short_only,
                                  .progress = options_.progress,
                                  .time_limit = options_.time_limit,
                                  .forecast = total_.forecast,
                                  .stop = &guard.flag()});
    total_.computed += run.computed;
    total_.reused += run.reused;
    total_.left_out += run.left_out;
    total_.forecast = run.forecast;
    failure_.guard([&] { run.cache_failure.raise(); });
    if (run.interrupted) {
      err_ << fmt::format(
          "interrupted: {} cells are kept, {} remain; the same command goes on from there\n",
          total_.computed + total_.reused, run.unfinished);
      return false;
    }
    for (const ItemTarget& target : targets_) {
      for (const FixedCell& cell : cells_of(*target.item)) {
        if (const auto refusal = run.refused.find(canonical(cell)); refusal != run.refused.end())
          faults_.try_emplace(target.book->paper.id,
                              place_of(*target.item, cell) + ": " + refusal->second);
        const auto found = run.results.find(canonical(cell));
        if (found == run.results.end()) continue;
        CellResult& result = target.book->results[found->first] = found->second;
        result.sources = version_of(cell);
      }
    }
    return true;
  }

  /// Of the sources a cell uses as they are.
  std::string version_of(const Cell& cell) const {
    constexpr std::size_t length = 16;
    return services_.sources(cell).substr(0, length);
  }

  /// What an item leaves out (--short) stays as its records have it, marked where it is of other
  /// sources than these.
  void keep_known(ItemTarget& target) {
    Results& results = target.book->results;
    if (all_there(*target.book, *target.item)) return;
    Records known = read_records(*target.item, options_.results);
    for (const FixedCell& cell : cells_of(*target.item)) {
      auto kept = known.results.extract(canonical(cell));
      if (kept.empty() || results.contains(canonical(cell))) continue;
      kept.mapped().kept = kept.mapped().sources != version_of(cell);
      results.insert(std::move(kept));
    }
    if (all_there(*target.book, *target.item) || !is_made(*target.item, options_.results)) return;
    for (const std::string& line : known.damage)
      err_ << fmt::format("daemark reproduce: {}: left out\n", line);
  }

  static bool all_there(const Book& book, const ItemSpec& item) {
    const auto cells = cells_of(item);
    return std::all_of(cells.begin(), cells.end(), [&](const FixedCell& cell) {
      return book.results.contains(canonical(cell));
    });
  }

  /// With every result of its own and of the items its claims refer to.
  static bool is_whole(const ItemTarget& target) {
    const Book& book = *target.book;
    const auto& others = target.item->references;
    return all_there(book, *target.item) &&
           std::all_of(others.begin(), others.end(),
                       [&](const std::string& id) { return all_there(book, book.item(id)); });
  }

  static bool timed_out(const ItemTarget& target) {
    const auto cells = cells_of(*target.item);
    return std::any_of(cells.begin(), cells.end(), [&](const FixedCell& cell) {
      const auto found = target.book->results.find(canonical(cell));
      return found != target.book->results.end() && found->second.status == "timed_out";
    });
  }

  /// The files of the items and of the whole. Before the end, an item whose long cells are to come
  /// keeps the files it has.
  void write(bool at_end) {
    std::map<const Book*, std::set<std::string>> anew;
    std::vector<ItemTarget*> ready;
    for (ItemTarget& target : targets_) {
      const bool whole = at_end || is_whole(target);
      const bool has_files = is_made(*target.item, into_);
      if (target.written || whole || !has_files) anew[target.book].insert(target.item->id);
      if (target.written || (!whole && has_files)) continue;
      target.written = whole;
      ready.push_back(&target);
    }
    damage_.clear();
    for (const Book& book : books_) book.forget();
    for (Book& book : books_) damage_.merge(read_known(book, options_.results, anew[&book]));
    if (at_end)
      for (ItemTarget* target : ready) keep_known(*target);
    std::vector<FixedCell> cells;
    for (const ItemTarget* target : ready) {
      guarded(target->book->paper.id, [&] {
        const ItemOutcome& outcome = target->book->outcome(*target->item);
        WrittenItem written;
        try {
          written = write_item(into_, target->book->paper, outcome, target->book->judge());
        } catch (const CannotWrite& failure) {  // at least it is seen
          failure_.guard([&] { throw failure; });
          out_ << page_markdown(target->book->paper, outcome) << "\n";
          return;
        }
        if (!written.not_drawn.empty())
          err_ << fmt::format("daemark reproduce: {}: {}\n", target->name(), written.not_drawn);
        // A cell without time enough may end another time, and a figure may be drawn.
        if (!options_.check && target->written && !timed_out(*target) && written.not_drawn.empty())
          stamp_.set(target->name(),
                     inputs_of(*target->book, *target->item, services_, options_.short_only),
                     written.files);
      });
      for (const FixedCell& cell : cells_of(*target->item)) cells.push_back(cell);
    }
    if (options_.check) return;
    failure_.guard([&] {
      const auto files = write_summary(books_, into_, faults_, damage_);
      publish_references(cells);
      if (at_end && faults_.empty() && damage_.empty() && !failure_.failed())
        stamp_.set("summary", "", files);
      stamp_.save();
      write_local(options_.results, ready, services_);
    });
  }

  std::vector<FixedCell> not_finished(const std::vector<FixedCell>& cells) const {
    std::vector<FixedCell> left;
    for (const FixedCell& cell : cells) {
      if (options_.fresh || !cache_.has(cell_key(cell, services_.sources))) left.push_back(cell);
    }
    return left;
  }

  void announce(const std::vector<FixedCell>& cells) const {
    Forecast forecast = total_.forecast;
    for (const Cell& cell : cells) forecast.expect(Forecast::kin_of(cell), cost_guess(cell));
    out_ << fmt::format("short cells done, tables and report written; {} long cells follow",
                        cells.size());
    if (forecast.knows())
      out_ << fmt::format(", about {:.0f} s", forecast.left() / thread_count(options_.jobs));
    out_ << std::endl;  // before they run
  }

  const ReproduceOptions& options_;
  const Services& services_;
  std::ostream &out_, &err_;
  Stamp stamp_;
  CellCache cache_;
  std::optional<ScratchFolder> scratch_;
  fs::path into_;                     ///< where files are written
  std::map<std::string, Book> read_;  ///< what is asked for, until all is read
  std::vector<Book> books_;
  std::vector<ItemTarget> targets_;
  PaperFaults faults_;
  Damage damage_;        ///< of items that are not made now
  KeptFailure failure_;  ///< results that could not be written
  RunnerReport total_;   ///< its counts
};

}  // namespace

int reproduce(const ReproduceOptions& options, const Services& services, std::ostream& out,
              std::ostream& err) {
  return Reproduction(options, services, out, err).run();
}

}  // namespace daemark
