#include <algorithm>
#include <map>

#include "analysis/report/table.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/read_double.hpp"
#include "experiments/engine/write/render.hpp"
#include "experiments/report/explore.hpp"

namespace daemark {
namespace {

/// Curves of each panel by its name in the file, in the order of the file.
using Panels = std::map<std::string, std::vector<ExploreCurve>>;
/// What has a colour, by it: a family, or a curve with how it is drawn.
using Colours = std::vector<std::pair<std::string, std::string>>;

int colour_of(const std::string& name, const std::string& look, Colours& colours) {
  const auto known = std::find_if(colours.begin(), colours.end(),
                                  [&](const auto& colour) { return colour.first == name; });
  const auto place = static_cast<int>(known - colours.begin());
  if (known == colours.end()) colours.emplace_back(name, look);
  return place;
}

Panels read_panels(const std::string& text) {
  Panels panels;
  const auto lines = read_csv(text, "figure.csv");
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (lines[i].size() != 4) continue;
    std::vector<ExploreCurve>& curves = panels[lines[i][0]];
    if (curves.empty() || curves.back().name != lines[i][1]) {
      curves.emplace_back();
      curves.back().name = lines[i][1];
    }
    curves.back().x.push_back(double_of(lines[i][2]));
    curves.back().y.push_back(double_of(lines[i][3]));
  }
  return panels;
}

/// The first of each family to fall to that error.
void mark_best(std::vector<ExploreCurve>& curves, double error) {
  std::map<int, std::pair<double, ExploreCurve*>> best;
  for (ExploreCurve& curve : curves)
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      if (!(curve.y[i] <= error)) continue;
      const auto [known, first] = best.try_emplace(curve.family, curve.x[i], &curve);
      if (!first && curve.x[i] < known->second.first) known->second = {curve.x[i], &curve};
      break;
    }
  for (auto& [family, curve] : best) curve.second->front = true;
}

std::string look_of(CurveStyle style) {
  switch (style) {
    case CurveStyle::dashed:
      return "dashes";
    case CurveStyle::dotted:
      return "dots";
    case CurveStyle::points:
      return "points";
    default:
      return "";
  }
}

/// The curve of that name in figure.csv, which may have gained what was measured ("slope 4.0"), or
/// be a number where there is no label.
const CurveSpec* spec_of(const PanelSpec& panel, const std::string& name) {
  for (std::size_t k = 0; k < panel.curves.size(); ++k) {
    const std::string& label = panel.curves[k].label;
    if (label.empty() ? name == std::to_string(k + 1)
                      : name == label || name.starts_with(label + ", "))
      return &panel.curves[k];
  }
  return nullptr;
}

/// A curve of a panel without families: how it is drawn, its colour, its place in the legend.
void dress(ExploreCurve& curve, const PanelSpec& panel, Colours& colours) {
  constexpr int unnamed = 100 * most_families;  // the first colour, in no legend
  const CurveSpec* spec = spec_of(panel, curve.name);
  if (spec != nullptr) curve.look = spec->rows.empty() ? look_of(spec->style) : "points";
  const bool named = spec == nullptr || !spec->label.empty();
  curve.family = named ? colour_of(curve.name, curve.look, colours) : unnamed;
  if (!named) curve.name = panel.frame.title;
}

std::string labelled(const Axis& axis) {
  return axis.unit.empty() ? axis.label : axis.label + " [" + axis.unit + "]";
}

ExplorePlot plot_of(const PanelSpec& panel) {
  ExplorePlot plot;
  const Panel& frame = panel.frame;
  plot.title = frame.title, plot.x_label = labelled(frame.x);
  plot.log_x = frame.x.log, plot.log_y = frame.y.log, plot.y_names = frame.y.names;
  plot.continuous = panel.best_at == 0 &&
                    std::none_of(panel.curves.begin(), panel.curves.end(), [](const CurveSpec& c) {
                      return c.style == CurveStyle::linespoints;  // runs, not motions
                    });
  return plot;
}

/// A picture of space, or one of a chosen part, is left as it is drawn.
bool can_answer(const PanelSpec& panel) {
  const Panel& frame = panel.frame;
  return !frame.equal_scale && !frame.x.min && !frame.x.max && !frame.y.min && !frame.y.max;
}

/// Motions that stop before the others ended early.
void mark_ends(std::vector<ExploreCurve>& curves, const PanelSpec& panel) {
  constexpr double nearly = 0.99;
  if (panel.best_at > 0 || panel.frame.x.log || !panel.frame.y.names.empty()) return;
  double last = 0;
  for (const ExploreCurve& curve : curves) last = std::max(last, curve.x.back());
  for (ExploreCurve& curve : curves) curve.ended = curve.x.back() >= nearly * last;
}

std::string diagrams(const PlotSpec& spec, const Panels& panels, Colours& colours) {
  std::string figures;
  for (std::size_t p = 0; p < spec.panels.size(); ++p) {
    const PanelSpec& panel = spec.panels[p];
    for (const auto& [name, found] : panels) {
      if (!is_panel(name, panel.frame.title, p + 1)) continue;
      std::vector<ExploreCurve> curves = found;
      for (ExploreCurve& curve : curves) {
        if (panel.best_at > 0)
          curve.family = colour_of(curve.name.substr(0, curve.name.find(": ")), "", colours);
        else
          dress(curve, panel, colours);
      }
      mark_ends(curves, panel);
      if (panel.best_at > 0) mark_best(curves, panel.best_at);
      ExplorePlot plot = plot_of(panel);
      plot.parts = {{"all", labelled(panel.frame.y), std::move(curves)}};
      figures += explore_figure(plot);
      break;
    }
  }
  return figures;
}

}  // namespace

FigureSpec standing_figure(const PaperSpec& paper, const ItemSpec& item, const Judge& judge,
                           const std::filesystem::path& results) {
  const std::string name = paper.id + "/" + item.id;
  if (!item.plot) throw BadInput(name + " has no figure; accepted: an item with a plot");
  if (!lacks_series(item, judge)) {
    if (std::optional<FigureSpec> figure = figure_of(item, judge)) return std::move(*figure);
    throw BadInput(name + " has no results yet; accepted: after daemark reproduce " + name);
  }
  FigureSpec figure;
  const Panels panels = read_panels(read_text(results / name / "figure.csv").value_or(""));
  for (std::size_t p = 0; p < item.plot->panels.size(); ++p) {
    const PanelSpec& spec = item.plot->panels[p];
    for (const auto& [title, found] : panels) {
      if (!is_panel(title, spec.frame.title, p + 1)) continue;
      Panel panel = spec.frame;
      std::vector<ExploreCurve> ends = found;
      mark_ends(ends, spec);
      for (const ExploreCurve& curve : ends) {
        const CurveSpec* own = spec_of(spec, curve.name);
        Curve drawn{own != nullptr && own->label.empty() ? "" : curve.name, curve.x, curve.y};
        if (own != nullptr) drawn.style = own->rows.empty() ? own->style : CurveStyle::points;
        drawn.ended = curve.ended;
        panel.curves.push_back(std::move(drawn));
      }
      figure.panels.push_back(std::move(panel));
    }
  }
  if (figure.panels.empty())
    throw BadInput(name + " has no results yet; accepted: after daemark reproduce " + name);
  return figure;
}

std::string explore_item(const ItemSpec& item, const std::filesystem::path& csv,
                         std::vector<std::string>& families) {
  if (!item.plot) return "";
  const std::vector<PanelSpec>& panels = item.plot->panels;
  if (!std::all_of(panels.begin(), panels.end(), can_answer)) return "";
  const bool by_family = std::any_of(panels.begin(), panels.end(),
                                     [](const PanelSpec& panel) { return panel.best_at > 0; });
  const std::optional<std::string> text = read_text(csv);
  if (!text) return "";
  Colours colours;
  if (by_family)
    for (const std::string& family : families) colours.emplace_back(family, "");
  try {
    const std::string figures = diagrams(*item.plot, read_panels(*text), colours);
    if (figures.empty()) return "";
    if (!by_family) return explore_keyed(figures, colours);
    families.clear();
    for (const auto& [name, look] : colours) families.push_back(name);
    return "<div class=\"plots\">\n" + figures + "</div>\n";
  } catch (const BadInput&) {  // damaged: the drawn figure stands
  } catch (const std::exception&) {
  }
  return "";
}

}  // namespace daemark
