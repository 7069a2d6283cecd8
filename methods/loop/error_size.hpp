// The size of an estimated error for step-size control, and an automatic first step:
//
//   max over the components c of |e_c| / (atol_c + rtol_c |y_c|),
//
// with tolerances by the kind of component. Absolute ones have the unit of the component.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "methods/core/stepper.hpp"

namespace daemark {

template <class S>
class ErrorSize {
 public:
  ErrorSize(const Target<S>& target, const ControlSettings& control) {
    const auto& components = target.system->components();
    for (std::size_t c = 0; c < components.size(); ++c) {
      const ErrorKind kind = kind_of(target, c);
      const double absolute = control.absolute(kind);
      weights_.push_back({absolute, control.relative(kind) / absolute});
    }
  }

  /// Error that the tolerances of component c allow at magnitude |y|, in its unit.
  double allowed(std::size_t c, double size) const {
    return weights_[c].absolute * (1 + weights_[c].relative * size);
  }

  /// 1: as large as the tolerances allow. Not-a-number counts as too large.
  double operator()(const std::vector<S>& error, const std::vector<S>& y) const {
    double largest = 0;
    for (std::size_t c = 0; c < error.size(); ++c) {
      const auto& [absolute, relative] = weights_[c];
      const double size =
          std::abs(to_double(error[c])) / (absolute * (1 + relative * std::abs(to_double(y[c]))));
      if (!(size <= largest)) largest = std::isnan(size) ? 1e10 : size;
    }
    return largest;
  }

 private:
  /// y = (q, v, λ, …) of a mechanism; an angle is a position in rad.
  static ErrorKind kind_of(const Target<S>& target, std::size_t c) {
    const Component::Kind kind = target.system->components()[c].kind;
    if (kind == Component::Kind::algebraic) return ErrorKind::multiplier;
    const bool position = target.mechanism ? static_cast<int>(c) < target.mechanism->coordinates()
                                           : kind == Component::Kind::integral;
    if (!position) return ErrorKind::velocity;
    return target.mechanism && target.mechanism->coordinate_units()[c] == "rad"
               ? ErrorKind::angle
               : ErrorKind::position;
  }

  struct Weight {
    double absolute, relative;  ///< relative: in units of absolute
  };
  std::vector<Weight> weights_;
};

// A first step for step-size control, from the rates of the state and their change (Hairer, Nørsett
// & Wanner, Solving Ordinary Differential Equations I, II.4), for systems whose rates follow from
// the state.

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
