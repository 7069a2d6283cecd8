#include "experiments/spec/guesses.hpp"

#include <fmt/format.h>

#include <map>
#include <set>

#include "base/program/paths.hpp"
#include "experiments/cells/support/cell_kind.hpp"
#include "experiments/engine/write/book.hpp"
#include "tests/audit/audit.hpp"
#include "tests/audit/child.hpp"

namespace daemark::audit {
namespace {

constexpr const char* predictors[] = {"constant", "extrapolated", "hermite2", "hermite4"};

/// How a run ends: the word of `status` on its output, or "failed".
std::string end_of(const std::string& command) {
  ChildCall call;
  call.arguments = {
      "/bin/sh", "-c",
      fmt::format("PATH='{}':$PATH; {}", (source_root() / "build").string(), command)};
  call.longest = call.silent = 600;
  const ChildEnd end = run_child(call);
  if (end.stopped || end.hung) return "";
  const std::size_t at = end.out.find("status ");
  if (at == std::string::npos) return end.status == 0 ? "ok" : "failed";
  return end.out.substr(at + 7, end.out.find_first_of(" \n", at + 7) - at - 7);
}

struct Asked {
  const ClaimOutcome* claim;
  std::string where, row;
  Cell cell;
};

/// The single runs whose ends the claims of a paper ask for.
std::vector<Asked> asked_of(const Book& book) {
  std::vector<Asked> out;
  for (const ItemSpec& item : book.items) {
    std::set<std::string> seen;
    for (const ClaimOutcome& claim : book.outcome(item).claims)
      for (const Formula& condition : claim.claim->conditions)
        for (const std::string& name : condition.names()) {
          if (name.find('.') == std::string::npos) continue;  // a threshold
          const NamedMeasure named = named_measure(book.items, item, item.id, name);
          if (!is_end(named)) continue;
          const Cell& cell = *named.row->cell;
          const std::string row = named.item->id + "." + named.row->id;
          if (cell.method.empty() || cell.h.size() != 1 || !seen.insert(row).second) continue;
          out.push_back(
              {&claim, fmt::format("{}/{}/{}", item.paper, item.id, claim.claim->id), row, cell});
        }
  }
  return out;
}

}  // namespace

Outcome guesses() {
  Outcome out;
  const auto folder = source_root() / "experiments";
  std::vector<Book> books;
  for (const std::string& paper : paper_ids(folder)) books.push_back(read_book(folder, paper));
  std::vector<Asked> all;
  for (Book& book : books) {
    read_known(book, source_root() / "results");
    for (Asked& asked : asked_of(book)) all.push_back(std::move(asked));
  }
  for (Asked& asked : all) {
    std::map<std::string, std::vector<std::string>> ends;
    for (const char* predictor : predictors) {
      asked.cell.settings["predictor"] = predictor;
      ends[end_of(kind_of(asked.cell).command(asked.cell))].push_back(predictor);
    }
    if (ends.contains("")) {  // too long for an audit, or no run
      ++out.skipped;
      continue;
    }
    ++out.compared;
    if (ends.size() == 1) continue;
    std::vector<std::string> parts;
    for (const auto& [end, with] : ends)
      parts.push_back(fmt::format("{} with {}", end, fmt::join(with, ", ")));
    const std::string line =
        fmt::format("{} ({}): {}: {}", asked.where, verdict_name(asked.claim->verdict), asked.row,
                    fmt::join(parts, "; "));
    const bool decided = std::any_of(
        asked.claim->conditions.begin(), asked.claim->conditions.end(), [&](const auto& condition) {
          return condition.truth && condition.formula.find(asked.row) != std::string::npos;
        });
    (decided ? out.differences : out.notes).push_back(line);
  }
  out.notes.push_back(
      "each run with every predictor; a verdict that rests on its end alone where "
      "they differ is a difference");
  return out;
}

}  // namespace daemark::audit
