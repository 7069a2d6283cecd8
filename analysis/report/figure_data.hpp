// Numerical preparation of a figure: ranges and ticks of an axis, thinning of curves.
#pragma once

#include <string>
#include <vector>

#include "analysis/report/figure.hpp"

namespace daemark {

struct Tick {
  double at = 0;      ///< in plotted units (data divided by AxisPlan::scale)
  std::string label;  ///< empty and minor: a short tick
  bool minor = false;
};

/// What gnuplot is told about an axis: nothing is left to its own choice.
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

}  // namespace daemark
