// `reference --proved` and `reference --check`: enclosures of exact solutions
// (analysis/enclosure/ENCLOSURES.md). `reference --published`: what public files print, judged
// (experiments/field/published.hpp).
#pragma once

#include <iosfwd>
#include <string>

namespace daemark {

/// Prints balls that contain the exact state at each of `times`. Returns the exit status: 1 where
/// nothing or less than `digits` is proved. Throws BadInput.
int prove_states(const std::string& problem, const std::string& times, int digits, bool as_json,
                 std::ostream& out, std::ostream& err);

/// Proves every committed state anew, or those of one problem, has the proofs checked by a second
/// enclosure and writes them to results/references/proofs; 1 where a state is contradicted. Throws
/// BadInput.
int check_references(const std::string& only, bool as_json, std::ostream& out, std::ostream& err);

/// The second enclosure of a proof file alone; 1 where it is refused. Throws BadInput.
int check_proof_file(const std::string& file, std::ostream& out, std::ostream& err);

/// Judges all of experiments/field/references.json and writes results/references/published.md and
/// published.csv. Returns 0 also where values are wrong. Throws BadInput.
int judge_published_references(bool as_json, std::ostream& out, std::ostream& err);

}  // namespace daemark
