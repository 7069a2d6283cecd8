// Methods with two sets of coefficients: their trees, orders and symplecticity.
#include "analysis/exact/theory/pair.hpp"

#include <gtest/gtest.h>

#include "analysis/exact/proof/catalogue.hpp"
#include "analysis/exact/proof/verify.hpp"
#include "analysis/exact/theory/composition.hpp"
#include "base/text/bad_input.hpp"
#include "methods/catalogue/registry.hpp"
#include "methods/core/tableau.hpp"
#include "tests/analysis/exact/proof_reports.hpp"

namespace daemark::exact {
namespace {

using Kind = MethodKind;
using Lists = std::vector<std::vector<std::string>>;

/// Störmer and Verlet's method as q by the trapezoidal rule, v by Lobatto IIIB (Hairer, Lubich &
/// Wanner 2006, II.2, table 2.1).
Coefficients verlet() {
  return pair_of(Kind::partitioned,
                 tableau_of_texts("q", {{"0", "0"}, {"1/2", "1/2"}}, {"1/2", "1/2"}, {"0", "1"}),
                 tableau_of_texts("v", {{"1/2", "0"}, {"1/2", "0"}}, {"1/2", "1/2"}, {"0", "1"}));
}

int count_of(const RootedTrees& trees, int order) { return trees.end(order) - trees.begin(order); }

TEST(ExactPairs, TreesOfTwoColoursAndOfNystrom) {
  const RootedTrees colours(6, pair_trees(PairShape(Kind::partitioned, 1)));
  const int wanted[] = {2, 4, 14, 52, 214, 916};  // OEIS A000151
  for (int q = 1; q <= 6; ++q) EXPECT_EQ(count_of(colours, q), wanted[q - 1]);
  PairShape positions(Kind::nystrom, 1);
  positions.second_matrix = false;
  const RootedTrees nystrom(5, pair_trees(positions));
  // q'' = f(t, q): of velocities to order 4: f; [c]f; [c,c]f and [F]f; [c,c,c]f, [F,c]f and [[c]F]f
  // (Hairer, Nørsett & Wanner I, table II.14.1, without dots that end in fat vertices).
  const int roots_f[] = {1, 1, 2, 3};
  for (int q = 1; q <= 4; ++q) {
    int f = 0;
    for (int i = nystrom.begin(q); i < nystrom.end(q); ++i)
      f += nystrom.all()[static_cast<std::size_t>(i)].type == 0;
    EXPECT_EQ(f, roots_f[q - 1]) << q;
  }
  // Of one colour, 1/(sigma gamma) sums to 1/q over the trees of order q; of two, each vertex has
  // two colours: 2^q / q.
  for (int q = 1; q <= 6; ++q) {
    rational sum = 0;
    for (int i = colours.begin(q); i < colours.end(q); ++i) {
      const Tree& t = colours.all()[static_cast<std::size_t>(i)];
      sum += 1 / (t.symmetry * t.density);
    }
    EXPECT_EQ(sum, rational(1 << q) / q);
  }
}

TEST(ExactPairs, LobattoPairsHaveOrder2sMinus2AndAreSymplectic) {
  for (int s = 2; s <= 5; ++s) {
    const PairProof proof = prove_pair(lobatto_operators(s));
    EXPECT_EQ(proof.order.order, 2 * s - 2);
    EXPECT_TRUE(proof.order.exact());
    EXPECT_TRUE(proof.symplectic) << proof.symplectic_failure;
    EXPECT_EQ(proof.row_sum_failure, "");
  }
  // Each part with itself is not symplectic.
  PairOperators same = lobatto_operators(3);
  same.second = same.first;
  EXPECT_FALSE(prove_pair(same).symplectic);
}

TEST(ExactPairs, VerletAndEulersMethods) {
  VerifyReport report = verify_pair(verlet());
  EXPECT_EQ(report.order, 2);
  EXPECT_EQ(report.facts.symplectic, true);
  const Coefficients explicit_euler = tableau_of_texts("e", {{"0"}}, {"1"}, {"0"}),
                     implicit_euler = tableau_of_texts("i", {{"1"}}, {"1"}, {"1"});
  report = verify_pair(pair_of(Kind::partitioned, explicit_euler, implicit_euler));
  EXPECT_EQ(report.order, 1);
  EXPECT_EQ(report.facts.symplectic, true);
  report = verify_pair(pair_of(Kind::partitioned, implicit_euler, implicit_euler));
  EXPECT_EQ(report.facts.symplectic, false);
  Coefficients wrong = verlet();
  wrong.claims.order = 3;
  wrong.claims.symplectic = false;
  EXPECT_EQ(verify_pair(wrong).failures.size(), 2u);
}

// The same as a Nyström method: k_1 at the beginning, k_2 at the end.
TEST(ExactPairs, VerletAsNystromMethodIsSymplectic) {
  Coefficients pair = pair_of(
      Kind::nystrom, tableau_of_texts("q", {{"0", "0"}, {"1/2", "0"}}, {"1/2", "0"}, {"0", "1"}),
      tableau_of_texts("v", {}, {"1/2", "1/2"}, {"0", "1"}));
  VerifyReport report = verify_pair(pair);
  EXPECT_EQ(report.order, 2);
  EXPECT_EQ(report.facts.symplectic, true);
  pair.list("b_velocity") = {Expression::parse("1/4", "b"), Expression::parse("3/4", "b")};
  report = verify_pair(pair);
  EXPECT_EQ(report.order, 1);  // the quadrature of t is off
  EXPECT_EQ(report.facts.symplectic, false);
}

TEST(ExactPairs, ClaimsOfTheNystromFilesHoldAndFailWhereANumberIsChanged) {
  for (const std::string& id : method_registry().all_ids()) {
    const MethodInfo& info = method_registry().info(id);
    if (!info.parameters.empty()) continue;
    const auto method = method_registry().make(id);
    const Coefficients* pair = method->coefficients();
    if (!pair || schema_of(*pair).parts.size() < 2) continue;
    EXPECT_TRUE(pair->claims.order.has_value()) << id;
    const VerifyReport report = verify_pair(*pair);
    EXPECT_EQ(report.failures, std::vector<std::string>()) << id;
    Coefficients changed = *pair;
    Expression& entry = changed.list(schema_of(*pair).parts[1].b).front();
    entry = Expression::parse("(" + entry.text() + ")+1/1000", "b");
    EXPECT_FALSE(verify_pair(changed).verified()) << id;
  }
}

// ARS(2,2,2) of Ascher, Ruuth & Spiteri, with two sets of weights. Other explicit weights leave
// both parts of order 2 and break what couples them.
TEST(ExactPairs, TwoSetsOfWeightsHaveCouplingConditions) {
  const auto ars = [](const Lists& explicit_rows, const std::vector<std::string>& weights) {
    Coefficients pair;
    pair.kind = Kind::additive, pair.id = "ars222";
    for (const auto& row : explicit_rows) pair.rows("A_explicit").push_back(expressions(row));
    const std::string g = "1-sqrt(2)/2", rest = "sqrt(2)/2";
    pair.rows("A_implicit") = {expressions({"0", "0", "0"}), expressions({"0", g, "0"}),
                               expressions({"0", rest, g})};
    pair.list("b_explicit") = expressions(weights);
    pair.list("b_implicit") = expressions({"0", rest, g});
    pair.list("c") = expressions({"0", g, "1"});
    pair.claims.order = 2;
    return pair;
  };
  const std::string g = "1-sqrt(2)/2", d = "-sqrt(2)/2", rest = "1+sqrt(2)/2";
  const Lists rows{{"0", "0", "0"}, {g, "0", "0"}, {d, rest, "0"}};
  EXPECT_EQ(ars(rows, {d, rest, "0"}).stages(), 3);
  const VerifyReport good = verify_pair(ars(rows, {d, rest, "0"}));
  EXPECT_TRUE(good.verified()) << good.failures[0];
  EXPECT_EQ(good.order, 2);
  EXPECT_EQ(good.facts.stiffly_accurate, true);
  const VerifyReport quadrature = verify_pair(ars(rows, {"0", "1", "0"}));
  EXPECT_EQ(quadrature.order, 1);
  // With c = (0, 1, 0) of the explicit part alone its weights (1/2, 1/2, 0) have order 2.
  Coefficients coupled = ars(rows, {"1/2", "1/2", "0"});
  coupled.rows("A_explicit") = {expressions({"0", "0", "0"}), expressions({"1", "0", "0"}),
                                expressions({"0", "0", "0"})};
  coupled.list("c") = expressions({"0", "1", "0"});
  const VerifyReport report = verify_pair(coupled);
  EXPECT_EQ(report.order, 1);
  EXPECT_NE(
      joined(report.notes).find("alone, the explicit part has order 2, the implicit part 2\n"),
      std::string::npos)
      << joined(report.notes);
}

TEST(ExactPairs, StabilityOfAdditivePairsIsThatOfTheImplicitPart) {
  const VerifyReport report = verify_pair(pair_of(
      Kind::additive, tableau_of_texts("e", {{"0", "0"}, {"1", "0"}}, {"0", "1"}, {"0", "1"}),
      tableau_of_texts("i", {{"0", "0"}, {"0", "1"}}, {"0", "1"}, {"0", "1"})));
  EXPECT_EQ(report.order, 1);
  EXPECT_EQ(report.a_stable, true);
  EXPECT_EQ(report.l_stable, true);
}

TEST(ExactPairs, RefusesListsOfDifferentLengths) {
  Coefficients pair = verlet();
  pair.list("b_velocity").pop_back();
  EXPECT_THROW(verify_pair(pair), BadInput);
}

CompositionOrder order_of_half(const std::vector<std::string>& half) {
  ExactComposition composition;
  composition.half = expressions(half);
  return composition_order(composition, "half");
}

// Orders as their authors state them (Suzuki 1990, Yoshida 1990, Kahan & Li 1997, McLachlan 1995).
// Of two equations the wrong solution of 2 γ³ + (1 − 2γ)³ = 0, or a wrong digit, has order 2.
TEST(ExactCompositions, OrdersFollowFromTheFractions) {
  const CompositionOrder jump = order_of_half({"1/(2-root(x^3-2,1,2))"});
  EXPECT_EQ(jump.order, 4);
  EXPECT_TRUE(jump.exact);
  EXPECT_EQ(jump.failing_word, "Y5");
  EXPECT_EQ(order_of_half({}).order, 2);
  EXPECT_EQ(order_of_half({"1/2-root(x^3-2,1,2)"}).order, 2);
  const std::vector<std::string> yoshida = {"0.78451361047755726381949763",
                                            "0.23557321335935813368479318",
                                            "-1.17767998417887100694641568"};
  EXPECT_EQ(order_of_half(yoshida).order, 6);
  EXPECT_FALSE(order_of_half(yoshida).exact);
  EXPECT_EQ(order_of_half({yoshida[0], "0.23557321335935813368479418", yoshida[2]}).order, 2);
}

TEST(ExactCompositions, OfTheCatalogueHaveTheirPublishedOrders) {
  const std::pair<const char*, int> published[] = {{"triple_jump_4", 4},  {"suzuki_4", 4},
                                                   {"yoshida_6", 6},      {"kahan_li_6", 6},
                                                   {"suzuki_umeno_8", 8}, {"kahan_li_8", 8}};
  for (const auto& [scheme, order] : published) {
    SCOPED_TRACE(scheme);
    for (const char* base : {"rattle", "gauss(1)", "lobatto_iiia(2)"}) {
      const VerifyReport report =
          verify_method(std::string("composition(") + base + "," + scheme + ")");
      EXPECT_TRUE(report.verified());
      EXPECT_EQ(report.order, order);
      EXPECT_EQ(report.facts.symmetric, true);
      // The trapezoidal rule is symmetric, but not symplectic: of its compositions nothing is said.
      EXPECT_EQ(report.facts.symplectic,
                base == std::string("lobatto_iiia(2)") ? std::nullopt : std::optional(true));
    }
  }
}

// On equations without constraints SHAKE and SPARK are Lobatto IIIA-IIIB pairs.
TEST(ExactPairs, ShakeAndSparkAreLobattoPairsWithoutConstraints) {
  for (const auto& [call, order] :
       {std::pair("shake", 2), std::pair("rattle", 2), std::pair("spark(4)", 6)}) {
    const VerifyReport report = verify_method(call);
    EXPECT_EQ(report.order, order) << call;
    EXPECT_EQ(report.facts.symplectic, true) << call;
  }
}

}  // namespace
}  // namespace daemark::exact
