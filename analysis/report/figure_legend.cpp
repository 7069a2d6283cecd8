#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "analysis/report/figure_plan.hpp"

namespace daemark {
namespace {

// Okabe & Ito's colours for all kinds of colour vision, without the yellow (too pale on white).
constexpr std::array<const char*, 7> kPalette{"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                              "#E69F00", "#56B4E9", "#000000"};
constexpr std::size_t kMarkers = 24;  // more on one line run into each other

std::size_t palette_index(const Curve& curve, std::size_t position) {
  return curve.colour < 0 ? position : static_cast<std::size_t>(curve.colour);
}

/// Open shapes, so that curves on top of each other both show: circle, square, triangle, diamond,
/// triangle with the tip down, cross.
int point_type(const Curve& curve, std::size_t index) {
  constexpr std::array types{6, 4, 8, 12, 10, 2};
  return curve.marker != 0 ? curve.marker : types[index % types.size()];
}

bool draws_line(const Curve& curve) { return curve.style != CurveStyle::points; }

/// Colour and width.
std::string stroke(const Curve& curve, std::size_t index) {
  return " lc rgb '" + std::string(kPalette[index % kPalette.size()]) + "' lw " +
         fmt::format("{}", curve.width);
}

std::string line_style(const Curve& curve, std::size_t position) {
  const std::size_t index = palette_index(curve, position);
  std::string style = stroke(curve, index);
  // Of more curves than colours the next round is dashed: colour and dashes tell them apart.
  constexpr std::array<const char*, 4> rounds{"", " dt (12,5)", " dt (3,4)", " dt (12,4,2,4)"};
  if (curve.style == CurveStyle::line || curve.style == CurveStyle::linespoints)
    style += rounds[index / kPalette.size() % rounds.size()];
  if (curve.style == CurveStyle::dotted) style += " dt (2,5)";
  if (curve.style == CurveStyle::dashed) style += " dt (10,6)";
  return style;
}

std::string point_style(const Curve& curve, std::size_t position) {
  const std::size_t index = palette_index(curve, position);
  return stroke(curve, index) + " dt solid pt " + std::to_string(point_type(curve, index)) +
         " ps 0.85";
}

constexpr double kInset = 8;  // between a corner of the panel and the legend [px]

/// How much of the drawing a legend would hide: samples along all lines inside a rectangle
/// (fractions of the panel, y upwards).
class Cover {
 public:
  Cover(double left, double bottom, double width, double height)
      : left_(left), right_(left + width), bottom_(bottom), top_(bottom + height) {}

  void look(double x, double y) {
    if (x >= left_ && x <= right_ && y >= bottom_ && y <= top_) ++count_;
  }

  void look_along(double x0, double y0, double x1, double y1) {
    const int samples = static_cast<int>(std::min(std::hypot(x1 - x0, y1 - y0) / 0.02, 60.0)) + 1;
    for (int k = 0; k <= samples; ++k)
      look(x0 + (x1 - x0) * k / samples, y0 + (y1 - y0) * k / samples);
  }

  int count() const { return count_; }

 private:
  double left_, right_, bottom_, top_;
  int count_ = 0;
};

void look_at_curves(Cover& cover, const PanelPlan& plan) {
  for (const CurvePlan& curve : plan.curves) {
    for (const Polyline& line : curve.lines) {
      double x0 = 0, y0 = 0;
      for (std::size_t i = 0; i < line.x.size(); ++i) {
        const double x = plan.x.fraction(line.x[i] * plan.x.scale);
        const double y = plan.y.fraction(line.y[i] * plan.y.scale);
        if (i == 0 || curve.curve->style == CurveStyle::points)
          cover.look(x, y);
        else
          cover.look_along(x0, y0, x, y);
        x0 = x;
        y0 = y;
      }
    }
  }
}

int hidden(const PanelPlan& plan, Cover cover) {
  look_at_curves(cover, plan);
  for (const PointMark& mark : plan.panel->marks)
    cover.look(plan.x.fraction(mark.x), plan.y.fraction(mark.y));
  for (const double level : plan.panel->levels)
    cover.look_along(0, plan.y.fraction(level), 1, plan.y.fraction(level));
  for (const SlopeGuide& guide : plan.panel->guides) {
    const double y1 = guide.y0 * std::pow(guide.x1 / guide.x0, guide.order);
    cover.look_along(plan.x.fraction(guide.x0), plan.y.fraction(guide.y0),
                     plan.x.fraction(guide.x1), plan.y.fraction(y1));
  }
  return cover.count();
}

const std::string& name_of(const Curve& curve) {
  return curve.name.empty() ? curve.label : curve.name;
}

}  // namespace

FigureSpec with_colours(FigureSpec figure) {
  std::map<std::string, int> known;
  for (Panel& panel : figure.panels) {
    std::set<int> taken;
    for (Curve& curve : panel.curves) {
      const auto found = known.find(name_of(curve));
      if (curve.colour < 0 && found != known.end()) curve.colour = found->second;
      if (curve.colour >= 0) taken.insert(curve.colour);
    }
    int free = 0;
    for (Curve& curve : panel.curves) {
      if (curve.colour < 0) {
        while (taken.contains(free)) ++free;
        curve.colour = free++;
      }
      if (!name_of(curve).empty()) known.try_emplace(name_of(curve), curve.colour);
    }
  }
  return figure;
}

std::string drawing_style(const Curve& curve, std::size_t position, std::size_t points) {
  if (!draws_points(curve)) return "lines" + line_style(curve, position);
  if (!draws_line(curve)) return "points" + point_style(curve, position);
  const std::size_t index = palette_index(curve, position);
  return "linespoints" + line_style(curve, position) + " pt " +
         std::to_string(point_type(curve, index)) + " ps 0.85 pi " +
         std::to_string((points + kMarkers - 1) / kMarkers);
}

std::string mark_style(const PointMark& mark, bool in_legend) {
  const bool start = mark.kind == PointMark::Kind::start;
  return fmt::format("points {} ps {:.7g} lc rgb '#000000'", start ? "pt 6 lw 2" : "pt 3 lw 1.6",
                     (start ? 1.5 : 1.6) * (in_legend ? 0.7 : 1));
}

std::vector<LegendEntry> legend_entries(const PanelPlan& panel) {
  std::vector<LegendEntry> entries;
  for (std::size_t i = 0; i < panel.curves.size(); ++i) {
    const Curve& curve = *panel.curves[i].curve;
    if (curve.label.empty()) continue;
    const char* said = panel.curves[i].points == 0 ? " (no values)"
                       : curve.ended               ? ""
                                                   : " (ends early)";
    entries.push_back({curve.label + said, draws_line(curve) ? "lines" + line_style(curve, i) : "",
                       draws_points(curve) ? "points" + point_style(curve, i) : ""});
  }
  for (const PointMark& mark : panel.panel->marks)
    if (!mark.label.empty()) entries.push_back({mark.label, "", mark_style(mark, true)});
  return entries;
}

double legend_column_width(const PanelPlan& panel) {
  double widest = 0;
  for (const LegendEntry& entry : legend_entries(panel))
    widest = std::max(widest, drawn_width(entry.label));
  return kLegendSample + 8 + widest + 14;
}

LegendSize legend_size(const PanelPlan& panel, double available) {
  const int entries = static_cast<int>(legend_entries(panel).size());
  const double column = legend_column_width(panel);
  LegendSize size;
  if (entries == 0) return size;
  size.columns = std::clamp(static_cast<int>(available / column), 1, entries);
  size.rows = (entries + size.columns - 1) / size.columns;
  size.columns = (entries + size.rows - 1) / size.rows;  // no column stays empty
  size.width = size.columns * column;
  size.height = size.rows * kLegendRow;
  return size;
}

LegendPosition choose_legend(const PanelPlan& plan) {
  if (legend_entries(plan).empty()) return LegendPosition::none;
  if (plan.panel->legend != LegendPosition::automatic) return plan.panel->legend;
  const LegendSize size = legend_size(plan, 0);
  const double width = (size.width + 2 * kInset) / plan.box.width;
  const double height = (size.height + 2 * kInset) / plan.box.height;
  if (width > 0.6 || height > 0.6) return LegendPosition::below;
  struct Corner {
    LegendPosition position;
    double left, bottom;
  };
  const std::array<Corner, 4> corners{{{LegendPosition::top_right, 1 - width, 1 - height},
                                       {LegendPosition::top_left, 0, 1 - height},
                                       {LegendPosition::bottom_right, 1 - width, 0},
                                       {LegendPosition::bottom_left, 0, 0}}};
  for (const Corner& corner : corners)
    if (hidden(plan, Cover(corner.left, corner.bottom, width, height)) == 0) return corner.position;
  return LegendPosition::below;
}

PixelBox place_guide_label(const PanelPlan& panel, const SlopeGuide& guide, const std::string& text,
                           const std::vector<PixelBox>& taken) {
  constexpr double font = 11, height = 14, beside = 5, marker = 4, outside = 1000;  // [px]
  const PixelBox& in = panel.box;
  const double width = drawn_width(text, font);
  const auto overlap = [](const PixelBox& a, const PixelBox& b) {
    return a.left < b.left + b.width && b.left < a.left + a.width && a.top < b.top + b.height &&
           b.top < a.top + a.height;
  };
  const auto cost = [&](const PixelBox& box) {
    const bool inside = box.left >= in.left && box.left + box.width <= in.left + in.width &&
                        box.top >= in.top && box.top + box.height <= in.top + in.height;
    double sum = inside ? 0 : outside;
    for (const PixelBox& other : taken) sum += overlap(box, other) ? outside : 0;
    return sum +
           hidden(panel, Cover((box.left - marker - in.left) / in.width,
                               1 - (box.top + height + marker - in.top) / in.height,
                               (width + 2 * marker) / in.width, (height + 2 * marker) / in.height));
  };
  PixelBox best;
  double least = 0;
  const auto try_at = [&](double share, bool right, double down) {
    const double x = guide.x0 * std::pow(guide.x1 / guide.x0, share);
    const double y = guide.y0 * std::pow(x / guide.x0, guide.order);
    const double at = in.left + in.width * panel.x.fraction(x);
    const double level = in.top + in.height * (1 - panel.y.fraction(y));
    const PixelBox box{right ? at + beside : at - beside - width,
                       level + down * (beside + height / 2) - height / 2, width, height};
    const double its = cost(box);
    if (best.width == 0 || its < least) best = box, least = its;
  };
  // Below a rising guide on the right and above it on the left, the other way round of others.
  const double right_side = guide.order > 0 ? 1 : -1;
  for (const double share : {0.5, 0.35, 0.65, 0.2, 0.8}) {
    try_at(share, true, right_side);
    try_at(share, false, -right_side);
  }
  for (const double down : {0.0, -0.6, 0.6}) {
    try_at(1, true, down);
    try_at(0, false, down);
  }
  return best;
}

LegendPlan place_legend(const PanelPlan& panel, std::size_t index) {
  const PixelBox& box = panel.box;
  const bool below = panel.legend == LegendPosition::below;
  const LegendSize size = legend_size(panel, below ? box.width : 0);
  LegendPlan plan;
  plan.panel = index;
  plan.columns = size.columns;
  plan.inside = !below && panel.legend != LegendPosition::right_outside;
  const double right = box.left + box.width - size.width - kInset;
  const double bottom = box.top + box.height - size.height - kInset;
  plan.box = {box.left + kInset, box.top + kInset, size.width, size.height};
  using Position = LegendPosition;
  const Position at = panel.legend;
  if (at == Position::top_right || at == Position::bottom_right) plan.box.left = right;
  if (at == Position::bottom_left || at == Position::bottom_right) plan.box.top = bottom;
  if (at == Position::right_outside) plan.box.left = box.left + box.width + kInset;
  if (below) {
    plan.box.left = std::max(box.left + (box.width - size.width) / 2, 0.0);
    plan.box.top = box.top + box.height + (panel.x_texts ? 48 : 6);
  }
  // The grid shows through, curves do not.
  plan.opaque = plan.inside &&
                hidden(panel, Cover((plan.box.left - box.left) / box.width,
                                    1 - (plan.box.top + plan.box.height - box.top) / box.height,
                                    plan.box.width / box.width, plan.box.height / box.height)) > 0;
  return plan;
}

}  // namespace daemark
