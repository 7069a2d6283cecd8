// The plan of a figure, in pixels from the top left corner: ranges and ticks of the axes
// (figure_axes.cpp), boxes (figure_layout.cpp), legends and styles of curves (figure_legend.cpp);
// and what gnuplot draws of it, tidied (figure_svg.cpp).
#pragma once

#include <string>
#include <vector>

#include "analysis/report/figure.hpp"
#include "base/text/bad_input.hpp"

namespace daemark {

struct Tick {
  double at = 0;      ///< in plotted units (data divided by AxisPlan::scale)
  std::string label;  ///< empty and minor: a short tick
  bool minor = false;
};

/// The settings of an axis for gnuplot: nothing is left to its defaults.
struct AxisPlan {
  bool log = false;
  double lo = 0, hi = 1;  ///< plotted range, lo < hi
  double scale = 1;       ///< a power of ten taken out of the data and put into the unit
  std::vector<Tick> ticks;
  std::string label;  ///< with the unit
  /// 0 at lo, 1 at hi, for a value in data units; NaN where it cannot be shown.
  double fraction(double value) const;
};

/// Finite values (positive ones on a log axis) an axis has to show.
struct DataRange {
  double lo = 0, hi = 0;
  bool empty = true;
  void take(double value, bool log);
};

/// Curve::ended: `all` as far as a quarter (on a log axis four decades, if these are more) beyond
/// `whole`, the range of the runs that ended.
DataRange range_with_room(const DataRange& whole, const DataRange& all, bool log);

/// The shown range: fixed ends where given, `pad` (fraction of the length) beyond automatic ones.
/// Throws BadInput for fixed ends that leave no range; `where` names the axis.
AxisPlan axis_range(const Axis& axis, const DataRange& data, double pad, const std::string& where);

/// Ticks for an axis `pixels` long with labels at least `spacing` pixels apart, and its label.
void axis_ticks(AxisPlan& plan, const Axis& axis, double pixels, double spacing);

/// Gives two linear axes the same power of ten.
void share_scale(AxisPlan& x, AxisPlan& y);

/// Widens one of two linear ranges with a shared scale so that a unit is equally long on both.
void equalise(AxisPlan& x, AxisPlan& y, double width, double height);

/// 10⁻¹² for -12.
std::string power_of_ten(int exponent);

/// Runs of consecutive drawable points, in plotted units.
struct Polyline {
  std::vector<double> x, y;
};

/// Splits a curve at points an axis cannot show and keeps at most about `limit` points in all:
/// those that matter most to the drawn shape (Douglas-Peucker ranks in units of the panel).
std::vector<Polyline> drawable(const Curve& curve, const AxisPlan& x, const AxisPlan& y,
                               std::size_t limit);

/// Which points of a polyline keep its shape: none left out is farther than `tolerance` from it.
std::vector<std::size_t> points_of_shape(const std::vector<double>& x, const std::vector<double>& y,
                                         double tolerance);

struct PixelBox {
  double left = 0, top = 0, width = 0, height = 0;
};

/// A curve ready to be drawn.
struct CurvePlan {
  const Curve* curve = nullptr;
  std::vector<Polyline> lines;  ///< plotted units
  std::size_t points = 0;       ///< in all lines
};

struct PanelPlan {
  const Panel* panel = nullptr;
  PixelBox box;  ///< of the axes
  AxisPlan x, y;
  bool x_texts = true;  ///< false: the panel below shows the same x axis
  std::vector<CurvePlan> curves;
  LegendPosition legend = LegendPosition::none;  ///< never automatic
};

struct LegendPlan {
  std::size_t panel = 0;  ///< whose entries it shows
  int columns = 1;
  bool opaque = false;  ///< it hides what lies under it
  PixelBox box;
  bool inside = false;  ///< of the panel
};

struct FigurePlan {
  int width = 0, height = 0;
  std::vector<PanelPlan> panels;
  std::vector<LegendPlan> legends;
};

inline constexpr double kFontSize = 12;  // [px]

/// Estimated width [px] of a text in the figure's font, combining marks not counted.
double drawn_width(const std::string& text, double font_size = kFontSize);

double widest_tick(const AxisPlan& axis);

bool draws_points(const Curve& curve);

inline constexpr double kLegendRow = 18;     // [px]
inline constexpr double kLegendSample = 32;  // length of the drawn sample [px]

/// The figure with the colours that are left open decided: a name keeps its colour from panel to
/// panel, the others of a panel take what is free, in order.
FigureSpec with_colours(FigureSpec figure);

/// How gnuplot draws a curve: "lines lc rgb …", "linespoints …", "points …".
std::string drawing_style(const Curve& curve, std::size_t position, std::size_t points);
std::string mark_style(const PointMark& mark, bool in_legend = false);

/// A labelled curve or mark, with the styles of its sample; empty: it has no line, no point.
struct LegendEntry {
  std::string label, line, point;
  bool operator==(const LegendEntry&) const = default;
};
/// Equal lists of two panels can share one legend.
std::vector<LegendEntry> legend_entries(const PanelPlan& panel);

/// Width of a column, sample, label and gap [px].
double legend_column_width(const PanelPlan& panel);

/// Size of the panel's legend when it may be `available` px wide (0: one column).
struct LegendSize {
  int columns = 1, rows = 0;
  double width = 0, height = 0;
};
LegendSize legend_size(const PanelPlan& panel, double available);

/// The panel's wish, or for `automatic` the first corner without a curve, else below.
LegendPosition choose_legend(const PanelPlan& panel);

/// Where the label of a guide covers least: a box [px] next to the guide, inside the panel, clear
/// of curves, marks, lines and what is `taken`, if there is such a place.
PixelBox place_guide_label(const PanelPlan& panel, const SlopeGuide& guide, const std::string& text,
                           const std::vector<PixelBox>& taken);

/// The legend's box for a final panel box; `below` puts it under the axis texts.
LegendPlan place_legend(const PanelPlan& panel, std::size_t index);

/// Throws BadInput as render_svg does.
FigurePlan plan_figure(const FigureSpec& spec);

/// `text` with & < > " as entities; control characters and invalid UTF-8 replaced.
std::string escape_xml(const std::string& text);

/// Valid UTF-8 on one line: control characters become spaces, broken bytes U+FFFD.
std::string plain_line(const std::string& text);

/// `text` on one line as a string of gnuplot's language that shows exactly that.
std::string gnuplot_string(const std::string& text);

/// No figure, for a reason outside the figure: gnuplot or a temporary folder.
class CannotDraw : public BadInput {
 public:
  using BadInput::BadInput;
};

/// What gnuplot draws with: "svg size 760,400 ...", and how a whole drawing ends.
struct GnuplotTerminal {
  std::string options, ending;
};
GnuplotTerminal svg_terminal(int width, int height);  ///< [px]

/// Runs gnuplot (through gnuplot-iostream) on `commands`, which draw into the current output of the
/// terminal, and returns what it drew. Throws CannotDraw if gnuplot is missing, fails, or is not
/// done within `seconds`; after that no other figure is tried, which would take as long.
std::string run_gnuplot(const std::string& commands, const GnuplotTerminal& terminal,
                        int seconds = 20);

/// What gnuplot is to do for a figure whose colours are decided.
std::string figure_commands(const FigurePlan& plan, const FigureSpec& spec);
/// As it is drawn: without curves of width 0, which stand with the figure's data only, and with
/// colours.
FigureSpec as_drawn(FigureSpec spec);

/// A drawing that says why there is none.
std::string empty_svg(int width, int height, const std::string& why);

/// gnuplot's SVG without program version and names of its own for the parts, with a font stack that
/// needs nothing installed and the given title and description.
std::string tidy_svg(std::string svg, const std::string& title, const std::string& description);

}  // namespace daemark
