#include "experiments/report/explore.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/report/figure_plan.hpp"
#include "analysis/report/template.hpp"

namespace daemark {
namespace {

bool reaches(const AxisPlan& axis, double value) {
  constexpr double slack = 1e-6;  // round-off
  return std::isfinite(value) && axis.fraction(value) >= -slack &&
         axis.fraction(value) <= 1 + slack;
}

PageData axis_data(const AxisPlan& axis, const std::string& label) {
  return {{"log", axis.log}, {"from", axis.lo}, {"to", axis.hi}, {"label", label}};
}

bool is_shown(double value, bool log) { return std::isfinite(value) && (!log || value > 0); }

/// Of all curves, or of those that ended, ascending.
std::vector<double> values_of(const ExplorePlot& plot, bool is_x, bool ended_only) {
  std::vector<double> values;
  for (const ExplorePart& part : plot.parts)
    for (const ExploreCurve& curve : part.curves)
      for (std::size_t i = 0; (curve.ended || !ended_only) && i < curve.x.size(); ++i)
        if (is_shown(curve.x[i], plot.log_x) && is_shown(curve.y[i], plot.log_y))
          values.push_back(is_x ? curve.x[i] : curve.y[i]);
  std::sort(values.begin(), values.end());
  return values;
}

/// Where a logarithmic axis ends: two decades above all but a fiftieth, so that one run that
/// diverges does not press the others together.
double end_of(const std::vector<double>& values) {
  constexpr double beyond = 100;
  return std::min(values.back(), beyond * values[values.size() - 1 - values.size() / 50]);
}

AxisPlan axis_over(const ExplorePlot& plot, bool is_x) {
  AxisPlan axis;
  axis.log = is_x ? plot.log_x : plot.log_y;
  const std::vector<double> all = values_of(plot, is_x, false), ended = values_of(plot, is_x, true);
  if (all.empty()) return axis;
  const DataRange whole =
      ended.empty() ? DataRange{} : DataRange{ended.front(), ended.back(), false};
  const auto [least, most, none] =
      range_with_room(whole, {all.front(), axis.log ? end_of(all) : all.back(), false}, axis.log);
  if (axis.log) {
    axis.lo = std::pow(10, std::floor(std::log10(least) + 1e-9));
    axis.hi = std::pow(10, std::ceil(std::log10(most) - 1e-9));
    if (axis.lo == axis.hi) axis.hi *= 10;
  } else {
    const double size = std::max(std::abs(least), std::abs(most));
    const bool flat = most - least <= 1e-6 * size;  // but for round-off one value
    const double room = flat ? std::max(1.0, size) : 0.04 * (most - least);
    axis.lo = least - room, axis.hi = most + room;
  }
  return axis;
}

/// Runs of points that are joined, as numbers x, y, x, y, … of `grain` to an axis; `kept`: which of
/// the values those points are.
PageData runs_of(const ExploreCurve& curve, const AxisPlan& x, const AxisPlan& y, bool continuous,
                 double grain, std::vector<std::size_t>& kept) {
  constexpr double width = 560, height = 340, pixel = 0.3;
  const bool points = curve.look == "points";
  PageData runs = PageData::array();
  std::vector<std::size_t> run;
  const auto finish = [&] {
    std::vector<double> at_x, at_y;
    for (const std::size_t i : run)
      at_x.push_back(width * x.fraction(curve.x[i])),
          at_y.push_back(height * y.fraction(curve.y[i]));
    std::vector<std::size_t> part(run.size());
    std::iota(part.begin(), part.end(), 0);
    if (continuous && !points) part = points_of_shape(at_x, at_y, pixel);
    PageData numbers = PageData::array();
    for (const std::size_t i : part) {
      numbers.push_back(std::lround(grain * at_x[i] / width));
      numbers.push_back(std::lround(grain * at_y[i] / height));
      kept.push_back(run[i]);
    }
    if (!part.empty()) runs.push_back(numbers);
    run.clear();
  };
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    if (!reaches(x, curve.x[i]) || !reaches(y, curve.y[i]))
      finish();
    else
      run.push_back(i);
  }
  finish();
  return runs;
}

PageData part_data(const ExplorePlot& plot, const ExplorePart& part, const AxisPlan& x,
                   const AxisPlan& y, double grain) {
  PageData curves = PageData::array();
  for (const ExploreCurve& curve : part.curves) {
    std::vector<std::size_t> kept;
    const PageData runs = runs_of(curve, x, y, plot.continuous, grain, kept);
    if (kept.empty()) continue;
    PageData data = {{"name", curve.name}, {"family", curve.family}, {"runs", runs}};
    if (!curve.method.empty() && curve.method != unmarked(curve.name))
      data["method"] = curve.method;
    if (!curve.look.empty()) data["look"] = curve.look;
    for (const auto& [is, name] :
         {std::pair(curve.front, "front"), std::pair(curve.dashed, "dashed"),
          std::pair(curve.ours, "ours")})
      if (is) data[name] = 1;
    if (!plot.continuous && kept.size() != curve.x.size()) data["kept"] = kept;
    curves.push_back(data);
  }
  return {{"id", part.id}, {"label", part.y_label}, {"curves", curves}};
}

}  // namespace

std::string unmarked(const std::string& name) {
  std::string plain = name;
  for (const std::string_view mark : {" †", " with control"})
    if (plain.ends_with(mark)) plain.resize(plain.size() - mark.size());
  return plain;
}

std::string explore_figure(const ExplorePlot& plot) {
  const double grain = plot.continuous ? 1e4 : 1e6;  // as fine as it can be read
  const AxisPlan x = axis_over(plot, true);
  AxisPlan y = axis_over(plot, false);
  if (!plot.y_names.empty())
    y.log = false, y.lo = 0.5, y.hi = static_cast<double>(plot.y_names.size()) + 0.5;
  PageData parts = PageData::array();
  for (const ExplorePart& part : plot.parts)
    if (PageData data = part_data(plot, part, x, y, grain); !data["curves"].empty())
      parts.push_back(data);
  if (parts.empty()) return "";
  const PageData data = {{"x", axis_data(x, plot.x_label)},
                         {"y", axis_data(y, "")},
                         {"names", plot.y_names},
                         {"grain", grain},
                         {"between", plot.continuous},
                         {"knobs", plot.knobs},
                         {"dashed_knobs", plot.dashed_knobs},
                         {"parts", parts}};
  std::string text = data.dump();
  for (std::size_t at = 0; (at = text.find("</", at)) != std::string::npos;)
    text.insert(at + 1, "\\");
  return fill_template("explore", {{"title", plot.title}, {"data", text}});
}

std::string explore_legend(const std::vector<std::string>& families,
                           const std::vector<std::pair<std::string, std::string>>& parts) {
  PageData names = PageData::array(), buttons = PageData::array();
  for (std::size_t k = 0; k < families.size(); ++k)
    if (!families[k].empty())
      names.push_back(
          {{"colour", k % most_families}, {"family", k}, {"name", families[k]}, {"look", ""}});
  for (const auto& [id, label] : parts) buttons.push_back({{"id", id}, {"label", label}});
  return fill_template("legend",
                       {{"families", names}, {"parts", parts.size() > 1 ? buttons : PageData()}});
}

std::string explore_keyed(const std::string& figures,
                          const std::vector<std::pair<std::string, std::string>>& curves) {
  PageData names = PageData::array();
  for (std::size_t k = 0; k < curves.size(); ++k)
    names.push_back({{"colour", k % most_families},
                     {"family", k},
                     {"name", curves[k].first},
                     {"look", curves[k].second}});
  return fill_template("keyed", {{"figures", figures}, {"families", names}});
}

}  // namespace daemark
