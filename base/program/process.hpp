// Other programs, run without a shell; the memory that this one may take.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/text/bad_input.hpp"

namespace daemark {

struct ChildEnd {
  int not_started = 0;  ///< errno; 0: it ran
  int status = -1;      ///< exit status; −1: a signal ended it
  int signal = 0;
  bool timed_out = false;
};

struct ChildLimits {
  double seconds;
  long megabytes = 0;  ///< of data, and of each file it writes; 0: no limit
};

/// Runs `words`, the program first, which is looked for in PATH; what it writes goes to the file
/// `output`, errors to `errors` where that is another. The programs it started end with it: after
/// so many seconds, and where the work of this thread is stopped, which throws Stopped.
ChildEnd run_child(const std::vector<std::string>& words, const std::filesystem::path& output,
                   const ChildLimits& limits, const std::filesystem::path& errors = {});
inline ChildEnd run_child(const std::vector<std::string>& words,
                          const std::filesystem::path& output, double seconds) {
  return run_child(words, output, ChildLimits{seconds});
}

/// Work that needs more memory than there is.
class NoMemory : public BadInput {
 public:
  using BadInput::BadInput;
};

/// Throws NoMemory "WHAT needs N GB of memory, ..." for more than that; `accepted` says what to do.
void require_memory(double bytes, const std::string& what, const std::string& accepted);

}  // namespace daemark
