// Properties that `verify` reports in addition to order and A-/L-stability: one list for JSON, text
// and table.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace daemark::exact {

struct MethodProof;
struct Operators;
struct MultistepProof;
struct StabilityProof;

/// Empty: unknown, or meaningless for this kind of method.
struct Facts {
  std::optional<int> embedded_order;
  std::optional<std::string> r_infinity;      ///< exact, or "unbounded"
  std::optional<std::string> error_constant;  ///< exact; of z^(p+1) in e^z - R, C_(p+1)/sigma(1)
  std::optional<double> error_norm;  ///< sqrt(Σ (residual/sigma(t))²) over the trees of order p+1
  std::optional<bool> symplectic, symmetric, algebraically_stable, stiffly_accurate;
  std::optional<int> b, c, d;                ///< simplifying assumptions
  std::optional<double> real_interval;       ///< |R| <= 1 on [-x, 0]; may be infinite
  std::optional<double> imaginary_interval;  ///< |R| <= 1 on i [0, y]; may be infinite
  std::optional<double> a_alpha;             ///< A(alpha), in degrees, to 1e-8
  std::optional<int> w_order;  ///< of Rosenbrock methods with any matrix for the Jacobian
  std::optional<std::string> ssp_coefficient;  ///< exact, or "unbounded"
  /// For a published interpolant: its order at every theta; whether b(1) = b; whether its
  /// derivative at both ends is the rate there.
  std::optional<int> interpolant_order;
  std::optional<bool> interpolant_ends_in_b, interpolant_c1;

  /// Every key; null for empty values, "unbounded" for infinite ones.
  nlohmann::ordered_json to_json() const;
  /// "real stability interval: 2.785293563405282", one line each, for what is not empty.
  std::vector<std::string> lines() const;
};

Facts facts_of_method(const MethodProof& proof);
Facts facts_of_formula(const MultistepProof& proof);
/// R(infinity), the error constant, the two intervals and A(alpha).
void add_facts(Facts& facts, const StabilityProof& proof);

/// b(f) = b(Pf) and PAP + A = 1 b for the reflection P of the nodes about 1/2; empty where several
/// nodes coincide and reversing the stages is no such reflection.
std::optional<bool> is_symmetric(const MethodProof& proof);
/// The same identities for one part of a pair; if both parts satisfy them, the pair is symmetric.
bool reflects_nodes(const Operators& part);

/// Largest alpha in degrees with |R| <= 1 for |arg(-z)| < alpha, by bisection, each edge decided by
/// a Sturm chain; empty if there is no such wedge, R has a pole in the left half-plane, or R is too
/// large for Sturm chains.
std::optional<double> stability_angle(const StabilityProof& proof);
/// The same for a multistep formula, by points of its locus.
std::optional<double> stability_angle(const MultistepProof& proof);

}  // namespace daemark::exact
