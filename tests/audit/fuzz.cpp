#include <fmt/format.h>

#include <csignal>
#include <cstring>
#include <map>

#include "base/program/scratch_folder.hpp"
#include "base/text/printable.hpp"
#include "tests/audit/audit.hpp"
#include "tests/audit/fuzz_calls.hpp"

namespace daemark::audit {
namespace {

constexpr double largest = 1e9;

/// What is wrong with how a call ended; empty if nothing is.
std::string fault_of(const ChildCall& call, const ChildEnd& end) {
  if (end.signal != 0) return fmt::format("ended by signal {}", strsignal(end.signal));
  if (end.hung) return fmt::format("silent for {} s", call.silent);
  if (end.deaf) return fmt::format("did not stop within {} s", call.grace);
  if (end.status < 0 || end.status > 2) return fmt::format("status {}", end.status);
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

}  // namespace

Outcome fuzz(std::uint64_t count, std::uint64_t first) {
  Outcome out;
  const ScratchFolder folder;
  FuzzGround ground(folder.path());
  std::map<std::string, int> of_kind;
  std::map<int, int> ends;
  int stopped = 0;
  double longest = 0, most = 0;
  for (std::uint64_t index = first; index < first + count; ++index) {
    const ChildCall call = ground.call(index);
    const ChildEnd end = run_child(call);
    ++out.compared;
    ++of_kind[FuzzGround::kind_of(index)];
    ++ends[end.status];
    stopped += end.stopped ? 1 : 0;
    longest = std::max(longest, end.seconds);
    most = std::max(most, end.resident);
    const std::string fault = fault_of(call, end);
    if (fault.empty()) continue;
    constexpr std::size_t shown = 200;
    out.differences.push_back(fmt::format("call {} ({}): {}: {} [{}]", index,
                                          FuzzGround::kind_of(index), fault,
                                          shell_line(call.arguments), printable(end.err, shown)));
  }
  for (const auto& [kind, number] : of_kind)
    out.notes.push_back(fmt::format("{} {}", number, kind));
  for (const auto& [status, number] : ends)
    out.notes.push_back(fmt::format("{} with status {}", number, status));
  out.notes.push_back(
      fmt::format("{} asked to stop; the longest took {:.0f} s, the largest {:.2g} GB", stopped,
                  longest, most / 1e9));
  return out;
}

}  // namespace daemark::audit
