// Rotating shaft with an unbalanced disk (Zhang, Zanoni & Masarati 2022, section 5.4): a tube along
// x of 6 m, hinged at R where it is driven, in a cylindrical joint at T; a rigid disk at mid-span
// whose mass centre is 0.05 m off the axis. Driven at the spin Ω(t) of eq. (25), here by its
// integral:
//   from 0 to 0.8 ω in [0, 1/2] s, to 1.2 ω in [1, 5/4] s, ω = 60 rad/s, along (1 − cos)/2.
// From the start at −1 s gravity grows along −z over half a second, and a damper from the ground
// below holds the disk until −1/4 s; both are in the model of the paper, not in its text.
//
// ramps=smooth: the same with ramps of which eight derivatives are continuous, polynomials of
// degree 17, and the damper let go along one over [−1/2, −1/4] s: to tell what the kinks of Ω do.
#include <boost/math/constants/constants.hpp>

#include "problems/spatial/beam.hpp"

namespace daemark {
namespace {

constexpr int smoothness = 8;

/// x^{k+1} Σ_j C(k+j, j) C(2k+1, k−j) (−x)^j, and its integral; x in [0, 1/2].
template <class T>
T step_near_zero(const T& x, bool integral) {
  constexpr int k = smoothness;
  const auto binomial = [](int n, int i) {
    long value = 1;
    for (int j = 1; j <= i; ++j) value = value * (n - i + j) / j;
    return static_cast<int>(value);
  };
  T sum(0);
  for (int j = k; j >= 0; --j) {
    T c = T(binomial(k + j, j)) * T(binomial(2 * k + 1, k - j));
    if (integral) c = c / T(k + 2 + j);
    sum = c - x * sum;
  }
  for (int j = 0; j < k + 1 + (integral ? 1 : 0); ++j) sum *= x;
  return sum;
}

/// From 0 to 1 over [0, 1], or its integral from 0.
template <class T>
T ramp(const T& x, bool smooth, bool integral) {
  using S = std::remove_cvref_t<decltype(x.value)>;
  if (x.value <= 0) return T(0);
  if (x.value >= 1) return integral ? x - T(1) / T(2) : T(1);
  if (!smooth) {
    const T pi = T(boost::math::constants::pi<S>());
    return integral ? (x - sin(pi * x) / pi) / T(2) : (T(1) - cos(pi * x)) / T(2);
  }
  if (x.value <= S(1) / S(2)) return step_near_zero(x, integral);
  const T mirrored = step_near_zero(T(T(1) - x), integral);
  return integral ? x - T(1) / T(2) + mirrored : T(1) - mirrored;
}

/// ∫ Ω dt from 0 [rad].
MotionLaw shaft_angle(bool smooth) {
  return piecewise_law([smooth](auto t) {
    using T = decltype(t);
    const T first = ramp(T(T(2) * t), smooth, true) / T(2);
    const T second = ramp(T(T(4) * (t - T(1))), smooth, true) / T(4);
    return T(48) * first + T(24) * second;
  });
}

MotionLaw gravity_factor(bool smooth) {
  return piecewise_law([smooth](auto t) {
    using T = decltype(t);
    return ramp(T(T(2) * (t + T(1))), smooth, false);
  });
}

MotionLaw damper_factor(bool smooth) {
  return piecewise_law([smooth](auto t) {
    using T = decltype(t);
    if (smooth) return T(1) - ramp(T(T(4) * (t + T(1) / T(2))), true, false);
    return T(t.value < -0.25 - 1e-9 ? 1 : 0);  // step ends at −1/4 have rounding
  });
}

BeamSection tube() {
  const wide outer = wide(1) / 20, inner = wide(9) / 200, pi = boost::math::constants::pi<wide>();
  const wide area = pi * (outer * outer - inner * inner);
  const wide second = pi / 4 * (outer * outer * outer * outer - inner * inner * inner * inner);
  const Exact J = wide(7800 * second);
  return {
      {"313400000", "60500000", "60500000", "272700", "354500", "354500"}, wide(7800 * area), J, J};
}

Problem shaft(long elements, bool smooth, BeamKind kind) {
  SpatialMechanism m;
  const Vector R{0, 0, 0}, T{6, 0, 0}, middle{3, 0, 0}, x{1, 0, 0};
  m.gravity({0, 0, "-9.81"}, gravity_factor(smooth));
  const Beam beam(m, "shaft", tube(), elements, R, T, {0, 1, 0}, kind);
  m.inertia(beam.middle(), "70.573", {"2.0325024", "1.0309539", "1.0309539"}, {0, 0, "1/20"});
  m.revolute(SpatialMechanism::ground, beam.first(), R, x);
  m.turn(SpatialMechanism::ground, beam.first(), x, shaft_angle(smooth));
  m.cylindrical(SpatialMechanism::ground, beam.last(), T, x);
  m.damper(SpatialMechanism::ground, {3, 0, -1}, beam.middle(), middle, 10000,
           damper_factor(smooth));
  m.start(Expression::parse("-1", "start"));
  m.redundant(0);

  const int node = beam.middle();
  m.output("u3", "displacement of mid-span along z", "m",
           spatial_output([node](const auto& view) { return view.position(node)[2]; }));
  m.output("v3", "its velocity", "m/s",
           spatial_output([node](const auto& view) { return view.velocity(node)[2]; }));
  m.output("a3", "its acceleration", "m/s^2",
           spatial_output([node](const auto& view) { return view.acceleration(node)[2]; }));
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
      "R, cylindrical joint at T, disk 0.05 m off the axis at mid-span, gravity and a damper that "
      "is let go before t = 0";
  info.parameters = {{"elements", Parameter::Type::integer, "16", "integer 1..1000"},
                     {"ramps", Parameter::Type::word, "printed", "printed | smooth"},
                     {"element", Parameter::Type::word, "volume", "volume | two_node"}};
  const char* source = "Zhang et al. 2022, Table 5 and its public input files";
  info.data = {
      {"length", "6", "m", source},
      {"EA, GA, GJ, EJ", "313.4e6, 60.5e6, 272.7e3, 354.5e3", "N, N m^2", source},
      {"tube: radii, density", "0.045, 0.05; 7800", "m; kg/m^3", source},
      {"disk: mass, offset", "70.573; 0.05 along z", "kg; m", source},
      {"disk: inertia about its mass centre", "2.0325024, 1.0309539, 1.0309539", "kg m^2",
       "its public input files (the paper prints g m^2)"},
      {"omega; A1, A2; T1, T2, T3", "60; 0.8, 1.2; 0.5, 1, 1.25", "rad/s; -; s",
       "Zhang et al. 2022, eq. (25)"},
      {"gravity along -z, grown over", "9.81; [-1, -0.5]", "m/s^2; s", "its public input files"},
      {"damper from (3, 0, -1), until", "1e4; -0.25", "N s/m; s", "its public input files"}};
  registry.add(info, [](const Arguments& arguments) {
    return shaft(arguments.integer("elements", 1, 1000),
                 arguments.word("ramps", {"printed", "smooth"}) == "smooth", beam_kind(arguments));
  });
}

}  // namespace daemark
