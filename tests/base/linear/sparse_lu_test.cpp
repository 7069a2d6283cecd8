#include "base/linear/sparse_lu.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

#include "tests/support/allocation_counter.hpp"

namespace daemark {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

using Pattern = std::vector<std::pair<int, int>>;

template <class F>
struct Matrix {
  int n = 0;
  Pattern pattern;
  std::vector<F> values;

  void add(int row, int column, const F& value) {
    pattern.push_back({row, column});
    values.push_back(value);
  }
};

template <class F>
using Dense = Eigen::Matrix<F, Eigen::Dynamic, Eigen::Dynamic>;
template <class F>
using Column = Eigen::Matrix<F, Eigen::Dynamic, 1>;

template <class F>
Dense<F> dense(const Matrix<F>& a) {
  Dense<F> result = Dense<F>::Zero(a.n, a.n);
  for (std::size_t e = 0; e < a.values.size(); ++e) {
    result(a.pattern[e].first, a.pattern[e].second) = a.values[e];
  }
  return result;
}

template <class F>
F random_value(std::mt19937& generator) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  if constexpr (std::is_same_v<F, double>) {
    return uniform(generator);
  } else {
    const double re = uniform(generator);
    return F(re, uniform(generator));
  }
}

/// A random permutation is in the pattern, so that it is structurally nonsingular; the diagonal is
/// mostly empty, so that it needs pivoting.
template <class F>
Matrix<F> random_matrix(int n, double density, std::mt19937& generator) {
  std::vector<int> transversal(n);
  for (int i = 0; i < n; ++i) transversal[i] = i;
  std::shuffle(transversal.begin(), transversal.end(), generator);
  std::bernoulli_distribution present(density);
  Matrix<F> a;
  a.n = n;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      if (present(generator) || transversal[i] == j) a.add(i, j, random_value<F>(generator));
    }
  }
  std::vector<std::size_t> order(a.values.size());
  for (std::size_t e = 0; e < order.size(); ++e) order[e] = e;
  std::shuffle(order.begin(), order.end(), generator);
  Matrix<F> shuffled{n, {}, {}};
  for (const std::size_t e : order) {
    shuffled.add(a.pattern[e].first, a.pattern[e].second, a.values[e]);
  }
  return shuffled;
}

template <class F>
Column<F> solution(const SparseLu<F>& lu, const Column<F>& right) {
  Column<F> x = right;
  lu.solve(x.data());
  return x;
}

/// Normwise backward error of lu as a solver of a x = b for a random b.
template <class F>
double backward_error(const SparseLu<F>& lu, const Matrix<F>& a) {
  std::mt19937 generator(7);
  Column<F> b(a.n);
  for (int i = 0; i < a.n; ++i) b[i] = random_value<F>(generator);
  const Column<F> x = solution(lu, b);
  const Dense<F> full = dense(a);
  return (full * x - b).norm() / (full.norm() * x.norm() + b.norm());
}

template <class F>
class SparseLuFloating : public testing::Test {};
using Floating = testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(SparseLuFloating, Floating);

TYPED_TEST(SparseLuFloating, AgreesWithDenseEigen) {
  std::mt19937 generator(1);
  for (const int n : {1, 2, 3, 7, 20, 40, 60}) {
    for (const double density : {0.05, 0.2, 1.0}) {
      for (int repeat = 0; repeat < 10; ++repeat) {
        const auto a = random_matrix<TypeParam>(n, density, generator);
        const Eigen::FullPivLU<Dense<TypeParam>> reference(dense(a));
        SparseLu<TypeParam> lu;
        lu.set_pattern(n, a.pattern);
        ASSERT_TRUE(lu.factor(a.values.data())) << n << " " << lu_status_name(lu.status());
        EXPECT_LT(backward_error(lu, a), 1e-13) << n;
        const Column<TypeParam> b = Column<TypeParam>::Ones(n);
        const Column<TypeParam> expected = reference.solve(b);
        EXPECT_LT((solution(lu, b) - expected).norm(), 1e-13 / reference.rcond() * expected.norm());
      }
    }
  }
}

TYPED_TEST(SparseLuFloating, LongRowsAreEliminatedWithoutLists) {
  std::mt19937 generator(2);
  const auto a = random_matrix<TypeParam>(100, 1.0, generator);
  SparseLu<TypeParam> lu;
  lu.set_pattern(a.n, a.pattern);
  ASSERT_TRUE(lu.factor(a.values.data()));
  EXPECT_EQ(lu.operations(), 99 * 100 * 199 / 6);  // Σ k², more than lists are kept for
  EXPECT_LT(backward_error(lu, a), 1e-13);
}

TYPED_TEST(SparseLuFloating, RefactorsChangedValuesOverTheSamePattern) {
  std::mt19937 generator(3);
  for (const double density : {0.1, 1.0}) {  // with and without lists
    auto a = random_matrix<TypeParam>(90, density, generator);
    const auto first_values = a.values;
    SparseLu<TypeParam> lu;
    lu.set_pattern(a.n, a.pattern);
    ASSERT_TRUE(lu.factor(a.values.data()));
    const Column<TypeParam> b = Column<TypeParam>::Ones(a.n);
    const Column<TypeParam> first = solution(lu, b);
    for (int change = 0; change < 20; ++change) {
      for (auto& value : a.values) value *= 1.0 + 0.01 * std::abs(random_value<double>(generator));
      ASSERT_TRUE(lu.factor(a.values.data()));
      EXPECT_LT(backward_error(lu, a), 1e-13);
    }
    EXPECT_EQ(lu.analyses(), 1);
    ASSERT_TRUE(lu.factor(first_values.data()));
    EXPECT_EQ(solution(lu, b), first);  // to the last bit: nothing is left of what came between
  }
}

/// With and without lists; nothing but the first factorisation allocates.
TYPED_TEST(SparseLuFloating, UnrelatedValuesStayAccurate) {
  std::mt19937 generator(4);
  for (const double density : {0.15, 1.0}) {
    auto a = random_matrix<TypeParam>(density < 1 ? 40 : 90, density, generator);
    SparseLu<TypeParam> lu;
    lu.set_pattern(a.n, a.pattern);
    for (int change = 0; change < 200; ++change) {
      for (auto& value : a.values) {
        value = random_value<TypeParam>(generator) * std::pow(10.0, -3.0 * (generator() % 4));
      }
      std::vector<TypeParam> x(a.n, TypeParam(1));
      const std::size_t before = test::allocations();
      const bool good = lu.factor(a.values.data());
      if (good) lu.solve(x.data());
      const std::size_t after = test::allocations();
      EXPECT_EQ(after > before, change == 0) << change;
      ASSERT_TRUE(good) << change;
      EXPECT_LT(backward_error(lu, a), 1e-11) << change;
    }
    EXPECT_GT(lu.analyses(), 5);
  }
}

TYPED_TEST(SparseLuFloating, ChoosesAnewWhenAPivotFades) {
  using F = TypeParam;
  for (const double small : {1e-9, 1e-17, 0.0}) {
    Matrix<F> a{2, {{0, 0}, {0, 1}, {1, 0}, {1, 1}}, {F(10), F(1), F(1), F(2)}};
    SparseLu<F> lu;
    lu.set_pattern(2, a.pattern);
    ASSERT_TRUE(lu.factor(a.values.data()));
    a.values = {F(small), F(1), F(1), F(2)};
    ASSERT_TRUE(lu.factor(a.values.data()));
    EXPECT_EQ(lu.analyses(), 2) << small;
    EXPECT_LT(backward_error(lu, a), 1e-15) << small;
    ASSERT_TRUE(lu.factor(a.values.data()));
    EXPECT_EQ(lu.analyses(), 2) << small;
  }
}

/// Index-3 blocks [M h²Gᵀ; G 0]: the multiplier pivots are tiny beside the rest of their rows.
TEST(SparseLu, SmallSchurComplementIsNoReasonToChooseAnew) {
  for (const double h : {1e-1, 1e-3, 1e-5}) {
    Matrix<double> a{3, {{0, 0}, {1, 1}, {0, 2}, {1, 2}, {2, 0}, {2, 1}}, {}};
    SparseLu<double> lu;
    lu.set_pattern(3, a.pattern);
    for (int step = 0; step < 100; ++step) {
      const double x = std::cos(0.02 * step), y = std::sin(0.02 * step);
      a.values = {1, 1, h * h * x, h * h * y, x, y};
      ASSERT_TRUE(lu.factor(a.values.data()));
      // x = M⁻¹(f − h²Gᵀλ), G x = g for f = (1, 1), g = 0
      const Eigen::Vector3d unknown = solution<double>(lu, Eigen::Vector3d(1, 1, 0));
      EXPECT_NEAR(unknown[0], 1 - x * (x + y), 1e-14);
      EXPECT_NEAR(unknown[1], 1 - y * (x + y), 1e-14);
      EXPECT_NEAR(unknown[2] * h * h, x + y, 1e-14);
    }
    EXPECT_LE(lu.analyses(), 2) << h;  // y = 0 at first
  }
}

TYPED_TEST(SparseLuFloating, UnitsDoNotMatter) {
  std::mt19937 generator(5);
  for (int repeat = 0; repeat < 20; ++repeat) {
    auto a = random_matrix<TypeParam>(25, 0.2, generator);
    SparseLu<TypeParam> plain, scaled;
    plain.set_pattern(a.n, a.pattern);
    scaled.set_pattern(a.n, a.pattern);
    ASSERT_TRUE(plain.factor(a.values.data()));
    const Column<TypeParam> b = Column<TypeParam>::Ones(a.n);
    Column<TypeParam> scaled_b = b;
    for (std::size_t e = 0; e < a.values.size(); ++e) {
      a.values[e] = a.values[e] * std::ldexp(1.0, 60 * (a.pattern[e].first % 7 - 3));
    }
    for (int i = 0; i < a.n; ++i) scaled_b[i] *= std::ldexp(1.0, 60 * (i % 7 - 3));
    ASSERT_TRUE(scaled.factor(a.values.data()));
    EXPECT_EQ(solution(scaled, scaled_b), solution(plain, b));  // powers of two: the same digits
  }
}

TYPED_TEST(SparseLuFloating, SingularMatricesAreReported) {
  using F = TypeParam;
  std::mt19937 generator(6);
  for (int repeat = 0; repeat < 50; ++repeat) {
    auto a = random_matrix<F>(12, 1.0, generator);
    SparseLu<F> lu;
    lu.set_pattern(a.n, a.pattern);
    ASSERT_TRUE(lu.factor(a.values.data()));
    const auto regular = a.values;
    Dense<F> full = dense(a);  // last row: a sum of multiples of the others
    full.row(11) = full.row(3) * F(0.3) + full.row(5) * F(1.7) - full.row(8) * F(0.9);
    for (std::size_t e = 0; e < a.values.size(); ++e) {
      a.values[e] = full(a.pattern[e].first, a.pattern[e].second);
    }
    EXPECT_FALSE(lu.factor(a.values.data())) << repeat;
    EXPECT_EQ(lu.status(), LuStatus::singular);
    Column<F> x = Column<F>::Ones(a.n);
    EXPECT_THROW(lu.solve(x.data()), std::logic_error);
    EXPECT_TRUE(lu.factor(regular.data()));  // and forgotten
    SparseLu<F> other;
    other.set_pattern(a.n, a.pattern);
    EXPECT_FALSE(other.factor(a.values.data())) << repeat;
  }
}

TEST(SparseLu, StructurallySingularAndZeroMatricesAreReported) {
  SparseLu<double> lu;
  const double values[] = {1, 2, 3, 4};
  lu.set_pattern(3, {{0, 0}, {1, 1}, {0, 1}});  // an empty row
  EXPECT_FALSE(lu.factor(values));
  EXPECT_EQ(lu.status(), LuStatus::singular);
  lu.set_pattern(3, {{0, 0}, {1, 0}, {2, 0}, {2, 1}});  // an empty column
  EXPECT_FALSE(lu.factor(values));
  lu.set_pattern(2, {});
  EXPECT_FALSE(lu.factor(values));
  lu.set_pattern(2, {{0, 0}, {1, 1}});
  const double zeros[] = {1, 0};
  EXPECT_FALSE(lu.factor(zeros));
  EXPECT_EQ(lu.status(), LuStatus::singular);
}

TYPED_TEST(SparseLuFloating, WhatIsNotFiniteIsReportedWhereverItStands) {
  std::mt19937 generator(8);
  const auto a = random_matrix<TypeParam>(15, 0.2, generator);
  for (std::size_t e = 0; e < a.values.size(); ++e) {
    for (const double bad : {kNan, kInfinity, -kInfinity}) {
      auto values = a.values;
      values[e] = TypeParam(bad);
      SparseLu<TypeParam> lu;
      lu.set_pattern(a.n, a.pattern);
      EXPECT_FALSE(lu.factor(values.data())) << "first, entry " << e;
      EXPECT_EQ(lu.status(), LuStatus::not_finite);
      ASSERT_TRUE(lu.factor(a.values.data()));
      EXPECT_FALSE(lu.factor(values.data())) << "later, entry " << e;
      EXPECT_EQ(lu.status(), LuStatus::not_finite);
      ASSERT_TRUE(lu.factor(a.values.data()));
      EXPECT_LT(backward_error(lu, a), 1e-13);
    }
  }
}

TEST(SparseLu, OverflowOnTheWayIsReported) {
  SparseLu<double> lu;
  lu.set_pattern(2, {{0, 0}, {0, 1}, {1, 0}, {1, 1}});
  const double values[] = {1e308, 1e308, -1e308, 1e308};
  EXPECT_FALSE(lu.factor(values));
  EXPECT_EQ(lu.status(), LuStatus::not_finite);
}

TEST(SparseLu, UnusablePatternsAreRefused) {
  SparseLu<double> lu;
  EXPECT_THROW(lu.set_pattern(0, {}), std::invalid_argument);
  EXPECT_THROW(lu.set_pattern(-3, {}), std::invalid_argument);
  EXPECT_THROW(lu.set_pattern(2, {{0, 0}, {1, 2}}), std::invalid_argument);
  EXPECT_THROW(lu.set_pattern(2, {{-1, 0}}), std::invalid_argument);
  EXPECT_THROW(lu.set_pattern(2, {{0, 0}, {1, 1}, {0, 0}}), std::invalid_argument);
  const double value = 1;
  EXPECT_THROW(lu.factor(&value), std::logic_error);
  double x = 1;
  EXPECT_THROW(lu.solve(&x), std::logic_error);
}

TEST(SparseLu, OrderAvoidsFill) {
  Matrix<double> arrow{50, {}, {}};  // full first row and column: eliminated last
  for (int i = 0; i < arrow.n; ++i) {
    arrow.add(i, i, 2);
    if (i > 0) arrow.add(0, i, 1);
    if (i > 0) arrow.add(i, 0, 1);
  }
  SparseLu<double> lu;
  lu.set_pattern(arrow.n, arrow.pattern);
  EXPECT_EQ(lu.nonzeros(), 0);
  ASSERT_TRUE(lu.factor(arrow.values.data()));
  EXPECT_EQ(lu.nonzeros(), 3 * 50 - 2);
  EXPECT_LT(backward_error(lu, arrow), 1e-15);
}

/// A band whose first row and column are full and too small to be pivots: they take part in every
/// elimination. Long lines are looked up, not looked through, and columns without a pivot are put
/// aside: two more ways to lose an entry.
TEST(SparseLu, LongLinesAreEliminatedLikeOthers) {
  std::mt19937 generator(5);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Matrix<double> a{10000, {{0, 0}}, {1}};
  for (int i = 1; i < a.n; ++i) {
    a.add(i, i, 4 + uniform(generator));
    if (i + 1 < a.n) a.add(i, i + 1, uniform(generator));
    if (i > 1) a.add(i, i - 1, uniform(generator));
    a.add(0, i, 1e-3 * uniform(generator)), a.add(i, 0, 1e-3 * uniform(generator));
  }
  SparseLu<double> lu;
  lu.set_pattern(a.n, a.pattern);
  ASSERT_TRUE(lu.factor(a.values.data()));
  EXPECT_LT(lu.nonzeros(), 8 * a.n);  // of the band and the border, no fill but the border's
  Column<double> x(a.n), right = Column<double>::Zero(a.n);
  for (double& one : x) one = uniform(generator);
  for (std::size_t e = 0; e < a.values.size(); ++e)
    right[a.pattern[e].first] += a.values[e] * x[a.pattern[e].second];
  // Condition below 100, sums of n rounding errors.
  EXPECT_LT((solution(lu, right) - x).cwiseAbs().maxCoeff(), 1e-10);
}

TEST(SparseLuRational, ZeroPivotsAndSingularMatrices) {
  SparseLu<rational> lu;
  lu.set_pattern(2, {{0, 0}, {0, 1}, {1, 0}, {1, 1}});
  const std::vector<std::vector<rational>> regular = {
      {1, 2, 3, 4}, {0, 2, 3, 4}, {1, 0, 3, 4}, {1, 2, 0, 4}, {1, 2, 3, 0}};
  for (const auto& m : regular) {
    ASSERT_TRUE(lu.factor(m.data()));
    rational x[] = {m[0] * 5 + m[1] * 7, m[2] * 5 + m[3] * 7};
    lu.solve(x);
    EXPECT_EQ(x[0], 5);
    EXPECT_EQ(x[1], 7);
  }
  EXPECT_GT(lu.analyses(), 1);
  const rational third = rational(1) / 3;
  const std::vector<rational> singular = {third, rational(1), rational(1), rational(3)};
  EXPECT_FALSE(lu.factor(singular.data()));
  EXPECT_EQ(lu.status(), LuStatus::singular);
}

}  // namespace
}  // namespace daemark
