// Proofs as JSON: everything the independent checker needs, in a fixed order of keys.
//
// A number is a string "p/q", or an array of strings, its coefficients in ascending powers of the
// field's theta. A polynomial is the array of its coefficients, ascending.
#pragma once

#include <nlohmann/json.hpp>

#include "analysis/exact/numbers/ball.hpp"
#include "analysis/exact/theory/multistep.hpp"
#include "analysis/exact/theory/pade_block.hpp"
#include "analysis/exact/theory/rosenbrock.hpp"
#include "analysis/exact/theory/runge_kutta.hpp"

namespace daemark::exact {

using Json = nlohmann::ordered_json;

inline constexpr const char* certificate_format = "daemark certificate 2";

Json json_of(const rational& x);
Json json_of(const Number& x);
Json json_of(const Poly& p);
Json json_of(const StabilityProof& proof);
Json json_of(const OrderProof& proof);

/// Of a vector, a matrix by rows, a list of polynomials.
template <class T>
Json json_of(const std::vector<T>& list) {
  Json out = Json::array();
  for (const T& x : list) out.push_back(json_of(x));
  return out;
}

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

/// The point, or the one cell (m ± 1/2) 1e-40 that holds the enclosure: throws std::domain_error
/// for one that is too wide.
Json interval_json(const Ball& x);
/// The field of the first irrational number, null if there is none.
Json field_json(const Vector& numbers);

/// What every certificate begins with; the digest comes last.
Json certificate_head(const std::string& id, const char* kind);

/// Sets the id and the digest of id and coefficients: the last step of every certificate.
void bind_certificate(Json& certificate, const std::string& id);

/// nodes: null for a tableau, the node polynomial where the basis is 1, x, ... modulo it. radicals:
/// the values of those in the expressions of the coefficients.
Json method_certificate(const MethodProof& proof, const Vector& embedded, const Poly* nodes,
                        const Vector& radicals);
/// As a collocation certificate with the stage 0 in front, and what eq. (9) adds.
Json block_certificate(const MethodProof& proof, const BlockDerivation& block, const NodeSet& set);
Json multistep_certificate(const std::string& id, const MultistepProof& proof,
                           const Vector& radicals);

/// Of the coefficients α, Γ, b of the increments.
Json rosenbrock_certificate(const std::string& id, const RosenbrockProof& proof);

/// The file name: id with everything but letters and digits turned to single underscores, and
/// ".json". Of an id beyond 100 characters the first 80 and 16 digits of its SHA-256 are kept.
std::string certificate_name(const std::string& id);

}  // namespace daemark::exact
