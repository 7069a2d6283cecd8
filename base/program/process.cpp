#include "base/program/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <thread>

#include "base/program/stop.hpp"

namespace daemark {
namespace {

/// How a child begins: in a process group of its own, so that it can be ended with its children.
class Start {
 public:
  Start(const std::filesystem::path& output, const std::filesystem::path& errors) {
    constexpr int readable_by_all = 0666;
    ::posix_spawn_file_actions_init(&files_);
    ::posix_spawn_file_actions_addopen(&files_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_addopen(&files_, STDOUT_FILENO, output.c_str(),
                                       O_WRONLY | O_CREAT | O_TRUNC, readable_by_all);
    if (errors.empty())
      ::posix_spawn_file_actions_adddup2(&files_, STDOUT_FILENO, STDERR_FILENO);
    else
      ::posix_spawn_file_actions_addopen(&files_, STDERR_FILENO, errors.c_str(),
                                         O_WRONLY | O_CREAT | O_TRUNC, readable_by_all);
    ::posix_spawnattr_init(&attributes_);
    ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP);
    ::posix_spawnattr_setpgroup(&attributes_, 0);
  }
  ~Start() {
    ::posix_spawn_file_actions_destroy(&files_);
    ::posix_spawnattr_destroy(&attributes_);
  }
  Start(const Start&) = delete;
  Start& operator=(const Start&) = delete;

  int spawn(pid_t& child, char* const* words) const {
    return ::posix_spawnp(&child, words[0], &files_, &attributes_, words, environ);
  }

 private:
  posix_spawn_file_actions_t files_;
  posix_spawnattr_t attributes_;
};

/// Ends the group of a child, whether that runs still or has left others behind.
class Running {
 public:
  explicit Running(pid_t child) : child_(child) {}
  ~Running() {
    while (::kill(-child_, SIGKILL) == 0 && !ended_) {  // again: it may have started more meanwhile
      const pid_t found = ::waitpid(child_, nullptr, 0);
      ended_ = found == child_ || (found < 0 && errno != EINTR);
    }
    ::kill(-child_, SIGKILL);
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  bool has_ended(int& status) {
    const pid_t found = ::waitpid(child_, &status, WNOHANG);
    ended_ = found == child_ || (found < 0 && errno == ECHILD);
    return ended_;
  }

 private:
  pid_t child_;
  bool ended_ = false;
};

}  // namespace

ChildEnd run_child(const std::vector<std::string>& given, const std::filesystem::path& output,
                   const ChildLimits& limits, const std::filesystem::path& errors) {
  using Clock = std::chrono::steady_clock;
  std::vector<std::string> words = given;
  if (limits.megabytes > 0)  // kilobytes of data, blocks of 512 bytes of a file; no core
    words.insert(words.begin(),
                 {"/bin/sh", "-c",
                  fmt::format("ulimit -c 0 && ulimit -d {} && ulimit -f {} && exec \"$@\"",
                              1024 * limits.megabytes, 2048 * limits.megabytes),
                  "sh"});
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ChildEnd end;
  pid_t child = 0;
  if (words.empty()) end.not_started = ENOENT;
  if (end.not_started == 0) end.not_started = Start(output, errors).spawn(child, arguments.data());
  if (end.not_started != 0) return end;
  Running running(child);
  const auto begin = Clock::now();
  int status = -1;
  while (!running.has_ended(status)) {
    checkpoint();
    end.timed_out = std::chrono::duration<double>(Clock::now() - begin).count() > limits.seconds;
    if (end.timed_out) return end;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  if (WIFEXITED(status)) end.status = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
  return end;
}

namespace {

/// Bytes of data this process may hold: most of the memory of the machine, or of the limit set for
/// the process.
double memory_for_data() {
  constexpr double most = 0.8;  // the program and others want some, too
  double bytes =
      static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    bytes = std::min(bytes, static_cast<double>(limit.rlim_cur));
  return most * bytes;
}

}  // namespace

void require_memory(double bytes, const std::string& what, const std::string& accepted) {
  constexpr double gigabyte = 1e9;
  const double there = memory_for_data();
  if (bytes <= there) return;
  throw NoMemory(fmt::format("{} needs {:.3g} GB of memory, {:.3g} GB are to be had; accepted: {}",
                             what, bytes / gigabyte, there / gigabyte, accepted));
}

}  // namespace daemark
