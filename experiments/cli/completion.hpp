// Completion in bash and zsh: a short script for the shell, which asks the program for the words.
#pragma once

#include <string>
#include <vector>

#include "experiments/cli/options.hpp"

namespace daemark {

/// The verbs with their options, as --help shows them.
std::vector<VerbShape> verb_shapes();

/// What may stand in place of the last of `typed` (the words after the program's name, the last one
/// unfinished, maybe empty), from the tables of verbs, methods, problems, formulations, settings
/// and experiments. Nothing where a file is meant.
std::vector<std::string> completions(const std::vector<std::string>& typed,
                                     const std::vector<VerbShape>& verbs);

}  // namespace daemark
