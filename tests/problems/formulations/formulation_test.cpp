#include "problems/formulations/formulation.hpp"

#include <gtest/gtest.h>

#include "analysis/run/measures.hpp"
#include "base/text/bad_input.hpp"
#include "tests/problems/problem_runs.hpp"
#include "tests/support/catalogue.hpp"
#include "tests/support/mechanism_checks.hpp"
#include "tests/support/observed_order.hpp"
#include "tests/support/sample_mechanisms.hpp"
#include "tests/support/simulation.hpp"

namespace daemark {
namespace {

TEST(Formulation, ReadsCalls) {
  EXPECT_EQ(Formulation::parse("index3").info.index, 3);
  EXPECT_EQ(Formulation::parse("baumgarte( alpha = 1/h, beta=sqrt(2)/h)").name(),
            "baumgarte(alpha=1/h,beta=sqrt(2)/h)");
  for (const char* bad : {"index4", "", "index1(1)", "baumgarte", "baumgarte(alpha=1)",
                          "baumgarte(alpha=1,beta=k)", "ggl(", "index1,index2"})
    EXPECT_THROW(Formulation::parse(bad), BadInput) << bad;
}

class FormulationTest : public ::testing::TestWithParam<int> {
 protected:
  test::SampleMechanism sample_ = test::sample_mechanisms()[GetParam()];
  Problem problem_ = sample_.mechanism.problem(sample_.name);
  template <class Check>
  void for_each_formulation(Check check) {
    for (const Formulation& f : test::formulation_samples()) {
      if (f.info.id == "minimal" && !problem_.has_minimal()) continue;
      SCOPED_TRACE(f.name());
      check(f, f.info.id == "minimal");
    }
  }
};

TEST_P(FormulationTest, JacobiansAgreeWithDifferences) {
  for_each_formulation([this](const Formulation& f, bool minimal) {
    const auto system = formulate<real50>(f, problem_.make<real50>(minimal), wide(1) / 50);
    test::Noise noise;
    std::vector<real50> y(system->size()), rate(y.size());
    problem_.make<real50>(minimal)->initial(y.data(), &y[system->size() > 1 ? 1 : 0]);
    for (real50& x : y) x += noise.next() / 8;
    for (real50& x : rate) x = noise.next();
    // The derivative of its projection is left out: it vanishes in the solution.
    if (f.info.id == "elimination") {
      ASSERT_TRUE(system->explicit_rates(y.data(), rate.data(), real50(3) / 10, nullptr));
    }
    test::check_jacobians(*system, y, rate, real50(3) / 10);
  });
}

TEST_P(FormulationTest, ComponentsAreOneOfThreeKinds) {
  for_each_formulation([this](const Formulation& f, bool minimal) {
    const auto mechanism = problem_.make<double>(minimal);
    const auto system = formulate<double>(f, mechanism, wide(1) / 50);
    using Kind = Component::Kind;
    int count[3] = {0, 0, 0};
    for (const Component& c : system->components()) {
      ++count[static_cast<int>(c.kind)];
      EXPECT_EQ(c.kind == Kind::integral, c.source >= 0);
      if (c.kind == Kind::integral) {
        EXPECT_EQ(system->components()[c.source].kind, Kind::differential);
      }
    }
    const int n = mechanism->coordinates(), m = mechanism->constraints();
    const bool ggl = f.info.id == "ggl";
    EXPECT_EQ(count[static_cast<int>(Kind::algebraic)], ggl ? 2 * m : m);
    EXPECT_EQ(count[static_cast<int>(Kind::integral)], ggl ? 0 : n);
    EXPECT_EQ(system->unknowns(), ggl ? 2 * (n + m) : n + m);
    EXPECT_EQ(system->row_power().size(), static_cast<std::size_t>(system->unknowns()));
  });
}

struct MotionOrders {
  /// Newton's ε^0.7 in 50 digits, see tests/conformance/order_conformance_test.cpp.
  test::ObservedOrder q{1e-41}, v{1e-41}, energy{1e-41};
};

/// One more point: `steps` steps of radau_iia(3) over half a second.
void add_run(const Problem& problem, const std::string& formulation,
             const TaylorState<real50>& exact, int steps, MotionOrders& orders) {
  test::Simulation<real50> run(problem, formulation, "radau_iia(3)", wide(1) / 2 / steps);
  Measures<real50> measures(*run.mechanism);
  measures.observe(run.initial);
  for (int i = 0; i < steps; ++i) {
    ASSERT_EQ(run.run(1), Status::ok);
    measures.observe(run.stepper->state());
  }
  std::map<std::string, double> values;
  measures.write(values);
  orders.energy.add(values.at("energy_error_max"));
  std::vector<real50> q(exact.q.size()), v(q.size());
  const real50* y = run.stepper->state().y.data();
  run.mechanism->to_reference({run.stepper->state().t, y, y + run.mechanism->coordinates()},
                              q.data(), v.data());
  real50 of_q = 0, of_v = 0;
  for (std::size_t i = 0; i < q.size(); ++i) {
    of_q += pow(real50(real50(q[i]) - exact.q[i]), 2);
    of_v += pow(real50(real50(v[i]) - exact.v[i]), 2);
  }
  orders.q.add(to_double(real50(sqrt(of_q))));
  orders.v.add(to_double(real50(sqrt(of_v))));
}

// Every formulation integrates to the motion of the Taylor series, which uses none of them, with
// the order of the method. On index 3 velocities have order 3 only
// (analysis/orders/expected_orders.hpp); their error lies in M⁻¹Gᵀ, orthogonal to the motion, so that
// the energy keeps order 5, and work is integrated to a higher one. Power along such velocities
// that is not a damper's alone, and on charts, leaves order 3; step ends alone are order 4 there.
TEST_P(FormulationTest, ConvergesToTheSameMotionAndBalancesEnergy) {
  const auto exact_system = problem_.make<real50>();
  const TaylorState<real50> exact = test::state_at(*exact_system, real50(0.5));
  const bool driven = sample_.name == "driven_rod";
  for_each_formulation([&](const Formulation& f, bool) {
    MotionOrders orders;
    for (int steps = 8; steps <= 128; steps *= 2) {
      add_run(problem_, f.name(), exact, steps, orders);
      if (orders.q.order() && orders.v.order() && orders.energy.order()) break;
    }
    const int index = f.info.index;
    EXPECT_EQ(orders.q.order(), 5) << orders.q.text();
    EXPECT_EQ(orders.v.order(), index == 3 ? 3 : 5) << orders.v.text();
    // Off the manifold c λ Φ is a force without a potential, of the size of the violation.
    if (f.info.id == "substituted") return;
    const bool by_ends = exact_system->has_power() && exact_system->chart_size() > 0;
    const int of_power = by_ends ? 4 : 5;
    EXPECT_EQ(orders.energy.order(),
              index < 3 || !exact_system->has_power() || !(driven || by_ends) ? of_power : 3)
        << orders.energy.text();
  });
}

INSTANTIATE_TEST_SUITE_P(Samples, FormulationTest,
                         ::testing::Range(0, static_cast<int>(test::sample_mechanisms().size())),
                         [](const auto& info) {
                           return test::sample_mechanisms()[info.param].name;
                         });

TEST(Formulation, BaumgarteGainsUseTheStep) {
  const Problem problem = test::double_rod(Rows::chain).problem("double_rod");
  const auto by_step = formulate<real50>(Formulation::parse("baumgarte(alpha=1/h,beta=sqrt(2)/h)"),
                                         problem.make<real50>(), wide(1) / 50);
  const auto written = formulate<real50>(Formulation::parse("baumgarte(alpha=50,beta=50*sqrt(2))"),
                                         problem.make<real50>(), wide(1));
  test::Noise noise;
  std::vector<real50> y(by_step->size()), rate(y.size()), a(by_step->unknowns()), b(a.size());
  for (auto* x : {&y, &rate})
    for (real50& value : *x) value = noise.next();
  by_step->evaluate({y.data(), rate.data(), real50(0)}, a.data(), nullptr, nullptr);
  written->evaluate({y.data(), rate.data(), real50(0)}, b.data(), nullptr, nullptr);
  test::expect_close(a, b, 10 * unit_roundoff<real50>(), "rows");
}

TEST(Formulation, SingularMassAndConstraintsAreReported) {
  // The same joint twice: redundant rows.
  PlanarMechanism m;
  const int rod = m.body("1", 1, 1, 0);
  m.revolute(PlanarMechanism::ground, {0, 0}, rod, {-1, 0});
  m.revolute(rod, {-1, 0}, PlanarMechanism::ground, {0, 0});
  const auto system = formulate<double>(Formulation::parse("index1"),
                                        m.problem("twice").make<double>(), wide(1) / 50);
  std::vector<double> y(system->size(), 0.0), rate(y.size(), 0.0);
  EXPECT_FALSE(system->explicit_rates(y.data(), rate.data(), 0.0, nullptr));
}

}  // namespace
}  // namespace daemark
