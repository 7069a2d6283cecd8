#include "experiments/report/explore.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/report/figure_data.hpp"
#include "analysis/report/template.hpp"

namespace daemark {
namespace {

/// What an axis shows.
struct Shown {
  bool log = true;
  double from = 0, to = 1;

  /// 0 at its begin, 1 at its end.
  double share(double value) const {
    return log ? std::log(value / from) / std::log(to / from) : (value - from) / (to - from);
  }
  bool reaches(double value) const {
    constexpr double slack = 1e-6;  // round-off
    return std::isfinite(value) && share(value) >= -slack && share(value) <= 1 + slack;
  }
  PageData data(const std::string& label) const {
    return {{"log", log}, {"from", from}, {"to", to}, {"label", label}};
  }
};

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

Shown axis_over(const ExplorePlot& plot, bool is_x) {
  Shown axis;
  axis.log = is_x ? plot.log_x : plot.log_y;
  const std::vector<double> all = values_of(plot, is_x, false), ended = values_of(plot, is_x, true);
  if (all.empty()) return axis;
  const double all_least = all.front(), all_most = axis.log ? end_of(all) : all.back();
  double least = ended.empty() ? all_most : ended.front(),
         most = ended.empty() ? all_least : ended.back();
  const double room_beyond = (most - least) / 4;  // Curve::ended
  if (axis.log || !(room_beyond > 0))
    least = all_least, most = all_most;
  else
    least = std::max(all_least, least - room_beyond), most = std::min(all_most, most + room_beyond);
  if (axis.log) {
    axis.from = std::pow(10, std::floor(std::log10(least) + 1e-9));
    axis.to = std::pow(10, std::ceil(std::log10(most) - 1e-9));
    if (axis.from == axis.to) axis.to *= 10;
  } else {
    const double size = std::max(std::abs(least), std::abs(most));
    const bool flat = most - least <= 1e-6 * size;  // but for round-off one value
    const double room = flat ? std::max(1.0, size) : 0.04 * (most - least);
    axis.from = least - room, axis.to = most + room;
  }
  return axis;
}

/// Runs of points that are joined, as numbers x, y, x, y, … of `grain` to an axis; `kept`: which of
/// the values those points are.
PageData runs_of(const ExploreCurve& curve, const Shown& x, const Shown& y, bool continuous,
                 double grain, std::vector<std::size_t>& kept) {
  constexpr double width = 560, height = 340, pixel = 0.3;
  const bool points = curve.look == "points";
  PageData runs = PageData::array();
  std::vector<std::size_t> run;
  const auto finish = [&] {
    std::vector<double> at_x, at_y;
    for (const std::size_t i : run)
      at_x.push_back(width * x.share(curve.x[i])), at_y.push_back(height * y.share(curve.y[i]));
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
    if (!x.reaches(curve.x[i]) || !y.reaches(curve.y[i]))
      finish();
    else
      run.push_back(i);
  }
  finish();
  return runs;
}

PageData part_data(const ExplorePlot& plot, const ExplorePart& part, const Shown& x, const Shown& y,
                   double grain) {
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
  const Shown x = axis_over(plot, true);
  Shown y = axis_over(plot, false);
  if (!plot.y_names.empty()) y = {false, 0.5, static_cast<double>(plot.y_names.size()) + 0.5};
  PageData parts = PageData::array();
  for (const ExplorePart& part : plot.parts)
    if (PageData data = part_data(plot, part, x, y, grain); !data["curves"].empty())
      parts.push_back(data);
  if (parts.empty()) return "";
  const PageData data = {{"x", x.data(plot.x_label)},
                         {"y", y.data("")},
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
