// Sends what a test would store under results/ to a folder of its own.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

#include "tests/support/scratch_folder.hpp"

namespace daemark::test {

class TemporaryResults {
 public:
  TemporaryResults() {
    if (const char* before = std::getenv("DAEMARK_RESULTS")) before_ = before;
    ::setenv("DAEMARK_RESULTS", folder_.path.c_str(), 1);
  }
  TemporaryResults(const TemporaryResults&) = delete;
  TemporaryResults& operator=(const TemporaryResults&) = delete;
  ~TemporaryResults() {
    if (before_)
      ::setenv("DAEMARK_RESULTS", before_->c_str(), 1);
    else
      ::unsetenv("DAEMARK_RESULTS");
  }

 private:
  ScratchFolder folder_;
  std::optional<std::string> before_;
};

}  // namespace daemark::test
