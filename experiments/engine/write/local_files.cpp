#include "experiments/engine/write/local_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/reference/reference.hpp"
#include "base/program/write_file.hpp"
#include "experiments/cells/support/cell_kind.hpp"
#include "experiments/engine/write/render.hpp"

namespace daemark {

namespace fs = std::filesystem;

namespace {

/// Our time of each row beside the printed ones.
Table times_of(const PaperSpec& paper, const ItemSpec& item, const Judge& judge) {
  Table times;
  times.head = {"row", "ours [s]"};
  for (const EditionSpec& edition : paper.editions) times.head.push_back("printed " + edition.id);
  times.head.emplace_back("command");
  for (const RowSpec& row : item.rows) {
    const CellResult* result = row.cell ? judge.result(*row.cell) : nullptr;
    std::vector<std::string> line = {row.label, ""};
    if (result && result->seconds > 0) line.back() = fmt::format("{:.4g}", result->seconds);
    for (const EditionSpec& edition : paper.editions) {
      std::string printed;
      for (const ColumnSpec& column : item.columns) {
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
  return times;
}

}  // namespace

void write_local(const fs::path& results, const Book& book, const ItemSpec& item,
                 const std::string& provenance) {
  const Judge judge = book.judge();
  const fs::path folder = results / ".local" / book.paper.id / item.id;
  const Table times = times_of(book.paper, item, judge);
  if (!times.rows.empty()) write_if_changed(folder / "timings.csv", csv(times));
  const bool timed = std::any_of(item.rows.begin(), item.rows.end(), [&judge](const RowSpec& row) {
    const CellResult* result = row.cell ? judge.result(*row.cell) : nullptr;
    return result && result->timings.count("seconds") > 0;
  });
  if (const auto figure = timed ? figure_of(item, judge, true) : std::nullopt) {
    write_if_changed(folder / "time.csv", figure_csv(*figure));
    write_svg(*figure, folder / "time.svg");
  }
  write_if_changed(folder / "provenance.json", provenance);
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
