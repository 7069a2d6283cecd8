#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "analysis/report/figure_plan.hpp"
#include "base/text/bad_input.hpp"

namespace daemark {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kRankedPoints = 20000;  // ranking more costs time and changes no pixel

bool showable(double value, bool log) { return std::isfinite(value) && (!log || value > 0); }

int decade(double value) { return static_cast<int>(std::floor(std::log10(value) + 1e-9)); }

void pad_linear(double& lo, double& hi, double pad) {
  const double largest = std::max(std::abs(lo), std::abs(hi));
  const double middle = lo + (hi - lo) / 2;
  if (hi - lo <= 1e-7 * largest || largest == 0) {  // constant up to round-off: show it as such
    const double half = largest > 0 ? 0.1 * largest : 1;
    lo = middle - half;
    hi = middle + half;
    return;
  }
  const double margin = pad * (hi - lo);
  lo -= margin;
  hi += margin;
}

void pad_log(double& lo, double& hi, double pad) {
  const double factor = hi > lo * 1.0001 ? std::pow(hi / lo, pad) : 3;
  lo = std::max(lo / factor, std::numeric_limits<double>::min());
  hi = std::min(hi * factor, std::numeric_limits<double>::max());
}

std::string fixed(double value, int decimals) {
  std::array<char, 400> text{};
  std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
  std::string shown = text.data();
  if (shown.find_first_not_of("-0.") == std::string::npos && shown[0] == '-') shown.erase(0, 1);
  if (shown[0] == '-') shown.replace(0, 1, "−");
  return shown;
}

double nice_step(double span, double count) {
  const double raw = span / std::max(count, 1.0);
  const double base = std::pow(10.0, std::floor(std::log10(raw)));
  for (const double step : {1.0, 2.0, 5.0})
    if (raw <= step * base * (1 + 1e-9)) return step * base;
  return 10 * base;
}

void linear_ticks(AxisPlan& plan, double pixels, double spacing) {
  const double span = plan.hi - plan.lo;
  const double step = nice_step(span, pixels / spacing);
  const int decimals = std::max(0, -decade(step));
  const double first = std::ceil(plan.lo / step - 1e-6), last = std::floor(plan.hi / step + 1e-6);
  for (double k = first; k <= last; ++k)
    plan.ticks.push_back({k * step, fixed(k * step, decimals), false});
}

/// `plain`: 100 where an axis has no number that is written as a power, else 10².
std::string log_label(int digit, int exponent, bool plain) {
  if (plain || exponent == 0) return fixed(digit * std::pow(10.0, exponent), 0);
  const std::string power = power_of_ten(exponent);
  return digit == 1 ? power : std::to_string(digit) + "·" + power;
}

/// Powers of ten whose exponent is a multiple of `every`, with 2 and 5 of each decade if `parts`.
void decade_ticks(AxisPlan& plan, int every, bool parts) {
  const double decades = std::log10(plan.hi / plan.lo);
  const int lowest = decade(plan.lo), highest = decade(plan.hi);
  const bool short_ticks = every == 1 && decades <= 8;
  constexpr double least_plain = 1, most_plain = 500;
  const bool plain = plan.lo > 0.5 * least_plain && plan.hi < 2 * most_plain * (1 - 1e-9);
  for (int e = lowest; e <= highest; ++e) {
    for (int digit = 1; digit <= 9; ++digit) {
      const double at = digit * std::pow(10.0, e);
      if (at < plan.lo * (1 - 1e-9) || at > plan.hi * (1 + 1e-9)) continue;
      const bool labelled = (digit == 1 && e % every == 0) || (parts && (digit == 2 || digit == 5));
      if (labelled)
        plan.ticks.push_back({at, log_label(digit, e, plain), false});
      else if (digit == 1 || short_ticks)
        plan.ticks.push_back({at, "", true});
    }
  }
}

/// Round steps where a logarithm spans so little that it is nearly straight: 3.6·10⁻⁴, 3.8·10⁻⁴.
void even_log_ticks(AxisPlan& plan, double count) {
  const double step = nice_step(plan.hi - plan.lo, count);
  const int exponent = decade(plan.hi);
  const bool plain = exponent >= -1 && exponent <= 3;
  const double unit = plain ? 1 : std::pow(10.0, exponent);
  const int decimals = std::max(0, -decade(step / unit));
  const double last = std::floor(plan.hi / step + 1e-6);
  for (double k = std::ceil(plan.lo / step - 1e-6); k <= last; ++k) {
    const std::string digits = fixed(k * step / unit, decimals);
    plan.ticks.push_back({k * step, plain ? digits : digits + "·" + power_of_ten(exponent), false});
  }
}

/// A readable scale has at least two numbers: powers of ten, else also 2 and 5 times these, else
/// even steps.
void log_ticks(AxisPlan& plan, double pixels, double spacing) {
  const double decades = std::log10(plan.hi / plan.lo);
  const double room = pixels / spacing;
  int every = 1;
  for (const int step : {1, 2, 3, 4, 5, 10, 20, 50, 100, 200}) {
    every = step;
    if (decades / step <= room) break;
  }
  const auto too_few = [&] {
    return decades < 2 && std::count_if(plan.ticks.begin(), plan.ticks.end(),
                                        [](const Tick& tick) { return !tick.minor; }) < 2;
  };
  decade_ticks(plan, every, decades < 1.6 && 3 * decades <= room);
  if (too_few()) {
    plan.ticks.clear();
    decade_ticks(plan, 1, true);
  }
  for (double count = std::max(2.0, room); too_few(); count *= 2) {
    plan.ticks.clear();
    even_log_ticks(plan, count);
  }
}

struct Point {
  double x, y;
};

double distance(const Point& p, const Point& a, const Point& b) {
  const double dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy;
  double t = length2 > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / length2 : 0;
  t = std::clamp(t, 0.0, 1.0);
  return std::hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

/// Douglas-Peucker importance of each point of a run; the ends always stay.
std::vector<double> ranks(const std::vector<Point>& run) {
  std::vector<double> rank(run.size(), 0);
  rank.front() = rank.back() = kInfinity;
  struct Part {
    std::size_t first, last;
    double cap;
  };
  std::vector<Part> open{{0, run.size() - 1, kInfinity}};
  while (!open.empty()) {
    const Part part = open.back();
    open.pop_back();
    std::size_t farthest = 0;
    double most = -1;
    for (std::size_t i = part.first + 1; i < part.last; ++i) {
      const double d = distance(run[i], run[part.first], run[part.last]);
      if (d > most) most = d, farthest = i;
    }
    if (most < 0) continue;
    rank[farthest] = std::min(part.cap, most);
    open.push_back({part.first, farthest, rank[farthest]});
    open.push_back({farthest, part.last, rank[farthest]});
  }
  return rank;
}

/// The points of a long run that can matter: the extremes of every bucket of indices.
std::vector<std::size_t> extremes(const std::vector<std::size_t>& run, const Curve& curve,
                                  std::size_t limit) {
  const std::size_t bucket = (4 * run.size() + limit - 1) / limit;
  std::vector<std::size_t> kept;
  for (std::size_t start = 0; start < run.size(); start += bucket) {
    const auto from = run.begin() + static_cast<std::ptrdiff_t>(start);
    const auto to = run.begin() + static_cast<std::ptrdiff_t>(std::min(start + bucket, run.size()));
    const auto by = [](const std::vector<double>& values) {
      return [&values](std::size_t a, std::size_t b) { return values[a] < values[b]; };
    };
    const auto [lowest, highest] = std::minmax_element(from, to, by(curve.y));
    const auto [leftmost, rightmost] = std::minmax_element(from, to, by(curve.x));
    std::array<std::size_t, 4> picked{*lowest, *highest, *leftmost, *rightmost};
    std::sort(picked.begin(), picked.end());
    kept.insert(kept.end(), picked.begin(), std::unique(picked.begin(), picked.end()));
  }
  kept.front() = run.front();
  kept.back() = run.back();
  return kept;
}

}  // namespace

double AxisPlan::fraction(double value) const {
  if (!showable(value, log)) return kNotANumber;
  const double shown = value / scale;
  if (log) return std::log(shown / lo) / std::log(hi / lo);
  return (shown - lo) / (hi - lo);
}

void DataRange::take(double value, bool log) {
  if (!showable(value, log)) return;
  lo = empty ? value : std::min(lo, value);
  hi = empty ? value : std::max(hi, value);
  empty = false;
}

DataRange range_with_room(const DataRange& whole, const DataRange& all, bool log) {
  if (whole.empty || whole.lo == whole.hi) return all;
  constexpr double least_room = 1e4;
  const double room =
      log ? std::max(std::pow(whole.hi / whole.lo, 0.25), least_room) : (whole.hi - whole.lo) / 4;
  const double lo = log ? whole.lo / room : whole.lo - room,
               hi = log ? whole.hi * room : whole.hi + room;
  return {std::max(all.lo, lo), std::min(all.hi, hi), false};
}

AxisPlan axis_range(const Axis& axis, const DataRange& data, double pad, const std::string& where) {
  AxisPlan plan;
  plan.log = axis.log;
  double lo = data.lo, hi = data.hi;
  if (!axis.names.empty()) {
    lo = 0.5;
    hi = static_cast<double>(axis.names.size()) + 0.5;
  } else if (data.empty) {
    lo = axis.log ? 0.1 : 0;
    hi = 1;
    if (axis.min) lo = *axis.min, hi = axis.log ? 10 * lo : lo + 1;
    if (axis.max) hi = *axis.max, lo = axis.min ? *axis.min : (axis.log ? hi / 10 : hi - 1);
  } else if (axis.log) {
    pad_log(lo, hi, pad);
  } else {
    pad_linear(lo, hi, pad);
  }
  if (axis.min) lo = *axis.min;
  if (axis.max) hi = *axis.max;
  if (!showable(lo, axis.log) || !showable(hi, axis.log) || !(lo < hi) || !std::isfinite(hi - lo)) {
    throw BadInput(where + ": the range is empty; accepted are finite min < max" +
                   (axis.log ? ", both positive on a log axis" : ""));
  }
  if (!axis.log) {
    const double largest = std::max(std::abs(lo), std::abs(hi));
    if (largest >= 1e5 || largest < 1e-2) plan.scale = std::pow(10.0, decade(largest));
  }
  plan.lo = lo / plan.scale;
  plan.hi = hi / plan.scale;
  return plan;
}

void axis_ticks(AxisPlan& plan, const Axis& axis, double pixels, double spacing) {
  plan.ticks.clear();
  if (!axis.names.empty())
    for (std::size_t i = 0; i < axis.names.size(); ++i)
      plan.ticks.push_back({static_cast<double>(i + 1), axis.names[i], false});
  else if (plan.log)
    log_ticks(plan, pixels, spacing);
  else
    linear_ticks(plan, pixels, spacing);
  std::string unit = axis.unit;
  if (plan.scale != 1) {
    unit = power_of_ten(static_cast<int>(std::lround(std::log10(plan.scale)))) +
           (unit.empty() ? "" : " " + unit);
  }
  plan.label = axis.label + (unit.empty() ? "" : (axis.label.empty() ? "[" : " [") + unit + "]");
}

void share_scale(AxisPlan& x, AxisPlan& y) {
  if (x.log || y.log) return;
  const double scale = std::max(x.scale, y.scale);
  for (AxisPlan* plan : {&x, &y}) {
    plan->lo *= plan->scale / scale;
    plan->hi *= plan->scale / scale;
    plan->scale = scale;
  }
}

void equalise(AxisPlan& x, AxisPlan& y, double width, double height) {
  if (x.log || y.log) return;
  const double unit = std::max((x.hi - x.lo) / width, (y.hi - y.lo) / height);
  const auto widen = [unit](AxisPlan& plan, double pixels) {
    const double missing = unit * pixels - (plan.hi - plan.lo);
    plan.lo -= missing / 2;
    plan.hi += missing / 2;
  };
  widen(x, width);
  widen(y, height);
}

std::string power_of_ten(int exponent) {
  static const std::array<const char*, 10> kDigits{"⁰", "¹", "²", "³", "⁴",
                                                   "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = exponent < 0 ? "10⁻" : "10";
  for (const char digit : std::to_string(std::abs(exponent)))
    text += kDigits[static_cast<std::size_t>(digit - '0')];
  return text;
}

std::vector<Polyline> drawable(const Curve& curve, const AxisPlan& x, const AxisPlan& y,
                               std::size_t limit) {
  std::vector<std::vector<std::size_t>> runs(1);
  for (std::size_t i = 0; i < curve.x.size(); ++i)
    if (showable(curve.x[i], x.log) && showable(curve.y[i], y.log))
      runs.back().push_back(i);
    else if (!runs.back().empty())
      runs.emplace_back();
  if (runs.back().empty()) runs.pop_back();

  std::vector<std::vector<double>> rank;
  std::vector<double> all;
  for (auto& run : runs) {
    if (run.size() > kRankedPoints) run = extremes(run, curve, kRankedPoints);
    std::vector<Point> points;
    for (const std::size_t i : run) {  // far outside the panel only the direction matters
      points.push_back({std::clamp(x.fraction(curve.x[i]), -1e3, 1e3),
                        std::clamp(y.fraction(curve.y[i]), -1e3, 1e3)});
    }
    rank.push_back(ranks(points));
    all.insert(all.end(), rank.back().begin(), rank.back().end());
  }
  double least = -1;
  if (all.size() > limit) {
    const auto border = all.begin() + static_cast<std::ptrdiff_t>(limit);
    std::nth_element(all.begin(), border, all.end(), std::greater<>());
    least = *border;
  }
  std::vector<Polyline> lines;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    Polyline line;
    for (std::size_t k = 0; k < runs[r].size(); ++k) {
      if (rank[r][k] <= least && rank[r][k] != kInfinity) continue;
      line.x.push_back(curve.x[runs[r][k]] / x.scale);
      line.y.push_back(curve.y[runs[r][k]] / y.scale);
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

std::vector<std::size_t> points_of_shape(const std::vector<double>& x, const std::vector<double>& y,
                                         double tolerance) {
  std::vector<Point> run;
  for (std::size_t i = 0; i < x.size(); ++i) run.push_back({x[i], y[i]});
  std::vector<std::size_t> kept;
  if (run.empty()) return kept;
  const std::vector<double> rank = ranks(run);
  for (std::size_t i = 0; i < run.size(); ++i)
    if (rank[i] > tolerance) kept.push_back(i);
  return kept;
}

}  // namespace daemark
