// Springs and dampers along the line between two points of bodies, in the plane or in space.
#pragma once

#include "problems/builder/builder.hpp"

namespace daemark {

inline Var factor_at(const SharedLaw& law, const Var& t) { return law ? (*law)(t) : Var(1); }

/// fᵀv.
inline Var power_of(const std::vector<Var>& f, const std::vector<Var>& v) {
  Var sum;
  for (std::size_t i = 0; i < f.size(); ++i) sum += f[i] * v[i];
  return sum;
}

/// Linear [N/m, N s/m]. A Point has `place` and `rate` in space and
///   void apply(const its vector& force, std::vector<Var>& f) const
/// which adds the body's entries of the force there.
template <class Point>
PartFunctions line_coupling(const PartArguments& at, const Point& a, const Point& b, bool damper,
                            const Var& coefficient, const Var& rest, const SharedLaw& law) {
  const auto times = [](const Var& s, auto x) {
    for (Var& entry : x) entry = s * entry;
    return x;
  };
  const auto minus = [](auto x, const auto& y) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = x[i] - y[i];
    return x;
  };
  const auto dot = [](const auto& x, const auto& y) {
    Var sum = x[0] * y[0];
    for (std::size_t i = 1; i < x.size(); ++i) sum = sum + x[i] * y[i];
    return sum;
  };
  const auto apart = minus(b.place, a.place);
  const Var squared = dot(apart, apart), length = sqrt(squared);
  const Var per_length =
      damper ? dot(apart, minus(b.rate, a.rate)) / squared : Var(1) - rest / length;
  const Var pull = coefficient * factor_at(law, at.t) * per_length;
  PartFunctions f;
  a.apply(times(pull, apart), f.force), b.apply(times(-pull, apart), f.force);
  if (damper || law)
    f.dissipation = power_of(f.force, at.v);
  else
    f.potential = coefficient * square(length - rest) / Var(2);
  return f;
}

}  // namespace daemark
