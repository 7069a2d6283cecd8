#include "experiments/cells/support/level_line.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <list>

namespace daemark {
namespace {

using Point = std::array<double, 2>;

/// Marching squares: the segment (or two) of the line f = 0 in one cell of the grid.
void add_segments(const std::array<Point, 4>& corner, const std::array<double, 4>& f,
                  std::vector<std::array<Point, 2>>& segments) {
  std::vector<Point> cuts;
  for (int i = 0; i < 4; ++i) {
    const int j = (i + 1) % 4;
    if ((f[i] < 0) == (f[j] < 0)) continue;
    const double part = f[i] / (f[i] - f[j]);
    // Rounded, so that the two cells of an edge name one and the same point.
    const auto at = [&](int d) {
      return std::round(1e9 * (corner[i][d] + part * (corner[j][d] - corner[i][d]))) / 1e9;
    };
    cuts.push_back({at(0), at(1)});
  }
  for (std::size_t i = 0; i + 1 < cuts.size(); i += 2) segments.push_back({cuts[i], cuts[i + 1]});
}

/// Segments with common ends joined to polylines.
Boundary joined(std::vector<std::array<Point, 2>> segments) {
  constexpr double gap = std::numeric_limits<double>::quiet_NaN();
  std::list<std::array<Point, 2>> left(segments.begin(), segments.end());
  Boundary out;
  while (!left.empty()) {
    std::list<Point> line{left.front()[0], left.front()[1]};
    left.pop_front();
    for (bool grown = true; grown;) {
      grown = false;
      for (auto s = left.begin(); s != left.end(); ++s) {
        if ((*s)[0] == line.back())
          line.push_back((*s)[1]);
        else if ((*s)[1] == line.back())
          line.push_back((*s)[0]);
        else if ((*s)[0] == line.front())
          line.push_front((*s)[1]);
        else if ((*s)[1] == line.front())
          line.push_front((*s)[0]);
        else
          continue;
        left.erase(s);
        grown = true;
        break;
      }
    }
    for (const Point& p : line) {
      out.x.push_back(p[0]);
      out.y.push_back(p[1]);
    }
    out.x.push_back(gap);
    out.y.push_back(gap);
  }
  return out;
}

}  // namespace

Boundary level_line(const StabilityRegion& region) {
  const auto re = [&](int i) {
    return region.re_min + (region.re_max - region.re_min) * i / (region.columns - 1);
  };
  const auto im = [&](int j) {
    return region.im_min + (region.im_max - region.im_min) * j / (region.rows - 1);
  };
  const auto excess = [&](int i, int j) {
    const double value = region.modulus[static_cast<std::size_t>(j * region.columns + i)] - 1;
    return std::isfinite(value) ? std::clamp(value, -1e3, 1e3) : 1e3;
  };
  std::vector<std::array<Point, 2>> segments;
  for (int i = 0; i + 1 < region.columns; ++i) {
    for (int j = 0; j + 1 < region.rows; ++j) {
      add_segments(
          {Point{re(i), im(j)}, {re(i + 1), im(j)}, {re(i + 1), im(j + 1)}, {re(i), im(j + 1)}},
          {excess(i, j), excess(i + 1, j), excess(i + 1, j + 1), excess(i, j + 1)}, segments);
    }
  }
  return joined(std::move(segments));
}

}  // namespace daemark
