#include "analysis/report/figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <sstream>

#include "analysis/report/figure_legend.hpp"
#include "analysis/report/figure_svg.hpp"
#include "base/program/write_file.hpp"

namespace daemark {
namespace {

// Okabe & Ito's colours for all kinds of colour vision, without the yellow (too pale on white).
constexpr std::array<const char*, 7> kPalette{"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                              "#E69F00", "#56B4E9", "#000000"};
constexpr const char* kGuideColour = "#777777";
constexpr const char* kDashed = "dt (10,6)";
constexpr const char* kDotted = "dt (2,5)";
constexpr std::size_t kMarkers = 24;  // more on one line run into each other

/// The shortest text that reads back as `value`, whatever the locale.
std::string number(double value) {
  std::array<char, 64> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), end.ptr};
}

/// Seven digits place a point to a ten-thousandth of a pixel in any panel.
std::string coordinate(double value) { return fmt::format("{:.7g}", value); }

std::size_t palette_index(const Curve& curve, std::size_t position) {
  return curve.colour < 0 ? position : static_cast<std::size_t>(curve.colour);
}

/// gnuplot's point type; open shapes, so that curves on top of each other both show.
int point_type(Marker marker, std::size_t index) {
  constexpr std::array<Marker, 6> kAutomatic{Marker::circle,        Marker::square,
                                             Marker::triangle,      Marker::diamond,
                                             Marker::triangle_down, Marker::cross};
  if (marker == Marker::automatic) marker = kAutomatic[index % kAutomatic.size()];
  constexpr int types[] = {6, 6, 4, 8, 12, 10, 2, 1, 15};  // in the order of Marker
  return types[static_cast<std::size_t>(marker)];
}

bool draws_line(const Curve& curve) { return curve.style != CurveStyle::points; }

/// Colour and width.
std::string stroke(const Curve& curve, std::size_t index) {
  return " lc rgb '" + std::string(kPalette[index % kPalette.size()]) + "' lw " +
         number(curve.width);
}

std::string line_style(const Curve& curve, std::size_t position) {
  const std::size_t index = palette_index(curve, position);
  std::string style = stroke(curve, index);
  // Of more curves than colours the next round is dashed: colour and dashes tell them apart.
  constexpr std::array<const char*, 4> rounds{"", " dt (12,5)", " dt (3,4)", " dt (12,4,2,4)"};
  if (curve.style == CurveStyle::line || curve.style == CurveStyle::linespoints)
    style += rounds[index / kPalette.size() % rounds.size()];
  if (curve.style == CurveStyle::dotted) style += std::string(" ") + kDotted;
  if (curve.style == CurveStyle::dashed || curve.style == CurveStyle::dashed_points)
    style += std::string(" ") + kDashed;
  return style;
}

std::string point_style(const Curve& curve, std::size_t position) {
  const std::size_t index = palette_index(curve, position);
  return stroke(curve, index) + " dt solid pt " + std::to_string(point_type(curve.marker, index)) +
         " ps 0.85";
}

std::string drawing_style(const Curve& curve, std::size_t position, std::size_t points) {
  if (!draws_points(curve)) return "lines" + line_style(curve, position);
  if (!draws_line(curve)) return "points" + point_style(curve, position);
  const std::size_t index = palette_index(curve, position);
  return "linespoints" + line_style(curve, position) + " pt " +
         std::to_string(point_type(curve.marker, index)) + " ps 0.85 pi " +
         std::to_string((points + kMarkers - 1) / kMarkers);
}

std::string mark_style(const PointMark& mark, bool in_legend = false) {
  const bool start = mark.kind == PointMark::Kind::start, end = mark.kind == PointMark::Kind::end;
  const double size = (start ? 1.5 : end ? 1.6 : 0.9) * (in_legend ? 0.7 : 1);
  return std::string("points ") +
         (start ? "pt 6 lw 2"
          : end ? "pt 15"
                : "pt 7") +
         " ps " + coordinate(size) + " lc rgb '#000000'";
}

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
      reference_lines(panel);
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
           << kDashed << "\n";
      const std::string label = guide.label.empty() ? "order " + number(guide.order) : guide.label;
      taken.push_back(place_guide_label(panel, guide, label, taken));
      text(label, taken.back().left, taken.back().top + taken.back().height / 2,
           "left font ',11' textcolor rgb '#555555'");
    }
  }

  void reference_lines(const PanelPlan& panel) {
    for (const ReferenceLine& line : panel.panel->lines) {
      const bool level = line.kind == ReferenceLine::Kind::horizontal;
      const double place = (level ? panel.y : panel.x).fraction(line.at);
      if (!(place >= 0 && place <= 1)) continue;
      const std::string at = coordinate(place);
      out_ << "set arrow from graph " << (level ? "0," + at : at + ",0") << " to graph "
           << (level ? "1," + at : at + ",1") << " nohead lw 1.2 dt (4,4) lc rgb '" << kGuideColour
           << "'\n";
      if (line.label.empty()) continue;
      // Inside the panel: above a level line unless it is at the top, right of a vertical one.
      out_ << "set label " << gnuplot_string(line.label) << " at graph "
           << (level ? "0.99," + at : at + ",0.97") << (level ? " right" : " left")
           << " offset character " << (level ? "0," : "0.5,")
           << (level ? (place > 0.92 ? "-0.6" : "0.6") : "0")
           << " font ',11' textcolor rgb '#555555' front\n";
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
      const auto row = i / columns;
      const double y = plan.box.height - kLegendRow * (static_cast<double>(row) + 0.5);
      const double middle = x + kLegendSample / 2;
      text(entries[i].label, plan.box.left + x + kLegendSample + 7,
           plan.box.top + plan.box.height - y, "left");
      if (entries[i].is_mark) {
        plot +=
            ", " + data({{{middle}, {y}}}) + mark_style(panel.panel->marks[entries[i].index], true);
        continue;
      }
      const Curve& curve = *panel.curves[entries[i].index].curve;
      if (draws_line(curve)) {
        const std::string sample = data({{{x, x + kLegendSample}, {y, y}}});
        plot += ", " + sample + "lines" + line_style(curve, entries[i].index);
      }
      if (draws_points(curve))
        plot += ", " + data({{{middle}, {y}}}) + "points" + point_style(curve, entries[i].index);
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

/// A curve of width 0 stands with the figure's data only.
FigureSpec without_undrawn(FigureSpec spec) {
  for (Panel& panel : spec.panels)
    std::erase_if(panel.curves, [](const Curve& curve) { return curve.width == 0; });
  return spec;
}

}  // namespace

std::string render_svg(const FigureSpec& figure) {
  const FigureSpec spec = with_colours(without_undrawn(figure));
  const FigurePlan plan = plan_figure(spec);
  const std::string commands = Script(plan).write(spec);
  const std::string svg = run_gnuplot(commands, plan.width, plan.height);
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
