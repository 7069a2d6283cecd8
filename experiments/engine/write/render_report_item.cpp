// The report's part of an item.
#include <fmt/format.h>

#include "experiments/engine/write/render.hpp"

namespace daemark {

namespace {

std::string edition_id(const PaperSpec& paper, const std::string& key) {
  for (const EditionSpec& edition : paper.editions)
    if (edition.key == key) return edition.id;
  return key;
}

ReportCell report_cell(const PaperSpec& paper, const RowOutcome& row, const ValueOutcome& value) {
  ReportCell cell;
  const std::string shown = value.shown();
  cell.failed = row.result != nullptr && !row.result->ok() && shown.empty();
  cell.measured = cell.failed ? fmt::format("{}, t = {:.4g} s", row.result->status, row.result->t)
                  : row.result == nullptr ? "left out"
                  : shown.empty()         ? "—"
                                          : shown;
  cell.differs = value.marks.find("≠") != std::string::npos;
  for (const NumberOutcome& number : value.numbers)
    cell.printed.push_back({edition_id(paper, number.edition), number.printed,
                            verdict_name(number.judgement.verdict), number.judgement.why});
  return cell;
}

ReportTable report_table(const PaperSpec& paper, const ItemOutcome& outcome) {
  const ItemSpec& item = *outcome.item;
  ReportTable table;
  table.caption = item.title, table.row_heading = item.row_heading, table.legend = item.legend;
  for (const ColumnSpec& column : item.columns) table.columns.push_back(with_unit(column));
  for (const RowOutcome& row : outcome.rows) {
    ReportRow line;
    line.label = row.compared == row.row ? row.row->label
                                         : fmt::format("{}, as printed, beside {}", row.row->label,
                                                       row.compared->label);
    line.group = row.row->group;
    line.command = command(*row.compared->cell);
    for (const ColumnSpec& column : item.columns)
      line.cells.push_back(report_cell(paper, row, row.values.at(column.id)));
    table.rows.push_back(std::move(line));
    if (row.row->cell && row.result != nullptr && !row.result->ok())
      table.notes.push_back(fmt::format("{}: {}", row.row->label, row.result->why));
  }
  return table;
}

std::vector<ReportLink> report_files(const ItemOutcome& outcome, const std::string& folder,
                                     bool has_figure) {
  const ItemSpec& item = *outcome.item;
  std::vector<ReportLink> files;
  const auto add = [&](const std::string& name, const std::string& description = "") {
    files.push_back({name, folder + name, description});
  };
  add("table.md");
  if (!item.columns.empty()) add("table.csv"), add("table.tex");
  if (has_figure) add("figure.csv");
  if (!item.rows.empty()) add("records.jsonl");
  if (!outcome.claims.empty()) add("conditions.csv", "every condition of the claims");
  return files;
}

/// Once where all editions have it (an empty edition stands for all), else once for each.
void add_claim(const PaperSpec& paper, const ClaimOutcome& outcome, ReportItem& item) {
  const auto& where = outcome.claim->where;
  const auto add = [&](const std::string& id, const std::string& place,
                       const std::string& edition) {
    item.claims.push_back({id, outcome.claim->text, place, edition, verdict_name(outcome.verdict),
                           outcome.evidence, outcome.why});
  };
  const bool in_one = where.size() == 1 && paper.editions.size() > 1;
  if (in_one || where.size() == paper.editions.size())
    return add(outcome.claim->id, places(paper, where),
               in_one ? edition_id(paper, where.begin()->first) : "");
  for (const auto& [key, place] : where)
    add(outcome.claim->id + "." + key, place, edition_id(paper, key));
}

}  // namespace

ReportItem report_item(const PaperSpec& paper, const ItemOutcome& outcome, bool has_figure) {
  const ItemSpec& item = *outcome.item;
  const std::string folder = paper.id + "/" + item.id + "/";
  ReportItem out;
  out.id = item.id, out.title = item.title, out.kind = item.kind;
  for (const EditionSpec& edition : paper.editions) {
    const auto place = item.place.find(edition.key);
    if (item.kind == "claims" || place == item.place.end()) continue;
    out.title = place->second + ": " + item.title;
    break;
  }
  out.command = fmt::format("daemark reproduce {}/{}", paper.id, item.id);
  out.assumed = item.assumed, out.notes = item.notes;
  out.notes.insert(out.notes.end(), outcome.findings.begin(), outcome.findings.end());
  if (!item.columns.empty()) out.table = report_table(paper, outcome);
  if (has_figure) out.figure = {folder + "figure.svg", item.plot->caption};
  out.files = report_files(outcome, folder, has_figure);
  for (const ClaimOutcome& claim : outcome.claims) add_claim(paper, claim, out);
  return out;
}

}  // namespace daemark
