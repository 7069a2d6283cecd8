// Completion in bash and zsh: a short script for the shell, which asks the program for the words
// that may come next.
#pragma once

#include <string>
#include <vector>

#include "experiments/cli/options.hpp"

namespace daemark {

/// The verbs with their options, as --help shows them.
std::vector<VerbShape> verb_shapes();

/// The words that may replace the last of `typed` (the words after the program's name; the last one
/// is unfinished and may be empty), from the tables of verbs, methods, problems, formulations,
/// settings and experiments. None where a file is meant.
std::vector<std::string> completions(const std::vector<std::string>& typed,
                                     const std::vector<VerbShape>& verbs);

}  // namespace daemark
