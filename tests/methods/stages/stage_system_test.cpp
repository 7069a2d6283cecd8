#include "methods/stages/stage_system.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace daemark {
namespace {

/// ẏ = a y + z, z − y² + c = 0 in the manner of a DAE of index 1; nonlinear where asked to be.
class Small final : public ImplicitSystem<double> {
 public:
  bool singular = false;
  Small() {
    using Kind = Component::Kind;
    components_ = {
        {"x", Kind::integral, 1}, {"y", Kind::differential, -1}, {"z", Kind::algebraic, -1}};
    finish_components();
    row_power_ = {0, -1};
    pattern_y_ = {2, 3, {{0, 0}, {0, 2}, {1, 1}, {1, 2}}};
    pattern_rate_ = {2, 3, {{0, 1}}};
  }
  void evaluate(const SystemPoint<double>& p, double* r, double* by_y, double* by_rate) override {
    const double *y = p.y, *rate = p.rate;
    const double t = p.t;
    r[0] = rate[1] + 4 * y[0] + y[2];
    r[1] = singular ? y[1] * y[1] + 1 : y[2] + y[1] * y[1] - t;
    if (!by_y) return;
    by_y[0] = 4, by_y[1] = 1, by_y[2] = 2 * y[1], by_y[3] = singular ? 0 : 1;
    by_rate[0] = 1;
  }
  bool explicit_rates(double*, double*, const double&, const double*) override { return false; }
};

const DenseMatrix<wide> radau{{wide(5) / 12, wide(-1) / 12}, {wide(3) / 4, wide(1) / 4}};

struct Solved {
  StepReport report;
  Counts counts;
  std::vector<double> y, rate;
};

Solved solve(Small& small, const NewtonSettings& settings, double h, double start = 1) {
  StageSystem<double> stages({&small, &small}, radau, settings);
  for (int i = 0; i < 2; ++i) {
    stages.base(i)[0] = 0.5, stages.base(i)[1] = start, stages.base(i)[2] = 0;
    stages.time(i) = i == 0 ? h / 3 : h;
    stages.rate(i)[1] = 0, stages.y(i)[2] = 0;
  }
  Solved s;
  s.report = stages.solve(h, s.counts);
  for (int i = 0; i < 2; ++i) {
    s.y.insert(s.y.end(), stages.y(i), stages.y(i) + 3);
    s.rate.insert(s.rate.end(), stages.rate(i), stages.rate(i) + 3);
  }
  return s;
}

TEST(StageSystem, StagesSatisfyTheirEquations) {
  Small small;
  const double h = 0.1;
  const Solved s = solve(small, {}, h);
  ASSERT_EQ(s.report.status, Status::ok);
  for (int i = 0; i < 2; ++i) {
    double r[2], y = 1, x = 0.5;
    small.evaluate({&s.y[3 * i], &s.rate[3 * i], i == 0 ? h / 3 : h}, r, nullptr, nullptr);
    EXPECT_NEAR(r[0], 0, 1e-14);
    EXPECT_NEAR(r[1], 0, 1e-14);
    for (int j = 0; j < 2; ++j) {
      y += h * to_double(radau[i][j]) * s.rate[3 * j + 1];
      x += h * to_double(radau[i][j]) * s.y[3 * j + 1];
    }
    EXPECT_NEAR(s.y[3 * i + 1], y, 1e-15);
    EXPECT_NEAR(s.y[3 * i], x, 1e-15) << "integral components follow";
    EXPECT_EQ(s.rate[3 * i], s.y[3 * i + 1]) << "the rate of an integral component is its source";
  }
}

TEST(StageSystem, ReachesItsFloorWhereTheToleranceIsBelowRoundOff) {
  Small small;
  NewtonSettings settings;
  settings.tol = 1e-300;
  const Solved s = solve(small, settings, 0.1);
  EXPECT_EQ(s.report.status, Status::ok);
  EXPECT_LT(s.counts.newton_iterations, 15);
}

TEST(StageSystem, FailuresHaveNames) {
  Small small;
  NewtonSettings settings;
  settings.max = 1;
  EXPECT_EQ(solve(small, settings, 0.1).report.status, Status::newton_diverged);
  settings.max = 30;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(solve(small, settings, 0.1, nan).report.status, Status::not_finite);
  EXPECT_NE(solve(small, settings, 0.1, 1e300).report.status, Status::ok);
  small.singular = true;  // y² + 1 = 0 has no solution, and z no equation
  EXPECT_EQ(solve(small, settings, 0.1).report.status, Status::singular_matrix);
}

TEST(StageSystem, AStepThatIsNothingIsAFailureAndNoCrash) {
  Small small;
  EXPECT_EQ(solve(small, {}, 0).report.status, Status::not_finite);  // a row is scaled by 1/h
}

/// r(ẏ) = 0 for one function of ẏ, so that what Newton does from a guess can be foretold.
class OfTheRate final : public ImplicitSystem<double> {
 public:
  using Function = std::pair<double, double> (*)(double rate);  ///< value and slope
  explicit OfTheRate(Function f) : f_(f) {
    components_ = {{"y", Component::Kind::differential, -1}};
    finish_components();
    row_power_ = {0};
    pattern_y_ = {1, 1, {}};
    pattern_rate_ = {1, 1, {{0, 0}}};
  }
  void evaluate(const SystemPoint<double>& p, double* r, double*, double* by_rate) override {
    const auto [value, slope] = f_(p.rate[0]);
    r[0] = value;
    if (by_rate) by_rate[0] = slope;
  }
  bool explicit_rates(double*, double*, const double&, const double*) override { return false; }

 private:
  Function f_;
};

struct FromGuesses {
  StepReport report;
  Counts counts;
  double rate = 0;
};

/// From `guess`; the point before has the rate `before`.
FromGuesses from_guess(OfTheRate::Function f, double guess, double before, Rescue rescue,
                       bool simplified = false) {
  OfTheRate system(f);
  NewtonSettings settings;
  settings.rescue = rescue, settings.simplified = simplified;
  StageSystem<double> stage({&system, &system}, DenseMatrix<wide>{{wide(1)}}, settings);
  stage.base(0)[0] = 0, stage.time(0) = 0;
  const double y = 0;
  FromGuesses out;
  out.report =
      stage.solve(1.0, out.counts, [&] { stage.rate(0)[0] = guess; }, {{&y, &before, 1.0}});
  out.rate = stage.rate(0)[0];
  return out;
}

std::pair<double, double> arctangent(double x) {
  return {std::atan(x - 10), 1 / (1 + (x - 10) * (x - 10))};
}

// Newton's iteration for atan diverges from farther than 1.3917 of its root.
TEST(StageSystem, DampsWhereNewtonOvershoots) {
  for (const bool simplified : {false, true}) {
    EXPECT_NE(from_guess(arctangent, 0, 0, Rescue::off, simplified).report.status, Status::ok);
    const FromGuesses damped = from_guess(arctangent, 0, 0, Rescue::on, simplified);
    ASSERT_EQ(damped.report.status, Status::ok) << simplified;
    EXPECT_NEAR(damped.rate, 10, 1e-9);
    EXPECT_GT(damped.counts.newton_iterations,
              from_guess(arctangent, 0, 0, Rescue::off, simplified).counts.newton_iterations)
        << "the work of what failed counts";
  }
}

// x exp(−x) falls to 0 at infinity too: from x > 1 no damping turns round.
TEST(StageSystem, TriesThePointsBefore) {
  const auto bump = [](double x) { return std::pair(x * std::exp(-x), (1 - x) * std::exp(-x)); };
  EXPECT_NE(from_guess(bump, 3, 3, Rescue::on).report.status, Status::ok);
  const FromGuesses second = from_guess(bump, 3, 0.5, Rescue::on);
  ASSERT_EQ(second.report.status, Status::ok);
  EXPECT_NEAR(second.rate, 0, 1e-9);
  EXPECT_NE(from_guess(bump, 3, 0.5, Rescue::off).report.status, Status::ok);
}

// What has no solution fails from everywhere, and says why as the first attempt did.
TEST(StageSystem, FailsWhereThereIsNoSolution) {
  const auto parabola = [](double x) { return std::pair(x * x + 1, 2 * x); };
  const FromGuesses plain = from_guess(parabola, 3, 0.5, Rescue::off),
                    rescued = from_guess(parabola, 3, 0.5, Rescue::on);
  EXPECT_EQ(rescued.report.status, plain.report.status);
  EXPECT_STREQ(rescued.report.why, plain.report.why);
}

// Where Newton succeeds nothing else is tried.
TEST(StageSystem, RescuesNothingThatSucceeds) {
  const FromGuesses plain = from_guess(arctangent, 9.5, 9.6, Rescue::off),
                    rescued = from_guess(arctangent, 9.5, 9.6, Rescue::on);
  ASSERT_EQ(rescued.report.status, Status::ok);
  EXPECT_EQ(rescued.rate, plain.rate);
  EXPECT_EQ(rescued.counts.residual_evals, plain.counts.residual_evals);
}

// From 1.17 the increments of Newton for sin grow, 2.36, 2.50, 3.75, and it ends at −π: that is not
// believed where the point before leads to a root.
TEST(StageSystem, QuestionsWhatItWanderedTo) {
  const auto sine = [](double x) { return std::pair(std::sin(x), std::cos(x)); };
  const FromGuesses plain = from_guess(sine, 1.17, 0.1, Rescue::on);
  ASSERT_EQ(plain.report.status, Status::ok);
  EXPECT_NEAR(plain.rate, -std::acos(-1), 1e-9);
  const FromGuesses questioned = from_guess(sine, 1.17, 0.1, Rescue::questioned);
  ASSERT_EQ(questioned.report.status, Status::ok);
  EXPECT_NEAR(questioned.rate, 0, 1e-9);
  const double nowhere = std::numeric_limits<double>::quiet_NaN();
  const FromGuesses kept = from_guess(sine, 1.17, nowhere, Rescue::questioned);
  ASSERT_EQ(kept.report.status, Status::ok);
  EXPECT_EQ(kept.rate, plain.rate) << "where nothing else leads anywhere it stays";
}

/// v̇ + f(x) = 0 with ẋ = v: f grows so steeply that only positions near the last ones lead
/// anywhere.
class StiffSpring final : public ImplicitSystem<double> {
 public:
  StiffSpring() {
    components_ = {{"x", Component::Kind::integral, 1}, {"v", Component::Kind::differential, -1}};
    finish_components();
    row_power_ = {0};
    pattern_y_ = {1, 2, {{0, 0}}};
    pattern_rate_ = {1, 2, {{0, 1}}};
  }
  void evaluate(const SystemPoint<double>& p, double* r, double* by_y, double* by_rate) override {
    r[0] = p.rate[1] + std::sinh(p.y[0]);
    if (by_y) by_y[0] = std::cosh(p.y[0]), by_rate[0] = 1;
  }
  bool explicit_rates(double*, double*, const double&, const double*) override { return false; }
};

// A guessed acceleration of 1e6 is a position of 1e4, where sinh is not finite.
TEST(StageSystem, AimsAtPositionsNearTheLastOnes) {
  StiffSpring spring;
  const double h = 0.1, y[2] = {0.1, 1}, rate[2] = {1, 1e6};
  const auto solved = [&](Rescue rescue, double* position) {
    NewtonSettings settings;
    settings.rescue = rescue;
    StageSystem<double> stage({&spring, &spring}, DenseMatrix<wide>{{wide(1)}}, settings);
    stage.base(0)[0] = y[0], stage.base(0)[1] = y[1], stage.time(0) = h;
    Counts counts;
    const StepReport report =
        stage.solve(h, counts, [&] { stage.rate(0)[1] = 1e6; }, {{y, rate, h}});
    *position = stage.y(0)[0];
    return report.status;
  };
  double x = 0;
  EXPECT_NE(solved(Rescue::off, &x), Status::ok);
  ASSERT_EQ(solved(Rescue::on, &x), Status::ok);
  EXPECT_NEAR(x, y[0] + h * y[1] - h * h * std::sinh(x), 1e-14);  // the implicit Euler rule
}

}  // namespace
}  // namespace daemark
