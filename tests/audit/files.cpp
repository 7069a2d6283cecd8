// What is left under results/ when a run is killed, the disk is full, the folder cannot be written
// or several run at once: in the end the bytes of a run that nothing disturbed.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <thread>

#include "base/program/paths.hpp"
#include "base/program/write_file.hpp"
#include "tests/audit/audit.hpp"

namespace daemark::audit {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

constexpr int kills = 30;
constexpr unsigned seed = 20261122;  // not the day's: what it finds can be found again
constexpr milliseconds longest{120000};
constexpr uid_t nobody = 65534;  // root may write read-only files

constexpr const char* paper = R"json({"title":"Files","citation":"none",
 "editions":[{"key":"en","id":"files-en","label":"English"}],"items":["table","figure","claims"]})json";

constexpr const char* table = R"json({"kind":"table","title":"Errors","where":{"en":"Table 1"},
 "defaults":{"problem":"two_link","formulation":"index1","method":"gauss(2)","h":"1/100","t_end":"1/2","errors":true},
 "columns":[{"id":"q","label":"error","measure":"error_q"},{"id":"e","label":"energy","unit":"J","measure":"energy_error_max"}],
 "rows":[{"id":"a","label":"a","cell":{},"printed":{"q":"1e-5"}},
  {"id":"b","label":"b","cell":{"h":"1/200"},"printed":{"q":"1e-6"}},
  {"id":"c","label":"c","cell":{"h":"1/400"}},{"id":"d","label":"d","cell":{"h":"1/800"}},
  {"id":"e","label":"e","cell":{"method":"gauss(3)"}},{"id":"f","label":"f","cell":{"method":"erk4"}},
  {"id":"g","label":"g","cell":{"method":"radau_iia(3)","h":"1/400","cost":"long"}},
  {"id":"l","label":"l","cell":{"h":"1/1600","cost":"long"}}],
 "claims":[{"id":"falls","text":"it falls","where":{"en":"p. 1"},"conditions":["l.q < a.q"]}]})json";

constexpr const char* figure = R"json({"kind":"figure","title":"Energy","where":{"en":"Figure 1"},
 "defaults":{"problem":"two_link","formulation":"index1","method":"erk4","h":"1/400","t_end":"1","history_every":4},
 "columns":[{"id":"e","label":"energy","unit":"J","measure":"energy_error_max"}],
 "rows":[{"id":"a","label":"a","cell":{}},{"id":"b","label":"b","cell":{"h":"1/200"}}],
 "plot":{"caption":"energy","panels":[{"x":{"label":"t","unit":"s"},"y":{"label":"energy","unit":"J"},
  "curves":[{"row":"a","x":"t","y":"energy"},{"row":"b","x":"t","y":"energy"}]}]}})json";

constexpr const char* claims = R"json({"kind":"claims","title":"Claims",
 "claims":[{"id":"small","text":"small","where":{"en":"p. 2"},"conditions":["table.a.e < figure.b.e"]}]})json";

/// A folder with the catalogue, one paper of a few seconds, and results.
struct Place {
  fs::path root, results;
  Place() : root(fs::temp_directory_path() / fmt::format("daemark-audit-{}", ::getpid())) {
    results = root / "results";
    fs::remove_all(root);
    fs::create_directories(root / "experiments/files");
    fs::permissions(root, fs::perms::others_exec | fs::perms::others_read, fs::perm_options::add);
    for (const char* shared : {"methods", "analysis", "problems", "experiments/bibliography"})
      fs::create_directory_symlink(source_root() / shared, root / shared);
    const auto put = [&](const char* name, const char* text) {
      std::ofstream(root / "experiments/files" / name) << text;
    };
    put("paper.json", paper), put("table.json", table), put("figure.json", figure);
    put("claims.json", claims);
  }
  ~Place() {
    std::error_code ignored;
    fs::remove_all(root, ignored);
  }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
};

/// daemark in a process of its own.
class Run {
 public:
  struct Limits {
    std::optional<rlim_t> file_size;
    bool as_nobody = false;
  };

  /// It speaks into a pipe: a file would be under the same limit as its results.
  Run(const Place& place, std::vector<std::string> arguments, const Limits& limits) {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) throw std::runtime_error("no pipe can be made");
    id_ = ::fork();
    if (id_ == 0) become(place, arguments, limits, ends[1]);
    ::close(ends[1]);
    pipe_ = ends[0];
    ::fcntl(pipe_, F_SETFL, O_NONBLOCK);
  }
  ~Run() {
    kill();
    ::close(pipe_);
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  /// Exit status; -1: killed, or not done in time.
  int wait(milliseconds most = longest) {
    const auto end = std::chrono::steady_clock::now() + most;
    int status = 0;
    while (::waitpid(id_, &status, WNOHANG) == 0) {
      listen();
      if (std::chrono::steady_clock::now() > end) return kill(), -1;
      std::this_thread::sleep_for(milliseconds(2));
    }
    id_ = 0;
    listen();
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  void kill() {
    if (id_ <= 0) return;
    ::kill(id_, SIGKILL);
    ::waitpid(id_, nullptr, 0);
    id_ = 0;
  }
  const std::string& said() const { return said_; }

 private:
  void listen() {
    std::array<char, 4096> words{};
    for (ssize_t n = 0; (n = ::read(pipe_, words.data(), words.size())) > 0;)
      said_.append(words.data(), static_cast<std::size_t>(n));
  }
  [[noreturn]] void become(const Place& place, std::vector<std::string>& arguments,
                           const Limits& limits, int out) const {
    ::dup2(out, STDOUT_FILENO), ::dup2(out, STDERR_FILENO);
    ::setenv("DAEMARK_ROOT", place.root.c_str(), 1);
    ::setenv("DAEMARK_RESULTS", place.results.c_str(), 1);
    if (limits.file_size) {
      const rlimit most{*limits.file_size, *limits.file_size};
      ::signal(SIGXFSZ, SIG_IGN);  // a write fails, as on a full disk
      ::setrlimit(RLIMIT_FSIZE, &most);
    }
    if (limits.as_nobody && (::setgid(nobody) != 0 || ::setuid(nobody) != 0)) ::_exit(99);
    arguments.insert(arguments.begin(), DAEMARK_BINARY);
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    ::execv(DAEMARK_BINARY, argv.data());
    ::_exit(99);
  }

  std::string said_;
  pid_t id_ = 0;
  int pipe_ = -1;
};

using Files = std::map<std::string, std::string>;

/// What would be committed; drafts too, which must not be left.
Files files_of(const fs::path& results) {
  Files out;
  std::error_code error;
  for (fs::recursive_directory_iterator at(results, error), end; !error && at != end;
       at.increment(error)) {
    const std::string name = at->path().lexically_relative(results).generic_string();
    const bool own = name.starts_with(".cache") || name.starts_with(".local") || name == ".lock";
    if (at->is_regular_file() && (!own || name.ends_with(".part")))
      out[name] = read_text(at->path()).value_or("");
  }
  return out;
}

long finished_cells(const fs::path& results) {
  std::error_code error;
  long count = 0;
  for (const auto& entry : fs::directory_iterator(results / ".cache", error))
    count += entry.path().extension() == ".json" && entry.path().stem() != "stamp";
  return count;
}

class Trial {
 public:
  explicit Trial(Outcome& out) : out_(out) {}

  void all() {
    undisturbed();
    if (baseline_.empty()) return;
    killed();
    full_disk();
    small_disk();
    read_only();
    at_once();
  }

 private:
  void require(bool holds, const std::string& what) {
    ++out_.compared;
    if (!holds) out_.differences.push_back(what);
  }

  void fresh() const {
    std::error_code ignored;
    fs::remove_all(place_.results, ignored);
  }

  int run(std::vector<std::string> arguments, const Run::Limits& limits = {}) {
    Run one(place_, std::move(arguments), limits);
    const int status = one.wait();
    said_ = one.said();
    return status;
  }

  /// Whatever happened before, one run mends it.
  void require_mended(const std::string& after) {
    const int status = run({"reproduce"});
    require(status == 0, fmt::format("{}: the next run ends with {}: {}", after, status, said_));
    const Files now = files_of(place_.results);
    for (const auto& [name, text] : baseline_)
      require(now.contains(name) && now.at(name) == text, after + ": " + name + " is another");
    for (const auto& [name, text] : now)
      require(baseline_.contains(name), after + ": " + name + " is left");
  }

  void undisturbed() {
    fresh();
    const auto begin = std::chrono::steady_clock::now();
    const int status = run({"reproduce"});
    whole_ = std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - begin);
    require(status == 0, "undisturbed: " + said_);
    if (status == 0) baseline_ = files_of(place_.results);
    fresh();
    require_mended("a second time");
  }

  void killed() {
    std::mt19937_64 draw(seed);
    fresh();
    long lost = 0;
    for (int i = 0; i < kills; ++i) {
      if (i % 3 == 0) fresh();  // the second and third go on from where the first was killed
      const long before = finished_cells(place_.results);
      Run one(place_, {"reproduce"}, {});
      one.wait(milliseconds(draw() % static_cast<unsigned long>(whole_.count() + 1)));
      lost += finished_cells(place_.results) < before ? 1 : 0;
      if (i % 3 == 2) require_mended(fmt::format("kill {}", i + 1));
    }
    require(lost == 0, "finished cells were lost");
    out_.notes.push_back(fmt::format("{} kills within {} ms", kills, whole_.count()));
  }

  /// Statuses are as they come: small files fit, large ones do not.
  void full_disk() {
    for (const rlim_t size : {rlim_t{0}, rlim_t{300}, rlim_t{1500}, rlim_t{6000}, rlim_t{30000}}) {
      fresh();
      const int status = run({"reproduce"}, {size, false});
      const std::string what = fmt::format("files of {} bytes at most", size);
      require(status == 0 || (status > 0 && said_.find("File too large") != std::string::npos),
              fmt::format("{}: status {}: {}", what, status, said_));
      require_mended(what);
      // On results that stand: none of them is lost.
      run({"reproduce", "--fresh"}, {size, false});
      const Files now = files_of(place_.results);
      for (const auto& [name, text] : baseline_)
        require(now.contains(name) && !now.at(name).empty(), what + ": " + name + " is lost");
      require_mended(what + ", on results that stand");
    }
  }

  void small_disk() {
    fresh();
    fs::create_directories(place_.results);
    if (::mount("daemark", place_.results.c_str(), "tmpfs", 0, "size=96k") != 0) {
      ++out_.skipped;
      out_.notes.emplace_back("no small disk: it takes the right to mount one");
      return;
    }
    const int status = run({"reproduce"});
    require(status > 0 && said_.find("No space left") != std::string::npos,
            fmt::format("a disk of 96 kB: status {}: {}", status, said_));
    ::mount("daemark", place_.results.c_str(), "tmpfs", MS_REMOUNT, "size=64m");
    require_mended("a disk of 96 kB");
    ::umount(place_.results.c_str());
  }

  void read_only() {
    fresh();
    run({"reproduce"});
    const auto change = [&](fs::perm_options how) {
      constexpr fs::perms write =
          fs::perms::owner_write | fs::perms::group_write | fs::perms::others_write;
      fs::permissions(place_.results, write, how);
      for (const auto& entry : fs::recursive_directory_iterator(place_.results))
        fs::permissions(entry.path(), write & ~fs::perms::others_write, how);
    };
    change(fs::perm_options::remove);
    const bool root = ::geteuid() == 0;
    const int status = run({"reproduce", "--fresh"}, {std::nullopt, root});
    require(status == 2 && said_.find("Permission denied") != std::string::npos,
            fmt::format("a folder that cannot be written: status {}: {}", status, said_));
    require(files_of(place_.results) == baseline_, "a folder that cannot be written: it changed");
    change(fs::perm_options::add);
    require_mended("a folder that could not be written");
  }

  void at_once() {
    for (int round = 0; round < 5; ++round) {
      fresh();
      const char* const items[] = {"files/table", "files/figure", "files/claims", "files/table"};
      std::vector<std::unique_ptr<Run>> runs;
      for (const char* item : items)
        runs.push_back(std::make_unique<Run>(place_, std::vector<std::string>{"reproduce", item},
                                             Run::Limits{}));
      for (const auto& one : runs) {
        const int status = one->wait();
        require(status == 0, fmt::format("four at once: status {}: {}", status, one->said()));
      }
      require(files_of(place_.results) == baseline_, "four at once: other bytes");
    }
  }

  Outcome& out_;
  Place place_;
  Files baseline_;
  std::string said_;
  milliseconds whole_{0};
};

}  // namespace

Outcome files() {
  Outcome out;
  Trial(out).all();
  return out;
}

}  // namespace daemark::audit
