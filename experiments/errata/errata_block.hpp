// The errata checks on the coefficient sets of Li 2019.
#pragma once

#include "experiments/errata/errata.hpp"

namespace daemark::exact {

/// Kinds block_set, block_mu, block_system; throws BadInput for another kind.
void run_block_check(const nlohmann::ordered_json& check, const std::string& where, Erratum& out);

}  // namespace daemark::exact
