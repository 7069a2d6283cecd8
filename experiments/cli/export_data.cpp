// daemark export-data: the results of a study as one table for data frames.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <ostream>
#include <set>

#include "analysis/report/table.hpp"
#include "base/numbers/expression.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/cli/study_items.hpp"
#include "experiments/cli/verb.hpp"

namespace daemark {
namespace {

struct DataOptions {
  std::string study;
  bool series = false;
};

/// All digits; "" where there is no number.
std::string number(double value) { return std::isnan(value) ? "" : fmt::format("{}", value); }

/// Of an exact number "1/100"; "" for none, for several and for what is no number of its own.
std::string number_of(const std::string& text) {
  try {
    return text.empty() ? "" : number(Expression::parse(text, "", {"pi"}).eval<double>());
  } catch (const BadInput&) {
    return "";
  }
}

std::string settings_of(const Cell& cell) {
  std::string text;
  for (const auto& [key, value] : cell.settings)
    text += fmt::format("{}{}={}", text.empty() ? "" : ";", key, value);
  return text;
}

/// For each row with a result.
template <class Visit>
void for_each_row(const StudyItems& study, const Visit& visit) {
  const Judge judge = study.book.judge();
  for (const ItemSpec* item : study.items)
    for (const RowSpec& row : item->rows) {
      const CellResult* result = row.cell ? judge.result(*row.cell) : nullptr;
      if (result != nullptr)
        visit({study.book.paper.id, item->id, row.id}, *row.cell, row, *result);
    }
}

using Line = std::vector<std::string>;

void write_cells(const StudyItems& study, std::ostream& out) {
  std::set<std::string> measures, counts;
  for_each_row(study, [&](const Line&, const Cell&, const RowSpec&, const CellResult& result) {
    for (const auto& [name, value] : result.measures) measures.insert(name);
    for (const auto& [name, value] : result.counts) counts.insert(name);
  });
  Line head = {"paper",       "item",   "row",    "group",   "label", "kind",        "problem",
               "formulation", "method", "h",      "h_exact", "t_end", "t_end_exact", "precision",
               "settings",    "keys",   "status", "why",     "t"};
  head.insert(head.end(), measures.begin(), measures.end());
  head.insert(head.end(), counts.begin(), counts.end());
  out << csv_line(head);
  for_each_row(study, [&](Line line, const Cell& cell, const RowSpec& row,
                          const CellResult& result) {
    const std::string h = fmt::format("{}", fmt::join(cell.h, " "));
    for (const std::string& text :
         {row.group, row.label, cell.kind, cell.problem, cell.formulation, cell.method,
          number_of(h), h, number_of(cell.t_end), cell.t_end, cell.precision, settings_of(cell),
          cell.more.empty() ? "" : cell.more.dump(), result.status, result.why, number(result.t)})
      line.push_back(text);
    for (const std::string& name : measures) {
      const auto found = result.measures.find(name);
      line.push_back(found == result.measures.end() ? "" : number(found->second));
    }
    for (const std::string& name : counts) {
      const auto found = result.counts.find(name);
      line.push_back(found == result.counts.end() ? "" : std::to_string(found->second));
    }
    out << csv_line(line);
  });
}

void write_series(const StudyItems& study, std::ostream& out) {
  std::set<std::string> names;
  for_each_row(study, [&](const Line&, const Cell&, const RowSpec&, const CellResult& result) {
    for (const auto& [name, values] : result.series) names.insert(name);
  });
  Line head = {"paper", "item", "row", "problem", "formulation", "method", "point"};
  head.insert(head.end(), names.begin(), names.end());
  out << csv_line(head);
  for_each_row(study,
               [&](const Line& of, const Cell& cell, const RowSpec&, const CellResult& result) {
                 std::size_t points = 0;
                 for (const auto& [name, values] : result.series)
                   points = std::max(points, values.size());
                 for (std::size_t i = 0; i < points; ++i) {
                   Line line = of;
                   for (const std::string& text :
                        {cell.problem, cell.formulation, cell.method, std::to_string(i + 1)})
                     line.push_back(text);
                   for (const std::string& name : names) {
                     const auto found = result.series.find(name);
                     const bool there = found != result.series.end() && i < found->second.size();
                     line.push_back(there ? number(found->second[i]) : "");
                   }
                   out << csv_line(line);
                 }
               });
}

int export_data(const DataOptions& options, std::ostream& out, std::ostream&) {
  const StudyItems study(options.study);
  options.series ? write_series(study, out) : write_cells(study, out);
  return 0;
}

void declare(OptionSet& app, DataOptions& options) {
  app.add_option("study", options.study, "PAPER[/ITEM]", "whose results")->required();
  app.add_flag("--series", options.series,
               "a line for each point of its studies over steps and tolerances, in place of one "
               "for each run");
}

}  // namespace

void register_export_data(Verbs& verbs) {
  verbs.add<DataOptions>({"export-data", VerbGroup::papers,
                          "the results of a study as one CSV table for data frames: a line for "
                          "each run, a column for each measure",
                          "daemark export-data li2019/table1"},
                         declare, export_data);
}

}  // namespace daemark
