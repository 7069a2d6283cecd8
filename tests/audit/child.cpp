#include "tests/audit/child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <stdexcept>

#include "base/text/printable.hpp"

namespace daemark::audit {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

void limit(int what, double most) {
  const auto value = static_cast<rlim_t>(most);
  const rlimit both{value, value};
  ::setrlimit(what, &both);
}

/// What a child says, without waiting for it.
class Ear {
 public:
  Ear() = default;
  ~Ear() {
    if (from_ >= 0) ::close(from_);
  }
  Ear(const Ear&) = delete;
  Ear& operator=(const Ear&) = delete;

  /// What has come since the last call is put to `said`.
  void listen(std::string& said) {
    std::array<char, 4096> words{};
    ssize_t n = 0;
    while ((n = ::read(from_, words.data(), words.size())) > 0)
      said.append(words.data(), static_cast<std::size_t>(n));
    open_ = n < 0 && errno == EAGAIN;
  }

 protected:
  int from_ = -1;
  bool open_ = true;
};

/// For standard error: progress is shown on terminals only.
class Terminal : public Ear {
 public:
  Terminal() {
    from_ = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
    std::array<char, 64> name{};
    if (from_ < 0 || ::grantpt(from_) != 0 || ::unlockpt(from_) != 0 ||
        ::ptsname_r(from_, name.data(), name.size()) != 0)
      throw std::runtime_error("no terminal can be made");
    name_ = name.data();
  }
  const std::string& name() const { return name_; }

 private:
  std::string name_;
};

/// For standard output; a file would be under the child's limits.
class Pipe : public Ear {
 public:
  Pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe can be made");
    from_ = ends[0], to_ = ends[1];
    ::fcntl(from_, F_SETFL, O_NONBLOCK);
  }
  int end_of_child() const { return to_; }
  void child_has_started() { ::close(to_); }
  /// Returns after `pause`, or when there is something to hear.
  void wait(std::chrono::milliseconds pause) const {
    pollfd ready{from_, POLLIN, 0};
    ::poll(&ready, open_ ? 1 : 0, static_cast<int>(pause.count()));
  }

 private:
  int to_ = -1;
};

[[noreturn]] void become(const ChildCall& call, int out, const std::string& err) {
  constexpr uid_t nobody = 65534;
  ::setpgid(0, 0);
  ::signal(SIGXFSZ, SIG_IGN);
  limit(RLIMIT_AS, call.memory);
  limit(RLIMIT_FSIZE, call.file_size);
  limit(RLIMIT_CORE, 0);
  for (const auto& [name, value] : call.environment) ::setenv(name.c_str(), value.c_str(), 1);
  const int nothing = ::open("/dev/null", O_RDONLY);
  const int to_err = ::open(err.c_str(), O_WRONLY | O_NOCTTY);
  if (::chdir(call.folder.c_str()) != 0 || nothing < 0 || to_err < 0) ::_exit(99);
  ::dup2(nothing, 0), ::dup2(out, 1), ::dup2(to_err, 2);
  if (call.as_nobody && (::setgid(nobody) != 0 || ::setuid(nobody) != 0)) ::_exit(99);
  std::vector<char*> words;
  for (const std::string& word : call.arguments) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  ::execvp(words[0], words.data());
  ::_exit(99);
}

}  // namespace

ChildEnd run_child(const ChildCall& call) {
  Terminal terminal;
  Pipe pipe;
  const Clock::time_point begin = Clock::now();
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("no process can be started");
  if (child == 0) become(call, pipe.end_of_child(), terminal.name());
  pipe.child_has_started();
  ChildEnd end;
  std::size_t said = 0;
  double heard = 0, asked = 0;
  int status = 0;
  rusage used{};
  std::chrono::milliseconds pause(2);
  while (::wait4(child, &status, WNOHANG, &used) == 0) {
    pipe.wait(pause);
    if (pause < std::chrono::milliseconds(50)) pause += std::chrono::milliseconds(2);
    const double now = seconds_since(begin);
    pipe.listen(end.out);
    terminal.listen(end.err);
    if (end.heard.empty() || end.heard.back().second != end.err.size())
      end.heard.emplace_back(now, end.err.size());
    const std::size_t saying = end.out.size() + end.err.size();
    if (saying != said) said = saying, heard = now;
    if (now - heard > call.silent && !end.stopped) {
      end.hung = true;
      ::kill(-child, SIGKILL);
    } else if (now > call.longest && !end.stopped) {
      end.stopped = true;
      asked = now;
      ::kill(child, call.signal);
    } else if (end.stopped && now - asked > call.grace) {
      end.deaf = true;
      ::kill(-child, SIGKILL);
    }
  }
  ::kill(-child, SIGKILL);  // what it may have left behind
  end.seconds = seconds_since(begin);
  end.resident = 1024.0 * static_cast<double>(used.ru_maxrss);
  if (WIFEXITED(status)) end.status = WEXITSTATUS(status);
  if (WIFSIGNALED(status) && !end.hung && !end.deaf) end.signal = WTERMSIG(status);
  pipe.listen(end.out);
  terminal.listen(end.err);
  return end;
}

std::string shell_line(const std::vector<std::string>& words) {
  constexpr std::size_t longest = 160;
  std::string line;
  for (const std::string& word : words) {
    const std::string shown = printable(word, longest);
    const bool plain =
        !shown.empty() && shown.find_first_of(" ()[]*'\"$&;<>|\\`!?{}~#") == shown.npos;
    line += (line.empty() ? "" : " ") + (plain ? shown : "'" + shown + "'");
  }
  return line;
}

}  // namespace daemark::audit
