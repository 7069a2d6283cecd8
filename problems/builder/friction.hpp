// Dry friction of given size, smoothed around rest.
#pragma once

#include "problems/builder/builder.hpp"

namespace daemark {

/// Against the relative rate r:
///   −(coulomb + (breakaway − coulomb) exp(−(r/stribeck)²)) tanh(r/smoothing) − viscous r.
/// The size does not depend on the force that presses. Below `smoothing` bodies creep instead of
/// sticking: at rest under a load of half `coulomb`, with 0.55 smoothing.
struct FrictionLaw {
  wide coulomb, smoothing;            ///< [N or N m], [m/s or rad/s]
  wide breakaway = -1, stribeck = 0;  ///< −1: as coulomb
  wide viscous = 0;
};

/// Throws BadInput for sizes that are negative and widths that are not positive.
inline void check_friction(const FrictionLaw& law) {
  const bool rises = law.breakaway >= 0;
  if (law.coulomb < 0 || law.viscous < 0 || !(law.smoothing > 0))
    throw BadInput("friction: coulomb and viscous >= 0 and smoothing > 0 are accepted");
  if (rises && (law.breakaway < law.coulomb || !(law.stribeck > 0)))
    throw BadInput("friction: static >= coulomb and, with it, stribeck > 0 are accepted");
}

/// Data: coulomb, 1/smoothing, breakaway − coulomb, 1/stribeck, viscous; the force on b.
inline std::vector<wide> friction_data(const FrictionLaw& law) {
  const bool rises = law.breakaway >= 0;
  return {law.coulomb, 1 / law.smoothing, rises ? wide(law.breakaway - law.coulomb) : wide(0),
          rises ? wide(1 / law.stribeck) : wide(0), law.viscous};
}
inline Var friction_force(const Var* d, const Var& rate) {
  Var size = d[0];
  if (!d[2].is_zero()) size += d[2] * exp(-square(d[3] * rate));
  return -(size * tanh(d[1] * rate) + d[4] * rate);
}

}  // namespace daemark
