// Orders by generated trees and by simplifying assumptions; collocation families in the node ring.
#include <gtest/gtest.h>

#include "analysis/exact/theory/collocation.hpp"
#include "methods/core/trees.hpp"
#include "base/text/bad_input.hpp"

namespace daemark::exact {
namespace {

TEST(ExactOrder, TreeCountsAndDensities) {
  const RootedTrees trees(10);
  const int counts[] = {1, 1, 2, 4, 9, 20, 48, 115, 286, 719};  // OEIS A000081
  for (int q = 1; q <= 10; ++q) EXPECT_EQ(trees.end(q) - trees.begin(q), counts[q - 1]);
  // Σ 1/(sigma gamma) over the trees of order q is 1/q · (exact solution of y' = e^y: (q-1)!/q!).
  for (int q = 1; q <= 10; ++q) {
    rational sum = 0;
    for (int i = trees.begin(q); i < trees.end(q); ++i) {
      const Tree& t = trees.all()[static_cast<std::size_t>(i)];
      sum += 1 / (t.symmetry * t.density);
    }
    EXPECT_EQ(sum, rational(1) / q);
  }
}

TEST(ExactOrder, FamiliesHaveTheirTextbookOrders) {
  for (int s = 2; s <= 7; ++s) {
    const auto order = [s](Family f) { return prove_collocation(f, s).order.order; };
    EXPECT_EQ(order(Family::gauss), 2 * s);
    EXPECT_EQ(order(Family::radau_ia), 2 * s - 1);
    EXPECT_EQ(order(Family::radau_iia), 2 * s - 1);
    EXPECT_EQ(order(Family::lobatto_iiia), 2 * s - 2);
    EXPECT_EQ(order(Family::lobatto_iiic), 2 * s - 2);
  }
}

TEST(ExactOrder, TreesAndButchersTheoremAgree) {
  for (const Family f : {Family::gauss, Family::radau_ia, Family::radau_iia, Family::lobatto_iiia,
                         Family::lobatto_iiic}) {
    for (int s = 2; s <= 5; ++s) {
      const Operators method = collocation_operators(f, s);
      const Assumptions found = assumptions(method);
      const OrderProof trees = prove_order(method, found, true);
      const OrderProof theorem = prove_order(method, found, false);
      EXPECT_EQ(trees.order, theorem.order) << family_name(f) << s;
      EXPECT_EQ(theorem.route, "simplifying assumptions");
      EXPECT_GT(trees.failing, 0);
    }
  }
}

TEST(ExactOrder, StabilityFunctionsOfTheFamilies) {
  for (int s = 2; s <= 12; ++s) {
    const auto function = [s](Family f) { return prove_collocation(f, s).stability; };
    const auto expect = [&](Family f, int k, int j) {
      const StabilityProof proof = function(f);
      EXPECT_TRUE(proof.function.num == pade_of_exp(k, j).num) << family_name(f) << s;
      EXPECT_TRUE(proof.function.den == pade_of_exp(k, j).den) << family_name(f) << s;
      EXPECT_TRUE(proof.a_stable);
    };
    expect(Family::gauss, s, s);
    expect(Family::radau_ia, s - 1, s);
    expect(Family::radau_iia, s - 1, s);
    expect(Family::lobatto_iiia, s - 1, s - 1);
    expect(Family::lobatto_iiic, s - 2, s);
  }
}

TEST(ExactOrder, AlgebraicStabilityAndSymplecticity) {
  EXPECT_TRUE(prove_collocation(Family::gauss, 6).algebraic.symplectic);
  EXPECT_TRUE(prove_collocation(Family::radau_ia, 6).algebraic.holds);
  EXPECT_TRUE(prove_collocation(Family::radau_iia, 6).algebraic.holds);
  EXPECT_FALSE(prove_collocation(Family::radau_iia, 6).algebraic.symplectic);
  EXPECT_FALSE(prove_collocation(Family::lobatto_iiia, 6).algebraic.holds);
  EXPECT_TRUE(prove_collocation(Family::lobatto_iiic, 6).algebraic.holds);
}

TEST(ExactOrder, FiftyStages) {
  const MethodProof proof = prove_collocation(Family::radau_iia, 50);
  EXPECT_EQ(proof.order.order, 99);
  EXPECT_EQ(proof.stage_order, 50);
  EXPECT_TRUE(proof.stability.l_stable);
  EXPECT_TRUE(proof.stiffly_accurate);
  EXPECT_THROW(prove_collocation(Family::gauss, 0), BadInput);
  EXPECT_THROW(prove_collocation(Family::lobatto_iiic, 1), BadInput);
  EXPECT_THROW(prove_collocation(Family::gauss, 1000), BadInput);
}

}  // namespace
}  // namespace daemark::exact
