// The flyball governor against a model of its own: while both rods move alike, it has the unknowns
// β (rods below the horizontal), s (slider) and the spin, which follows from the moment of
// momentum.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "tests/support/simulation.hpp"

namespace daemark {
namespace {

/// Data of the benchmark, as the fact sheet of the IFToMM library gives them.
struct Governor {
  static constexpr double length = 1, side = 0.01, cube = 0.1, density = 3000, ball = 5, arm = 0.05,
                          K = 8e5, C = 4e4, L0 = 0.5, g = 9.81;
  static constexpr double rod = density * length * side * side,
                          slider = density * cube * cube * cube, along = rod * side * side / 6,
                          across = rod * (length * length + side * side) / 12;
  using State = std::array<double, 4>;  ///< β, s and their rates

  /// About the axis; and half its derivative by β.
  static std::array<double, 2> inertia(double beta) {
    const double c = std::cos(beta), s = std::sin(beta);
    const double middle = arm + length / 2 * c, end = arm + length * c;
    return {
        rod * side * side / 6 + slider * cube * cube / 6 +
            2 * (rod * middle * middle + ball * end * end + along * s * s + across * c * c),
        2 * (-rod * middle * length / 2 * s - ball * end * length * s + (along - across) * s * c)};
  }

  double momentum = 0;

  State rates(const State& x) const {
    const auto [beta, s, beta_rate, s_rate] = x;
    const double cb = std::cos(beta), sb = std::sin(beta);
    const double across_gap = length / 2 * cb, along_gap = length - length / 2 * sb - s;
    const double d = std::hypot(across_gap, along_gap);
    const double d_beta = (-across_gap * length / 2 * sb - along_gap * length / 2 * cb) / d,
                 d_s = -along_gap / d;
    const double force = K * (d - L0) + C * (d_beta * beta_rate + d_s * s_rate);
    const auto [A, half_slope] = inertia(beta);
    const double omega = momentum / A;
    const double B = 2 * (rod * length * length / 4 + across + ball * length * length);
    return {
        beta_rate, s_rate,
        (half_slope * omega * omega + 2 * (rod / 2 + ball) * g * length * cb - 2 * force * d_beta) /
            B,
        -g - 2 * force * d_s / slider};
  }

  void step(State& x, double h) const {
    const auto at = [&](const State& k, double share) {
      State y = x;
      for (int i = 0; i < 4; ++i) y[i] += share * h * k[i];
      return y;
    };
    const State k1 = rates(x), k2 = rates(at(k1, 0.5)), k3 = rates(at(k2, 0.5)),
                k4 = rates(at(k3, 1));
    for (int i = 0; i < 4; ++i) x[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  }
};

TEST(FlyballGovernor, MovesAsItsOwnModelOfThreeUnknowns) {
  Governor model;
  Governor::State x{M_PI / 6, 0.5, 0, 0};
  model.momentum = Governor::inertia(x[0])[0] * 2 * M_PI;
  constexpr int steps = 200, fine = 50;
  constexpr double h = 1e-3;
  test::Simulation<double> s(problem_registry().make("flyball_governor"), "index1", "radau_iia(3)",
                             wide(1) / 1000);
  std::vector<double> shown(s.mechanism->outputs().size());
  for (int i = 0; i < steps; ++i) {
    ASSERT_EQ(s.run(1), Status::ok);
    for (int k = 0; k < fine; ++k) model.step(x, h / fine);
    if (i % 20 != 19) continue;
    const State<double>& state = s.stepper->state();
    s.mechanism->output_values(motion_point(s.mechanism->coordinates(), state.point()),
                               shown.data());
    EXPECT_NEAR(shown[0], x[1], 1e-8) << i;
    EXPECT_NEAR(shown[1], x[3], 1e-6) << i;
    EXPECT_NEAR(shown[2], model.momentum / Governor::inertia(x[0])[0], 1e-7) << i;
  }
}

}  // namespace
}  // namespace daemark
