#include "analysis/reference/agreement.hpp"

#include <algorithm>
#include <cmath>

namespace daemark {

int agreement(const Motion& a, const Motion& b, double accuracy, int most) {
  double worst = most;
  const double zero = std::sqrt(accuracy), floor = std::sqrt(zero);
  const auto compare = [&](const std::vector<real50>& x, const std::vector<real50>& y) {
    if (x.size() != y.size()) worst = 0;
    real50 largest = 0;
    for (const real50& value : x) largest = std::max<real50>(largest, abs(value));
    if (largest == 0) largest = 1;
    for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
      const real50 difference = abs(x[i] - y[i]);
      if (difference == 0) continue;
      real50 size = std::max<real50>(abs(x[i]), abs(y[i]));
      size = size <= largest * zero ? largest : std::max<real50>(size, largest * floor);
      const double digits = -to_double(real50(log10(real50(difference / size))));
      worst = std::isfinite(digits) ? std::min(worst, digits) : 0;
    }
  };
  compare(a.q, b.q);
  compare(a.v, b.v);
  compare(a.lambda, b.lambda);
  return std::max(0, static_cast<int>(std::floor(worst)));
}

}  // namespace daemark
