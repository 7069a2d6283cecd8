// The program as a process.
#pragma once

#include <signal.h>  // NOLINT(modernize-deprecated-headers): POSIX
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

namespace daemark::cli_testing {

class Process {
 public:
  Process(const std::vector<std::string>& arguments, const std::string& out,
          const std::string& err) {
    child_ = ::fork();
    if (child_ != 0) return;
    if (std::freopen(out.c_str(), "w", stdout) == nullptr ||
        std::freopen(err.c_str(), "w", stderr) == nullptr)
      ::_exit(99);
    std::vector<char*> words = {const_cast<char*>(DAEMARK_BINARY)};
    for (const std::string& word : arguments) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    ::execv(words[0], words.data());
    ::_exit(99);
  }
  ~Process() {
    if (child_ <= 0) return;
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  void signal(int number) const { ::kill(child_, number); }
  /// Exit status, or -signal.
  int wait() {
    int status = 0;
    ::waitpid(child_, &status, 0);
    child_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  /// The same, or `still` where it has not ended within so many seconds.
  int wait(double seconds, int still) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    siginfo_t about = {};
    do {
      if (::waitid(P_PID, static_cast<id_t>(child_), &about, WEXITED | WNOHANG | WNOWAIT) == 0 &&
          about.si_pid != 0)
        return wait();
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    } while (std::chrono::steady_clock::now() < end);
    return still;
  }

 private:
  pid_t child_;
};

}  // namespace daemark::cli_testing
