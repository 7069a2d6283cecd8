// Bad input: any error that the user can mend (unknown id, malformed number, missing file). The
// command line prints what() on one line and exits with status 2.
#pragma once

#include <stdexcept>
#include <string>

namespace daemark {

/// Message form: what is wrong, where, and what is accepted; one line, no trailing newline.
class BadInput : public std::runtime_error {
 public:
  explicit BadInput(const std::string& message) : std::runtime_error(message) {}
};

}  // namespace daemark
