// A- and L-stability decided exactly: Ehle's theorem as a map, known functions, multistep formulas.
#include "analysis/exact/theory/stability.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "analysis/exact/proof/verify.hpp"
#include "analysis/exact/theory/collocation.hpp"
#include "analysis/exact/theory/import.hpp"
#include "analysis/exact/theory/monotonicity.hpp"
#include "analysis/exact/theory/multistep.hpp"
#include "base/text/bad_input.hpp"
#include "methods/catalogue/registry.hpp"
#include "methods/core/trees.hpp"
#include "tests/analysis/exact/proof_reports.hpp"

namespace daemark::exact {
namespace {

TEST(ExactStability, EhleMapToTwelve) {
  for (int k = 0; k <= 12; ++k) {
    for (int j = 0; j <= 12; ++j) {
      const StabilityProof proof = prove_stability(pade_of_exp(k, j));
      EXPECT_EQ(proof.order, k + j);
      EXPECT_EQ(proof.a_stable, k <= j && j <= k + 2) << k << "," << j;
      EXPECT_EQ(proof.l_stable, k < j && j <= k + 2) << k << "," << j;
      EXPECT_EQ(proof.witness.has_value(), !proof.a_stable) << k << "," << j;
      if (!proof.witness) continue;
      EXPECT_LE(proof.witness->real, 0);
      const auto& [n, d] = proof.function;
      const auto& w = *proof.witness;
      EXPECT_TRUE(modulus_squared(n, w.real, w.imaginary) >
                  modulus_squared(d, w.real, w.imaginary));
    }
  }
}

TEST(ExactStability, PoleInTheLeftHalfPlaneHasAWitness) {
  // |R(iy)| < 1 on the whole axis, pole at -2: only the pole test can refuse it.
  const Poly num = Poly::constant(1), den({Number(1), Number(rational(1) / 2)});
  const StabilityProof proof = prove_stability({num, den});
  EXPECT_TRUE(proof.axis_holds);
  EXPECT_FALSE(proof.poles_hold);
  EXPECT_FALSE(proof.a_stable);
  ASSERT_TRUE(proof.witness);
  EXPECT_LT(proof.witness->real, 0);
}

TEST(ExactStability, NarrowInstabilityIsFound) {
  // E(x) = (x - 1)² - 1e-20 has a negative gap of width 2e-10; a plot or a grid misses it.
  const rational eps = rational(1) / mp::pow(mp::number<mp::gmp_int, mp::et_off>(10), 20);
  const Poly gap({Number(rational(1 - eps)), Number(-2), Number(1)});
  Poly odd, square;
  split_by_parity(gap, odd, square);
  EXPECT_EQ(odd.degree(), 2);
  const auto chain = sturm_chain(odd);
  const Number zero = 0;
  EXPECT_EQ(sign_changes(chain, &zero) - sign_changes(chain, nullptr), 2);
}

TEST(ExactStability, CommonFactorsAreCancelled) {
  const Poly factor({Number(1), Number(3)});
  const RationalFunction r =
      reduced(pade_of_exp(1, 2).num * factor, pade_of_exp(1, 2).den * factor);
  EXPECT_TRUE(r.num == pade_of_exp(1, 2).num);
  EXPECT_TRUE(r.den == pade_of_exp(1, 2).den);
}

struct Bdf {
  int k;
  std::vector<long> alpha;
  long beta;
};

TEST(ExactMultistep, BdfOneToSeven) {
  const std::vector<Bdf> all{{1, {-1, 1}, 1},
                             {2, {1, -4, 3}, 2},
                             {3, {-2, 9, -18, 11}, 6},
                             {4, {3, -16, 36, -48, 25}, 12},
                             {5, {-12, 75, -200, 300, -300, 137}, 60},
                             {6, {10, -72, 225, -400, 450, -360, 147}, 60},
                             {7, {-60, 490, -1764, 3675, -4900, 4410, -2940, 1089}, 420}};
  for (const Bdf& bdf : all) {
    Vector alpha, beta(bdf.alpha.size());
    for (const long a : bdf.alpha) alpha.emplace_back(a);
    beta.back() = bdf.beta;
    const MultistepProof proof = prove_multistep(alpha, beta);
    EXPECT_EQ(proof.order, bdf.k);
    EXPECT_TRUE(proof.error_constant == Number(rational(-1) / rational(bdf.k + 1)));
    EXPECT_EQ(proof.zero_stable, bdf.k <= 6);
    EXPECT_EQ(proof.a_stable, bdf.k <= 2);
    EXPECT_EQ(proof.l_stable, bdf.k <= 2);
    EXPECT_EQ(proof.witness.has_value(), bdf.k > 2);
  }
}

TEST(ExactMultistep, RootConditions) {
  const auto poly = [](std::vector<long> c) {
    return Poly(std::vector<Number>(c.begin(), c.end()));
  };
  EXPECT_TRUE(root_condition(poly({-1, 0, 1})));        // s = ±1
  EXPECT_FALSE(root_condition(poly({1, -2, 1})));       // double root 1
  EXPECT_FALSE(root_condition(poly({1, 2, 1})));        // double root -1
  EXPECT_TRUE(root_condition(poly({1, 0, 1})));         // ±i
  EXPECT_FALSE(root_condition(poly({1, 0, 2, 0, 1})));  // ±i twice
  EXPECT_FALSE(root_condition(poly({-2, 1})));          // s = 2
  EXPECT_TRUE(roots_inside_disc(poly({-1, 2})));
  EXPECT_FALSE(roots_inside_disc(poly({-1, 1})));
}

TEST(ExactMultistep, TrapezoidalAndAdams) {
  const MultistepProof tr = prove_multistep({-1, 1}, {1, 1});
  EXPECT_EQ(tr.order, 0);  // Σβ is twice what it should be
  const MultistepProof good = prove_multistep({-2, 2}, {1, 1});
  EXPECT_EQ(good.order, 2);
  EXPECT_TRUE(good.a_stable);
  EXPECT_FALSE(good.l_stable);
  EXPECT_TRUE(good.root_at_infinity == Number(-1));
  const MultistepProof adams = prove_multistep({0, -12, 12}, {-1, 8, 5});
  EXPECT_EQ(adams.order, 3);
  EXPECT_FALSE(adams.a_stable);
  EXPECT_FALSE(prove_multistep({-1, 1}, {1, 0}).a_stable);  // explicit Euler
  EXPECT_THROW(prove_multistep({1, 0}, {0, 1}), BadInput);
}

// Published closed forms of LMS3 (Zhang et al. 2022, section 2.1) at rational rho: A-stable, all
// roots at infinity -rho; at rho = 1 the common double root -1 breaks zero-stability.
TEST(ExactMultistep, ThreeStepFamilyAtRationalRho) {
  const std::vector<rational> all{0, rational(3) / 5, rational(9) / 10, 1};
  for (const rational& rho : all) {
    const rational d = rho * rho - 5 * rho + 10;
    const rational b = 6 / ((1 + rho) * d);
    const Vector alpha{Number(rational(-(10 * rho * rho - 5 * rho + 1) / d)),
                       Number(rational(3 * (5 * rho * rho - 9 * rho + 2) / d)),
                       Number(rational(-3 * (2 * rho * rho - 9 * rho + 5) / d)), Number(1)};
    const Vector beta{Number(rational(b * rho * rho * rho)), Number(rational(3 * b * rho * rho)),
                      Number(rational(3 * b * rho)), Number(b)};
    const MultistepProof proof = prove_multistep(alpha, beta);
    EXPECT_EQ(proof.order, 2);
    EXPECT_TRUE(proof.equal_roots_at_infinity);
    EXPECT_TRUE(proof.root_at_infinity == Number(rational(-rho)));
    EXPECT_EQ(proof.a_stable, rho != 1);
    EXPECT_EQ(proof.zero_stable, rho != 1);
    EXPECT_TRUE(proof.locus_holds);
    EXPECT_EQ(proof.l_stable, rho == 0);
  }
}

// SSP coefficients against those that are known, and orders of W-methods against runs with a wrong
// Jacobian.

std::string ssp_of(const Coefficients& method) {
  const TableauNumbers numbers = import_tableau(method);
  const auto found = ssp_coefficient(numbers.a, numbers.b);
  return found ? found->exact : "not decided";
}

// Gottlieb, Ketcheson & Shu, Strong Stability Preserving Runge-Kutta and Multistep Time
// Discretizations: forward Euler 1, SSPRK(3,3) 1, backward Euler unbounded, trapezoidal rule and
// midpoint rule 2, the classical method 0.
TEST(SspCoefficient, KnownMethods) {
  const auto of = [](const char* id) {
    return ssp_of(*method_registry().make(id)->coefficients());
  };
  EXPECT_EQ(of("euler_explicit"), "1");
  EXPECT_EQ(of("shu_osher_3"), "1");
  EXPECT_EQ(of("heun_2"), "1");
  EXPECT_EQ(of("erk4"), "0");
  EXPECT_EQ(of("dormand_prince_5"), "0");
  EXPECT_EQ(of("backward_euler"), "unbounded");
  EXPECT_EQ(of("trapezoidal"), "2");
  EXPECT_EQ(ssp_of(tableau_of_texts("midpoint", {{"1/2"}}, {"1"}, {"1/2"})), "2");
  EXPECT_EQ(
      verify_tableau(*method_registry().make("shu_osher_3")->coefficients()).facts.ssp_coefficient,
      "1");
}

// SSPRK(s,2), a_ij = 1/(s - 1): s - 1. With other first weights b (I + r A)^-1 has the entry
// 1/5 - 2/5 r + 1/10 r^2 on 3 stages.
TEST(SspCoefficient, FamiliesAndAlgebraicNumbers) {
  for (int s = 2; s <= 9; ++s) {
    const std::string a = "1/" + std::to_string(s - 1), b = "1/" + std::to_string(s);
    std::vector<std::vector<std::string>> rows(s, std::vector<std::string>(s, "0"));
    std::vector<std::string> nodes;
    for (int i = 0; i < s; ++i) {
      for (int j = 0; j < i; ++j) rows[i][j] = a;
      nodes.push_back(std::to_string(i) + "*" + a);
    }
    EXPECT_EQ(ssp_of(tableau_of_texts("ssp", rows, std::vector<std::string>(s, b), nodes)),
              std::to_string(s - 1));
  }
  const Coefficients irrational =
      tableau_of_texts("irrational", {{"0", "0", "0"}, {"1/2", "0", "0"}, {"1/2", "1/2", "0"}},
                       {"1/5", "2/5", "2/5"}, {"0", "1/2", "1"});
  const std::string g = "(3-sqrt(3))/6";  // Ferracina & Spijker 2008: 1 + sqrt(3), of order 3
  const Coefficients in_a_field =
      tableau_of_texts("sdirk", {{g, "0"}, {"sqrt(3)/3", g}}, {"1/2", "1/2"}, {g, "(3+sqrt(3))/6"});
  for (const auto& [method, wanted] :
       {std::pair(irrational, "2-sqrt(2)"), std::pair(in_a_field, "1+sqrt(3)")}) {
    const std::string found = ssp_of(method);
    const Vector numbers = numbers_of_texts({found, wanted});
    EXPECT_TRUE(numbers[0] == numbers[1]) << found;
  }
}

using Pair = std::array<double, 2>;

/// One step of y1' = y2, y2' = -sin(y1) with J, a matrix that is no Jacobian of it.
Pair w_step(const RosenbrockNumbers<wide>& m, const Pair& y, double h) {
  constexpr double J[2][2] = {{0.7, -0.4}, {1.1, 0.3}};
  std::vector<Pair> k;
  for (int i = 0; i < m.stages(); ++i) {
    Pair at = y, coupled{};
    for (int j = 0; j < i; ++j)
      for (int c = 0; c < 2; ++c) {
        at[c] += static_cast<double>(m.alpha[i][j]) * k[j][c];
        coupled[c] += static_cast<double>(m.gammas[i][j]) * k[j][c];
      }
    const double f[2] = {at[1], -std::sin(at[0])}, g = h * static_cast<double>(m.gamma);
    double r[2];
    for (int c = 0; c < 2; ++c) r[c] = h * (f[c] + J[c][0] * coupled[0] + J[c][1] * coupled[1]);
    const double a = 1 - g * J[0][0], b = -g * J[0][1], c = -g * J[1][0], d = 1 - g * J[1][1];
    k.push_back({(d * r[0] - b * r[1]) / (a * d - b * c), (a * r[1] - c * r[0]) / (a * d - b * c)});
  }
  Pair out = y;
  for (int i = 0; i < m.stages(); ++i)
    for (int c = 0; c < 2; ++c) out[c] += static_cast<double>(m.b[i]) * k[i][c];
  return out;
}

TEST(WOrder, IsThatOfRunsWithAWrongJacobian) {
  for (const char* id : {"ros3p", "ros34pw2", "rodasp", "rodas5p"}) {
    const Coefficients& written = *method_registry().make(id)->coefficients();
    const VerifyReport report = verify_coefficients(written);
    ASSERT_TRUE(report.facts.w_order.has_value()) << id;
    const RosenbrockNumbers<wide> numbers = rosenbrock_numbers<wide>(written);
    const auto end = [&](int steps) {
      Pair y{1, 0.5};
      for (int i = 0; i < steps; ++i) y = w_step(numbers, y, 1.0 / steps);
      return y[0];
    };
    // Differences of halved steps fall with the order, to its next power of h.
    const double coarse = end(128) - end(256), fine = end(256) - end(512);
    EXPECT_NEAR(std::log2(std::abs(coarse / fine)), *report.facts.w_order, 0.15) << id;
  }
}

// Orders by generated trees and by simplifying assumptions; collocation families in the node ring.

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

/// With order and stability function, the Padé approximant of these degrees less than s.
struct KnownFamily {
  Family family;
  int order_lost, numerator, denominator;
  bool algebraically_stable, symplectic;
};
constexpr KnownFamily known_families[] = {{Family::gauss, 0, 0, 0, true, true},
                                          {Family::radau_ia, 1, 1, 0, true, false},
                                          {Family::radau_iia, 1, 1, 0, true, false},
                                          {Family::lobatto_iiia, 2, 1, 1, false, false},
                                          {Family::lobatto_iiic, 2, 2, 0, true, false}};

TEST(ExactOrder, FamiliesAreThoseOfTextbooks) {
  for (const KnownFamily& known : known_families)
    for (int s = 2; s <= 12; ++s) {
      SCOPED_TRACE(family_name(known.family) + std::to_string(s));
      const MethodProof proof = prove_collocation(known.family, s);
      const RationalFunction pade = pade_of_exp(s - known.numerator, s - known.denominator);
      EXPECT_EQ(proof.order.order, 2 * s - known.order_lost);
      EXPECT_TRUE(proof.stability.function.num == pade.num);
      EXPECT_TRUE(proof.stability.function.den == pade.den);
      EXPECT_TRUE(proof.stability.a_stable);
      EXPECT_EQ(proof.algebraic.holds, known.algebraically_stable);
      EXPECT_EQ(proof.algebraic.symplectic, known.symplectic);
    }
}

TEST(ExactOrder, TreesAndButchersTheoremAgree) {
  for (const KnownFamily& known : known_families) {
    for (int s = 2; s <= 5; ++s) {
      const Operators method = collocation_operators(known.family, s);
      const Assumptions found = assumptions(method);
      const OrderProof trees = prove_order(method, found, true);
      const OrderProof theorem = prove_order(method, found, false);
      EXPECT_EQ(trees.order, theorem.order) << family_name(known.family) << s;
      EXPECT_EQ(theorem.route, "simplifying assumptions");
      EXPECT_GT(trees.failing, 0);
    }
  }
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
