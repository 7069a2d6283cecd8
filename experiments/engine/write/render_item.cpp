// The figure and the animation of an item, its files, and what is written apart from them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "analysis/reference/reference.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/read_double.hpp"
#include "experiments/cells/support/cell_kind.hpp"
#include "experiments/cells/support/work_curve.hpp"
#include "experiments/engine/run/records.hpp"
#include "experiments/engine/write/render.hpp"
#include "problems/system/registry.hpp"

namespace daemark {

std::optional<Animation> animation_of(const ItemSpec& item, const Judge& judge) {
  if (item.animate.empty()) return std::nullopt;
  const RowSpec& row = *find_row(item, item.animate);
  const CellResult* result = judge.result(*row.cell);
  if (result == nullptr || !result->series.contains("t")) return std::nullopt;
  const std::string where = fmt::format("{}/{}, animate", item.paper, item.id);
  const Problem problem = problem_registry().make((*row.cell)->problem);
  const auto mechanism = problem.make<double>();
  Animation animation;
  animation.drawing = drawing_of(*mechanism);
  if (animation.drawing.empty())
    throw BadInput(fmt::format("{}: problem {} has no drawing", where, problem.name));
  const auto names =
      mechanism->chart_size() > 0 ? mechanism->reference_names() : mechanism->coordinate_names();
  animation.title = problem.name;
  animation.caption = row.label;
  animation.t = result->series.at("t");
  animation.q.assign(animation.t.size(), {});
  for (const std::string& name : names) {
    const auto series = result->series.find(name);
    if (series == result->series.end() || series->second.size() != animation.t.size())
      throw BadInput(
          fmt::format("{}: row '{}' has no history of {}; accepted: a formulation that "
                      "is not minimal",
                      where, row.id, name));
    for (std::size_t i = 0; i < animation.t.size(); ++i)
      animation.q[i].push_back(series->second[i]);
  }
  return animation;
}

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

void write_local(const fs::path& results, const PaperSpec& paper, const ItemSpec& item,
                 const Judge& judge, const std::string& provenance) {
  const fs::path folder = results / ".local" / paper.id / item.id;
  const Table times = times_of(paper, item, judge);
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

namespace {

constexpr std::size_t max_points = 1001;

double rounded(double value) { return double_of(fmt::format("{:.6g}", value)); }

/// The formula over a result's series, point by point.
std::vector<double> along(const Formula& formula, const CellResult& result,
                          const std::string& where) {
  std::vector<const std::vector<double>*> columns;
  for (const std::string& name : formula.names()) {
    const auto series = result.series.find(name);
    if (series == result.series.end()) {
      std::vector<std::string> known;
      for (const auto& [key, values] : result.series) known.push_back(key);
      throw BadInput(fmt::format("{}: plot: no series '{}'; accepted: {}", where, name,
                                 fmt::join(known, ", ")));
    }
    columns.push_back(&series->second);
  }
  if (columns.empty())
    throw BadInput(fmt::format("{}: plot: '{}' names no series", where, formula.text()));
  std::vector<double> out;
  std::vector<std::optional<double>> values(columns.size());
  for (std::size_t i = 0; i < columns.front()->size(); ++i) {
    for (std::size_t k = 0; k < columns.size(); ++k) values[k] = columns[k]->at(i);
    out.push_back(formula.eval(values).value_or(std::nan("")));
  }
  return out;
}

/// Every n-th point, and the last, rounded so that the files are stable.
std::vector<double> thinned(const std::vector<double>& values) {
  const std::size_t stride =
      std::max<std::size_t>(1, (values.size() + max_points - 1) / max_points);
  std::vector<double> out;
  for (std::size_t i = 0; i < values.size(); i += stride) out.push_back(rounded(values[i]));
  if (!values.empty() && (values.size() - 1) % stride != 0) out.push_back(rounded(values.back()));
  return out;
}

/// A line of the nearest whole order below the fine end of a convergence curve; one an order.
void add_guide(Panel& panel, const Curve& curve, double order) {
  std::vector<std::pair<double, double>> points;
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    if (curve.x[i] > 0 && curve.y[i] > 0 && std::isfinite(curve.y[i])) {
      points.emplace_back(curve.x[i], curve.y[i]);
    }
  }
  if (points.size() < 3 || !std::isfinite(order)) return;
  std::sort(points.begin(), points.end());
  SlopeGuide guide;
  guide.order = std::round(order);
  for (const SlopeGuide& drawn : panel.guides) {
    if (drawn.order == guide.order) return;
  }
  guide.x0 = points.front().first;
  guide.y0 = rounded(points.front().second / 3);
  guide.x1 = std::min(points.back().first, 10 * guide.x0);
  panel.guides.push_back(guide);
}

/// A measure of several rows, the first at the top.
void add_measures(Panel& panel, const ItemSpec& item, const CurveSpec& spec, const Judge& judge) {
  Curve curve;
  curve.label = curve.name = spec.label;
  curve.style = spec.style;
  for (std::size_t i = 0; i < spec.rows.size(); ++i) {
    const auto value = spec.x.eval(
        [&](const std::string& name) { return judge.lookup(item, spec.rows[i] + "." + name); });
    curve.x.push_back(rounded(value.value_or(std::nan(""))));
    curve.y.push_back(static_cast<double>(spec.rows.size() - i));
  }
  panel.curves.push_back(std::move(curve));
}

void add_curve(Panel& panel, const ItemSpec& item, const CurveSpec& spec, const Judge& judge,
               bool timed) {
  if (!spec.rows.empty()) return add_measures(panel, item, spec, judge);
  const RowSpec& row = *find_row(item, spec.row);
  const CellResult* result = judge.result(*row.cell);
  if (result == nullptr || (result->series.empty() && result->ok())) return;
  Curve curve;
  curve.label = curve.name = spec.label;
  curve.style = spec.style;
  curve.ended = result->ok() || kind_of(*row.cell).is_study(*row.cell);
  if (result->series.empty()) return panel.curves.push_back(std::move(curve));  // "no values"
  const auto seconds = result->timings.find("seconds");
  if (timed && seconds == result->timings.end()) return;
  curve.x = timed ? seconds->second : thinned(along(spec.x, *result, item.id));
  curve.y = thinned(along(spec.y, *result, item.id));
  if (spec.marks && !curve.x.empty()) {
    panel.marks.push_back({PointMark::Kind::start, curve.x.front(), curve.y.front(), "start"});
    panel.marks.push_back({PointMark::Kind::end, curve.x.back(), curve.y.back(), "end"});
  }
  if (spec.slope && spec.y.text().starts_with("error_")) {
    const auto slope = result->measures.find("slope_" + spec.y.text().substr(6));
    if (slope != result->measures.end()) {
      add_guide(panel, curve, slope->second);
      curve.label += fmt::format("{}slope {:.2f}", curve.label.empty() ? "" : ", ", slope->second);
    }
  }
  panel.curves.push_back(std::move(curve));
}

/// PanelSpec::best_at. The curves are those of `spec` that have data, in order.
void highlight(Panel& panel, const ItemSpec& item, const PanelSpec& spec,
               const std::vector<std::size_t>& drawn) {
  std::vector<std::string> groups;  // of the item, so that a group has one colour in all panels
  for (const RowSpec& row : item.rows)
    if (std::count(groups.begin(), groups.end(), row.group) == 0) groups.push_back(row.group);
  std::map<std::string, std::size_t> best;
  const auto group = [&](std::size_t i) {
    return find_row(item, spec.curves[drawn[i]].row)->group;
  };
  const auto rank = [&](std::size_t i) {  // where none reaches it, by the least error
    const std::vector<double>& y = panel.curves[i].y;
    double least = std::numeric_limits<double>::infinity();
    for (const double value : y)
      if (value > 0) least = std::min(least, value);
    const auto found = reach(panel.curves[i].x, y, spec.best_at);
    return std::pair(found ? found->work : std::numeric_limits<double>::infinity(), least);
  };
  for (std::size_t i = 0; i < panel.curves.size(); ++i) {
    const auto [at, first] = best.try_emplace(group(i), i);
    if (rank(i) < rank(at->second)) at->second = i;
  }
  for (std::size_t i = 0; i < panel.curves.size(); ++i) {
    Curve& curve = panel.curves[i];
    curve.colour =
        static_cast<int>(std::find(groups.begin(), groups.end(), group(i)) - groups.begin());
    curve.style = CurveStyle::linespoints;
    if (best.at(group(i)) != i) curve.width = 0;  // not drawn, but in figure.csv
    curve.label = curve.name = fmt::format("{}: {}", group(i), curve.label);
  }
}

}  // namespace

std::optional<FigureSpec> figure_of(const ItemSpec& item, const Judge& judge, bool timed) {
  if (!item.plot) return std::nullopt;
  FigureSpec figure;
  figure.caption = item.plot->caption;
  figure.columns = item.plot->columns;
  for (const PanelSpec& spec : item.plot->panels) {
    Panel panel = spec.frame;
    if (timed) panel.x.label = "time", panel.x.unit = "s";
    std::vector<std::size_t> drawn;
    for (std::size_t i = 0; i < spec.curves.size(); ++i) {
      const std::size_t before = panel.curves.size();
      add_curve(panel, item, spec.curves[i], judge, timed);
      if (panel.curves.size() > before) drawn.push_back(i);
    }
    if (spec.best_at > 0) highlight(panel, item, spec, drawn);
    if (std::any_of(panel.curves.begin(), panel.curves.end(),
                    [](const Curve& curve) { return !curve.x.empty(); }))
      figure.panels.push_back(std::move(panel));
  }
  if (figure.panels.empty()) return std::nullopt;
  return figure;
}

std::vector<std::string> panel_names(const FigureSpec& figure) {
  std::vector<std::string> titles, letters;
  for (const Panel& panel : figure.panels) {
    titles.push_back(panel.title.empty() ? std::to_string(titles.size() + 1) : panel.title);
    const std::size_t end =
        panel.title.starts_with("(") ? panel.title.find(") ") : std::string::npos;
    if (end != std::string::npos) letters.push_back(panel.title.substr(0, end + 1));
  }
  const std::set<std::string> distinct(letters.begin(), letters.end());
  return distinct.size() == titles.size() ? letters : titles;
}

bool is_panel(const std::string& name, const std::string& title, std::size_t number) {
  return title.empty() ? name == std::to_string(number)
                       : name == title || title.starts_with(name + " ");
}

std::string figure_csv(const FigureSpec& figure) {
  std::string out = csv_line({"panel", "curve", "x", "y"});
  const std::vector<std::string> names = panel_names(figure);
  for (std::size_t p = 0; p < figure.panels.size(); ++p) {
    const Panel& panel = figure.panels[p];
    for (std::size_t c = 0; c < panel.curves.size(); ++c) {
      const Curve& curve = panel.curves[c];
      for (std::size_t i = 0; i < curve.x.size(); ++i) {
        out += csv_line({names[p], curve.label.empty() ? std::to_string(c + 1) : curve.label,
                         fmt::format("{:.6g}", curve.x[i]), fmt::format("{:.6g}", curve.y[i])});
      }
    }
  }
  return out;
}

std::map<std::string, std::string> text_files(const PaperSpec& paper, const ItemOutcome& outcome) {
  const ItemSpec& item = *outcome.item;
  std::map<std::string, std::string> files;
  files["table.md"] = page_markdown(paper, outcome);
  if (!item.columns.empty()) {
    files["table.csv"] = long_csv(paper, outcome);
    files["table.tex"] = latex(layout(paper, outcome), fmt::format("tab:{}-{}", paper.id, item.id));
  }
  if (!outcome.claims.empty()) files["conditions.csv"] = conditions_csv(outcome);
  return files;
}

bool lacks_series(const ItemSpec& item, const Judge& judge) {
  if (!item.plot) return false;
  const auto lacks = [&](const CurveSpec& curve) {
    if (!curve.rows.empty()) return false;
    const FixedCell& cell = *find_row(item, curve.row)->cell;
    const CellResult* result = judge.result(cell);
    const CellKind& kind = kind_of(cell);
    return result != nullptr && result->recorded && kind.has_series(cell) && !kind.is_study(cell);
  };
  for (const PanelSpec& panel : item.plot->panels)
    if (std::any_of(panel.curves.begin(), panel.curves.end(), lacks)) return true;
  return false;
}

WrittenItem write_item(const std::filesystem::path& results, const PaperSpec& paper,
                       const ItemOutcome& outcome, const Judge& judge) {
  const ItemSpec& item = *outcome.item;
  const std::string folder = paper.id + "/" + item.id + "/";
  WrittenItem written;
  std::vector<std::string>& files = written.files;
  const auto write = [&](const std::string& name, const std::string& text) {
    files.push_back(folder + name);
    write_if_changed(results / files.back(), text);
  };
  // Records first: whatever stops the rest, the others can be made from them.
  if (has_records(item)) write("records.jsonl", records(item, judge));
  for (const auto& [name, text] : text_files(paper, outcome)) write(name, text);
  if (const std::optional<Animation> animation = animation_of(item, judge))
    write("animation.svg", animation_svg(*animation, item_animation_bytes));
  if (lacks_series(item, judge)) {
    for (const char* name : {"figure.csv", "figure.svg"})
      if (std::filesystem::exists(results / folder / name)) files.push_back(folder + name);
  } else if (const std::optional<FigureSpec> figure = figure_of(item, judge)) {
    write("figure.csv", figure_csv(*figure));
    files.push_back(folder + "figure.svg");
    written.not_drawn = write_svg(*figure, results / files.back());
  }
  return written;
}

}  // namespace daemark
