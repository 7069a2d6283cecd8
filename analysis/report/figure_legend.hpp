// Legends: their entries, size and place. gnuplot's own key guesses text widths and wraps as it
// likes, so legends are drawn as small plots of their own at a planned place.
#pragma once

#include <vector>

#include "analysis/report/figure_layout.hpp"

namespace daemark {

inline constexpr double kLegendRow = 18;     // [px]
inline constexpr double kLegendSample = 32;  // length of the drawn sample [px]

/// The figure with the colours that are left open decided: a name keeps its colour from panel to
/// panel, the others of a panel take what is free, in order.
FigureSpec with_colours(FigureSpec figure);

/// A labelled curve (index into PanelPlan::curves) or mark (index into Panel::marks).
struct LegendEntry {
  bool is_mark = false;
  std::size_t index = 0;
  std::string label;
};

std::vector<LegendEntry> legend_entries(const PanelPlan& panel);

/// Labels and styles agree, so that one legend can stand for both panels.
bool same_legend(const PanelPlan& a, const PanelPlan& b);

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

/// Where the label of a guide covers least: a box [px] beside the guide, inside the panel, clear of
/// curves, marks, lines and what is `taken`, as far as there is such a place.
PixelBox place_guide_label(const PanelPlan& panel, const SlopeGuide& guide, const std::string& text,
                           const std::vector<PixelBox>& taken);

/// The legend's box for a final panel box; `below` puts it under the axis texts.
LegendPlan place_legend(const PanelPlan& panel, std::size_t index);

}  // namespace daemark
