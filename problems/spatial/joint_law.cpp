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

/// −coefficient ω · e of a rate that no angle need have: also where b turns about other axes.
PartFunctions spin_damper(const PartArguments& at, const Var& rate, const Var& coefficient) {
  PartFunctions f;
  for (const Var& entry : graph::gradient(rate, at.v))
    f.force.push_back(-(coefficient * rate) * entry);
  f.dissipation = power_of(f.force, at.v);
  return f;
}

/// Force and mass of a law of s(q): J = ∂s/∂q, ṡ = J v, s̈ = J a + J̇ v.
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
  } else if (law == JointLaw::damper) {
    push(power_of(J, at.v));
    f.dissipation = power_of(f.force, at.v);
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

}  // namespace

void add_joint_law(SpatialMechanism& mechanism, JointLaw law, const JointFreedom& freedom,
                   const Exact& coefficient, const Exact& rest) {
  if (!(coefficient.value > 0)) throw BadInput("accepted: a coefficient above 0");
  if (freedom.a == freedom.b) throw BadInput("accepted: two different bodies");
  std::vector<int> nodes;
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
  const Wide3 on_a = from(a), on_b = from(b), axis = a.local(e), third = a.local(cross(e, r));
  const bool slides = freedom.at.has_value();
  const bool spins = law == JointLaw::damper && !slides && !freedom.across && !freedom.to;
  const bool between = freedom.to.has_value();
  const Wide3 to = between ? unit_of(freedom.to->value(), "to") : e, on_b_to = b.local(to);
  const Exact k = coefficient, free = rest;
  mechanism.element(
      nodes, spatial_element([=](const PartArguments& at) {
        if (spins)
          return spin_damper(
              at, dot(a.direction(at, axis), combine(Var(1), b.spin(at), Var(-1), a.spin(at))),
              Var(k.value));
        if (between)
          return law_of(law, at,
                        angle_between(a.direction(at, axis), b.direction(at, on_b_to)) -
                            Var(angle_between(e, to)),
                        Var(k.value), Var(free.value));
        const Vec3<Var> moved = b.direction(at, on_b);
        const Var s =
            slides ? dot(a.direction(at, axis),
                         combine(Var(1), b.point(at, on_b), Var(-1), a.point(at, on_a)))
                   : atan2(dot(moved, a.direction(at, third)), dot(moved, a.direction(at, on_a)));
        return law_of(law, at, s, Var(k.value), Var(free.value));
      }));
}

}  // namespace daemark
