#include "base/linear/refined_lu.hpp"

#include <algorithm>
#include <cmath>

namespace daemark {

template <class S>
void RefinedLu<S>::set_pattern(int n, std::vector<std::pair<int, int>> entries) {
  if constexpr (wide_scalar) {
    entries_ = entries;
    values_.resize(entries.size()), rounded_.resize(entries.size());
    right_.resize(n), left_.resize(n), correction_.resize(n);
  }
  lu_.set_pattern(n, std::move(entries));
}

template <class S>
bool RefinedLu<S>::factor(const S* values) {
  if constexpr (wide_scalar) {
    std::copy_n(values, values_.size(), values_.begin());
    for (std::size_t k = 0; k < values_.size(); ++k) rounded_[k] = static_cast<F>(values_[k]);
    return lu_.factor(rounded_.data());
  } else {
    return lu_.factor(values);
  }
}

template <class S>
bool RefinedLu<S>::solve(S* x) {
  const int n = size();
  if constexpr (is_exact<S>) {
    lu_.solve(x);
    return true;
  } else if constexpr (!wide_scalar) {
    lu_.solve(x);
    double sum = 0;  // not finite if any entry is not
    for (int i = 0; i < n; ++i) sum += std::fabs(x[i]);
    return std::isfinite(sum);
  } else {
    constexpr int rounds = 12;
    std::copy_n(x, n, right_.begin());
    left_ = right_;
    std::fill_n(x, n, S(0));
    double previous = std::numeric_limits<double>::infinity();
    for (int round = 0; round < rounds; ++round) {
      for (int i = 0; i < n; ++i) correction_[i] = static_cast<F>(left_[i]);
      lu_.solve(correction_.data());
      double change = 0, size = 0;
      for (int i = 0; i < n; ++i) {
        x[i] += S(correction_[i]);
        change = std::max(change, std::fabs(correction_[i]));
        size = std::max(size, std::fabs(to_double(x[i])));
        if (!std::isfinite(correction_[i])) return false;
      }
      if (change <= 4 * unit_roundoff<S>() * size || change >= previous / 2) break;
      previous = change;
      left_ = right_;
      for (std::size_t k = 0; k < values_.size(); ++k)
        left_[entries_[k].first] -= values_[k] * x[entries_[k].second];
    }
    return true;
  }
}

template class RefinedLu<double>;
template class RefinedLu<real50>;
template class RefinedLu<rational>;

}  // namespace daemark
