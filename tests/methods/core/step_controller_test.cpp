// Controllers on errors that are made up: ε = φ h^k with a φ that is constant or grows.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "methods/core/stepper.hpp"

namespace daemark {
namespace {

ControlSettings with_filter(const std::string& name) {
  ControlSettings settings;
  for (std::size_t i = 0; i < step_filters().size(); ++i)
    if (step_filters()[i].name == name) settings.filter = static_cast<int>(i);
  return settings;
}

/// The errors of accepted steps, ε_n = phi(n) h_n^k, from the step 1.
std::vector<double> errors_of(const ControlSettings& settings, int k, int steps,
                              const std::function<double(int)>& phi) {
  StepController controller(settings, k);
  std::vector<double> errors;
  double h = 1;
  for (int n = 0; n < steps; ++n) {
    errors.push_back(phi(n) * std::pow(h, k));
    h = controller.after_accepted(h, errors.back());
  }
  return errors;
}

// log h is a linear recurrence whose roots lie within 0.8 (pi: z² − 0.3 z − 0.4), so that 200 steps
// leave nothing of the start.
TEST(StepController, SettlesWhereTheFactorIsOne) {
  for (const StepFilter& filter : step_filters())
    for (const int k : {2, 5, 9}) {
      SCOPED_TRACE(filter.name);
      const double sum = filter.b[0] + filter.b[1] + filter.b[2];
      const auto errors = errors_of(with_filter(filter.name), k, 200, [](int) { return 0.3; });
      EXPECT_NEAR(errors.back() / std::pow(0.9, k / sum), 1, 1e-12);
    }
}

TEST(StepController, TheElementaryOneIsThereAfterOneStep) {
  const auto errors = errors_of(with_filter("i"), 4, 2, [](int) { return 0.02; });
  EXPECT_NEAR(errors[1], std::pow(0.9, 4), 1e-15);
}

// φ_n = q^n: the predictive controller follows without a lag, the elementary one is q behind, the
// pi controller q^(1/0.3).
TEST(StepController, PredictionFollowsADrift) {
  constexpr double q = 1.05;
  constexpr int k = 4;
  const auto last = [&](const char* name) {
    return errors_of(with_filter(name), k, 200, [&](int n) { return std::pow(q, n); }).back();
  };
  EXPECT_NEAR(last("gustafsson"), std::pow(0.9, k), 1e-12);
  EXPECT_NEAR(last("i"), std::pow(0.9, k) * q, 1e-12);
  EXPECT_NEAR(last("pi"), std::pow(0.9, k / 0.3) * std::pow(q, 1 / 0.3), 1e-12);
}

// Each constant of each filter by itself.
TEST(StepController, UsesThreeErrorsAndTheRatioOfSteps) {
  for (const StepFilter& filter : step_filters()) {
    constexpr int k = 3;
    StepController controller(with_filter(filter.name), k);
    controller.after_accepted(1, 0.5);
    controller.after_accepted(1, 0.7);
    const double expected = 0.9 * std::pow(0.8, -filter.b[0] / k) *
                            std::pow(0.7, -filter.b[1] / k) * std::pow(0.5, -filter.b[2] / k) *
                            std::pow(1.5, -filter.a);
    EXPECT_NEAR(controller.after_accepted(1.5, 0.8), 1.5 * expected, 1e-14) << filter.name;
    controller.restart();
    EXPECT_NEAR(controller.after_accepted(1.5, 0.8), 1.5 * 0.9 * std::pow(0.8, -filter.b[0] / k),
                1e-14)
        << filter.name << ", after a restart";
  }
}

TEST(StepController, LimitsGrowthAndShrinkage) {
  ControlSettings settings;
  StepController plain(settings, 4);
  EXPECT_EQ(plain.after_accepted(1, 0), 5);
  EXPECT_EQ(plain.after_rejected(1, 1e10), 0.2);
  EXPECT_EQ(plain.after_failed(1), 0.25);
  EXPECT_DOUBLE_EQ(plain.after_rejected(2, 16), 2 * 0.9 / 2);
  settings.grow = 2, settings.shrink = 0.5, settings.failed = 0.125, settings.accept = 1e30;
  StepController tight(settings, 4);
  EXPECT_EQ(tight.after_accepted(1, 0), 2);
  tight.restart();
  EXPECT_EQ(tight.after_accepted(1, 1e20), 0.5);
  EXPECT_EQ(tight.after_rejected(1, 1e10), 0.5);
  EXPECT_EQ(tight.after_failed(1), 0.125);
}

// i with order 1: the factor is 0.9/ε.
TEST(StepController, KeepsTheStepInItsDeadZone) {
  ControlSettings settings = with_filter("i");
  settings.dead_zone = 1.25;
  const auto factor = [&](double wanted) {
    return StepController(settings, 1).after_accepted(1, 0.9 / wanted);
  };
  EXPECT_EQ(factor(1.2), 1);
  EXPECT_EQ(factor(1.01), 1);
  EXPECT_DOUBLE_EQ(factor(1.3), 1.3);
  EXPECT_DOUBLE_EQ(factor(0.95), 0.95);
  settings.dead_zone = 1;
  EXPECT_DOUBLE_EQ(factor(1.2), 1.2);
}

TEST(StepController, AcceptsToItsBound) {
  ControlSettings settings;
  EXPECT_TRUE(StepController(settings, 2).accepts(1));
  EXPECT_FALSE(StepController(settings, 2).accepts(1.1));
  EXPECT_FALSE(StepController(settings, 2).accepts(std::nan("")));
  settings.accept = 1.2;
  EXPECT_TRUE(StepController(settings, 2).accepts(1.1));
}

}  // namespace
}  // namespace daemark
