#include "tests/audit/child.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include "base/program/write_file.hpp"
#include "base/text/printable.hpp"

namespace daemark::audit {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

off_t size_of(const std::string& file) {
  struct stat about {};
  return ::stat(file.c_str(), &about) == 0 ? about.st_size : 0;
}

void limit(int what, double most) {
  const auto value = static_cast<rlim_t>(most);
  const rlimit both{value, value};
  ::setrlimit(what, &both);
}

/// A terminal of our own for what a child says on standard error: progress is told to terminals.
class Terminal {
 public:
  Terminal() : master_(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)) {
    std::array<char, 64> name{};
    if (master_ < 0 || ::grantpt(master_) != 0 || ::unlockpt(master_) != 0 ||
        ::ptsname_r(master_, name.data(), name.size()) != 0)
      throw std::runtime_error("no terminal can be made");
    name_ = name.data();
  }
  ~Terminal() { ::close(master_); }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  const std::string& name() const { return name_; }
  /// What has come since the last call is put to `said`.
  void listen(std::string& said) const {
    std::array<char, 4096> words{};
    for (ssize_t n = 0; (n = ::read(master_, words.data(), words.size())) > 0;)
      said.append(words.data(), static_cast<std::size_t>(n));
  }

 private:
  int master_;
  std::string name_;
};

[[noreturn]] void become(const ChildCall& call, const std::string& out, const std::string& err) {
  constexpr double largest_file = 2e8;
  constexpr int permissions = 0600;
  ::setpgid(0, 0);
  limit(RLIMIT_AS, call.memory);
  limit(RLIMIT_FSIZE, largest_file);
  limit(RLIMIT_CORE, 0);
  for (const auto& [name, value] : call.environment) ::setenv(name.c_str(), value.c_str(), 1);
  const int nothing = ::open("/dev/null", O_RDONLY);
  const int to_out = ::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, permissions);
  const int to_err = ::open(err.c_str(), O_WRONLY | O_NOCTTY);
  if (::chdir(call.folder.c_str()) != 0 || nothing < 0 || to_out < 0 || to_err < 0) ::_exit(99);
  ::dup2(nothing, 0), ::dup2(to_out, 1), ::dup2(to_err, 2);
  std::vector<char*> words;
  for (const std::string& word : call.arguments) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  ::execv(words[0], words.data());
  ::_exit(99);
}

}  // namespace

ChildEnd run_child(const ChildCall& call) {
  const std::string out = call.folder + "/out";
  const Terminal terminal;
  const Clock::time_point begin = Clock::now();
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("no process can be started");
  if (child == 0) become(call, out, terminal.name());
  ChildEnd end;
  off_t said = 0;
  double heard = 0, asked = 0;
  int status = 0;
  rusage used{};
  std::chrono::milliseconds pause(2);
  while (::wait4(child, &status, WNOHANG, &used) == 0) {
    std::this_thread::sleep_for(pause);
    if (pause < std::chrono::milliseconds(50)) pause += std::chrono::milliseconds(2);
    const double now = seconds_since(begin);
    terminal.listen(end.err);
    if (end.heard.empty() || end.heard.back().second != end.err.size())
      end.heard.emplace_back(now, end.err.size());
    const off_t saying = size_of(out) + static_cast<off_t>(end.err.size());
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
  end.out = read_text(out).value_or("");
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
