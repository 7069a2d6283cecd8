// Proofs as JSON: everything the independent checker needs, in a fixed order of keys.
//
// A number is a string "p/q", or an array of strings, its coefficients in ascending powers of the
// field's theta. A polynomial is the array of its coefficients, ascending.
#pragma once

#include <nlohmann/json.hpp>

#include "analysis/exact/ball.hpp"
#include "analysis/exact/multistep.hpp"
#include "analysis/exact/pade_block.hpp"
#include "analysis/exact/runge_kutta.hpp"

namespace daemark::exact {

using Json = nlohmann::ordered_json;

inline constexpr const char* certificate_format = "daemark certificate 1";

Json json_of(const Number& x);
Json json_of(const Poly& p);
Json json_of(const Vector& v);
Json json_of(const Matrix& m);
Json json_of(const StabilityProof& proof);
Json json_of(const OrderProof& proof);

/// [lower, upper] of an enclosure, rounded outwards to 40 decimals.
Json interval_json(const Ball& x);
/// The field of the first irrational number, null if there is none.
Json field_json(const Vector& numbers);

/// nodes: null for a tableau, the node polynomial where the basis is 1, x, ... modulo it.
Json method_certificate(const MethodProof& proof, const Vector& embedded, const Poly* nodes);
/// As a collocation certificate with the stage 0 in front, and what eq. (9) adds.
Json block_certificate(const MethodProof& proof, const BlockDerivation& block, const Poly& nodes);
Json multistep_certificate(const std::string& id, const MultistepProof& proof);

/// id with everything but letters and digits turned to single underscores, plus ".json".
std::string certificate_name(const std::string& id);

}  // namespace daemark::exact
