// How large the estimated error of a step counts for step-size control:
//
//   max over the components c of |e_c| / (atol_c + rtol_c |y_c|),
//
// with tolerances by what a component is. Absolute ones have the unit of the component.
#pragma once

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

  /// Error of component c that its tolerances allow at a value of size |y|, in its unit.
  double allowed(std::size_t c, double size) const {
    return weights_[c].absolute * (1 + weights_[c].relative * size);
  }

  /// 1: as large as the tolerances allow. Not a number counts as too large.
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

}  // namespace daemark
