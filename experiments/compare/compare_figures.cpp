#include "experiments/compare/compare_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

/// Beyond the scale of the motion an error says nothing.
std::vector<double> without_noise(std::vector<double> error) {
  for (double& e : error)
    if (!(e > 0 && e <= 1)) e = missing;
  return error;
}

bool any_number(const std::vector<double>& values) {
  return std::any_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

Panel panel_of(const Compared& one, const Accuracy& accuracy) {
  constexpr const char* errors[] = {"relative error of q", "relative error of v",
                                    "relative error of λ"};
  Panel panel;
  panel.title = one.field.formulation;
  panel.x = {work_label(one.field), "", true, {}, {}};
  panel.y = {errors[accuracy.part], "", true, {}, {}};
  panel.legend = LegendPosition::below;
  panel.lines.push_back({ReferenceLine::Kind::horizontal, accuracy.value, ""});
  int news = 0, others = 0;
  for (const CompareLine& line : one.lines) {
    if (!line.is_new && others >= most_others) continue;
    Curve curve;
    curve.label = line.method;
    curve.x = line.work;
    curve.y = without_noise(line.error[static_cast<std::size_t>(accuracy.part)]);
    if (!any_number(curve.y)) continue;
    dress(curve, line.is_new, news, others);
    panel.curves.push_back(std::move(curve));
  }
  return panel;
}

}  // namespace

FigureSpec compare_figure(const std::vector<const Compared*>& of_a_problem,
                          const Accuracy& accuracy) {
  FigureSpec figure;
  const CompareMotion& motion = of_a_problem.front()->field.motion;
  figure.title = fmt::format("{}, t = {} s", motion.problem, motion.t_end);
  figure.caption =
      "Relative error at the end over work; thick: the new methods, thin: the cheapest others for "
      "the accuracy marked";
  figure.width = 1000;
  figure.columns = 2;
  for (const Compared* one : of_a_problem) {
    Panel panel = panel_of(*one, accuracy);
    if (!panel.curves.empty()) figure.panels.push_back(std::move(panel));
  }
  figure.height = 80 + 400 * static_cast<int>((figure.panels.size() + 1) / 2);
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
