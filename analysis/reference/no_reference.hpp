// What is thrown where a problem has no reference solution.
#pragma once

#include <stdexcept>
#include <string>

namespace daemark {

/// There is no reference: the motion cannot be continued that far, in 50 digits.
class NoReference : public std::runtime_error {
 public:
  explicit NoReference(const std::string& message) : std::runtime_error(message) {}
};

}  // namespace daemark
