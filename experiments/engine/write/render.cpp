#include "experiments/engine/write/render.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/program/write_file.hpp"
#include "experiments/cells/support/cell_kind.hpp"
#include "experiments/report/report.hpp"

namespace daemark {

const std::vector<std::string> verdict_head = {
    "paper", "item", "row", "column", "printed_or_paraphrased", "measured", "verdict", "why"};

namespace {

/// The label with its group in front, where the label does not name it already.
std::string full_label(const RowSpec& row) {
  const bool named = row.group.empty() || row.label.find(row.group) != std::string::npos;
  return named ? row.label : row.group + ": " + row.label;
}

std::string status_text(const CellResult& result) {
  return result.t > 0 ? fmt::format("{} at t = {:.4g} s", result.status, result.t) : result.status;
}

std::string cell_text(const RowOutcome& row, const ColumnSpec& column) {
  if (row.result == nullptr)
    return row.row->cell && (*row.row->cell)->is_long ? "left out (long)" : "left out";
  const std::string text = row.values.at(column.id).shown();
  if (!text.empty()) return text;
  return row.result->ok() ? "—" : row.result->status;
}

/// The printed line of one edition: column texts, with verdicts.
std::vector<std::string> printed_line(const ItemSpec& item, const RowOutcome& row,
                                      const std::string& edition) {
  std::vector<std::string> line;
  for (const ColumnSpec& column : item.columns) {
    std::string text;
    for (const NumberOutcome& number : row.values.at(column.id).numbers) {
      if (number.edition != edition) continue;
      const Verdict verdict = number.judgement.verdict;
      text = verdict == Verdict::not_comparable
                 ? number.printed
                 : fmt::format("{} ({})", number.printed, verdict_name(verdict));
    }
    line.push_back(text);
  }
  return line;
}

using Label = std::string (*)(const RowSpec&);

std::string own_label(const RowSpec& row) { return row.label; }

void add_printed_lines(Table& table, const PaperSpec& paper, const ItemSpec& item,
                       const RowOutcome& row, Label label) {
  std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>>
      lines;  // texts, labels
  for (const EditionSpec& edition : paper.editions) {
    const std::vector<std::string> line = printed_line(item, row, edition.key);
    if (std::all_of(line.begin(), line.end(), [](const auto& text) { return text.empty(); }))
      continue;
    const auto same = std::find_if(lines.begin(), lines.end(),
                                   [&](const auto& known) { return known.first == line; });
    if (same == lines.end())
      lines.push_back({line, {edition.label}});
    else
      same->second.push_back(edition.label);
  }
  for (auto& [line, labels] : lines) {
    const std::string beside =
        row.compared == row.row ? "" : fmt::format(", compared with {}", label(*row.compared));
    line.insert(line.begin(), fmt::format("{}, printed ({}){}", label(*row.row),
                                          fmt::join(labels, ", "), beside));
    table.rows.push_back(line);
  }
}

std::string list(const char* heading, const std::vector<std::string>& lines) {
  if (lines.empty()) return "";
  std::string out = fmt::format("\n## {}\n\n", heading);
  for (const std::string& line : lines) out += "- " + line + "\n";
  return out;
}

}  // namespace

Table layout(const PaperSpec& paper, const ItemOutcome& outcome,
             const std::optional<std::string>& only) {
  const ItemSpec& item = *outcome.item;
  Table table;
  table.caption = item.title;
  table.head = {item.row_heading.empty() ? "case" : item.row_heading};
  for (const ColumnSpec& column : item.columns) table.head.push_back(with_unit(column));
  std::string group;
  const Label label = only ? own_label : full_label;
  for (const RowOutcome& row : outcome.rows) {
    if (only && row.row->group != *only) continue;
    if (!table.rows.empty() && row.row->group != group) table.rows.emplace_back();
    group = row.row->group;
    if (row.row->cell) {
      std::vector<std::string> line{label(*row.row)};
      for (const ColumnSpec& column : item.columns) line.push_back(cell_text(row, column));
      table.rows.push_back(std::move(line));
    }
    add_printed_lines(table, paper, item, row, label);
  }
  return table;
}

namespace {

/// One table, or where it would be long, one for each group under a heading.
std::string tables_markdown(const PaperSpec& paper, const ItemOutcome& outcome) {
  constexpr std::size_t long_table = 40;
  std::vector<std::string> groups;
  for (const RowOutcome& row : outcome.rows) {
    if (std::count(groups.begin(), groups.end(), row.row->group) == 0)
      groups.push_back(row.row->group);
  }
  if (outcome.rows.size() <= long_table || groups.size() < 2)
    return "\n" + markdown(layout(paper, outcome));
  std::string out;
  for (const std::string& group : groups) {
    if (!group.empty()) out += fmt::format("\n## {}\n", group);
    out += "\n" + markdown(layout(paper, outcome, group));
  }
  return out;
}

using Lines = std::vector<std::string>;

Lines failed_runs(const ItemOutcome& outcome) {
  Lines lines;
  for (const RowOutcome& row : outcome.rows)
    if (const std::string text = failure_text(row); !text.empty())
      lines.push_back(fmt::format("{}: {}", full_label(*row.row), text));
  return lines;
}

Lines kept_runs(const ItemOutcome& outcome) {
  Lines lines;
  for (const RowOutcome& row : outcome.rows)
    if (row.row->cell && row.result != nullptr && row.result->kept)
      lines.push_back(
          fmt::format("{}: computed with {}", full_label(*row.row), row.result->version()));
  return lines;
}

/// Of every verdict that is not "reproduced", each once.
Lines reasons(const ItemOutcome& outcome) {
  Lines lines;
  std::set<std::string> known;
  for (const auto& [row, column, number] : numbers_of(outcome)) {
    const Verdict verdict = number->judgement.verdict;
    if (verdict == Verdict::reproduced || verdict == Verdict::not_comparable) continue;
    const std::string text =
        fmt::format("{}, {}, printed {}: {}. {}", full_label(*row->row), column->label,
                    number->printed, verdict_name(verdict), number->judgement.why);
    if (known.insert(text).second) lines.push_back(text);
  }
  return lines;
}

Lines commands(const PaperSpec& paper, const ItemOutcome& outcome) {
  Lines lines;
  for (const RowOutcome& row : outcome.rows) {
    if (!row.row->cell) continue;
    lines.push_back(fmt::format("{}: `{}`", full_label(*row.row), command(*row.row->cell)));
    for (const SecondRoute& route : row.row->second)
      lines.push_back(
          fmt::format("{}, {}: `{}`", full_label(*row.row), route.name, command(route.cell)));
  }
  const std::string id = paper.id + "/" + outcome.item->id;
  if (!lines.empty())
    lines.insert(lines.begin(),
                 fmt::format("every number of a row: `daemark measure {}/ROW`, ROW as `daemark "
                             "show {} --json` names it; what they come from:",
                             id, id));
  return lines;
}

std::string claims_markdown(const PaperSpec& paper, const ItemOutcome& outcome) {
  std::string text;
  for (const bool own : {false, true}) {
    Table claims{"", {own ? "check" : "claim", "where", "verdict", "measured", "why"}, {}};
    for (const ClaimOutcome& claim : outcome.claims)
      if (claim.claim->own == own)
        claims.rows.push_back({claim.claim->text, places(paper, claim.claim->where),
                               verdict_name(claim.verdict), claim.evidence, claim.why});
    if (!claims.rows.empty())
      text += (own ? "\n## Our own checks, counted for no paper\n\n" : "\n## Claims\n\n") +
              markdown(claims);
  }
  return text;
}

}  // namespace

std::string page_markdown(const PaperSpec& paper, const ItemOutcome& outcome) {
  const ItemSpec& item = *outcome.item;
  std::string out = fmt::format("# {}\n\n{}\n", item.title, places(paper, item.where));
  if (item.plot) out += fmt::format("\n![{}](figure.svg)\n", item.plot->caption);
  if (!item.columns.empty())
    out += list("How to read it", item.legend) + tables_markdown(paper, outcome);
  return out + list("Runs that failed", failed_runs(outcome)) +
         list("Kept from earlier versions (†)", kept_runs(outcome)) +
         list("Why", reasons(outcome)) + claims_markdown(paper, outcome) +
         list("Findings", outcome.findings) + list("Settings", settings_lines(outcome)) +
         list("Assumed", item.assumed) + list("Notes", item.notes) +
         list("Commands", commands(paper, outcome));
}

std::string long_csv(const PaperSpec& paper, const ItemOutcome& outcome) {
  Table table;
  const auto& columns = outcome.item->columns;
  const bool beside = std::any_of(columns.begin(), columns.end(),
                                  [](const ColumnSpec& c) { return c.beside.has_value(); });
  table.head = {"row", "column", "unit", "status", "measured", "floor"};
  const bool bounds =
      std::any_of(outcome.rows.begin(), outcome.rows.end(), [](const RowOutcome& r) {
        return std::any_of(r.values.begin(), r.values.end(),
                           [](const auto& value) { return value.second.at_most; });
      });
  if (bounds) table.head.emplace_back("bound");
  if (beside) table.head.emplace_back("beside");
  const bool kept = std::any_of(outcome.rows.begin(), outcome.rows.end(), [](const RowOutcome& r) {
    return r.result != nullptr && r.result->kept;
  });
  if (kept) table.head.emplace_back("kept");
  for (const EditionSpec& edition : paper.editions) {
    table.head.push_back("printed_" + edition.key);
    table.head.push_back("verdict_" + edition.key);
  }
  for (const RowOutcome& row : outcome.rows) {
    for (const ColumnSpec& column : columns) {
      const ValueOutcome& value = row.values.at(column.id);
      std::vector<std::string> line = {
          row.row->id,    column.id,
          column.unit,    row.result ? row.result->status : "left_out",
          value.measured, value.floor ? claimed_digits(*value.floor, {}, 2) : ""};
      if (bounds) line.emplace_back(value.at_most ? "<=" : "");
      if (beside) line.push_back(value.beside);
      if (kept) line.push_back(row.result && row.result->kept ? row.result->version() : "");
      for (const EditionSpec& edition : paper.editions) {
        const auto number =
            std::find_if(value.numbers.begin(), value.numbers.end(),
                         [&](const NumberOutcome& n) { return n.edition == edition.key; });
        const bool has = number != value.numbers.end();
        line.push_back(has ? number->printed : "");
        line.emplace_back(has ? verdict_name(number->judgement.verdict) : "");
      }
      table.rows.push_back(std::move(line));
    }
  }
  return csv(table);
}

std::string conditions_csv(const ItemOutcome& outcome) {
  Table table{"", {"claim", "condition", "values", "truth"}, {}};
  for (const ClaimOutcome& claim : outcome.claims) {
    for (const ConditionOutcome& condition : claim.conditions) {
      table.rows.push_back(
          {claim.claim->id, condition.formula, condition.sides, truth_word(condition)});
    }
  }
  return csv(table);
}

std::vector<std::vector<std::string>> verdict_lines(const PaperSpec& paper,
                                                    const ItemOutcome& outcome) {
  std::vector<std::vector<std::string>> lines;
  const ItemSpec& item = *outcome.item;
  const std::vector<PlacedNumber> numbers = numbers_of(outcome);
  for (const EditionSpec& edition : paper.editions) {
    for (const auto& [row, column, number] : numbers) {
      if (number->edition != edition.key) continue;
      std::string measured = row->values.at(column->id).measured;
      if (measured.empty() && row->result && !row->result->ok())
        measured = status_text(*row->result);
      lines.push_back({edition.id, item.id, row->row->id, column->id, number->printed, measured,
                       verdict_name(number->judgement.verdict), number->judgement.why});
    }
    for (const ClaimOutcome& claim : outcome.claims) {
      if (!claim.claim->where.contains(edition.key)) continue;
      lines.push_back({edition.id, item.id, claim.claim->id,
                       claim.claim->own ? "own_check" : "claim", claim.claim->text, claim.evidence,
                       verdict_name(claim.verdict), claim.why});
    }
  }
  return lines;
}

}  // namespace daemark
