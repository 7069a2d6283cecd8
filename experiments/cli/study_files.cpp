// daemark export-data: the results of a study as one table for data frames.
// daemark figure: panels of a study's figure as files of a journal's size.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <filesystem>
#include <ostream>
#include <set>

#include "analysis/report/figure.hpp"
#include "analysis/report/table.hpp"
#include "base/numbers/expression.hpp"
#include "base/program/paths.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/printable.hpp"
#include "experiments/cli/verb.hpp"
#include "experiments/engine/run/records.hpp"
#include "experiments/engine/write/book.hpp"
#include "experiments/engine/write/render.hpp"

namespace daemark {
namespace {

/// PAPER or PAPER/ITEM with the results that stand.
struct StudyItems {
  /// Throws BadInput for names that do not exist and for damaged records.
  explicit StudyItems(const std::string& name);

  Book book;
  std::filesystem::path results;       ///< of the paper: where others than the program's own stand
  std::vector<const ItemSpec*> items;  ///< the one that is named, or all that are made
};

StudyItems::StudyItems(const std::string& name) {
  const std::size_t slash = name.find('/');
  const std::string paper = name.substr(0, slash);
  const std::string one = slash == std::string::npos ? "" : name.substr(slash + 1);
  // One's own results first.
  for (const std::filesystem::path& folder : {results_root(), shipped_results()}) {
    if (!items.empty()) break;
    results = folder;
    book = read_book(source_root() / "experiments", paper,
                     one.empty() ? std::set<std::string>{} : std::set{one});
    const Damage damage = read_known(book, results, {});
    for (const ItemSpec& item : book.items) {
      if (!one.empty() && item.id != one) continue;
      if (is_damaged(item, damage)) throw BadInput(damage_lines(damage).front());
      if (is_made(item, results)) items.push_back(&item);
    }
  }
  if (items.empty())
    throw BadInput(name + " has no results yet; accepted: after daemark reproduce " + name);
}

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

struct FigureOptions {
  std::string item, folder = ".";
  int panel = 0;
  PrintedSize size;
};

void check(const PrintedSize& size) {
  const auto refuse = [](const char* option, double value, const char* accepted) {
    throw BadInput(fmt::format("{} {:g}; accepted: {}", option, value, accepted));
  };
  if (!(size.width >= 50 && size.width <= 300)) refuse("--width", size.width, "50 to 300 mm");
  if (size.height != 0 && !(size.height >= 30 && size.height <= 300))
    refuse("--height", size.height, "30 to 300 mm");
  if (!(size.letters >= 5 && size.letters <= 14)) refuse("--letters", size.letters, "5 to 14 pt");
}

Report figure_verb(const FigureOptions& options, std::ostream&, std::ostream&) {
  check(options.size);
  const StudyItems study(options.item);
  if (study.items.size() != 1)
    throw BadInput(in_quotes(options.item) + "; accepted: PAPER/ITEM, an item with a figure");
  const ItemSpec& item = *study.items.front();
  const FigureSpec figure =
      standing_figure(study.book.paper, item, study.book.judge(), study.results);
  const int count = static_cast<int>(figure.panels.size());
  if (options.panel > count)
    throw BadInput(
        fmt::format("--panel {}; accepted: 1 to {}, of {}", options.panel, count, options.item));
  Report report;
  ReportRows rows({{"panel", "panel"}, {"title", "title"}, {"file", "file"}});
  for (int p = 1; p <= count; ++p) {
    if (options.panel != 0 && options.panel != p) continue;
    for (const char* format : {"svg", "pdf"}) {
      const std::string name = count == 1 ? fmt::format("{}.{}", item.id, format)
                                          : fmt::format("{}-{}.{}", item.id, p, format);
      const std::filesystem::path file = std::filesystem::path(options.folder) / name;
      write_printed(figure.panels[p - 1], options.size, file);
      rows.add({p, figure.panels[p - 1].title, file.string()});
    }
  }
  return report.rows("files", "", rows);
}

void declare(OptionSet& app, FigureOptions& options) {
  app.add_option("item", options.item, "PAPER/ITEM", "an item with a figure")->required();
  app.add_option("--panel", options.panel, "K", "only this panel, counted from 1; default: all")
      ->range(1, 1000);
  app.add_option("--width", options.size.width, "MM",
                 "width [mm], default 84: a column of most journals; 174: both columns");
  app.add_option("--height", options.size.height, "MM",
                 "height [mm]; default: three quarters of the width, and the legend's where it "
                 "stands below");
  app.add_option("--letters", options.size.letters, "PT", "size of letters [pt], default 8");
  app.add_option("--to", options.folder, "FOLDER", "where to write, default: here");
}

}  // namespace

void register_study_files(Verbs& verbs) {
  verbs.add<DataOptions>({"export-data", VerbGroup::papers,
                          "the results of a study as one CSV table for data frames: a line for "
                          "each run, a column for each measure",
                          "daemark export-data li2019/table1"},
                         declare, export_data);
  verbs.add<FigureOptions>({"figure", VerbGroup::papers,
                            "the panels of a committed figure as SVG and PDF of a journal's width",
                            "daemark figure work_precision/pendulum --panel 1 --width 84"},
                           declare, figure_verb);
}

}  // namespace daemark
