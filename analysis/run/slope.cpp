#include "analysis/run/slope.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace daemark {
namespace {

double least_squares(const std::vector<double>& h, const std::vector<double>& error,
                     const std::vector<std::size_t>& points) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t i : points) {
    const double x = std::log(h[i]), y = std::log(error[i]);
    sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  const double n = static_cast<double>(points.size());
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

}  // namespace

SlopeFit fit_slope(const std::vector<double>& h, const std::vector<double>& error) {
  SlopeFit fit{std::numeric_limits<double>::quiet_NaN(), std::vector<bool>(h.size(), false)};
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < h.size(); ++i)
    if (std::isfinite(error[i]) && error[i] > 0) order.push_back(i);
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return h[a] > h[b]; });
  const auto local = [&](std::size_t k) {  // slope between points k and k + 1 of `order`
    return std::log(error[order[k]] / error[order[k + 1]]) /
           std::log(h[order[k]] / h[order[k + 1]]);
  };
  // Floor: cut behind the first step after which errors stop falling (slope below 0.3) for good.
  std::size_t end = order.size();
  while (end >= 2 && local(end - 2) < 0.3) --end;
  // A finest point that falls much less than its neighbours stands on the floor already.
  while (end >= 4 && local(end - 2) < local(end - 3) - 1) --end;
  if (end < 2) return fit;
  std::size_t begin = end - 2;
  double typical = local(begin);
  if (begin > 0) typical = (local(begin) + local(begin - 1)) / 2;
  while (begin > 0 && std::abs(local(begin - 1) - typical) < 0.6) --begin;
  const std::vector<std::size_t> points(order.begin() + begin, order.begin() + end);
  for (std::size_t i : points) fit.used[i] = true;
  fit.slope = least_squares(h, error, points);
  return fit;
}

}  // namespace daemark
