// `reference --published`: reference solutions that public files print, judged
// (experiments/field/published.hpp).
#pragma once

#include <iosfwd>

namespace daemark {

/// Judges all of experiments/field/references.json and writes results/references/published.md and
/// published.csv. Returns 0 also where values are wrong. Throws BadInput.
int judge_published_references(bool as_json, std::ostream& out, std::ostream& err);

}  // namespace daemark
