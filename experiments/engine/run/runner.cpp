#include "experiments/engine/run/runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

#include "analysis/exact/numbers/thread_memory.hpp"
#include "base/numbers/thread_caches.hpp"
#include "base/program/progress.hpp"
#include "base/program/stop.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/cells/support/cell_kind.hpp"
#include "experiments/terminal/progress_line.hpp"

namespace daemark {

namespace {

struct Work {
  FixedCell cell;
  std::string cost_class;
  double cost = 0, limit = 0;  ///< limit: processor time [s]
};

/// The most expensive first, so that the threads end together; ties in the order of their names.
/// Before all others one of each cost class, from which the time that is left is known early.
void order_by_cost(std::vector<Work>& work) {
  std::sort(work.begin(), work.end(), [](const Work& a, const Work& b) {
    return a.cost != b.cost ? a.cost > b.cost : canonical(a.cell) < canonical(b.cell);
  });
  std::set<std::string> seen;
  std::stable_partition(work.begin(), work.end(),
                        [&](const Work& one) { return seen.insert(one.cost_class).second; });
}

/// Where a cell that did not end within `limit` is kept: for that limit, not for longer ones.
std::string limited_key(const std::string& key, double limit) {
  return digest(fmt::format("{} within {} s", key, limit));
}

constexpr const char *out_of_memory = "out_of_memory", *not_available = "not_available";

CellResult timed_out(CellResult result, double limit) {
  result.status = "timed_out";
  result.why = fmt::format("not done within {:g} s of processor time (--time-limit)", limit);
  return result;
}

/// The series of a cell that are asked for; null: all.
const std::set<std::string>* series_of(const FixedCell& cell, const RunnerOptions& options) {
  const auto asked = options.series.find(canonical(cell));
  return asked == options.series.end() ? nullptr : &asked->second;
}

/// Drops what is not asked for, and says whether it did. A result that lacks a series which is
/// asked for keeps all, so that it can be told what there is.
bool keep_only(CellResult& result, const std::set<std::string>* series) {
  if (series == nullptr || !has_series(result, *series)) return false;
  return std::erase_if(result.series,
                       [&](const auto& one) { return !series->contains(one.first); }) > 0;
}

/// Threads that take the next cell until none is left, one throws, or `stop` is set. A Watch over
/// each cell stops it when its time is up, or on `stop`.
class Pool {
 public:
  Pool(const std::vector<Work>& work, const RunCell& run, const SourcesOf& sources,
       const CellCache& cache, const RunnerOptions& options, RunnerReport& report)
      : work_(work),
        run_(run),
        sources_(sources),
        cache_(cache),
        options_(options),
        report_(report) {
    report_.forecast = options.forecast;
    for (const Work& one : work) report_.forecast.expect(one.cost_class, one.cost);
    report_.forecast.recall(LearntCosts::read(cache.folder()).seconds);
  }

  void go() {
    const std::size_t count = std::min<std::size_t>(thread_count(options_.jobs), work_.size());
    for (std::size_t i = 0; i < count; ++i) workers_.push_back(std::make_unique<Worker>());
    std::optional<StatusLine> line;
    if (options_.progress && count > 0)
      line.emplace([this](double seconds) { return status(seconds); });
    std::vector<std::jthread> threads;
    for (const auto& worker : workers_) threads.emplace_back([this, &worker] { take(*worker); });
    threads.clear();  // joins
    line.reset();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  struct Worker {
    const Work* work = nullptr;  ///< the cell in work; null between two
    std::chrono::steady_clock::time_point began = {};
    std::atomic<double> part = 0;  ///< of the cell that is done, as its loops tell; 0: they do not
    std::atomic<double> told = 0;  ///< last, of whatever
    std::atomic<double> told_of_reference = 0;
    bool falls = false;        ///< they told one that fell back: that of something smaller
    SharedClock shared;        ///< references are no part of what the cell takes
    double shared_before = 0;  ///< until the cell began [s]

    void hear(double now_told) {
      told.store(now_told, std::memory_order_relaxed);
      told_of_reference.store(shared.at_work() ? now_told : 0, std::memory_order_relaxed);
      if (shared.at_work()) return;
      falls = falls || now_told < part.load(std::memory_order_relaxed);
      part.store(falls ? 0 : now_told, std::memory_order_relaxed);
    }
    double seconds() const {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    }
    double own_seconds() const {
      return std::max(0.0, seconds() - (shared.seconds() - shared_before));
    }
  };

  /// How far all cells are, and the one in work that has taken longest.
  std::string status(double seconds) {
    constexpr double worth_telling = 10;  // [s]
    const std::lock_guard lock(mutex_);
    std::vector<Forecast::Begun> begun;
    const Worker* longest = nullptr;
    double of_reference = 0;  // also of one that another worker computes
    for (const auto& worker : workers_) {
      if (worker->work == nullptr) continue;
      const double shared = worker->shared.seconds() - worker->shared_before;
      begun.push_back({worker->work->cost_class, worker->work->cost, worker->own_seconds(),
                       worker->part, worker->shared.at_work() ? shared : 0,
                       worker->told_of_reference});
      of_reference = std::max(of_reference, worker->told_of_reference.load());
      if (longest == nullptr || worker->began < longest->began) longest = worker.get();
    }
    const std::string cells = fmt::format("{}/{} cells", report_.computed, work_.size());
    const Forecast& forecast = report_.forecast;
    std::string text = status_text(
        cells, -1, seconds,
        forecast.knows(begun) ? text_of(forecast.left(begun, thread_count(options_.jobs))) : "");
    if (longest == nullptr || longest->seconds() < worth_telling) return text;
    const Cell& cell = longest->work->cell;
    text += fmt::format("; {} {}", cell.problem, cell.method);
    const bool waits = longest->shared.at_work();
    const double part = waits ? of_reference : longest->told.load();
    if (waits) text += ", reference";
    if (part > 0) text += fmt::format(" {:.0f} %", 100 * part);
    return text;
  }

  bool stopped() const { return failed_ || (options_.stop != nullptr && *options_.stop); }

  void take(Worker& worker) {
    const SharedClockScope shared(worker.shared);
    free_caches_with_thread();
    while (!stopped()) {
      const std::size_t index = next_.fetch_add(1);
      if (index >= work_.size()) break;
      compute(work_[index], worker);
    }
    free_exact_memory_of_thread();
  }

  void compute(const Work& work, Worker& worker) {
    look_after(worker, &work);
    CellResult result;
    std::optional<Watch> watch(std::in_place, work.limit, nullptr, options_.stop);
    try {
      const ProgressScope told([&worker](const char*, double part) { worker.hear(part); });
      result = run_(work.cell);
      round_series(result);
    } catch (const Stopped&) {
    } catch (const BadInput& refusal) {
      return refuse(work, worker, refusal.what());
    } catch (const std::bad_alloc&) {
      result.status = out_of_memory, result.why = "it needs more memory than there is";
    } catch (...) {
      look_after(worker, nullptr);
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      failed_ = true;
      return;
    }
    look_after(worker, nullptr);
    const double seconds = worker.own_seconds();
    const StopCause ended_by = watch->ended_by();
    watch.reset();
    if (ended_by == StopCause::interrupted) return;
    const bool in_time = ended_by == StopCause::none;
    if (!in_time) result = timed_out(std::move(result), work.limit);
    const bool all_series = !keep_only(result, series_of(work.cell, options_));
    std::string key;  // with the references it computed
    try {
      key = cell_key(work.cell, sources_);
    } catch (const BadInput& refusal) {
      return refuse(work, worker, refusal.what());
    }
    KeptFailure failure;
    failure.guard([&] {
      if (result.status == out_of_memory) return;  // another time there may be more
      cache_.store(in_time ? key : limited_key(key, work.limit), work.cell, result, all_series);
    });
    const std::lock_guard lock(mutex_);
    if (!report_.cache_failure.failed()) report_.cache_failure = failure;
    report_.results[canonical(work.cell)] = std::move(result);
    ++report_.computed;
    report_.forecast.finished(work.cost_class, work.cost, seconds);
  }

  void refuse(const Work& work, Worker& worker, const std::string& why) {
    look_after(worker, nullptr);
    const std::lock_guard lock(mutex_);
    report_.refused[canonical(work.cell)] = why;
    report_.forecast.drop(work.cost_class, work.cost);
  }

  void look_after(Worker& worker, const Work* work) {
    const std::lock_guard lock(mutex_);
    worker.work = work;
    if (work == nullptr) return;
    worker.began = std::chrono::steady_clock::now();
    worker.part = worker.told = worker.told_of_reference = 0, worker.falls = false;
    worker.shared_before = worker.shared.seconds();
  }

  const std::vector<Work>& work_;
  const RunCell& run_;
  const SourcesOf& sources_;
  const CellCache& cache_;
  const RunnerOptions& options_;
  RunnerReport& report_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> failed_{false};
  std::mutex mutex_;
  std::exception_ptr failure_;
};

Split* active_split = nullptr;

/// What run_cells() does under a split.
RunnerReport run_share(Split& split, const std::vector<FixedCell>& cells, const RunCell& run,
                       const SourcesOf& sources, const CellCache& cache,
                       const RunnerOptions& options) {
  std::vector<FixedCell> mine;
  for (const FixedCell& cell : cells) {
    const std::string name = digest(canonical(cell));
    if (split.take) {
      if (split.take->contains(name)) mine.push_back(cell);
      continue;
    }
    const std::string key = cell_key(cell, sources);
    const double limit = options.time_limit > 0 ? options.time_limit : default_time_limit(cell);
    split.keys.insert({key, limited_key(key, limit)});
    if (!options.fresh && cache.has(key)) continue;
    if (cell->is_long && options.short_only) continue;
    if (!split.asked
             .try_emplace(name, Split::Listed{Forecast::cost_class_of(cell), cost_guess(cell),
                                              cell->is_long})
             .second)
      continue;
    for (const std::string& t : missing_references(cell))
      split.references[{cell->problem, t}].push_back(name);
  }
  if (!split.take) return {};
  const SplitScope whole(nullptr);
  RunnerReport report = run_cells(mine, run, sources, CellCache(split.cache), options);
  split.computed += report.computed, split.reused += report.reused;
  report.results.clear();
  return report;
}

}  // namespace

Split* Split::active() { return active_split; }
SplitScope::SplitScope(Split* split) : outer_(active_split) { active_split = split; }
SplitScope::~SplitScope() { active_split = outer_; }

double cost_guess(const Cell& cell) {
  try {
    return kind_of(cell).cost(cell);
  } catch (const BadInput&) {  // refused where the cell is run
    return 0;
  }
}

unsigned thread_count(unsigned jobs) {
  return jobs != 0 ? jobs : std::max(1U, std::thread::hardware_concurrency());
}

double default_time_limit(const Cell& cell) {
  constexpr double short_limit = 900, long_limit = 7200;
  return cell.is_long ? long_limit : short_limit;
}

RunnerReport run_cells(const std::vector<FixedCell>& cells, const RunCell& run,
                       const SourcesOf& sources, const CellCache& cache,
                       const RunnerOptions& options) {
  if (active_split != nullptr) return run_share(*active_split, cells, run, sources, cache, options);
  RunnerReport report;
  std::vector<Work> work;
  std::set<std::string> seen;
  for (const FixedCell& cell : cells) {
    const std::string& name = canonical(cell);
    if (!seen.insert(name).second) continue;
    std::string key;
    try {
      key = cell_key(cell, sources);
    } catch (const BadInput& refusal) {  // a method or problem that does not exist
      report.refused[name] = refusal.what();
      continue;
    }
    const double limit = options.time_limit > 0 ? options.time_limit : default_time_limit(cell);
    std::optional<CellResult> known;
    const std::set<std::string>* series = series_of(cell, options);
    for (const std::string& name_of_file : {key, limited_key(key, limit)}) {
      if (options.fresh || known) break;
      known = cache.load(name_of_file, series);
      if (known && known->status == not_available) known.reset();  // it may be installed by now
      if (known && keep_only(*known, series))                      // from before they were left out
        report.cache_failure.guard([&] { cache.store(name_of_file, cell, *known, false); });
    }
    if (known) {
      report.results[name] = std::move(*known);
      ++report.reused;
      continue;
    }
    if (cell->is_long && options.short_only) {
      ++report.left_out;
      continue;
    }
    work.push_back({cell, Forecast::cost_class_of(cell), cost_guess(cell), limit});
  }
  order_by_cost(work);
  const std::size_t refused_before = report.refused.size();
  Pool(work, run, sources, cache, options, report).go();
  if (report.computed > 0)
    LearntCosts{.seconds = report.forecast.learnt(), .memory = 0}.learn(cache.folder());
  const std::size_t refused = report.refused.size() - refused_before;
  report.unfinished = static_cast<int>(work.size() - refused) - report.computed;
  report.interrupted = report.unfinished > 0;
  return report;
}

}  // namespace daemark
