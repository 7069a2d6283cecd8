// Padé blocks: eq. (9) literally against the derivation in the monomial basis, all node sets.
#include <gtest/gtest.h>

#include "analysis/exact/theory/import.hpp"
#include "analysis/exact/theory/pade_block.hpp"
#include "base/text/bad_input.hpp"
#include "tests/support/tableaus.hpp"

namespace daemark::exact {
namespace {

const char* const words[] = {"equidistant", "chebyshev", "legendre", "radau", "lobatto"};

BlockMatrices literal(const NodeSet& set, const BlockDerivation& block) {
  std::vector<const Expression*> all;
  for (const Expression& e : set.text) all.push_back(&e);
  const Vector h = import_numbers(all, "nodes");
  Vector mu;
  for (const Number& x : h) mu.push_back(block.mu(x));
  return block_matrices(h, mu);
}

TEST(ExactBlock, EveryDegreePairMatchesItsPadeApproximant) {
  for (int r = 2; r <= 12; ++r) {
    for (int k = 0; k <= r; ++k) {
      for (int j = std::max(0, r - k); j <= r; ++j) {
        const BlockDerivation block = derive_block(r, k, j);
        EXPECT_TRUE(block.matches) << r << "," << k << "," << j;
        EXPECT_FALSE(block.uniqueness.is_zero());
        EXPECT_EQ(block.singular, j < r);
      }
    }
  }
}

// Eq. (9) itself, exactly, in the field of the nodes (degree up to 8), and its R from B and d.
TEST(ExactBlock, EquationNineLiterallyHasTheSameStabilityFunction) {
  for (const char* word : words) {
    for (int r = 2; r <= 6; ++r) {
      if (std::string(word) == "radau" && r > 4) continue;  // S4, S5: degree 24 and 120
      const NodeSet set = node_set(word, r);
      for (const int k : {r - 2, r - 1, r}) {
        const BlockMatrices m = literal(set, derive_block(r, k, r));
        const auto found = identify_pade(block_stability_function(m.b, m.d));
        EXPECT_EQ(found, std::make_pair(k, r)) << word;
      }
    }
  }
}

// Degree 24 and 120: the entries live in Q(h_i, h_l); their traces are checked at 130 digits, R in
// the ring, where no splitting field is needed.
TEST(ExactBlock, TwelveNodesAtOneHundredDigits) {
  for (const char* word : words) {
    for (const int r : {5, 6, 9, 12}) {
      for (const int k : {0, r - 2, r}) {
        const wide deviation =
            block_deviation(wide_nodes(node_set(word, r)), derive_block(r, k, r));
        EXPECT_LT(deviation, wide("1e-100")) << word << r << "," << k;
      }
    }
  }
}

TEST(ExactBlock, RingAndNodesGiveTheSameMethod) {
  for (const char* word : words) {
    const NodeSet set = node_set(word, 3);
    const BlockDerivation block = derive_block(3, 2, 3);
    const MethodProof ring = prove_block("ring", block, set.polynomial);
    const BlockMatrices m = literal(set, block);
    Matrix a{Vector(4)};
    Vector c{Number(0)};
    for (std::size_t i = 0; i < 3; ++i) {
      Vector row{m.d[i]};
      row.insert(row.end(), m.b[i].begin(), m.b[i].end());
      a.push_back(row);
      c.push_back(m.nodes[i]);
    }
    const MethodProof nodal =
        prove_method("nodal", nodal_operators(a, a.back(), c), {}, true, true);
    EXPECT_EQ(ring.order.order, nodal.order.order) << word;
    EXPECT_EQ(ring.order.failing_tree, nodal.order.failing_tree);
    EXPECT_TRUE(ring.order.weight == nodal.order.weight);
    EXPECT_EQ(ring.stage_order, nodal.stage_order);
    EXPECT_TRUE(ring.row_sums_hold && nodal.row_sums_hold);
    EXPECT_TRUE(ring.stability.function.num == nodal.stability.function.num);
    EXPECT_EQ(ring.algebraic.holds, nodal.algebraic.holds);
  }
}

TEST(ExactBlock, ClassicalOrderIsNotTheOrderOfR) {
  const BlockDerivation block = derive_block(3, 2, 3);
  const MethodProof proof = prove_block("x", block, node_set("equidistant", 3).polynomial);
  EXPECT_EQ(proof.stability.order, 5);
  EXPECT_EQ(proof.order.order, 4);
}

TEST(ExactBlock, SingularCase) {
  const BlockMatrices m = literal(node_set("legendre", 4), derive_block(4, 3, 3));
  EXPECT_TRUE(determinant(m.b).is_zero());
}

TEST(ExactBlock, BadInput) {
  EXPECT_THROW(derive_block(4, 5, 4), BadInput);
  EXPECT_THROW(derive_block(4, 1, 2), BadInput);
  EXPECT_THROW(derive_block(1000, 2, 1000), BadInput);
  EXPECT_THROW(node_set("fibonacci", 4), BadInput);
  EXPECT_THROW(node_list(expressions({"1/2", "1/2", "1"}), 3), BadInput);
  EXPECT_THROW(node_list(expressions({"1/2", "3/4"}), 2), BadInput);
  EXPECT_THROW(node_list(expressions({"1/2", "1"}), 3), BadInput);
  EXPECT_THROW(node_list(expressions({"sqrt(2)*sqrt(2)/2-1", "1"}), 2), BadInput);
  const NodeSet mixed = node_list(expressions({"1/sqrt(3)", "1"}), 2);
  EXPECT_TRUE(mixed.polynomial(Number(1)).is_zero());
}

}  // namespace
}  // namespace daemark::exact
