// Rotating shaft with an unbalanced disk (Zhang, Zanoni & Masarati 2022, section 5.4): a tube along
// x, hinged at R where it is driven, in a cylindrical joint at T; a rigid disk at mid-span
// whose mass centre is off the axis. Driven at the spin Ω(t) of eq. (25):
//   from 0 to A1 ω in [0, T1], to A2 ω in [T2, T3], along (1 − cos)/2.
// drive=velocity holds the spin, as the paper's model does: a row of velocities without a position
// behind it. drive=angle holds its integral: the same motion, another constraint for a method.
// From the start, before t = 0, gravity grows along −z, and a damper from the ground below holds
// the disk for a while; both are in the model of the paper, not in its text.
//
// ramps=smooth: the same with ramps of which eight derivatives are continuous, polynomials of
// degree 17, and the damper let go along one: to tell what the kinks of Ω do.
#include <boost/math/constants/constants.hpp>

#include "problems/spatial/beam.hpp"

namespace daemark {
namespace {

constexpr int smoothness = 8;

/// x^{k+1} Σ_j C(k+j, j) C(2k+1, k−j) (−x)^j, and its integral; x in [0, 1/2].
Var step_near_zero(const Var& x, bool integral) {
  constexpr int k = smoothness;
  const auto binomial = [](int n, int i) {
    long value = 1;
    for (int j = 1; j <= i; ++j) value = value * (n - i + j) / j;
    return static_cast<int>(value);
  };
  Var sum;
  for (int j = k; j >= 0; --j) {
    Var c = Var(binomial(k + j, j)) * Var(binomial(2 * k + 1, k - j));
    if (integral) c = c / Var(k + 2 + j);
    sum = c - x * sum;
  }
  for (int j = 0; j < k + 1 + (integral ? 1 : 0); ++j) sum *= x;
  return sum;
}

/// From 0 to 1 over [0, 1], or its integral from 0.
Var ramp(const Var& x, bool smooth, bool integral) {
  const Var after = integral ? x - Var(1) / Var(2) : Var(1);
  Var within;
  if (smooth) {
    const Var mirrored = step_near_zero(Var(1) - x, integral);
    within = select(x - Var(1) / Var(2), integral ? after + mirrored : after - mirrored,
                    step_near_zero(x, integral));
  } else {
    const Var pi = boost::math::constants::pi<wide>();
    within = integral ? (x - sin(pi * x) / pi) / Var(2) : (Var(1) - cos(pi * x)) / Var(2);
  }
  return select(x, select(Var(1) - x, within, after), 0);
}

/// From 0 to 1 between two times [s].
MotionLaw grown(const wide& from, const wide& to, bool smooth) {
  return [from, rate = wide(1 / (to - from)), smooth](const Var& t) {
    return ramp(Var(rate) * (t - Var(from)), smooth, false);
  };
}

/// From 1 to 0 between two times, at once if they are the same.
MotionLaw released(const wide& from, const wide& to, bool smooth) {
  return [=, rate = smooth ? wide(1 / (to - from)) : wide(0)](const Var& t) {
    if (smooth) return Var(1) - ramp(Var(rate) * (t - Var(from)), true, false);
    return select(Var(to) - Var(1e-9) - t, 1, 0);  // step ends there have rounding
  };
}

/// The spin of eq. (25): ω and its factors, reached after T1 and between T2 and T3.
struct Drive {
  wide omega, A1, A2, T1, T2, T3;
};

/// Ω, or ∫ Ω dt from 0 [rad/s, rad].
MotionLaw shaft_turn(const Drive& d, bool smooth, bool integral) {
  return [=](const Var& t) {
    const Var rate_1 = wide(1 / d.T1), rate_2 = wide(1 / (d.T3 - d.T2)),
              first_spin = wide(d.A1 * d.omega), second_spin = wide((d.A2 - d.A1) * d.omega);
    Var first = ramp(rate_1 * t, smooth, integral);
    Var second = ramp(rate_2 * (t - Var(d.T2)), smooth, integral);
    if (integral) first = first / rate_1, second = second / rate_2;
    return first_spin * first + second_spin * second;
  };
}

BeamSection tube(ProblemData& data, const char* source) {
  const auto [EA, GA] = data("EA, GA", {"313.4e6", "60.5e6"}, "N", source);
  const auto [GJ, EJ] = data("GJ, EJ", {"272.7e3", "354.5e3"}, "N m^2", source);
  const auto [inner, outer] = data("tube: radii", {"0.045", "0.05"}, "m", source);
  const wide& pi = boost::math::constants::pi<wide>();
  const wide density = data("tube: density", 7800, "kg/m^3", source),
             area = pi * (outer * outer - inner * inner),
             second = pi / 4 * (outer * outer * outer * outer - inner * inner * inner * inner),
             J = density * second;
  return {{EA, GA, GA, GJ, EJ, EJ}, density * area, J, J};
}

Problem shaft(ProblemData& data, long elements, bool smooth, BeamKind kind, bool hold_angle) {
  const char *source = "Zhang et al. 2022, Table 5 and its public input files",
             *files = "its public input files", *spin = "Zhang et al. 2022, eq. (25)";
  SpatialMechanism m;
  const wide length = data("length", 6, "m", source);
  const BeamSection section = tube(data, source);
  const wide mass = data("disk: mass", "70.573", "kg", source),
             offset = data("disk: offset along z", "0.05", "m", source);
  const auto [J1, J2, J3] =
      data("disk: inertia about its mass centre", {"2.0325024", "1.0309539", "1.0309539"}, "kg m^2",
           "its public input files (the paper prints g m^2)");
  const wide omega = data("omega", 60, "rad/s", spin);
  const auto [A1, A2] = data("A1, A2", {"0.8", "1.2"}, "1", spin);
  const auto [T1, T2, T3] = data("T1, T2, T3", {"0.5", 1, "1.25"}, "s", spin);
  const wide start = data("start", -1, "s", files),
             g = data("gravity along -z", "9.81", "m/s^2", files),
             heavy = data("gravity grown until", "-0.5", "s", files),
             damping = data("damper on the disk", "1e4", "N s/m", files),
             below = data("damper: length", 1, "m", files),
             held = smooth ? data("damper released from", "-0.5", "s", "chosen") : wide(0),
             free = data("damper until", "-0.25", "s", files);

  const Vector R{0, 0, 0}, T{length, 0, 0}, middle{length / 2, 0, 0}, x{1, 0, 0};
  m.gravity({0, 0, -g}, grown(start, heavy, smooth));
  const Beam beam(m, "shaft", section, elements, R, T, {0, 1, 0}, kind);
  m.inertia(beam.middle(), mass, {J1, J2, J3}, {0, 0, offset});
  m.revolute(SpatialMechanism::ground, beam.first(), R, x);
  const MotionLaw drive = shaft_turn({omega, A1, A2, T1, T2, T3}, smooth, hold_angle);
  if (hold_angle)
    m.turn(SpatialMechanism::ground, beam.first(), x, drive);
  else
    m.turn_rate(SpatialMechanism::ground, beam.first(), x, drive);
  m.cylindrical(SpatialMechanism::ground, beam.last(), T, x);
  m.damper(SpatialMechanism::ground, {length / 2, 0, -below}, beam.middle(), middle, damping,
           released(held, free, smooth));
  m.start(data.exact("start"));
  m.redundant(0);

  const int node = beam.middle();
  m.output("u3", "displacement of mid-span along z", "m",
           [node](const auto& view) { return view.position(node)[2]; });
  m.output("v3", "its velocity", "m/s",
           [node](const auto& view) { return view.velocity(node)[2]; });
  m.output("a3", "its acceleration", "m/s^2",
           [node](const auto& view) { return view.acceleration(node)[2]; });
  return m.problem("beam_shaft");
}

}  // namespace

void register_beam_shaft(ProblemRegistry& registry) {
  ProblemInfo info;
  info.id = "beam_shaft";
  info.summary = "flexible shaft with an unbalanced disk, driven through its critical speed";
  info.source = "[zhang2022], section 5.4";
  info.equations =
      "three-node finite-volume beams between lumped nodes (x, g), R = R(g) R_ref; driven hinge at "
      "R, cylindrical joint at T, disk off the axis at mid-span, gravity and a damper that "
      "is let go before t = 0";
  info.parameters = {{"elements", Parameter::Type::integer, "16", "integer 1..1000"},
                     {"ramps", Parameter::Type::word, "printed", "printed | smooth"},
                     {"element", Parameter::Type::word, "volume", "volume | two_node"},
                     {"drive", Parameter::Type::word, "velocity", "velocity | angle"}};
  registry.add(info, [](const Arguments& arguments, ProblemData& data) {
    return shaft(data, arguments.integer("elements", 1, 1000),
                 arguments.word("ramps", {"printed", "smooth"}) == "smooth", beam_kind(arguments),
                 arguments.word("drive", {"velocity", "angle"}) == "angle");
  });
}

}  // namespace daemark
