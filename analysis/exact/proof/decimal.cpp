#include "analysis/exact/proof/decimal.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/exact/numbers/ball.hpp"
#include "analysis/linear/stability_function.hpp"
#include "methods/core/tableau.hpp"

namespace daemark::exact {

namespace {

constexpr int most_ball_stages = 30;

std::string small_text(const wide& x) { return x.str(3, std::ios_base::scientific); }

/// |p(iy)|² in x = y².
BallVector on_axis(const BallVector& p) {
  BallVector out(p.size(), Ball(0));
  for (std::size_t i = 0; i < p.size(); ++i) {
    for (std::size_t j = i % 2; j < p.size(); j += 2) {
      const Ball term = p[i] * p[j];
      const bool plus = (i > j ? i - j : j - i) % 4 == 0;
      plus ? out[(i + j) / 2] += term : out[(i + j) / 2] -= term;
    }
  }
  return out;
}

int degree_of(const BallVector& p) {
  int out = static_cast<int>(p.size()) - 1;
  while (out > 0 && p[static_cast<std::size_t>(out)].may_vanish()) --out;
  return out;
}

bool is_zero(const Ball& x) { return x.bounded() && x.lower() == 0 && x.upper() == 0; }

bool never_negative(const Poly& e) {
  const StabilityProof proof = prove_axis(e);
  return proof.axis_holds && proof.undecided.empty();
}

std::string order_reason(const RoundedOrder& found) {
  return "residuals up to " + small_text(found.residual) + ", then " + small_text(found.next);
}

/// The constant is that of the numbers as written: below their digits it says nothing.
void hide_error_below_digits(VerifyReport& report, const StabilityProof& written, int order) {
  if (written.order >= order) return;
  report.notes.back() = fmt::format(
      "e^z - R(z) = O(z^{}) to the accuracy of the digits; as written it begins below them, at "
      "z^{}",
      order + 1, written.order + 1);
}

VerifyReport start(const std::string& id) {
  VerifyReport report;
  report.id = id;
  report.exact = false;
  report.notes.emplace_back(
      "decimal coefficients: order to the accuracy of their digits, stability of the numbers as "
      "written; no certificate");
  return report;
}

}  // namespace

std::string order_note(const RoundedOrder& found) {
  return fmt::format("order {}{} to the accuracy of the digits: {} at order {}{}",
                     found.at_least ? "at least " : "", found.order, order_reason(found),
                     found.order + 1,
                     found.at_least ? " of B alone, the trees beyond are not tried" : "");
}

void add_rounded_order(VerifyReport& report, const RoundedOrder& found) {
  if (!report.order || found.order <= *report.order) return;
  report.order_within_rounding = found.order;
  report.order_residual = to_double(found.residual);
  report.notes.push_back(fmt::format(
      "order {} within the rounding of its fractions, {}; a file with \"decimal\": true is judged "
      "by that",
      found.order, order_reason(found)));
}

void check_order(VerifyReport& report, const char* name, const std::optional<int>& claim,
                 const RoundedOrder& found) {
  report.judged.insert(name);
  if (claim && found.at_least && *claim > found.order)
    report.failures.push_back(std::string(name) + ": claimed " + std::to_string(*claim) + ", " +
                              order_note(found));
  else
    check_claim(report, name, claim, found.order, order_reason(found));
}

void check_rounded(VerifyReport& report, const char* name, const std::optional<bool>& claim,
                   bool written, bool possible, const std::string& reason) {
  report.judged.insert(name);
  if (claim && *claim && !written && possible) {
    report.notes.push_back(std::string(name) +
                           ": claimed, false for the numbers as written, by less than their "
                           "rounding");
    return;
  }
  check_claim(report, name, claim, written, reason);
}

void forget_imaginary_interval(VerifyReport& report) {
  report.facts.imaginary_interval.reset();
  std::erase_if(report.notes, [](const std::string& note) {
    return note.starts_with("imaginary_stability_interval");
  });
}

void leave_to_rounding(VerifyReport& report, bool may_be_a_stable, bool may_vanish) {
  const std::optional<bool> no(false);
  if (report.l_stable == no && may_be_a_stable && may_vanish) report.l_stable.reset();
  if (report.a_stable != no || !may_be_a_stable) return;
  report.a_stable.reset();
  report.facts.a_alpha.reset();
  forget_imaginary_interval(report);
  for (std::string& note : report.notes)
    if (note.starts_with("A-stable: false"))
      note = "A-stable: undecided, rounding alone decides against it:" +
             note.substr(note.find_first_of(",;") + 1);
}

WithinRounding within_rounding(const Tableau<Expression>& tableau, const StabilityProof& written) {
  WithinRounding out;
  for (const Number& c : written.e.coefficients())
    if (c.sign() < 0) out.axis_margin = std::min(out.axis_margin, c.to_wide());
  out.a_stable = written.a_stable;
  out.vanishes = written.at_infinity && written.at_infinity->is_zero();
  const std::size_t s = tableau.b.size();
  if (s > most_ball_stages) return out;
  const std::vector<const Expression*> of_a = pointers_to(tableau.A),
                                       of_b = pointers_to({&tableau.b});
  std::vector<const Expression*> all = of_a;
  all.insert(all.end(), of_b.begin(), of_b.end());
  const Digits file = digits_of(all), digits_a = digits_of_group(of_a, file);
  const BallVector b = balls_of(tableau.b, digits_of_group(of_b, file));
  BallMatrix a, shifted(s, BallVector(s));
  for (std::size_t i = 0; i < s; ++i) {
    a.push_back(balls_of(tableau.A[i], digits_a));
    for (std::size_t j = 0; j < s; ++j) {
      // Where the last row is b as written it is so for what it stands for.
      const bool same = tableau.A[i][j].text() == tableau.b[j].text();
      shifted[i][j] = same ? Ball(0) : a[i][j] - b[j];
    }
  }
  const BallVector den = rounded_resolvent(a), num = rounded_resolvent(shifted);
  out.vanishes = degree_of(num) < degree_of(den);
  int most = static_cast<int>(den.size()) - 1;  // the degree of den, whatever its digits stand for
  while (most > 0 && is_zero(den[most])) --most;
  const BallVector above = on_axis(den), below = on_axis(num);
  std::size_t first = 0;
  while (first + 1 < above.size() && written.e[static_cast<int>(first)].is_zero()) ++first;
  out.axis_begins = !(above[first] - below[first]).may_vanish();
  if (degree_of(num) > most) return out;  // R is unbounded
  std::vector<Number> cleaned;
  for (std::size_t k = 0; k < above.size(); ++k) {
    const Ball gap = above[k] - below[k];
    cleaned.emplace_back(gap.may_vanish() || !gap.bounded() ? rational(0) : gap.middle());
  }
  out.a_stable = written.a_stable || (written.poles_hold && never_negative(Poly(cleaned)));
  return out;
}

namespace {

void check_claims(VerifyReport& report, const Coefficients& method, const MethodProof& proof,
                  const RoundedTableau& found, const WithinRounding& possible) {
  const Claims& claims = method.claims;
  check_order(report, "order", claims.order, found.order);
  check_claim(report, "stage_order", claims.stage_order, *report.stage_order,
              "B and C within rounding");
  if (found.embedded) check_order(report, "embedded_order", claims.embedded_order, *found.embedded);
  const bool vanishes = proof.stability.at_infinity && proof.stability.at_infinity->is_zero();
  check_rounded(report, "A_stable", claims.a_stable, proof.stability.a_stable, possible.a_stable,
                a_reason(proof.stability));
  check_rounded(report, "L_stable", claims.l_stable, proof.stability.a_stable && vanishes,
                possible.a_stable && possible.vanishes, l_reason(proof.stability));
  check_claim(report, "stiffly_accurate", claims.stiffly_accurate, proof.stiffly_accurate,
              "the last row of A against b");
  const bool zero_form = within_rounding_symplectic(tableau_of<Expression>(method));
  check_rounded(report, "symplectic", claims.symplectic, proof.algebraic.symplectic, zero_form,
                "M = BA + A'B - bb' against 0");
  check_rounded(report, "algebraically_stable", claims.algebraically_stable, proof.algebraic.holds,
                zero_form && std::none_of(proof.method.b.begin(), proof.method.b.end(),
                                          [](const Number& x) { return x.sign() < 0; }),
                proof.algebraic.reason);
}

}  // namespace

VerifyReport report_decimal(const Coefficients& method, const TableauNumbers& numbers) {
  const Tableau<Expression> tableau = tableau_of<Expression>(method);
  const auto& [a, b, c, embedded, radicals, dense] = numbers;
  const MethodProof proof =
      prove_method(method.id, nodal_operators(a, b, c), embedded, a.back() == b, true);
  const RoundedTableau found = rounded(tableau);
  const WithinRounding possible = within_rounding(tableau, proof.stability);
  VerifyReport report = start(method.id);
  if (!found.order.at_least) report.order = found.order.order;
  report.order_residual = to_double(found.order.residual);
  report.stage_order = std::min(found.b, found.c);
  report.notes.push_back(order_note(found.order));
  report.notes.push_back(found.row_sums);
  report.notes.push_back(
      fmt::format("simplifying assumptions B({}) C({}) within rounding", found.b, found.c));
  add_stability(report, proof.stability);
  hide_error_below_digits(report, proof.stability, found.order.order);
  if (possible.a_stable && !proof.stability.a_stable)
    report.notes.push_back("the lowest coefficient of E is " + small_text(possible.axis_margin));
  report.facts.r_infinity =
      proof.stability.at_infinity ? proof.stability.at_infinity->text() : std::string("unbounded");
  report.facts.stiffly_accurate = proof.stiffly_accurate;
  report.facts.a_alpha = stability_angle(proof.stability);
  leave_to_rounding(report, possible.a_stable, possible.vanishes);
  report.facts.b = found.b;
  report.facts.c = found.c;
  if (found.embedded && !found.embedded->at_least)
    report.facts.embedded_order = found.embedded->order;
  if (found.embedded) report.notes.push_back("embedded formula: " + order_note(*found.embedded));
  report.failures = found.defects;

  check_claims(report, method, proof, found, possible);
  return report;
}

VerifyReport report_decimal(const Coefficients& formula, const MultistepProof& proof) {
  VerifyReport report = start(formula.id);
  const RoundedOrder found = rounded(formula, report.failures);
  report.order = found.order;
  report.order_residual = to_double(found.residual);
  report.a_stable = proof.a_stable;
  report.l_stable = proof.l_stable;
  report.facts = facts_of_formula(proof);
  report.facts.error_constant.reset();
  report.notes.push_back(order_note(found));
  report.zero_stable = is_zero_stable(formula);
  report.has_no_stages("every point of a multistep formula is a step end");
  report.notes.push_back(a_note(word(proof.a_stable), proof.reason));
  // The locus moves by at most this when every entry moves by its uncertainty.
  const Digits file = digits_of(entries_of(formula));
  wide size[2] = {0, 0}, more[2] = {0, 0};
  for (const int list : {0, 1}) {
    const std::vector<Expression>& entries = formula.list(list == 0 ? "alpha" : "beta");
    for (const Expression& entry : entries) size[list] += abs(entry.eval<wide>());
    more[list] = size[list];
    for (const wide& u : uncertainties(entries, file)) more[list] += u;
  }
  const Number moved(exact_value(wide(more[0] * more[1] - size[0] * size[1])));
  const bool possible = proof.a_stable || (proof.inside_at_minus_one && proof.common.degree() < 1 &&
                                           locus_never_below(proof.locus, moved));
  const bool one_power = proof.equal_roots_at_infinity && proof.root_at_infinity.is_zero() &&
                         proof.sigma.degree() == proof.rho.degree();
  leave_to_rounding(report, possible, one_power);
  check_claim(report, "order", formula.claims.order, found.order, order_reason(found));
  check_rounded(report, "A_stable", formula.claims.a_stable, proof.a_stable, possible,
                proof.reason);
  check_rounded(report, "L_stable", formula.claims.l_stable, proof.l_stable, possible && one_power,
                proof.reason);
  return report;
}

}  // namespace daemark::exact
