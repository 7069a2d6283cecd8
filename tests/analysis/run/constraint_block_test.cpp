// How a block method on index 3 carries what it does not enforce.
#include "analysis/run/constraint_block.hpp"

#include <gtest/gtest.h>

#include "methods/core/registry.hpp"

namespace daemark {
namespace {

ConstraintBlock pair_of(const std::string& method) {
  return constraint_block(method_registry().make(method)->block().value());
}

// One stage at the end of the step: y1 = y0 + h(d f0 + B f1), d + B = 1. By hand rho = -d/B and
// coupling = -(d/B + 1)/B.
TEST(ConstraintBlock, OneStageByHand) {
  WideBlock block;
  block.B = {{wide(3) / 4}};
  block.d = {wide(1) / 4};
  block.nodes = {wide(1)};
  const ConstraintBlock pair = constraint_block(block);
  ASSERT_TRUE(pair.exists);
  EXPECT_DOUBLE_EQ(pair.rho, -1.0 / 3);
  EXPECT_DOUBLE_EQ(pair.coupling, -16.0 / 9);
}

// rho = R(inf): the limit of a Padé approximant with numerator degree k below the denominator's is
// 0, with equal degrees (-1)^r.
TEST(ConstraintBlock, RhoIsTheLimitOfTheStabilityFunction) {
  EXPECT_EQ(pair_of("pade_block(r=2,k=1)").rho, 0);
  EXPECT_NEAR(pair_of("pade_block(r=2,k=2)").rho, 1, 1e-15);
  EXPECT_NEAR(pair_of("pade_block(r=3,k=3)").rho, -1, 1e-15);
  EXPECT_NE(pair_of("pade_block(r=2,k=2)").coupling, 0) << "a Jordan block: linear growth";
}

TEST(ConstraintBlock, ASingularBHasNone) {
  WideBlock block;
  EXPECT_FALSE(constraint_block(block).exists);
  block.B = {{wide(0)}};
  block.d = {wide(1)};
  block.nodes = {wide(1)};
  EXPECT_FALSE(constraint_block(block).exists);
}

}  // namespace
}  // namespace daemark
