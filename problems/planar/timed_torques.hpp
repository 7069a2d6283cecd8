// Torques against the ground that follow a law of time, amplitude · law(t), on one coordinate each.
#pragma once

#include "problems/planar/planar_mechanism.hpp"
#include "problems/system/mechanical_system.hpp"

namespace daemark {

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
