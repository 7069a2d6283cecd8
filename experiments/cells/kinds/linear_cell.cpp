// Cells of kind "linear": amplitude decay, period elongation and spectral radius of a method, and
// its stability region, as measures and series.
//
// Keys: x (texts), abscissae Δt/(nT), each a positive number, or lin(a,b,n), log(a,b,n): n points
// from a to b; region (flag).
// Measures n, order (of the method), linear_order (of its principal root), rho_infinity, ad_0_05,
// pe_0_05, ad_0_1, pe_0_1 [%].
// With abscissae x = Δt/(nT): series x, ad [%], pe [%], rho; for every x written as a number, say
// 0.2: ad_0_2, pe_0_2, rho_0_2; if the largest is 100 or more: x_half, where ρ first is below (1 +
// ρ∞)/2, x_settled, from where on ρ stays within 5 % of 1 − ρ∞ of ρ∞ (inf: not within the
// abscissae; both missing if ρ∞ = 1), rho_max and rho_dip, the largest and least ρ. With `region`:
// series region_x, region_y, the boundary of |R(nz)| ≤ 1 in |Re z|, |Im z| ≤ 6, pieces apart by
// NaN; region_left, the least Re z on it.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <list>

#include "analysis/linear/amplification.hpp"
#include "analysis/linear/analyse.hpp"
#include "analysis/orders/expected_orders.hpp"
#include "base/input/call.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/cells/support/cell_kind.hpp"
#include "methods/catalogue/registry.hpp"

namespace daemark {

namespace {

/// A polyline, its pieces apart by NaN.
struct Boundary {
  std::vector<double> x, y;
};

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

/// Where the modulus on the region's grid is 1: marching squares, linear between grid points.
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

/// Named points: "0.05" → "0_05".
std::string suffix(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return text;
}

bool is_grid(const std::string& text) { return text.find('(') != std::string::npos; }

void add_grid(const std::string& text, std::vector<double>& x) {
  const Call call = parse_call(text, "x");
  const bool log = call.id == "log";
  if ((!log && call.id != "lin") || call.arguments.size() != 3) {
    throw BadInput(
        fmt::format("x = '{}' is not accepted: a number > 0, lin(a,b,n), log(a,b,n)", text));
  }
  const auto value = [&](int i) { return call.arguments[i].value.expression.eval<double>(); };
  const double a = value(0), b = value(1);
  const int n = static_cast<int>(value(2));
  if (!(a > 0) || !(b > a) || n < 2 || n > 2000) {
    throw BadInput(fmt::format("x = '{}' is not accepted: 0 < a < b, 2 <= n <= 2000", text));
  }
  for (int i = 0; i < n; ++i) {
    const double part = static_cast<double>(i) / (n - 1);
    x.push_back(log ? a * std::pow(b / a, part) : a + (b - a) * part);
  }
}

/// All of them, sorted. Throws BadInput.
std::vector<double> abscissae(const std::vector<std::string>& texts) {
  std::vector<double> x;
  for (const std::string& text : texts) {
    if (is_grid(text)) {
      add_grid(text, x);
    } else {
      x.push_back(Expression::parse(text, "x").eval<double>());
      if (!(x.back() > 0))
        throw BadInput(fmt::format("x = '{}' is not accepted: a number > 0", text));
    }
  }
  std::sort(x.begin(), x.end());
  x.erase(std::unique(x.begin(), x.end()), x.end());
  return x;
}

void add_radius_measures(const AnalyseResult& found, std::map<std::string, double>& measures) {
  const double end = measures.at("rho_infinity");
  if (found.x.back() < 100 || !std::isfinite(end)) return;
  double largest = 0, least = end;
  constexpr double never = std::numeric_limits<double>::infinity();
  double half = std::nan(""), settled = never;
  // Where a quantity passes `level` between two points, linear in log x.
  const auto crossing = [&](std::size_t i, double before, double after, double level) {
    if (i == 0 || before == after) return found.x[i];
    const double share = std::clamp((level - before) / (after - before), 0.0, 1.0);
    return found.x[i - 1] * std::pow(found.x[i] / found.x[i - 1], share);
  };
  for (std::size_t i = 0; i < found.x.size(); ++i) {
    const double rho = found.spectral_radius[i];
    largest = std::max(largest, rho);
    least = std::min(least, rho);
    const double previous = i == 0 ? rho : found.spectral_radius[i - 1];
    if (std::isnan(half) && rho < (1 + end) / 2) half = crossing(i, previous, rho, (1 + end) / 2);
    const double band = 0.05 * (1 - end), away = std::abs(rho - end);
    if (away > band) settled = never;
    if (away <= band && settled == never)
      settled = crossing(i, std::abs(previous - end), away, band);
  }
  measures["rho_max"] = largest;
  measures["rho_dip"] = least;
  if (end < 1 - 1e-9) {
    measures["x_half"] = half;
    measures["x_settled"] = settled;
  }
}

void add_points(const Cell& cell, CellResult& result) {
  AnalyseRequest request;
  request.method = cell.method;
  for (const double x : abscissae(cell.texts("x"))) {
    request.x.push_back(Expression::parse(fmt::format("{:.17g}", x), "x"));
  }
  const AnalyseResult found = analyse(request);
  result.series["x"] = found.x;
  result.series["ad"] = found.amplitude_decay_percent;
  result.series["pe"] = found.period_elongation_percent;
  result.series["rho"] = found.spectral_radius;
  auto& measures = result.measures;
  for (const std::string& text : cell.texts("x")) {
    if (is_grid(text)) continue;
    const double x = Expression::parse(text, "x").eval<double>();
    const auto nearest = std::min_element(found.x.begin(), found.x.end(), [&](double a, double b) {
      return std::abs(a - x) < std::abs(b - x);
    });
    const auto i = static_cast<std::size_t>(nearest - found.x.begin());
    measures["ad_" + suffix(text)] = found.amplitude_decay_percent[i];
    measures["pe_" + suffix(text)] = found.period_elongation_percent[i];
    measures["rho_" + suffix(text)] = found.spectral_radius[i];
  }
  add_radius_measures(found, measures);
}

void add_region(const Cell& cell, int n, CellResult& result) {
  constexpr double half_width = 6;  // of z/n
  StabilityRegion region;
  region.re_min = region.im_min = -half_width * n;
  region.re_max = region.im_max = half_width * n;
  region.columns = region.rows =
      120;  // even: no point on the axes, where |R| = 1 may hold all along
  fill_region(cell.method, region);
  const Boundary boundary = level_line(region);
  double left = std::nan("");
  for (std::size_t i = 0; i < boundary.x.size(); ++i) {
    result.series["region_x"].push_back(boundary.x[i] / n);
    result.series["region_y"].push_back(boundary.y[i] / n);
    const double x = boundary.x[i] / n;
    left = std::isnan(left) || x < left ? x : left;
  }
  result.measures["region_left"] = left;
}

double cost(const Cell& cell) {
  constexpr double summary = 2e4, point = 200, region = 2e5;
  return summary + point * static_cast<double>(abscissae(cell.texts("x")).size()) +
         (cell.flag("region") ? region : 0);
}

/// The points that are written as numbers.
std::vector<std::string> point_names(const Cell& cell) {
  std::vector<std::string> names;
  for (const std::string& x : cell.texts("x"))
    if (!is_grid(x)) names.push_back(suffix(x));
  return names;
}

CellResult run_linear(const Cell& cell) {
  CellResult result;
  method_registry().make(cell.method);  // what names no method stays bad input
  const LinearSummary summary = summarise(cell.method);
  result.measures = {{"n", summary.n}};
  if (!summary.failure.empty()) {
    result.status = "refused";
    result.why = summary.failure;
    return result;
  }
  result.measures["linear_order"] = summary.order;
  result.measures["rho_infinity"] = summary.rho_infinity;
  result.measures["ad_0_05"] = summary.decay_005;
  result.measures["pe_0_05"] = summary.elongation_005;
  result.measures["ad_0_1"] = summary.decay_010;
  result.measures["pe_0_1"] = summary.elongation_010;
  if (const auto order = order_of(cell.method)) result.measures["order"] = *order;
  try {
    if (!cell.texts("x").empty()) add_points(cell, result);
    if (cell.flag("region")) add_region(cell, summary.n, result);
  } catch (const NumericalFailure& failure) {
    result.status = "failed";
    result.why = failure.what();
  }
  return result;
}

}  // namespace

void register_linear_cell(CellKinds& kinds) {
  CellKind kind;
  kind.id = "linear";
  kind.keys = {
      required(key_method()), {"x", CellKey::Type::texts}, {"region", CellKey::Type::flag}};
  kind.measures = {{"{n,order,linear_order}", ""},
                   {"rho_{infinity,max,dip}", ""},
                   {"x_{half,settled}", ""},
                   {"{ad,pe}_{0_05,0_1}", "%"},
                   {"{ad,pe}_*", "%", nullptr, point_names},
                   {"rho_*", "", nullptr, point_names},
                   {"region_left", "", [](const Cell& cell) { return cell.flag("region"); }}};
  kind.compute = run_linear;
  kind.commands = [](const Cell& cell) -> Commands {
    return {"daemark analyse " + shell_word(cell.method)};
  };
  kind.cost = cost;
  kind.check_more = [](const Cell& cell) { abscissae(cell.texts("x")); };  // refuses malformed ones
  kinds.add(std::move(kind));
}

}  // namespace daemark
