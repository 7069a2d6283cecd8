// What a mechanism says of itself besides its equations.
#pragma once

#include <string>
#include <vector>

namespace daemark {

class Remarked {
 public:
  virtual ~Remarked() = default;
  /// Lines for `show` and `run`: degrees of freedom, rows that were left out.
  virtual std::vector<std::string> remarks() const = 0;
};

}  // namespace daemark
