// Methods with two sets of coefficients: orders by the trees of pairs, symplecticity, and for
// additive ones the stability of the implicit part.
#include <fmt/format.h>

#include "analysis/exact/proof/decimal.hpp"
#include "analysis/exact/proof/report_parts.hpp"
#include "analysis/exact/theory/pair.hpp"
#include "base/text/bad_input.hpp"
#include "methods/core/tableau.hpp"

namespace daemark::exact {

namespace {

using Kind = MethodKind;

void check_sizes(const Coefficients& pair) {
  const std::size_t s = static_cast<std::size_t>(pair.stages());
  bool good = s > 0;
  for (const ArraySchema& array : schema_of(pair).arrays) {
    const auto& rows = pair.rows(array.name);
    if (rows.empty() ? array.required : array.shape == ArraySchema::Shape::matrix)
      good = good && rows.size() == s;
    for (const auto& row : rows) good = good && row.size() == s;
  }
  if (!good) throw BadInput(pair.id + ": its lists have to be as long as b");
}

/// A- and L-stability are those of the implicit part, without the explicit one.
void add_implicit_part(VerifyReport& report, Claims claims, const Operators& part,
                       const Tableau<Expression>& written) {
  const StabilityProof proof = prove_stability(stability_function(part));
  if (proof.undecided.empty()) {
    report.a_stable = proof.a_stable;
    report.l_stable = proof.l_stable;
  }
  report.notes.push_back(a_note(word(proof.a_stable), "the implicit part, " + a_reason(proof)));
  if (approximates(written)) {
    const WithinRounding possible = within_rounding(written, proof);
    leave_to_rounding(report, possible.a_stable, possible.vanishes);
    if (!proof.a_stable && !report.a_stable) claims.a_stable.reset();
    if (!proof.l_stable && !report.l_stable) claims.l_stable.reset();
  }
  check_stability_claims(report, claims, proof);
  report.facts.stiffly_accurate = part.a.back() == part.b;
  check_claim(report, "stiffly_accurate", claims.stiffly_accurate, *report.facts.stiffly_accurate,
              "the last row of A_implicit against b");
}

/// For one tableau; a lower order of the pair is that of the coupling conditions.
int order_alone(const Operators& part) { return prove_order(part, assumptions(part), true).order; }

void report_exactly(VerifyReport& report, const Claims& claims, const PairOperators& pair) {
  const PairProof proof = prove_pair(pair);
  if (proof.order.exact()) report.order = proof.order.order;
  report.notes.push_back(order_note(proof.order));
  if (pair.shape.kind == Kind::additive)
    report.notes.push_back(
        fmt::format("alone, the explicit part has order {}, the implicit part {}",
                    order_alone(pair.first), order_alone(pair.second)));
  report.facts.error_norm =
      proof.order.error_norm ? std::optional(to_double(*proof.order.error_norm)) : std::nullopt;
  report.notes.push_back(proof.symplectic ? "symplectic"
                                          : "symplectic: false, " + proof.symplectic_failure);
  report.facts.symplectic = proof.symplectic;
  if (pair.shape.kind == Kind::partitioned && reflects_nodes(pair.first) &&
      reflects_nodes(pair.second))
    report.facts.symmetric = true;
  if (!proof.row_sum_failure.empty())
    report.failures.push_back("row sums: " + proof.row_sum_failure);
  if (proof.order.order == 0 && proof.order.upper == 0)
    report.failures.push_back("consistency: " + order_note(proof.order));
  check_order_claim(report, "order", claims.order, proof.order);
  if (proof.embedded) {
    if (proof.embedded->exact()) report.facts.embedded_order = proof.embedded->order;
    report.notes.push_back("embedded formula: " + order_note(*proof.embedded));
    check_order_claim(report, "embedded_order", claims.embedded_order, *proof.embedded);
  }
  check_claim(report, "symplectic", claims.symplectic, proof.symplectic, proof.symplectic_failure);
}

void report_rounded(VerifyReport& report, const Coefficients& pair) {
  const RoundedTableau found = rounded_pair(pair);
  report.exact = false;
  if (!found.order.at_least) report.order = found.order.order;
  report.order_residual = to_double(found.order.residual);
  report.notes.push_back(order_note(found.order));
  if (!found.row_sums.empty()) report.notes.push_back(found.row_sums);
  report.failures = found.defects;
  check_order(report, "order", pair.claims.order, found.order);
  if (found.embedded) {
    if (!found.embedded->at_least) report.facts.embedded_order = found.embedded->order;
    report.notes.push_back("embedded formula: " + order_note(*found.embedded));
    check_order(report, "embedded_order", pair.claims.embedded_order, *found.embedded);
  }
}

VerifyReport empty_report(const std::string& id) {
  VerifyReport report;
  report.id = id;
  report.has_no_stages("two sets of coefficients share the stages");
  report.notes.emplace_back("no certificate: methods with two sets of coefficients have none yet");
  return report;
}

}  // namespace

VerifyReport verify_lobatto_pair(int s, const Claims& claims) {
  VerifyReport report = empty_report("lobatto_iiia_iiib(s=" + std::to_string(s) + ")");
  report_exactly(report, claims, lobatto_operators(s));
  check_undecided(report, claims);
  return report;
}

VerifyReport verify_pair(const Coefficients& pair) {
  check_sizes(pair);
  VerifyReport report = empty_report(pair.id);
  const PairOperators operators = import_pair(pair);
  if (pair.decimal)
    report_rounded(report, pair);
  else
    report_exactly(report, pair.claims, operators);
  if (!pair.decimal && approximates(pair)) add_rounded_order(report, rounded_pair(pair).order);
  if (pair.kind == Kind::additive)
    add_implicit_part(report, pair.claims, operators.second, tableau_of<Expression>(pair, 1));
  return report;
}

}  // namespace daemark::exact
