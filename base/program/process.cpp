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
  explicit Start(const std::filesystem::path& output) {
    constexpr int readable_by_all = 0666;
    ::posix_spawn_file_actions_init(&files_);
    ::posix_spawn_file_actions_addopen(&files_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_addopen(&files_, STDOUT_FILENO, output.c_str(),
                                       O_WRONLY | O_CREAT | O_TRUNC, readable_by_all);
    ::posix_spawn_file_actions_adddup2(&files_, STDOUT_FILENO, STDERR_FILENO);
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

/// Ends the group of a child that is still running.
class Running {
 public:
  explicit Running(pid_t child) : child_(child) {}
  ~Running() {
    if (ended_) return;
    ::kill(-child_, SIGKILL);
    while (::waitpid(child_, nullptr, 0) < 0 && errno == EINTR) continue;
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

ChildEnd run_child(const std::vector<std::string>& words, const std::filesystem::path& output,
                   double time_limit) {
  using Clock = std::chrono::steady_clock;
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ChildEnd end;
  pid_t child = 0;
  if (words.empty()) end.not_started = ENOENT;
  if (end.not_started == 0) end.not_started = Start(output).spawn(child, arguments.data());
  if (end.not_started != 0) return end;
  Running running(child);
  const auto begin = Clock::now();
  int status = -1;
  while (!running.has_ended(status)) {
    checkpoint();
    end.timed_out = std::chrono::duration<double>(Clock::now() - begin).count() > time_limit;
    if (end.timed_out) return end;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  if (WIFEXITED(status)) end.status = WEXITSTATUS(status);
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
