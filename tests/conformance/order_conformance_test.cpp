// Observed orders of q, v and λ apart, on a problem whose constraints are nonlinear (a linear test
// is blind to evaluating G at the wrong time), in 113-bit arithmetic.
//
// Steps T/n, n = 8, 16, 32 (up to 128) on T = 1/4 s of the two-link. With e(h) = C h^p (1 + c h +
// …) the slope between h and h/2 is p + log2((1 + ch)/(1 + ch/2)): the two slopes of one run differ
// by about twice what the finer one is still off, which is the tolerance used (plus 0.05 for higher
// terms).
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <boost/multiprecision/eigen.hpp>
#include <cmath>

#include "analysis/reference/taylor_reference.hpp"
#include "methods/runge_kutta/runge_kutta.hpp"
#include "tests/methods/order_conditions.hpp"
#include "tests/support/catalogue.hpp"
#include "tests/support/method_bench.hpp"

namespace daemark {
namespace {

using test::MethodBench;

constexpr int highest_tested = 8;
constexpr int finest = 128;  ///< steps

const TaylorState<real50>& reference() {
  static const TaylorState<real50> state = [] {
    const auto mechanism = problem_registry().make("two_link").make<real50>();
    std::vector<real50> q(mechanism->coordinates()), v(q.size());
    mechanism->initial(q.data(), v.data());
    return TaylorIntegrator<real50>(*mechanism).integrate(0, q, v, {real50(0.25)}).front();
  }();
  return state;
}

double distance(const quad* x, const std::vector<real50>& y) {
  real50 sum = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const real50 d = real50(x[i]) - y[i];
    sum += d * d;
  }
  return to_double(real50(sqrt(sum)));
}

struct Errors {
  Status status = Status::ok;
  double q = 0, v = 0, lambda = 0;
};

Errors errors_after(const std::string& method, const std::string& formulation, int steps) {
  MethodBench<quad> bench("two_link", formulation, method, "1/4/" + std::to_string(steps), "1/4");
  const auto stepper = bench.started();
  for (int i = 0; i < steps; ++i) {
    const StepReport report = stepper->step();
    if (report.status != Status::ok) return {report.status};
  }
  const int n = bench.coordinates(), m = bench.constraints();
  const quad* y = stepper->state().y.data();
  std::vector<quad> q(reference().q.size()), v(q.size());
  bench.cell.mechanism->to_reference(bench.cell.motion(stepper->state()), q.data(), v.data());
  return {Status::ok, distance(q.data(), reference().q), distance(v.data(), reference().v),
          m > 0 ? distance(y + 2 * n, reference().lambda) : 0};
}

/// Largest q with C(q): Σ_j a_ij c_j^{k−1} = c_i^k / k for k ≤ q.
int stage_order(const WideTableau& t) {
  for (int k = 1;; ++k)
    for (int i = 0; i < t.stages(); ++i) {
      wide defect = -pow(t.c[i], k) / k;
      for (int j = 0; j < t.stages(); ++j)
        defect += t.A[i][j] * (k == 1 ? wide(1) : wide(pow(t.c[j], k - 1)));
      if (abs(defect) > wide("1e-100")) return k - 1;
    }
}

/// Both slopes of one quantity over three steps.
struct Slopes {
  double coarse, fine, smallest_error;
  double tolerance() const { return std::min(0.5, 0.05 + 2 * std::abs(fine - coarse)); }
  /// Newton leaves about ε^0.7 = 1e-24, times some hundred steps and gains.
  bool on_the_floor() const { return smallest_error < 1e-21; }
};

class OrderConformance : public ::testing::TestWithParam<std::string> {
 protected:
  std::shared_ptr<const Method> method_ = method_registry().make(GetParam());
  std::optional<WideTableau> tableau_ = method_->tableau();
  const MethodInfo& info_ = method_registry().info(parse_call(GetParam(), "method").id);

  /// Of q, v, λ in this order, at steps fine enough that both slopes agree; empty if a run failed.
  std::vector<Slopes> slopes_on(const std::string& formulation) {
    std::vector<Errors> e;
    std::vector<Slopes> result;
    for (int steps = 8; steps <= finest; steps *= 2) {
      e.push_back(errors_after(GetParam(), formulation, steps));
      if (e.back().status != Status::ok) return {};
      const std::size_t k = e.size();
      if (k < 3) continue;
      result.clear();
      bool settled = true;
      for (double Errors::*x : {&Errors::q, &Errors::v, &Errors::lambda}) {
        result.push_back({std::log2(e[k - 3].*x / e[k - 2].*x),
                          std::log2(e[k - 2].*x / e[k - 1].*x), e[k - 1].*x});
        settled = settled && (result.back().on_the_floor() || result.back().tolerance() < 0.3);
      }
      if (settled) break;
    }
    return result;
  }
  static void expect_at_least(const Slopes& s, double order, const char* what) {
    if (s.on_the_floor()) return;
    EXPECT_GE(s.fine, order - s.tolerance()) << what << ", coarse slope " << s.coarse;
  }
};

// Index 1 is an ordinary differential equation in disguise: the classical order, in q, v and λ.
TEST_P(OrderConformance, ClassicalOrderOnIndexOne) {
  for (const char* formulation : {"index1", "minimal"}) {
    SCOPED_TRACE(formulation);
    const std::vector<Slopes> slopes = slopes_on(formulation);
    ASSERT_FALSE(slopes.empty()) << "a run failed";
    const bool constrained = std::string(formulation) == "index1";
    for (int k = 0; k < (constrained ? 3 : 2); ++k) {
      const char* what = k == 0 ? "q" : k == 1 ? "v" : "lambda";
      if (!tableau_) {
        expect_at_least(slopes[k], info_.claims.order.value_or(1), what);
        continue;
      }
      const int order = testing_support::order_of(tableau_->A, tableau_->b, highest_tested);
      expect_at_least(slopes[k], order, what);
      if (order < highest_tested && !slopes[k].on_the_floor()) {
        // Coming from order + 1 down to it, where the leading constant is small.
        EXPECT_LE(slopes[k].fine, order + 0.75) << what << ", coarse slope " << slopes[k].coarse;
      }
    }
  }
}

/// |R(∞)| of a tableau, by R at −10⁴⁰.
double damping_at_infinity(const WideTableau& t) {
  const int s = t.stages();
  const wide z = -pow(wide(10), 40);
  Eigen::Matrix<wide, Eigen::Dynamic, Eigen::Dynamic> M(s, s);
  Eigen::Matrix<wide, Eigen::Dynamic, 1> e(s);
  for (int i = 0; i < s; ++i) {
    e(i) = 1;
    for (int j = 0; j < s; ++j) M(i, j) = wide(i == j) - z * t.A[i][j];
  }
  e = M.partialPivLu().solve(e).eval();
  wide sum = 0;
  for (int i = 0; i < s; ++i) sum += t.b[i] * e(i);
  return std::abs(to_double(wide(1 + z * sum)));
}

// Stiffly accurate methods with a regular implicit part and |R(∞)| < 1, order p and stage order s:
// on index 2 min(p, s + 1) in q and v, s in λ; on index 3 s in q, s − 1 in v and s − 2 in λ
// (Hairer, Lubich & Roche 1989, sections 4-6; lower bounds, mechanical systems do better).
TEST_P(OrderConformance, LowerBoundsOnHigherIndex) {
  if (!tableau_ || !is_stiffly_accurate(*tableau_) || damping_at_infinity(*tableau_) > 0.999)
    GTEST_SKIP() << "no such theory";
  const int p = testing_support::order_of(tableau_->A, tableau_->b, highest_tested),
            s = stage_order(*tableau_);
  for (const char* formulation : {"index2", "ggl", "index3"}) {
    const int index = Formulation::parse(formulation).info.index;
    if (!method_->refusal(index).empty() || (index == 3 && s < 3)) continue;
    SCOPED_TRACE(formulation);
    const std::vector<Slopes> slopes = slopes_on(formulation);
    ASSERT_FALSE(slopes.empty()) << "a run failed";
    expect_at_least(slopes[0], index == 3 ? s : std::min(p, s + 1), "q");
    expect_at_least(slopes[1], index == 3 ? s - 1 : std::min(p, s + 1), "v");
    expect_at_least(slopes[2], index == 3 ? s - 2 : s, "lambda");
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, OrderConformance,
                         ::testing::ValuesIn(test::method_samples().calls),
                         [](const auto& info) { return test::test_name(info.param); });

}  // namespace
}  // namespace daemark
