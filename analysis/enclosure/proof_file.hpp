// Proved reference states: results/references/proofs, a file for each problem, written by
// `daemark reference --check` and enclosed a second time by its checker.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/enclosure/proved_reference.hpp"

namespace daemark {

/// Balls as decimals: |x − centre| <= radius.
struct WrittenBalls {
  std::vector<std::string> centre, radius;
};

struct WrittenState {
  std::string t;
  std::string state;  ///< state_digest() of the stored state, which meets the balls
  int digits = 0;     ///< significant digits of every component that the balls prove
  WrittenBalls q, v, lambda;
};

struct ReferenceProof {
  std::string problem;  ///< canonical
  int order = 0, bits = 0;
  std::vector<std::string> steps;  ///< from the start: "12 x 5/1024", twelve steps of 5/1024 s
  std::vector<WrittenState> states;
};

/// Of states that are stored under these digests. A ball is written with two guard digits.
ReferenceProof written_proof(const std::string& problem, const ProvedMotion& motion,
                             const std::vector<std::string>& digests);

/// The lengths of all steps. Throws BadInput.
std::vector<rational> step_lengths(const ReferenceProof& proof);

/// Of a problem, as it is committed; none where there is no file. Throws BadInput for a damaged
/// one.
std::optional<ReferenceProof> stored_proof(const std::string& problem);
ReferenceProof read_proof(const std::string& file);
/// The file appears whole or not at all; without states it goes.
void write_proof(const ReferenceProof& proof);

/// Of the values of the stored state as they are written, whatever computed them; "" while none is
/// stored.
std::string state_digest(const std::string& problem, const std::string& t);
/// Digits that are proved of the stored state of this problem and time; 0: none.
int proved_digits(const std::string& problem, const std::string& t);
/// "proved to 33 digits", or "known to 45 digits".
std::string reference_standing(const std::string& problem, const std::string& t, int known_digits);

// Checks a proof file by enclosing the motion again.

struct ProofCheck {
  std::string refusal;  ///< empty where every ball contains the one that is found
  std::string means;    ///< "by Lagrange's remainder", or by the estimates of the proof at an order
};

/// With a higher order and more bits: by the second enclosure or, where that would take too many
/// steps, by the first one with steps of its own. Throws BadInput for problems and numbers that do
/// not exist.
ProofCheck check_proof(const ReferenceProof& proof);

}  // namespace daemark
