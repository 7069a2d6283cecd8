// End states that the IVP Test Set prints beside ours: how far they are right. The printed ones are
// results of codes with tolerances, given with all digits of a double; ours are Taylor series in
// 50 digits, of which they lose a few (taylor_reference_test.cpp).
#include "base/text/read_double.hpp"
#include "tests/problems/problem_runs.hpp"

namespace daemark {
namespace {

using test::run_of, test::state_at;

/// The printed numbers differ from ours by at most `most`, and by at least `least` somewhere: what
/// a printed state claims beyond is wrong.
void expect_within(const std::vector<real50>& ours, const std::vector<double>& printed,
                   double least, double most) {
  ASSERT_EQ(ours.size(), printed.size());
  double worst = 0;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const double scale = std::max(1e-300, std::abs(printed[i]));
    const double off = std::abs(static_cast<double>(ours[i] - real50(printed[i]))) / scale;
    EXPECT_LE(off, most) << "entry " << i << ": " << static_cast<double>(ours[i]) << " and "
                         << printed[i];
    worst = std::max(worst, off);
  }
  EXPECT_GE(worst, least);
}

TEST(PublishedStates, CarAxisToElevenDigitsItsMultipliersToSeven) {
  const TaylorState<real50> end = state_at("car_axis", real50(3));
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
  const TaylorState<real50> end = state_at("flexible_slider_crank", real50(1) / 10);
  expect_within({end.q[1], end.q[2]}, {-3.311734987910881e-01, 1.697373326718410e-01}, 1e-10, 1e-6);
  expect_within({end.q[3], end.q[4], end.q[5], end.q[6]},
                {1.893192460247178e-04, 2.375751865617931e-05, -5.323907988763734e-06,
                 -8.363283141616840e-06},
                1e-9, 1e-4);
  expect_within({end.lambda[0], end.lambda[1], end.lambda[2]},
                {-6.232893262533717e+01, -1.637910131687472e+02, 2.529853213732781e+01}, 1e-9,
                1e-3);
  // x3 and the rates of all but the angles are the Test Set's y(3), y(10) to y(14).
  expect_within({end.v[0], end.v[1], end.v[2]},
                {0.1500000000000000e+03, 0.6025346755138369e+02, -0.8753116326670527e+01}, 0, 1e-5);
  expect_within({end.v[3], end.v[4], end.v[5], end.v[6]},
                {-0.3005541400289738e-01, -0.5500431812571696e-02, 0.4974111734266989e-03,
                 0.1105560003626645e-02},
                0, 1e-3);
}

// Points in the Test Set's order (fekete.f, feksoln: RADAU5 with tolerances of 1e-12), at rest at
// t = 1000 and turned as the motion before has left them. Multipliers have the other sign, and at
// rest Σ_j p_i·(p_i − p_j)/|p_i − p_j|² = 19/2 makes each 19/4.
TEST(PublishedStates, FeketePointByPoint) {
  constexpr double tolerance = 1e-10;
  const std::vector<double> printed = {
      -0.4070263380333202, 0.3463758772791802,   0.8451942450030429,  0.07752934752521549,
      -0.2628662719972299, 0.9617122871829146,   0.7100577833343567,  0.1212948055586120,
      0.6936177005172217,  0.2348267744557627,   0.7449277976923311,  0.6244509285956391,
      -0.4341114738782885, 0.8785430442262876,   0.1992720444237660,  -0.9515059600312596,
      0.2203508762787005,  0.2146669498274008,   -0.6385191643609878, -0.4310833259390688,
      0.6375425027722121,  -0.1464175087914336,  -0.9380871635228862, 0.3139337298744690,
      0.5666974065069942,  -0.6739221885076542,  0.4740073135462156,  0.9843259538440293,
      -0.1696995357819996, -0.04800504290609090, 0.1464175087914331,  0.9380871635228875,
      -0.3139337298744656, -0.7092757549979014,  0.5264062637139616,  -0.4688542938854929,
      -0.8665731819284478, -0.4813878059756024,  -0.1315929352982178, -0.2347897778700538,
      -0.8594340408013130, -0.4541441287957579,  0.5530976940074118,  -0.7674370265615124,
      -0.3242273140037833, 0.7711050969896927,   0.6357041816577034,  0.03573685519777001,
      0.7103951209379591,  0.2403570431280519,   -0.6614886725910596, -0.03038208738735660,
      0.4501923293640461,  -0.8924145871442046,  -0.5772996158107093, -0.1766763414971813,
      -0.7971892020969544, 0.2414481766969039,   -0.3416456818373135, -0.9082846503446250};
  const RunResult end =
      run_of("fekete", "ggl", "radau_iia(5)", "100", "1000", {{"control.tol", "1e-10"}});
  ASSERT_EQ(end.q.size(), printed.size());
  for (std::size_t i = 0; i < printed.size(); ++i) {
    EXPECT_NEAR(double_of(end.q[i]), printed[i], tolerance) << "y(" << i + 1 << ")";
    EXPECT_NEAR(double_of(end.v[i]), 0, tolerance) << "y(" << 61 + i << ")";
  }
  constexpr double printed_multiplier = -4.75;
  for (const std::string& lambda : end.lambda)
    EXPECT_NEAR(double_of(lambda), -printed_multiplier, tolerance);
}

// The slider's place on the benchmark's curves: González's to the error of his steps, Masarati's to
// the digits printed. The other source, crank's mass centre at A, is 0.02 m away at t = 1 s. The
// last is from an integration in 113 bits of an independent Lagrangian.
TEST(PublishedStates, SpatialSliderCrankOnThePublishedCurves) {
  struct Place {
    const char *t, *h;
    double x, bound;
  };
  for (const Place& at : {Place{"1/10", "1/400", 0.2267867, 1e-6},
                          {"1", "1/400", 0.211754668, 5e-5},
                          {"5", "1/400", 0.240761815, 5e-5},
                          {"5", "1/800", 0.24071957372961531, 1e-9}}) {
    const RunResult end = run_of("spatial_slider_crank", "index1", "gauss(3)", at.h, at.t);
    EXPECT_NEAR(end.outputs.at("x"), at.x, at.bound) << at.t;
  }
}

}  // namespace
}  // namespace daemark
