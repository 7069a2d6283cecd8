#include "experiments/report/explore.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "analysis/report/figure_data.hpp"
#include "analysis/report/figure_svg.hpp"

namespace daemark {
namespace {

constexpr double width = 640, height = 400, left = 62, right = 14, top = 12, bottom = 46;

/// One axis: what is shown, and where a value lies.
struct Scale {
  bool log = true;
  double from = 0, to = 1, begin = 0, end = 1;  ///< values; their places in the picture
  std::vector<std::string> names;               ///< of 1, 2, … in place of ticks

  double place(double value) const {
    const double part =
        log ? std::log(value / from) / std::log(to / from) : (value - from) / (to - from);
    return begin + part * (end - begin);
  }
};

/// Whether the axis reaches it, but for round-off.
bool within(double value, const Scale& axis) {
  constexpr double slack = 1e-6;
  const double part = (axis.place(value) - axis.begin) / (axis.end - axis.begin);
  return std::isfinite(value) && part >= -slack && part <= 1 + slack;
}

bool is_shown(double value, bool log) { return std::isfinite(value) && (!log || value > 0); }

/// Least and most of all curves, or of those that ended; the least above the most where there is
/// none.
std::pair<double, double> range_of(const ExplorePlot& plot, bool is_x, bool ended_only) {
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (const ExplorePart& part : plot.parts)
    for (const ExploreCurve& curve : part.curves)
      for (std::size_t i = 0; (curve.ended || !ended_only) && i < curve.x.size(); ++i) {
        if (!is_shown(curve.x[i], plot.log_x) || !is_shown(curve.y[i], plot.log_y)) continue;
        const double value = is_x ? curve.x[i] : curve.y[i];
        least = std::min(least, value), most = std::max(most, value);
      }
  return {least, most};
}

Scale axis_over(const ExplorePlot& plot, bool is_x) {
  Scale axis;
  axis.log = is_x ? plot.log_x : plot.log_y;
  const auto [all_least, all_most] = range_of(plot, is_x, false);
  auto [least, most] = range_of(plot, is_x, true);
  const double room_beyond = (most - least) / 4;  // Curve::ended
  if (axis.log || !(room_beyond > 0))
    least = all_least, most = all_most;
  else
    least = std::max(all_least, least - room_beyond), most = std::min(all_most, most + room_beyond);
  if (!(least <= most)) return axis;
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
  axis.begin = is_x ? left : height - bottom;
  axis.end = is_x ? width - right : top;
  return axis;
}

struct AxisTick {
  double value;
  std::string label;
};

/// At most so many decimals, none that is 0 at the end.
std::string decimals(double value, int most) {
  std::string text = fmt::format("{:.{}f}", value, most);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text == "-0" ? "0" : text;
}

/// At most about ten: whole powers, or round numbers.
std::vector<AxisTick> ticks_of(const Scale& axis) {
  std::vector<AxisTick> ticks;
  for (std::size_t k = 0; k < axis.names.size(); ++k)
    ticks.push_back({static_cast<double>(k + 1), escape_xml(axis.names[k])});
  if (!ticks.empty()) return ticks;
  if (axis.log) {
    const int first = static_cast<int>(std::lround(std::log10(axis.from)));
    const int last = static_cast<int>(std::lround(std::log10(axis.to)));
    const int step = (last - first + 7) / 8;
    for (int k = first; k <= last; k += std::max(step, 1))
      ticks.push_back(
          {std::pow(10, k), fmt::format("10<tspan dy=\"-5\" font-size=\"8\">{}</tspan>",
                                        k < 0 ? "−" + std::to_string(-k) : std::to_string(k))});
    return ticks;
  }
  const double raw = (axis.to - axis.from) / 8, power = std::pow(10, std::floor(std::log10(raw)));
  const double step = power * (raw / power <= 2 ? 2 : raw / power <= 5 ? 5 : 10);
  const double first = std::ceil(axis.from / step);
  for (int k = 0; k < 20 && (first + k) * step <= axis.to; ++k)
    ticks.push_back({(first + k) * step, fmt::format("{:.6g}", (first + k) * step + 0.0)});
  return ticks;
}

std::string grid(const Scale& x, const Scale& y) {
  std::string lines, below, beside;
  for (const AxisTick& tick : ticks_of(x)) {
    const std::string at = decimals(x.place(tick.value), 1);
    lines += fmt::format("M{} {}V{}", at, top, height - bottom);
    below += fmt::format("<text x=\"{}\" y=\"{}\">{}</text>", at, height - bottom + 16, tick.label);
  }
  for (const AxisTick& tick : ticks_of(y)) {
    const double at = y.place(tick.value);
    lines += fmt::format("M{} {}H{}", x.begin, decimals(at, 1), width - right);
    beside += fmt::format("<text x=\"{}\" y=\"{}\">{}</text>", x.begin - 6, decimals(at + 4, 1),
                          tick.label);
  }
  return "<path class=\"grid\" d=\"" + lines + "\"/><g text-anchor=\"middle\">" + below +
         "</g><g text-anchor=\"end\">" + beside + "</g>";
}

/// The polyline, gaps where there is no point; `kept`: which of the values those points are.
std::string path_of(const ExploreCurve& curve, const Scale& x, const Scale& y, bool continuous,
                    std::vector<std::size_t>& kept) {
  constexpr double pixel = 0.3;
  const int digits = continuous ? 1 : 2;
  const bool points = curve.look == "points";
  std::string d;
  std::vector<std::size_t> run;  // of points that are joined
  const auto finish = [&] {
    std::vector<double> at_x, at_y;
    for (const std::size_t i : run)
      at_x.push_back(x.place(curve.x[i])), at_y.push_back(y.place(curve.y[i]));
    std::vector<std::size_t> part(run.size());
    std::iota(part.begin(), part.end(), 0);
    if (continuous && !points) part = points_of_shape(at_x, at_y, pixel);
    for (const std::size_t i : part) {
      d += fmt::format("{}{} {}{}", points || i == 0 ? "M" : "L", decimals(at_x[i], digits),
                       decimals(at_y[i], digits), points ? "h0" : "");
      kept.push_back(run[i]);
    }
    run.clear();
  };
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    if (within(curve.x[i], x) && within(curve.y[i], y))
      run.push_back(i);
    else
      finish();
  }
  finish();
  return d;
}

std::string curve_element(const ExplorePlot& plot, const ExploreCurve& curve, const Scale& x,
                          const Scale& y) {
  std::vector<std::size_t> kept;
  const std::string d = path_of(curve, x, y, plot.continuous, kept);
  if (kept.empty()) return "";
  std::string points, more;
  if (!plot.continuous && kept.size() != curve.x.size())
    for (const std::size_t i : kept) points += (points.empty() ? "" : " ") + std::to_string(i);
  for (const auto& [is, name] : {std::pair(curve.front, "front"), std::pair(curve.dashed, "dashed"),
                                 std::pair(curve.ours, "mine")})
    if (is) more += std::string(" ") + name;
  if (!curve.look.empty()) more += " " + curve.look;
  const auto data = [](const char* name, const std::string& value, bool there) {
    return there ? fmt::format(" data-{}=\"{}\"", name, escape_xml(value)) : std::string();
  };
  return fmt::format(
      "<path class=\"c f{}{}\"{}{}{}{} d=\"{}\"/>\n", curve.family % most_families, more,
      data("n", curve.name, true),
      data("m", curve.method, !curve.method.empty() && curve.method != unmarked(curve.name)),
      data("f", std::to_string(curve.family), curve.family >= most_families),
      data("k", points, !points.empty()), d);
}

std::string joined(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += (out.empty() ? "" : "|") + escape_xml(text);
  return out;
}

}  // namespace

std::string unmarked(const std::string& name) {
  std::string plain = name;
  for (const std::string_view mark : {" †", " with control"})
    if (plain.ends_with(mark)) plain.resize(plain.size() - mark.size());
  return plain;
}

std::string explore_figure(const ExplorePlot& plot) {
  Scale x = axis_over(plot, true);
  for (const std::string& name : plot.y_names)  // names are wider than numbers
    x.begin = std::max(x.begin, 26 + 6 * static_cast<double>(name.size()));
  Scale y = axis_over(plot, false);
  if (!plot.y_names.empty()) {
    y.log = false, y.names = plot.y_names;
    y.from = 0.5, y.to = static_cast<double>(plot.y_names.size()) + 0.5;
  }
  std::string parts;
  bool first = true;
  for (const ExplorePart& part : plot.parts) {
    std::string curves;  // the front last: drawn over the others
    for (const bool front : {false, true})
      for (const ExploreCurve& curve : part.curves)
        if (curve.front == front) curves += curve_element(plot, curve, x, y);
    if (curves.empty()) continue;
    parts += fmt::format(
        "<g class=\"part\" data-part=\"{}\"{}>\n{}<text class=\"axis\" "
        "transform=\"translate(14 {:.0f}) rotate(-90)\" text-anchor=\"middle\">{}"
        "</text></g>\n",
        escape_xml(part.id), first ? "" : " style=\"display:none\"", curves,
        (top + height - bottom) / 2, escape_xml(part.y_label));
    first = false;
  }
  if (parts.empty()) return "";
  return fmt::format(
      "<figure class=\"explore{}\" data-x=\"{} {:.10g} {:.10g} {} {}\" data-y=\"{} {:.10g} {:.10g} "
      "{} {}\" data-h=\"{}\" data-t=\"{}\" data-xl=\"{}\">\n<svg viewBox=\"0 0 {} {}\" "
      "role=\"img\" "
      "aria-label=\"{}\">{}\n{}<text class=\"axis\" x=\"{:.0f}\" y=\"{}\" "
      "text-anchor=\"middle\">{}</text></svg>\n<figcaption>{}</figcaption>\n</figure>\n",
      plot.continuous ? " continuous" : "", x.log ? 1 : 0, x.from, x.to, x.begin, x.end,
      y.log ? 1 : 0, y.from, y.to, y.begin, y.end, joined(plot.knobs), joined(plot.dashed_knobs),
      escape_xml(plot.x_label), width, height, escape_xml(plot.title), grid(x, y), parts,
      (x.begin + width - right) / 2, height - 8, escape_xml(plot.x_label), escape_xml(plot.title));
}

std::string explore_legend(const std::vector<std::string>& families,
                           const std::vector<std::pair<std::string, std::string>>& parts) {
  std::string text = "<div class=\"legend\"><ul class=\"families\">";
  for (std::size_t k = 0; k < families.size(); ++k)
    if (!families[k].empty())
      text += fmt::format("<li class=\"f{}\" data-f=\"{}\"><i></i>{}</li>", k, k,
                          escape_xml(families[k]));
  text += "</ul>";
  if (parts.size() > 1) {
    text += "<p class=\"parts\">";
    for (const auto& [id, label] : parts)
      text += "<button type=\"button\" data-part=\"" + escape_xml(id) + "\">" + escape_xml(label) +
              "</button>";
    text += "</p>";
  }
  return text +
         "<p class=\"choose\"><input type=\"search\" aria-label=\"Methods: a name or an expression "
         "of tags\" placeholder=\"name, or esdirk &amp; order&gt;=3\"><span class=\"soft\" "
         "role=\"status\"></span></p></div>\n";
}

std::string explore_keyed(const std::string& figures,
                          const std::vector<std::pair<std::string, std::string>>& curves) {
  std::string text = "<div class=\"keyed\"><div class=\"plots\">\n" + figures + "</div>\n";
  if (curves.empty()) return text + "</div>\n";
  text += "<ul class=\"families\">";
  for (std::size_t k = 0; k < curves.size(); ++k)
    text += fmt::format("<li class=\"f{}\" data-f=\"{}\"><i class=\"{}\"></i>{}</li>",
                        k % most_families, k, curves[k].second, escape_xml(curves[k].first));
  return text + "</ul></div>\n";
}

}  // namespace daemark
