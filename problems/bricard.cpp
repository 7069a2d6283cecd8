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

#include "problems/elements/assembly.hpp"
#include "problems/elements/element_laws.hpp"
#include "problems/elements/quadratic_constraint.hpp"
#include "problems/spatial/spatial_mechanism.hpp"

namespace daemark {
namespace {

constexpr int rods = 5;
/// Where rods meet, in units of their length, and the axes they turn about there.
constexpr int points[rods + 1][3] = {{0, 0, 0},  {1, 0, 0},  {1, -1, 0},
                                     {1, -1, 1}, {0, -1, 1}, {0, 0, 1}};
constexpr int axes[rods + 1][3] = {{0, 1, 0}, {0, 0, 1}, {1, 0, 0},
                                   {0, 1, 0}, {0, 0, 1}, {1, 0, 0}};

template <class S>
struct Rods {
  S length, mass, side, gravity;
  template <class R>
  Rods<R> in() const {
    return {from_wide<R>(length), from_wide<R>(mass), from_wide<R>(side), from_wide<R>(gravity)};
  }
};

/// (i, j, u, v) of one rod.
template <class S>
struct RodInertia {
  static constexpr int size = 12;
  S m, weight, side;
  bool uses_velocity() const { return false; }
  template <class T>
  void mass(const T*, T* M) const {
    for (int i = 0; i < 144; ++i) M[i] = T(0);
    for (int i = 0; i < 12; ++i) M[13 * i] = i < 6 ? T(m) / T(3) : T(S(m * side * side / S(12)));
    for (int i = 0; i < 6; ++i) M[12 * i + (i + 3) % 6] = T(m) / T(6);
  }
  template <class T>
  void force(const T&, const T*, const T*, T* f) const {
    for (int i = 0; i < 12; ++i) f[i] = T(0);
    f[1] = f[4] = T(S(-weight / S(2)));
  }
  S potential(const S&, const S* q) const { return weight * (q[1] + q[4]) / S(2); }
  bool fills(ElementBlock block, int i, int j) const {
    return block == ElementBlock::mass && (i == j || (i < 6 && j < 6 && (i - j) % 3 == 0));
  }
};

template <class S>
using Rows = std::vector<QuadraticRow<S>>;

/// Rows of a triple of coordinates against another: products x_k y_k, x at `i`, y at `j`.
template <class S>
void add_dot(QuadraticRow<S>& row, int i, int j, const S& coefficient) {
  for (int k = 0; k < 3; ++k) row.products.push_back({i + k, j + k, coefficient});
}

/// Of one rod with coordinates (i, j, u, v).
template <class S>
Rows<S> rigid_rows(int rod, const S& length_of) {
  constexpr int i = 0, j = 3, u = 6, v = 9;
  const S half = S(1) / S(2);
  Rows<S> rows;
  const auto add = [&](const char* name, const char* unit, const S& constant) -> QuadraticRow<S>& {
    rows.push_back({{fmt::format("lambda_rod{}_{}", rod + 1, name), unit}, constant, {}, {}});
    return rows.back();
  };
  QuadraticRow<S>& length = add("length", "m^2", -half * length_of * length_of);
  add_dot<S>(length, i, i, half), add_dot<S>(length, j, j, half), add_dot<S>(length, i, j, S(-1));
  add_dot<S>(add("u", "1", -half), u, u, half);
  add_dot<S>(add("v", "1", -half), v, v, half);
  for (const auto& [name, axis] : {std::pair("du", u), std::pair("dv", v)}) {
    QuadraticRow<S>& row = add(name, "m", S(0));
    add_dot<S>(row, j, axis, S(1)), add_dot<S>(row, i, axis, S(-1));
  }
  add_dot<S>(add("uv", "1", S(0)), u, v, S(1));
  return rows;
}

Quantity joint_row(int joint, const char* row, const char* unit) {
  return {fmt::format("lambda_joint{}_{}", joint, row), unit};
}
constexpr const char* point_rows[] = {"x", "y", "z"};
constexpr const char* axis_rows[] = {"t1", "t2"};

/// Of the joint of rods a and b with coordinates (i_a, j_a, u_a, i_b, u_b).
template <class S>
Rows<S> joint_rows(int joint) {
  Rows<S> rows;
  for (int k = 0; k < 3; ++k)
    rows.push_back(
        {joint_row(joint, point_rows[k], "m"), S(0), {{9 + k, S(1)}, {3 + k, S(-1)}}, {}});
  rows.push_back({joint_row(joint, axis_rows[0], "m"), S(0), {}, {}});
  rows.push_back({joint_row(joint, axis_rows[1], "1"), S(0), {}, {}});
  add_dot<S>(rows[3], 12, 3, S(1)), add_dot<S>(rows[3], 12, 0, S(-1));
  add_dot<S>(rows[4], 12, 6, S(1));
  return rows;
}

/// Of a rod's end (point and axis) that the ground holds.
template <class S>
Rows<S> ground_rows(int joint, const S& length) {
  Rows<S> rows;
  for (int k = 0; k < 3; ++k)
    rows.push_back(
        {joint_row(joint, point_rows[k], "m"), S(S(-points[joint][k]) * length), {{k, S(1)}}, {}});
  int row = 0;  // two of the three are across the axis
  for (int k = 0; k < 3; ++k)
    if (axes[joint][k] == 0)
      rows.push_back({joint_row(joint, axis_rows[row++], "1"), S(0), {{3 + k, S(1)}}, {}});
  return rows;
}

template <class S>
MechanicalPtr<S> natural_system(const Rods<S>& data) {
  std::vector<Quantity> coordinates;
  std::vector<S> q0;
  std::vector<std::unique_ptr<Element<S>>> elements;
  const auto add = [&](const char* what, int rod, const int* value, const S& scale,
                       const char* unit) {
    for (int k = 0; k < 3; ++k) {
      coordinates.push_back({fmt::format("{}{}_{}", what, rod + 1, "xyz"[k]), unit});
      q0.push_back(S(value[k]) * scale);
    }
  };
  const auto node = [](int first) { return ElementNode{first, 3}; };
  for (int rod = 0; rod < rods; ++rod) {
    add("i", rod, points[rod], data.length, "m"), add("j", rod, points[rod + 1], data.length, "m");
    add("u", rod, axes[rod], S(1), "1"), add("v", rod, axes[rod + 1], S(1), "1");
    const auto all = node_coordinates({{12 * rod, 12}});
    elements.push_back(std::make_unique<ForceElement<S, RodInertia<S>>>(
        all, RodInertia<S>{data.mass, S(data.mass * data.gravity), data.side}));
    elements.push_back(
        std::make_unique<QuadraticConstraint<S>>(all, rigid_rows<S>(rod, data.length)));
  }
  elements.push_back(std::make_unique<QuadraticConstraint<S>>(node_coordinates({node(0), node(6)}),
                                                              ground_rows<S>(0, data.length)));
  for (int joint = 1; joint < rods; ++joint) {
    const int a = 12 * (joint - 1), b = 12 * joint;
    elements.push_back(std::make_unique<QuadraticConstraint<S>>(
        node_coordinates({{a, 9}, node(b), node(b + 6)}), joint_rows<S>(joint)));
  }
  const int last = 12 * (rods - 1);
  elements.push_back(std::make_unique<QuadraticConstraint<S>>(
      node_coordinates({node(last + 3), node(last + 9)}), ground_rows<S>(rods, data.length)));
  std::vector<S> v0(q0.size(), S(0));
  return std::make_shared<ElementSystem<S>>(coordinates, std::move(q0), std::move(v0),
                                            std::move(elements), RotationCharts<S>(), 1);
}

SpatialMechanism absolute_mechanism(const Rods<wide>& data) {
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
      "y, "
      "z, x there; natural: two points and two joint axes a rod, constant mass, linear and "
      "quadratic rows, "
      "rank "
      "59 of 60; absolute: x, y, z and Cayley-Gibbs-Rodrigues increments of each rod, rank 29 of "
      "30";
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
    const Rods<wide> equal{
        data("L, of a uniform rod", 1, "m", source), data("m, of a rod", 1, "kg", source),
        data("side of the square section", square ? "0.1" : "0", "m", "assumed: left open"),
        data("g, along -y", "9.81", "m/s^2", source)};
    if (arguments.word("coordinates", {"natural", "absolute"}) == "absolute")
      return absolute_mechanism(equal).problem("bricard");
    Problem problem;
    problem.absolute = {[equal] { return natural_system(equal.in<double>()); },
                        [equal] { return natural_system(equal.in<real50>()); }};
    return problem;
  });
}

}  // namespace daemark
