// Checks a proof file by a second enclosure (checked_motion.hpp).
#pragma once

#include <string>

#include "analysis/enclosure/proof_file.hpp"

namespace daemark {

/// Why the file is refused; empty where every ball contains the one that is found with its steps,
/// with a higher order and more bits. Throws BadInput for problems and numbers that do not exist.
std::string proof_refusal(const ReferenceProof& proof);

}  // namespace daemark
