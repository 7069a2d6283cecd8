#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/report/figure_plan.hpp"
#include "base/text/bad_input.hpp"

namespace daemark {
namespace {

constexpr std::size_t kCurvePoints = 1000;   // as promised by the header
constexpr std::size_t kFigurePoints = 8000;  // keeps an SVG below about 150 kB
constexpr std::size_t kMarkedPoints = 400;   // a marker costs six times a line's point
constexpr double kGap = 14;                  // right of a panel [px]

bool only_points(const Curve& curve) { return curve.style == CurveStyle::points; }

void check(const FigureSpec& spec) {
  const std::string where = "figure '" + spec.title + "'";
  if (spec.panels.empty()) throw BadInput(where + " has no panel; at least one is needed");
  if (spec.columns < 1 || spec.width < 200 || spec.width > 4000 || spec.height < 0 ||
      spec.height > 8000)
    throw BadInput(where + ": accepted are columns >= 1, width 200..4000 and height 0..8000 px");
  for (const Panel& panel : spec.panels) {
    for (const Curve& curve : panel.curves) {
      if (curve.x.size() == curve.y.size()) continue;
      throw BadInput(where + ", curve '" + curve.label + "': x has " +
                     std::to_string(curve.x.size()) + " values, y " +
                     std::to_string(curve.y.size()) + "; equal lengths are needed");
    }
  }
}

struct Ranges {
  DataRange x, y;
};

/// The range of the curves that `takes` accepts, and of what is drawn next to them.
Ranges data_ranges(const Panel& panel, bool (*takes)(const Curve&)) {
  Ranges range;
  const bool x_log = panel.x.log, y_log = panel.y.log;
  const auto take = [&](double x, double y) {
    // A point counts only if it can be drawn and lies in the fixed part of the other axis.
    if (!std::isfinite(x) || !std::isfinite(y) || (x_log && x <= 0) || (y_log && y <= 0)) return;
    range.x.take(x, x_log);
    if ((panel.x.min && x < *panel.x.min) || (panel.x.max && x > *panel.x.max)) return;
    range.y.take(y, y_log);
  };
  for (const Curve& curve : panel.curves)
    for (std::size_t i = 0; takes(curve) && i < curve.x.size(); ++i) take(curve.x[i], curve.y[i]);
  for (const PointMark& mark : panel.marks) take(mark.x, mark.y);
  for (const double level : panel.levels) range.y.take(level, y_log);
  for (const SlopeGuide& guide : panel.guides) {
    take(guide.x0, guide.y0);
    take(guide.x1, guide.y0 * std::pow(guide.x1 / guide.x0, guide.order));
  }
  return range;
}

Ranges axes_ranges(const Panel& panel) {
  const Ranges all = data_ranges(panel, [](const Curve&) { return true; }),
               whole = data_ranges(panel, [](const Curve&curve) { return curve.ended; });
  return {range_with_room(whole.x, all.x, panel.x.log),
          range_with_room(whole.y, all.y, panel.y.log)};
}

void plan_axes(PanelPlan& plan, const std::string& where) {
  const Panel& panel = *plan.panel;
  const Ranges range = axes_ranges(panel);
  const bool open_ends = panel.equal_scale || panel.x.log || !panel.marks.empty() ||
                         std::any_of(panel.curves.begin(), panel.curves.end(), draws_points);
  plan.x = axis_range(panel.x, range.x, open_ends ? 0.05 : 0, where + ", x axis");
  plan.y = axis_range(panel.y, range.y, 0.06, where + ", y axis");
  if (panel.equal_scale) share_scale(plan.x, plan.y);
}

/// A name without a curve says so.
void mark_empty_names(PanelPlan& plan) {
  if (plan.panel->y.names.empty()) return;
  for (Tick& tick : plan.y.ticks) {
    const auto is_there = [&](const CurvePlan& curve) {
      return std::any_of(curve.lines.begin(), curve.lines.end(), [&](const Polyline& line) {
        return std::count(line.y.begin(), line.y.end(), tick.at) > 0;
      });
    };
    if (std::none_of(plan.curves.begin(), plan.curves.end(), is_there)) tick.label += " (no value)";
  }
}

bool same_axis(const AxisPlan& a, const AxisPlan& b) {
  return a.log == b.log && a.lo == b.lo && a.hi == b.hi && a.scale == b.scale && a.label == b.label;
}

void fill_curves(PanelPlan& plan, std::size_t curves_in_figure) {
  const std::size_t share = kFigurePoints / std::max<std::size_t>(curves_in_figure, 1);
  for (const Curve& curve : plan.panel->curves) {
    CurvePlan ready;
    ready.curve = &curve;
    const std::size_t most = std::min(kCurvePoints, std::max<std::size_t>(share, 50));
    ready.lines =
        drawable(curve, plan.x, plan.y, only_points(curve) ? std::min(most, kMarkedPoints) : most);
    for (const Polyline& line : ready.lines) ready.points += line.x.size();
    plan.curves.push_back(std::move(ready));
  }
}

/// One legend under the whole figure says the same as one in or under every panel.
bool shared_legend(const FigurePlan& figure) {
  const std::vector<PanelPlan>& panels = figure.panels;
  return panels.size() > 1 && !legend_entries(panels[0]).empty() &&
         std::all_of(panels.begin(), panels.end(), [&](const PanelPlan& plan) {
           return (plan.panel->legend == LegendPosition::automatic ||
                   plan.panel->legend == LegendPosition::below) &&
                  legend_entries(panels[0]) == legend_entries(plan);
         });
}

void place_legends(FigurePlan& figure) {
  if (shared_legend(figure)) {
    const LegendSize size = legend_size(figure.panels[0], figure.width);
    figure.legends.push_back({0,
                              size.columns,
                              false,
                              {std::max((figure.width - size.width) / 2, 0.0),
                               figure.height - size.height - 6, size.width, size.height}});
    return;
  }
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    if (figure.panels[i].legend == LegendPosition::none) continue;
    figure.legends.push_back(place_legend(figure.panels[i], i));
  }
}

/// What the rows of the grid ask for [px], texts and legends below included.
std::vector<int> row_heights(const FigureSpec& spec) {
  const auto columns = static_cast<std::size_t>(spec.columns);
  const std::size_t rows = (spec.panels.size() + columns - 1) / columns;
  const bool square = std::any_of(spec.panels.begin(), spec.panels.end(),
                                  [](const Panel& panel) { return panel.equal_scale; });
  std::vector<int> heights(rows,
                           square ? spec.width / spec.columns * 3 / 4 : (rows == 1 ? 400 : 210));
  constexpr int name_row = 20, around = 90, beside_legend = 290;
  for (std::size_t i = 0; i < spec.panels.size(); ++i) {
    const Panel& panel = spec.panels[i];
    int& height = heights[i / columns];
    if (panel.legend == LegendPosition::right_outside && rows > 1) {
      const auto entries = std::count_if(panel.curves.begin(), panel.curves.end(),
                                         [](const Curve& curve) { return !curve.label.empty(); });
      height = std::max({height, beside_legend,
                         static_cast<int>(kLegendRow * static_cast<double>(entries)) + 24});
    }
    if (!panel.y.names.empty())
      height = std::max(height, name_row * static_cast<int>(panel.y.names.size()) + around);
  }
  return heights;
}

/// One pass of laying out the grid; legends and tick labels of the last pass decide the margins.
void place(FigurePlan& figure, const FigureSpec& spec) {
  const auto count = figure.panels.size();
  const auto columns = static_cast<std::size_t>(spec.columns);
  const std::size_t rows = (count + columns - 1) / columns;
  std::vector<double> left(columns, 0), right(columns, kGap), above(rows, 10), under(rows, 8);
  for (std::size_t i = 0; i < count; ++i) {
    const PanelPlan& plan = figure.panels[i];
    const std::size_t c = i % columns, r = i / columns;
    left[c] = std::max(left[c], widest_tick(plan.y) + 14 + (plan.y.label.empty() ? 4 : 24));
    if (plan.legend == LegendPosition::right_outside)
      right[c] = std::max(right[c], legend_column_width(plan) + 10);
    if (!plan.panel->title.empty()) above[r] = std::max(above[r], 28.0);
    const double texts = plan.x_texts ? (plan.x.label.empty() ? 28 : 50) : 6;
    const double legend =
        plan.legend == LegendPosition::below ? legend_size(plan, plan.box.width).height + 4 : 0;
    under[r] = std::max(under[r], texts + legend);
  }
  const double title = spec.title.empty() ? 4 : 34;
  const double shared =
      shared_legend(figure) ? legend_size(figure.panels[0], figure.width).height : 0;
  double width = figure.width, height = figure.height - title - (shared > 0 ? shared + 6 : 0);
  for (std::size_t c = 0; c < columns; ++c) width -= left[c] + right[c];
  for (std::size_t r = 0; r < rows; ++r) height -= above[r] + under[r];
  width /= static_cast<double>(columns);
  const std::vector<int> asked = row_heights(spec);
  const double unit = height / std::accumulate(asked.begin(), asked.end(), 0.0);
  if (width < 60 || unit * *std::min_element(asked.begin(), asked.end()) < 40) {
    throw BadInput("figure '" + spec.title + "': too small for its panels; a larger width or " +
                   "height, or fewer columns, are needed");
  }
  double y = title;
  for (std::size_t r = 0; r < rows; ++r) {
    double x = 0;
    const double tall = unit * asked[r];
    y += above[r];
    for (std::size_t c = 0; c < columns && r * columns + c < count; ++c) {
      x += left[c];
      figure.panels[r * columns + c].box = {x, y, width, tall};
      x += width + right[c];
    }
    y += tall + under[r];
  }
}

}  // namespace

double widest_tick(const AxisPlan& axis) {
  double widest = 0;
  for (const Tick& tick : axis.ticks) widest = std::max(widest, drawn_width(tick.label));
  return widest;
}

bool draws_points(const Curve& curve) {
  return only_points(curve) || curve.style == CurveStyle::linespoints;
}

double drawn_width(const std::string& text, double font_size) {
  int characters = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool continued = (byte & 0xC0) == 0x80;
    const bool combining = byte == 0xCC || byte == 0xCD;  // U+0300 to U+037F: dots, bars, hats
    if (!continued && !combining) ++characters;
  }
  return 0.6 * font_size * characters;
}

FigurePlan plan_figure(const FigureSpec& spec) {
  check(spec);
  FigurePlan figure;
  figure.width = spec.width;
  const std::vector<int> rows = row_heights(spec);
  figure.height = spec.height > 0 ? spec.height : std::accumulate(rows.begin(), rows.end(), 60);
  std::size_t curves = 0;
  for (const Panel& panel : spec.panels) curves += panel.curves.size();
  for (const Panel& panel : spec.panels) {
    PanelPlan plan;
    plan.panel = &panel;
    plan_axes(plan, "figure '" + spec.title + "'");
    fill_curves(plan, curves);
    figure.panels.push_back(std::move(plan));
  }
  // Margins depend on ticks and legends, these on the size of the box: three passes settle it.
  const std::vector<PanelPlan> tight = figure.panels;
  for (int pass = 0; pass < 3; ++pass) {
    place(figure, spec);
    for (std::size_t i = 0; i < figure.panels.size(); ++i) {
      PanelPlan& plan = figure.panels[i];
      plan.x = tight[i].x;
      plan.y = tight[i].y;
      if (plan.panel->equal_scale) equalise(plan.x, plan.y, plan.box.width, plan.box.height);
      axis_ticks(plan.x, plan.panel->x, plan.box.width, 62);
      axis_ticks(plan.y, plan.panel->y, plan.box.height, 34);
      mark_empty_names(plan);
      plan.legend = shared_legend(figure) ? LegendPosition::none : choose_legend(plan);
    }
    for (std::size_t i = 0; spec.columns == 1 && i + 1 < figure.panels.size(); ++i)
      figure.panels[i].x_texts = !same_axis(figure.panels[i].x, figure.panels[i + 1].x);
  }
  place(figure, spec);
  place_legends(figure);
  return figure;
}

}  // namespace daemark
