// One word of a command line.
#pragma once

#include <string>

namespace daemark {

/// `text` as a shell reads it back: in single quotes where it holds anything a shell would
/// interpret.
std::string shell_word(const std::string& text);

}  // namespace daemark
