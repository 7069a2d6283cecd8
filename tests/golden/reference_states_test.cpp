// Stored digits of motions whose truth is known by two routes, against the routes daemark has.
//
// two_link at t = 1 s: Taylor series and 24-stage Gauss collocation (64 steps, index 1) in 50-digit
// arithmetic agree to 46 digits; 44 of them stand here. pendulum at t = 1 s: the angle equation
// θ̈ = −(g/l) sin θ integrated to 52 digits by mpmath's odefun, which shares nothing with the
// elliptic functions of the closed form; λ = (m l θ̇² + m g cos θ)/(2 l).
#include <gtest/gtest.h>

#include "tests/problems/problem_runs.hpp"
#include "tests/support/method_bench.hpp"

namespace daemark {
namespace {

const char* const two_link[] = {"-0.41071315069920414293927493415585419313790817",
                                "-0.28515733874956265524892376872018300651433447",
                                "-2.5347037625900243311860492242755811558758025",
                                "-0.85545533526966478886576842087422418367983402",
                                "-1.4356712657642109063952282917910159741675324",
                                "-1.6100997888282857045200303738228901332913291",
                                "0.034066503236696217739559794987026062193440015",
                                "-0.049066108342160274086201749266341427841967954",
                                "0.11946563741294722476791358291371509812766391",
                                "-5.7060436990547105052360926445586540632515795",
                                "0.12892984923808647975552946844172680340966817",
                                "-6.6725980755569093832015673749093606334590483",
                                "-27.415640285731663867264966174370557201778171",
                                "-14.712668405146098803238777420370227342478988",
                                "-14.442079896627670540314169823681847967997198",
                                "-23.576022129495373327887101793403808848573329"};

const char* const pendulum[] = {"-0.97158466098778559366550284131303644622416735",
                                "-1.7266084346293602357902631011185578417674938",
                                "-5.0715160415784158936781086883788421992109541",
                                "2.8538069750648564957639853274864261869110702",
                                "287.63448180539789818126885134728729225944407"};

double relative(const real50& x, const char* stored) {
  const real50 y(stored);
  return to_double(real50(abs(real50(x - y)) / abs(y)));
}

std::vector<real50> joined(const std::vector<real50>& q, const std::vector<real50>& v,
                           const std::vector<real50>& l) {
  std::vector<real50> all(q);
  all.insert(all.end(), v.begin(), v.end());
  all.insert(all.end(), l.begin(), l.end());
  return all;
}

// Half a unit of the 44th digit stored, 2 of 50 digits lost to round-off on the way.
constexpr double last_digit = 1e-43;

TEST(Golden, TwoLinkByTaylorSeries) {
  const TaylorState<real50> end = test::state_at("two_link", real50(1));
  const auto x = joined(end.q, end.v, end.lambda);
  ASSERT_EQ(x.size(), std::size(two_link));
  for (std::size_t i = 0; i < x.size(); ++i)
    EXPECT_LE(relative(x[i], two_link[i]), last_digit) << i;
}

// Order 24 on 64 steps, a singularity some 0.3 s away: truncation leaves a few 1e-24, far above
// Newton's ε^0.7 ≈ 1e-35.
TEST(Golden, TwoLinkByCollocation) {
  test::MethodBench<real50> bench("two_link", "index1", "gauss(12)", "1/64", "1");
  const auto stepper = bench.started();
  for (int i = 0; i < 64; ++i) ASSERT_EQ(stepper->step().status, Status::ok);
  for (std::size_t i = 0; i < std::size(two_link); ++i)
    EXPECT_LE(relative(real50(stepper->state().y[i]), two_link[i]), 1e-23) << i;
}

TEST(Golden, PendulumByClosedForm) {
  std::vector<real50> q(2), v(2), lambda(1);
  problem_registry().make("pendulum").closed_form(real50(1), q.data(), v.data(), lambda.data());
  const auto x = joined(q, v, lambda);
  for (std::size_t i = 0; i < x.size(); ++i)
    EXPECT_LE(relative(x[i], pendulum[i]), last_digit) << i;
}

}  // namespace
}  // namespace daemark
