// `reference --proved` and `reference --check`: enclosures of exact solutions
// (analysis/enclosure/ENCLOSURES.md).
#pragma once

#include <iosfwd>
#include <string>

namespace daemark {

/// Prints balls that contain the exact state at each of `times`. Returns the exit status: 1 where
/// nothing or less than `digits` is proved. Throws BadInput.
int prove_states(const std::string& problem, const std::string& times, int digits, bool as_json,
                 std::ostream& out, std::ostream& err);

/// Proves every committed state again and records in results/references/proved.json which lie in
/// their balls; 1 where one does not.
int check_references(bool as_json, std::ostream& out, std::ostream& err);

}  // namespace daemark
