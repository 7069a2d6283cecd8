// A row of N square four-bar loops that share their bars (IFToMM library of multibody benchmarks,
// A02 for N = 2): cranks of length L turn about A_i = (i L, 0), i = 0 … N, couplers of length L
// join their tips B_i. Uniform bars; released upright with tips moving in x, gravity down.
//
// Every loop is a parallelogram: all cranks share one angle θ, n − m = 1. Where the cranks are
// horizontal all bars lie on one line and the constraints lose rank: index-3 Newton may fail there.
//
// Minimal (the branch without buckling): J θ̈ = −W cos θ with J = ((N + 1)/3 + N) m L² and
// W = ((N + 1)/2 + N) m g L. It passes the singular configurations unharmed.
#include <fmt/format.h>

#include <boost/math/constants/constants.hpp>

#include "problems/planar/planar_mechanism.hpp"
#include "problems/mechanism/recorded_system.hpp"

namespace daemark {
namespace {

struct Bars {
  wide length, mass, gravity, tip_speed;
};

enum class Coordinates { absolute, natural };

/// Uniform bar between two points, which a ground point is (x, 0) of: constant consistent mass,
/// half its weight on each, |P − Q|² = L². Data: m, m g, L, x.
PartFunctions bar_law(const PartArguments& at) {
  const Var &m = at.data[0], &weight = at.data[1], &length = at.data[2], &ground_x = at.data[3];
  const Var dx = at.q[2] - at.q[0] - ground_x, dy = at.q[3] - at.q[1];
  PartFunctions f;
  f.mass.resize(16);
  for (int i = 0; i < 4; ++i) {
    f.mass[5 * i] = m / Var(3);
    f.mass[4 * i + (i + 2) % 4] = m / Var(6);
  }
  f.force = {0, -weight / Var(2), 0, -weight / Var(2)};
  f.potential = weight * (at.q[1] + at.q[3]) / Var(2);
  f.rows = {(square(dx) + square(dy) - square(length)) / Var(2)};
  return f;
}

/// Points B_0 … B_N, (x, y) each; cranks' rows first, then the couplers'.
std::shared_ptr<const Mechanism> natural_mechanism(int loops, const Bars& bars) {
  auto made = std::make_shared<Mechanism>();
  ElementKinds kinds;
  for (int i = 0; i <= loops; ++i) {
    for (const char* axis : {"x", "y"})
      made->coordinates.push_back({fmt::format("{}{}", axis, i), "m"});
    made->q0.push_back(i * bars.length), made->q0.push_back(bars.length);
    made->v0.push_back(bars.tip_speed), made->v0.emplace_back(0);
  }
  const auto point = [](int i) { return ElementNode{i < 0 ? -1 : 2 * i, 2}; };
  const auto bar = [&](int from, int to, const std::string& row, int ground_x) {
    made->elements.push_back(kinds.make(
        {"bar", {}}, {point(from), point(to)},
        {bars.mass, wide(bars.mass * bars.gravity), bars.length, wide(ground_x * bars.length)},
        {{row, "m^2"}}, bar_law));
  };
  for (int i = 0; i <= loops; ++i) bar(-1, i, fmt::format("lambda_crank{}", i), i);
  for (int i = 1; i <= loops; ++i) bar(i - 1, i, fmt::format("lambda_coupler{}", i), 0);
  return made;
}

/// Reference coordinates of the common angle, then their rates.
std::vector<Var> shown_of_angle(int loops, Coordinates shown, const Var& length, const Var& theta,
                                const Var& omega) {
  std::vector<Var> q, v;
  const Var span = cos(theta) * length, rise = sin(theta) * length, half = Var(1) / Var(2);
  const auto point = [&](const Var& from, const Var& share) {
    q.push_back(from * length + share * span), q.push_back(share * rise);
    v.push_back(-share * rise * omega), v.push_back(share * span * omega);
  };
  for (int i = 0; i <= loops; ++i) {
    if (shown == Coordinates::natural) {
      point(i, 1);
      continue;
    }
    if (i > 0) point(Var(i) - half, 1), q.emplace_back(0), v.emplace_back(0);
    point(i, half), q.push_back(theta), v.push_back(omega);
  }
  q.insert(q.end(), v.begin(), v.end());
  return q;
}

/// The common angle of the cranks as only coordinate: J θ̈ = −W cos θ.
std::shared_ptr<const Mechanism> angle_mechanism(int loops, Coordinates shown, const Bars& bars) {
  auto made = std::make_shared<Mechanism>();
  made->coordinates = {{"theta", "rad"}};
  made->q0 = {boost::math::constants::half_pi<wide>()};
  made->v0 = {wide(-bars.tip_speed / bars.length)};
  const wide moment = bars.mass * bars.length,
             inertia = (wide(loops + 1) / 3 + loops) * moment * bars.length,
             weight = (wide(loops + 1) / 2 + loops) * moment * bars.gravity;
  ElementKinds kinds;
  made->elements = {
      kinds.make({"angle", {}}, {{0, 1}}, {inertia, weight}, {}, [](const PartArguments& at) {
        PartFunctions f;
        f.mass = {at.data[0]};
        f.force = {-at.data[1] * cos(at.q[0])};
        f.potential = at.data[1] * sin(at.q[0]);
        return f;
      })};
  made->shown = [=, length = bars.length](const Var* q, const Var* v) {
    return shown_of_angle(loops, shown, length, q[0], v[0]);
  };
  return made;
}

PlanarMechanism absolute_mechanism(int loops, const Bars& bars) {
  constexpr int ground = PlanarMechanism::ground;
  PlanarMechanism m;
  m.gravity(bars.gravity);
  const wide& up = boost::math::constants::half_pi<wide>();
  const wide mass = bars.mass, L = bars.length, inertia = mass * L * L / 12, half = L / 2,
             omega = -bars.tip_speed / L;
  int crank = m.body("_crank0", mass, inertia, up, omega);
  m.revolute(ground, {0, 0}, crank, {-half, 0});
  for (int i = 1; i <= loops; ++i) {
    const int coupler = m.body(fmt::format("_coupler{}", i), mass, inertia, 0);
    m.revolute(crank, {half, 0}, coupler, {-half, 0});
    crank = m.body(fmt::format("_crank{}", i), mass, inertia, up, omega);
    m.revolute(ground, {wide(i * L), 0}, crank, {-half, 0});
    m.revolute(crank, {half, 0}, coupler, {half, 0});
  }
  return m;
}

ProblemInfo description() {
  ProblemInfo info;
  info.id = "four_bar";
  info.summary = "row of square four-bar loops, one degree of freedom, singular when horizontal";
  info.source =
      "IFToMM library of multibody benchmarks ([gonzalez2006]), A02 (N four-bar mechanism); "
      "[fernandez2021], Table 3";
  info.equations =
      "absolute: x, y of each mass centre and angle, two rows a joint; natural: x, y of the tips, "
      "one length a bar; minimal: J theta'' = -W cos(theta), J = ((N+1)/3 + N) m L^2, "
      "W = ((N+1)/2 + N) m g L; A_i = (i L, 0), B_i = (i L, L), i = 0..loops, at the start";
  using Type = Parameter::Type;
  info.parameters = {{"loops", Type::integer, "2", "integer 1..100000"},
                     {"coordinates", Type::word, "absolute", "absolute | natural"}};
  return info;
}

}  // namespace

void register_four_bar(ProblemRegistry& registry) {
  registry.add(description(), [](const Arguments& arguments, ProblemData& data) {
    const char* source = "IFToMM benchmark A02";
    const Bars bars{data("L, of a uniform bar", 1, "m", source),
                    data("m, of a bar", 1, "kg", source), data("g", "9.81", "m/s^2", source),
                    data("velocity of B_0, in x", 1, "m/s", source)};
    const int loops = static_cast<int>(arguments.integer("loops", 1, 100000));
    const bool natural = arguments.word("coordinates", {"absolute", "natural"}) == "natural";
    const Coordinates shown = natural ? Coordinates::natural : Coordinates::absolute;
    Problem problem;
    if (natural)
      problem.absolute = recorded_makers([=] { return natural_mechanism(loops, bars); });
    else
      problem = absolute_mechanism(loops, bars).problem("four_bar");
    problem.minimal = recorded_makers([=] { return angle_mechanism(loops, shown, bars); });
    return problem;
  });
}

}  // namespace daemark
