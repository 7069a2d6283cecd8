#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "analysis/reference/taylor_reference.hpp"
#include "problems/system/registry.hpp"
#include "tests/support/simulation.hpp"

namespace daemark {
namespace {

template <class S>
TaylorState<S> state_at(MechanicalSystem<S>& system, const S& t) {
  std::vector<S> q(system.coordinates()), v(q.size());
  system.initial(q.data(), v.data());
  return TaylorIntegrator<S>(system).integrate(S(0), q, v, {t}).front();
}

// Three formulations by different code: joints of bodies, lengths between points, one angle.
TEST(FourBar, AllCoordinatesGiveTheSameMotion) {
  for (const int loops : {1, 2, 5}) {
    const Problem bodies = problem_registry().make(fmt::format("four_bar({})", loops));
    const Problem points =
        problem_registry().make(fmt::format("four_bar({},coordinates=natural)", loops));
    const auto absolute = bodies.make<real50>(), natural = points.make<real50>();
    EXPECT_EQ(absolute->coordinates() - absolute->constraints(), 1);
    EXPECT_EQ(natural->coordinates() - natural->constraints(), 1);
    const real50 t("0.35");  // well before the cranks are level
    const auto x = state_at(*absolute, t), y = state_at(*natural, t);
    for (const Problem* problem : {&bodies, &points}) {
      const auto angle = problem->make<real50>(true);
      const auto z = state_at(*angle, t);
      std::vector<real50> q(angle->reference_coordinates()), v(q.size());
      angle->to_reference({t, z.q.data(), z.v.data()}, q.data(), v.data());
      const auto& other = problem == &bodies ? x : y;
      ASSERT_EQ(q.size(), other.q.size());
      for (std::size_t i = 0; i < q.size(); ++i) {
        EXPECT_LT(to_double(real50(abs(q[i] - other.q[i]))), 1e-28) << loops << " " << i;
        EXPECT_LT(to_double(real50(abs(v[i] - other.v[i]))), 1e-27) << loops << " " << i;
      }
      const auto other_form = problem->make<real50>();
      const MotionPoint<real50> own{t, z.q.data(), z.v.data()}, theirs{t, q.data(), v.data()};
      EXPECT_NEAR(to_double(real50(angle->kinetic_energy(own) + angle->potential_energy(own) -
                                   other_form->kinetic_energy(theirs) -
                                   other_form->potential_energy(theirs))),
                  0, 1e-27 * loops);
    }
  }
}

TEST(FourBar, StartsAsTheBenchmarkSays) {
  const auto natural = problem_registry().make("four_bar(coordinates=natural)").make<double>();
  std::vector<double> q(natural->coordinates()), v(q.size());
  natural->initial(q.data(), v.data());
  EXPECT_EQ(q, (std::vector<double>{0, 1, 1, 1, 2, 1}));
  EXPECT_EQ(v, (std::vector<double>{1, 0, 1, 0, 1, 0}));
  // Three cranks at half height, two couplers at 1 m; each crank ½·(1/3), each coupler ½.
  EXPECT_DOUBLE_EQ(natural->potential_energy({0, q.data(), v.data()}), 3.5 * 9.81);
  EXPECT_DOUBLE_EQ(natural->kinetic_energy({0, q.data(), v.data()}), 1.5);
}

TEST(FourBar, IsBuiltInProportionToItsLoops) {
  const auto large = problem_registry().make("four_bar(1000)").make<double>();
  EXPECT_EQ(large->coordinates(), 6003);
  EXPECT_EQ(large->constraints(), 6002);
  EXPECT_EQ(large->gradient_pattern().size(), 4 + 20 * 1000);
  EXPECT_EQ(large->residual_q_pattern().size(), 2001);
}

TEST(FourBar, RefusesNoLoops) {
  EXPECT_THROW(problem_registry().make("four_bar(0)"), BadInput);
  EXPECT_THROW(problem_registry().make("four_bar(coordinates=polar)"), BadInput);
}

}  // namespace
}  // namespace daemark
