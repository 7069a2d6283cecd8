#include "experiments/compare/compare_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "experiments/terminal/text.hpp"

namespace daemark {
namespace {

constexpr int most_others = 6, black = 6;  // the palette has seven colours, black the last

/// Style of the n-th of the new methods, of the others.
void dress(Curve& curve, bool is_new, int& news, int& others) {
  curve.style = CurveStyle::linespoints;
  curve.width = is_new ? 3.0 : 1.2;
  curve.colour = is_new ? black - news % black : others;
  (is_new ? news : others) += 1;
}

/// Those that are drawn.
std::vector<const CompareLine*> shown_lines(const std::vector<CompareLine>& lines) {
  std::vector<const CompareLine*> shown;
  int others = 0;
  for (const CompareLine& line : lines) {
    const bool any = std::any_of(line.error.begin(), line.error.end(),
                                 [](double e) { return e > 0 && std::isfinite(e); });
    if (!any || (!line.is_new && others >= most_others)) continue;
    if (!line.is_new) ++others;
    shown.push_back(&line);
  }
  return shown;
}

using Values = std::function<std::vector<double>(const CompareLine&)>;

Panel panel_of(const std::vector<const CompareLine*>& lines, const Axis& x, const Axis& y,
               const Values& x_of, const Values& y_of) {
  Panel panel;
  panel.x = x, panel.y = y;
  panel.legend = LegendPosition::none;
  int news = 0, others = 0;
  for (const CompareLine* line : lines) {
    Curve curve;
    curve.label = line->method;
    curve.x = x_of(*line);
    curve.y = y_of(*line);
    dress(curve, line->is_new, news, others);
    const bool any = std::any_of(curve.y.begin(), curve.y.end(),
                                 [&](double v) { return std::isfinite(v) && (!y.log || v > 0); });
    if (any) panel.curves.push_back(std::move(curve));
  }
  return panel;
}

/// Beyond the way of the motion an error says nothing.
std::vector<double> without_noise(std::vector<double> error) {
  for (double& e : error)
    if (!(e <= 1)) e = missing;
  return error;
}

/// Between a step and the one before, at the finer one; not where round-off or noise decides.
std::vector<double> local_orders(const CompareLine& line) {
  std::vector<double> orders(line.h.size(), missing);
  constexpr double floor = 1e-13, most = 30;
  for (std::size_t i = 1; i < line.h.size(); ++i) {
    const double a = line.error[i - 1], b = line.error[i];
    if (!(a > floor && b > floor && a <= 1) || line.h[i] == line.h[i - 1]) continue;
    const double order = std::log(a / b) / std::log(line.h[i - 1] / line.h[i]);
    if (std::abs(order) < most) orders[i] = order;
  }
  return orders;
}

}  // namespace

FigureSpec compare_figure(const CompareField& field, const std::vector<CompareLine>& lines) {
  FigureSpec figure;
  figure.title = fmt::format("{}, {}, t = {} s", field.problem, field.formulation, field.t_end);
  figure.caption =
      "Relative error of q at the end (2-norm over the way of the motion), largest energy error "
      "and "
      "violation, order between neighbouring steps; thick: the new methods, thin: the best others";
  figure.width = 1000;
  figure.height = 760;
  figure.columns = 2;
  const auto shown = shown_lines(lines);
  if (shown.empty()) return figure;
  const Axis effort{"residual evaluations", "", true, {}, {}};
  const Values work = &CompareLine::work, position = &CompareLine::position,
               velocity = &CompareLine::velocity;
  const auto add = [&](const Axis& x, const Axis& y, const Values& x_of, const Values& y_of) {
    Panel panel = panel_of(shown, x, y, x_of, y_of);
    if (!panel.curves.empty()) figure.panels.push_back(std::move(panel));
  };
  add(effort, {"relative error of q", "", true, {}, {}}, work,
      [](const CompareLine& line) { return without_noise(line.error); });
  add(effort, {"energy error", "J", true, {}, {}}, work, &CompareLine::energy);
  // On index 3 positions hold and velocities do not, on index 2 it is the other way round.
  const auto size = [&](const Values& of) {
    double largest = 0;
    for (const CompareLine* line : shown)
      for (const double v : of(*line))
        if (std::isfinite(v)) largest = std::max(largest, v);
    return largest;
  };
  const bool drifts = size(position) >= size(velocity);
  add(effort, {drifts ? "position violation" : "velocity violation", "", true, {}, {}}, work,
      drifts ? position : velocity);
  add({"h", "s", true, {}, {}}, {"order of q", "", false, {}, {}}, &CompareLine::h, local_orders);
  if (!figure.panels.empty()) figure.panels.front().legend = LegendPosition::below;
  return figure;
}

FigureSpec profile_figure(const std::vector<Profile>& profiles) {
  FigureSpec figure;
  figure.title = "performance profiles";
  figure.caption =
      "Share of the pairs of a problem and an accuracy that a method reaches with at most τ times "
      "the least work of all (Dolan & Moré 2002); thick: the new methods, thin: the best others";
  figure.width = 1000;
  figure.columns = 2;
  constexpr double widest = 100;
  for (const Profile& profile : profiles) {
    Panel panel;
    panel.title = fmt::format("{} ({} pairs)", profile.formulation, profile.instances);
    panel.x = {"work / least work, τ", "", true, 1.0, widest};
    panel.y = {"share reached", "", false, 0.0, 1.0};
    panel.legend = LegendPosition::below;
    int news = 0, others = 0;
    for (const Profile::Curve& from : profile.curves) {
      if (!from.is_new && others >= most_others) continue;
      Curve curve;
      curve.label = from.method;
      dress(curve, from.is_new, news, others);
      curve.style = CurveStyle::line;
      double share = from.share(1, profile.instances);
      curve.x = {1}, curve.y = {share};
      for (const double ratio : from.ratios) {  // a staircase
        if (ratio > widest) break;
        curve.x.push_back(ratio), curve.y.push_back(share);
        share = from.share(ratio, profile.instances);
        curve.x.push_back(ratio), curve.y.push_back(share);
      }
      curve.x.push_back(widest), curve.y.push_back(share);
      panel.curves.push_back(std::move(curve));
    }
    figure.panels.push_back(std::move(panel));
  }
  figure.height = 80 + 400 * static_cast<int>((figure.panels.size() + 1) / 2);
  return figure;
}

}  // namespace daemark
