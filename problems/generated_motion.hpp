// The motion of a mechanism made up from a seed (generated.cpp): angles of its bars, where its
// loops close, and the loads that fit, in any scalar and as functions of time.
#pragma once

#include <boost/math/constants/constants.hpp>
#include <type_traits>

#include "base/numbers/jet.hpp"
#include "problems/planar/planar_mechanism.hpp"

namespace daemark::generated {

/// A number in every scalar, as a constant of whatever kind T is.
class Number {
 public:
  Number(const wide& value = 0) : value_(value) {}  // NOLINT: reads like a number
  template <class T>
  T in() const {
    return T(value_);
  }

 private:
  wide value_;
};
using Point = std::array<Number, 2>;

struct Swing {
  Number mean, swing, frequency, phase;
};
/// Two bars that close a loop, from the tip of `from` and from a point of the ground.
struct Loop {
  int from;
  Point ground;
  Number direction;  ///< from the origin to that point
};
struct Bar {
  Number mass, inertia, back, front;  ///< to its first hinge and its tip, from the mass centre
  int parent = PlanarMechanism::ground;
  Point on_ground;  ///< where the parent is the ground
  Swing angle;
  int loop = -1, side = 0;  ///< of the two bars of a loop
  Point spring;             ///< where its spring holds on the ground
  Number free_length;
};
/// P_b − P_a, at the tip of a or a point of the ground, at the first hinge of b or its tip.
struct Hinge {
  int a, b;
  Point on_ground;
  bool tip_of_b;
  Point force;  ///< λ = force sin(frequency t + phase)
  Number frequency, phase;
  int times = 1;
};

template <class T>
struct Pose {
  TimeJet<T> x, y, c, s;  ///< mass centre, direction
  T spin() const { return c.value * s.rate - s.value * c.rate; }
  T spin_rate() const { return c.value * s.second - s.value * c.second; }
};

struct Generated {
  std::vector<Bar> bars;
  std::vector<Loop> loops;
  std::vector<Hinge> hinges;
  Number stiffness;
  bool sprung = false;

  template <class T>
  static TimeJet<T> angle(const Bar& bar, const TimeJet<T>& t) {
    const auto in = [](const Number& x) { return TimeJet<T>(x.in<T>()); };
    return in(bar.angle.mean) +
           in(bar.angle.swing) * sin(in(bar.angle.frequency) * t + in(bar.angle.phase));
  }
  template <class T>
  Pose<T> pose(int i, const TimeJet<T>& t) const {
    const auto in = [](const Number& x) { return TimeJet<T>(x.in<T>()); };
    const Bar& bar = bars[i];
    TimeJet<T> x, y, c, s;
    if (bar.loop >= 0) {
      std::tie(x, y, c, s) = in_loop(bar, t);
    } else {
      const TimeJet<T> theta = angle(bar, t);
      c = cos(theta), s = sin(theta);
      if (bar.parent == PlanarMechanism::ground)
        x = in(bar.on_ground[0]), y = in(bar.on_ground[1]);
      else
        std::tie(x, y) = tip(bar.parent, t);
    }
    return {x + in(bar.back) * c, y + in(bar.back) * s, c, s};
  }
  template <class T>
  std::pair<TimeJet<T>, TimeJet<T>> tip(int i, const TimeJet<T>& t) const {
    const Pose<T> p = pose(i, t);
    const TimeJet<T> front(bars[i].front.in<T>());
    return {p.x + front * p.c, p.y + front * p.s};
  }
  /// First hinge and direction.
  template <class T>
  std::tuple<TimeJet<T>, TimeJet<T>, TimeJet<T>, TimeJet<T>> in_loop(const Bar& bar,
                                                                     const TimeJet<T>& t) const {
    using J = TimeJet<T>;
    const Loop& loop = loops[bar.loop];
    const auto [px, py] = tip(loop.from, t);
    const J qx(loop.ground[0].in<T>()), qy(loop.ground[1].in<T>());
    const J dx = qx - px, dy = qy - py, D = sqrt(dx * dx + dy * dy), ex = dx / D, ey = dy / D;
    // Each bar starts at its own end, so that the other's length is across.
    const std::size_t own = &bar - bars.data(), other = bar.side == 0 ? own + 1 : own - 1;
    const J l(length<T>(bars[own])), across(length<T>(bars[other]));
    const J a = (l * l - across * across + D * D) / (D + D), h = sqrt(l * l - a * a);
    const J c = a / l, s = h / l;
    if (bar.side == 0) return {px, py, c * ex - s * ey, c * ey + s * ex};
    return {qx, qy, -(c * ex) - s * ey, s * ex - c * ey};
  }
  template <class T>
  static T length(const Bar& bar) {
    return bar.back.in<T>() + bar.front.in<T>();
  }
  template <class T>
  std::array<T, 2> lambda(const Hinge& hinge, const T& t) const {
    using std::sin;
    const T s = sin(T(hinge.frequency.in<T>() * t + hinge.phase.in<T>()));
    return {hinge.force[0].in<T>() * s, hinge.force[1].in<T>() * s};
  }
  /// What has to act on bar i along x, y and θ beside hinges and springs.
  template <class T>
  std::array<T, 3> load(int i, const T& t) const {
    using std::sqrt;
    const Bar& bar = bars[i];
    const Pose<T> p = pose(i, TimeJet<T>(t, T(1), T(0)));
    const T mass = bar.mass.in<T>(), front = bar.front.in<T>();
    std::array<T, 3> f{mass * p.x.second, mass * p.y.second, bar.inertia.in<T>() * p.spin_rate()};
    const auto add = [&](const T& x, const T& y, const T& along) {
      f[0] += x, f[1] += y, f[2] += along * (p.c.value * y - p.s.value * x);
    };
    for (const Hinge& hinge : hinges)
      if (hinge.a == i || hinge.b == i) {
        const T sign(hinge.b == i ? hinge.times : -hinge.times);
        const auto [x, y] = lambda(hinge, t);
        const bool at_tip = hinge.a == i || hinge.tip_of_b;
        add(sign * x, sign * y, at_tip ? front : T(-bar.back.in<T>()));
      }
    if (!sprung) return f;
    const T dx = bar.spring[0].in<T>() - p.x.value - front * p.c.value,
            dy = bar.spring[1].in<T>() - p.y.value - front * p.s.value;
    const T pull =
        stiffness.in<T>() * (bar.free_length.in<T>() / sqrt(T(dx * dx + dy * dy)) - T(1));
    add(pull * dx, pull * dy, front);
    return f;
  }
  /// θ [rad] of a bar in direction p: as prescribed, or the one that stays within half a turn of
  /// the loop's direction.
  template <class T>
  T theta(int i, const Pose<T>& p, const T& t) const {
    using std::atan2;
    using std::cos;
    using std::sin;
    const Bar& bar = bars[i];
    if (bar.loop < 0) return angle(bar, TimeJet<T>(t, T(1), T(0))).value;
    T base = loops[bar.loop].direction.in<T>();
    if (bar.side == 1) base += boost::math::constants::pi<T>();
    const T c = cos(base), s = sin(base);
    return base + atan2(T(c * p.s.value - s * p.c.value), T(c * p.c.value + s * p.s.value));
  }
};

}  // namespace daemark::generated
