// A first step for step-size control from how fast the state moves and how fast that changes:
// Hairer, Nørsett & Wanner, Solving Ordinary Differential Equations I, II.4, for systems whose
// rates follow from the state.
#pragma once

#include <algorithm>
#include <cmath>

#include "methods/loop/error_size.hpp"

namespace daemark {

/// At most `span` [s]; one evaluation of the system.
template <class S>
double automatic_first_step(const State<S>& at, const Target<S>& target, const ErrorSize<S>& size,
                            int order, double span) {
  constexpr double small = 1e-5, least_rate = 1e-15, share = 0.01, shortest = 1e-6, growth = 100;
  const double d0 = size(at.y, at.y), d1 = size(at.rate, at.y);
  const double h0 = std::min(span, d0 < small || d1 < small ? shortest : share * d0 / d1);
  State<S> ahead = at;
  for (std::size_t c = 0; c < at.y.size(); ++c) ahead.y[c] += S(h0) * at.rate[c];
  if (!target.system->explicit_rates(ahead.y.data(), ahead.rate.data(), S(at.t + S(h0)),
                                     ahead.chart.data()))
    return std::min(span, h0);
  for (std::size_t c = 0; c < at.y.size(); ++c) ahead.rate[c] -= at.rate[c];
  const double fastest = std::max(d1, size(ahead.rate, at.y) / h0);
  const double h1 = fastest <= least_rate ? std::max(shortest, share * h0)
                                          : std::pow(share / fastest, 1.0 / (order + 1));
  return std::min({growth * h0, h1, span});
}

}  // namespace daemark
