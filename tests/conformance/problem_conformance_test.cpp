// What every problem of the catalogue must satisfy, in both its forms: derivatives, graph, energy,
// a consistent start, the same mechanism in every scalar, its closed form.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>

#include "base/program/paths.hpp"
#include "problems/formulations/formulation.hpp"
#include "problems/system/registry.hpp"
#include "tests/support/catalogue.hpp"
#include "tests/support/mechanism_checks.hpp"

namespace daemark {
namespace {

class ProblemConformance : public ::testing::TestWithParam<std::string> {
 protected:
  Problem problem_ = problem_registry().make(GetParam());

  /// Large ones exist in double only; their elements have tests of their own.
  void SetUp() override {
    if (!problem_.absolute.in_real50) GTEST_SKIP() << "in double only";
  }

  template <class Check>
  void for_each_form(Check check) {
    for (const bool minimal : {false, true}) {
      if (minimal && !problem_.has_minimal()) continue;
      SCOPED_TRACE(minimal ? "minimal" : "absolute");
      check(minimal, *problem_.make<real50>(minimal));
    }
  }
};

TEST_P(ProblemConformance, DerivativesRecordAndEnergyFitTheEquations) {
  for_each_form([](bool, MechanicalSystem<real50>& system) {
    for (const test::MotionSample& at : test::sample_motions(system, 3)) {
      test::check_derivatives(system, at);
      test::check_rates_of_constraints(system, at);
      if (system.has_record() && !system.forces_of_multipliers()) test::check_record(system, at);
      test::check_energy_rate(system, at);
      test::check_mass(system, at);
    }
  });
}

TEST_P(ProblemConformance, NamesAndPatternsFit) {
  for_each_form([](bool, MechanicalSystem<real50>& s) {
    const int n = s.coordinates(), m = s.constraints();
    ASSERT_GT(n, 0);
    std::set<std::string> names;
    for (const auto* list : {&s.coordinate_names(), &s.constraint_names()})
      for (const std::string& name : *list) EXPECT_TRUE(names.insert(name).second) << name;
    const auto expect_pattern = [](const Pattern& p, int rows, int cols) {
      EXPECT_EQ(p.rows, rows);
      EXPECT_EQ(p.cols, cols);
      for (const auto& [i, j] : p.entries) {
        EXPECT_TRUE(i >= 0 && i < rows && j >= 0 && j < cols) << i << ", " << j;
      }
    };
    expect_pattern(s.mass_pattern(), n, n);
    expect_pattern(s.residual_q_pattern(), n, n);
    expect_pattern(s.residual_v_pattern(), n, n);
    expect_pattern(s.gradient_pattern(), m, n);
    expect_pattern(s.curvature_pattern(), m, n);
  });
}

TEST_P(ProblemConformance, StartIsConsistent) {
  for_each_form([this](bool minimal, MechanicalSystem<real50>& s) {
    const int n = s.coordinates(), m = s.constraints();
    std::vector<real50> q(n), v(n), zero(n + m, real50(0)), r(n), c(m), chart(s.chart_size());
    s.initial_chart(chart.data());
    s.initial(q.data(), v.data());
    for (int level = 0; level < 2; ++level) {
      s.evaluate({problem_.start.eval<real50>(), q.data(), v.data(), zero.data(), zero.data(),
                  chart.data()},
                 {real50(level == 0), real50(level == 1), real50(0)},
                 MotionValues<real50>::equations(r.data(), c.data()));
      double size = 1;
      for (const auto* x : {&q, &v})
        for (const real50& value : *x) size = std::max(size, std::abs(to_double(value)));
      // Data are rounded once from 130 digits; a row is a sum of some products of them.
      test::expect_close(c, std::vector<real50>(m, real50(0)),
                         1000 * unit_roundoff<real50>() * size,
                         level == 0 ? "position" : "velocity");
    }
    if (!minimal) return;
    // The same start as in absolute coordinates, which are those of reference.
    const auto absolute = problem_.make<real50>(false);
    const int all = absolute->reference_coordinates(), own = absolute->coordinates();
    ASSERT_EQ(s.reference_coordinates(), all);
    std::vector<real50> from_q(all), from_v(all), own_q(all), own_v(all), a(own), b(own),
        places(absolute->chart_size());
    s.to_reference({real50(0), q.data(), v.data()}, from_q.data(), from_v.data());
    absolute->initial(a.data(), b.data());
    absolute->initial_chart(places.data());
    absolute->to_reference({real50(0), a.data(), b.data(), nullptr, nullptr, places.data()},
                           own_q.data(), own_v.data());
    test::expect_close(from_q, own_q, 1000 * unit_roundoff<real50>(), "initial positions");
    test::expect_close(from_v, own_v, 1000 * unit_roundoff<real50>(), "initial velocities");
  });
}

template <class S>
std::vector<real50> values_in(MechanicalSystem<S>& system, const test::MotionSample& at) {
  const int n = system.coordinates(), m = system.constraints();
  const auto narrowed = [](const std::vector<real50>& x) {
    std::vector<S> out;
    for (const real50& value : x) out.push_back(static_cast<S>(value));
    return out;
  };
  const std::vector<S> q = narrowed(at.q), v = narrowed(at.v), a = narrowed(at.a),
                       lambda = narrowed(at.lambda), chart = narrowed(at.chart);
  std::vector<S> all(n + m + 2);
  const MotionPoint<S> point{static_cast<S>(at.t), q.data(),    v.data(), a.data(),
                             lambda.data(),        chart.data()};
  system.evaluate(point, {S(1), S(1), S(1)},
                  MotionValues<S>::equations(all.data(), all.data() + n));
  all[n + m] = system.kinetic_energy(point);
  all[n + m + 1] = system.potential_energy(point);
  std::vector<real50> widened;
  for (const S& x : all) widened.push_back(static_cast<real50>(x));
  return widened;
}

TEST_P(ProblemConformance, ScalarsAgree) {
  for_each_form([this](bool minimal, MechanicalSystem<real50>& s) {
    const auto narrow = problem_.make<double>(minimal);
    for (const test::MotionSample& at : test::sample_motions(s, 3))
      // Two hundred roundings of terms up to
      // a hundred times the result.
      test::expect_close(values_in(*narrow, at), values_in(s, at), 2e4 * unit_roundoff<double>(),
                         "double");
  });
}

TEST_P(ProblemConformance, IndexOneSolveSatisfiesTheEquations) {
  for_each_form([this](bool minimal, MechanicalSystem<real50>& s) {
    const int n = s.coordinates(), m = s.constraints();
    const auto system = formulate<real50>(Formulation::parse(minimal ? "minimal" : "index1"),
                                          problem_.make<real50>(minimal), wide(1) / 100);
    std::vector<real50> y(system->size(), real50(0)), rate(y.size(), real50(0)),
        r(system->unknowns()), chart(s.chart_size());
    s.initial_chart(chart.data());
    s.initial(y.data(), y.data() + n);
    const real50 t = problem_.start.eval<real50>();
    ASSERT_TRUE(system->explicit_rates(y.data(), rate.data(), t, chart.data()));
    for (int i = 0; i < n; ++i) EXPECT_EQ(rate[i], y[n + i]);
    system->evaluate({y.data(), rate.data(), t, chart.data()}, r.data(), nullptr, nullptr);
    double size = 1;
    for (const real50& x : y) size = std::max(size, std::abs(to_double(x)));
    for (const real50& x : rate) size = std::max(size, std::abs(to_double(x)));
    // Backward stable up to the growth of the elimination: n + m entries of that size a row.
    for (const real50& x : r)
      EXPECT_LE(std::abs(to_double(x)), 1000.0 * (n + m) * unit_roundoff<real50>() * size);
  });
}

TEST_P(ProblemConformance, ClosedFormSatisfiesTheEquations) {
  if (!problem_.closed_form) GTEST_SKIP() << "no closed form";
  const auto system = problem_.make<real50>();
  const int n = system->coordinates(), m = system->constraints();
  if (system->chart_size() > 0 || system->reference_coordinates() != n)
    GTEST_SKIP() << "shown in other coordinates than its own: a test of its own";
  const auto at = [&](const real50& t) {
    std::vector<real50> all(2 * n + m);
    problem_.closed_form(t, all.data(), all.data() + n, all.data() + 2 * n);
    return all;
  };
  std::vector<real50> q(n), v(n);
  system->initial(q.data(), v.data());
  const std::vector<real50> start = at(real50(0));
  for (int i = 0; i < n; ++i) {
    EXPECT_LE(std::abs(to_double(real50(start[i] - q[i]))), 1e-47);
    EXPECT_LE(std::abs(to_double(real50(start[n + i] - v[i]))), 1e-47);
  }
  for (const char* time : {"0.3", "1.7", "9"}) {
    const real50 t(time), d = ldexp(real50(1), -33);  // ε^{1/5}: 1.5 ε/d ≈ 1e-40, d⁴/30 ≈ 1e-41
    const auto x = at(t), up = at(t + d), down = at(t - d), far_up = at(t + 2 * d),
               far_down = at(t - 2 * d);
    std::vector<real50> derivative(2 * n), a(n), r(n), c(m);
    for (int i = 0; i < 2 * n; ++i)
      derivative[i] = (8 * (up[i] - down[i]) - (far_up[i] - far_down[i])) / (12 * d);
    double size = 1;
    for (const real50& value : derivative) size = std::max(size, std::abs(to_double(value)));
    for (const real50& value : x) size = std::max(size, std::abs(to_double(value)));
    for (int i = 0; i < n; ++i) {
      EXPECT_LE(std::abs(to_double(real50(derivative[i] - x[n + i]))), 1e-36 * size) << time;
      a[i] = derivative[n + i];
    }
    for (int level = 0; level < 3; ++level) {
      system->evaluate({t, x.data(), x.data() + n, a.data(), x.data() + 2 * n},
                       {real50(level == 0), real50(level == 1), real50(level == 2)},
                       MotionValues<real50>::equations(r.data(), c.data()));
      for (const real50& value : c)
        EXPECT_LE(std::abs(to_double(value)), (level < 2 ? 1e-46 : 1e-36) * size * size);
    }
    for (const real50& value : r) EXPECT_LE(std::abs(to_double(value)), 1e-36 * size * size);
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, ProblemConformance,
                         ::testing::ValuesIn(test::problem_samples().calls),
                         [](const auto& info) { return test::test_name(info.param); });

TEST(ProblemCatalogue, EveryEntryIsSampledAndDescribed) {
  EXPECT_TRUE(test::problem_samples().without.empty())
      << "no sample of " << ::testing::PrintToString(test::problem_samples().without)
      << " was accepted: " << ::testing::PrintToString(test::problem_samples().refused);
  for (const std::string& id : problem_registry().catalogue_ids()) {
    const ProblemInfo& info = problem_registry().info(id);
    EXPECT_TRUE(std::regex_match(id, std::regex("[a-z][a-z0-9_]*"))) << id;
    EXPECT_FALSE(info.summary.empty()) << id;
    EXPECT_FALSE(info.source.empty()) << id;
    EXPECT_FALSE(info.equations.empty()) << id;
    EXPECT_FALSE(problem_registry().make(id).data.empty()) << id;
    EXPECT_TRUE(std::filesystem::exists(source_root() / info.file)) << id;
  }
}

TEST(ProblemCatalogue, RefusesParametersOutOfRange) {
  int tried = 0;
  for (const std::string& id : problem_registry().catalogue_ids()) {
    for (const Parameter& p : problem_registry().info(id).parameters) {
      std::vector<std::string> wrong{"no_such_word", "1/0", "[]"};
      if (p.type == Parameter::Type::integer) wrong.push_back(test::below_range(p));
      for (const std::string& value : wrong) {
        EXPECT_THROW(problem_registry().make(id + "(" + p.name + "=" + value + ")"), BadInput)
            << id << " " << p.name << " = " << value;
        ++tried;
      }
    }
    EXPECT_THROW(problem_registry().make(id + "(no_such_parameter=1)"), BadInput) << id;
  }
  EXPECT_GE(tried, 6) << "at least andrews_squeezer has parameters";
}

}  // namespace
}  // namespace daemark
