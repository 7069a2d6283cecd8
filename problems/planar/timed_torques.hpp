// Torques against the ground that follow a law of time, amplitude · law(t), on one coordinate each.
#pragma once

#include "problems/core/mechanical_system.hpp"
#include "problems/planar/planar_mechanism.hpp"

namespace daemark {

/// A law in the scalar asked for: value and two time derivatives, or operations on a tape.
template <class S>
const std::function<TimeJet<S>(const TimeJet<S>&)>& law_value(const MotionLaw& law) {
  if constexpr (std::is_same_v<S, double>)
    return law.in_double;
  else if constexpr (std::is_same_v<S, quad>)
    return law.in_quad;
  else
    return law.in_real50;
}
template <class S>
const std::function<TapeVar<S>(const TapeVar<S>&)>& law_tape(const MotionLaw& law) {
  if constexpr (std::is_same_v<S, double>)
    return law.on_tape_double;
  else if constexpr (std::is_same_v<S, quad>)
    return law.on_tape_quad;
  else
    return law.on_tape_real50;
}

template <class S>
class TimedTorques {
 public:
  /// Body b turns with coordinate stride · b + offset.
  TimedTorques(const PlanarMechanism& mechanism, int stride, int offset) {
    for (const auto& torque : mechanism.timed_torques())
      torques_.push_back(
          {stride * torque.body + offset, from_wide<S>(torque.amplitude), torque.law});
  }
  bool empty() const { return torques_.empty(); }

  void add(const S& t, const MotionValues<S>& out) const {
    if (!out.residual && !out.force) return;
    for (const Torque& torque : torques_) {
      const S value = torque.amplitude * law_value<S>(*torque.law)(TimeJet<S>(t)).value;
      if (out.residual) out.residual[torque.coordinate] -= value;
      if (out.force) out.force[torque.coordinate] += value;
    }
  }
  void record(const TapeVar<S>& t, TapeVar<S>* R) const {
    for (const Torque& torque : torques_)
      R[torque.coordinate] -= TapeVar<S>(torque.amplitude) * law_tape<S>(*torque.law)(t);
  }
  S power(const MotionPoint<S>& p) const {
    S sum(0);
    for (const Torque& torque : torques_)
      sum += torque.amplitude * law_value<S>(*torque.law)(TimeJet<S>(p.t)).value *
             p.v[torque.coordinate];
    return sum;
  }

 private:
  struct Torque {
    int coordinate;
    S amplitude;
    std::shared_ptr<const MotionLaw> law;
  };
  std::vector<Torque> torques_;
};

}  // namespace daemark
