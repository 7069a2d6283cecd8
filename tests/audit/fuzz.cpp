#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <future>
#include <iostream>
#include <map>
#include <mutex>
#include <thread>

#include "base/program/progress.hpp"
#include "base/program/write_file.hpp"
#include "base/text/printable.hpp"
#include "experiments/terminal/progress_line.hpp"
#include "tests/audit/audit.hpp"
#include "tests/audit/fuzz_calls.hpp"

namespace daemark::audit {
namespace {

constexpr double largest = 1e9;

/// Whether a file that was being written is left behind.
bool has_draft(const std::string& folder) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".part") return true;
  return false;
}

/// What is wrong with how a call ended; empty if nothing is.
std::string fault_of(const ChildCall& call, const ChildEnd& end) {
  const bool at_once = end.stopped && end.signal == call.signal;  // before it listens
  if (end.signal != 0 && !at_once) return fmt::format("ended by signal {}", strsignal(end.signal));
  if (end.hung) return fmt::format("silent for {} s", call.silent);
  if (end.deaf) return fmt::format("did not stop within {} s", call.grace);
  const bool as_asked = end.stopped && end.status == 128 + call.signal;
  if (end.stopped && has_draft(call.folder)) return "left a draft";
  if (!as_asked && !at_once && (end.status < 0 || end.status > 2))
    return fmt::format("status {}", end.status);
  if (end.resident > largest || end.err.find("out of memory") != end.err.npos)
    return fmt::format("took {:.2g} GB", end.resident / 1e9);
  if (end.status == 2 && end.err.empty()) return "refused without a word";
  if (end.status == 2 && end.err.find(": failed: ") != end.err.npos) return "an internal failure";
  const bool json = std::count(call.arguments.begin(), call.arguments.end(), "--json") > 0;
  if (json && end.status < 2 && !end.stopped && end.out.find("--help") == end.out.npos &&
      !nlohmann::json::accept(end.out))
    return "--json gave no JSON value";
  return "";
}

/// What the calls made so far have shown; a fault is told when it is found.
class Tally {
 public:
  explicit Tally(Outcome& out) : out_(out) {}

  void add(std::uint64_t index, const ChildCall& call, const ChildEnd& end) {
    const std::lock_guard lock(one_at_a_time_);
    ++out_.compared;
    ++of_kind_[FuzzGround::kind_of(index)];
    ++ends_[end.status];
    stopped_ += end.stopped ? 1 : 0;
    longest_ = std::max(longest_, end.seconds);
    most_ = std::max(most_, end.resident);
    const std::string fault = fault_of(call, end);
    if (fault.empty()) return;
    constexpr std::size_t shown = 200;
    out_.differences.push_back(fmt::format("call {} ({}): {}: {} [{}]", index,
                                           FuzzGround::kind_of(index), fault,
                                           shell_line(call.arguments), printable(end.err, shown)));
    fmt::print(stderr, "{}\n", out_.differences.back());
  }

  void write_notes() {
    std::sort(out_.differences.begin(), out_.differences.end());
    for (const auto& [kind, number] : of_kind_)
      out_.notes.push_back(fmt::format("{} {}", number, kind));
    for (const auto& [status, number] : ends_)
      out_.notes.push_back(fmt::format("{} with status {}", number, status));
    out_.notes.push_back(
        fmt::format("{} asked to stop; the longest took {:.0f} s, the largest {:.2g} GB", stopped_,
                    longest_, most_ / 1e9));
  }

 private:
  Outcome& out_;
  std::mutex one_at_a_time_;
  std::map<std::string, int> of_kind_;
  std::map<int, int> ends_;
  int stopped_ = 0;
  double longest_ = 0, most_ = 0;
};

}  // namespace

Outcome fuzz(std::uint64_t count, std::uint64_t first) {
  Outcome out;
  Tally tally(out);
  std::atomic<std::uint64_t> next = 0, done = 0;
  const auto work = [&] {
    const ScratchFolder folder;
    FuzzGround ground(folder.path());
    for (std::uint64_t i = next++; i < count; i = next++) {
      const ChildCall call = ground.call(first + i);
      tally.add(first + i, call, run_child(call));
      ++done;
    }
  };
  const ProgressLine progress(std::cerr, "fuzz");
  std::vector<std::future<void>> workers;
  for (unsigned core = 0; core < std::max(1U, std::thread::hardware_concurrency()); ++core)
    workers.push_back(std::async(std::launch::async, work));
  for (const std::future<void>& worker : workers)
    while (worker.wait_for(std::chrono::milliseconds(500)) != std::future_status::ready)
      tell_progress("calls", static_cast<double>(done) / static_cast<double>(count));
  for (std::future<void>& worker : workers) worker.get();
  tally.write_notes();
  return out;
}

}  // namespace daemark::audit
