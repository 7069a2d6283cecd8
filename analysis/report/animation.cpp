#include "analysis/report/animation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/report/template.hpp"
#include "base/text/bad_input.hpp"

namespace daemark {
namespace {

using Kind = DrawnShape::Kind;
using Shapes = std::vector<DrawnShape>;

constexpr std::size_t kFewest = 12, kMost = 300;  // frames
constexpr std::size_t kTracePoints = 900;
constexpr int kWidth = 6400;  // [px/10], as all below
constexpr double kMargin = 450, kTop = 500, kBottom = 600, kHighest = 4200;
constexpr int kCoils = 8;

double dot(const SpacePoint& a, const SpacePoint& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// The shapes at any time, interpolated linearly between the times of the history.
class Replay {
 public:
  explicit Replay(const Animation& animation) : animation_(animation) {
    for (const std::vector<double>& row : animation.q) {
      if (!std::all_of(row.begin(), row.end(), [](double x) { return std::isfinite(x); })) break;
      ++rows_;
    }
    if (rows_ == 0)
      throw BadInput(animation.title + ": no position to animate is finite; a motion is needed");
  }
  std::size_t rows() const { return rows_; }
  double start() const { return animation_.t.front(); }
  double span() const { return animation_.t[rows_ - 1] - start(); }

  Shapes at_row(std::size_t i) const {
    return animation_.drawing.shapes(animation_.t[i], animation_.q[i].data());
  }
  Shapes at(double t) const {
    const auto begin = animation_.t.begin();
    const auto after = std::upper_bound(begin, begin + static_cast<long>(rows_), t);
    const auto right =
        std::clamp<std::size_t>(after - begin, 1, std::max<std::size_t>(rows_ - 1, 1));
    Shapes shapes = at_row(right - 1);
    if (rows_ == 1) return shapes;
    const double from = animation_.t[right - 1], to = animation_.t[right];
    const double part = std::clamp((t - from) / (to - from), 0.0, 1.0);
    if (part == 0) return shapes;
    const Shapes next = at_row(right);
    for (std::size_t s = 0; s < shapes.size(); ++s)
      for (std::size_t p = 0; p < shapes[s].points.size(); ++p)
        for (int i = 0; i < 3; ++i) {
          double& x = shapes[s].points[p][i];
          x += part * (next[s].points[p][i] - x);
        }
    return shapes;
  }

 private:
  const Animation& animation_;
  std::size_t rows_ = 0;
};

/// Where points of space go on the picture.
class Projection {
 public:
  explicit Projection(const Drawing& drawing) : right_(drawing.right), up_(drawing.up) {}

  void take(const Shapes& shapes) {
    for (const DrawnShape& shape : shapes)
      for (const SpacePoint& p : shape.points) {
        const double x = dot(right_, p), y = dot(up_, p);
        low_[0] = std::min(low_[0], x), high_[0] = std::max(high_[0], x);
        low_[1] = std::min(low_[1], y), high_[1] = std::max(high_[1], y);
      }
  }
  /// Fits what was taken into the width of the drawing; returns the height that needs.
  int fit() {
    const double dx = high_[0] - low_[0], dy = high_[1] - low_[1];
    const double inside = kWidth - 2 * kMargin, infinite = std::numeric_limits<double>::infinity();
    scale_ = std::min(dx > 0 ? inside / dx : infinite, dy > 0 ? kHighest / dy : infinite);
    if (!std::isfinite(scale_)) scale_ = 1;
    left_ = kWidth / 2.0 - scale_ * (low_[0] + high_[0]) / 2;
    const double height = std::max(scale_ * dy, 600.0);
    top_ = kTop + height / 2 + scale_ * (low_[1] + high_[1]) / 2;
    return static_cast<int>(std::lround(kTop + height + kBottom));
  }
  double scale() const { return scale_; }  ///< [px/10] a metre
  std::array<double, 2> operator()(const SpacePoint& p) const {
    return {left_ + scale_ * dot(right_, p), top_ - scale_ * dot(up_, p)};
  }

 private:
  SpacePoint right_, up_;
  std::array<double, 2> low_{1e300, 1e300}, high_{-1e300, -1e300};
  double scale_ = 1, left_ = 0, top_ = 0;
};

std::string coordinates(double x, double y) {
  const auto whole = [](double v) { return std::lround(std::clamp(v, -1e6, 1e6)); };
  return fmt::format("{} {}", whole(x), whole(y));
}

std::string polyline(const std::vector<std::array<double, 2>>& points, bool closed) {
  std::string path;
  for (const auto& p : points) path += (path.empty() ? "M" : "L") + coordinates(p[0], p[1]);
  return path + (closed ? "Z" : "");
}

/// Straight ends and coils between, as wide at any length.
std::string coil(const std::array<double, 2>& a, const std::array<double, 2>& b) {
  constexpr double half_width = 70, ends = 0.12;
  const double dx = b[0] - a[0], dy = b[1] - a[1], length = std::hypot(dx, dy);
  const double nx = length > 0 ? -dy / length : 0, ny = length > 0 ? dx / length : 0;
  std::vector<std::array<double, 2>> points{a};
  for (int i = 0; i <= 2 * kCoils; ++i) {
    const double along = ends + (1 - 2 * ends) * i / (2 * kCoils);
    const double across = i == 0 || i == 2 * kCoils ? 0 : (i % 2 == 0 ? -half_width : half_width);
    points.push_back({a[0] + along * dx + across * nx, a[1] + along * dy + across * ny});
  }
  points.push_back(b);
  return polyline(points, false);
}

std::string path_of(const DrawnShape& shape, const Projection& projection) {
  std::vector<std::array<double, 2>> points;
  for (const SpacePoint& p : shape.points) points.push_back(projection(p));
  if (shape.kind == Kind::body || shape.kind == Kind::damper) return polyline(points, shape.closed);
  if (shape.kind == Kind::spring) return coil(points.front(), points.back());
  std::string path;  // dots: lines of no length with round ends
  for (const auto& p : points) path += "M" + coordinates(p[0], p[1]) + "h0";
  return path;
}

/// A triangle on hatched ground under a point, or a line.
std::string ground_path(const DrawnShape& shape, const Projection& projection) {
  std::vector<std::array<double, 2>> points;
  for (const SpacePoint& p : shape.points) points.push_back(projection(p));
  if (points.size() > 1) return polyline(points, false);
  const auto& p = points.front();
  std::string path = "M" + coordinates(p[0], p[1]) + "l-90 150h180zm-150 150h300";
  for (int i = 0; i < 5; ++i) path += fmt::format("m{} 0l-45 60m45-60", i == 0 ? -5 : -65);
  return path;
}

/// A bar's stroke: an eighth of what is between its ends in the middle bar, within limits.
double bar_width(const Shapes& shapes, double scale) {
  std::vector<double> lengths;
  for (const DrawnShape& shape : shapes)
    for (std::size_t i = 1; shape.kind == Kind::body && i < shape.points.size(); ++i) {
      SpacePoint d;
      for (int k = 0; k < 3; ++k) d[k] = shape.points[i][k] - shape.points[i - 1][k];
      lengths.push_back(scale * std::sqrt(dot(d, d)));
    }
  if (lengths.empty()) return 70;
  std::nth_element(lengths.begin(), lengths.begin() + static_cast<long>(lengths.size() / 2),
                   lengths.end());
  return std::clamp(lengths[lengths.size() / 2] / 8, 12.0, 70.0);
}

/// 1, 2 or 5 times a power of ten, at most `value`.
double round_below(double value) {
  const double power = std::pow(10.0, std::floor(std::log10(value)));
  const double digit = value / power;
  return power * (digit >= 5 ? 5 : digit >= 2 ? 2 : 1);
}

void add_scale_bar(PageData& data, double scale) {
  const double metres = round_below(kWidth / 5.0 / scale);
  const int length = static_cast<int>(std::lround(metres * scale));
  data["scale_end"] = 300 + length;
  data["scale_text_at"] = 380 + length;
  data["scale_text"] =
      metres < 0.1 ? fmt::format("{:g} mm", 1000 * metres) : fmt::format("{:g} m", metres);
}

/// In real time where that is neither too short nor too long to look at.
void add_time(PageData& data, const Replay& motion) {
  constexpr double shortest = 4, longest = 20, otherwise = 10;  // [s]
  const double start = motion.start(), span = motion.span();
  const bool real = span >= shortest && span <= longest;
  const double length = real ? std::round(100 * span) / 100 : otherwise;
  int digits = 2;
  if (span > 0) digits = std::clamp(2 - static_cast<int>(std::floor(std::log10(span / 5))), 1, 9);
  const std::string speed = !(span > 0)     ? "no motion"
                            : real          ? "real time"
                            : span > length ? fmt::format("{:.3g} times faster", span / length)
                                            : fmt::format("{:.3g} times slower", length / span);
  data["start"] = fmt::format("{:.10g}", start);
  data["span"] = fmt::format("{:.10g}", span);
  data["length"] = fmt::format("{}", length);
  data["digits"] = digits;
  data["speed_text"] = speed;
  data["time_text"] = fmt::format("t = {:.6g} to {:.6g} s, {}", start, start + span, speed);
}

std::string trace_of(const Replay& motion, const Projection& projection) {
  const std::size_t stride = (motion.rows() + kTracePoints - 1) / kTracePoints;
  std::vector<std::vector<std::array<double, 2>>> traces;
  for (std::size_t i = 0; i < motion.rows(); i += stride) {
    std::size_t count = 0;
    for (const DrawnShape& shape : motion.at_row(i)) {
      if (shape.kind != Kind::traced) continue;
      if (traces.size() <= count) traces.emplace_back();
      traces[count++].push_back(projection(shape.points.front()));
    }
  }
  std::string path;
  for (const auto& trace : traces) path += polyline(trace, false);
  return path;
}

/// How many frames fit into `bytes`: one is about as long as the first.
std::size_t frames_in(std::size_t bytes, const Animation& animation, const Replay& motion,
                      const Projection& projection, std::size_t trace) {
  constexpr std::size_t around = 6000, element = 180;
  constexpr double spread = 1.15;  // numbers may grow longer than in the first frame
  std::size_t frame = 0, fixed = around + trace;
  for (const DrawnShape& shape : motion.at_row(0)) {
    fixed += element;
    if (shape.kind == Kind::ground)
      fixed += ground_path(shape, projection).size();
    else
      frame += path_of(shape, projection).size() + 1;
  }
  const double room = bytes > fixed ? static_cast<double>(bytes - fixed) : 0;
  const auto fitting = static_cast<std::size_t>(room / (spread * static_cast<double>(frame)));
  const std::size_t frames = std::min({fitting, motion.rows(), kMost});
  if (frames < std::min(kFewest, motion.rows()))
    throw BadInput(
        fmt::format("{}: an animation would take more than {} bytes; accepted: a smaller mechanism",
                    animation.title, bytes));
  return frames;
}

/// Springs and dampers below bodies, which are apart for their colours; joints and points above.
PageData layers_of(const std::vector<Shapes>& frames, const Projection& projection) {
  const double bar = bar_width(frames.front(), projection.scale());
  PageData layers = PageData::array();
  const auto add = [&](const std::string& style, double stroke, auto&& takes) {
    std::vector<std::string> paths(frames.size());
    for (std::size_t k = 0; k < frames.size(); ++k)
      for (std::size_t s = 0; s < frames[k].size(); ++s)
        if (takes(frames[k][s], s)) paths[k] += path_of(frames[k][s], projection);
    if (paths.front().empty()) return;
    layers.push_back(
        {{"class", style},
         {"stroke", fmt::format("{:.0f}", stroke)},
         {"path", paths.front()},
         {"frames", paths.size() > 1 ? fmt::format("{}", fmt::join(paths, ";")) : ""}});
  };
  const auto all_of = [&](Kind kind, const char* style, double stroke) {
    add(style, stroke, [kind](const DrawnShape& shape, std::size_t) { return shape.kind == kind; });
  };
  all_of(Kind::spring, "an-soft", 20);
  all_of(Kind::damper, "an-soft", 30);
  int body = 0;
  for (std::size_t s = 0; s < frames.front().size(); ++s) {
    const DrawnShape& shape = frames.front()[s];
    if (shape.kind != Kind::body) continue;
    add(fmt::format("an-body an-b{}{}", body++ % 6, shape.closed ? " an-closed" : ""),
        shape.closed ? std::min(30.0, bar) : bar,
        [s](const DrawnShape&, std::size_t index) { return index == s; });
  }
  all_of(Kind::joint, "an-ink", 1.1 * bar);
  all_of(Kind::mass, "an-ink", 3 * bar);
  all_of(Kind::traced, "an-ink", 0.8 * bar);
  return layers;
}

}  // namespace

std::string animation_svg(const Animation& animation, std::size_t bytes) {
  const Replay motion(animation);
  Projection projection(animation.drawing);
  const std::size_t stride = (motion.rows() + 2 * kTracePoints - 1) / (2 * kTracePoints);
  for (std::size_t i = 0; i < motion.rows(); i += stride) projection.take(motion.at_row(i));
  const int height = projection.fit(), bar = height - 300, right = kWidth - 300;
  const std::string trace = trace_of(motion, projection);
  const std::size_t count = frames_in(bytes, animation, motion, projection, trace.size());
  std::vector<Shapes> frames;
  for (std::size_t k = 0; k < count; ++k) {
    const double part = count > 1 ? static_cast<double>(k) / static_cast<double>(count - 1) : 0;
    frames.push_back(motion.at(motion.start() + part * motion.span()));
  }
  PageData still = PageData::array();
  for (const DrawnShape& shape : motion.at_row(0))
    if (shape.kind == Kind::ground)
      still.push_back(
          {{"class", "an-soft"}, {"stroke", 20}, {"path", ground_path(shape, projection)}});
  if (!trace.empty()) still.push_back({{"class", "an-trace"}, {"stroke", ""}, {"path", trace}});
  PageData data = {{"width", kWidth},
                   {"height", height},
                   {"shown_width", kWidth / 10},
                   {"shown_height", height / 10},
                   {"title", animation.title},
                   {"caption", animation.caption},
                   {"style", asset("moving.css")},
                   {"script", asset("moving.js")},
                   {"still", still},
                   {"layers", layers_of(frames, projection)},
                   {"moves", count > 1},
                   {"bar", bar},
                   {"bar_top", bar - 150},
                   {"right", right},
                   {"bar_width", right - 300}};
  add_scale_bar(data, projection.scale());
  add_time(data, motion);
  return fill_template("moving_drawing", data);
}

std::string animation_figure(const std::string& svg) {
  const std::size_t start = svg.find("<svg "), script = svg.find("<script>");
  if (start == std::string::npos || script == std::string::npos || !svg.ends_with("</svg>\n"))
    return "";
  return "<figure class=\"animation\">" + svg.substr(start, script - start) +
         "</svg>\n<div class=\"player\"><button type=\"button\">Play</button><input type=\"range\" "
         "min=\"0\" max=\"1000\" value=\"0\" "
         "aria-label=\"time\"><output></output></div></figure>\n";
}

std::string animation_html(const Animation& animation, std::size_t bytes) {
  return fill_template("moving_page",
                       {{"title", animation.title},
                        {"caption", animation.caption},
                        {"style", asset("animation.css")},
                        {"figure", animation_figure(animation_svg(animation, bytes))},
                        {"script", asset("animation.js")}});
}

}  // namespace daemark
