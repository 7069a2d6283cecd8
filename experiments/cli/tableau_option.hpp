// `--tableau FILE.json`, which any verb takes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "experiments/cli/options.hpp"

namespace daemark {

std::shared_ptr<std::vector<std::string>> add_tableau_option(OptionSet& verb);

/// Adds the methods of the files to the catalogue. A file whose id is taken is refused unless it is
/// that very file. Throws BadInput.
void load_tableaus(const std::vector<std::string>& files);

}  // namespace daemark
