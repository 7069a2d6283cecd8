#include "analysis/orders/method_facts.hpp"

#include <algorithm>

#include "analysis/exact/theory/collocation.hpp"
#include "analysis/exact/theory/import.hpp"
#include "analysis/exact/theory/pade_block.hpp"
#include "analysis/exact/theory/rounding.hpp"
#include "analysis/exact/theory/uncertain.hpp"
#include "analysis/linear/stability_function.hpp"
#include "base/text/bad_input.hpp"
#include "methods/runge_kutta/runge_kutta.hpp"

namespace daemark {
namespace {

template <class Holds>
int largest(int most, Holds&& holds) {
  int k = 0;
  while (k < most && holds(k + 1)) ++k;
  return k;
}

/// A condition holds when its residual is at most `unit` times the sum of the absolute values of
/// the terms it is made of (and that of its right side): relative errors of that size in every
/// coefficient leave no more.
class TableauConditions {
 public:
  TableauConditions(const WideTableau& tableau, const wide& unit);

  bool row_sums() const;           ///< Σ_j a_ij = c_i
  int quadrature(int most) const;  ///< B(p): Σ b_i c_i^(k-1) = 1/k for k <= p
  int stages(int most) const;      ///< C(q): Σ_j a_ij c_j^(k-1) = c_i^k / k
  int adjoint(int most) const;     ///< D(r): Σ_i b_i c_i^(k-1) a_ij = b_j (1 - c_j^k) / k
  /// Σ b_i Φ_i(t) = 1/γ(t) for all rooted trees up to the order returned, at most `most`.
  int trees(int most) const;

 private:
  using Column = std::vector<wide>;
  bool holds(const wide& left, const wide& right, const wide& terms) const;
  Column powers(int k) const;
  const WideTableau& t_;
  int s_;
  wide unit_;
};

TableauConditions::TableauConditions(const WideTableau& tableau, const wide& unit)
    : t_(tableau), s_(tableau.stages()), unit_(unit) {}

bool TableauConditions::holds(const wide& left, const wide& right, const wide& terms) const {
  return abs(wide(left - right)) <= unit_ * (terms + abs(right));
}

TableauConditions::Column TableauConditions::powers(int k) const {
  Column out(s_, wide(1));
  for (int i = 0; i < s_; ++i)
    for (int n = 0; n < k; ++n) out[i] *= t_.c[i];
  return out;
}

bool TableauConditions::row_sums() const {
  for (int i = 0; i < s_; ++i) {
    wide sum = 0, terms = 0;
    for (const wide& a : t_.A[i]) sum += a, terms += abs(a);
    if (!holds(sum, t_.c[i], terms)) return false;
  }
  return true;
}

int TableauConditions::quadrature(int most) const {
  return largest(most, [this](int k) {
    const Column c = powers(k - 1);
    wide sum = 0, terms = 0;
    for (int i = 0; i < s_; ++i) {
      const wide term = t_.b[i] * c[i];
      sum += term, terms += abs(term);
    }
    return holds(sum, wide(1) / k, terms);
  });
}

int TableauConditions::stages(int most) const {
  return largest(most, [this](int k) {
    const Column before = powers(k - 1), after = powers(k);
    for (int i = 0; i < s_; ++i) {
      wide sum = 0, terms = 0;
      for (int j = 0; j < s_; ++j) {
        const wide term = t_.A[i][j] * before[j];
        sum += term, terms += abs(term);
      }
      if (!holds(sum, after[i] / k, terms)) return false;
    }
    return true;
  });
}

int TableauConditions::adjoint(int most) const {
  wide largest_weight = 0;  // what a weight that should be zero was computed from
  for (const wide& weight : t_.b) largest_weight = std::max(largest_weight, wide(abs(weight)));
  return largest(most, [&](int k) {
    const Column before = powers(k - 1), after = powers(k);
    for (int j = 0; j < s_; ++j) {
      wide sum = 0, terms = largest_weight / k;  // 1 - c^k may cancel
      for (int i = 0; i < s_; ++i) {
        const wide term = t_.b[i] * before[i] * t_.A[i][j];
        sum += term, terms += abs(term);
      }
      if (!holds(sum, t_.b[j] * (1 - after[j]) / k, terms)) return false;
    }
    return true;
  });
}

int TableauConditions::trees(int most) const {
  using exact::Sized;
  const exact::RootedTrees& trees = exact::trees_to(most);
  const std::vector<exact::SizedVector> A = exact::sized(t_.A);
  const exact::SizedVector b = exact::sized(t_.b);
  exact::TreeWalk<exact::SizedVector> walk(trees, {exact::SizedVector(s_, Sized(wide(1))),
                                                   exact::stage_by_stage<Sized>,
                                                   {exact::on_stages(A)}});
  for (std::size_t i = 0; i < trees.all().size(); ++i) {
    const Sized sum = exact::weight_of(b, walk.stage(static_cast<int>(i)));
    const exact::Tree& tree = trees.all()[i];
    if (!holds(sum.value, wide(1 / wide(tree.density)), sum.size)) return tree.order - 1;
  }
  return most;
}

/// Exact proofs up to here take milliseconds.
constexpr int most_exact_stages = 13, most_exact_size = 52;
constexpr int highest_tree = 10;  // 1842 trees; beyond, only the simplifying assumptions speak

int field_degree(const exact::TableauNumbers& t) {
  int degree = std::max(exact::field_degree(t.b), exact::field_degree(t.c));
  for (const exact::Vector& row : t.a) degree = std::max(degree, exact::field_degree(row));
  return degree;
}

std::optional<exact::MethodProof> prove(const Method& method) {
  if (const auto* family = method.member_of<Collocation>()) {
    if (family->stages > most_exact_stages) return std::nullopt;
    return exact::prove_collocation(exact::family_from(family->id), family->stages);
  }
  if (const auto* block = method.member_of<PadeBlock>()) {
    if (block->r > most_exact_stages) return std::nullopt;
    const exact::NodeSet nodes = block->list.empty() ? exact::node_set(block->nodes, block->r)
                                                     : exact::node_list(block->list, block->r);
    return exact::prove_block("", exact::derive_block(block->r, block->k, block->j),
                              nodes.polynomial);
  }
  const Coefficients* tableau = method.coefficients(MethodKind::runge_kutta);
  if (!tableau || tableau->decimal || tableau->stages() > most_exact_stages) return std::nullopt;
  try {
    const exact::TableauNumbers t = exact::import_tableau(*tableau);
    if (tableau->stages() * field_degree(t) > most_exact_size) return std::nullopt;
    return exact::prove_method("", exact::nodal_operators(t.a, t.b, t.c), {}, t.a.back() == t.b,
                               true);
  } catch (const BadInput&) {  // a field beyond what exact work takes
    return std::nullopt;
  }
}

/// What the coefficients say without any condition on orders.
MethodFacts structure_of(const WideTableau& tableau) {
  MethodFacts facts;
  facts.tableau = tableau;
  facts.stages = tableau.stages();
  facts.explicit_first_stage = has_explicit_first_stage(tableau);
  facts.regular = !is_explicit(tableau) && is_implicit_part_regular(tableau);
  facts.stiffly_accurate = is_stiffly_accurate(tableau);
  facts.solves_end_rates = !facts.stiffly_accurate;
  facts.at_infinity = value_at_infinity(tableau);
  facts.damped = facts.at_infinity && abs(*facts.at_infinity) < 1 - resolved_at_infinity();
  return facts;
}

}  // namespace

MethodFacts facts_of(const WideTableau& tableau) {
  const wide unit("1e-100");
  const TableauConditions conditions(tableau, unit);
  MethodFacts facts = structure_of(tableau);
  facts.row_sums = conditions.row_sums();
  const int most = 2 * facts.stages + 2;  // as in exact::assumptions
  facts.b = conditions.quadrature(most);
  facts.c = conditions.stages(most);
  facts.d = conditions.adjoint(most);
  // Butcher 1964: B(b), C(c), D(d) give order b if b <= c + d + 1 and b <= 2c + 2. B is necessary.
  const int sure = std::min({facts.b, facts.c + facts.d + 1, 2 * facts.c + 2});
  if (facts.row_sums && sure == facts.b) {
    facts.order = facts.b;
  } else {
    const int by_trees = conditions.trees(std::min(facts.b, highest_tree));
    facts.order = facts.row_sums ? std::max(sure, by_trees) : by_trees;
    facts.order_is_bound = by_trees == highest_tree && facts.b > highest_tree;
  }
  return facts;
}

MethodFacts facts_of_decimals(const Coefficients& tableau) {
  const exact::RoundedTableau found = exact::rounded(tableau_of<Expression>(tableau));
  MethodFacts facts = structure_of(tableau_of<wide>(tableau));
  facts.unit = 1e-11;
  facts.row_sums = found.sums_hold;
  facts.order = found.order.order;
  facts.order_is_bound = found.order.at_least;
  facts.b = found.b, facts.c = found.c, facts.d = found.d;
  return facts;
}

MethodFacts facts_of(const exact::MethodProof& proof, const WideTableau& tableau) {
  MethodFacts facts;
  facts.tableau = tableau;
  facts.exact = true;
  facts.stages = proof.method.stages();
  facts.order = proof.order.order;
  facts.order_is_bound = proof.order.failing == 0;
  facts.b = proof.simplifying.b;
  facts.c = proof.simplifying.c;
  facts.d = proof.simplifying.d;
  facts.row_sums = proof.row_sums_hold;
  facts.stiffly_accurate = proof.stiffly_accurate;
  facts.solves_end_rates = !facts.stiffly_accurate;
  // In the basis of stages or of powers of x alike: the function A f vanishes at the node 0.
  const exact::Vector& first = proof.method.a.front();
  facts.explicit_first_stage =
      std::all_of(first.begin(), first.end(), [](const exact::Number& x) { return x.is_zero(); });
  const int rank = exact::resolvent_determinant(proof.method.a).degree();  // but nilpotent parts
  facts.regular = rank > 0 && rank == facts.stages - (facts.explicit_first_stage ? 1 : 0);
  if (const auto& infinity = proof.stability.at_infinity) {
    facts.at_infinity = infinity->to_wide();
    facts.damped = abs(*infinity) < exact::Number(1);
  }
  return facts;
}

int order_of(const Coefficients& formula) {
  std::vector<std::string> ignored;
  return formula.decimal ? exact::rounded(formula, ignored).order : linear_order(formula);
}

std::optional<MethodFacts> method_facts(const Method& method) {
  const WideTableau* tableau = method.tableau();
  if (!tableau) return std::nullopt;
  std::optional<MethodFacts> facts;
  if (const auto proof = prove(method)) {
    facts = facts_of(*proof, *tableau);
  } else {
    const Coefficients* written = method.coefficients();
    const bool decimal = written && written->decimal;
    facts = decimal ? facts_of_decimals(*written) : facts_of(*tableau);
  }
  facts->solves_end_rates = method.solves_end_rates();
  return facts;
}

}  // namespace daemark
