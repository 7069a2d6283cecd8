#include "analysis/exact/verify.hpp"

#include <cmath>

#include "analysis/exact/certificate.hpp"
#include "analysis/exact/collocation.hpp"
#include "analysis/exact/import.hpp"
#include "analysis/exact/report_parts.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"

namespace daemark::exact {

namespace {

/// Decimals: everything is derived for information, nothing is decided.
void withhold(VerifyReport& report, const Claims& claims) {
  report.a_stable.reset();
  report.l_stable.reset();
  report.certificate_data = nullptr;
  report.certificate.clear();
  report.notes.insert(report.notes.begin(),
                      "declared decimal: derived for the decimals as written, never certified");
  report.failures.clear();
  const std::pair<const char*, bool> given[] = {
      {"order", claims.order.has_value()},
      {"stage_order", claims.stage_order.has_value()},
      {"embedded_order", claims.embedded_order.has_value()},
      {"A_stable", claims.a_stable.has_value()},
      {"L_stable", claims.l_stable.has_value()},
      {"stiffly_accurate", claims.stiffly_accurate.has_value()},
      {"algebraically_stable", claims.algebraically_stable.has_value()},
      {"symplectic", claims.symplectic.has_value()}};
  for (const auto& [name, claimed] : given) {
    if (claimed)
      report.failures.push_back(std::string(name) +
                                ": undecided, decimal coefficients "
                                "are never certified: give exact expressions");
  }
}

bool any_decimal(const std::vector<const Expression*>& all) {
  for (const Expression* e : all) {
    if (e->has_decimal()) return true;
  }
  return false;
}

void check_size(const std::string& id, const char* what, std::size_t got, std::size_t wanted) {
  if (got == wanted) return;
  throw BadInput(id + ": " + what + " has " + std::to_string(got) + " entries, accepted are " +
                 std::to_string(wanted));
}

/// Bounds the time of everything that follows to about a minute.
void check_work(const std::string& id, std::size_t stages, const TableauNumbers& numbers) {
  constexpr double most = 1e7;
  double degree = 1;
  const auto look = [&degree](const Vector& values) {
    for (const Number& x : values) {
      if (!x.is_rational()) degree = x.field()->degree();
    }
  };
  for (const Vector& row : numbers.a) look(row);
  for (const Vector* list : {&numbers.b, &numbers.c, &numbers.embedded}) look(*list);
  if (std::pow(static_cast<double>(stages) * degree, 3) <= most) return;
  throw BadInput(id + ": " + std::to_string(stages) + " stages in a number field of degree " +
                 std::to_string(static_cast<int>(degree)) +
                 " are too large for exact work, accepted is (stages * degree)^3 up to 1e7");
}

}  // namespace

nlohmann::ordered_json VerifyReport::to_json(const std::string& folder) const {
  Json out;
  out["id"] = id;
  out["order"] = order ? Json(*order) : Json(nullptr);
  out["stage_order"] = stage_order ? Json(*stage_order) : Json(nullptr);
  out["stability_function"] = nullptr;
  if (!num.empty()) out["stability_function"] = {{"num", num}, {"den", den}};
  out["A_stable"] = a_stable ? Json(*a_stable) : Json(nullptr);
  out["L_stable"] = l_stable ? Json(*l_stable) : Json(nullptr);
  out["certificate"] = certificate.empty() ? Json(nullptr) : Json(folder + certificate);
  out["failures"] = failures;
  out["notes"] = notes;
  return out;
}

VerifyReport verify_tableau(const ExactTableau& tableau) {
  const std::size_t s = tableau.b.size();
  check_size(tableau.id, "A", tableau.A.size(), s);
  check_size(tableau.id, "c", tableau.c.size(), s);
  if (s == 0) throw BadInput(tableau.id + ": no stages");
  std::vector<const Expression*> all;
  for (const auto& row : tableau.A) {
    check_size(tableau.id, "a row of A", row.size(), s);
    for (const Expression& e : row) all.push_back(&e);
  }
  if (!tableau.embedded.empty()) check_size(tableau.id, "b_hat", tableau.embedded.size(), s);
  for (const auto* list : {&tableau.b, &tableau.c, &tableau.embedded}) {
    for (const Expression& e : *list) all.push_back(&e);
  }
  const TableauNumbers numbers = import_tableau(tableau);
  check_work(tableau.id, s, numbers);

  VerifyReport report = report_on(tableau.id, numbers, tableau.claims);
  if (tableau.decimal || any_decimal(all)) withhold(report, tableau.claims);
  return report;
}

VerifyReport verify_collocation(const std::string& family, int s) {
  const Family which = family_from(family);
  const MethodProof proof = prove_collocation(which, s);
  const Poly nodes = node_polynomial(which, s);
  VerifyReport report;
  report.id = proof.id;
  add_method(report, proof);
  if (!proof.row_sums_hold) report.notes.push_back("row sums: " + proof.row_sum_failure);
  report.certificate_data = method_certificate(proof, {}, &nodes);
  report.certificate = certificate_name(report.id);
  return report;
}

VerifyReport verify_pade_block(int r, int k, int j, const std::string& nodes,
                               const std::vector<Expression>& list) {
  const BlockDerivation block = derive_block(r, k, j);
  const NodeSet set = list.empty() ? node_set(nodes, r) : node_list(list, r);
  VerifyReport report;
  report.id = "pade_block(r=" + std::to_string(r) + ",k=" + std::to_string(k) +
              ",nodes=" + set.name + (j == r ? "" : ",j=" + std::to_string(j)) + ")";
  const MethodProof proof = prove_block(report.id, block, set.polynomial);
  add_method(report, proof);
  report.notes.push_back(
      "mu_i = mu(h_i), mu(x) = " + block.mu.text("x") +
      "; unique: determinant of its linear system = " + block.uniqueness.decimal(6));
  const RationalFunction wanted = reduced(block.pade.num, block.pade.den);
  if (!block.matches || !(proof.stability.function.num == wanted.num) ||
      !(proof.stability.function.den == wanted.den)) {
    report.failures.push_back("R differs from the Pade approximant");
  }
  if (block.singular) report.notes.push_back("det B = 0: refused for index 2 and 3");
  const wide deviation = block_deviation(wide_nodes(set), block);
  report.notes.push_back(
      "eq. (9) at 130 digits: det(I - zB) agrees to 1e" +
      std::to_string(deviation == 0 ? -130 : static_cast<int>(mp::ceil(mp::log10(deviation)))));
  if (r <= 12 && deviation > mp::pow(wide(10), -100)) {
    report.failures.push_back("eq. (9) at 130 digits deviates by " + deviation.str(3) +
                              ", accepted is 1e-100");
  }
  report.certificate_data = block_certificate(proof, block, set.polynomial);
  report.certificate = certificate_name(report.id);
  return report;
}

VerifyReport verify_multistep(const ExactMultistep& formula) {
  check_size(formula.id, "beta", formula.beta.size(), formula.alpha.size());
  std::vector<const Expression*> all;
  for (const Expression& e : formula.alpha) all.push_back(&e);
  for (const Expression& e : formula.beta) all.push_back(&e);
  const Vector flat = import_numbers(all, formula.id);
  const auto half = flat.begin() + static_cast<long>(formula.alpha.size());
  const MultistepProof proof = prove_multistep({flat.begin(), half}, {half, flat.end()});
  VerifyReport report;
  report.id = formula.id;
  report.order = proof.order;
  report.a_stable = proof.a_stable;
  report.l_stable = proof.l_stable;
  const std::string condition =
      "C_" + std::to_string(proof.order + 1) + " = " + proof.error_constant.decimal(6);
  report.notes.push_back("order " + std::to_string(proof.order) + ", " + condition);
  report.notes.push_back(std::string("zero-stable: ") + word(proof.zero_stable));
  report.notes.push_back(std::string("A-stable: ") + word(proof.a_stable) +
                         (proof.reason.empty() ? "" : ", " + proof.reason));
  report.notes.push_back(proof.equal_roots_at_infinity
                             ? "all roots at infinity equal " + proof.root_at_infinity.decimal(10)
                             : "spectral radius at infinity " + proof.radius_at_infinity.str(10));
  if (proof.order < 1) {
    report.failures.push_back("consistency: C_" + std::to_string(proof.order + 1) + " = " +
                              proof.error_constant.decimal(6) + ", needs 0");
  }
  check_claim(report, "order", formula.claims.order, proof.order, condition + " is not 0");
  check_claim(report, "A_stable", formula.claims.a_stable, proof.a_stable, proof.reason);
  check_claim(report, "L_stable", formula.claims.l_stable, proof.l_stable,
              proof.a_stable ? "the roots at infinity are not all 0" : proof.reason);
  report.certificate_data = multistep_certificate(formula.id, proof);
  report.certificate = certificate_name(formula.id);
  if (formula.decimal || any_decimal(all)) withhold(report, formula.claims);
  return report;
}

void write_certificate(const VerifyReport& report, const std::filesystem::path& folder) {
  if (report.certificate.empty() || report.certificate_data.is_null()) return;
  write_if_changed(folder / report.certificate, report.certificate_data.dump(1) + "\n");
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
