// Tables as text: Markdown, CSV and LaTeX (booktabs) of one rectangular grid of cells.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace daemark {

struct Table {
  std::string caption;
  std::vector<std::string> head;               ///< one text per column; the first heads the labels
  std::vector<std::vector<std::string>> rows;  ///< each as long as `head`; {} draws a rule between
};

/// GitHub Markdown; '|' in a cell is escaped. Columns are padded so that the source reads as well;
/// a table of sentences (wider than 180 characters, and not by its labels alone) becomes a numbered
/// list, one entry a row, with its cells below each other, where `may_be_list`.
std::string markdown(const Table& table, bool may_be_list = true);

/// RFC 4180: commas, quotes and line breaks are quoted; one header line; "\n" ends a line.
std::string csv(const Table& table);

/// One CSV line, with its line end; at least one field.
std::string csv_line(const std::vector<std::string>& fields);

/// Reads what csv() wrote: header first. Throws BadInput naming `where` on an open quote.
std::vector<std::vector<std::string>> read_csv(std::string_view text, std::string_view where);

/// Tables with booktabs rules that fit a text width of article at 10, 11 and 12 pt: labels and
/// heads are wrapped, columns that do not fit go into a continued table; more rows than a page
/// holds make it a longtable. Special characters are escaped, and numbers such as 7.0007e-05 set as
/// powers of ten.
std::string latex(const Table& table, std::string_view label);

}  // namespace daemark
