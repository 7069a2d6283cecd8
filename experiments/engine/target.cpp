#include "experiments/engine/target.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <set>

#include "analysis/reference/reference_store.hpp"
#include "base/program/write_file.hpp"
#include "experiments/cells/cell_kind.hpp"
#include "experiments/engine/render.hpp"
#include "problems/core/registry.hpp"

namespace daemark {

namespace fs = std::filesystem;

void write_apart(const fs::path& results, const std::vector<Target*>& targets,
                 const Services& services) {
  const std::string seen = services.provenance().dump(2) + "\n";
  for (const Target* each : targets) {
    const Target& target = *each;
    const PaperSpec& paper = target.book->paper;
    const Judge judge(target.book->items, target.book->results);
    Table times;
    times.head = {"row", "ours [s]"};
    for (const EditionSpec& edition : paper.editions) times.head.push_back("printed " + edition.id);
    times.head.push_back("command");
    for (const RowSpec& row : target.item->rows) {
      std::string ours;
      if (const CellResult* result = row.cell ? judge.result(*row.cell) : nullptr) {
        if (result->seconds > 0) ours = fmt::format("{:.4g}", result->seconds);
      }
      std::vector<std::string> line = {row.label, ours};
      for (const EditionSpec& edition : paper.editions) {
        std::string printed;
        for (const ColumnSpec& column : target.item->columns) {
          const auto texts = row.printed.find(column.id);
          if (column.measure != "seconds" || texts == row.printed.end()) continue;
          const auto text = texts->second.find(edition.key);
          if (text != texts->second.end()) printed = text->second;
        }
        line.push_back(printed);
      }
      line.push_back(row.cell ? command(*row.cell) : "");
      times.rows.push_back(std::move(line));
    }
    const fs::path folder = results / ".local" / paper.id / target.item->id;
    if (!times.rows.empty()) write_if_changed(folder / "timings.csv", csv(times));
    const bool timed = std::any_of(
        target.item->rows.begin(), target.item->rows.end(), [&judge](const RowSpec& row) {
          const CellResult* result = row.cell ? judge.result(*row.cell) : nullptr;
          return result && result->apart.count("seconds") > 0;
        });
    if (const auto figure = timed ? figure_of(*target.item, judge, true) : std::nullopt) {
      write_if_changed(folder / "time.csv", figure_csv(*figure));
      write_svg(*figure, folder / "time.svg");
    }
    write_if_changed(folder / "provenance.json", seen);
  }
}

void publish_references(const std::vector<Cell>& cells) {
  std::map<std::string, std::set<rational>> wanted;
  for (const Cell& cell : cells) {
    for (const std::string& t : kind_of(cell).reference_times(cell))
      wanted[problem_registry().make(cell.problem).name].insert(
          Expression::parse(t, "t_end").as_rational());
  }
  for (const auto& [problem, times] : wanted) ReferenceStore(problem).publish(times);
}

int check_tables(const std::vector<Target>& targets, const fs::path& results, const fs::path& apart,
                 std::ostream& out) {
  std::vector<std::string> moved;
  for (const Target& target : targets) {
    const std::string name = target.name();
    if (target.item->columns.empty()) continue;
    const auto committed = read_text(results / name / "table.csv");
    const auto fresh = read_text(apart / name / "table.csv");
    if (!committed) {
      moved.push_back(name + ": table.csv is not in the results");
      continue;
    }
    for (std::string& line : moved_values(name, *committed, fresh.value_or(""))) {
      moved.push_back(std::move(line));
    }
  }
  for (std::string& line : moved_claims(read_text(results / "verdicts.csv").value_or(""),
                                        read_text(apart / "verdicts.csv").value_or(""))) {
    moved.push_back(std::move(line));
  }
  for (const std::string& line : moved) out << "moved: " << line << "\n";
  out << (moved.empty() ? fmt::format("{} items agree with the committed tables\n", targets.size())
                        : fmt::format("{} values moved\n", moved.size()));
  return moved.empty() ? 0 : 1;
}

}  // namespace daemark
