#include <fmt/format.h>

#include "base/program/paths.hpp"
#include "experiments/cli/show/show.hpp"
#include "experiments/engine/write/book.hpp"
#include "experiments/terminal/text.hpp"

namespace daemark {
namespace {

using nlohmann::ordered_json;

ordered_json row_json(const RowSpec& row) {
  ordered_json out = {{"id", row.id}, {"label", row.label}};
  if (row.cell) {
    out["cell"] = cell_json(*row.cell);
    out["command"] = command(*row.cell);
  }
  if (!row.candidates.empty()) out["candidates"] = row.candidates;
  if (!row.printed.empty()) out["printed"] = row.printed;
  return out;
}

std::string places(const ItemSpec& item) {
  std::string text;
  for (const auto& [edition, place] : item.where)
    text += (text.empty() ? "" : "; ") + edition + ": " + place;
  return text;
}

std::string list_text(const char* title, const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += "  " + line + "\n";
  return text.empty() ? text : std::string(title) + "\n" + text;
}

}  // namespace

Shown show_paper(const std::string& id) {
  const Book book = read_book(source_root() / "experiments", id);
  Shown shown;
  ordered_json editions = ordered_json::array(), items = ordered_json::array();
  std::vector<std::vector<std::string>> rows;
  for (const EditionSpec& edition : book.paper.editions)
    editions.push_back({{"id", edition.id}, {"label", edition.label}});
  for (const ItemSpec& item : book.items) {
    items.push_back({{"id", id + "/" + item.id}, {"kind", item.kind}, {"title", item.title}});
    rows.push_back({id + "/" + item.id, item.kind, item.title});
  }
  shown.json = {{"id", id},
                {"what", "paper"},
                {"title", book.paper.title},
                {"citation", book.paper.citation},
                {"editions", editions},
                {"items", items},
                {"notes", book.paper.notes}};
  shown.text = fmt::format("{}: {}\n  {}\nitems\n{}", id, book.paper.title, book.paper.citation,
                           columns(rows)) +
               list_text("notes", book.paper.notes);
  return shown;
}

Shown show_item(const std::string& paper, const std::string& id) {
  const Book book = read_book(source_root() / "experiments", paper, {id});
  const ItemSpec& item = book.item(id);
  ordered_json rows = ordered_json::array(), claims = ordered_json::array();
  std::vector<std::string> commands, claim_lines;
  for (const RowSpec& row : item.rows) {
    rows.push_back(row_json(row));
    commands.push_back(row.label + ": " +
                       (row.cell ? command(*row.cell) : "compared with its candidates"));
  }
  for (const ClaimSpec& claim : item.claims) {
    ordered_json conditions = ordered_json::array();
    for (const Formula& condition : claim.conditions) conditions.push_back(condition.text());
    claims.push_back(
        {{"id", claim.id}, {"text", claim.text}, {"own", claim.own}, {"conditions", conditions}});
    claim_lines.push_back(claim.id + (claim.own ? " (our own check): " : ": ") + claim.text);
  }
  ordered_json measured = ordered_json::array();
  for (const ColumnSpec& column : item.columns)
    measured.push_back(
        {{"id", column.id}, {"measure", column.measure.text()}, {"unit", column.unit}});
  Shown shown;
  shown.json = {{"id", paper + "/" + id}, {"what", "item"},      {"kind", item.kind},
                {"title", item.title},    {"where", item.where}, {"columns", measured},
                {"rows", rows},           {"claims", claims},    {"assumed", item.assumed},
                {"notes", item.notes}};
  shown.text =
      fmt::format("{}/{}: {}\n  {}; {}\n", paper, id, item.title, item.kind, places(item)) +
      list_text("rows", commands) + list_text("claims", claim_lines) +
      list_text("assumed", item.assumed) + list_text("notes", item.notes);
  return shown;
}

}  // namespace daemark
