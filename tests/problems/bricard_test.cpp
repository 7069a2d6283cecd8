// The Bricard mechanism: rank, one motion in both coordinate sets, energy.
#include <gtest/gtest.h>

#include <cmath>

#include "base/linear/rank_revealing_qr.hpp"
#include "tests/support/simulation.hpp"

namespace daemark {
namespace {

// 60 rows, of which by Grübler's count none is too many, and one is.
TEST(Bricard, OneConstraintFollowsFromTheOthers) {
  for (const auto& [call, n] : {std::pair("bricard", 60), std::pair("bricard(section=thin)", 60),
                                std::pair("bricard(coordinates=absolute)", 30)}) {
    const auto system = problem_registry().make(call).make<double>();
    EXPECT_EQ(system->coordinates(), n) << call;
    EXPECT_EQ(system->constraints(), n) << call;
    std::vector<double> q(n), v(n), zero(n), gradient(system->gradient_pattern().size());
    std::vector<double> chart(system->chart_size());
    system->initial(q.data(), v.data());
    system->initial_chart(chart.data());
    MotionValues<double> out;
    out.gradient = gradient.data();
    system->evaluate({0, q.data(), v.data(), zero.data(), zero.data(), chart.data()}, {}, out);
    RankRevealingQr qr;
    qr.resize(n, n, n - 1);
    for (int j = 0; j < n; ++j) std::fill_n(qr.column(j), n, 0.0);
    for (int k = 0; k < system->gradient_pattern().size(); ++k) {
      const auto [row, column] = system->gradient_pattern().entries[k];
      qr.column(row)[column] += gradient[k];
    }
    EXPECT_EQ(qr.factor(), RankRevealingQr::Outcome::ok);
    EXPECT_EQ(qr.rank_of(1e-9), n - 1) << call;
    EXPECT_EQ(system->rank(), n - 1) << call;
  }
}

/// The last rod's mass centre after half a second.
std::array<double, 3> end_rod(const char* call, const char* method, int steps) {
  test::Simulation<double> s(problem_registry().make(call), "index3", method, wide(1) / 2 / steps);
  EXPECT_EQ(s.run(steps), Status::ok) << call << " " << method;
  const std::vector<double>& y = s.stepper->state().y;
  std::array<double, 3> centre;
  for (int k = 0; k < 3; ++k)
    centre[k] = s.mechanism->chart_size() > 0 ? y[24 + k] : (y[48 + k] + y[51 + k]) / 2;
  return centre;
}

// Two coordinate sets, two methods of second order: what separates them falls by four with the
// halved step.
TEST(Bricard, BothCoordinateSetsMoveAlike) {
  const auto apart = [](int steps) {
    const auto natural =
        end_rod("bricard", "tangent_space(inner=average_acceleration,form=null_space)", steps);
    const auto absolute = end_rod("bricard(coordinates=absolute)", "augmented_lagrangian", steps);
    double worst = 0;
    for (int k = 0; k < 3; ++k) worst = std::max(worst, std::abs(natural[k] - absolute[k]));
    return worst;
  };
  const double coarse = apart(50), fine = apart(100);
  EXPECT_LT(fine, 1e-3);
  EXPECT_NEAR(coarse / fine, 4, 0.5);
}

}  // namespace
}  // namespace daemark
