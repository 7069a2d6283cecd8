#include "problems/core/formulation.hpp"

#include <gtest/gtest.h>

#include "analysis/reference/taylor_reference.hpp"
#include "analysis/run/measures.hpp"
#include "base/text/bad_input.hpp"
#include "tests/support/catalogue.hpp"
#include "tests/support/mechanism_checks.hpp"
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
    const auto system = formulate<quad>(f, problem_.make<quad>(minimal), wide(1) / 50);
    test::Noise noise;
    std::vector<quad> y(system->size()), rate(y.size());
    problem_.make<quad>(minimal)->initial(y.data(), &y[system->size() > 1 ? 1 : 0]);
    for (quad& x : y) x += noise.next() / 8;
    for (quad& x : rate) x = noise.next();
    test::check_jacobians(*system, y, rate, quad(3) / 10);
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

// Every formulation integrates to the motion of the Taylor series, which uses none of them, and
// loses no more energy than its order says.
TEST_P(FormulationTest, ConvergesToTheSameMotionAndBalancesEnergy) {
  const auto exact_system = problem_.make<real50>();
  const int n = exact_system->coordinates();
  std::vector<real50> q(n), v(n);
  exact_system->initial(q.data(), v.data());
  const auto exact =
      TaylorIntegrator<real50>(*exact_system).integrate(0, q, v, {real50(0.5)}).front();
  for_each_formulation([&](const Formulation& f, bool) {
    double error[2], energy[2];
    for (int k = 0; k < 2; ++k) {
      const int steps = 32 << k;
      test::Simulation<quad> run(problem_, f.name(), "radau_iia(3)", wide(1) / 2 / steps);
      Measures<quad> measures(*run.mechanism);
      measures.observe(run.initial);
      for (int i = 0; i < steps; ++i) {
        ASSERT_EQ(run.run(1), Status::ok);
        measures.observe(run.stepper->state());
      }
      std::map<std::string, double> values;
      measures.write(values);
      energy[k] = values.at("energy_error_max");
      std::vector<quad> q_end(n), v_end(n);
      const quad* y = run.stepper->state().y.data();
      run.mechanism->to_reference({run.stepper->state().t, y, y + run.mechanism->coordinates()},
                                  q_end.data(), v_end.data());
      error[k] = 0;
      for (int i = 0; i < n; ++i)
        error[k] = std::max(error[k], std::abs(to_double(real50(real50(q_end[i]) - exact.q[i]))));
    }
    // Order of q at least 4 where stage order 3 and stiff accuracy make it so (index 3: 3), half an
    // order for the coarser step.
    const double order = f.info.index == 3 ? 2.5 : 3.5;
    EXPECT_LT(error[0], 1e-4);
    EXPECT_LT(error[1], error[0] * std::exp2(-order)) << error[0];
    // The same for the energy. The power of a drive is that of its multiplier, which is of order 3
    // on index 2 and 2 on index 3; work is integrated to order 4.
    const double energy_order =
        problem_.make<double>()->has_power() ? std::min(3.5, 4.5 - f.info.index) : order;
    EXPECT_LT(energy[0], 1e-2);
    EXPECT_LT(energy[1], std::max(energy[0] * std::exp2(-energy_order), 1e-28)) << energy[0];
  });
}

INSTANTIATE_TEST_SUITE_P(Samples, FormulationTest,
                         ::testing::Range(0, static_cast<int>(test::sample_mechanisms().size())),
                         [](const auto& info) {
                           return test::sample_mechanisms()[info.param].name;
                         });

TEST(Formulation, BaumgarteGainsUseTheStep) {
  const Problem problem = test::double_rod(Rows::chain).problem("double_rod");
  const auto by_step = formulate<quad>(Formulation::parse("baumgarte(alpha=1/h,beta=sqrt(2)/h)"),
                                       problem.make<quad>(), wide(1) / 50);
  const auto written = formulate<quad>(Formulation::parse("baumgarte(alpha=50,beta=50*sqrt(2))"),
                                       problem.make<quad>(), wide(1));
  test::Noise noise;
  std::vector<quad> y(by_step->size()), rate(y.size()), a(by_step->unknowns()), b(a.size());
  for (auto* x : {&y, &rate})
    for (quad& value : *x) value = noise.next();
  by_step->evaluate({y.data(), rate.data(), quad(0)}, a.data(), nullptr, nullptr);
  written->evaluate({y.data(), rate.data(), quad(0)}, b.data(), nullptr, nullptr);
  test::expect_close(a, b, 10 * unit_roundoff<quad>(), "rows");
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
