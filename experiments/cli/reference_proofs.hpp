// `reference --proved` and `reference --check`: enclosures of exact solutions
// (analysis/enclosure/ENCLOSURES.md). `reference --published`: what public files print, judged
// (experiments/field/published.hpp).
#pragma once

#include <iosfwd>
#include <string>

#include "experiments/cli/report.hpp"

namespace daemark {

/// What was found of a committed state.
Report report_of_state(const std::string& problem, const std::string& t, const std::string& found);

/// Balls that contain the exact state at each of `times`. Status 1 where nothing or less than
/// `digits` is proved. Throws BadInput.
Report prove_states(const std::string& problem, const std::string& times, int digits,
                    std::ostream& out, std::ostream& err);

/// Proves every committed state anew, or those of one problem, has the proofs checked by a second
/// enclosure and writes them to results/references/proofs; status 1 where a state is contradicted.
/// Throws BadInput.
Report check_references(const std::string& only, std::ostream& out, std::ostream& err);

/// The second enclosure of a proof file alone; status 1 where it is refused. Throws BadInput.
Report check_proof_file(const std::string& file, std::ostream& err);

/// Judges all of experiments/field/references.json and writes results/references/published.md and
/// published.csv. Status 0 also where values are wrong. Throws BadInput.
Report judge_published_references(std::ostream& err);

}  // namespace daemark
