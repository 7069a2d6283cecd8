#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <thread>

#include "base/program/paths.hpp"
#include "base/program/write_file.hpp"
#include "experiments/cells/support/cell_kind.hpp"
#include "experiments/engine/write/book.hpp"
#include "experiments/spec/names.hpp"
#include "tests/audit/audit.hpp"
#include "tests/audit/child.hpp"

namespace daemark::audit {
namespace {

namespace fs = std::filesystem;

constexpr const char* predictors[] = {"constant", "extrapolated", "hermite2", "hermite4"};

/// How a run ends: the word of `status` on its output; empty where it says none or takes too long.
std::string end_of(const std::string& command) {
  const ScratchFolder folder;
  ChildCall call;
  call.arguments = {
      "/bin/sh", "-c",
      fmt::format("PATH='{}':$PATH; {}", fs::path(DAEMARK_BINARY).parent_path().string(), command)};
  call.folder = folder.path().string();
  call.environment = {{"DAEMARK_ROOT", source_root().string()}};
  call.memory = 4e9, call.longest = call.silent = 600;
  const ChildEnd end = run_child(call);
  const std::size_t at = end.out.find("status ");
  if (end.stopped || end.hung || at == std::string::npos) return "";
  return end.out.substr(at + 7, end.out.find_first_of(": \n", at + 7) - at - 7);
}

struct Asked {
  bool decided;  ///< whether the condition has an answer
  std::string where, row;
  Cell cell;
};

/// The single runs whose ends the claims of a paper ask for.
std::vector<Asked> asked_of(const Book& book) {
  std::vector<Asked> out;
  for (const ItemSpec& item : book.items)
    for (const ClaimOutcome& claim : book.outcome(item).claims)
      for (std::size_t i = 0; i < claim.conditions.size(); ++i)
        for (const std::string& name : claim.claim->conditions[i].names()) {
          if (name.find('.') == std::string::npos) continue;  // a threshold
          const NamedMeasure named = named_measure(book.items, item, item.id, name);
          const Cell& cell = *named.row->cell;
          if (!is_end(named) || cell.method.empty() || cell.h.size() != 1) continue;
          out.push_back({claim.conditions[i].truth.has_value(),
                         fmt::format("{}/{}/{}", item.paper, item.id, claim.claim->id),
                         named.item->id + "." + named.row->id, cell});
        }
  return out;
}

using Ends = std::map<std::string, std::vector<std::string>>;  ///< predictors by how the run ends

/// Of each cell, by its canonical text, with every predictor; on all processors.
std::map<std::string, Ends> ends_of(const std::vector<Asked>& all) {
  struct Run {
    Ends* ends;
    const char* predictor;
    std::string command, end;
  };
  std::map<std::string, Ends> known;
  std::vector<Run> runs;
  for (const Asked& asked : all) {
    const auto [at, is_new] = known.try_emplace(canonical(asked.cell));
    Cell cell = asked.cell;
    for (const char* predictor : predictors) {
      if (!is_new) break;
      cell.settings["predictor"] = predictor;
      runs.push_back({&at->second, predictor, command(cell), ""});
    }
  }
  std::atomic<std::size_t> next = 0;
  std::vector<std::jthread> threads;
  for (unsigned i = 0; i < std::max(1U, std::thread::hardware_concurrency()); ++i)
    threads.emplace_back([&] {
      for (std::size_t k = next++; k < runs.size(); k = next++)
        runs[k].end = end_of(runs[k].command);
    });
  threads.clear();  // joins
  for (const Run& run : runs) (*run.ends)[run.end].push_back(run.predictor);
  return known;
}

}  // namespace

Outcome guesses() {
  Outcome out;
  const auto folder = source_root() / "experiments";
  std::vector<Book> books;
  for (const std::string& paper : paper_ids(folder)) books.push_back(read_book(folder, paper));
  std::vector<Asked> all;
  for (Book& book : books) {
    read_known(book, source_root() / "results", {});
    for (Asked& asked : asked_of(book)) all.push_back(std::move(asked));
  }
  const std::map<std::string, Ends> known = ends_of(all);
  for (const auto& [cell, ends] : known) ++(ends.contains("") ? out.skipped : out.compared);
  for (const Asked& asked : all) {
    const Ends& ends = known.at(canonical(asked.cell));
    if (ends.contains("") || ends.size() == 1) continue;
    std::vector<std::string> parts;
    for (const auto& [end, with] : ends)
      parts.push_back(fmt::format("{} with {}", end, fmt::join(with, ", ")));
    (asked.decided ? out.differences : out.notes)
        .push_back(fmt::format("{}: {}: {}", asked.where, asked.row, fmt::join(parts, "; ")));
  }
  out.notes.emplace_back(
      "each run with every predictor; a condition that is decided where they differ is a "
      "difference");
  return out;
}

}  // namespace daemark::audit
