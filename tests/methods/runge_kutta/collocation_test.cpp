#include "methods/runge_kutta/collocation.hpp"

#include <gtest/gtest.h>

#include "tests/support/refusal.hpp"

namespace daemark {
namespace {

using Row = std::vector<wide>;
using Matrix = std::vector<Row>;

const wide tiny("1e-100");

struct NodeFamily {
  const char* name;
  WideTableau (*make)(int);
  int least;
  int order_drop;  // order 2s − order_drop
  int c_drop;      // C(s − c_drop)
  int d_drop;      // D(s − d_drop)
};

const NodeFamily families[] = {
    {"gauss", gauss, 1, 0, 0, 0},
    {"radau_ia", radau_ia, 1, 1, 1, 0},
    {"radau_iia", radau_iia, 1, 1, 0, 1},
    {"lobatto_iiia", lobatto_iiia, 2, 2, 0, 2},
    {"lobatto_iiic", lobatto_iiic, 2, 2, 1, 1},
};

/// powers[q][i] = c_i^q, q = 0..n.
Matrix powers(const Row& c, int n) {
  Matrix result(n + 1, Row(c.size(), wide(1)));
  for (int q = 1; q <= n; ++q) {
    for (std::size_t i = 0; i < c.size(); ++i) result[q][i] = result[q - 1][i] * c[i];
  }
  return result;
}

wide dot(const Row& x, const Row& y) {
  wide sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

wide defect_b(const WideTableau& method, int p) {
  const Matrix c = powers(method.c, p);
  wide worst = 0;
  for (int q = 1; q <= p; ++q) {
    worst = std::max<wide>(worst, abs(dot(method.b, c[q - 1]) - wide(1) / q));
  }
  return worst;
}

wide defect_c(const WideTableau& method, int eta) {
  const Matrix c = powers(method.c, eta);
  wide worst = 0;
  for (int q = 1; q <= eta; ++q) {
    for (int i = 0; i < method.stages(); ++i) {
      worst = std::max<wide>(worst, abs(dot(method.A[i], c[q - 1]) - c[q][i] / q));
    }
  }
  return worst;
}

wide defect_d(const WideTableau& method, int zeta) {
  const Matrix c = powers(method.c, zeta);
  wide worst = 0;
  for (int q = 1; q <= zeta; ++q) {
    for (int j = 0; j < method.stages(); ++j) {
      wide sum = 0;
      for (int i = 0; i < method.stages(); ++i) sum += method.b[i] * c[q - 1][i] * method.A[i][j];
      worst = std::max<wide>(worst, abs(sum - method.b[j] * (1 - c[q][j]) / q));
    }
  }
  return worst;
}

class CollocationFamilies : public testing::TestWithParam<NodeFamily> {};

TEST_P(CollocationFamilies, SimplifyingAssumptionsHoldAndAreSharp) {
  const NodeFamily& family = GetParam();
  for (int s : {1, 2, 3, 4, 5, 8, 13, 20, 50}) {
    if (s < family.least) continue;
    SCOPED_TRACE(s);
    const WideTableau method = family.make(s);
    ASSERT_EQ(method.stages(), s);
    const int order = 2 * s - family.order_drop, eta = s - family.c_drop, zeta = s - family.d_drop;
    EXPECT_LT(defect_b(method, order), tiny);
    EXPECT_LT(defect_c(method, eta), tiny);
    EXPECT_LT(defect_d(method, zeta), tiny);
    if (s > 8) continue;  // the next condition fails by an amount that shrinks with s
    EXPECT_GT(defect_b(method, order + 1), wide("1e-20"));
    EXPECT_GT(defect_c(method, eta + 1), wide("1e-20"));
    EXPECT_GT(defect_d(method, zeta + 1), wide("1e-20"));
  }
}

TEST_P(CollocationFamilies, NodesAscendAndOtherCountsAreRefused) {
  const NodeFamily& family = GetParam();
  const WideTableau method = family.make(max_collocation_stages);
  for (int i = 1; i < method.stages(); ++i) EXPECT_LT(method.c[i - 1], method.c[i]);
  EXPECT_GE(method.c.front(), 0);
  EXPECT_LE(method.c.back(), 1);
  for (int s : {-1, 0, family.least - 1, max_collocation_stages + 1}) {
    EXPECT_THAT(test::refusal([&] { family.make(s); }),
                AllOf(testing::HasSubstr(family.name),
                      testing::HasSubstr(".." + std::to_string(max_collocation_stages))));
  }
}

INSTANTIATE_TEST_SUITE_P(All, CollocationFamilies, testing::ValuesIn(families),
                         [](const auto& info) { return std::string(info.param.name); });

// Second route, no Legendre expansion: ∫_0^{c_i} l_j by a Gauss rule, l_j as a product of factors.
TEST(CollocationAccuracy, FiftyStagesAgreeWithLagrangeProducts) {
  const int s = 50;
  const WideTableau rule = gauss(s / 2);  // exact for degree s − 1
  for (const WideTableau& method : {gauss(s), radau_iia(s), lobatto_iiia(s)}) {
    Row own(s, wide(1));  // Π_{m≠j} (c_j − c_m)
    for (int j = 0; j < s; ++j) {
      for (int m = 0; m < s; ++m) own[j] *= m == j ? wide(1) : method.c[j] - method.c[m];
    }
    for (int i = 0; i < s; i += 7) {
      Row integral(s, wide(0));
      for (int g = 0; g < rule.stages(); ++g) {
        const wide x = method.c[i] * rule.c[g];
        wide all = 1;
        for (const wide& node : method.c) all *= x - node;
        for (int j = 0; j < s && method.c[i] != 0; ++j) {
          integral[j] += method.c[i] * rule.b[g] * all / ((x - method.c[j]) * own[j]);
        }
      }
      for (int j = 0; j < s; ++j) {
        EXPECT_LT(abs(integral[j] - method.A[i][j]), wide("1e-112")) << i << ' ' << j;
      }
    }
  }
}

TEST(CollocationStructure, RowsAndColumnsThatEqualTheWeightsDoSoExactly) {
  for (int s : {2, 3, 7, 50}) {
    EXPECT_EQ(radau_iia(s).A.back(), radau_iia(s).b);
    EXPECT_EQ(lobatto_iiia(s).A.back(), lobatto_iiia(s).b);
    EXPECT_EQ(lobatto_iiia(s).A.front(), Row(s, wide(0)));
    EXPECT_EQ(lobatto_iiic(s).A.back(), lobatto_iiic(s).b);
    EXPECT_EQ(radau_iia(s).c.back(), 1);
    EXPECT_EQ(lobatto_iiic(s).c.back(), 1);
    EXPECT_EQ(radau_ia(s).c.front(), 0);
    for (const WideTableau& method : {radau_ia(s), lobatto_iiic(s)}) {
      for (const Row& row : method.A) EXPECT_EQ(row[0], method.b[0]);
    }
  }
}

}  // namespace
}  // namespace daemark
