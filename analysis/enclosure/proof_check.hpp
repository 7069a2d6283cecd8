// Checks a proof file by enclosing the motion again.
#pragma once

#include <string>

#include "analysis/enclosure/proof_file.hpp"

namespace daemark {

struct ProofCheck {
  std::string refusal;  ///< empty where every ball contains the one that is found
  std::string means;    ///< "by Lagrange's remainder", or by the estimates of the proof at an order
};

/// With a higher order and more bits: by the second enclosure or, where that would take too many
/// steps, by the first one with steps of its own. Throws BadInput for problems and numbers that do
/// not exist.
ProofCheck check_proof(const ReferenceProof& proof);

}  // namespace daemark
