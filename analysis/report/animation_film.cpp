#include "analysis/report/animation_film.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text/bad_input.hpp"

namespace daemark {
namespace {

using Kind = DrawnShape::Kind;
using Shapes = std::vector<DrawnShape>;

constexpr std::size_t kFewest = 12, kMost = 300;  // frames
constexpr std::size_t kTracePoints = 900;
constexpr double kMargin = 450, kTop = 500, kBottom = 600, kHighest = 4200;  // [px/10]
constexpr int kCoils = 8;

double dot(const SpacePoint& a, const SpacePoint& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// The shapes at any time, on straight ways between the times of the history.
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
  /// Fits what was taken into the width of the film; returns the height that needs.
  int fit(int width) {
    const double dx = high_[0] - low_[0], dy = high_[1] - low_[1];
    const double inside = width - 2 * kMargin, infinite = std::numeric_limits<double>::infinity();
    scale_ = std::min(dx > 0 ? inside / dx : infinite, dy > 0 ? kHighest / dy : infinite);
    if (!std::isfinite(scale_)) scale_ = 1;
    left_ = width / 2.0 - scale_ * (low_[0] + high_[0]) / 2;
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

void set_scale_bar(Film& film, double scale) {
  const double metres = round_below(film.width / 5.0 / scale);
  film.scale_bar = static_cast<int>(std::lround(metres * scale));
  film.scale_text =
      metres < 0.1 ? fmt::format("{:g} mm", 1000 * metres) : fmt::format("{:g} m", metres);
}

/// In real time where that is neither too short nor too long to look at.
void set_time(Film& film, const Replay& motion) {
  constexpr double shortest = 4, longest = 20, otherwise = 10;  // [s]
  film.start = motion.start(), film.span = motion.span();
  const bool as_is = film.span >= shortest && film.span <= longest;
  film.length = as_is ? std::round(100 * film.span) / 100 : otherwise;
  if (film.span > 0)
    film.digits = std::clamp(2 - static_cast<int>(std::floor(std::log10(film.span / 5))), 1, 9);
  const double end = film.start + film.span, slower = film.length / film.span;
  film.speed_text = as_is ? "real time"
                    : film.span > film.length
                        ? fmt::format("{:.3g} times faster", film.span / film.length)
                        : fmt::format("{:.3g} times slower", slower);
  if (!(film.span > 0)) film.speed_text = "no motion";
  film.time_text = fmt::format("t = {:.6g} to {:.6g} s, {}", film.start, end, film.speed_text);
}

std::string trace_of(const Replay& motion, const Projection& projection) {
  const std::size_t stride = (motion.rows() + kTracePoints - 1) / kTracePoints;
  std::vector<std::vector<std::array<double, 2>>> ways;
  for (std::size_t i = 0; i < motion.rows(); i += stride) {
    std::size_t way = 0;
    for (const DrawnShape& shape : motion.at_row(i)) {
      if (shape.kind != Kind::traced) continue;
      if (ways.size() <= way) ways.emplace_back();
      ways[way++].push_back(projection(shape.points.front()));
    }
  }
  std::string path;
  for (const auto& way : ways) path += polyline(way, false);
  return path;
}

}  // namespace

Film film_of(const Animation& animation, std::size_t bytes) {
  const Replay motion(animation);
  Projection projection(animation.drawing);
  const std::size_t stride = (motion.rows() + 2 * kTracePoints - 1) / (2 * kTracePoints);
  for (std::size_t i = 0; i < motion.rows(); i += stride) projection.take(motion.at_row(i));
  const Shapes first = motion.at_row(0);

  Film film;
  film.height = projection.fit(film.width);
  film.bar_width = bar_width(first, projection.scale());
  film.trace = trace_of(motion, projection);
  set_scale_bar(film, projection.scale());
  set_time(film, motion);
  // A frame is about as long as the first, which is drawn once more where nothing moves.
  constexpr std::size_t around = 6000, element = 180;
  std::size_t frame = 0, fixed = around + film.trace.size();
  for (const DrawnShape& shape : first) {
    if (shape.kind == Kind::ground) {
      film.grounds.push_back(ground_path(shape, projection));
      fixed += film.grounds.back().size() + element;
      continue;
    }
    film.shapes.push_back({shape.kind, shape.closed, {}});
    frame += path_of(shape, projection).size() + 1;
    fixed += element;
  }
  constexpr double spread = 1.15;  // numbers may grow longer than in the first frame
  const double room = bytes > fixed ? static_cast<double>(bytes - fixed) : 0;
  const auto fitting = static_cast<std::size_t>(room / (spread * static_cast<double>(frame)));
  film.frames = std::min({fitting, motion.rows(), kMost});
  if (film.frames < std::min(kFewest, motion.rows()))
    throw BadInput(
        fmt::format("{}: an animation would take more than {} bytes; accepted: a "
                    "smaller mechanism",
                    animation.title, bytes));
  for (std::size_t k = 0; k < film.frames; ++k) {
    const double part =
        film.frames > 1 ? static_cast<double>(k) / static_cast<double>(film.frames - 1) : 0;
    std::size_t s = 0;
    for (const DrawnShape& shape : motion.at(film.start + part * film.span))
      if (shape.kind != Kind::ground) film.shapes[s++].paths.push_back(path_of(shape, projection));
  }
  return film;
}

}  // namespace daemark
