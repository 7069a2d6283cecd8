// Forces and torques against the ground that follow a law of time, amplitude · law(t), on one
// coordinate each.
#pragma once

#include "problems/planar/planar_mechanism.hpp"
#include "problems/system/mechanical_system.hpp"

namespace daemark {

template <class S>
class TimedLoads {
 public:
  /// Coordinates x, y, θ of body b are 3 b … 3 b + 2 (stride 3), or θ alone, b (stride 1).
  TimedLoads(const PlanarMechanism& mechanism, int stride) {
    for (const auto& load : mechanism.timed_loads())
      loads_.push_back(
          {stride * load.body + stride - 3 + load.axis, from_wide<S>(load.amplitude), load.law});
  }
  bool empty() const { return loads_.empty(); }

  void add(const S& t, const MotionValues<S>& out) const {
    if (!out.residual && !out.force) return;
    for (const Load& load : loads_) {
      const S value = load.amplitude * law_value<S>(*load.law)(TimeJet<S>(t)).value;
      if (out.residual) out.residual[load.coordinate] -= value;
      if (out.force) out.force[load.coordinate] += value;
    }
  }
  void record(const Var& t, Var* R) const {
    for (const Load& load : loads_)
      R[load.coordinate] -= Var(load.amplitude) * load.law->recorded(t);
  }
  S power(const MotionPoint<S>& p) const {
    S sum(0);
    for (const Load& load : loads_)
      sum += load.amplitude * law_value<S>(*load.law)(TimeJet<S>(p.t)).value * p.v[load.coordinate];
    return sum;
  }

 private:
  struct Load {
    int coordinate;
    S amplitude;
    std::shared_ptr<const MotionLaw> law;
  };
  std::vector<Load> loads_;
};

}  // namespace daemark
