// Interactive diagrams: data for assets/explore.js, which draws them with uPlot. The pointer shows
// the name of a curve and the numbers of a point, families are switched on and off, a click selects
// a curve, a drag zooms.
#pragma once

#include <string>
#include <vector>

namespace daemark {

/// Families have the colours .f0, .f1, ... of the style sheet, the same on every page.
inline constexpr int most_families = 10;

struct ExploreCurve {
  std::string name;          ///< shown
  std::string method;        ///< canonical call, by which expressions of tags select; may be empty
  int family = 0;            ///< colours repeat after most_families
  bool front = false;        ///< drawn in full strength where nothing is chosen
  bool dashed = false;       ///< its steps follow tolerances
  std::vector<double> x, y;  ///< NaN: no point
  bool ours = false;         ///< thick and in the colour of text
  std::string look = {};     ///< "dashes", "dots" or "points" where it is no solid line
  bool ended = true;         ///< as Curve::ended
};

struct ExplorePart {
  std::string id, y_label;
  std::vector<ExploreCurve> curves;
};

struct ExplorePlot {
  std::string title, x_label;
  std::vector<ExplorePart> parts;  ///< one is shown at a time
  bool log_x = true, log_y = true;
  std::vector<std::string> y_names = {};  ///< of 1, 2, …, upwards, in place of numbers
  /// Curves are motions, not runs: kept by their shape, and the pointer reads between the points.
  bool continuous = false;
  std::vector<std::string> knobs, dashed_knobs;  ///< what the points of a curve are: "h = 1/10"
};

/// The call in a name as it is shown: without " with control" and " †", as the script reads it too.
std::string unmarked(const std::string& name);

/// <figure> with the data of the plot. Empty where no curve has a point.
std::string explore_figure(const ExplorePlot& plot);

/// The legend of a page: families with their colours, which part, which methods. `parts`: {id,
/// label}.
std::string explore_legend(const std::vector<std::string>& families,
                           const std::vector<std::pair<std::string, std::string>>& parts);

/// Diagrams with their own legend of curves, by (name, look), in place of that of the page.
std::string explore_keyed(const std::string& figures,
                          const std::vector<std::pair<std::string, std::string>>& curves);

}  // namespace daemark
