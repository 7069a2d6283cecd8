#include "analysis/exact/proof/report_parts.hpp"

#include "analysis/exact/proof/certificate.hpp"
#include "analysis/exact/proof/decimal.hpp"
#include "analysis/exact/theory/interpolant.hpp"
#include "analysis/exact/theory/pade_block.hpp"

namespace daemark::exact {

const char* word(bool value) { return value ? "true" : "false"; }

std::string a_note(const std::string& verdict, const std::string& reason) {
  return "A-stable: " + verdict + (reason.empty() ? "" : ", " + reason);
}

std::string failing_condition(const OrderProof& proof) {
  return fmt::format("order {} needs weight {} of tree {}, which is off by {}", proof.upper + 1,
                     rational_text(proof.target), proof.failing_tree,
                     (proof.weight - Number(proof.target)).decimal(6));
}

namespace {

/// "order 4"; "order undecided, 12 to 14" where the trees between were not tried.
std::string order_text(const OrderProof& proof) {
  if (proof.exact()) return "order " + std::to_string(proof.order);
  return "order undecided, " + std::to_string(proof.order) + " to " + std::to_string(proof.upper);
}

}  // namespace

std::string order_note(const OrderProof& proof) {
  return order_text(proof) + " by " + proof.route +
         (proof.failing_tree.empty() ? "" : "; " + failing_condition(proof));
}

void check_order_claim(VerifyReport& report, const char* name, const std::optional<int>& claim,
                       const OrderProof& proof) {
  report.judged.insert(name);
  if (!claim) return;
  if (proof.exact() || *claim < proof.order || *claim > proof.upper) {
    const bool too_low = *claim < proof.order;
    check_claim(report, name, claim, too_low ? proof.order : proof.upper,
                too_low ? "it is more than the claim" : failing_condition(proof));
  } else {
    report.failures.push_back(std::string(name) + ": claimed " + std::to_string(*claim) + ", " +
                              order_text(proof));
  }
}

void check_undecided(VerifyReport& report, const Claims& claims) {
  each_claim(claims, [&](const std::string& name, const auto& claim) {
    if (claim && !report.judged.contains(name))
      report.failures.push_back(name + ": claimed, but cannot be decided for this method" +
                                (name == "embedded_order"      ? ", which has no embedded weights"
                                 : name == "interpolant_order" ? ", which has no interpolant"
                                                               : ""));
  });
}

std::string a_reason(const StabilityProof& proof) {
  if (!proof.undecided.empty()) return proof.undecided;
  if (proof.a_stable) return "no pole with Re z <= 0 and E(y) >= 0 on the axis";
  std::string out = !proof.axis_holds ? "|R| > 1 on the imaginary axis"
                                      : "a pole of R lies in the left half-plane";
  return proof.witness ? out + ", " + proof.witness->text() : out;
}

std::string l_reason(const StabilityProof& proof) {
  if (!proof.a_stable) return a_reason(proof);
  if (!proof.at_infinity) return "R is unbounded at infinity";
  return "R(infinity) = " + proof.at_infinity->decimal(10);
}

void add_stability(VerifyReport& report, const StabilityProof& proof) {
  report.num = proof.function.num.texts();
  report.den = proof.function.den.texts();
  const bool decided = proof.undecided.empty();
  if (decided) report.a_stable = proof.a_stable;
  if (decided) report.l_stable = proof.l_stable;
  const auto [k, j] = identify_pade(proof.function);
  if (k >= 0) {
    report.notes.push_back(fmt::format("R is the ({},{})-Pade approximant of exp", k, j));
  }
  report.notes.push_back(a_note(decided ? word(proof.a_stable) : "undecided", a_reason(proof)));
  report.notes.push_back(proof.at_infinity ? "R(infinity) = " + proof.at_infinity->decimal(10)
                                           : std::string("R(infinity) is unbounded"));
  report.notes.push_back("e^z - R(z) = (" + proof.error_constant.decimal(10) + ") z^" +
                         std::to_string(proof.order + 1) + " + ...");
}

void add_expected_orders(VerifyReport& report, const MethodFacts& facts) {
  for (int index = 1; index <= 3; ++index) {
    const ExpectedOrders expected = expected_orders(facts, index);
    report.notes.push_back(fmt::format("orders to expect on index {}: {} ({})", index,
                                       expected.text(), expected.reason));
  }
}

void add_facts(VerifyReport& report, const Facts& facts) {
  report.facts = facts;
  Facts said;  // what no other note says
  said.error_norm = facts.error_norm;
  said.symmetric = facts.symmetric;
  said.real_interval = facts.real_interval;
  said.imaginary_interval = facts.imaginary_interval;
  said.a_alpha = facts.a_alpha;
  for (const std::string& line : said.lines()) report.notes.push_back(line);
}

void add_method(VerifyReport& report, const MethodProof& proof, const WideTableau& tableau) {
  if (proof.order.exact()) report.order = proof.order.order;
  report.stage_order = proof.stage_order;
  report.notes.push_back(order_note(proof.order));
  const auto& [b, c, d, unused] = proof.simplifying;
  report.notes.push_back(fmt::format("simplifying assumptions B({}) C({}) D({})", b, c, d));
  report.notes.push_back(fmt::format("stiffly accurate: {}, A invertible: {}",
                                     proof.stiffly_accurate, proof.a_invertible));
  report.notes.push_back(fmt::format(
      "algebraically stable: {}{}, symplectic: {}", proof.algebraic.holds,
      proof.algebraic.holds ? "" : ", " + proof.algebraic.reason, proof.algebraic.symplectic));
  add_expected_orders(report, facts_of(proof, tableau));
  add_stability(report, proof.stability);
  if (proof.embedded_order) {
    report.notes.push_back("embedded formula: " + order_text(*proof.embedded_order) +
                           ", A-stable " + word(proof.embedded_stability->a_stable) + ", " +
                           a_reason(*proof.embedded_stability));
  }
  add_facts(report, facts_of_method(proof));
}

void check_stability_claims(VerifyReport& report, const Claims& claims,
                            const StabilityProof& proof) {
  if (proof.undecided.empty()) {
    check_claim(report, "A_stable", claims.a_stable, proof.a_stable, a_reason(proof));
    check_claim(report, "L_stable", claims.l_stable, proof.l_stable, l_reason(proof));
    return;
  }
  for (const auto& [name, claim] :
       {std::pair("A_stable", claims.a_stable), std::pair("L_stable", claims.l_stable)}) {
    report.judged.insert(name);
    if (claim) report.failures.push_back(std::string(name) + ": " + proof.undecided);
  }
}

void check_claims(VerifyReport& report, const Claims& claims, const MethodProof& proof) {
  const Assumptions& found = proof.simplifying;
  check_order_claim(report, "order", claims.order, proof.order);
  check_claim(report, "stage_order", claims.stage_order, proof.stage_order,
              fmt::format("B({}) and C({}) hold, no more", found.b, found.c));
  if (proof.embedded_order)
    check_order_claim(report, "embedded_order", claims.embedded_order, *proof.embedded_order);
  check_stability_claims(report, claims, proof.stability);
  check_claim(report, "stiffly_accurate", claims.stiffly_accurate, proof.stiffly_accurate,
              "the last row of A against b");
  check_claim(report, "algebraically_stable", claims.algebraically_stable, proof.algebraic.holds,
              proof.algebraic.reason);
  check_claim(report, "symplectic", claims.symplectic, proof.algebraic.symplectic,
              "M = BA + A'B - bb' against 0");
}

namespace {

WideTableau rounded_tableau(const TableauNumbers& numbers) {
  const auto rounded = [](const Vector& list) {
    std::vector<wide> out;
    for (const Number& x : list) out.push_back(x.to_wide());
    return out;
  };
  WideTableau out;
  for (const Vector& row : numbers.a) out.A.push_back(rounded(row));
  out.b = rounded(numbers.b), out.c = rounded(numbers.c);
  return out;
}

}  // namespace

VerifyReport report_on(const std::string& id, const TableauNumbers& numbers, const Claims& claims) {
  const auto& [a, b, c, embedded, radicals, dense] = numbers;
  const MethodProof proof =
      prove_method(id, nodal_operators(a, b, c), embedded, a.back() == b, true);
  VerifyReport report;
  report.id = id;
  add_method(report, proof, rounded_tableau(numbers));
  if (!proof.row_sums_hold) {
    report.failures.push_back("row sums: " + proof.row_sum_failure);
    report.notes.push_back(
        "row sums fail: the order and the stability hold for autonomous problems y' = f(y); for "
        "y' = f(t) the order is that of the quadrature, B(" +
        std::to_string(proof.simplifying.b) + ")");
  }
  if (proof.order.order == 0) {
    report.failures.push_back("consistency: the weights sum to 1 plus " +
                              (proof.order.weight - Number(1)).decimal(6));
  }
  if (proof.embedded_order && proof.embedded_order->order == 0) {
    report.failures.push_back("consistency: the embedded weights sum to 1 plus " +
                              (proof.embedded_order->weight - Number(1)).decimal(6));
  }
  check_claims(report, claims, proof);
  certify(report, method_certificate(proof, embedded, nullptr, radicals));
  return report;
}

void certify(VerifyReport& report, Json certificate) {
  bind_certificate(certificate, report.id);
  report.certificate_data = std::move(certificate);
  report.certificate = certificate_name(report.id);
}

void add_family(VerifyReport& report, const FamilyFact& fact) {
  report.notes.push_back(fact.note);
  if (!fact.holds) report.failures.push_back(fact.note);
  if (fact.holds && report.certificate_data.is_object())
    report.certificate_data["for_all_rho"] = fact.data;
}

namespace {

std::string off_text(const Number& weight, const rational& target) {
  return (weight - Number(target)).decimal(6);
}
std::string off_text(const Ball& weight, const rational& target) {
  return static_cast<wide>((weight - Ball(target)).middle()).str(6, std::ios_base::scientific);
}

template <class T>
std::string interpolant_reason(const InterpolantProof<T>& proof) {
  if (proof.failing_tree.empty()) return "trees of more than 10 vertices are not tried";
  return fmt::format("order {} needs weight {} of theta^{} of tree {}, which is off by {}",
                     proof.order.order + 1, rational_text(proof.target), proof.power,
                     proof.failing_tree, off_text(proof.weight, proof.target));
}

template <class T>
void add_interpolant(VerifyReport& report, const Claims& claims, const InterpolantProof<T>& proof,
                     bool exact) {
  const std::string order = fmt::format("order {}{} at every theta",
                                        proof.order.at_least ? "at least " : "", proof.order.order);
  const std::string reason = interpolant_reason(proof);
  report.notes.push_back(fmt::format("interpolant: {}{}; {}", order,
                                     exact ? "" : " to the accuracy of the digits", reason));
  report.notes.push_back(
      fmt::format("interpolant: b(0) = 0, b(1) = b: {}; derivative continuous: {} (at the start of "
                  "steps {}, at their end {})",
                  proof.ends_in_b, proof.smooth(), proof.smooth_at_start, proof.smooth_at_end));
  if (!proof.order.at_least) report.facts.interpolant_order = proof.order.order;
  report.facts.interpolant_ends_in_b = proof.ends_in_b;
  report.facts.interpolant_c1 = proof.smooth();
  if (!proof.defect.empty()) report.failures.push_back("interpolant: " + proof.defect);
  if (proof.order.order == 0) report.failures.push_back("interpolant: consistency: " + reason);
  const std::optional<int>& claim = claims.interpolant_order;
  report.judged.insert("interpolant_order");
  if (claim && (!proof.order.at_least || *claim < proof.order.order))
    check_claim(report, "interpolant_order", claim, proof.order.order, reason);
  else if (claim && *claim > proof.order.order)
    report.failures.push_back(fmt::format("interpolant_order: claimed {}, {}", *claim, order));
}

Json interpolant_json(const TableauNumbers& numbers, const InterpolantProof<Number>& proof) {
  Json order{{proof.order.at_least ? "at_least" : "order", proof.order.order}};
  if (!proof.order.at_least)
    order.update({{"failing_tree", proof.failing_tree},
                  {"power", proof.power},
                  {"weight", json_of(proof.weight)},
                  {"target", json_of(proof.target)}});
  return {{"A", json_of(numbers.dense.A)},
          {"c", json_of(numbers.dense.c)},
          {"weights", json_of(numbers.dense.weights)},
          {"order", order},
          {"ends_in_b", proof.ends_in_b},
          {"smooth_at_start", proof.smooth_at_start},
          {"smooth_at_end", proof.smooth_at_end}};
}

}  // namespace

void add_interpolant(VerifyReport& report, const Coefficients& method,
                     const TableauNumbers& numbers) {
  if (!method.has("dense.weights")) return;
  if (!numbers.dense.given() || !report.exact) {
    add_interpolant(report, method.claims,
                    prove_interpolant(enclosed_interpolant(tableau_of<Expression>(method))), false);
    return;
  }
  const InterpolantProof<Number> proof = prove_interpolant(interpolant_of(numbers));
  add_interpolant(report, method.claims, proof, true);
  if (!report.certificate_data.is_object()) return;
  Json certificate = report.certificate_data;
  certificate["dense"] = interpolant_json(numbers, proof);
  if (certificate["field"].is_null()) {
    Vector all = numbers.dense.c;
    for (const auto* rows : {&numbers.dense.A, &numbers.dense.weights})
      for (const Vector& row : *rows) all.insert(all.end(), row.begin(), row.end());
    certificate["field"] = field_json(all);
  }
  certify(report, std::move(certificate));
}

}  // namespace daemark::exact
