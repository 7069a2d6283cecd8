// Reports of `verify` on Rosenbrock methods (orders by trees, stability of R) and on half-explicit
// ones (orders on mechanisms of index 2 by trees).
#include <fmt/format.h>

#include <algorithm>

#include "analysis/exact/proof/certificate.hpp"
#include "analysis/exact/proof/decimal.hpp"
#include "analysis/exact/proof/report_parts.hpp"
#include "analysis/exact/theory/half_explicit.hpp"
#include "analysis/exact/theory/rosenbrock.hpp"
#include "methods/catalogue/coefficients.hpp"

namespace daemark::exact {

namespace {

constexpr const char* trees_of = "by the trees of Rosenbrock methods";

/// β and b as decimals of the method's accuracy: what R is made of.
Tableau<Expression> linear_tableau(const Coefficients& method) {
  constexpr int digits = 16;
  const RosenbrockNumbers<wide> numbers = rosenbrock_numbers<wide>(method);
  const auto entry = [](const wide& x) {
    return Expression::parse(x.str(digits, std::ios_base::fixed), "R");
  };
  Tableau<Expression> tableau;
  const std::size_t s = numbers.b.size();
  for (std::size_t i = 0; i < s; ++i) {
    tableau.A.emplace_back();
    for (std::size_t j = 0; j < s; ++j)
      tableau.A.back().push_back(entry(wide(numbers.alpha[i][j] + numbers.gammas[i][j])));
    tableau.b.push_back(entry(numbers.b[i]));
  }
  return tableau;
}

void add_stability_facts(VerifyReport& report, const RosenbrockProof& proof) {
  add_stability(report, proof.stability);
  report.facts.stiffly_accurate = proof.stiffly_accurate;
  add_facts(report.facts, proof.stability);
  report.has_no_stages("a Rosenbrock method has no stages that solve the equation");
}

RosenbrockOrders orders_within_rounding(Coefficients method) {
  method.decimal = true;
  return rosenbrock_orders(method, rosenbrock_unit(method));
}

VerifyReport exact_report(const Coefficients& method, const RosenbrockProof& proof) {
  VerifyReport report;
  report.id = method.id;
  report.order = proof.order.order;
  report.notes.push_back(
      fmt::format("order {} {}; {}", proof.order.order, trees_of, failing_condition(proof.order)));
  report.notes.push_back(
      fmt::format("order {} on index 1 by its trees{}", proof.index_one,
                  proof.index_one_tree.empty() ? "" : ", " + proof.index_one_tree + " fails"));
  report.facts.w_order = proof.w_order;
  report.notes.push_back(fmt::format("order {} as a W-method, with any matrix for the Jacobian{}",
                                     proof.w_order,
                                     proof.w_tree.empty() ? "" : ", " + proof.w_tree + " fails"));
  add_stability_facts(report, proof);
  check_claim(report, "order", method.claims.order, proof.order.order,
              failing_condition(proof.order));
  if (proof.embedded_order) {
    report.facts.embedded_order = proof.embedded_order->order;
    report.notes.push_back(fmt::format("embedded formula: order {}; {}",
                                       proof.embedded_order->order,
                                       failing_condition(*proof.embedded_order)));
    check_claim(report, "embedded_order", method.claims.embedded_order, proof.embedded_order->order,
                failing_condition(*proof.embedded_order));
  }
  check_stability_claims(report, method.claims, proof.stability);
  check_claim(report, "stiffly_accurate", method.claims.stiffly_accurate, proof.stiffly_accurate,
              "the last row of alpha + Gamma against b");
  if (proof.order.order == 0)
    report.failures.emplace_back("consistency: " + failing_condition(proof.order));
  if (approximates(method)) {
    const RosenbrockOrders found = orders_within_rounding(method);
    add_rounded_order(report, {found.order, found.residual, found.next});
  }
  if (!is_transformed(method)) certify(report, rosenbrock_certificate(method.id, proof));
  return report;
}

VerifyReport decimal_report(const Coefficients& method, const RosenbrockProof& proof) {
  const RosenbrockOrders found = orders_within_rounding(method);
  const WithinRounding possible = within_rounding(linear_tableau(method), proof.stability);
  VerifyReport report;
  report.id = method.id;
  report.exact = false;
  report.order = found.order;
  report.order_residual = to_double(found.residual);
  const auto digits = [](const wide& x) { return x.str(3, std::ios_base::scientific); };
  const std::string jump =
      fmt::format("residuals up to {}, then {}", digits(found.residual), digits(found.next));
  report.notes.emplace_back(
      "decimal coefficients: order to the accuracy of their digits, stability of the numbers as "
      "written; no certificate");
  report.notes.push_back(
      fmt::format("order {} {} within rounding, {}", found.order, trees_of, jump));
  report.notes.push_back(
      fmt::format("order {} on index 1 by its trees, within rounding", found.index_one));
  report.facts.w_order = found.w_order;
  report.notes.push_back(fmt::format(
      "order {} as a W-method, with any matrix for the Jacobian, within rounding", found.w_order));
  add_stability_facts(report, proof);
  report.facts.error_constant.reset();  // below their digits
  leave_to_rounding(report, possible.a_stable, possible.vanishes);
  check_claim(report, "order", method.claims.order, found.order, jump);
  if (found.embedded) {
    report.facts.embedded_order = *found.embedded;
    report.notes.push_back(
        fmt::format("embedded formula: order {} within rounding", *found.embedded));
    check_claim(report, "embedded_order", method.claims.embedded_order, *found.embedded,
                "within rounding");
  }
  check_rounded(report, "A_stable", method.claims.a_stable, proof.stability.a_stable,
                possible.a_stable, a_reason(proof.stability));
  check_rounded(report, "L_stable", method.claims.l_stable,
                proof.stability.a_stable && proof.stability.l_stable,
                possible.a_stable && possible.vanishes, l_reason(proof.stability));
  check_claim(report, "stiffly_accurate", method.claims.stiffly_accurate, proof.stiffly_accurate,
              "the last row of alpha + Gamma against b");
  return report;
}

}  // namespace

VerifyReport verify_rosenbrock(const Coefficients& method) {
  const RosenbrockProof proof = prove_rosenbrock(method);
  return method.decimal ? decimal_report(method, proof) : exact_report(method, proof);
}

VerifyReport verify_half_explicit(const Coefficients& method) {
  const HalfExplicitOrders found = half_explicit_orders(method);
  VerifyReport report;
  report.id = method.id;
  report.exact = !method.decimal;
  report.order = std::min(found.q, found.v);
  report.notes.push_back(
      fmt::format("orders on mechanisms of index 2 by their trees{}: q {}, v {}, lambda {}; the "
                  "first tree that fails of v is {}",
                  method.decimal ? ", to the accuracy of the digits" : " at 130 digits", found.q,
                  found.v, found.lambda, found.failing));
  if (found.carried)
    report.notes.push_back(fmt::format(
        "multipliers of the last stage: errors of size h^{}, from those carried over times {:.3g}",
        found.multipliers, *found.carried));
  if (found.carried && *found.carried >= 1)
    report.failures.push_back(
        fmt::format("multipliers: errors grow from step to step, times {:.6g}", *found.carried));
  if (found.embedded > 0) {
    report.facts.embedded_order = found.embedded;
    report.notes.push_back(fmt::format("embedded formula: order {}", found.embedded));
  }
  report.has_no_stages("stages of a half-explicit method solve no equation of their own");
  for (const std::string& defect : tableau_defects(method)) report.failures.push_back(defect);
  check_claim(report, "order", method.claims.order, *report.order, "tree " + found.failing);
  check_claim(report, "embedded_order", method.claims.embedded_order, found.embedded,
              "by the trees of v");
  return report;
}

}  // namespace daemark::exact
