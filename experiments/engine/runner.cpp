#include "experiments/engine/runner.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <exception>
#include <mutex>
#include <set>
#include <thread>

#include "base/text/call.hpp"

namespace daemark {
namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "set from a signal handler");

extern "C" void on_signal(int) {
  if (interrupted.exchange(true)) _exit(2);
}

struct sigaction old_interrupt, old_terminate;

struct Work {
  Cell cell;
  std::string name, key;
  double cost = 0;
};

/// Cells to compute, the most expensive first; ties in the order of their names.
void order_by_cost(std::vector<Work>& work) {
  std::sort(work.begin(), work.end(), [](const Work& a, const Work& b) {
    if (a.cell.is_long != b.cell.is_long) return a.cell.is_long;
    return a.cost != b.cost ? a.cost > b.cost : a.name < b.name;
  });
}

class Progress {
 public:
  Progress(bool shown, std::size_t cells, double cost)
      : shown_(shown), cells_(cells), cost_(cost), start_(std::chrono::steady_clock::now()) {}

  void finished(double cost) {  // called under the pool's lock
    ++done_;
    done_cost_ += cost;
    if (!shown_) return;
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    const double left = done_cost_ > 0 ? seconds * (cost_ - done_cost_) / done_cost_ : 0;
    const std::string text = fmt::format("\r{}/{} cells, {:.0f} s, about {:.0f} s left   ", done_,
                                         cells_, seconds, left);
    std::fputs(text.c_str(), stderr);
    std::fflush(stderr);
  }

  ~Progress() {
    if (shown_ && done_ > 0) std::fputs("\r\033[K", stderr);
  }

 private:
  bool shown_;
  std::size_t cells_, done_ = 0;
  double cost_, done_cost_ = 0;
  std::chrono::steady_clock::time_point start_;
};

/// Threads that take the next cell until none is left, one throws, or `stop` is set.
class Pool {
 public:
  Pool(const std::vector<Work>& work, const RunCell& run, const CellCache& cache,
       const RunnerOptions& options, RunnerReport& report, Progress& progress)
      : work_(work),
        run_(run),
        cache_(cache),
        options_(options),
        report_(report),
        progress_(progress) {}

  void go() {
    const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    const std::size_t jobs = options_.jobs != 0 ? options_.jobs : cores;
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < std::min(jobs, work_.size()); ++i) {
      threads.emplace_back([this] { take(); });
    }
    threads.clear();  // joins
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  bool stopped() const { return failed_ || (options_.stop != nullptr && *options_.stop); }

  void take() {
    while (!stopped()) {
      const std::size_t index = next_.fetch_add(1);
      if (index >= work_.size()) return;
      try {
        const Work& work = work_[index];
        CellResult result = run_(work.cell);
        cache_.store(work.key, work.cell, result);
        const std::lock_guard lock(mutex_);
        report_.results[work.name] = std::move(result);
        ++report_.computed;
        progress_.finished(work.cost);
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!failure_) failure_ = std::current_exception();
        failed_ = true;
      }
    }
  }

  const std::vector<Work>& work_;
  const RunCell& run_;
  const CellCache& cache_;
  const RunnerOptions& options_;
  RunnerReport& report_;
  Progress& progress_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> failed_{false};
  std::mutex mutex_;
  std::exception_ptr failure_;
};

}  // namespace

double cost_guess(const Cell& cell) {
  double steps = 0;
  try {
    const double t_end = Expression::parse(cell.t_end, "t_end").eval<double>();
    for (const std::string& h : cell.h) steps += t_end / Expression::parse(h, "h").eval<double>();
  } catch (const std::exception&) {  // malformed numbers are refused where the cell is run
    return 0;
  }
  const double precision = cell.precision == "double" ? 1 : cell.precision == "quad" ? 20 : 60;
  double stages = 4;
  for (const CallArgument& argument : parse_call(cell.method, "method").arguments) {
    if (argument.value.kind != CallValue::Kind::expression) continue;
    const bool counts = argument.key.empty() || argument.key == "r" || argument.key == "s";
    if (counts) stages = std::max(1.0, argument.value.expression.eval<double>());
  }
  return steps * precision * stages;
}

RunnerReport run_cells(const std::vector<Cell>& cells, const RunCell& run, const SourcesOf& sources,
                       const CellCache& cache, const RunnerOptions& options) {
  RunnerReport report;
  std::vector<Work> work;
  std::set<std::string> seen;
  double cost = 0;
  for (const Cell& cell : cells) {
    const std::string name = canonical(cell);
    if (!seen.insert(name).second) continue;
    if (cell.is_long && options.short_only) {
      ++report.left_out;
      continue;
    }
    const std::string key = cell_key(cell, sources);
    std::optional<CellResult> known;
    if (!options.fresh) known = cache.load(key);
    if (known) {
      report.results[name] = std::move(*known);
      ++report.reused;
      continue;
    }
    work.push_back({cell, name, key, cost_guess(cell)});
    cost += work.back().cost;
  }
  order_by_cost(work);
  {
    Progress progress(options.progress, work.size(), cost);
    Pool(work, run, cache, options, report, progress).go();
  }
  report.unfinished = static_cast<int>(work.size()) - report.computed;
  report.interrupted = report.unfinished > 0;
  return report;
}

InterruptGuard::InterruptGuard() {
  interrupted = false;
  struct sigaction action = {};
  action.sa_handler = on_signal;
  sigaction(SIGINT, &action, &old_interrupt);
  sigaction(SIGTERM, &action, &old_terminate);
}

InterruptGuard::~InterruptGuard() {
  sigaction(SIGINT, &old_interrupt, nullptr);
  sigaction(SIGTERM, &old_terminate, nullptr);
}

std::atomic<bool>& InterruptGuard::flag() { return interrupted; }

}  // namespace daemark
