// Diagrams that answer to the pointer and the keyboard. The diagram is plain SVG that stands
// without a script; with the script of explore_script.cpp the curves tell who they are and what the
// numbers of a point are, families are switched on and off, a click keeps a curve in front.
#pragma once

#include <string>
#include <vector>

namespace daemark {

/// Families have the colours .f0, .f1, ... of the style sheet, the same on every page.
inline constexpr int most_families = 10;

struct ExploreCurve {
  std::string name;          ///< shown
  std::string method;        ///< canonical call, by which expressions of tags select; may be empty
  int family = 0;            ///< below most_families
  bool front = false;        ///< drawn in full strength where nothing is chosen
  bool dashed = false;       ///< its steps follow tolerances
  std::vector<double> x, y;  ///< NaN: no point
  bool ours = false;         ///< thick and in the colour of text
};

struct ExplorePart {
  std::string id, y_label;
  std::vector<ExploreCurve> curves;
};

struct ExplorePlot {
  std::string title, x_label;
  std::vector<ExplorePart> parts;  ///< one is shown at a time
  bool log_x = true, log_y = true;
  std::vector<std::string> knobs, dashed_knobs;  ///< what the points of a curve are: "h = 1/10"
};

/// <figure> with the plot; the first part is shown without a script. Empty where no curve has a
/// point.
std::string explore_figure(const ExplorePlot& plot);

/// The legend of a page: families with their colours, which part, which methods. `parts`: {id,
/// label}.
std::string explore_legend(const std::vector<std::string>& families,
                           const std::vector<std::pair<std::string, std::string>>& parts);

extern const char* const kExploreStyle;
extern const char* const kExploreScript;

}  // namespace daemark
