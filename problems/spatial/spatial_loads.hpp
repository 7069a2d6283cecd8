// Laws of springs, dampers and loads in space, for ForceElement. Local coordinates: (x, g) of each
// node; a moment M of space does the work M · G ġ, so that its part along g is GᵀM.
#pragma once

#include <array>
#include <memory>

#include "problems/elements/element_laws.hpp"
#include "problems/geometry/rotation_charts.hpp"
#include "problems/system/declaration.hpp"

namespace daemark {

namespace spatial {

template <class S>
const S& number(const S& x) {
  return x;
}
template <class T, int N>
const auto& number(const Dual<T, N>& x) {
  return number(x.value);
}

/// A factor of time; 1 where there is none.
template <class T>
T factor(const std::shared_ptr<const MotionLaw>& law, const T& t) {
  using S = std::remove_cvref_t<decltype(number(t))>;
  return law ? T(law_value<S>(*law)(TimeJet<S>(number(t))).value) : T(S(1));
}

/// A point of a node: where it is, how fast, and its lever R r.
template <class T>
struct Point {
  rotation::Vec3<T> place, rate, lever;
};
template <class T, class S>
Point<T> point(const T* q, const T* v, const rotation::Vec3<S>& arm) {
  using namespace rotation;
  const Vec3<T> g = vector(q + 3), lever = cayley_rotate(g, constant<T>(arm));
  const Vec3<T> swirl = cross(cayley_spin(g, vector(v + 3)), lever);
  return {combine(T(S(1)), vector(q), T(S(1)), lever), combine(T(S(1)), vector(v), T(S(1)), swirl),
          lever};
}
/// What a force at the point does along (x, g).
template <class T>
void apply(const T* q, const Point<T>& at, const rotation::Vec3<T>& force, T* f) {
  using namespace rotation;
  const Vec3<T> moment = cayley_spin_transposed(vector(q + 3), cross(at.lever, force));
  for (int i = 0; i < 3; ++i) f[i] = force[i], f[3 + i] = moment[i];
}

}  // namespace spatial

/// Linear spring or damper along the line between two points [N/m, N s/m].
template <class S>
struct SpatialCoupling {
  static constexpr int size = 12;
  rotation::Vec3<S> on_a, on_b;
  bool damper;
  S coefficient, rest;
  std::shared_ptr<const MotionLaw> law;  ///< of the coefficient

  SpatialCoupling at(const S* chart) const {
    SpatialCoupling placed = *this;
    placed.on_a = rotation::rotate(rotation::quaternion(chart), on_a);
    placed.on_b = rotation::rotate(rotation::quaternion(chart + 4), on_b);
    return placed;
  }
  bool uses_velocity() const { return damper; }
  bool has_power() const { return damper || law; }

  template <class T>
  void force(const T& t, const T* q, const T* v, T* f) const {
    using namespace rotation;
    using std::sqrt;
    const auto a = spatial::point(q, v, on_a), b = spatial::point(q + 6, v + 6, on_b);
    const Vec3<T> d = combine(T(S(1)), b.place, T(S(-1)), a.place);
    const T squared = dot(d, d), length = sqrt(squared);
    const T per_length = damper ? dot(d, combine(T(S(1)), b.rate, T(S(-1)), a.rate)) / squared
                                : T(S(1)) - T(rest) / length;
    const T pull = T(coefficient) * spatial::factor(law, t) * per_length;
    spatial::apply(q, a, {pull * d[0], pull * d[1], pull * d[2]}, f);
    spatial::apply(q + 6, b, {-pull * d[0], -pull * d[1], -pull * d[2]}, f + 6);
  }
  S potential(const S&, const S* q) const {
    using namespace rotation;
    using std::sqrt;
    if (has_power()) return S(0);
    const std::array<S, 12> rest_v{};
    const auto a = spatial::point(q, rest_v.data(), on_a),
               b = spatial::point(q + 6, rest_v.data() + 6, on_b);
    const Vec3<S> d = combine(S(1), b.place, S(-1), a.place);
    const S stretch = sqrt(S(dot(d, d))) - rest;
    return coefficient * stretch * stretch / S(2);
  }
};

/// A force at a point, or a moment, of fixed direction in space. A constant force has a potential,
/// a moment has none: its work depends on the way.
template <class S>
struct SpatialLoad {
  static constexpr int size = 6;
  rotation::Vec3<S> on_node, value;
  bool moment;
  std::shared_ptr<const MotionLaw> law;

  SpatialLoad at(const S* chart) const {
    SpatialLoad placed = *this;
    placed.on_node = rotation::rotate(rotation::quaternion(chart), on_node);
    return placed;
  }
  bool uses_velocity() const { return false; }
  bool has_power() const { return moment || law; }

  S potential(const S&, const S* q) const {
    using namespace rotation;
    if (has_power()) return S(0);
    return -dot(value, combine(S(1), vector(q), S(1), cayley_rotate(vector(q + 3), on_node)));
  }
  template <class T>
  void force(const T& t, const T* q, const T* v, T* f) const {
    using namespace rotation;
    const T s = spatial::factor(law, t);
    const Vec3<T> load{s * T(value[0]), s * T(value[1]), s * T(value[2])};
    if (!moment) return spatial::apply(q, spatial::point(q, v, on_node), load, f);
    const Vec3<T> along = cayley_spin_transposed(vector(q + 3), load);
    for (int i = 0; i < 3; ++i) f[i] = T(S(0)), f[3 + i] = along[i];
  }
};

}  // namespace daemark
