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
  bool timed_out = false;
};

/// Runs `words`, the program first, which is looked for in PATH; what it writes goes to the file
/// `output`. Stopped with the programs it started after `time_limit` seconds, and where the work
/// of this thread is stopped, which throws Stopped.
ChildEnd run_child(const std::vector<std::string>& words, const std::filesystem::path& output,
                   double time_limit);

/// Work that needs more memory than there is.
class NoMemory : public BadInput {
 public:
  using BadInput::BadInput;
};

/// Throws NoMemory "WHAT needs N GB of memory, ..." for more than that; `accepted` says what to do.
void require_memory(double bytes, const std::string& what, const std::string& accepted);

}  // namespace daemark
