#include "problems/spatial/joint_law.hpp"

#include "base/text/bad_input.hpp"
#include "problems/builder/line_coupling.hpp"

namespace daemark {
namespace {

using namespace rotation;
using Wide3 = Vec3<wide>;

/// Of a body at the start, or the ground.
struct LawFrame {
  int slot = -1;  ///< among the element's nodes
  Wide3 position{wide(0), wide(0), wide(0)};
  Quaternion<wide> orientation{wide(1), wide(0), wide(0), wide(0)};

  Wide3 local(const Wide3& direction) const { return rotate(conjugate(orientation), direction); }
  /// As it moves: what is `local` in the frame.
  Vec3<Var> direction(const PartArguments& at, const Wide3& local) const {
    const Vec3<Var> r = constant<Var>(local);
    if (slot < 0) return r;
    return cayley_rotate(vector(&at.q[6 * slot + 3]), rotate(quaternion(&at.chart[4 * slot]), r));
  }
  Vec3<Var> spin(const PartArguments& at) const {
    if (slot < 0) return {Var(0), Var(0), Var(0)};
    return cayley_spin(vector(&at.q[6 * slot + 3]), vector(&at.v[6 * slot + 3]));
  }
  Vec3<Var> point(const PartArguments& at, const Wide3& local) const {
    const Vec3<Var> arm = direction(at, local);
    return slot < 0 ? arm : combine(Var(1), vector(&at.q[6 * slot]), Var(1), arm);
  }
};

/// A force of the rate ṡ, against or along it.
using RateForce = std::function<Var(const Var& rate)>;

/// force(ṡ) where J = ∂ṡ/∂v.
PartFunctions rate_law(const PartArguments& at, const Var& rate, const std::vector<Var>& J,
                       const RateForce& force) {
  PartFunctions f;
  for (const Var& entry : J) f.force.push_back(force(rate) * entry);
  f.dissipation = power_of(f.force, at.v);
  return f;
}

/// Force and mass of a spring or rotor of s(q): J = ∂s/∂q, s̈ = J a + J̇ v.
PartFunctions law_of(JointLaw law, const PartArguments& at, const Var& s, const Var& coefficient,
                     const Var& rest) {
  const std::vector<Var> J = graph::gradient(s, at.q);
  PartFunctions f;
  const auto push = [&](const Var& size) {
    for (const Var& entry : J) f.force.push_back(-(coefficient * size) * entry);
  };
  if (law == JointLaw::spring) {
    push(s - rest);
    f.potential = coefficient * square(s - rest) / Var(2);
  } else {
    push(power_of(graph::directional(J, at.q, at.v), at.v));
    for (const Var& row : J)
      for (const Var& column : J) f.mass.push_back(coefficient * row * column);
  }
  return f;
}

/// Of two directions, in (0, π).
template <class S>
S angle_between(const Vec3<S>& a, const Vec3<S>& b) {
  const Vec3<S> n = cross(a, b);
  return atan2(sqrt(dot(n, n)), dot(a, b));
}

Wide3 unit_of(const Wide3& v, const char* what) {
  const wide length = sqrt(dot(v, v));
  if (!(length > 0)) throw BadInput(std::string(what) + ": accepted: a direction, not zero");
  return {v[0] / length, v[1] / length, v[2] / length};
}

/// The part of a direction normal to e.
Wide3 across_of(const JointFreedom& freedom, const Wide3& e) {
  Wide3 r{wide(0), wide(0), wide(0)};
  if (freedom.across)
    r = freedom.across->value();
  else
    for (int i = 1, least = 0; i <= 3; ++i) {
      if (i < 3 && abs(e[i]) < abs(e[least])) least = i;
      if (i == 3) r[least] = 1;
    }
  return unit_of(combine(wide(1), r, wide(-dot(r, e)), e), "across, but for its part on the axis");
}

/// A freedom in the frames of an element's nodes.
struct Freedom {
  LawFrame a, b;
  Wide3 on_a, on_b, axis, third, on_b_to;
  wide angle_to;
  bool slides, between, spins;  ///< spins: without an angle

  std::vector<Var> gradient_of_rate(const PartArguments& at, Var& rate) const {
    if (spins) {
      rate = dot(a.direction(at, axis), combine(Var(1), b.spin(at), Var(-1), a.spin(at)));
      return graph::gradient(rate, at.v);
    }
    std::vector<Var> J = graph::gradient(value(at), at.q);
    rate = power_of(J, at.v);
    return J;
  }
  Var value(const PartArguments& at) const {
    if (between)
      return angle_between(a.direction(at, axis), b.direction(at, on_b_to)) - Var(angle_to);
    const Vec3<Var> moved = b.direction(at, on_b);
    return slides ? dot(a.direction(at, axis),
                        combine(Var(1), b.point(at, on_b), Var(-1), a.point(at, on_a)))
                  : atan2(dot(moved, a.direction(at, third)), dot(moved, a.direction(at, on_a)));
  }
};

Freedom placed(const SpatialMechanism& mechanism, const JointFreedom& freedom,
               std::vector<int>& nodes) {
  if (freedom.a == freedom.b) throw BadInput("accepted: two different bodies");
  const auto frame = [&](int body) {
    LawFrame out;
    if (body < 0) return out;
    const SpatialMechanism::Node& node = mechanism.nodes().at(body);
    nodes.push_back(body);
    return LawFrame{static_cast<int>(nodes.size()) - 1, node.position, node.orientation};
  };
  const LawFrame a = frame(freedom.a), b = frame(freedom.b);
  const Wide3 e = unit_of(freedom.axis.value(), "axis");
  const Wide3 r = freedom.at ? freedom.at->value() : across_of(freedom, e);
  const auto from = [&](const LawFrame& body) {
    return body.local(freedom.at ? combine(wide(1), r, wide(-1), body.position) : r);
  };
  const bool slides = freedom.at.has_value(), between = freedom.to.has_value();
  const Wide3 to = between ? unit_of(freedom.to->value(), "to") : e;
  return {a,
          b,
          from(a),
          from(b),
          a.local(e),
          a.local(cross(e, r)),
          b.local(to),
          angle_between(e, to),
          slides,
          between,
          !slides && !freedom.across && !between};
}

}  // namespace

void add_joint_law(SpatialMechanism& mechanism, JointLaw law, const JointFreedom& freedom,
                   const Exact& coefficient, const Exact& rest) {
  if (!(coefficient.value > 0)) throw BadInput("accepted: a coefficient above 0");
  std::vector<int> nodes;
  const Freedom s = placed(mechanism, freedom, nodes);
  mechanism.element(
      nodes, spatial_element([=, k = coefficient, free = rest](const PartArguments& at) {
        if (law != JointLaw::damper)
          return law_of(law, at, s.value(at), Var(k.value), Var(free.value));
        Var rate;
        const std::vector<Var> J = s.gradient_of_rate(at, rate);
        return rate_law(at, rate, J, [&](const Var& r) { return -(Var(k.value) * r); });
      }));
}

void add_joint_friction(SpatialMechanism& mechanism, const JointFreedom& freedom,
                        const FrictionLaw& law) {
  check_friction(law);
  std::vector<int> nodes;
  const Freedom s = placed(mechanism, freedom, nodes);
  mechanism.element(nodes, spatial_element([s, data = friction_data(law)](const PartArguments& at) {
                      const std::vector<Var> d(data.begin(), data.end());
                      Var rate;
                      const std::vector<Var> J = s.gradient_of_rate(at, rate);
                      return rate_law(at, rate, J,
                                      [&](const Var& r) { return friction_force(d.data(), r); });
                    }));
}

}  // namespace daemark
