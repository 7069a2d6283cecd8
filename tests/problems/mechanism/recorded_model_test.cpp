#include "problems/mechanism/recorded_model.hpp"

#include <gtest/gtest.h>

#include "tests/support/mechanism_checks.hpp"

namespace daemark {
namespace {

/// Two masses, one depending on the other's position, with a gyroscopic term, drag, a load in time
/// and a rheonomic constraint: everything a model may hold.
struct Contraption {
  static constexpr int n = 3, m = 2;

  static std::vector<Quantity> coordinates() { return {{"a", "m"}, {"b", "m"}, {"c", "rad"}}; }
  static std::vector<Quantity> rows() { return {{"lambda_1", "1"}, {"lambda_2", "1"}}; }
  void mass(const Var* q, Var* M) const {
    M[0] = 2 + q[1] * q[1];
    M[4] = 3;
    M[8] = 1;
    M[1] = M[3] = cos(q[2]) / 2;
  }
  // f = −∂V/∂q + ½ ∂(vᵀMv)/∂q − Ṁ v − drag·v + load(t)
  void force(const Var& t, const Var* q, const Var* v, Var* f) const {
    const Var rate_00 = 2 * q[1] * v[1], rate_01 = -sin(q[2]) * v[2] / 2;
    f[0] = -9 * q[0] - rate_00 * v[0] - rate_01 * v[1] + sin(2 * t);
    f[1] = q[1] * v[0] * v[0] - rate_01 * v[0] - 4 * v[1];
    f[2] = -sin(q[2]) * v[0] * v[1] / 2 + q[2] * q[2];
  }
  void constraint(const Var& t, const Var* q, Var* phi) const {
    phi[0] = q[0] * q[0] + sin(q[1]) - cos(3 * t);
    phi[1] = q[2] * q[1] - q[0] * t;
  }
  Var potential(const Var&, const Var* q) const {
    return 9 * q[0] * q[0] / 2 - q[2] * q[2] * q[2] / 3;
  }
  void initial(Var* q, Var* v) const {
    q[0] = 1, q[1] = 0.5, q[2] = 0.25;
    v[2] = 4;
  }
};

TEST(RecordedModel, DerivativesAndRecordFitTheModel) {
  RecordedSystem<real50> system(mechanism_of(Contraption{}));
  for (const test::MotionSample& at : test::sample_motions(system, 4)) {
    test::check_derivatives(system, at);
    test::check_rates_of_constraints(system, at);
    test::check_record(system, at);
    test::check_mass(system, at);
  }
}

// R = Ma + Gᵀλ − f written out by hand at one point.
TEST(RecordedModel, HasTheSignsOfTheConvention) {
  RecordedSystem<double> system(mechanism_of(Contraption{}));
  const double q[] = {1, 0, 0}, v[] = {0, 2, 0}, a[] = {1, -1, 5}, lambda[] = {10, 100};
  double R[3], C[2];
  system.evaluate({0.0, q, v, a, lambda}, {1.0, 0.0, 0.0}, MotionValues<double>::equations(R, C));
  // M = [2 ½ 0; ½ 3 0; 0 0 1]; G = [2q0 cos q1 0; −t q2 q1] = [2 1 0; 0 0 0]; f = (−9, −8, 0).
  EXPECT_DOUBLE_EQ(R[0], 2 * 1 - 0.5 + 2 * 10 + 9);
  EXPECT_DOUBLE_EQ(R[1], 0.5 - 3 + 10 + 8);
  EXPECT_DOUBLE_EQ(R[2], 5);
  EXPECT_DOUBLE_EQ(C[0], 0);
  EXPECT_DOUBLE_EQ(C[1], 0);
}

TEST(RecordedModel, ExistsInAllScalars) {
  const MechanismMakers makers = model_makers(Contraption{});
  EXPECT_EQ(makers.in_double()->coordinates(), 3);
  EXPECT_EQ(makers.in_real50()->constraints(), 2);
  EXPECT_EQ(makers.in_real50()->constraint_names().back(), "lambda_2");
  EXPECT_NE(makers.in_double(), makers.in_double()) << "systems keep scratch: one per run";
}

}  // namespace
}  // namespace daemark
