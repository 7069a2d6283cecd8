#include "analysis/report/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text/bad_input.hpp"
#include "base/text/printable.hpp"
#include "base/text/wrap.hpp"

namespace daemark {
namespace {

std::string markdown_cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

std::string markdown_line(const std::vector<std::string>& cells,
                          const std::vector<std::size_t>& widths) {
  std::string line = "|";
  for (std::size_t i = 0; i < cells.size(); ++i)
    line += " " + cells[i] + std::string(widths[i] - text_width(cells[i]), ' ') + " |";
  return line + "\n";
}

std::vector<std::size_t> widths_of(const std::vector<std::vector<std::string>>& lines) {
  std::vector<std::size_t> widths(lines.front().size(), 3);
  for (const auto& line : lines)
    for (std::size_t i = 0; i < line.size(); ++i)
      widths[i] = std::max(widths[i], text_width(line[i]));
  return widths;
}

/// Whether the cells behind the labels are sentences rather than numbers: no line of a table holds
/// them.
bool is_prose(const std::vector<std::vector<std::string>>& lines) {
  constexpr std::size_t most = 180;
  const std::vector<std::size_t> widths = widths_of(lines);
  std::size_t sum = 1;
  for (const std::size_t w : widths) sum += w + 3;
  return sum > most && std::any_of(widths.begin() + 1, widths.end(), [](std::size_t w) {
           constexpr std::size_t long_cell = 40;
           return w > long_cell;
         });
}

/// The rows one below the other: "1. label" and under it each column that is not empty.
std::string entries(const Table& table) {
  constexpr std::size_t line_width = 100;
  std::string out;
  int count = 0;
  const auto add = [&](const std::string& mark, std::string text, std::size_t indent) {
    for (std::size_t at = 0; (at = text.find('*', at)) != std::string::npos; at += 2)
      text.insert(at, "\\");  // a product, no emphasis
    std::string lead = std::string(indent - mark.size(), ' ') + mark;
    for (const std::string& line : wrapped_lines(text, line_width - indent)) {
      const bool reads_as_mark = line.find_first_of(">+-#") == 0;  // a comparison broken before it
      out += lead + (reads_as_mark ? "\\" : "") + line + "\n";
      lead.assign(indent, ' ');
    }
  };
  for (const auto& row : table.rows) {
    if (row.empty()) continue;
    const std::string number = fmt::format("{}. ", ++count);
    add(number, row.front(), number.size());
    for (std::size_t i = 1; i < row.size(); ++i)
      if (!row[i].empty()) add("- ", table.head[i] + ": " + row[i], number.size() + 2);
  }
  return out;
}

}  // namespace

std::string markdown(const Table& table, bool may_be_list) {
  std::vector<std::vector<std::string>> lines{table.head};
  for (const auto& row : table.rows)
    if (!row.empty()) lines.push_back(row);
  for (auto& line : lines)
    for (std::string& cell : line) cell = markdown_cell(cell);
  if (may_be_list && is_prose(lines)) return entries(table);
  const std::vector<std::size_t> widths = widths_of(lines);
  std::string out = markdown_line(lines.front(), widths) + "|";
  for (const std::size_t w : widths) out += " " + std::string(w, '-') + " |";
  out += "\n";
  for (std::size_t i = 1; i < lines.size(); ++i) out += markdown_line(lines[i], widths);
  return out;
}

std::string csv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (const std::string& field : fields) {
    const bool plain = field.find_first_of(",\"\r\n") == std::string::npos;
    line += (plain ? field : csv_quoted(field)) + ",";
  }
  line.back() = '\n';
  return line;
}

std::string csv(const Table& table) {
  std::string out = csv_line(table.head);
  for (const auto& row : table.rows)
    if (!row.empty()) out += csv_line(row);
  return out;
}

std::vector<std::vector<std::string>> read_csv(std::string_view text, std::string_view where) {
  std::vector<std::vector<std::string>> lines;
  std::vector<std::string> line;
  std::string field;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c != '"')
        field += c;
      else if (i + 1 < text.size() && text[i + 1] == '"')
        field += text[++i];
      else
        quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == ',' || c == '\n') {
      line.push_back(std::exchange(field, {}));
      if (c == '\n') lines.push_back(std::exchange(line, {}));
    } else {
      field += c;
    }
  }
  if (quoted) throw BadInput(fmt::format("{}: a quoted field is never closed", where));
  if (!field.empty() || !line.empty()) {
    line.push_back(std::move(field));
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace daemark
