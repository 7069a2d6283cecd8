// b turns at a prescribed rate about an axis of a, e · (ω_b − ω_a) = Ω(t), e = R_a r: a row of
// velocities, for VelocityElement. Local coordinates: g of each node.
#pragma once

#include <memory>

#include "problems/elements/velocity_element.hpp"
#include "problems/geometry/rotation_charts.hpp"

namespace daemark {

template <class S>
struct TurnRate {
  static constexpr int size = 6, rows = 1;
  static constexpr bool driven = true;
  rotation::Vec3<S> axis;  ///< in a's frame
  std::shared_ptr<const MotionLaw> law;

  /// The orientation increments of a node, or of the ground (−1).
  static ElementNode orientation(int node) {
    return node < 0 ? ElementNode{-1, 3, ElementNode::fixed_chart}
                    : ElementNode{6 * node + 3, 3, 4 * node};
  }
  TurnRate at(const S* chart) const {
    return {rotation::rotate(rotation::quaternion(chart), axis), law};
  }
  template <class T>
  void velocity(const T& t, const T* q, const T* v, T* rate) const {
    using namespace rotation;
    const Vec3<T> e = cayley_rotate(vector(q), constant<T>(axis));
    const Vec3<T> spin = combine(T(S(1)), cayley_spin(vector(q + 3), vector(v + 3)), T(S(-1)),
                                 cayley_spin(vector(q), vector(v)));
    rate[0] = dot(e, spin) - motion_value(*law, t);
  }
};

}  // namespace daemark
