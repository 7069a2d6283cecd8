// The estimated time remaining of long calls against the actual time.
#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <regex>

#include "base/program/paths.hpp"
#include "base/program/write_file.hpp"
#include "tests/audit/audit.hpp"
#include "tests/audit/child.hpp"

namespace daemark::audit {
namespace {

constexpr double shortest = 8;  // [s]: of shorter calls nobody asks how long they take

/// Seconds in the middle of the last "... left" of `said`, as wrong by a factor below as above.
std::optional<double> last_told(const std::string& said) {
  static const std::regex told("(?:about |([0-9.]+) to )([0-9.]+) (s|min|h) left");
  std::optional<double> last;
  for (std::sregex_iterator at(said.begin(), said.end(), told), end; at != end; ++at) {
    const double high = std::stod((*at)[2]), low = (*at)[1].matched ? std::stod((*at)[1]) : high;
    const std::string unit = (*at)[3];
    last = std::sqrt(low * high) * (unit == "s" ? 1 : unit == "min" ? 60 : 3600);
  }
  return last;
}

/// Of every kind: one integration, several, a reference, cells of papers, proofs.
std::vector<std::vector<std::string>> long_calls() {
  return {
      {"run", "--problem", "four_bar(loops=200)", "--formulation", "index2", "--method", "bdf(2)",
       "--h", "1/10000", "--t-end", "4"},
      {"converge", "radau_iia(3)", "--problem", "andrews_squeezer", "--formulation", "index2",
       "--h", "1/20000,1/40000,1/80000,1/160000", "--t-end", "1/10"},
      {"reference", "andrews_squeezer", "--t", "1/10", "--digits", "40"},
      {"reproduce", "zhang2022", "--short"},
      {"compare", "gauss(2)", "--problem", "andrews_squeezer,two_link,four_bar"},
      {"verify"},
  };
}

}  // namespace

Outcome times() {
  Outcome out;
  for (std::vector<std::string> words : long_calls()) {
    const ScratchFolder folder;
    ChildCall call;
    words.insert(words.begin(), DAEMARK_BINARY);
    call.arguments = words;
    call.folder = folder.path().string();
    call.environment = {{"DAEMARK_RESULTS", (folder.path() / "results").string()},
                        {"DAEMARK_ROOT", source_root().string()}};
    call.memory = 4e9, call.longest = 900;
    const ChildEnd end = run_child(call);
    const std::string name = shell_line({words.begin() + 1, words.end()});
    if (end.status != 0) out.differences.push_back(fmt::format("{}: status {}", name, end.status));
    if (end.status != 0 || end.seconds < shortest) {
      ++out.skipped;
      out.notes.push_back(fmt::format("{:.0f} s: {}", end.seconds, name));
      continue;
    }
    std::string ratios;
    for (const double part : {0.25, 0.5, 0.75}) {
      std::size_t said = 0;
      for (const auto& [when, size] : end.heard)
        if (when <= part * end.seconds) said = size;
      const std::optional<double> told = last_told(end.err.substr(0, said));
      const double ratio = told.value_or(0) / ((1 - part) * end.seconds);
      ratios += fmt::format(" {:.2f}", ratio);
      ++out.compared;
      if (ratio < 0.5 || ratio > 2)
        out.differences.push_back(
            fmt::format("{}: {:.0f} % of {:.0f} s: told {:.0f} s, left {:.0f}", name, 100 * part,
                        end.seconds, told.value_or(0), (1 - part) * end.seconds));
    }
    out.notes.push_back(fmt::format("{:.0f} s, told/left{}: {}", end.seconds, ratios, name));
  }
  return out;
}

}  // namespace daemark::audit
