// Sends what a test would store under results/ to a folder of its own.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

namespace daemark::test {

class TemporaryResults {
 public:
  TemporaryResults()
      : folder_(std::filesystem::path(::testing::TempDir()) /
                ("daemark_results_" + std::to_string(::getpid()))) {
    if (const char* before = std::getenv("DAEMARK_RESULTS")) before_ = before;
    ::setenv("DAEMARK_RESULTS", folder_.c_str(), 1);
  }
  TemporaryResults(const TemporaryResults&) = delete;
  TemporaryResults& operator=(const TemporaryResults&) = delete;
  ~TemporaryResults() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
    if (before_)
      ::setenv("DAEMARK_RESULTS", before_->c_str(), 1);
    else
      ::unsetenv("DAEMARK_RESULTS");
  }

 private:
  std::filesystem::path folder_;
  std::optional<std::string> before_;
};

}  // namespace daemark::test
