// The parts of every report: notes on what was proved, and the comparison of claims with it.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <type_traits>

#include "analysis/exact/proof/family.hpp"
#include "analysis/exact/proof/verify.hpp"
#include "analysis/exact/theory/import.hpp"
#include "analysis/exact/theory/runge_kutta.hpp"
#include "analysis/orders/expected_orders.hpp"

namespace daemark::exact {

const char* word(bool value);

/// A failure unless the claim, if there is one, is what was derived.
template <class T>  // bool, int
void check_claim(VerifyReport& report, const char* name, const std::optional<T>& claim,
                 const std::type_identity_t<T>& derived, const std::string& reason) {
  report.judged.insert(name);
  if (!claim || *claim == derived) return;
  report.failures.push_back(fmt::format("{}: claimed {}, derived {}{}", name, *claim, derived,
                                        reason.empty() ? "" : ": " + reason));
}
/// Fails every claim that was not compared with anything: the last step of a report on claims.
void check_undecided(VerifyReport& report, const Claims& claims);
/// "order 5 needs weight 1/120 of tree [[t]], which is off by ...".
std::string failing_condition(const OrderProof& proof);
/// "order 4 by rooted trees; order 5 needs weight ... of tree ...".
std::string order_note(const OrderProof& proof);
/// An order within bounds that exclude the claim, or that leave it open, does not verify it.
void check_order_claim(VerifyReport& report, const char* name, const std::optional<int>& claim,
                       const OrderProof& proof);
/// "A-stable: false, REASON".
std::string a_note(const std::string& verdict, const std::string& reason);

std::string a_reason(const StabilityProof& proof);
std::string l_reason(const StabilityProof& proof);

/// R, A- and L-stability with their reasons.
void add_stability(VerifyReport& report, const StabilityProof& proof);
/// The claims on A- and L-stability against the proof.
void check_stability_claims(VerifyReport& report, const Claims& claims,
                            const StabilityProof& proof);
void add_expected_orders(VerifyReport& report, const MethodFacts& facts);
/// The facts, and those of them as notes that no other note says.
void add_facts(VerifyReport& report, const Facts& facts);
/// Order, simplifying assumptions, stability and orders to expect on DAEs.
/// `tableau`: its coefficients at 130 digits; empty where only those modulo the nodes are known.
void add_method(VerifyReport& report, const MethodProof& proof, const WideTableau& tableau);
void check_claims(VerifyReport& report, const Claims& claims, const MethodProof& proof);

/// Everything of a tableau in exact numbers, with its certificate.
VerifyReport report_on(const std::string& id, const TableauNumbers& numbers, const Claims& claims);

/// Of the interpolant in the tableau's file, exactly or, of decimals, to their accuracy; with an
/// exact one also in the certificate.
void add_interpolant(VerifyReport& report, const Coefficients& tableau,
                     const TableauNumbers& numbers);

/// Gives the report its certificate, with the id and the digest.
void certify(VerifyReport& report, Json certificate);

/// A note, and the fact in the certificate; a failure where it could not be proved.
void add_family(VerifyReport& report, const FamilyFact& fact);

}  // namespace daemark::exact
