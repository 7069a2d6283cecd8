// SSP coefficients against those that are known, and orders of W-methods against runs with a wrong
// Jacobian.
#include "analysis/exact/theory/monotonicity.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "analysis/exact/proof/verify.hpp"
#include "analysis/exact/theory/import.hpp"
#include "methods/catalogue/registry.hpp"
#include "tests/support/tableaus.hpp"

namespace daemark::exact {
namespace {

std::string ssp_of(const Coefficients& method) {
  const TableauNumbers numbers = import_tableau(method);
  const auto found = ssp_coefficient(numbers.a, numbers.b);
  return found ? found->exact : "not decided";
}

// Gottlieb, Ketcheson & Shu, Strong Stability Preserving Runge-Kutta and Multistep Time
// Discretizations: forward Euler 1, SSPRK(3,3) 1, backward Euler unbounded, trapezoidal rule and
// midpoint rule 2, the classical method 0.
TEST(SspCoefficient, KnownMethods) {
  const auto of = [](const char* id) {
    return ssp_of(*method_registry().make(id)->coefficients());
  };
  EXPECT_EQ(of("euler_explicit"), "1");
  EXPECT_EQ(of("shu_osher_3"), "1");
  EXPECT_EQ(of("heun_2"), "1");
  EXPECT_EQ(of("erk4"), "0");
  EXPECT_EQ(of("dormand_prince_5"), "0");
  EXPECT_EQ(of("backward_euler"), "unbounded");
  EXPECT_EQ(of("trapezoidal"), "2");
  EXPECT_EQ(ssp_of(tableau_of_texts("midpoint", {{"1/2"}}, {"1"}, {"1/2"})), "2");
  EXPECT_EQ(
      verify_tableau(*method_registry().make("shu_osher_3")->coefficients()).facts.ssp_coefficient,
      "1");
}

// SSPRK(s,2), a_ij = 1/(s - 1): s - 1. With other first weights b (I + r A)^-1 has the entry
// 1/5 - 2/5 r + 1/10 r^2 on 3 stages.
TEST(SspCoefficient, FamiliesAndAlgebraicNumbers) {
  for (int s = 2; s <= 9; ++s) {
    const std::string a = "1/" + std::to_string(s - 1), b = "1/" + std::to_string(s);
    std::vector<std::vector<std::string>> rows(s, std::vector<std::string>(s, "0"));
    std::vector<std::string> nodes;
    for (int i = 0; i < s; ++i) {
      for (int j = 0; j < i; ++j) rows[i][j] = a;
      nodes.push_back(std::to_string(i) + "*" + a);
    }
    EXPECT_EQ(ssp_of(tableau_of_texts("ssp", rows, std::vector<std::string>(s, b), nodes)),
              std::to_string(s - 1));
  }
  const Coefficients irrational =
      tableau_of_texts("irrational", {{"0", "0", "0"}, {"1/2", "0", "0"}, {"1/2", "1/2", "0"}},
                       {"1/5", "2/5", "2/5"}, {"0", "1/2", "1"});
  const std::string g = "(3-sqrt(3))/6";  // Ferracina & Spijker 2008: 1 + sqrt(3), of order 3
  const Coefficients in_a_field =
      tableau_of_texts("sdirk", {{g, "0"}, {"sqrt(3)/3", g}}, {"1/2", "1/2"}, {g, "(3+sqrt(3))/6"});
  for (const auto& [method, wanted] :
       {std::pair(irrational, "2-sqrt(2)"), std::pair(in_a_field, "1+sqrt(3)")}) {
    const std::string found = ssp_of(method);
    const Expression one = Expression::parse(found, "R"), other = Expression::parse(wanted, "R");
    const Vector numbers = import_numbers({&one, &other}, "R");
    EXPECT_TRUE(numbers[0] == numbers[1]) << found;
  }
}

using Pair = std::array<double, 2>;

/// One step of y1' = y2, y2' = -sin(y1) with J, a matrix that is no Jacobian of it.
Pair w_step(const RosenbrockNumbers<wide>& m, const Pair& y, double h) {
  constexpr double J[2][2] = {{0.7, -0.4}, {1.1, 0.3}};
  std::vector<Pair> k;
  for (int i = 0; i < m.stages(); ++i) {
    Pair at = y, coupled{};
    for (int j = 0; j < i; ++j)
      for (int c = 0; c < 2; ++c) {
        at[c] += static_cast<double>(m.alpha[i][j]) * k[j][c];
        coupled[c] += static_cast<double>(m.gammas[i][j]) * k[j][c];
      }
    const double f[2] = {at[1], -std::sin(at[0])}, g = h * static_cast<double>(m.gamma);
    double r[2];
    for (int c = 0; c < 2; ++c) r[c] = h * (f[c] + J[c][0] * coupled[0] + J[c][1] * coupled[1]);
    const double a = 1 - g * J[0][0], b = -g * J[0][1], c = -g * J[1][0], d = 1 - g * J[1][1];
    k.push_back({(d * r[0] - b * r[1]) / (a * d - b * c), (a * r[1] - c * r[0]) / (a * d - b * c)});
  }
  Pair out = y;
  for (int i = 0; i < m.stages(); ++i)
    for (int c = 0; c < 2; ++c) out[c] += static_cast<double>(m.b[i]) * k[i][c];
  return out;
}

TEST(WOrder, IsThatOfRunsWithAWrongJacobian) {
  for (const char* id : {"ros3p", "ros34pw2", "rodasp", "rodas5p"}) {
    const Coefficients& written = *method_registry().make(id)->coefficients();
    const VerifyReport report = verify_coefficients(written);
    ASSERT_TRUE(report.facts.w_order.has_value()) << id;
    const RosenbrockNumbers<wide> numbers = rosenbrock_numbers<wide>(written);
    const auto end = [&](int steps) {
      Pair y{1, 0.5};
      for (int i = 0; i < steps; ++i) y = w_step(numbers, y, 1.0 / steps);
      return y[0];
    };
    // Differences of halved steps fall with the order, to its next power of h.
    const double coarse = end(128) - end(256), fine = end(256) - end(512);
    EXPECT_NEAR(std::log2(std::abs(coarse / fine)), *report.facts.w_order, 0.15) << id;
  }
}

}  // namespace
}  // namespace daemark::exact
