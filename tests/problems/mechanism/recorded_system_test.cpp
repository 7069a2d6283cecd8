#include <gtest/gtest.h>

#include "base/text/bad_input.hpp"
#include "problems/mechanism/recorded_model.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/mechanism_checks.hpp"

namespace daemark {
namespace {

/// Masses 1, 2, … on each coordinate and a unit mass at x = Σ sin q_i + q_first q_last:
/// M = D + w wᵀ, w = ∂x/∂q, and the force −w (vᵀ ∂²x/∂q² v); a potential ½ Σ q_i².
PartFunctions embedded_mass(const PartArguments& at) {
  const std::size_t k = at.q.size();
  std::vector<Var> w;
  for (const Var& q : at.q) w.push_back(cos(q));
  w[0] += at.q[k - 1], w[k - 1] += at.q[0];
  PartFunctions f;
  Var bending = Var(2) * at.v[0] * at.v[k - 1];
  for (std::size_t i = 0; i < k; ++i) bending -= sin(at.q[i]) * square(at.v[i]);
  for (std::size_t i = 0; i < k; ++i) {
    f.force.push_back(-w[i] * bending - at.q[i]);
    f.potential += square(at.q[i]) / Var(2);
    for (std::size_t j = 0; j < k; ++j)
      f.mass.push_back(w[std::min(i, j)] * w[std::max(i, j)] +
                       (i == j ? Var(static_cast<int>(i) + 1) : Var()));
  }
  return f;
}

/// ½ c s² with s = a₀ b₁ + sin c₅ + a₁ c₀ over nodes a, b, c of widths 2, 3, 6; datum: c.
PartFunctions three_node_spring(const PartArguments& at) {
  const auto& z = at.q;
  const Var stretch = z[0] * z[3] + sin(z[10]) + z[1] * z[5], tension = at.data[0] * stretch;
  PartFunctions f;
  f.force.resize(11);
  f.force[0] = -tension * z[3], f.force[3] = -tension * z[0];
  f.force[1] = -tension * z[5], f.force[5] = -tension * z[1];
  f.force[10] = -tension * cos(z[10]);
  f.potential = tension * stretch / Var(2);
  return f;
}

/// A damper that grows with the distance from the other node's first coordinate, driven by time.
PartFunctions two_node_damper(const PartArguments& at) {
  PartFunctions f;
  for (int i = 0; i < 5; ++i) {
    f.force.push_back(at.t * at.q[4] -
                      (Var(1) + square(at.q[2])) * (at.v[i] - at.v[2]) * (at.q[i] - at.q[2]));
    f.dissipation += f.force[i] * at.v[i];
  }
  return f;
}

/// Over nodes of widths 3, 2 and 6; the second row moves with time.
PartFunctions two_rows(const PartArguments& at) {
  const auto& z = at.q;
  PartFunctions f;
  f.rows = {sin(z[0]) + z[5] * z[6] - z[3] + z[4], square(z[1]) * z[7] + cos(z[10]) - sin(at.t)};
  return f;
}

/// A row linear in one node, which has no curvature.
PartFunctions linear_row(const PartArguments& at) {
  PartFunctions f;
  f.rows = {Var(3) * at.q[0] - at.q[1]};
  return f;
}

constexpr ElementNode a{0, 2}, b{2, 3}, c{5, 6};

/// Elements on one to three nodes, of two of which the ground holds one; several of a kind.
std::shared_ptr<Mechanism> sample() {
  auto made = std::make_shared<Mechanism>();
  for (int i = 0; i < 11; ++i) {
    made->coordinates.push_back({"q" + std::to_string(i), "m"});
    made->q0.push_back(wide(i - 4) / 7), made->v0.push_back(wide(3 - i) / 5);
  }
  ElementKinds kinds;
  const auto add = [&](const char* law, const std::vector<ElementNode>& nodes,
                       const std::vector<wide>& data, const std::vector<Quantity>& rows,
                       const Part::Recorder& record) {
    made->elements.push_back(kinds.make({law, {}}, nodes, data, rows, record));
  };
  for (const ElementNode& node : {a, b, c}) add("mass", {node}, {}, {}, embedded_mass);
  for (const int stiffness : {7, 3, 2, 9, 4})
    add("spring", {a, b, c}, {wide(stiffness)}, {}, three_node_spring);
  add("spring", {a, {-1, 3}, c}, {5}, {}, three_node_spring);
  add("damper", {a, b}, {}, {}, two_node_damper);
  add("damper", {{-1, 2}, b}, {}, {}, two_node_damper);
  add("rows", {b, a, c}, {}, {{"one", "1"}, {"two", "1"}}, two_rows);
  add("line", {a}, {}, {{"line", "m"}}, linear_row);
  add("rows", {{-1, 3}, a, c}, {}, {{"three", "1"}, {"four", "1"}}, two_rows);
  return made;
}

/// The same as one part.
std::shared_ptr<Mechanism> whole_sample() {
  const auto pieces = sample();
  auto whole = std::make_shared<Mechanism>(*pieces);
  whole->elements = {whole_of(*pieces)};
  return whole;
}

TEST(RecordedSystem, BlocksAgreeWithDifferences) {
  for (const auto& mechanism : {sample(), whole_sample()}) {
    RecordedSystem<real50> system(mechanism);
    ASSERT_EQ(system.constraint_names(),
              (std::vector<std::string>{"one", "two", "line", "three", "four"}));
    EXPECT_TRUE(system.has_power());
    for (const test::MotionSample& at : test::sample_motions(system, 4)) {
      test::check_derivatives(system, at);
      test::check_rates_of_constraints(system, at);
      test::check_record(system, at);
      test::check_energy_rate(system, at);
      test::check_mass(system, at);
    }
  }
}

/// Instances side by side, one by one (in 50 digits) and all in one part.
TEST(RecordedSystem, LanesAndTheWholePartGiveTheSameResidual) {
  RecordedSystem<double> pieces(sample()), whole(whole_sample());
  RecordedSystem<real50> exact(sample());
  const int n = pieces.coordinates(), m = pieces.constraints();
  std::vector<double> q(n), v(n), acceleration(n, 0.5), lambda(m, 0.25), R(n), same(n);
  std::vector<real50> q50(n), v50(n), a50(n, real50(0.5)), lambda50(m, real50(0.25)), R50(n);
  pieces.initial(q.data(), v.data());
  for (int i = 0; i < n; ++i) q50[i] = q[i], v50[i] = v[i];
  const MotionPoint<double> point{0.5, q.data(), v.data(), acceleration.data(), lambda.data()};
  pieces.evaluate(point, {}, MotionValues<double>::equations(R.data(), nullptr));
  whole.evaluate(point, {}, MotionValues<double>::equations(same.data(), nullptr));
  exact.evaluate({real50(0.5), q50.data(), v50.data(), a50.data(), lambda50.data()}, {},
                 MotionValues<real50>::equations(R50.data(), nullptr));
  for (int i = 0; i < n; ++i) {  // some hundred operations on numbers of the size of ten
    EXPECT_NEAR(R[i], to_double(R50[i]), 1e-13) << i;
    EXPECT_NEAR(same[i], to_double(R50[i]), 1e-13) << i;
  }
}

/// R = M a − f + Gᵀλ from pieces evaluated one by one.
TEST(RecordedSystem, PiecesMakeUpTheResidual) {
  RecordedSystem<real50> system(sample());
  const int n = system.coordinates(), m = system.constraints();
  const test::MotionSample at = test::sample_motions(system, 2).back();
  std::vector<real50> whole(n), inertia(n), force(n), gradient(system.gradient_pattern().size());
  const auto evaluate = [&](real50* MotionValues<real50>::*member, std::vector<real50>& into) {
    MotionValues<real50> out;
    out.*member = into.data();
    system.evaluate(at.view(), {}, out);
  };
  evaluate(&MotionValues<real50>::residual, whole);
  evaluate(&MotionValues<real50>::inertia, inertia);
  evaluate(&MotionValues<real50>::force, force);
  evaluate(&MotionValues<real50>::gradient, gradient);
  const std::vector<real50> G = test::dense(system.gradient_pattern(), gradient);
  std::vector<real50> sum(n);
  for (int i = 0; i < n; ++i) {
    sum[i] = inertia[i] - force[i];
    for (int r = 0; r < m; ++r) sum[i] += G[r * n + i] * at.lambda[r];
  }
  // Some thirty products an entry.
  test::expect_close(whole, sum, 100 * unit_roundoff<real50>(), "residual");
  EXPECT_GT(test::largest(inertia), 0.1);
  EXPECT_GT(test::largest(force), 0.1);
}

TEST(RecordedSystem, PatternsHoldWhatIsNotZeroByStructure) {
  const RecordedSystem<double> system(sample());
  // M: three dense blocks. G: rows of 5, 4, 2, 2 and 2 entries; the linear row does not curve.
  EXPECT_EQ(system.mass_pattern().size(), 4 + 9 + 36);
  EXPECT_EQ(system.gradient_pattern().size(), 5 + 3 + 2 + 4 + 1);
  EXPECT_EQ(system.curvature_pattern().size(), 3 + 3 + 2 + 1);
  for (const auto& [row, column] : system.gradient_pattern().entries) {
    EXPECT_LT(row, 5);
    EXPECT_LT(column, 11);
  }
}

TEST(RecordedSystem, EvaluatesWithoutAllocating) {
  for (const auto& mechanism : {sample(), whole_sample()}) {
    RecordedSystem<double> system(mechanism);
    const int n = system.coordinates(), m = system.constraints();
    std::vector<double> q(n), v(n), acceleration(n, 0.5), lambda(m, 0.25), R(n), C(m),
        mass(system.mass_pattern().size()), gradient(system.gradient_pattern().size()),
        by_q(system.residual_q_pattern().size()), by_v(system.residual_v_pattern().size()),
        curved_q(system.curvature_pattern().size()), curved_v(curved_q);
    system.initial(q.data(), v.data());
    auto out = MotionValues<double>::equations(R.data(), C.data());
    out.mass = mass.data(), out.gradient = gradient.data();
    out.residual_q = by_q.data(), out.residual_v = by_v.data();
    out.curvature_q = curved_q.data(), out.curvature_v = curved_v.data();
    const MotionPoint<double> point{0.5, q.data(), v.data(), acceleration.data(), lambda.data()};
    const auto all = [&] {
      system.evaluate(point, {1, 2, 3}, out);
      system.multiplier_stiffness(point, by_q.data());
      system.kinetic_energy(point), system.potential_energy(point), system.power(point);
    };
    all();  // what is asked for is compiled
    const std::size_t before = test::allocations();
    all();
    EXPECT_EQ(test::allocations(), before);
  }
}

TEST(RecordedSystem, RefusesWhatDoesNotFit) {
  const auto refused = [](const auto& spoil) {
    auto mechanism = sample();
    spoil(*mechanism);
    EXPECT_THROW(RecordedSystem<double>{mechanism}, BadInput);
  };
  refused([](Mechanism& m) { m.v0.pop_back(); });
  refused([](Mechanism& m) { m.elements[0].coordinates[0] = 11; });
  refused([](Mechanism& m) { m.elements[0].chart = {0}; });
}

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

}  // namespace
}  // namespace daemark
