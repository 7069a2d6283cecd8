// A function of time from the rows of MECHANISM.json, with two derivatives.
#pragma once
#include <algorithm>
#include <vector>

namespace engine {

struct Law {
  std::vector<double> t, value, rate, second;
  double at(double time) const { return cubic(value, rate, time); }
  double rate_at(double time) const { return cubic(rate, second, time); }
  double second_at(double time) const {  // between the rows: t holds some thousand
    const size_t k = row_after(time);
    const double s = (time - t[k - 1]) / (t[k] - t[k - 1]);
    return (1 - s) * second[k - 1] + s * second[k];
  }

 private:
  size_t row_after(double time) const {
    return std::clamp<size_t>(std::upper_bound(t.begin(), t.end(), time) - t.begin(), 1,
                              t.size() - 1);
  }
  double cubic(const std::vector<double>& value, const std::vector<double>& rate,
               double time) const {
    const size_t k = row_after(time);
    const double h = t[k] - t[k - 1], s = (time - t[k - 1]) / h, r = 1 - s;
    return r * r * ((1 + 2 * s) * value[k - 1] + s * h * rate[k - 1]) +
           s * s * ((1 + 2 * r) * value[k] - r * h * rate[k]);
  }
};

}  // namespace engine
