#include "methods/core/tree_families.hpp"

namespace daemark::exact {

TreeFamily pair_trees(const PairShape& shape) {
  const auto type = [](std::string name, int weight = 1, unsigned branches = ~0u) {
    VertexType out;
    out.leaf = name, out.close = "]" + name, out.weight = weight, out.branches = branches;
    return out;
  };
  using Types = std::vector<VertexType>;
  if (shape.kind == MethodKind::partitioned) return {Types{type("q"), type("p")}};
  if (shape.kind == MethodKind::additive) return {Types{type("f"), type("g")}};
  const unsigned branches = shape.second_matrix ? 7u : 6u;  // F, c and, with a', f
  Types types{type("f", 1, branches), type("F", 2, branches), type("c")};
  types.back().leaf_only = true;
  return {types};
}

namespace {

VertexType of_constraint(int weight, unsigned branches = ~0u) {
  VertexType out;
  out.open = "<", out.close = ">", out.weight = weight, out.branches = branches;
  return out;
}

Growth growth(int type, int shift, std::function<unsigned(const Branches&)> admits,
              int most_branches = 1 << 30) {
  return {type, shift, most_branches, std::move(admits)};
}

/// What a mechanism has of a tree of index 2: the series of q or of v it occurs in.
unsigned occurs_in(const Branches& branches, bool constraint) {
  int positions = 0, multipliers = 0;  // branches that may be of q, of z,
  bool velocities = true;              // and all others of v
  for (int i = 0; i < branches.count(); ++i) {
    const Tree& child = branches.at(i);
    multipliers += child.type == of_z;
    positions += child.type == of_y && (child.marks & in_position);
    velocities = velocities && (child.type == of_z || child.marks != 0);
  }
  const int others = branches.count() - multipliers - positions;
  if (constraint) return velocities && others <= 1 ? in_position | in_velocity : 0;  // G(q) v
  if (branches.count() == 0) return in_position | in_velocity;
  const Tree* only = branches.only(of_y);
  return (only && only->marks & in_velocity ? in_position : 0u) |
         (velocities && (multipliers == 0 || others == 0) ? in_velocity : 0u);
}

}  // namespace

TreeFamily w_trees() {
  VertexType matrix;
  matrix.open = "{", matrix.close = "}";
  const auto admits_f = [](const Branches& b) -> unsigned {
    for (int i = 0; i < b.count(); ++i)
      if (b.at(i).marks == with_matrix) return with_matrix;
    return without_matrix;
  };
  const auto admits_matrix = [](const Branches& b) -> unsigned {
    return b.count() == 1 ? with_matrix : 0U;
  };
  return {{VertexType{}, matrix},
          {growth(of_f, 0, admits_f), growth(of_matrix, 0, admits_matrix, 1)}};
}

TreeFamily index_one_trees() {
  return {
      {VertexType{}, of_constraint(0)},
      {growth(of_z, -1, [](const Branches& b) { return b.count() > 0 && !b.only(of_z) ? 1u : 0u; }),
       growth(of_y, 0, {})}};
}

TreeFamily index_two_trees() {
  VertexType y;
  y.single = 1u << of_z;
  const auto admits_z = [](const Branches& b) {
    const Tree* only = b.only(of_y);
    const bool solved_for =
        only && (only->order == 1 || Branches{b.trees, only->children}.only(of_z));
    return b.count() == 0 || solved_for ? 0u : occurs_in(b, true);
  };
  return {
      {y, of_constraint(-1, 1u << of_y)},
      {growth(of_y, 0, [](const Branches& b) { return b.only(of_z) ? 0u : occurs_in(b, false); }),
       growth(of_z, -1, admits_z),
       growth(
           of_y, 0, [](const Branches& b) { return b.only(of_z) ? occurs_in(b, false) : 0u; }, 1)}};
}

bool is_normal(const RootedTrees& trees, const Tree& acceleration) {
  return Branches{trees, acceleration.children}.only(multiplier) != nullptr;
}

TreeFamily mechanism_trees(Imposed imposed) {
  const bool of_y = imposed == Imposed::both, of_q = imposed == Imposed::positions;
  const unsigned positions = 1u << as_position | 1u << start_velocity, f_alone = 1u << as_velocity;
  VertexType f, F, c;
  f.leaf = "f", f.close = "]f", f.single = 1u << multiplier;
  F = f, F.leaf = "F", F.close = "]F", F.weight = 2;
  c.leaf = "c", c.leaf_only = true;
  VertexType z = of_constraint(of_q ? -2 : -1, of_q   ? positions
                                               : of_y ? f_alone
                                                      : positions | f_alone);
  if (!of_y) z.single = f_alone;
  const int solved = of_q ? as_position : as_velocity;  // for which λ is solved
  const auto several = [of_q, solved](const Branches& b) {
    return b.count() > 1 || (!of_q && b.count() == 1 && !b.only(solved)) ? 1u : 0u;
  };
  const auto acceleration = [several, of_y](const Branches& b) {
    if (!of_y && b.count(multiplier) > 0 && b.count(as_velocity) > 0) return 0u;
    const Tree* only = b.only(multiplier);
    return only ? several({b.trees, only->children}) : 1u;
  };
  const auto tangential = [solved](const Branches& b) {
    const Tree* only = b.only(solved);
    return only && !only->children.empty() && !is_normal(b.trees, *only) ? 1u : 0u;
  };
  std::vector<Growth> rounds{growth(multiplier, -1, several), growth(as_velocity, 0, acceleration),
                             growth(multiplier, -1, tangential, 1)};
  if (!of_y) {
    rounds.insert(rounds.begin() + 2, growth(as_position, 1, acceleration));
    rounds.insert(rounds.begin(), growth(start_velocity, 0, {}));
  }
  return {{f, F, c, z}, std::move(rounds)};
}

}  // namespace daemark::exact
