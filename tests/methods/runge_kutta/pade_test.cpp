#include "methods/runge_kutta/pade.hpp"

#include <gtest/gtest.h>

#include "tests/support/refusal.hpp"

namespace daemark {
namespace {

using Row = std::vector<wide>;
using Matrix = std::vector<Row>;

wide quotient(int p, int q) { return wide(p) / q; }

/// Guard digits for the check itself: Faddeev–LeVerrier cancels badly on large equidistant blocks.
using guarded = mp::number<mp::mpfr_float_backend<300, mp::allocate_stack>, mp::et_off>;
using GuardedRow = std::vector<guarded>;
using GuardedMatrix = std::vector<GuardedRow>;

struct Fraction {
  GuardedRow numerator, denominator;  // ascending, both of r + 1 entries
};

/// det(I − zB) and e_rᵀ adj(I − zB) (e + zd) from B and d alone (Faddeev–LeVerrier).
Fraction stability_function(const WideBlock& block) {
  const int r = block.size();
  Fraction result{GuardedRow(r + 1, guarded(0)), GuardedRow(r + 1, guarded(0))};
  GuardedMatrix B, adjugate(r, GuardedRow(r, guarded(0)));
  for (const Row& row : block.B) B.emplace_back(row.begin(), row.end());
  guarded coefficient = 1;
  for (int m = 0; m <= r; ++m) {
    GuardedMatrix next(r, GuardedRow(r, guarded(0)));
    guarded trace = 0;
    for (int i = 0; i < r; ++i) {
      for (int j = 0; j < r; ++j) {
        for (int l = 0; l < r; ++l) next[i][j] += B[i][l] * adjugate[l][j];
      }
      trace += next[i][i];
    }
    if (m > 0) coefficient = -trace / m;
    result.denominator[m] = coefficient;
    for (int i = 0; i < r; ++i) next[i][i] += coefficient;
    adjugate = next;
    for (int i = 0; i < r && m < r; ++i) {
      result.numerator[m] += adjugate[r - 1][i];
      result.numerator[m + 1] += adjugate[r - 1][i] * guarded(block.d[i]);
    }
  }
  return result;
}

void expect_coefficients(const GuardedRow& found, const std::vector<rational>& wanted,
                         const guarded& close) {
  for (std::size_t m = 0; m < found.size(); ++m) {
    const guarded want = m < wanted.size() ? static_cast<guarded>(wanted[m]) : guarded(0);
    const guarded scale = want == 0 ? guarded(1) : guarded(abs(want));
    EXPECT_LT(abs(found[m] - want), close * scale) << "power " << m;
  }
}

TEST(PadeApproximant, CoefficientsAreThoseOfExp) {
  EXPECT_EQ(pade_numerator(2, 3), (std::vector<rational>{1, rational(2, 5), rational(1, 20)}));
  EXPECT_EQ(pade_denominator(2, 3),
            (std::vector<rational>{1, rational(-3, 5), rational(3, 20), rational(-1, 60)}));
  for (int k = 0; k <= 6; ++k) {  // D exp − N = O(z^{k+j+1}) and no better
    for (int j = 0; j <= 6; ++j) {
      const std::vector<rational> n = pade_numerator(k, j), d = pade_denominator(k, j);
      for (int power = 0; power <= k + j + 1; ++power) {
        rational sum = power <= k ? rational(-n[power]) : rational(0);
        for (int m = 0; m <= std::min(j, power); ++m) {
          rational exp_coefficient = 1;
          for (int q = 2; q <= power - m; ++q) exp_coefficient /= q;
          sum += d[m] * exp_coefficient;
        }
        EXPECT_EQ(sum == 0, power <= k + j) << k << ' ' << j << ' ' << power;
      }
    }
  }
}

TEST(PadeBlock, StabilityFunctionIsThePadeApproximant) {
  for (const std::string& name : node_set_names()) {
    for (int r : {2, 3, 4, 5, 7, 10, 20}) {
      const Row nodes = node_set(name, r);
      for (int k = 0; k <= r; k += r > 5 ? r / 2 : 1) {
        for (int j = r - k; j <= r; j += r > 5 ? std::max(1, k / 2) : 1) {
          SCOPED_TRACE(name + " r " + std::to_string(r) + " k " + std::to_string(k) + " j " +
                       std::to_string(j));
          const WideBlock block = pade_block(nodes, k, j);
          const Fraction found = stability_function(block);
          expect_coefficients(found.denominator, pade_denominator(k, j), guarded("1e-90"));
          expect_coefficients(found.numerator, pade_numerator(k, j), guarded("1e-90"));
          EXPECT_EQ(singular_B(block), j < r);
        }
      }
    }
  }
}

// Eq. (5) is exact for y = 1, t, …, t^r, and gives μ_i for t^{r+1} (eqs. 8, 9).
TEST(PadeBlock, QuadratureConditions) {
  const WideBlock block = pade_block({quotient(1, 4), quotient(1, 2), quotient(5, 6), 1}, 2, 4);
  for (int i = 0; i < 4; ++i) {
    for (int m = 1; m <= 5; ++m) {
      wide sum = m == 1 ? block.d[i] : wide(0);
      for (int j = 0; j < 4; ++j) sum += block.B[i][j] * m * pow(block.nodes[j], m - 1);
      const wide wanted = m <= 4 ? wide(pow(block.nodes[i], m)) : block.mu[i];
      EXPECT_LT(abs(sum - wanted), wide("1e-120")) << i << ' ' << m;
    }
  }
}

void expect_block(const WideBlock& block, const Matrix& B, const Row& d) {
  const wide close("1e-120");
  for (int i = 0; i < block.size(); ++i) {
    EXPECT_LT(abs(block.d[i] - d[i]), close) << "d " << i;
    for (int j = 0; j < block.size(); ++j) {
      EXPECT_LT(abs(block.B[i][j] - B[i][j]), close) << "B " << i << ' ' << j;
    }
  }
}

TEST(LiPrintedCoefficients, Eq11IsEquidistant23) {
  const WideBlock block = pade_block(node_set("equidistant", 3), 2, 3);
  expect_block(block,
               {{quotient(107, 360), quotient(-37, 360), quotient(3, 120)},
                {quotient(17, 45), quotient(8, 45), quotient(-1, 45)},
                {quotient(9, 24), quotient(9, 24), quotient(3, 24)}},
               {quotient(41, 360), quotient(2, 15), quotient(3, 24)});
  EXPECT_LT(abs(block.mu[0] - quotient(1, 45)), wide("1e-120"));
  EXPECT_LT(abs(block.mu[1] - quotient(8, 45)), wide("1e-120"));
  EXPECT_LT(abs(block.mu[2] - 1), wide("1e-120"));
}

TEST(LiPrintedCoefficients, Eq14IsChebyshev13) {
  const wide r2 = sqrt(wide(2));
  const Matrix B = {{(11 - 2 * r2) / 24, (5 - 8 * r2) / 24, (7 * r2 - 1) / 48},
                    {(5 + 8 * r2) / 24, (11 + 2 * r2) / 24, -(7 * r2 + 1) / 48},
                    {quotient(2, 3), quotient(2, 3), quotient(-1, 6)}};
  const WideBlock block = pade_block(node_set("chebyshev", 3), 1, 3);
  expect_block(block, B, {(r2 - 7) / 48, -(r2 + 7) / 48, quotient(-1, 6)});
  EXPECT_LT(abs(block.mu[0] - (10 - 5 * r2) / 32), wide("1e-120"));
  EXPECT_GT(abs(pade_block(node_set("chebyshev", 3), 2, 3).B[0][0] - B[0][0]), wide("1e-3"));
}

TEST(LiPrintedCoefficients, Eq15IsLegendre13) {
  const wide r3 = sqrt(wide(3));
  const Matrix B = {{(27 + r3) / 72, (9 - 17 * r3) / 72, (3 + 5 * r3) / 72},
                    {(9 + 17 * r3) / 72, (27 - r3) / 72, (3 - 5 * r3) / 72},
                    {quotient(1, 2), quotient(1, 2), 0}};
  const WideBlock block = pade_block(node_set("legendre", 3), 1, 3);
  expect_block(block, B, {-(r3 + 3) / 72, (r3 - 3) / 72, 0});
  EXPECT_LT(abs(block.mu[1] - (3 + r3) / 12), wide("1e-120"));
  EXPECT_GT(abs(pade_block(node_set("legendre", 3), 2, 3).B[0][0] - B[0][0]), wide("1e-3"));
}

TEST(LiPrintedCoefficients, Eq16IsEquidistant44) {
  const WideBlock block = pade_block(node_set("equidistant", 4), 4, 4);
  const Row d = {quotient(1847, 20160), quotient(29, 360), quotient(179, 2240), quotient(14, 180)};
  for (int i = 0; i < 4; ++i) EXPECT_LT(abs(block.d[i] - d[i]), wide("1e-120")) << i;
}

TEST(LiPrintedCoefficients, Eq17IsEquidistant13) {
  expect_block(pade_block(node_set("equidistant", 3), 1, 3),
               {{quotient(43, 72), quotient(-29, 72), quotient(1, 8)},
                {quotient(19, 36), quotient(1, 36), quotient(1, 36)},
                {quotient(3, 8), quotient(3, 8), quotient(1, 8)}},
               {quotient(1, 72), quotient(1, 12), quotient(1, 8)});
}

TEST(NodeSet, KnownPoints) {
  EXPECT_LT(abs(node_set("chebyshev", 3)[0] - (2 - sqrt(wide(2))) / 4), wide("1e-125"));
  EXPECT_LT(abs(node_set("legendre", 3)[0] - (3 - sqrt(wide(3))) / 6), wide("1e-125"));
  EXPECT_LT(abs(node_set("radau", 2)[0] - quotient(1, 3)), wide("1e-125"));
  EXPECT_LT(abs(node_set("lobatto", 3)[0] - (5 - sqrt(wide(5))) / 10), wide("1e-125"));
  EXPECT_EQ(node_set("equidistant", 4)[0], quotient(1, 4));
  EXPECT_EQ(node_set("chebyshev", 2), node_set("legendre", 2));
  for (const std::string& name : node_set_names()) {
    for (int r = min_block_size; r <= max_block_size; ++r) {
      const Row nodes = node_set(name, r);
      ASSERT_EQ(static_cast<int>(nodes.size()), r);
      EXPECT_EQ(nodes.back(), 1);
      EXPECT_NO_THROW(pade_block(nodes, r - 1, r)) << name << r;
    }
  }
}

template <class Action>
void expect_refused(Action action, const std::string& says) {
  EXPECT_THAT(test::refusal(action), testing::HasSubstr(says));
}

TEST(PadeBlockRefuses, DegreesAndSizes) {
  const Row nodes = node_set("equidistant", 4);
  for (const auto& [k, j] : {std::pair(5, 4), {-1, 4}, {2, 5}, {2, -1}, {1, 2}}) {
    expect_refused([&, k = k, j = j] { pade_block(nodes, k, j); }, "k + j >= r");
  }
  expect_refused([] { pade_block({wide(1)}, 1, 1); }, "2..40");
  expect_refused([] { pade_block({}, 0, 0); }, "2..40");
  expect_refused([] { node_set("equidistant", 1); }, "2..40");
  expect_refused([] { node_set("radau", max_block_size + 1); }, "2..40");
  expect_refused([] { node_set("gauss", 3); }, "legendre");
}

TEST(PadeBlockRefuses, Nodes) {
  const wide half = quotient(1, 2), nan = std::numeric_limits<wide>::quiet_NaN();
  expect_refused([&] { pade_block({half, half, 1}, 2, 3); }, "distinct, ascending");
  expect_refused([&] { pade_block({half, quotient(1, 4), 1}, 2, 3); }, "distinct, ascending");
  expect_refused([&] { pade_block({0, half, 1}, 2, 3); }, "distinct, ascending");
  expect_refused([&] { pade_block({half, 1, 2}, 2, 3); }, "distinct, ascending");
  expect_refused([&] { pade_block({nan, half, 1}, 2, 3); }, "distinct, ascending");
  expect_refused([&] { pade_block({quotient(1, 4), half}, 2, 2); }, "must be 1");
  expect_refused([&] { pade_block({half, half + wide("1e-60"), 1}, 2, 3); }, "too close");
}

}  // namespace
}  // namespace daemark
