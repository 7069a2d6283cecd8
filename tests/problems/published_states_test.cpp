// End states that the IVP Test Set prints beside ours: how far they are right. The printed ones are
// results of codes with tolerances, given with all digits of a double; ours are Taylor series in
// 113 bits, whose orders and steps leave some 1e-25 (taylor_reference_test.cpp).
#include <gtest/gtest.h>

#include "analysis/reference/taylor_reference.hpp"
#include "problems/system/registry.hpp"

namespace daemark {
namespace {

TaylorState<quad> state_at(const char* problem, const quad& t) {
  const auto system = problem_registry().make(problem).make<quad>();
  std::vector<quad> q(system->coordinates()), v(q.size());
  system->initial(q.data(), v.data());
  return TaylorIntegrator<quad>(*system).integrate(quad(0), q, v, {t}).front();
}

/// The printed numbers differ from ours by at most `most`, and by at least `least` somewhere: what
/// a printed state claims beyond is wrong.
void expect_within(const std::vector<quad>& ours, const std::vector<double>& printed, double least,
                   double most) {
  ASSERT_EQ(ours.size(), printed.size());
  double worst = 0;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const double scale = std::max(1e-300, std::abs(printed[i]));
    const double off = std::abs(static_cast<double>(ours[i] - quad(printed[i]))) / scale;
    EXPECT_LE(off, most) << "entry " << i << ": " << static_cast<double>(ours[i]) << " and "
                         << printed[i];
    worst = std::max(worst, off);
  }
  EXPECT_GE(worst, least);
}

TEST(PublishedStates, CarAxisToElevenDigitsItsMultipliersToSeven) {
  const TaylorState<quad> end = state_at("car_axis", 3);
  expect_within(
      end.q, {0.4934557842755629e-1, 0.4969894602303324, 0.1041742524885400e1, 0.3739110272652214},
      0, 1e-10);
  expect_within(
      end.v,
      {-0.7705836840321485e-1, 0.7446866596327776e-2, 0.1755681574942899e-1, 0.7703410437794031}, 0,
      1e-8);
  expect_within({-end.lambda[0], -end.lambda[1]}, {-0.4736886750784630e-2, -0.1104680411345730e-2},
                1e-8, 1e-6);
}

TEST(PublishedStates, FlexibleSliderCrankToSixDigits) {
  const TaylorState<quad> end = state_at("flexible_slider_crank", quad(1) / 10);
  expect_within({end.q[1], end.q[2]}, {-3.311734987910881e-01, 1.697373326718410e-01}, 1e-10, 1e-6);
  expect_within({end.q[3], end.q[4], end.q[5], end.q[6]},
                {1.893192460247178e-04, 2.375751865617931e-05, -5.323907988763734e-06,
                 -8.363283141616840e-06},
                1e-9, 1e-4);
  expect_within({end.lambda[0], end.lambda[1], end.lambda[2]},
                {-6.232893262533717e+01, -1.637910131687472e+02, 2.529853213732781e+01}, 1e-9,
                1e-3);
}

}  // namespace
}  // namespace daemark
