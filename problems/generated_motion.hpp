// The motion of a randomly generated mechanism (generated.cpp): angles of its bars, where its
// loops close, and the loads that fit, as functions of time on a graph.
#pragma once

#include <boost/math/constants/constants.hpp>

#include "base/graph/derivative.hpp"
#include "problems/planar/planar_mechanism.hpp"

namespace daemark::generated {

using Point = std::array<wide, 2>;

struct Swing {
  wide mean, swing, frequency, phase;
};
/// Two bars that close a loop, from the tip of `from` and from a point of the ground.
struct Loop {
  int from;
  Point ground;
  wide direction;  ///< from the origin to that point
};
struct Bar {
  wide mass, inertia, back, front;  ///< to its first hinge and its tip, from the mass centre
  int parent = PlanarMechanism::ground;
  Point on_ground;  ///< where the parent is the ground
  Swing angle;
  int loop = -1, side = 0;  ///< of the two bars of a loop
  Point spring;             ///< where its spring holds on the ground
  wide free_length;
};
/// P_b − P_a, at the tip of a or a point of the ground, at the first hinge of b or its tip.
struct Hinge {
  int a, b;
  Point on_ground;
  bool tip_of_b;
  Point force;  ///< λ = force sin(frequency t + phase)
  wide frequency, phase;
  int times = 1;
};

struct Pose {
  Var x, y, c, s;  ///< mass centre, direction
};

struct Generated {
  std::vector<Bar> bars;
  std::vector<Loop> loops;
  std::vector<Hinge> hinges;
  wide stiffness;
  bool sprung = false;

  static Var angle(const Bar& bar, const Var& t) {
    return bar.angle.mean + bar.angle.swing * sin(bar.angle.frequency * t + bar.angle.phase);
  }
  Pose pose(int i, const Var& t) const {
    const Bar& bar = bars[i];
    Pose p;
    if (bar.loop >= 0) {
      p = in_loop(bar, t);
    } else {
      const Var theta = angle(bar, t);
      p.c = cos(theta), p.s = sin(theta);
      if (bar.parent == PlanarMechanism::ground)
        p.x = bar.on_ground[0], p.y = bar.on_ground[1];
      else
        std::tie(p.x, p.y) = tip(bar.parent, t);
    }
    return {p.x + bar.back * p.c, p.y + bar.back * p.s, p.c, p.s};
  }
  std::pair<Var, Var> tip(int i, const Var& t) const {
    const Pose p = pose(i, t);
    return {p.x + bars[i].front * p.c, p.y + bars[i].front * p.s};
  }
  /// First hinge and direction.
  Pose in_loop(const Bar& bar, const Var& t) const {
    const Loop& loop = loops[bar.loop];
    const auto [px, py] = tip(loop.from, t);
    const auto& [qx, qy] = loop.ground;
    const Var dx = qx - px, dy = qy - py, D = sqrt(dx * dx + dy * dy), ex = dx / D, ey = dy / D;
    // Each bar starts at its own end, so that the other's length is across.
    const Bar& other = bar.side == 0 ? *(&bar + 1) : *(&bar - 1);
    const wide l = bar.back + bar.front, across = other.back + other.front;
    const Var a = (l * l - across * across + D * D) / (D + D), h = sqrt(l * l - a * a);
    const Var c = a / l, s = h / l;
    if (bar.side == 0) return {px, py, c * ex - s * ey, c * ey + s * ex};
    return {qx, qy, -(c * ex) - s * ey, s * ex - c * ey};
  }
  static std::array<Var, 2> lambda(const Hinge& hinge, const Var& t) {
    const Var s = sin(hinge.frequency * t + hinge.phase);
    return {hinge.force[0] * s, hinge.force[1] * s};
  }
  /// What has to act on bar i along x, y and θ beside hinges and springs; t is an input of a graph.
  std::array<Var, 3> load(int i, const Var& t) const {
    const Bar& bar = bars[i];
    const Pose p = pose(i, t);
    const auto rates = [&t](const std::vector<Var>& of) {
      return graph::directional(of, {t}, {1});
    };
    const std::vector<Var> second = rates(rates({p.x, p.y, p.c, p.s}));
    std::array<Var, 3> f{bar.mass * second[0], bar.mass * second[1],
                         bar.inertia * (p.c * second[3] - p.s * second[2])};
    const auto add = [&](const Var& x, const Var& y, const wide& along) {
      f[0] += x, f[1] += y, f[2] += along * (p.c * y - p.s * x);
    };
    for (const Hinge& hinge : hinges)
      if (hinge.a == i || hinge.b == i) {
        const int sign = hinge.b == i ? hinge.times : -hinge.times;
        const auto [x, y] = lambda(hinge, t);
        const bool at_tip = hinge.a == i || hinge.tip_of_b;
        add(sign * x, sign * y, at_tip ? bar.front : wide(-bar.back));
      }
    if (!sprung) return f;
    const Var dx = bar.spring[0] - p.x - bar.front * p.c,
              dy = bar.spring[1] - p.y - bar.front * p.s;
    const Var pull = stiffness * (bar.free_length / sqrt(dx * dx + dy * dy) - 1);
    add(pull * dx, pull * dy, bar.front);
    return f;
  }
  /// θ [rad] of a bar: as prescribed, or the one that stays within half a turn of the loop's
  /// direction.
  Var theta(int i, const Pose& p, const Var& t) const {
    const Bar& bar = bars[i];
    if (bar.loop < 0) return angle(bar, t);
    wide base = loops[bar.loop].direction;
    if (bar.side == 1) base += boost::math::constants::pi<wide>();
    const wide c = cos(base), s = sin(base);
    return base + atan2(c * p.s - s * p.c, c * p.c + s * p.s);
  }
};

/// The prescribed motion, recorded once: of the bars in an order x, y, θ, then their rates, then λ.
class Prescribed {
 public:
  Prescribed(const Generated& g, const std::vector<int>& order) {
    const Var t = graph_.input();
    for (const int i : order) {
      const Pose p = g.pose(i, t);
      for (const Var& x : {p.x, p.y, g.theta(i, p, t)}) states_.push_back(x);
    }
    const std::vector<Var> rates = graph::directional(states_, {t}, {1});
    states_.insert(states_.end(), rates.begin(), rates.end());
    for (const bool again : {false, true})
      for (const Hinge& hinge : g.hinges)
        if (!again || hinge.times == 2)
          for (const Var& x : g.lambda(hinge, t)) states_.push_back(x);
  }
  std::vector<wide> at(const wide& t) const {
    std::vector<wide> values;
    for (const Var& x : graph_.call(states_, {t})) values.push_back(x.constant());
    return values;
  }

 private:
  graph::Graph graph_;
  std::vector<Var> states_;
};

}  // namespace daemark::generated
