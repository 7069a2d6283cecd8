// Linear analysis against closed forms; the whole catalogue passes through it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "analysis/linear/amplification.hpp"
#include "analysis/linear/analyse.hpp"
#include "base/text/bad_input.hpp"
#include "methods/catalogue/registry.hpp"
#include "tests/support/tableaus.hpp"

namespace daemark {
namespace {

const double pi = std::acos(-1.0);

AnalyseResult analysed(const std::string& method, const std::vector<std::string>& x) {
  return analyse({method, expressions(x)});
}

TEST(Linear, TrapezoidalRuleInClosedForm) {
  const AnalyseResult r = analysed("trapezoidal", {"1/10", "1/1000", "5", "1/4"});
  for (std::size_t i = 0; i < r.x.size(); ++i) {
    const double theta = 2 * pi * r.x[i];
    EXPECT_NEAR(r.amplitude_decay_percent[i], 0, 1e-14);
    EXPECT_NEAR(r.period_elongation_percent[i], 100 * (theta / (2 * std::atan(theta / 2)) - 1),
                1e-10);
    EXPECT_NEAR(r.spectral_radius[i], 1, 1e-15);
  }
}

TEST(Linear, BackwardEulerInClosedForm) {
  const AnalyseResult r = analysed("bdf(1)", {"1/20", "1", "30"});
  for (std::size_t i = 0; i < r.x.size(); ++i) {
    const double theta = 2 * pi * r.x[i], a = std::log1p(theta * theta) / 2, phi = std::atan(theta);
    const double size = std::hypot(a, phi);
    EXPECT_NEAR(r.amplitude_decay_percent[i], 100 * a / size, 1e-11);
    EXPECT_NEAR(r.period_elongation_percent[i], 100 * (theta / size - 1), 1e-9);
    EXPECT_NEAR(r.spectral_radius[i], 1 / std::sqrt(1 + theta * theta), 1e-15);
  }
}

/// x + iy in 130 digits.
struct WideComplex {
  wide x, y;
  friend WideComplex operator+(const WideComplex& a, const WideComplex& b) {
    return {a.x + b.x, a.y + b.y};
  }
  friend WideComplex operator*(const WideComplex& a, const WideComplex& b) {
    return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
  }
  friend WideComplex operator/(const WideComplex& a, const WideComplex& b) {
    const wide size = b.x * b.x + b.y * b.y;
    return {(a.x * b.x + a.y * b.y) / size, (a.y * b.x - a.x * b.y) / size};
  }
};

struct DecayAndElongation {
  double decay, elongation;  // [%]
};

/// Of the root near e^{iθ} of the polynomial in z with these coefficients, by Newton in 130 digits:
/// six iterations from a root that is 1e-3 off or nearer leave nothing.
DecayAndElongation in_130_digits(const std::vector<WideComplex>& coefficients, const wide& theta) {
  WideComplex z{cos(theta), sin(theta)};
  for (int iteration = 0; iteration < 6; ++iteration) {
    WideComplex value{0, 0}, slope{0, 0};
    for (auto c = coefficients.rbegin(); c != coefficients.rend(); ++c) {
      slope = slope * z + value;
      value = value * z + *c;
    }
    z = z + WideComplex{-1, 0} * (value / slope);
  }
  const wide a = -log(wide(z.x * z.x + z.y * z.y)) / 2, phase = atan2(z.y, z.x);
  const wide W = sqrt(wide(a * a + phase * phase));
  return {to_double(wide(100 * a / W)), to_double(wide(100 * (theta / W - 1)))};
}

/// Of R = P/Q, the Padé approximation of e^z with degrees k and s (Hairer & Wanner, Theorem
/// IV.3.11): P = Σ C(k,j) (s+k−j)!/(s+k)! z^j, Q(z) the same with s for k and −z for z.
DecayAndElongation of_pade(int k, int s, const wide& theta) {
  const auto at_i_theta = [&](int degree, int sign) {
    WideComplex sum{0, 0}, power{1, 0};
    wide weight = 1;  // degree!/(degree−j)!/j! (s+k−j)!/(s+k)!
    for (int j = 0; j <= degree; ++j) {
      sum = sum + WideComplex{weight, 0} * power;
      power = power * WideComplex{0, sign * theta};
      weight *= wide(degree - j) / wide((j + 1) * (s + k - j));
    }
    return sum;
  };
  return in_130_digits({WideComplex{-1, 0} * at_i_theta(k, 1), at_i_theta(s, -1)}, theta);
}

/// Of Σ α_j y_j = h Σ β_j ẏ_j.
DecayAndElongation of_multistep(const std::string& call, const wide& theta) {
  const auto method = method_registry().make(call);
  const auto* formula = method->coefficients(MethodKind::multistep);
  std::vector<WideComplex> coefficients;
  for (std::size_t j = 0; j < formula->list("alpha").size(); ++j)
    coefficients.push_back(
        {formula->list("alpha")[j].eval<wide>(), -theta * formula->list("beta")[j].eval<wide>()});
  return in_130_digits(coefficients, theta);
}

/// Roots in long double know neither from x = 1e-4 on; below round-off both are 0.
TEST(Linear, SmallStepsFollowTheLeadingTerm) {
  const std::vector<std::string> x = {"1/620", "1/650", "1e-4",
                                      "1e-6"};  // on both sides of 0.01/2π
  for (const char* method : {"lms(2,0)", "ss(2,0)", "generalized_alpha(1/2)"}) {
    const AnalyseResult r = analysed(method, x);
    for (std::size_t i = 1; i < x.size(); ++i) {
      const double ratio = r.x[i] / r.x[i - 1], next = 4 * std::pow(2 * pi * r.x[i - 1], 2);
      EXPECT_NEAR(
          r.amplitude_decay_percent[i] / r.amplitude_decay_percent[i - 1] / std::pow(ratio, 3), 1,
          next)
          << method << " at " << x[i];
      EXPECT_NEAR(
          r.period_elongation_percent[i] / r.period_elongation_percent[i - 1] / std::pow(ratio, 2),
          1, next)
          << method << " at " << x[i];
    }
  }
  const AnalyseResult none = analysed("gauss(2)", {"1e-4", "1e-9", "1e-15"});
  EXPECT_THAT(none.amplitude_decay_percent, testing::Each(0));
  EXPECT_THAT(none.period_elongation_percent,
              testing::ElementsAre(testing::Gt(0), testing::Gt(0), 0));
}

/// Where long double shows its own round-off. The roots are found in real50, whose round-off
/// does not show beside a = 2e-24 and more; 1e-8 is far above that of double.
TEST(Linear, SmallDecayAndElongationAreThoseOf130Digits) {
  const auto theta = [](int stages, const char* x) {
    return wide(2 * acos(wide(-1)) * stages * Expression::parse(x, "x").eval<wide>());
  };
  const auto expect_equal = [](double found, double truth) {
    EXPECT_GT(std::abs(truth), 0);
    EXPECT_NEAR(found / truth, 1, 1e-8);
  };
  expect_equal(analysed("radau_iia(5)", {"1/1000"}).amplitude_decay_percent[0],
               of_pade(4, 5, theta(5, "1/1000")).decay);
  expect_equal(analysed("gauss(4)", {"1/500"}).period_elongation_percent[0],
               of_pade(4, 4, theta(4, "1/500")).elongation);
  expect_equal(analysed("lms(5,0)", {"0.0017"}).amplitude_decay_percent[0],
               of_multistep("lms(5,0)", theta(1, "0.0017")).decay);
}

TEST(Linear, PhaseIsUnwrappedThroughTheRealAxis) {
  // gauss(s): R(iθ) = P(iθ)/P(−iθ) passes −1 and goes on; its phase is 2 arg P, up to sπ.
  const AnalyseResult r = analysed("gauss(3)", {"1/10", "1/5", "2/5", "1", "4"});
  for (std::size_t i = 0; i < r.x.size(); ++i) {
    const double theta = 2 * pi * 3 * r.x[i];
    double phase = 0;  // of 1 + z/2 + z²/10 + z³/120 along the axis, by small steps
    std::complex<double> last = 1;
    for (int k = 1; k <= 4000; ++k) {
      const std::complex<double> z(0, theta * k / 4000);
      const std::complex<double> p = 1.0 + z / 2.0 + z * z / 10.0 + z * z * z / 120.0;
      phase += std::arg(p / last);
      last = p;
    }
    EXPECT_NEAR(r.period_elongation_percent[i], 100 * (theta / (2 * phase) - 1), 1e-8) << r.x[i];
  }
}

// Beside the negative real axis a root and its conjugate nearly meet: what is found at x must not
// depend on the points asked for before it.
TEST(Linear, APointDoesNotDependOnTheOthers) {
  const std::vector<std::string> x = {"1/5", "1/4", "3/10", "1/2", "1"};
  std::vector<std::string> dense;
  for (int k = 1; k <= 200; ++k) dense.push_back(std::to_string(k) + "/200");
  for (const char* method : {"bathe(rho=0)", "mssth(n=3,rho=1/2)", "mssth(n=4,rho=3/5)",
                             "esdirk_3_2_4l", "sdirk_3", "tr_bdf2", "lms(n=4,rho=3/5)"}) {
    const AnalyseResult all = analysed(method, dense);
    for (const std::string& one : x) {
      const AnalyseResult alone = analysed(method, {one});
      const auto k = static_cast<std::size_t>(std::lround(200 * alone.x[0])) - 1;
      EXPECT_NEAR(alone.amplitude_decay_percent[0], all.amplitude_decay_percent[k], 1e-9)
          << method << " " << one;
      EXPECT_NEAR(alone.period_elongation_percent[0], all.period_elongation_percent[k], 1e-8)
          << method << " " << one;
    }
  }
}

// Three roots go to 0 together: which is the principal one must not depend on the way either.
TEST(Linear, APointFarOutDoesNotDependOnTheOthers) {
  for (const char* method : {"generalized_alpha(0)", "generalized_alpha(4/5)", "hht(-1/3)"}) {
    const AnalyseResult all = analysed(method, {"7", "1000000", "3000000", "10000000"});
    const AnalyseResult alone = analysed(method, {"10000000"});
    EXPECT_EQ(alone.amplitude_decay_percent[0], all.amplitude_decay_percent[3]) << method;
    EXPECT_EQ(alone.period_elongation_percent[0], all.period_elongation_percent[3]) << method;
  }
}

// Chung & Hulbert 1993: rho is the radius at infinity; Hughes 1987, with the sign of alpha here:
// (1 + alpha)/(1 - alpha) of the double root, and what the third one has.
TEST(Linear, RadiusAtInfinityIsThatOfTheLimit) {
  for (const auto& [method, radius] : std::vector<std::pair<std::string, double>>{
           {"generalized_alpha(4/5)", 0.8},
           {"generalized_alpha(0)", 0},
           {"average_acceleration", 1},
           {"hht(-1/3)", 0.5},
           {"fox_goodwin", 5 + 2 * std::sqrt(6.0)},  // z² + 10 z + 1
           {"linear_acceleration", 2 + std::sqrt(3.0)},
           {"tangent_space(average_acceleration)", 1},
           {"tangent_space(sdirk_2)", 0},
           {"tangent_space(bdf(2))", 0},
           {"tangent_space(generalized_alpha(1/2))", 0.5}})
    EXPECT_NEAR(summarise(method).rho_infinity, radius, 1e-9) << method;
  EXPECT_TRUE(std::isinf(summarise("central_difference").rho_infinity));
}

TEST(Linear, WholeCatalogueIsAnalysedAndAStableOnesDoNotGrow) {
  int analysed_methods = 0, a_stable = 0;
  for (const std::string& call : method_registry().examples()) {
    const LinearSummary s = summarise(call);
    if (!s.failure.empty()) {
      // What is no method without arguments, takes no ordinary equations, is there in double only,
      // or has no step for h to infinity: of pairs of tableaus Newton's matrix is singular there.
      const auto says = [&s](const char* reason) {
        return s.failure.find(reason) != std::string::npos;
      };
      EXPECT_TRUE(says("required") || says("refuses ordinary equations") ||
                  says("no stepper in real50") || says("Newton"))
          << call << ": " << s.failure;
      continue;
    }
    ++analysed_methods;
    const MethodInfo& info = method_registry().info(parse_call(call, "test").id);
    EXPECT_GE(s.order, info.claims.order.value_or(1)) << call;
    if (info.claims.a_stable.value_or(false)) {
      ++a_stable;
      EXPECT_LE(s.rho_infinity, 1 + 1e-12) << call;
      EXPECT_GE(s.decay_010, -1e-12) << call;
    }
  }
  EXPECT_GT(analysed_methods, 80);
  EXPECT_GT(a_stable, 10);
}

TEST(Linear, RegionOfTheImplicitEulerMethod) {
  StabilityRegion region{-3, 3, -2, 2, 7, 5, {}};
  fill_region("backward_euler", region);
  for (int row = 0; row < 5; ++row)
    for (int column = 0; column < 7; ++column) {
      const std::complex<double> z(-3 + column, -2 + row);
      const double modulus = region.modulus[row * 7 + column];
      if (z == 1.0) continue;                                  // the pole
      EXPECT_NEAR(modulus, 1 / std::abs(1.0 - z), 1e-7) << z;  // double roots on the real axis
    }
}

TEST(Linear, BadInputIsRefused) {
  EXPECT_THROW(analysed("bdf(2)", {"0"}), BadInput);
  EXPECT_THROW(analysed("bdf(2)", {"-1/10"}), BadInput);
  EXPECT_THROW(analysed("no_such", {"1/10"}), BadInput);
}

}  // namespace
}  // namespace daemark
