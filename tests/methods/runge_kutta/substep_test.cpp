// bathe, msstc, mssth, the ESDIRKs of Kennedy & Carpenter: coefficients from their conditions.
#include <gtest/gtest.h>

#include "analysis/linear/stability_function.hpp"
#include "methods/catalogue/registry.hpp"
#include "methods/runge_kutta/substep_high_order.hpp"

namespace daemark {
namespace {

const wide rounding("1e-95");

WideTableau tableau(const std::string& call) { return *method_registry().make(call)->tableau(); }

void expect_equal(const WideTableau& a, const WideTableau& b) {
  ASSERT_EQ(a.stages(), b.stages());
  for (int i = 0; i < a.stages(); ++i) {
    EXPECT_LT(abs(a.c[i] - b.c[i]), rounding);
    for (int j = 0; j < a.stages(); ++j) EXPECT_LT(abs(a.A[i][j] - b.A[i][j]), rounding) << i << j;
  }
}

TEST(Substeps, BatheIsMsstcOfTwo) {
  for (const char* rho : {"0", "1/3", "3/5", "1"})
    expect_equal(tableau("bathe(" + std::string(rho) + ")"),
                 tableau("msstc(n=2,rho=" + std::string(rho) + ")"));
}

TEST(Substeps, MsstcIsFlatOnTheAxisWithRadiusRho) {
  for (int n = 2; n <= 8; ++n)
    for (const char* rho : {"0", "3/5", "1"}) {
      const WideTableau t = tableau("msstc(n=" + std::to_string(n) + ",rho=" + rho + ")");
      const WideFunction R = stability_function(t);
      const wide r = static_cast<wide>(rational(rho));
      EXPECT_NEAR(modulus_at_infinity(t), to_double(r), 1e-15);
      EXPECT_EQ(linear_order(t), 2);
      // |N|² = |D|² − (1−ρ²)(γω)²ⁿ at a few frequencies.
      const auto square = [](const std::vector<wide>& p, const wide& omega) {
        wide re = 0, im = 0, power = 1;
        for (std::size_t j = 0; j < p.size(); ++j) {
          (j % 2 ? im : re) += (j % 4 < 2 ? 1 : -1) * p[j] * power;
          power *= omega;
        }
        return wide(re * re + im * im);
      };
      const wide gamma = t.A[1][1];
      for (const wide& omega : {wide(1) / 2, wide(3), wide(20)}) {
        const wide lost = (1 - r * r) * pow(wide(gamma * omega), 2 * n);
        EXPECT_LT(abs(square(R.num, omega) + lost - square(R.den, omega)),
                  rounding * square(R.den, omega))
            << n << rho;
      }
    }
}

TEST(Substeps, CheckDigitsOfMssth) {
  const auto near = [](const wide& x, const char* digits, const char* tolerance) {
    EXPECT_LT(abs(x - wide(digits)), wide(tolerance)) << x.str(25) << " " << digits;
  };
  const WideTableau three = tableau("mssth(3)"), four = tableau("mssth(4)"),
                    five = tableau("mssth(5)");
  near(three.A[1][1], "0.43586652150845899942", "1e-20");
  near(three.c[2], "0.60896663037711474985", "1e-20");
  near(four.A[1][1], "0.57281606248213485541", "1e-20");
  near(four.c[2], "0.55909857542294199422", "1e-20");
  near(four.c[3], "0.74140116648336137322", "1e-20");
  near(five.A[1][1], "0.27805384113645232493", "1e-20");
  near(five.c[3], "0.9673258605", "1e-9");  // an argmin known to its square root only
  near(five.c[4], "1.1401342632", "1e-10");
}

/// Conditions b·weight = target on trees up to order 5, with Ac = c²/2.
wide worst_condition(const WideTableau& t, int order) {
  const int s = t.stages();
  const auto apply = [&](const std::vector<wide>& x) {
    std::vector<wide> y(s, wide(0));
    for (int i = 0; i < s; ++i)
      for (int j = 0; j < s; ++j) y[i] += t.A[i][j] * x[j];
    return y;
  };
  const auto power = [&](int k) {
    std::vector<wide> y(s, wide(1));
    for (int i = 0; i < s; ++i)
      for (int j = 0; j < k; ++j) y[i] *= t.c[i];
    return y;
  };
  const auto weigh = [&](const std::vector<wide>& x) {
    wide sum = 0;
    for (int i = 0; i < s; ++i) sum += t.b[i] * x[i];
    return sum;
  };
  wide worst = 0;
  const auto check = [&](const wide& value, const wide& target) {
    worst = std::max<wide>(worst, abs(value - target));
  };
  for (int k = 0; k < order; ++k) check(weigh(power(k)), wide(1) / (k + 1));
  std::vector<wide> first = apply(power(1));
  for (int i = 0; i < s; ++i) check(first[i], t.c[i] * t.c[i] / 2);
  if (order >= 4) check(weigh(apply(power(2))), wide(1) / 12);
  if (order >= 5) {
    std::vector<wide> mixed = apply(power(2));
    for (int i = 0; i < s; ++i) mixed[i] *= t.c[i];
    check(weigh(mixed), wide(1) / 15);
    check(weigh(apply(power(3))), wide(1) / 20);
    check(weigh(apply(apply(power(2)))), wide(1) / 60);
  }
  return worst;
}

TEST(Substeps, OrderConditionsHoldForEveryRho) {
  for (int n = 3; n <= 5; ++n)
    for (const char* rho : {"0", "3/5", "1"})
      for (const char* id : {"mssth", "mssth_min"}) {
        const WideTableau t =
            tableau(std::string(id) + "(n=" + std::to_string(n) + ",rho=" + rho + ")");
        EXPECT_LT(worst_condition(t, n), rounding) << id << n << rho;
        EXPECT_NEAR(modulus_at_infinity(t), to_double(rational(rho)), 1e-15) << id << n << rho;
        EXPECT_EQ(linear_order(t), n);
      }
  EXPECT_LT(worst_condition(tableau("esdirk_3_2_4l"), 3), rounding);
  EXPECT_LT(worst_condition(tableau("esdirk_3_2_5l"), 3), rounding);
  EXPECT_LT(worst_condition(tableau("esdirk_4_3_6l"), 4), rounding);
}

TEST(Substeps, TheTrueMinimiserHasTheSmallerError) {
  for (int n = 4; n <= 5; ++n)
    for (const char* rho : {"0", "3/5", "1"}) {
      const rational r(rho);
      EXPECT_LT(error_norm(high_order_substeps(n, r, Objective::error)),
                error_norm(high_order_substeps(n, r, Objective::published)))
          << n << rho;
    }
  expect_equal(high_order_substeps(3, 0, Objective::error),
               high_order_substeps(3, 0, Objective::published));
}

TEST(Substeps, MssthOfThreeHasTheStabilityFunctionOfKennedyAndCarpenters) {
  const WideFunction a = stability_function(tableau("mssth(3)"));
  const WideFunction b = stability_function(tableau("esdirk_3_2_4l"));
  ASSERT_EQ(a.num.size(), b.num.size());
  for (std::size_t i = 0; i < a.num.size(); ++i) EXPECT_LT(abs(a.num[i] - b.num[i]), rounding);
}

}  // namespace
}  // namespace daemark
