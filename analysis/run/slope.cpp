#include "analysis/run/slope.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daemark {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();
constexpr double roundings = 100;  // of a step and component
constexpr double falling = 0.3;    // local slope below which an error no longer falls
constexpr double broken = 0.5;     // how far a slope falls behind the trend where a floor begins
constexpr double settled = 0.25, close = 0.1;
constexpr double least_order = 0.5;  // no method has an order between 0 and 1

/// The runs that gave an error, coarse to fine, as positions in h and error.
class Curve {
 public:
  Curve(const std::vector<double>& h, const std::vector<double>& error) : h_(h), error_(error) {
    for (std::size_t i = 0; i < h.size(); ++i)
      if (std::isfinite(error[i])) points_.push_back(i);
    std::sort(points_.begin(), points_.end(), [&](auto a, auto b) { return h[a] > h[b]; });
  }
  int size() const { return static_cast<int>(points_.size()); }
  std::size_t at(int k) const { return points_[static_cast<std::size_t>(k)]; }
  double h(int k) const { return h_[at(k)]; }
  double error(int k) const { return error_[at(k)]; }

  /// Between points k and k + 1; an error of exactly 0 falls infinitely fast, or not at all.
  double slope(int k) const { return slope(k, k + 1); }
  double slope(int from, int to) const {
    const double ratio = error(from) == error(to) ? 1 : error(from) / error(to);
    return std::log(ratio) / std::log(h(from) / h(to));
  }

  double least_squares(int begin, int end) const {
    std::vector<double> x, y;
    for (int k = begin; k < end; ++k) x.push_back(h(k)), y.push_back(error(k));
    return log_log_slope(x, y);
  }

 private:
  const std::vector<double>&h_, &error_;
  std::vector<std::size_t> points_;
};

/// The largest of the local slopes before the one to point k.
double trend_before(const Curve& curve, int k) {
  double trend = -std::numeric_limits<double>::infinity();
  for (int i = std::max(0, k - 3); i < k - 1; ++i) trend = std::max(trend, curve.slope(i));
  return trend;
}

/// The slope to point k falls behind those before it.
bool breaks_trend(const Curve& curve, int k) {
  const double slope = curve.slope(k - 1);
  return !(slope >= falling) || slope < trend_before(curve, k) - broken;
}

/// From point k to the finest one the errors still fall half as fast as before it, or by two
/// decades, which they do on no floor, however wide the bound.
bool goes_on_falling(const Curve& curve, int k) {
  constexpr double far = 100;
  const int last = curve.size() - 1;
  if (curve.error(last) == 0) return false;
  return curve.error(k) > far * curve.error(last) ||
         (k < last && curve.slope(k, last) > std::max(falling, trend_before(curve, k) / 2));
}

struct Floor {
  int begin = 0;     ///< one past the usable points
  int below = 0;     ///< from here on everything is below the bound
  bool sure = true;  ///< or only by a bound that is wide
};

Floor find_floor(const Curve& curve, const RoundOff& round_off, const std::vector<double>& finer) {
  const int n = curve.size();
  Floor floor{n, n};
  while (floor.below > 0 &&
         curve.error(floor.below - 1) <= round_off.bound(curve.h(floor.below - 1)))
    --floor.below;
  bool disproved = false;  // a point that looked like round-off was shown to be none
  for (int k = 0; k < n; ++k) {
    floor.begin = k;
    if (curve.error(k) == 0) return floor;
    const double next = finer.empty() ? missing : finer[curve.at(k)];
    const bool compared = std::isfinite(next) && curve.error(k) > round_off.reference;
    const bool halved = compared && next <= curve.error(k) / 2;
    const bool low = k >= floor.below;
    const bool stops = k > 0 && breaks_trend(curve, k) && !goes_on_falling(curve, k);
    if (halved && (low || stops)) return floor;
    if (compared) disproved = disproved || stops;
    if (compared || disproved || !low || !stops) continue;
    floor.sure = curve.error(k) <= round_off.least_bound(curve.h(k));
    return floor;
  }
  floor.begin = n;
  // Small by chance: less than one rounding a step, and it falls faster than the trend of others.
  if (n > 3 && curve.error(n - 1) * roundings <= round_off.bound(curve.h(n - 1)) &&
      curve.slope(n - 2) > trend_before(curve, n - 1) + broken)
    floor.begin = n - 1;
  return floor;
}

/// The points before `begin` that lie above the round-off seen from there on, which at their steps
/// is the same part of the bound: an error below it is round-off that happens to be small.
int above_floor(const Curve& curve, int begin, const RoundOff& round_off) {
  double part = 0;
  for (int k = begin; k < curve.size(); ++k)
    part = std::max(part, curve.error(k) / round_off.bound(curve.h(k)));
  part = std::min(part, 1.0);
  while (begin > 0 && curve.error(begin - 1) <= part * round_off.bound(curve.h(begin - 1))) --begin;
  return begin;
}

/// The range [begin, end) of the asymptotic part, from the finest usable point upwards.
int range_begin(const Curve& curve, int end, double within) {
  const double finest = curve.slope(end - 2);
  int begin = end - 3;
  while (begin > 0 && std::abs(curve.slope(begin - 1) - finest) <= within) --begin;
  return begin;
}

void use(const Curve& curve, int begin, int end, SlopeFit& fit) {
  fit.slope = curve.least_squares(begin, end);
  fit.least = fit.most = curve.slope(begin);
  for (int k = begin; k < end; ++k) fit.used[curve.at(k)] = true;
  for (int k = begin; k + 1 < end; ++k) {
    fit.least = std::min(fit.least, curve.slope(k));
    fit.most = std::max(fit.most, curve.slope(k));
  }
}

/// Three usable points or more.
void judge(const Curve& curve, int end, int below, SlopeFit& fit) {
  const double before = curve.slope(end - 3), finest = curve.slope(end - 2);
  if (finest < falling && before < falling) {
    fit.verdict = SlopeVerdict::no_convergence;
    int begin = end - 3;
    while (begin > 0 && curve.slope(begin - 1) < falling) --begin;
    use(curve, begin, end, fit);
    int first = begin + 1;  // where the error began to stop
    while (first > 1 && breaks_trend(curve, first - 1)) --first;
    fit.doubtful = static_cast<int>(curve.at(first));
  } else if (std::abs(finest - before) <= settled && finest >= least_order) {
    fit.verdict = SlopeVerdict::asymptotic;
    use(curve, range_begin(curve, end, close), end, fit);
  } else {
    fit.verdict = SlopeVerdict::pre_asymptotic;
    use(curve, end - 3, end, fit);
    fit.slope = finest;
    if (breaks_trend(curve, end - 1))
      fit.doubtful = static_cast<int>(curve.at(end - 1));
    else if (below <= end - 3)  // all three: noise that happens to fall
      fit.doubtful = static_cast<int>(curve.at(end - 3));
  }
}

}  // namespace

double log_log_slope(const std::vector<double>& x, const std::vector<double>& y) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (!(y[k] > 0) || !std::isfinite(y[k])) continue;
    const double a = std::log(x[k]), b = std::log(y[k]);
    n += 1, sx += a, sy += b, sxx += a * a, sxy += a * b;
  }
  return n < 2 ? missing : (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

double RoundOff::bound(double h) const {
  return roundings * (unit * scale * std::pow(span / h, power) + left) + reference;
}

double RoundOff::least_bound(double h) const {
  return roundings * (unit * scale * std::pow(span / h, std::max(1, power - 1)) + left) + reference;
}

int round_off_power(int level, int index) {
  return 1 + std::max(0, level - (3 - std::max(index, 1)));
}

const char* slope_verdict_name(SlopeVerdict verdict) {
  switch (verdict) {
    case SlopeVerdict::asymptotic:
      return "asymptotic";
    case SlopeVerdict::pre_asymptotic:
      return "pre-asymptotic";
    case SlopeVerdict::no_convergence:
      return "does not converge";
    case SlopeVerdict::round_off:
      return "round-off";
    case SlopeVerdict::too_few:
      return "too few steps";
  }
  return "unknown";
}

int SlopeFit::points() const {
  return static_cast<int>(std::count(used.begin(), used.end(), true));
}

SlopeFit fit_slope(const std::vector<double>& h, const std::vector<double>& error,
                   const RoundOff& round_off, const std::vector<double>& finer) {
  SlopeFit fit;
  fit.slope = fit.least = fit.most = missing;
  fit.used.assign(h.size(), false);
  fit.floor.assign(h.size(), false);
  const Curve curve(h, error);
  const Floor floor = find_floor(curve, round_off, finer);
  const int end = above_floor(curve, floor.begin, round_off);
  for (int k = end; k < curve.size(); ++k) fit.floor[curve.at(k)] = true;
  if (end >= 3) {
    judge(curve, end, floor.below, fit);
  } else {
    fit.verdict = end < curve.size() ? SlopeVerdict::round_off : SlopeVerdict::too_few;
    if (end == 2) use(curve, 0, 2, fit);
  }
  if (!floor.sure) fit.doubtful = static_cast<int>(curve.at(floor.begin));
  return fit;
}

}  // namespace daemark
