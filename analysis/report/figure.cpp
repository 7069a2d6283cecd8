#include "analysis/report/figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "analysis/report/figure_plan.hpp"
#include "base/program/write_file.hpp"

namespace daemark {
namespace {

constexpr const char* kGuideColour = "#777777";

/// The shortest text that reads back as `value`.
std::string number(double value) { return fmt::format("{}", value); }

/// Seven digits place a point to a ten-thousandth of a pixel in any panel.
std::string coordinate(double value) { return fmt::format("{:.7g}", value); }

class Script {
 public:
  explicit Script(const FigurePlan& figure) : figure_(figure) {}

  std::string write(const FigureSpec& spec) {
    out_ << "set border 31 lc rgb '#555555' lw 1\nset tics out nomirror scale 0.6,0.35\n"
         << "set xtics offset character 0,0.4\n"  // nearer to the axis than to its label
         << "set grid xtics ytics lc rgb '#E4E4E4' lw 0.8 lt 1\nunset key\n"
         << "set multiplot\n";
    for (const PanelPlan& panel : figure_.panels) {
      out_ << "unset label\nunset arrow\n";
      if (&panel == figure_.panels.data() && !spec.title.empty())
        text(spec.title, figure_.width / 2.0, 20, "center font ',15'");
      frame(panel);
      guides(panel);
      levels(panel);
      curves(panel);
    }
    for (const LegendPlan& plan : figure_.legends) legend(plan);
    out_ << "unset multiplot\n";
    return out_.str();
  }

 private:
  std::string screen(double x, double y) const {
    return "screen " + coordinate(x / figure_.width) + "," + coordinate(1 - y / figure_.height);
  }

  void text(const std::string& label, double x, double y, const std::string& options) {
    out_ << "set label " << gnuplot_string(label) << " at " << screen(x, y) << " " << options
         << "\n";
  }

  void axis(const AxisPlan& plan, char name, bool labels) {
    out_ << (plan.log ? "set logscale " : "unset logscale ") << name << "\nset " << name
         << "range [" << number(plan.lo) << ":" << number(plan.hi) << "] noextend\nset " << name
         << "tics (";
    for (std::size_t i = 0; i < plan.ticks.size(); ++i) {
      const Tick& tick = plan.ticks[i];
      out_ << (i ? ", " : "") << gnuplot_string(labels ? tick.label : "") << " " << number(tick.at)
           << (tick.minor ? " 1" : "");
    }
    out_ << ")\n";
  }

  void frame(const PanelPlan& panel) {
    const PixelBox& box = panel.box;
    const double bottom = box.top + box.height, middle = box.left + box.width / 2;
    margins(box);
    axis(panel.x, 'x', panel.x_texts);
    axis(panel.y, 'y', true);
    const double widest = widest_tick(panel.y);
    if (panel.x_texts) text(panel.x.label, middle, bottom + 37, "center");
    text(panel.y.label, box.left - widest - 24, box.top + box.height / 2, "center rotate by 90");
    if (!panel.panel->title.empty())
      text(panel.panel->title, middle, box.top - 11, "center font ',13'");
  }

  std::string point(const PanelPlan& panel, double x, double y) const {
    return "first " + number(x / panel.x.scale) + ",first " + number(y / panel.y.scale);
  }

  void guides(const PanelPlan& panel) {
    std::vector<PixelBox> taken;
    for (const LegendPlan& legend : figure_.legends)
      if (legend.inside && &figure_.panels[legend.panel] == &panel) taken.push_back(legend.box);
    for (const SlopeGuide& guide : panel.panel->guides) {
      const double y1 = guide.y0 * std::pow(guide.x1 / guide.x0, guide.order);
      if (!(guide.x0 > 0) || !(guide.x1 > 0) || !(guide.y0 > 0) || !std::isfinite(y1)) continue;
      out_ << "set arrow from " << point(panel, guide.x0, guide.y0) << " to "
           << point(panel, guide.x1, y1) << " nohead lw 1.2 lc rgb '" << kGuideColour << "' "
           << "dt (10,6)\n";
      const std::string label = "order " + number(guide.order);
      taken.push_back(place_guide_label(panel, guide, label, taken));
      text(label, taken.back().left, taken.back().top + taken.back().height / 2,
           "left font ',11' textcolor rgb '#555555'");
    }
  }

  void levels(const PanelPlan& panel) {
    for (const double level : panel.panel->levels) {
      const double place = panel.y.fraction(level);
      if (!(place >= 0 && place <= 1)) continue;
      const std::string at = coordinate(place);
      out_ << "set arrow from graph 0," << at << " to graph 1," << at
           << " nohead lw 1.2 dt (4,4) lc rgb '" << kGuideColour << "'\n";
    }
  }

  void margins(const PixelBox& box) {
    out_ << "set lmargin at screen " << coordinate(box.left / figure_.width)
         << "\nset rmargin at screen " << coordinate((box.left + box.width) / figure_.width)
         << "\nset tmargin at screen " << coordinate(1 - box.top / figure_.height)
         << "\nset bmargin at screen " << coordinate(1 - (box.top + box.height) / figure_.height)
         << "\n";
  }

  std::string data(const std::vector<Polyline>& lines) {
    const std::string block = "$data" + std::to_string(++blocks_);
    out_ << block << " << END_OF_DATA\n";
    for (const Polyline& line : lines) {
      for (std::size_t k = 0; k < line.x.size(); ++k)
        out_ << coordinate(line.x[k]) << " " << coordinate(line.y[k]) << "\n";
      out_ << "\n";
    }
    out_ << "END_OF_DATA\n";
    return block + " using 1:2 with ";
  }

  /// A plot whose coordinates are pixels from the lower left corner of the legend's box.
  void legend(const LegendPlan& plan) {
    const PanelPlan& panel = figure_.panels[plan.panel];
    const double column = legend_column_width(panel);
    out_ << "unset label\nunset arrow\nunset border\nunset grid\nunset logscale\nunset xtics\n"
         << "unset ytics\nset xrange [0:" << number(plan.box.width)
         << "]\nset yrange [0:" << number(plan.box.height) << "]\n";
    margins(plan.box);
    if (plan.opaque) {
      out_ << "set object 1 rectangle from graph 0,0 to graph 1,1 behind fillcolor rgb 'white' "
           << "fillstyle solid noborder\n";
    }
    std::string plot = "plot NaN";
    const std::vector<LegendEntry> entries = legend_entries(panel);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const auto columns = static_cast<std::size_t>(plan.columns);
      const double x = column * static_cast<double>(i % columns) + 4;
      const double y = plan.box.height - kLegendRow * (static_cast<double>(i / columns) + 0.5);
      text(entries[i].label, plan.box.left + x + kLegendSample + 7,
           plan.box.top + plan.box.height - y, "left");
      if (!entries[i].line.empty())
        plot += ", " + data({{{x, x + kLegendSample}, {y, y}}}) + entries[i].line;
      if (!entries[i].point.empty())
        plot += ", " + data({{{x + kLegendSample / 2}, {y}}}) + entries[i].point;
    }
    out_ << plot << "\nunset object\n";
  }

  void curves(const PanelPlan& panel) {
    std::string plot = "plot NaN";
    for (std::size_t i = 0; i < panel.curves.size(); ++i) {
      const CurvePlan& plan = panel.curves[i];
      if (plan.points == 0) continue;
      plot += ", " + data(plan.lines) + drawing_style(*plan.curve, i, plan.points);
    }
    for (const PointMark& mark : panel.panel->marks) {
      const double x = mark.x / panel.x.scale, y = mark.y / panel.y.scale;
      if (!std::isfinite(panel.x.fraction(mark.x) + panel.y.fraction(mark.y))) continue;
      plot += ", " + data({{{x}, {y}}}) + mark_style(mark);
    }
    out_ << plot << "\n";
  }

  const FigurePlan& figure_;
  std::ostringstream out_;
  int blocks_ = 0;
};

}  // namespace

std::string figure_commands(const FigurePlan& plan, const FigureSpec& spec) {
  return Script(plan).write(spec);
}

FigureSpec as_drawn(FigureSpec spec) {
  for (Panel& panel : spec.panels)
    std::erase_if(panel.curves, [](const Curve& curve) { return curve.width == 0; });
  return with_colours(std::move(spec));
}

std::string render_svg(const FigureSpec& figure) {
  const FigureSpec spec = as_drawn(figure);
  const FigurePlan plan = plan_figure(spec);
  const std::string svg =
      run_gnuplot(figure_commands(plan, spec), svg_terminal(plan.width, plan.height));
  return tidy_svg(svg, spec.title, spec.caption);
}

std::string write_svg(const FigureSpec& spec, const std::filesystem::path& file) {
  try {
    write_if_changed(file, render_svg(spec));
    return "";
  } catch (const CannotDraw& why) {
    const FigurePlan plan = plan_figure(spec);
    write_if_changed(file, empty_svg(plan.width, plan.height, why.what()));
    return fmt::format("{} not drawn: {}", file.filename().string(), why.what());
  }
}

}  // namespace daemark
