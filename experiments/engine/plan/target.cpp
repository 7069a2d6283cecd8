#include "experiments/engine/plan/target.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/reference/reference.hpp"
#include "base/program/write_file.hpp"
#include "experiments/cells/support/cell_kind.hpp"
#include "experiments/engine/write/render.hpp"

namespace daemark {

namespace fs = std::filesystem;

void write_local(const fs::path& results, const std::vector<ItemTarget*>& targets,
                 const Services& services) {
  const std::string seen = services.provenance().dump(2) + "\n";
  for (const ItemTarget* each : targets) {
    const ItemTarget& target = *each;
    const PaperSpec& paper = target.book->paper;
    const Judge judge = target.book->judge();
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
          if (column.measure.text() != "seconds" || texts == row.printed.end()) continue;
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
          return result && result->timings.count("seconds") > 0;
        });
    if (const auto figure = timed ? figure_of(*target.item, judge, true) : std::nullopt) {
      write_if_changed(folder / "time.csv", figure_csv(*figure));
      write_svg(*figure, folder / "time.svg");
    }
    write_if_changed(folder / "provenance.json", seen);
  }
}

void publish_references(const std::vector<FixedCell>& cells) {
  std::map<std::string, std::vector<std::string>> wanted;
  for (const FixedCell& cell : cells) {
    auto& times = wanted[cell->problem];
    for (const std::string& t : kind_of(cell).reference_times(cell)) times.push_back(t);
  }
  for (const auto& [problem, times] : wanted)
    if (!times.empty()) publish_reference(problem, times);
}

}  // namespace daemark
