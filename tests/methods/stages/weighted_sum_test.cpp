#include "methods/stages/weighted_sum.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace daemark {
namespace {

// Entries are summed over the rows in their order, so a plain loop gives the same bits.
TEST(WeightedSum, IsThePlainSumForAnyLength) {
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  constexpr int rows = 5, stride = 16;
  std::vector<double> source(rows * stride), base(stride), weights(rows);
  for (auto* list : {&source, &base, &weights})
    for (double& x : *list) x = uniform(generator);
  const std::vector<int> offsets{3 * stride, 0, 4 * stride};
  for (int length = 0; length < stride; ++length) {
    std::vector<double> sum(stride, 7.0), sparse = sum;
    weighted_sum(sum.data(), base.data(), weights.data(), source.data(), stride, rows, length);
    sparse_weighted_sum(sparse.data(), base.data(), weights.data(), offsets.data(), source.data(),
                        3, length);
    for (int k = 0; k < stride; ++k) {
      double expected = base[k], expected_sparse = base[k];
      for (int j = 0; j < rows; ++j) expected += weights[j] * source[j * stride + k];
      for (int j = 0; j < 3; ++j) expected_sparse += weights[j] * source[offsets[j] + k];
      EXPECT_EQ(sum[k], k < length ? expected : 7.0) << length;
      EXPECT_EQ(sparse[k], k < length ? expected_sparse : 7.0) << length;
    }
  }
}

}  // namespace
}  // namespace daemark
