#include "analysis/exact/proof/spectral.hpp"

#include <limits>

#include "analysis/exact/numbers/tower.hpp"
#include "analysis/exact/proof/code_theory.hpp"

namespace daemark::exact {

namespace {

/// |N(i w)|² = (1+x)^n - (1-rho²) x^n and N a Hurwitz polynomial: there is only one with N(0) = 1.
bool is_spectral_factor(const Poly& numerator, int n, const rational& rho) {
  const Poly wanted =
      power(Poly({Number(1), Number(1)}), n) - Poly::monomial(Number(rational(1 - rho * rho)), n);
  if (!(modulus_on_axis(numerator) == wanted) || !(numerator[0] == Number(1))) return false;
  const std::vector<Number> column = routh_column(numerator);
  if (static_cast<int>(column.size()) != numerator.degree() + 1) return false;
  for (const Number& x : column)
    if (x.sign() <= 0) return false;
  return true;
}

TableauNumbers exact_substeps(int n, const Poly& numerator) {
  const Number gamma = (Number(n) + numerator[1]).inverse();
  TableauNumbers t;
  t.a = scaled_substeps(n, numerator);
  for (int i = 0; i <= n; ++i) {
    for (Number& x : t.a[i]) x *= gamma;
    t.c.push_back(i < n ? Number(2L * i) * gamma : Number(1));
  }
  t.b = t.a.back();
  return t;
}

VerifyReport verify_exactly(const std::string& id, int n, const rational& rho,
                            const Poly& numerator, const WideTableau& code, const Claims& claims) {
  const TableauNumbers t = exact_substeps(n, numerator);
  VerifyReport report = report_on(id, t, claims);
  if (!is_spectral_factor(numerator, n, rho))
    report.failures.emplace_back("N is no spectral factor");
  BallMatrix a;
  BallVector c;
  for (int i = 0; i <= n; ++i) {
    a.emplace_back(t.a[i].begin(), t.a[i].end());
    c.emplace_back(t.c[i]);
  }
  add_tableau_check(report, code, a, c);
  report.notes.push_back(numerator.is_rational()
                             ? "N(s) of R = N(gamma z)/(1 - gamma z)^n is rational"
                             : "N(s) of R = N(gamma z)/(1 - gamma z)^n in a field of degree " +
                                   std::to_string(t.c[1].field()->degree()));
  return report;
}

/// gamma³ (n + Σ a_k³)/3 = minus the error constant of z³; Newton's identity for the power sum.
Ball third_order_term(const BallVector& numerator, const Ball& gamma) {
  const int n = static_cast<int>(numerator.size()) - 1;
  const Ball &e1 = numerator[1], &e2 = numerator[2];
  const Ball cubes = e1 * e1 * e1 - Ball(3) * e1 * e2 + (n > 2 ? Ball(3) * numerator[3] : Ball(0));
  return (cubes + Ball(n)) * gamma * gamma * gamma / Ball(3);
}

struct Enclosed {
  BallVector numerator;
  Ball gamma, third;
};

Json certificate_of(const std::string& id, int n, const rational& rho, const Enclosed& found) {
  Json out = certificate_head(id, "spectral_factor");
  out["field"] = nullptr;
  out["n"] = n;
  Json numerator = Json::array();
  for (const Ball& x : found.numerator) numerator.push_back(interval_json(x));
  numerator.back() = {rational_text(rho), rational_text(rho)};  // exactly
  out["N"] = numerator;
  out["gamma"] = interval_json(found.gamma);
  out["order"] = 2;
  out["stage_order"] = 2;
  out["error_constant"] = interval_json(-found.third);
  out["R_at_infinity"] = rational_text(n % 2 == 0 ? rho : rational(-rho));
  out["A_stable"] = true;
  out["L_stable"] = rho == 0;
  return out;
}

/// R's coefficients to 30 digits for the report, to 60 for the comparison with the stepper.
void add_function(VerifyReport& report, const Enclosed& found) {
  constexpr int digits = 30, digits_of_code = 60;
  const int n = static_cast<int>(found.numerator.size()) - 1;
  Ball scale(1), binomial(1);
  for (int k = 0; k <= n; ++k) {
    const Ball num = found.numerator[k] * scale;
    const Ball den = k % 2 == 0 ? binomial * scale : -(binomial * scale);
    if (k == 0 || num.may_vanish()) {  // exactly 1 and, for rho = 0, exactly 0 at the end
      if (k == 0) report.num.emplace_back("1");
      if (k == 0) report.num_digits.emplace_back("1");
    } else {
      report.num.push_back(num.decimal(digits));
      report.num_digits.push_back(num.decimal(digits_of_code));
    }
    report.den.push_back(k == 0 ? "1" : den.decimal(digits));
    report.den_digits.push_back(k == 0 ? "1" : den.decimal(digits_of_code));
    scale *= found.gamma;
    binomial = binomial * Ball(n - k) / Ball(k + 1);
  }
  report.notes.emplace_back(
      "stability_function: decimals of 30 digits, each within one unit of its last digit of the "
      "exact number, by enclosures");
}

/// The tableau that runs is enclosed by the one of these balls.
void check_code(VerifyReport& report, const WideTableau& code, int n, const Enclosed& found) {
  const Matrix map = last_row_map(n), rows = scaled_substeps(n, Poly::constant(1));
  BallMatrix a;
  BallVector c, last;
  for (int i = 0; i < n; ++i) {
    a.emplace_back(rows[i].begin(), rows[i].end());
    c.push_back(Ball(2L * i) * found.gamma);
    last.emplace_back(map[i][0]);
    for (int k = 1; k <= n; ++k) last.back() += Ball(map[i][k]) * found.numerator[k];
  }
  last.emplace_back(1);
  a.push_back(last);
  for (BallVector& row : a)
    for (Ball& x : row) x *= found.gamma;
  c.emplace_back(1);
  add_tableau_check(report, code, a, c);
}

VerifyReport verify_by_enclosure(const std::string& id, int n, const rational& rho,
                                 const WideTableau& code, const Claims& claims) {
  Enclosed found{enclosed_spectral_factor(n, rho), Ball(), Ball()};
  found.gamma = Ball(1) / (Ball(n) + found.numerator[1]);
  found.third = third_order_term(found.numerator, found.gamma);
  VerifyReport report;
  report.id = id;
  if (!found.third.positive()) {
    report.failures.emplace_back("order: undecided, the coefficient of z^3 may vanish");
    return report;
  }
  report.order = report.stage_order = 2;
  report.a_stable = true;
  report.l_stable = rho == 0;
  add_function(report, found);
  report.facts.r_infinity = rational_text(n % 2 == 0 ? rho : rational(-rho));
  report.facts.error_constant = (-found.third).decimal(30);
  report.facts.stiffly_accurate = true;
  report.facts.c = 2;
  report.facts.a_alpha = 90;
  report.facts.real_interval = report.facts.imaginary_interval =
      std::numeric_limits<double>::infinity();  // A-stable
  report.notes.push_back("order 2 by |R(iy)| = 1 + O(y^" + std::to_string(2 * n) +
                         "); e^z - R(z) = (" + (-found.third).decimal(10) +
                         ") z^3 + ..., enclosed away from 0");
  report.notes.emplace_back(
      "stage order 2 as an identity in N'(0); C(3) fails at the second stage");
  report.notes.push_back("A-stable: true, E = (1-rho^2) (gamma y)^" + std::to_string(2 * n) +
                         " >= 0 and the only pole is 1/gamma > 0");
  MethodFacts facts_on_index{n + 1, 2, 2, 0, true, true, true, rho < 1};
  facts_on_index.tableau = code;
  add_expected_orders(report, facts_on_index);
  report.notes.push_back("R(infinity) = " + rational_text(n % 2 == 0 ? rho : rational(-rho)));
  report.notes.emplace_back("N(s) of R = N(gamma z)/(1 - gamma z)^n by certified enclosures");
  check_claim(report, "order", claims.order, 2, "the coefficient of z^3");
  check_claim(report, "stage_order", claims.stage_order, 2, "C(3) fails at the second stage");
  check_claim(report, "A_stable", claims.a_stable, true, "E >= 0");
  check_claim(report, "L_stable", claims.l_stable, rho == 0, "|R(infinity)| = rho");

  check_code(report, code, n, found);
  certify(report, certificate_of(id, n, rho, found));
  return report;
}

}  // namespace

Poly exact_spectral_factor(int n, const rational& rho) {
  if (rho == 1) return power(Poly({Number(1), Number(1)}), n);
  if (n > 3) return Poly();
  // N_1 > 0 with 2 N_2 = N_1² - n; n = 2: N_2 = rho; n = 3: N_2² - 2 rho N_1 = 3, N_3 = rho. By
  // Descartes' rule each polynomial has one positive root.
  const std::vector<rational> polynomial =
      n == 2 ? std::vector<rational>{rational(-2 - 2 * rho), 0, 1}
             : std::vector<rational>{-3, rational(-8 * rho), -6, 0, 1};
  Tower tower("msstc");
  Number unused;
  const Number first = tower.adjoin(bracketed_root(polynomial, 0, 4), unused);
  if (n == 2) return Poly({Number(1), first, Number(rho)});
  return Poly({Number(1), first, (first * first - Number(3)) / Number(2), Number(rho)});
}

BallVector enclosed_spectral_factor(int n, const rational& rho) {
  // N = Π_k (1 + a_k s), a_k² = 1 - tau_k with tau_k the n-th roots of 1 - rho², Re a_k >= 0.
  const Ball radius = root(Ball(rational(1 - rho * rho)), n);
  BallVector out{Ball(1)};
  const auto multiply = [&](const BallVector& factor) {
    BallVector next(out.size() + factor.size() - 1, Ball(0));
    for (std::size_t i = 0; i < out.size(); ++i)
      for (std::size_t j = 0; j < factor.size(); ++j) next[i + j] += out[i] * factor[j];
    out = std::move(next);
  };
  for (int k = 0; 2 * k <= n; ++k) {
    const rational turn = rational(2 * k) / n;
    const Ball re = Ball(1) - radius * cos_pi(turn), im = radius * sin_pi(turn);
    if (k == 0) {
      multiply({Ball(1), rho == 0 ? Ball(0) : sqrt(re)});  // tau_0 = 1 exactly for rho = 0
    } else if (2 * k == n) {
      multiply({Ball(1), sqrt(re)});
    } else {  // with the conjugate: (1 + a s)(1 + a' s), a + a' = 2 Re a, a a' = |a|²
      const Ball modulus = sqrt(re * re + im * im);
      multiply({Ball(1), sqrt(Ball(2) * (modulus + re)), modulus});
    }
  }
  out.back() = Ball(rho);  // Π a_k = sqrt(1 - (1 - rho²)), exactly
  return out;
}

void add_bathe_family(VerifyReport& report, const rational& rho) {
  const TableauNumbers t = exact_substeps(2, exact_spectral_factor(2, rho));
  const Json& data = report.certificate_data;  // numbers there are canonical: equal means identical
  if (data.at("A") == json_of(t.a) && data.at("field") == field_json(t.b)) {
    report.notes.push_back("the tableau of msstc(n=2,rho=" + rho.str() + "), exactly");
    add_family(report, spectral_family(2));
  } else {
    report.failures.push_back("the tableau is not that of msstc(n=2,rho=" + rho.str() + ")");
  }
}

VerifyReport verify_msstc(int n, const rational& rho, const WideTableau& code,
                          const Claims& claims) {
  const std::string id = "msstc(n=" + std::to_string(n) + ",rho=" + rho.str() + ")";
  const Poly numerator = exact_spectral_factor(n, rho);
  VerifyReport report = numerator.is_zero() ? verify_by_enclosure(id, n, rho, code, claims)
                                            : verify_exactly(id, n, rho, numerator, code, claims);
  add_family(report, spectral_family(n));
  if (report.certificate_data.is_object())
    report.certificate_data["rho_infinity"] = rational_text(rho);
  return report;
}

}  // namespace daemark::exact
