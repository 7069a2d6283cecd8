#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "base/linear/sparse_lu.hpp"

namespace daemark {
namespace {

/// A band whose first row and column are full and too small to be pivots: they take part in every
/// elimination. Long lines are looked up, not looked through, and columns without a pivot are put
/// aside: two more ways to lose an entry.
TEST(SparseLuLongLines, AreEliminatedLikeOthers) {
  std::mt19937 generator(5);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const int n = 10000;
  std::vector<std::pair<int, int>> pattern = {{0, 0}};
  std::vector<double> values = {1}, x(n), right(n, 0.0);
  const auto add = [&](int row, int column, double value) {
    pattern.emplace_back(row, column), values.push_back(value);
  };
  for (int i = 1; i < n; ++i) {
    add(i, i, 4 + uniform(generator));
    if (i + 1 < n) add(i, i + 1, uniform(generator));
    if (i > 1) add(i, i - 1, uniform(generator));
    add(0, i, 1e-3 * uniform(generator)), add(i, 0, 1e-3 * uniform(generator));
  }
  SparseLu<double> lu;
  lu.set_pattern(n, pattern);
  ASSERT_TRUE(lu.factor(values.data()));
  EXPECT_LT(lu.nonzeros(), 8 * n);  // of the band and the border, no fill but the border's
  for (double& one : x) one = uniform(generator);
  for (std::size_t e = 0; e < values.size(); ++e)
    right[pattern[e].first] += values[e] * x[pattern[e].second];
  lu.solve(right.data());
  double worst = 0;
  for (int i = 0; i < n; ++i) worst = std::max(worst, std::abs(right[i] - x[i]));
  EXPECT_LT(worst, 1e-10);  // condition below 100, sums of n rounding errors
}

}  // namespace
}  // namespace daemark
