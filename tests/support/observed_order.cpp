#include "tests/support/observed_order.hpp"

#include <fmt/format.h>

#include <cmath>

namespace daemark::test {

std::optional<int> ObservedOrder::order() const {
  const std::size_t n = errors_.size();
  if (n < 3) return std::nullopt;
  for (std::size_t k = n - 3; k < n; ++k)
    if (!std::isfinite(errors_[k]) || errors_[k] <= floor_) return std::nullopt;
  const double coarse = std::log2(errors_[n - 3] / errors_[n - 2]),
               fine = std::log2(errors_[n - 2] / errors_[n - 1]);
  const double integer = std::round(fine);
  const double before = std::abs(coarse - integer), now = std::abs(fine - integer);
  constexpr double near = 0.25, there = 0.05;
  constexpr double slowest = 0.75;  // half way between halving and standing still
  const bool arrived = before <= there && now <= there, coming = now <= slowest * before;
  if (now > near || !(arrived || coming)) return std::nullopt;
  return static_cast<int>(integer);
}

std::string ObservedOrder::text() const {
  std::string slopes;
  for (std::size_t k = 1; k < errors_.size(); ++k)
    slopes += fmt::format(" {:.3f}", std::log2(errors_[k - 1] / errors_[k]));
  return fmt::format("slopes{}, last error {:.2e}", slopes, errors_.empty() ? 0 : errors_.back());
}

}  // namespace daemark::test
