// The rectangular Bricard mechanism (IFToMM library of multibody benchmarks, A04): five equal
// rods between six points P_0 … P_5 along the edges of a cube, the ground closes the loop. The
// axes of the six revolute joints are y, z, x, y, z, x; gravity acts along −y; at rest at t = 0.
//
// Counted by Grübler's formula nothing moves; yet one motion is left, since one constraint follows
// from the others. Every rod is perpendicular to the axes u and v of its two joints, and they to
// each other, at the start and always.
//
// natural   i, j, u, v of each rod (its two points and the two axes), 60 coordinates:
//           r = (1 − ξ) i + ξ j + η u + ζ v gives a constant mass matrix, with the side a of a
//           square section m/3, m/6 between the points and m a²/12 on u and v; rows |j − i|² = L²,
//           |u|² = |v|² = 1 and three right angles a rod, and a joint of rod a and the next rod b
//           i_b = j_a, u_b·(j_a − i_a) = 0, u_b·u_a = 0: 60 rows of rank 59, linear or quadratic.
// absolute  position and orientation of each rod, problems/spatial: 30 coordinates, rank 29 of 30.
//
// The benchmark leaves the section open: a square is assumed, or thin rods without inertia about
// themselves (the mass matrix is then singular, but not on what the joints let move).
#include <fmt/format.h>

#include "problems/spatial/spatial_mechanism.hpp"

namespace daemark {
namespace {

constexpr int rods = 5;
/// Where rods meet, in units of their length, and the axes they turn about there.
constexpr int points[rods + 1][3] = {{0, 0, 0},  {1, 0, 0},  {1, -1, 0},
                                     {1, -1, 1}, {0, -1, 1}, {0, 0, 1}};
constexpr int axes[rods + 1][3] = {{0, 1, 0}, {0, 0, 1}, {1, 0, 0},
                                   {0, 1, 0}, {0, 0, 1}, {1, 0, 0}};

struct Rods {
  wide length, mass, side, gravity;
};

/// A rod (i, j, u, v): consistent mass, rows that keep it rigid. Data: m, m g, side, L.
PartFunctions rod_law(const PartArguments& at) {
  const Var &m = at.data[0], &weight = at.data[1], &side = at.data[2], &length = at.data[3];
  using namespace rotation;
  const auto i = vector(at.q.data()), j = vector(at.q.data() + 3), u = vector(at.q.data() + 6),
             v = vector(at.q.data() + 9), along = combine(Var(1), j, Var(-1), i);
  const Var half = Var(1) / Var(2);
  PartFunctions f;
  f.mass.resize(144), f.force.resize(12);
  for (int k = 0; k < 12; ++k) f.mass[13 * k] = k < 6 ? m / Var(3) : m * square(side) / Var(12);
  for (int k = 0; k < 6; ++k) f.mass[12 * k + (k + 3) % 6] = m / Var(6);
  f.force[1] = f.force[4] = -weight / Var(2);
  f.potential = weight * (i[1] + j[1]) / Var(2);
  f.rows = {half * (dot(along, along) - square(length)),
            half * (dot(u, u) - Var(1)),
            half * (dot(v, v) - Var(1)),
            dot(along, u),
            dot(along, v),
            dot(u, v)};
  return f;
}

std::vector<Quantity> rod_rows(int rod) {
  std::vector<Quantity> rows;
  for (const auto& [name, unit] :
       {std::pair("length", "m^2"), std::pair("u", "1"), std::pair("v", "1"), std::pair("du", "m"),
        std::pair("dv", "m"), std::pair("uv", "1")})
    rows.push_back({fmt::format("lambda_rod{}_{}", rod + 1, name), unit});
  return rows;
}

std::vector<Quantity> joint_rows(int joint, const char* unit_of_t1) {
  std::vector<Quantity> rows;
  for (const auto& [name, unit] : {std::pair("x", "m"), std::pair("y", "m"), std::pair("z", "m"),
                                   std::pair("t1", unit_of_t1), std::pair("t2", "1")})
    rows.push_back({fmt::format("lambda_joint{}_{}", joint, name), unit});
  return rows;
}

/// Rods a and b meet in a point and turn about an axis there: (i_a, j_a, u_a, i_b, u_b).
PartFunctions joint_law(const PartArguments& at) {
  using namespace rotation;
  const auto i = vector(at.q.data()), j = vector(at.q.data() + 3), u = vector(at.q.data() + 6),
             i_b = vector(at.q.data() + 9), u_b = vector(at.q.data() + 12);
  PartFunctions f;
  for (int k = 0; k < 3; ++k) f.rows.push_back(i_b[k] - j[k]);
  f.rows.push_back(dot(u_b, combine(Var(1), j, Var(-1), i)));
  f.rows.push_back(dot(u_b, u));
  return f;
}

/// The ground holds a rod's end, point and axis. Datum: L.
PartFunctions ground_law(const PartArguments& at, int joint) {
  PartFunctions f;
  for (int k = 0; k < 3; ++k) f.rows.push_back(at.q[k] - Var(points[joint][k]) * at.data[0]);
  for (int k = 0; k < 3; ++k)  // two of the three are across the axis
    if (axes[joint][k] == 0) f.rows.push_back(at.q[3 + k]);
  return f;
}

std::shared_ptr<const Mechanism> natural_mechanism(const Rods& data) {
  auto made = std::make_shared<Mechanism>();
  ElementKinds kinds;
  const auto add = [&](const char* what, int rod, const int* value, const wide& scale,
                       const char* unit) {
    for (int k = 0; k < 3; ++k) {
      made->coordinates.push_back({fmt::format("{}{}_{}", what, rod + 1, "xyz"[k]), unit});
      made->q0.push_back(value[k] * scale), made->v0.emplace_back(0);
    }
  };
  const auto node = [](int first) { return ElementNode{first, 3}; };
  const auto hold = [&](int joint, int point, int axis) {
    made->elements.push_back(kinds.make(
        {fmt::format("ground{}", joint), {}}, {node(point), node(axis)}, {data.length},
        joint_rows(joint, "1"), [=](const PartArguments& at) { return ground_law(at, joint); }));
  };
  for (int rod = 0; rod < rods; ++rod) {
    add("i", rod, points[rod], data.length, "m"), add("j", rod, points[rod + 1], data.length, "m");
    add("u", rod, axes[rod], 1, "1"), add("v", rod, axes[rod + 1], 1, "1");
    made->elements.push_back(
        kinds.make({"rod", {}}, {{12 * rod, 12}},
                   {data.mass, wide(data.mass * data.gravity), data.side, data.length},
                   rod_rows(rod), rod_law));
  }
  hold(0, 0, 6);
  for (int joint = 1; joint < rods; ++joint) {
    const int a = 12 * (joint - 1), b = 12 * joint;
    made->elements.push_back(kinds.make({"joint", {}}, {{a, 9}, node(b), node(b + 6)}, {},
                                        joint_rows(joint, "m"), joint_law));
  }
  const int last = 12 * (rods - 1);
  hold(rods, last + 3, last + 9);
  made->redundant = 1;
  return made;
}

SpatialMechanism absolute_mechanism(const Rods& data) {
  const auto& [length, mass, side, gravity] = data;
  const auto at = [](const int* p, const wide& scale) {
    return Vector{p[0] * scale, p[1] * scale, p[2] * scale};
  };
  const Exact about_itself = mass * side * side / 6,
              across = mass * (length * length + side * side) / 12;
  SpatialMechanism m;
  m.gravity({0, -gravity, 0});
  int before = SpatialMechanism::ground;
  for (int rod = 0; rod < rods; ++rod) {
    const int *from = points[rod], *to = points[rod + 1];
    std::array<Exact, 3> centre{0, 0, 0}, inertia{0, 0, 0};
    for (int k = 0; k < 3; ++k) {
      centre[k] = length * (from[k] + to[k]) / 2;
      inertia[k] = from[k] != to[k] ? about_itself : across;
    }
    const int body =
        m.body(fmt::format("rod{}", rod + 1), mass, {inertia[0], inertia[1], inertia[2]},
               {{centre[0], centre[1], centre[2]}});
    m.revolute(before, body, at(from, length), at(axes[rod], 1));
    before = body;
  }
  m.revolute(before, SpatialMechanism::ground, at(points[rods], length), at(axes[rods], 1));
  m.redundant(1);
  return m;
}

ProblemInfo description() {
  ProblemInfo info;
  info.id = "bricard";
  info.summary = "rectangular Bricard mechanism: six revolute joints in space, one too many";
  info.source =
      "IFToMM library of multibody benchmarks ([gonzalez2006]), A04; [fernandez2021], Table 4";
  info.equations =
      "P_0 .. P_5 at (0,0,0) (1,0,0) (1,-1,0) (1,-1,1) (0,-1,1) (0,0,1) L, joints along y, z, x, "
      "y, z, x there; natural: two points and two joint axes a rod, constant mass, linear and "
      "quadratic rows, rank 59 of 60; absolute: x, y, z and Cayley-Gibbs-Rodrigues increments of "
      "each rod, rank 29 of 30";
  using Type = Parameter::Type;
  info.parameters = {{"section", Type::word, "square", "square | thin"},
                     {"coordinates", Type::word, "natural", "natural | absolute"}};
  return info;
}

}  // namespace

void register_bricard(ProblemRegistry& registry) {
  registry.add(description(), [](const Arguments& arguments, ProblemData& data) {
    const bool square = arguments.word("section", {"square", "thin"}) == "square";
    const char* source = "IFToMM benchmark A04";
    const Rods equal{
        data("L, of a uniform rod", 1, "m", source), data("m, of a rod", 1, "kg", source),
        data("side of the square section", square ? "0.1" : "0", "m", "assumed: left open"),
        data("g, along -y", "9.81", "m/s^2", source)};
    if (arguments.word("coordinates", {"natural", "absolute"}) == "absolute")
      return absolute_mechanism(equal).problem("bricard");
    Problem problem;
    problem.absolute = recorded_makers([equal] { return natural_mechanism(equal); });
    return problem;
  });
}

}  // namespace daemark
