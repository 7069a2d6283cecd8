#include <cmath>

#include "tests/problems/problem_runs.hpp"
#include "tests/support/method_bench.hpp"
#include "tests/support/observed_order.hpp"

namespace daemark {
namespace {

template <class S>
struct Top : test::MethodBench<S> {
  std::unique_ptr<Stepper<S>> stepper = this->started();

  Top(const std::string& method, const std::string& formulation, const std::string& steps,
      std::map<std::string, std::string> settings = {})
      : test::MethodBench<S>("heavy_top", formulation, method, "1/10/" + steps, "1/10",
                             std::move(settings)) {}
  void run(int steps) {
    for (int i = 0; i < steps; ++i) ASSERT_EQ(stepper->step().status, Status::ok);
  }
  std::vector<S> shown() const {
    std::vector<S> x(12);
    this->cell.mechanism->to_reference(this->cell.motion(stepper->state()), &x[0], &x[6]);
    return x;
  }
};

template <class S>
double distance(const std::vector<S>& a, const std::vector<S>& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    worst = std::max(worst, std::abs(to_double(S(a[i] - b[i]))));
  return worst;
}

// The second model, in quaternions, by another integrator.
std::vector<real50> by_series(const real50& t) {
  const auto flat = problem_registry().make("heavy_top(coordinates=quaternion)").make<real50>();
  std::vector<real50> x(12);
  const TaylorState<real50> end = test::state_at(*flat, t);
  flat->to_reference({t, end.q.data(), end.v.data()}, &x[0], &x[6]);
  return x;
}

TEST(HeavyTop, ChartsAndQuaternionsMoveAlike) {
  const std::map<std::string, std::string> settings = {{"predictor", "extrapolated"},
                                                       {"newton.tol", "1e-26"}};
  Top<real50> top("gauss(8)", "index1", "50", settings);
  top.run(50);  // 15 rad: many times round, no chart would hold it
  EXPECT_LT(distance(top.shown(), by_series(real50(1) / 10)), 1e-14);
  Top<real50> finer("gauss(8)", "index1", "100", settings);
  finer.run(100);
  EXPECT_LT(distance(finer.shown(), by_series(real50(1) / 10)), 1e-18);
}

// The orders of radau_iia(3) in every formulation (analysis/orders/expected_orders.hpp); wrong
// history or a chart left behind would show as order 1 or 0.
TEST(HeavyTop, ConvergesInEveryFormulation) {
  const auto exact = by_series(real50(1) / 10);
  for (const char* formulation : {"index1", "index2", "index3", "ggl"}) {
    // Newton's tolerance ε^0.7 = 1e-35 on accelerations of 1e5.
    test::ObservedOrder q(1e-33), v(1e-33);
    for (int steps = 50; steps <= 200; steps *= 2) {
      Top<real50> top("radau_iia(3)", formulation, std::to_string(steps));
      top.run(steps);
      const auto x = top.shown();
      const auto error = [&](int first) {
        return distance(std::vector<real50>(x.begin() + first, x.begin() + first + 6),
                        std::vector<real50>(exact.begin() + first, exact.begin() + first + 6));
      };
      q.add(error(0)), v.add(error(6));
    }
    EXPECT_EQ(q.order(), 5) << formulation << " " << q.text();
    EXPECT_EQ(v.order(), std::string(formulation) == "index3" ? 3 : 5) << formulation << v.text();
  }
}

// The same state in another chart: another g, the same orientation, accelerations and multipliers.
TEST(HeavyTop, ARebasedStateIsTheSameState) {
  Top<real50> top("gauss(3)", "index1", "200");
  top.run(3);
  State<real50> s = top.stepper->state();
  auto& mechanism = *top.cell.mechanism;
  const auto shown = top.shown();
  // Move the chart to an arbitrary orientation and the state along.
  std::vector<real50> y = s.y, rate = s.rate, chart = s.chart;
  std::vector<real50> origin_y = s.y, origin_rate = s.rate;
  origin_y[3] = real50("0.3"), origin_y[4] = real50("-0.7"), origin_y[5] = real50("0.45");
  top.cell.system->rebase(chart.data(), {origin_y.data(), y.data()},
                          {origin_rate.data(), rate.data()});
  for (int i = 3; i < 6; ++i) EXPECT_EQ(origin_y[i], 0);
  EXPECT_GT(distance(y, s.y), 0.1);
  std::vector<real50> moved(12);
  const SystemPoint<real50> point{y.data(), rate.data(), s.t, chart.data()};
  mechanism.to_reference(motion_point(6, point), &moved[0], &moved[6]);
  EXPECT_LT(distance(moved, shown), 1e-28);
  // v̇ was carried through the tangent map: the equations of motion must still hold there.
  std::vector<real50> residual(9);
  top.cell.system->evaluate(point, residual.data(), nullptr, nullptr);
  EXPECT_LT(distance(residual, std::vector<real50>(9, real50(0))), 1e-25);
}

// Restarting from memory repeats the step exactly, whatever happened to the chart in between.
TEST(HeavyTop, MemoryHoldsTheChart) {
  Top<double> top("radau_iia(2)", "index2", "200", {{"predictor", "extrapolated"}});
  top.run(5);
  const auto memory = top.stepper->memory();
  top.run(3);
  const auto first = top.shown();
  top.stepper->set_memory(memory);
  EXPECT_EQ(top.stepper->memory(), memory);
  top.run(3);
  EXPECT_EQ(top.shown(), first);
  EXPECT_EQ(top.stepper->state().chart.size(), 4u);
}

// The rotation error is the angle between orientations, whatever their rotation vectors look like.
TEST(HeavyTop, RotationErrorIsAnAngle) {
  const auto top = problem_registry().make("heavy_top").make<real50>();
  const real50 pi = acos(real50(-1));
  std::vector<real50> a(6, real50(0)), b(6, real50(0)), d(6);
  a[3] = pi - real50("0.001"), b[3] = -(pi - real50("0.002"));
  top->reference_difference(a.data(), b.data(), d.data());
  EXPECT_NEAR(to_double(real50(abs(d[3]))), 0.003, 1e-15);
  EXPECT_EQ(d[0], 0);
}

}  // namespace
}  // namespace daemark
