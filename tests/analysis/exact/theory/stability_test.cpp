// A- and L-stability decided exactly: Ehle's theorem as a map, known functions, multistep formulas.
#include "analysis/exact/theory/stability.hpp"

#include <gtest/gtest.h>

#include "analysis/exact/proof/verify.hpp"
#include "analysis/exact/theory/multistep.hpp"
#include "base/text/bad_input.hpp"

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

TEST(ExactMultistep, BdfOneToSix) {
  const std::vector<Bdf> all{{1, {-1, 1}, 1},
                             {2, {1, -4, 3}, 2},
                             {3, {-2, 9, -18, 11}, 6},
                             {4, {3, -16, 36, -48, 25}, 12},
                             {5, {-12, 75, -200, 300, -300, 137}, 60},
                             {6, {10, -72, 225, -400, 450, -360, 147}, 60}};
  for (const Bdf& bdf : all) {
    Vector alpha, beta(bdf.alpha.size());
    for (const long a : bdf.alpha) alpha.emplace_back(a);
    beta.back() = bdf.beta;
    const MultistepProof proof = prove_multistep(alpha, beta);
    EXPECT_EQ(proof.order, bdf.k);
    EXPECT_TRUE(proof.error_constant == Number(rational(-1) / rational(bdf.k + 1)));
    EXPECT_TRUE(proof.zero_stable);
    EXPECT_EQ(proof.a_stable, bdf.k <= 2);
    EXPECT_EQ(proof.l_stable, bdf.k <= 2);
    EXPECT_EQ(proof.witness.has_value(), bdf.k > 2);
  }
}

TEST(ExactMultistep, BdfSevenIsNotZeroStable) {
  const std::vector<long> a{-60, 490, -1764, 3675, -4900, 4410, -2940, 1089};
  Vector alpha, beta(8);
  for (const long x : a) alpha.emplace_back(x);
  beta.back() = 420;
  const MultistepProof proof = prove_multistep(alpha, beta);
  EXPECT_EQ(proof.order, 7);
  EXPECT_FALSE(proof.zero_stable);
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

}  // namespace
}  // namespace daemark::exact
