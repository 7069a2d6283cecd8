#include "analysis/exact/proof/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/exact/proof/certificate.hpp"
#include "analysis/exact/proof/decimal.hpp"
#include "analysis/exact/proof/report_parts.hpp"
#include "analysis/exact/theory/collocation.hpp"
#include "analysis/exact/theory/import.hpp"
#include "analysis/exact/theory/monotonicity.hpp"
#include "analysis/linear/stability_function.hpp"
#include "analysis/orders/expected_orders.hpp"
#include "base/text/bad_input.hpp"

namespace daemark::exact {

namespace {

bool any_decimal(const std::vector<const Expression*>& all) {
  return std::any_of(all.begin(), all.end(), [](const auto* e) { return e->has_decimal(); });
}

void check_size(const std::string& id, const char* what, std::size_t got, std::size_t wanted) {
  if (got == wanted) return;
  throw BadInput(fmt::format("{}: {} has {} entries, accepted are {}", id, what, got, wanted));
}

/// Bounds the time of everything that follows to about a minute.
void check_work(const std::string& id, std::size_t stages, const TableauNumbers& numbers) {
  constexpr double most = 1e7;
  int degree = 1;
  for (const Vector& row : numbers.a) degree = std::max(degree, field_degree(row));
  for (const Vector* list : {&numbers.b, &numbers.c, &numbers.embedded, &numbers.dense.c})
    degree = std::max(degree, field_degree(*list));
  if (std::pow(static_cast<double>(stages) * degree, 3) <= most) return;
  throw BadInput(fmt::format(
      "{}: {} stages in a number field of degree {} are too large for exact work, accepted is "
      "(stages * degree)^3 up to 1e7",
      id, stages, degree));
}

}  // namespace

void VerifyReport::has_no_stages(const std::string& why) {
  no_stage_order = why;
  notes.push_back("no stage order: " + why);
}

void add_start(VerifyReport& report, const Method& method) {
  const std::string start = start_text(method, report.order);
  if (!start.empty()) report.notes.push_back("starts by " + start);
}

nlohmann::ordered_json VerifyReport::to_json(const std::string& file) const {
  Json out;
  out["id"] = id;
  out["order"] = or_null(order);
  out["stage_order"] = or_null(stage_order);
  out["stability_function"] = nullptr;
  if (!num.empty()) out["stability_function"] = {{"num", num}, {"den", den}};
  out["A_stable"] = or_null(a_stable);
  out["L_stable"] = or_null(l_stable);
  out["zero_stable"] = or_null(zero_stable);
  out["exact"] = exact;
  out["order_within_rounding"] = or_null(order_within_rounding);
  out["order_residual"] = or_null(order_residual);
  out.update(facts.to_json());
  out["certificate"] = certificate_data.is_null() ? Json(nullptr) : Json(file);
  out["digest"] = certificate_data.is_null() ? Json(nullptr) : Json(certificate_data.at("digest"));
  out["failures"] = failures;
  out["notes"] = notes;
  return out;
}

namespace {

/// Of decimals, of the numbers as written.
void add_ssp_coefficient(VerifyReport& report, const TableauNumbers& numbers) {
  const std::optional<SspCoefficient> found = ssp_coefficient(numbers.a, numbers.b);
  if (!found) return;
  report.facts.ssp_coefficient = report.exact ? found->exact : found->digits();
  report.notes.push_back("SSP coefficient (radius of absolute monotonicity): " +
                         *report.facts.ssp_coefficient);
}

StabilityProof stability_of(const TableauNumbers& numbers) {
  return prove_stability(stability_function(nodal_operators(numbers.a, numbers.b, numbers.c)));
}

}  // namespace

VerifyReport verify_tableau(const Coefficients& method) {
  const Tableau<Expression> tableau = tableau_of<Expression>(method);
  const std::size_t s = tableau.b.size();
  check_size(method.id, "A", tableau.A.size(), s);
  check_size(method.id, "c", tableau.c.size(), s);
  if (s == 0) throw BadInput(method.id + ": no stages");
  for (const auto& row : tableau.A) check_size(method.id, "a row of A", row.size(), s);
  if (!tableau.embedded.empty()) check_size(method.id, "b_hat", tableau.embedded.size(), s);
  const TableauNumbers numbers = import_tableau(method);
  check_work(method.id, s, numbers);
  const auto completed = [&](VerifyReport report) {
    add_ssp_coefficient(report, numbers);
    add_interpolant(report, method, numbers);
    return report;
  };
  if (method.decimal || any_decimal(entries_of(tableau)))
    return completed(report_decimal(method, numbers));
  if (!approximates(tableau)) return completed(report_on(method.id, numbers, method.claims));
  const StabilityProof written = stability_of(numbers);
  const WithinRounding possible = within_rounding(tableau, written);
  Claims claims = method.claims;
  if (possible.a_stable && !written.a_stable) claims.a_stable.reset();
  if (possible.a_stable && possible.vanishes && !written.l_stable) claims.l_stable.reset();
  VerifyReport report = report_on(method.id, numbers, claims);
  leave_to_rounding(report, possible.a_stable, possible.vanishes);
  add_rounded_order(report, rounded(tableau).order);
  if (report.order_within_rounding && !possible.axis_begins) forget_imaginary_interval(report);
  return completed(std::move(report));
}

VerifyReport verify_collocation(const std::string& family, int s, const WideTableau& code) {
  const Family which = family_from(family);
  const MethodProof proof = prove_collocation(which, s);
  const Poly nodes = node_polynomial(which, s);
  VerifyReport report;
  report.id = proof.id;
  add_method(report, proof, code);
  if (!proof.row_sums_hold) report.notes.push_back("row sums: " + proof.row_sum_failure);
  certify(report, method_certificate(proof, {}, &nodes, {}));
  return report;
}

VerifyReport verify_pade_block(int r, int k, int j, const std::string& nodes,
                               const std::vector<Expression>& list, const WideTableau& code) {
  const BlockDerivation block = derive_block(r, k, j);
  const NodeSet set = list.empty() ? node_set(nodes, r) : node_list(list, r);
  VerifyReport report;
  report.id = "pade_block(r=" + std::to_string(r) + ",k=" + std::to_string(k) +
              ",nodes=" + set.name + (j == r ? "" : ",j=" + std::to_string(j)) + ")";
  const MethodProof proof = prove_block(report.id, block, set.polynomial);
  add_method(report, proof, code);
  report.notes.push_back(
      "mu_i = mu(h_i), mu(x) = " + block.mu.text("x") +
      "; unique: determinant of its linear system = " + block.uniqueness.decimal(6));
  const RationalFunction wanted = reduced(block.pade.num, block.pade.den);
  if (!block.matches || !(proof.stability.function.num == wanted.num) ||
      !(proof.stability.function.den == wanted.den))
    report.failures.emplace_back("R differs from the Pade approximant");
  if (block.singular) report.notes.emplace_back("det B = 0: refused for index 2 and 3");
  const wide deviation = block_deviation(wide_nodes(set), block);
  report.notes.push_back(
      "eq. (9) at 130 digits: det(I - zB) agrees to 1e" +
      std::to_string(deviation == 0 ? -130 : static_cast<int>(mp::ceil(mp::log10(deviation)))));
  if (r <= 12 && deviation > mp::pow(wide(10), -100)) {
    report.failures.push_back("eq. (9) at 130 digits deviates by " + deviation.str(3) +
                              ", accepted is 1e-100");
  }
  certify(report, block_certificate(proof, block, set));
  return report;
}

VerifyReport verify_multistep(const Coefficients& formula) {
  const std::size_t size = formula.list("alpha").size();
  check_size(formula.id, "beta", formula.list("beta").size(), size);
  const std::vector<const Expression*> all = entries_of(formula);
  Vector radicals;
  const Vector flat = import_numbers(all, formula.id, {}, &radicals);
  const auto half = flat.begin() + static_cast<long>(size);
  const MultistepProof proof = prove_multistep({flat.begin(), half}, {half, flat.end()});
  if (formula.decimal || any_decimal(all)) return report_decimal(formula, proof);
  VerifyReport report;
  report.id = formula.id;
  report.order = proof.order;
  report.a_stable = proof.a_stable;
  report.l_stable = proof.l_stable;
  report.zero_stable = proof.zero_stable;
  add_facts(report, facts_of_formula(proof));
  const std::string condition = fmt::format("the error constant of h^{}, {},", proof.order + 1,
                                            proof.error_constant.decimal(6));
  report.notes.push_back(fmt::format("order {}, error constant {} of h^{}", proof.order,
                                     proof.error_constant.decimal(6), proof.order + 1));
  report.notes.push_back(std::string("zero-stable: ") + word(proof.zero_stable));
  report.notes.push_back(a_note(word(proof.a_stable), proof.reason));
  report.has_no_stages("every point of a multistep formula is a step end");
  report.notes.push_back(
      proof.sigma.degree() < proof.rho.degree() ? "a root is unbounded at infinity"
      : proof.equal_roots_at_infinity
          ? "all roots at infinity equal " + proof.root_at_infinity.decimal(10)
          : fmt::format("spectral radius at infinity {:.10g}", modulus_at_infinity(formula)));
  if (proof.order < 1) report.failures.push_back("consistency: " + condition + " has to be 0");
  check_claim(report, "order", formula.claims.order, proof.order, condition + " is not 0");
  check_claim(report, "A_stable", formula.claims.a_stable, proof.a_stable, proof.reason);
  check_claim(report, "L_stable", formula.claims.l_stable, proof.l_stable,
              proof.a_stable ? "the roots at infinity are not all 0" : proof.reason);
  certify(report, multistep_certificate(formula.id, proof, radicals));
  return report;
}

VerifyReport verify_coefficients(const Coefficients& method) {
  const auto verify = [&] {
    switch (method.kind) {
      case MethodKind::runge_kutta:
        break;
      case MethodKind::multistep:
        return verify_multistep(method);
      case MethodKind::nystrom:
      case MethodKind::partitioned:
      case MethodKind::additive:
        return verify_pair(method);
      case MethodKind::half_explicit:
        return verify_half_explicit(method);
      case MethodKind::rosenbrock:
        return verify_rosenbrock(method);
    }
    return verify_tableau(method);
  };
  VerifyReport report = verify();
  check_undecided(report, method.claims);
  return report;
}

std::string ehle_map(int largest) {
  std::string out = "| k \\ j |";
  for (int j = 0; j <= largest; ++j) out += " " + std::to_string(j) + " |";
  out += "\n|---|";
  for (int j = 0; j <= largest; ++j) out += "---|";
  out += "\n";
  for (int k = 0; k <= largest; ++k) {
    out += "| " + std::to_string(k) + " |";
    for (int j = 0; j <= largest; ++j) {
      const StabilityProof proof = prove_stability(pade_of_exp(k, j));
      out += " " +
             (proof.l_stable   ? std::string("A, L")
              : proof.a_stable ? std::string("A")
                               : "no: " + (proof.witness ? proof.witness->text() : "?")) +
             " |";
    }
    out += "\n";
  }
  return out;
}

}  // namespace daemark::exact
