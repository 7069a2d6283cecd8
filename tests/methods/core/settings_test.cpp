#include "methods/core/settings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <set>

#include "base/numbers/scalar.hpp"
#include "base/text/bad_input.hpp"
#include "methods/core/stepper.hpp"
#include "tests/support/refusal.hpp"

namespace daemark {
namespace {

TEST(Settings, DefaultsFollowThePrecision) {
  EXPECT_EQ(parse_settings({}, Precision::in_double).newton.tol, 1e-10);
  EXPECT_DOUBLE_EQ(parse_settings({}, Precision::in_real50).newton.tol,
                   std::pow(unit_roundoff<real50>(), 0.7));
  const Settings s = parse_settings({}, Precision::in_double);
  EXPECT_TRUE(s.newton.infinity_norm);
  EXPECT_FALSE(s.newton.simplified);
  EXPECT_EQ(s.newton.max, 30);
  EXPECT_EQ(s.newton.reuse, 0);
  EXPECT_EQ(s.predictor, Predictor::constant);
  EXPECT_EQ(s.start, Start::own_order);
  EXPECT_FALSE(s.newton.on_residual);
  EXPECT_FALSE(s.unconverged_rates);
}

TEST(Settings, EveryKeyAndWordIsRead) {
  std::set<std::string> keys;
  const auto with = [&keys](const std::string& key, const char* text) {
    keys.insert(key);
    std::map<std::string, std::string> values{{key, text}};
    if (key.starts_with("control.")) values.emplace("control.tol", "1/4");
    return parse_settings(values, Precision::in_real50);
  };
  EXPECT_DOUBLE_EQ(with("newton.tol", "3/1000").newton.tol, 0.003);
  EXPECT_TRUE(with("newton.test", "residual").newton.on_residual);
  EXPECT_FALSE(with("newton.test", "increment").newton.on_residual);
  EXPECT_FALSE(with("newton.norm", "two").newton.infinity_norm);
  EXPECT_TRUE(with("newton.norm", "inf").newton.infinity_norm);
  EXPECT_EQ(with("newton.max", "7").newton.max, 7);
  EXPECT_EQ(with("newton.reuse", "4").newton.reuse, 4);
  EXPECT_EQ(with("newton.rescue", "off").newton.rescue, Rescue::off);
  EXPECT_TRUE(with("newton.kind", "simplified").newton.simplified);
  EXPECT_FALSE(with("newton.kind", "full").newton.simplified);
  EXPECT_EQ(with("predictor", "constant").predictor, Predictor::constant);
  EXPECT_EQ(with("predictor", "extrapolated").predictor, Predictor::extrapolated);
  EXPECT_EQ(with("predictor", "hermite2").predictor, Predictor::hermite2);
  EXPECT_EQ(with("predictor", "hermite4").predictor, Predictor::hermite4);
  EXPECT_EQ(with("start", "own_order").start, Start::own_order);
  EXPECT_EQ(with("start", "lower_orders").start, Start::lower_orders);
  EXPECT_EQ(with("start", "radau_iia").start, Start::radau_iia);
  EXPECT_EQ(with("start", "trapezoidal").start, Start::trapezoidal);
  EXPECT_TRUE(with("start.rates", "unconverged").unconverged_rates);
  EXPECT_FALSE(with("start.rates", "consistent").unconverged_rates);
  EXPECT_EQ(with("retry", "3").retry, 3);
  EXPECT_FALSE(with("project", "none").project.on());
  EXPECT_TRUE(with("project", "both").project.position);
  EXPECT_TRUE(with("project", "both").project.velocity);
  EXPECT_FALSE(with("project", "velocity").project.position);
  EXPECT_TRUE(with("project", "velocity").project.velocity);
  EXPECT_FALSE(with("project.metric", "euclidean").project.mass_metric);
  EXPECT_TRUE(with("project.metric", "mass").project.mass_metric);
  EXPECT_DOUBLE_EQ(with("control.tol", "1/1000").control.tol, 0.001);
  EXPECT_EQ(with("control.first", "1/8").control.first, 0.125);
  EXPECT_EQ(with("control.least", "1/64").control.least, 0.015625);
  EXPECT_EQ(with("control.most", "1/2").control.most, 0.5);
  EXPECT_EQ(with("control.algebraic", "off").control.algebraic, AlgebraicControl::off);
  EXPECT_TRUE(with("control.order", "varied").control.vary_order);
  EXPECT_FALSE(with("control.output", "ends").control.inside);
  const int filter = with("control.kind", "h211b").control.filter;
  EXPECT_STREQ(step_filters()[static_cast<std::size_t>(filter)].name, "h211b");
  EXPECT_EQ(with("control.safety", "3/4").control.safety, 0.75);
  EXPECT_EQ(with("control.shrink", "1/16").control.shrink, 0.0625);
  EXPECT_EQ(with("control.grow", "8").control.grow, 8);
  EXPECT_EQ(with("control.dead_zone", "5/4").control.dead_zone, 1.25);
  EXPECT_EQ(with("control.accept", "3/2").control.accept, 1.5);
  EXPECT_EQ(with("control.failed", "1/2").control.failed, 0.5);
  const std::array kinds{"position", "angle", "velocity", "multiplier"};
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    const std::string kind = kinds[k];
    EXPECT_EQ(with("control.atol." + kind, "7").control.of[k].absolute, 7.0) << kind;
    EXPECT_EQ(with("control.rtol." + kind, "1/32").control.of[k].relative, 0.03125) << kind;
  }
  for (const SettingInfo& info : setting_infos())
    EXPECT_TRUE(keys.contains(info.key)) << info.key << " is not tested here";
}

// What is projected are step ends.
TEST(Settings, StepsEndAtOutputPointsWithProjection) {
  EXPECT_FALSE(parse_settings({{"project", "both"}}, Precision::in_double).control.inside);
  EXPECT_THROW(
      parse_settings({{"project", "both"}, {"control.output", "inside"}}, Precision::in_double),
      BadInput);
}

TEST(Settings, ARescueIsForFailuresThatWouldEndTheRun) {
  const auto rescues = [](const std::map<std::string, std::string>& values) {
    return parse_settings(values, Precision::in_double).newton.rescue;
  };
  EXPECT_EQ(rescues({}), Rescue::on);
  EXPECT_EQ(rescues({{"newton.rescue", "off"}}), Rescue::off);
  EXPECT_EQ(rescues({{"newton.rescue", "questioned"}}), Rescue::questioned);
  EXPECT_EQ(rescues({{"newton.rescue", "questioned"}, {"retry", "2"}}), Rescue::off);
  EXPECT_EQ(rescues({{"control.tol", "1/1000"}}), Rescue::off);
}

TEST(Settings, RefusesWhatIsNotAccepted) {
  const std::vector<std::pair<std::string, std::string>> bad = {{"newton.tol", "0"},
                                                                {"newton.tol", "-1"},
                                                                {"newton.tol", "small"},
                                                                {"newton.tol", "1/0"},
                                                                {"newton.tol", ""},
                                                                {"newton.norm", "one"},
                                                                {"newton.max", "0"},
                                                                {"newton.max", "1001"},
                                                                {"newton.max", "2.5"},
                                                                {"newton.max", "1e9"},
                                                                {"newton.kind", "Full"},
                                                                {"newton.reuse", "-1"},
                                                                {"predictor", "clever"},
                                                                {"start", "now"},
                                                                {"control.kind", "bang_bang"},
                                                                {"control.kind", ""},
                                                                {"control.safety", "0"},
                                                                {"control.safety", "2"},
                                                                {"control.shrink", "1"},
                                                                {"control.grow", "1"},
                                                                {"control.dead_zone", "1/2"},
                                                                {"control.dead_zone", "6"},
                                                                {"control.accept", "1/2"},
                                                                {"control.failed", "-1"},
                                                                {"control.atol.position", "0"},
                                                                {"control.atol.position", "-1"},
                                                                {"control.rtol.velocity", "-1e-9"},
                                                                {"control.atol.length", "1"},
                                                                {"control.atol", "1"},
                                                                {"newton", "1"},
                                                                {"newton.tolerance", "1"},
                                                                {"", ""}};
  for (const auto& [key, value] : bad)
    EXPECT_THROW(parse_settings({{key, value}}, Precision::in_double), BadInput)
        << key << " = " << value;
}

TEST(Settings, RefusesTolerancesOfAKindBelowRoundOff) {
  const auto read = [](const char* relative) {
    return parse_settings({{"control.tol", "1e-6"},
                           {"control.atol.angle", "1e-30"},
                           {"control.rtol.angle", relative}},
                          Precision::in_double);
  };
  EXPECT_NO_THROW(read("1e-8"));
  EXPECT_THROW(read("0"), BadInput);  // an angle that is not zero could never meet them
}

TEST(Settings, HelpNamesEveryKeyAndItsDefaultIsAccepted) {
  ASSERT_FALSE(setting_infos().empty());
  for (const SettingInfo& info : setting_infos()) {
    EXPECT_FALSE(info.accepted.empty()) << info.key;
    EXPECT_FALSE(info.meaning.empty()) << info.key;
    if (info.key == "newton.tol") continue;  // its default depends on the precision
    EXPECT_NO_THROW(parse_settings({{info.key, info.fallback}}, Precision::in_double)) << info.key;
  }
  const std::string refused = test::refusal([] {
    parse_settings({{"newton.tol_", "1"}}, Precision::in_double);
  });
  EXPECT_THAT(refused, ::testing::HasSubstr("did you mean 'newton.tol'?"));
  EXPECT_THAT(refused, ::testing::EndsWith("daemark list settings names them"));
}

// Controllers on errors that are made up: ε = φ h^k with a φ that is constant or grows.

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
