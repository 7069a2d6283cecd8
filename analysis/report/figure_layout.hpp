// Where everything of a figure goes, in pixels from the top left corner.
#pragma once

#include <string>
#include <vector>

#include "analysis/report/figure_data.hpp"

namespace daemark {

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

/// Throws BadInput as render_svg does.
FigurePlan plan_figure(const FigureSpec& spec);

}  // namespace daemark
