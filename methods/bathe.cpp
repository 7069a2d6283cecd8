// bathe(rho): the two-sub-step ρ∞-Bathe method, a 3-stage ESDIRK of order 2 (Zhang 2022, eq. 7):
// γ = (2 − √(2(1+ρ)))/(2(1−ρ)) = 1/(2 + √(2(1+ρ))), the second form also at ρ = 1; nodes 0, 2γ, 1;
// b_1 = −(4γ² − 6γ + 1)/(4γ), b_2 = (1 − 2γ)/(4γ), b_3 = γ.
#include <fmt/format.h>

#include "methods/catalogue/registry.hpp"
#include "methods/runge_kutta/runge_kutta.hpp"

namespace daemark {
namespace {

Coefficients bathe_tableau(const rational& rho) {
  const std::string gamma = fmt::format("1/(2+sqrt(2*(1+{})))", rho.str());
  const auto expression = [&](const std::string& text) { return Expression::parse(text, "bathe"); };
  const Expression zero(rational(0)), one(rational(1)), g = expression(gamma);
  const std::vector<Expression> b = {
      expression(fmt::format("-(4*({0})^2-6*({0})+1)/(4*({0}))", gamma)),
      expression(fmt::format("(1-2*({0}))/(4*({0}))", gamma)), g};
  Coefficients t;
  t.id = fmt::format("bathe(rho={})", rho.str());
  t.arrays = {{"A", {{zero, zero, zero}, {g, g, zero}, b}},
              {"b", {b}},
              {"c", {{zero, expression(fmt::format("2*({})", gamma)), one}}}};
  return t;
}

}  // namespace

void register_bathe(MethodRegistry& registry) {
  MethodInfo info;
  info.id = "bathe";
  info.kind = "implicit Runge–Kutta";
  info.summary =
      "two-sub-step method of Noh & Bathe as an ESDIRK: trapezoidal, then three-point rule";
  info.parameters = {
      {"rho", Parameter::Type::real, "0", "rational in [0, 1]: spectral radius at infinity"}};
  info.claims.order = 2;
  info.claims.a_stable = true;
  info.examples = {"bathe(rho=0)", "bathe(rho=3/5)", "bathe(rho=1)"};
  info.source = {"zhang2022", "eq. (7)"};
  registry.add(info, [](const Arguments& arguments) {
    const rational rho = arguments.real_in("rho", 0, 1);
    return runge_kutta_method(runge_kutta_form(bathe_tableau(rho)), Msstc{2, rho});
  });
}

}  // namespace daemark
