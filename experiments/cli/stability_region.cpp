#include "experiments/cli/stability_region.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "base/numbers/expression.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/cli/common_options.hpp"

namespace daemark {
namespace {

bool is_drawing(const std::string& file) { return file.ends_with(".svg"); }

double re_of(const StabilityRegion& region, int column) {
  return region.re_min + (region.re_max - region.re_min) * column / (region.columns - 1);
}
double im_of(const StabilityRegion& region, int row) {
  return region.im_min + (region.im_max - region.im_min) * row / (region.rows - 1);
}

/// ln |R| at a point of the grid. Poles and zeros are held at a size that can be interpolated.
double height_of(const StabilityRegion& region, int row, int column) {
  const double modulus = region.modulus[static_cast<std::size_t>(row) * region.columns + column];
  return std::clamp(std::log(modulus), -50.0, 50.0);
}

struct PlanePoint {
  double re, im, height;
};

/// The points where the height is zero on the sides of a triangle: none or two.
void add_crossings(const PlanePoint (&corners)[3], Curve& curve) {
  int found = 0;
  for (int i = 0; i < 3; ++i) {
    const PlanePoint &a = corners[i], &b = corners[(i + 1) % 3];
    if ((a.height > 0) == (b.height > 0)) continue;
    const double share = a.height / (a.height - b.height);
    curve.x.push_back(a.re + share * (b.re - a.re));
    curve.y.push_back(a.im + share * (b.im - a.im));
    ++found;
  }
  constexpr double gap = std::numeric_limits<double>::quiet_NaN();
  if (found > 0) curve.x.push_back(gap), curve.y.push_back(gap);
}

/// The curve along which height(row, column) is zero, linear in the halves of each cell.
Curve contour(const StabilityRegion& region, const std::string& label,
              const std::function<double(int, int)>& height) {
  Curve curve{label};
  const auto at = [&](int row, int column) {
    return PlanePoint{re_of(region, column), im_of(region, row), height(row, column)};
  };
  for (int row = 0; row + 1 < region.rows; ++row)
    for (int column = 0; column + 1 < region.columns; ++column) {
      const PlanePoint low = at(row, column), high = at(row + 1, column + 1);
      add_crossings({low, at(row, column + 1), high}, curve);
      add_crossings({low, high, at(row + 1, column)}, curve);
    }
  return curve;
}

/// Dots where |R| <= 1, on every fifteenth line of the grid.
Curve stable_points(const StabilityRegion& region) {
  Curve dots{"|R| ≤ 1"};
  dots.style = CurveStyle::points;
  dots.marker = 1;  // a plus
  for (int row = 7; row < region.rows; row += 15)
    for (int column = 7; column < region.columns; column += 15)
      if (height_of(region, row, column) <= 0)
        dots.x.push_back(re_of(region, column)), dots.y.push_back(im_of(region, row));
  return dots;
}

std::string numbers(const StabilityRegion& region) {
  std::string text = "re,im,modulus\n";
  for (int row = 0; row < region.rows; ++row)
    for (int column = 0; column < region.columns; ++column)
      text += fmt::format(
          "{:.12g},{:.12g},{:.7g}\n",  // a double root on the real axis leaves half the digits
          re_of(region, column), im_of(region, row),
          region.modulus[static_cast<std::size_t>(row) * region.columns + column]);
  return text;
}

}  // namespace

FigureSpec region_figure(const StabilityRegion& region, const std::string& method) {
  Panel panel;
  panel.title = method;
  panel.equal_scale = true;
  panel.legend = LegendPosition::below;
  panel.x = {"Re z", "", false, region.re_min, region.re_max};
  panel.y = {"Im z", "", false, region.im_min, region.im_max};
  panel.curves = {contour(region, "|R(z)| = 1",
                          [&](int row, int column) { return height_of(region, row, column); }),
                  contour(region, "|R(z)| = |exp z|, order star",
                          [&](int row, int column) {
                            return height_of(region, row, column) - re_of(region, column);
                          }),
                  stable_points(region)};
  std::erase_if(panel.curves, [](const Curve& curve) { return curve.x.empty(); });
  FigureSpec figure;
  figure.width = figure.height = 600;
  figure.panels = {panel};
  return figure;
}

StabilityRegion region_asked(const std::string& asked, const std::string& file) {
  StabilityRegion region;
  if (is_drawing(file)) region.columns = region.rows = 241;
  if (!asked.empty()) {
    const std::vector<Expression> box = read_numbers(asked, "--box");
    if (box.size() != 4)
      throw BadInput(
          fmt::format("--box: {} numbers, accepted: re_min,re_max,im_min,im_max", box.size()));
    region.re_min = box[0].eval<double>(), region.re_max = box[1].eval<double>();
    region.im_min = box[2].eval<double>(), region.im_max = box[3].eval<double>();
  }
  constexpr double most = 1e6;
  const auto size = std::max({-region.re_min, region.re_max, -region.im_min, region.im_max});
  if (!(region.re_min < region.re_max) || !(region.im_min < region.im_max) || !(size <= most))
    throw BadInput(
        fmt::format("--box: {}, accepted: re_min < re_max, im_min < im_max, all within "
                    "-{:g} and {:g}",
                    asked, most, most));
  return region;
}

void write_region(const StabilityRegion& region, const std::string& method,
                  const std::string& file) {
  if (is_drawing(file)) {
    write_svg(region_figure(region, method), file);
    return;
  }
  FileDraft draft(file);
  draft.write(numbers(region));
  draft.commit();
}

}  // namespace daemark
