// The nonholonomic problems: closed forms beside references that know nothing of them, and orders.
#include <gtest/gtest.h>

#include "analysis/reference/reference.hpp"
#include "analysis/run/run.hpp"
#include "problems/system/registry.hpp"

namespace daemark {
namespace {

class Nonholonomic : public ::testing::TestWithParam<const char*> {
 protected:
  Problem problem_ = problem_registry().make(GetParam());
};

// Taylor series and Gauss collocation of 24 stages; the closed forms are quadratures and sums of
// some ten roundings in 50 digits.
TEST_P(Nonholonomic, ClosedFormsAreWhatTwoOtherRoutesFind) {
  Problem without = problem_;
  without.closed_form = nullptr;
  for (const char* t : {"3/4", "3"}) {
    const ReferenceState found = compute_reference(without, {t}, 40).front();
    EXPECT_GE(found.agreed_digits, 40) << found.second_route;
    const std::size_t n = found.q.size(), m = found.lambda.size();
    std::vector<real50> q(n), v(n), lambda(m);
    problem_.closed_form(Expression::parse(t, "t").eval<real50>(), q.data(), v.data(),
                         lambda.data());
    const auto expect_same = [&](const std::vector<real50>& a, const std::vector<real50>& b) {
      for (std::size_t i = 0; i < a.size(); ++i)
        EXPECT_LE(std::abs(to_double(real50(a[i] - b[i]))), 1e-40) << t << " s, entry " << i;
    };
    expect_same(q, found.q), expect_same(v, found.v), expect_same(lambda, found.lambda);
  }
}

// Nothing but the blade or the plane pushes, at a right angle to what moves: energy stays.
TEST_P(Nonholonomic, KeepsItsEnergy) {
  RunRequest request;
  request.problem = GetParam(), request.formulation = "index1", request.method = "gauss(4)";
  request.h = Expression::parse("1/20", "h"), request.t_end = Expression::parse("5", "t");
  const RunResult result = run(request);
  ASSERT_EQ(result.status, "ok") << result.why;
  EXPECT_LE(result.measures.at("energy_error_max"), 1e-11);
}

INSTANTIATE_TEST_SUITE_P(Problems, Nonholonomic,
                         ::testing::Values("vertical_disk", "chaplygin_sleigh", "knife_edge"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace daemark
