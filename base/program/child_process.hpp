// Other programs, run without a shell.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

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

}  // namespace daemark
