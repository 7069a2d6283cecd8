// A program run as a separate process within limits.
#pragma once

#include <csignal>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace daemark::audit {

struct ChildCall {
  std::vector<std::string> arguments;              ///< the program first
  std::map<std::string, std::string> environment;  ///< beside ours
  std::string folder;                              ///< where it runs
  double memory = 1e9;                             ///< address space [bytes]
  double file_size = 2e8;  ///< a longer write fails, as on a full disk [bytes]
  bool as_nobody = false;  ///< root may write read-only files
  double silent = 20;      ///< longest time without output on either stream [s]
  double longest = 25;     ///< then it gets `signal` and has to stop within `grace` [s]
  double grace = 5;
  int signal = SIGTERM;
};

struct ChildEnd {
  int status = -1;       ///< exit status
  int signal = 0;        ///< that ended it, not ours
  bool hung = false;     ///< silent too long
  bool stopped = false;  ///< got `signal`
  bool deaf = false;     ///< did not stop then
  double seconds = 0;
  double resident = 0;  ///< largest [bytes]
  std::string out, err;
  /// Time [s] and length of `err` so far.
  std::vector<std::pair<double, std::size_t>> heard;
};

ChildEnd run_child(const ChildCall& call);

/// A line for the report: the words quoted where a shell needs it, cut.
std::string shell_line(const std::vector<std::string>& words);

}  // namespace daemark::audit
