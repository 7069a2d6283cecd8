#include "analysis/roots/principal_root.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daemark {

/// Accepts the root nearest to the predicted one if it is clearly nearest; `force`: in any case.
bool PrincipalRoot::try_step(double theta, bool force) {
  const double step = theta - theta_;
  const std::complex<double> predicted = z_ * std::exp(slope_ * step);
  double nearest = std::numeric_limits<double>::infinity(), second = nearest;
  std::complex<double> found = 0;
  for (const std::complex<double>& z : roots_(theta)) {
    const double distance = std::abs(z - predicted);
    if (distance < nearest) {
      second = nearest;
      nearest = distance;
      found = z;
    } else {
      second = std::min(second, distance);
    }
  }
  if (found == 0.0) {  // annihilated in one step: nothing left to follow
    z_ = 0;
    theta_ = theta;
    return true;
  }
  const bool clear = nearest < 0.3 * second && nearest < 0.1 * std::abs(predicted);
  if (!clear && !force) return false;
  const std::complex<double> change = std::log(found / z_);
  if (std::abs(change.imag()) > 1 && !force) return false;
  slope_ = change / step;
  phase_ += change.imag();
  z_ = found;
  theta_ = theta;
  return true;
}

void PrincipalRoot::advance(double theta) {
  constexpr double finest = 1e-4;  // relative; two roots that close have met
  while (theta_ < theta) {
    if (z_ == 0.0) {
      theta_ = theta;
      return;
    }
    const double step = std::min(step_, theta - theta_);
    const bool last = step < finest * std::max(1.0, theta_);
    if (try_step(theta_ + step >= theta ? theta : theta_ + step, last)) {
      if (step == step_) step_ *= 1.5;
    } else {
      step_ = step / 2;
    }
  }
}

}  // namespace daemark
