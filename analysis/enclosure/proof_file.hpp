// Which committed reference states are proved: results/references/proved.json, written by
// `daemark reference --check`.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace daemark {

struct ReferenceProof {
  std::string problem, t;
  std::string state;  ///< reference_digest() of the state that lies in the proved balls
  int digits = 0;     ///< significant digits of every component that the balls prove
  int steps = 0, order = 0, bits = 0;
};

/// Of the committed file, sorted by problem and time; none where there is no file.
/// Throws BadInput for a damaged one.
std::vector<ReferenceProof> reference_proofs();

/// Replaces those of the same problem and time.
void write_reference_proofs(const std::vector<ReferenceProof>& proofs);

/// Of the stored state of this problem and time, if the state is the one that was proved.
std::optional<ReferenceProof> proof_of(const std::string& problem, const std::string& t);

}  // namespace daemark
