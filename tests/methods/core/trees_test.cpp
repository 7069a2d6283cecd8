// Trees of differential-algebraic systems: how many there are, counted by hand or by another
// program, and the orders that they give methods whose orders are known.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/exact/proof/half_explicit_report.hpp"
#include "analysis/exact/proof/rosenbrock_report.hpp"
#include "analysis/exact/theory/half_explicit.hpp"
#include "methods/core/tree_families.hpp"
#include "tests/support/catalogue.hpp"

namespace daemark::exact {
namespace {

std::vector<int> counts(const TreeFamily& family, int rounds, int type) {
  std::vector<int> out(static_cast<std::size_t>(rounds) + 1);
  const RootedTrees family_trees = RootedTrees(rounds, family);
  for (const Tree& tree : family_trees.all())
    if (tree.type == type) ++out[static_cast<std::size_t>(tree.order)];
  return out;
}

// Index 0: Hairer, Nørsett & Wanner I, Table II.2.2. Index 1: multisets counted from generating
// functions. Index 2, order 2: [t], [<t,t>], [<[t]>]; of z of order 1 the two in the latter.
// Mechanisms of index 3: of λ of order 0 <c,c>, of order 1 <c,c,c>, <c,F>, <c,[<c,c>]F>.
TEST(Trees, AreAsManyAsCounted) {
  EXPECT_EQ(counts({}, 7, 0), (std::vector<int>{0, 1, 1, 2, 4, 9, 20, 48}));
  EXPECT_EQ(counts(index_one_trees(), 5, of_y), (std::vector<int>{0, 1, 2, 10, 56, 372}));
  EXPECT_EQ(counts(index_one_trees(), 5, of_z), (std::vector<int>{0, 1, 5, 28, 186, 0}));
  EXPECT_EQ(counts(index_two_trees(), 2, of_y), (std::vector<int>{0, 1, 3}));
  EXPECT_EQ(counts(index_two_trees(), 2, of_z), (std::vector<int>{0, 2, 0}));
  std::vector<std::string> multipliers;
  const RootedTrees family_trees = RootedTrees(2, mechanism_trees(Imposed::positions));
  for (const Tree& tree : family_trees.all())
    if (tree.type == multiplier && tree.children.size() > 1)
      multipliers.push_back(tree.text);
  EXPECT_THAT(multipliers,
              testing::UnorderedElementsAre("<c,c>", "<c,c,c>", "<c,F>", "<c,[<c,c>]F>"));
}

rational density_of(const TreeFamily& family, const std::string& text) {
  const RootedTrees family_trees = RootedTrees(3, family);
  for (const Tree& tree : family_trees.all())
    if (tree.text == text) return tree.density;
  return 0;
}

// b W c² = 1 of every method of index 2 with C(2): W c² = 2 c, Σ b_i 2 c_i = 1; likewise with c_i
// beside it 2/3. Index 1: b W' c² = 1 of ω = β⁻¹, as a branch of y b c² = 1/3.
TEST(Trees, HaveTheDensitiesOfTheirTheory) {
  EXPECT_EQ(density_of(index_two_trees(), "[<t,t>]"), 1);
  EXPECT_EQ(density_of(index_two_trees(), "[t,<t,t>]"), rational(3) / 2);
  EXPECT_EQ(density_of(index_one_trees(), "<t,t>"), 1);
  EXPECT_EQ(density_of(index_one_trees(), "[<t,t>]"), 3);
  EXPECT_EQ(density_of(mechanism_trees(Imposed::positions), "<c,c>"), rational(1) / 2);
}

TEST(Trees, GiveTheOrdersThatAuthorsClaim) {
  for (const Coefficients& method : test::catalogue_files(MethodKind::half_explicit)) {
    const VerifyReport report = verify_half_explicit(method);
    EXPECT_TRUE(method.claims.order) << method.id;
    EXPECT_TRUE(report.verified()) << method.id << ": " << report.failures.front();
  }
  for (const Coefficients& method : test::catalogue_files(MethodKind::rosenbrock)) {
    const VerifyReport report = verify_rosenbrock(method);
    EXPECT_TRUE(method.claims.order) << method.id;
    EXPECT_TRUE(report.verified()) << method.id << ": " << report.failures.front();
  }
}

Coefficients half_explicit(const std::string& id) {
  for (const Coefficients& method : test::catalogue_files(MethodKind::half_explicit))
    if (method.id == id) return method;
  throw std::logic_error(id);
}

// Murua 1997: multipliers of PHEM56 have order 4, and their error is not carried over.
TEST(Trees, GiveOrdersOfMultipliers) {
  const HalfExplicitOrders orders = half_explicit_orders(half_explicit("phem56"));
  EXPECT_EQ(orders.lambda, 4);
  ASSERT_TRUE(orders.carried);
  EXPECT_LT(*orders.carried, 1e-100);
}

TEST(Trees, SeeAWrongCoefficient) {
  Coefficients method = half_explicit("hem4");
  method.rows("A")[3][0] = Expression::parse("(-79-31*sqrt(6))/150+1/1000000", "A");
  EXPECT_LT(half_explicit_orders(method).v, 4);
  EXPECT_FALSE(verify_half_explicit(method).verified());
  for (Coefficients written : test::catalogue_files(MethodKind::rosenbrock)) {
    written.list("b")[0] =
        Expression::parse("(" + written.list("b")[0].text() + ")+1/1000000", "b");
    EXPECT_FALSE(verify_rosenbrock(written).verified()) << written.id;
  }
}

}  // namespace
}  // namespace daemark::exact
