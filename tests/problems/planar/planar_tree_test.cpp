#include "problems/planar/planar_tree.hpp"

#include <gtest/gtest.h>

#include "problems/planar/planar_system.hpp"
#include "tests/support/mechanism_checks.hpp"
#include "tests/support/sample_mechanisms.hpp"

namespace daemark {
namespace {

using test::MotionSample;

/// Three bodies, two of them on the first, centres off the lines of the joints, all kinds of load.
PlanarMechanism branched() {
  PlanarMechanism m;
  m.gravity("981/100");
  const int trunk = m.body("trunk", 2, "1/5", "1/3", "1/4");
  const int left = m.body("left", 1, "1/7", "-1/2", -1);
  const int right = m.body("right", 3, "1/2", 2, "1/9");
  m.revolute(PlanarMechanism::ground, {"1/2", "-1/4"}, trunk, {"-1/2", "1/10"});
  m.revolute(trunk, {"1/2", "1/5"}, left, {"-2/3", 0}, Rows::absolute);
  m.revolute(trunk, {"1/3", "-1/5"}, right, {"1/4", "-1/4"});
  m.torque(left, "3/2");
  m.torque(trunk, "5/3", [](auto t) {
    using std::sin;
    using T = decltype(t);
    return sin(T(2) * t);
  });
  m.torsion_spring(PlanarMechanism::ground, trunk, 7, "1/5");
  m.torsion_spring(trunk, right, 3, "-1/3");
  m.torsion_damper(left, trunk, "1/2");
  m.force(right, "1/2", -2);
  return m;
}

TEST(PlanarTree, AnalyticPartsAgreeWithDifferences) {
  const auto tree = std::make_shared<RecordedSystem<real50>>(recorded_tree(branched()));
  ASSERT_EQ(tree->coordinates(), 3);
  ASSERT_EQ(tree->constraints(), 0);
  EXPECT_EQ(tree->coordinate_names(),
            (std::vector<std::string>{"thetatrunk", "thetaleft", "thetaright"}));
  for (const MotionSample& at : test::sample_motions(*tree, 4)) {
    test::check_derivatives(*tree, at);
    test::check_record(*tree, at);
    test::check_energy_rate(*tree, at);
    test::check_mass(*tree, at);
  }
}

// The virtual work of the absolute equations in the directions of the joint angles is the tree's
// residual, and both have the same energies: two independent assemblies of one mechanism.
TEST(PlanarTree, ProjectsTheAbsoluteEquations) {
  const PlanarMechanism mechanism = branched();
  const auto tree = std::make_shared<RecordedSystem<real50>>(recorded_tree(mechanism));
  const auto absolute = std::make_shared<RecordedSystem<real50>>(recorded(mechanism));
  const int n = 3, full = 9;
  ASSERT_EQ(tree->reference_coordinates(), full);
  const double roundings = 1000 * unit_roundoff<real50>();
  for (const MotionSample& at : test::sample_motions(*tree, 4)) {
    std::vector<real50> q(full), v(full), a(full), lambda(6, real50(0)), r(n), r_full(full), c(6);
    tree->to_reference(at.view(), q.data(), v.data());
    // a = d/ds v(q + s v, v + s a); columns of the Jacobian are velocities of unit rates.
    a = test::difference(full, [&](const real50& offset, real50* out) {
      std::vector<real50> moved_q(n), moved_v(n), unused(full);
      for (int i = 0; i < n; ++i) {
        moved_q[i] = at.q[i] + offset * at.v[i];
        moved_v[i] = at.v[i] + offset * at.a[i];
      }
      tree->to_reference({at.t, moved_q.data(), moved_v.data()}, unused.data(), out);
    });
    tree->evaluate(at.view(), {}, MotionValues<real50>::equations(r.data(), nullptr));
    for (int level = 0; level < 3; ++level) {
      absolute->evaluate({at.t, q.data(), v.data(), a.data(), lambda.data()},
                         {real50(level == 0), real50(level == 1), real50(level == 2)},
                         MotionValues<real50>::equations(r_full.data(), c.data()));
      test::expect_close(c, std::vector<real50>(6, real50(0)), level < 2 ? roundings : 1e-23,
                         "constraints");
    }
    std::vector<real50> projected(n, real50(0));
    for (int i = 0; i < n; ++i) {
      std::vector<real50> unit(n, real50(0)), column(full), unused(full);
      unit[i] = 1;
      tree->to_reference({at.t, at.q.data(), unit.data()}, unused.data(), column.data());
      for (int k = 0; k < full; ++k) projected[i] += column[k] * r_full[k];
    }
    test::expect_close(r, projected, 1e-23, "projected equations");
    const auto close = [&](const real50& x, const real50& y, const char* what) {
      test::expect_close({x}, {y}, roundings, what);
    };
    close(tree->kinetic_energy(at.view()), absolute->kinetic_energy({at.t, q.data(), v.data()}),
          "kinetic energy");
    close(tree->potential_energy(at.view()), absolute->potential_energy({at.t, q.data(), v.data()}),
          "potential energy");
    close(tree->work(at.view()), absolute->work({at.t, q.data(), v.data()}), "work");
  }
}

TEST(PlanarTree, ExistsForTreesOnly) {
  for (const auto& [name, mechanism] : test::sample_mechanisms()) {
    const bool tree = name.rfind("double_rod", 0) == 0 || name == "torsion_chain";
    EXPECT_EQ(mechanism.problem(name).has_minimal(), tree) << name;
  }
  EXPECT_TRUE(branched().problem("branched").has_minimal());
}

}  // namespace
}  // namespace daemark
