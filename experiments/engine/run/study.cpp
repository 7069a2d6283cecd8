#include "experiments/engine/run/study.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "base/program/build_info.hpp"
#include "base/program/digest.hpp"
#include "base/program/paths.hpp"
#include "base/text/counted.hpp"
#include "base/text/shell_word.hpp"
#include "experiments/cells/support/cell_kind.hpp"
#include "experiments/cells/support/cell_store.hpp"

namespace daemark {
namespace {

std::string renderer_digest() {
  std::string text;
  for (const auto& [path, sum] : source_graph().closure({"experiments/engine/reproduce.cpp"}))
    text += path + " " + sum + "\n";
  return digest(text);
}

std::string processor() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != line.npos) return line.substr(colon + 2);
  }
  return "unknown";
}

/// Revision and whether the work tree differs from it, by one call of git: comparing files with the
/// index is its business.
struct SourceState {
  std::string revision = "unknown";
  bool dirty = false;
};

SourceState source_state() {
  if (!std::filesystem::exists(source_root() / ".git")) return {};
  std::istringstream lines(output_of("git --no-optional-locks -C " +
                                     shell_word(source_root().string()) +
                                     " status --porcelain=v2 --branch --no-ahead-behind "
                                     "2>/dev/null"));
  const std::string head = "# branch.oid ";
  SourceState state;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(head) && line != head + "(initial)")
      state.revision = line.substr(head.size());
    state.dirty = state.dirty || !line.starts_with("# ");
  }
  return state;
}

}  // namespace

std::string output_of(const std::string& command) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string text;
  std::array<char, 4096> block{};
  while (const std::size_t got = pipe ? std::fread(block.data(), 1, block.size(), pipe.get()) : 0)
    text.append(block.data(), got);
  return text;
}

nlohmann::json provenance() {
  const SourceState source = source_state();
  nlohmann::json libraries = nlohmann::json::object();
  for (const auto& [name, version] : library_versions()) libraries[name] = version;
  return {{"revision", source.revision}, {"dirty", source.dirty}, {"compiler", compiler()},
          {"flags", compiler_flags()},   {"build", build_type()}, {"libraries", libraries},
          {"cpu", processor()}};
}

Services catalogue_services() {
  return {[](const Cell& cell) { return kind_of(cell).run(cell); }, sources_digest,
          renderer_digest(), provenance};
}

RunnerReport Study::run(const std::vector<FixedCell>& cells,
                        const std::map<std::string, std::set<std::string>>& series) {
  constexpr const char* kept = "finished cells are kept; the same command goes on from there";
  InterruptGuard guard;
  const OnInterrupt on_interrupt([] { return kept; });
  RunnerReport found = run_cells(cells, services_.run_cell, services_.sources, cache_,
                                 {.jobs = options_.jobs,
                                  .fresh = options_.fresh,
                                  .short_only = options_.short_only,
                                  .progress = options_.progress,
                                  .time_limit = options_.time_limit,
                                  .forecast = total_.forecast,
                                  .series = series,
                                  .stop = &guard.flag()});
  total_.computed += found.computed, total_.reused += found.reused;
  total_.left_out += found.left_out, total_.unfinished = found.unfinished;
  total_.interrupted = total_.interrupted || found.interrupted;
  total_.forecast = found.forecast;
  if (!total_.cache_failure.failed()) total_.cache_failure = found.cache_failure;
  return found;
}

std::optional<int> Study::ends() const {
  if (total_.interrupted) {
    say_interrupted(
        "daemark " + options_.command,
        fmt::format("{} kept, {} remain; the same command goes on from there",
                    counted(total_.computed + total_.reused, "cell"), total_.unfinished));
    return interrupted_status();
  }
  return Split::active() != nullptr ? std::optional(0) : std::nullopt;
}

}  // namespace daemark
