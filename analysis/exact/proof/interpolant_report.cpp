#include <fmt/format.h>

#include "analysis/exact/proof/certificate.hpp"
#include "analysis/exact/proof/decimal.hpp"
#include "analysis/exact/proof/report_parts.hpp"
#include "analysis/exact/theory/interpolant.hpp"

namespace daemark::exact {
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
                  "steps {}, at "
                  "their end {})",
                  proof.ends_in_b, proof.smooth(), proof.smooth_at_start, proof.smooth_at_end));
  if (!proof.order.at_least) report.facts.interpolant_order = proof.order.order;
  report.facts.interpolant_ends_in_b = proof.ends_in_b;
  report.facts.interpolant_c1 = proof.smooth();
  if (!proof.defect.empty()) report.failures.push_back("interpolant: " + proof.defect);
  if (proof.order.order == 0) report.failures.push_back("interpolant: consistency: " + reason);
  const std::optional<int>& claim = claims.interpolant_order;
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
