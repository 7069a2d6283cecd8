// Figures as data: a grid of panels with curves, drawn as a self-contained, deterministic SVG by
// gnuplot (through gnuplot-iostream). Texts are plain UTF-8 (θ₁, λ̇, 10⁻⁶): no markup is read.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace daemark {

enum class CurveStyle { line, dashed, dotted, points, linespoints };

/// `automatic`: the first corner the curves leave free, else below the panel.
enum class LegendPosition {
  automatic,
  none,
  top_right,
  top_left,
  bottom_right,
  bottom_left,
  right_outside,
  below
};

/// One axis. Shown as "label [unit]"; unit empty: no brackets.
struct Axis {
  std::string label;
  std::string unit;
  bool log = false;                          ///< base 10; values <= 0 become gaps
  std::optional<double> min = {}, max = {};  ///< automatic where absent
  std::vector<std::string> names = {};  ///< of 1, 2, …, upwards: written in place of the numbers
};

/// Unordered pairs (x[i], y[i]) joined in index order; x and y have equal lengths.
/// NaN and infinite points leave a gap. More than 1000 points are thinned by shape.
struct Curve {
  std::string label;                   ///< legend entry; empty: not in the legend
  std::vector<double> x = {}, y = {};  ///< in the units of the axes
  CurveStyle style = CurveStyle::line;
  /// Index into the palette (7 colours, cyclic); -1: that of the same name in an earlier panel,
  /// else by position.
  int colour = -1;
  int marker = 0;         ///< gnuplot's point type; 0: by the colour
  double width = 1.6;     ///< line width [px]
  std::string name = {};  ///< curves of one name look alike in all panels; empty: the label
  /// False: of a run that ended early. The legend says so, and axes follow the other curves: this
  /// one widens them by at most a quarter on either side, a log axis by up to four decades, and
  /// leaves the panel beyond.
  bool ended = true;
};

/// Where a trajectory starts (open circle) or ends (asterisk).
struct PointMark {
  enum class Kind { start, end };
  Kind kind = Kind::start;
  double x = 0, y = 0;
  std::string label;  ///< legend entry ("start"), empty: none
};

/// A dashed guide of slope `order` on log-log axes, y = y0 (x/x0)^order for x from x0 to x1,
/// labelled "order p", clear of the curves.
struct SlopeGuide {
  double order = 1;
  double x0 = 0, y0 = 0, x1 = 0;
};

struct Panel {
  std::string title;
  Axis x, y;  ///< linear automatic ranges take a power of ten into the unit
  LegendPosition legend = LegendPosition::automatic;
  bool equal_scale = false;  ///< one unit of x as long as one of y (plane trajectories)
  std::vector<Curve> curves;
  std::vector<PointMark> marks;
  std::vector<double> levels;  ///< thin grey lines across the panel at these y
  std::vector<SlopeGuide> guides;
};

/// A whole figure; panels fill the grid row by row.
struct FigureSpec {
  std::string title;          ///< above the panels; empty: none
  std::string caption;        ///< for the report and as the SVG's <desc>; not drawn
  int width = 760;            ///< [px]
  int height = 0;             ///< [px]; 0: by the number of grid rows
  int columns = 1;            ///< of the grid, >= 1
  std::vector<Panel> panels;  ///< at least one
};

/// The SVG text, the same bytes for the same spec.
/// Throws BadInput: no panel, x and y of different lengths, an empty log range; CannotDraw where
/// gnuplot is missing, fails or does not end. Call from one thread.
std::string render_svg(const FigureSpec& spec);

/// Writes render_svg(spec) to `file`, creating its folder; an identical file is left untouched.
/// A figure that cannot be drawn does not stop the run: the drawing then says what is missing, and
/// so does the returned line, which is empty otherwise.
std::string write_svg(const FigureSpec& spec, const std::filesystem::path& file);

/// Sizes of a figure on a page of a journal.
struct PrintedSize {
  double width = 84;   ///< [mm]
  double height = 0;   ///< [mm]; 0: three quarters of the width, and what a legend below takes
  double letters = 8;  ///< [pt]
};

/// A single panel as a figure in that size, as PDF or SVG by the file's ending. A legend next to
/// the panel moves to a corner that the curves leave free, or below. Throws as render_svg does.
void write_printed(const Panel& panel, const PrintedSize& size, const std::filesystem::path& file);

}  // namespace daemark
