// What results/ holds after a run was killed, the disk was full, the directory could not be written
// or several ran concurrently: in the end the bytes of an undisturbed run.
#include <fmt/format.h>
#include <sys/mount.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <future>
#include <map>

#include "base/program/paths.hpp"
#include "base/program/write_file.hpp"
#include "tests/audit/audit.hpp"
#include "tests/audit/child.hpp"

namespace daemark::audit {
namespace {

namespace fs = std::filesystem;

constexpr int kills = 30;
constexpr unsigned seed = 20261122;  // not the day's: what it finds can be found again
constexpr double longest = 120;      // [s]

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

  ChildCall call_of(std::vector<std::string> arguments) const {
    ChildCall call;
    call.arguments = std::move(arguments);
    call.arguments.insert(call.arguments.begin(), DAEMARK_BINARY);
    call.environment = {{"DAEMARK_ROOT", place_.root.string()},
                        {"DAEMARK_RESULTS", place_.results.string()}};
    call.folder = place_.root.string();
    call.memory = 8e9, call.silent = call.longest = longest, call.signal = SIGKILL;
    return call;
  }
  /// Exit status; -1: killed, or not done in time.
  int run(const ChildCall& call) {
    const ChildEnd end = run_child(call);
    said_ = end.out + end.err;
    return end.status;
  }
  int run(std::vector<std::string> arguments) { return run(call_of(std::move(arguments))); }

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
    whole_ = (std::chrono::steady_clock::now() - begin) / std::chrono::milliseconds(1);
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
      ChildCall call = call_of({"reproduce"});
      call.longest = 0.001 * static_cast<double>(draw() % static_cast<unsigned long>(whole_ + 1));
      run(call);
      lost += finished_cells(place_.results) < before ? 1 : 0;
      if (i % 3 == 2) require_mended(fmt::format("kill {}", i + 1));
    }
    require(lost == 0, "finished cells were lost");
    out_.notes.push_back(fmt::format("{} kills within {} ms", kills, whole_));
  }

  /// Statuses are as they come: small files fit, large ones do not.
  void full_disk() {
    for (const double size : {0, 300, 1500, 6000, 30000}) {
      fresh();
      ChildCall call = call_of({"reproduce"});
      call.file_size = size;
      const int status = run(call);
      const std::string what = fmt::format("files of {} bytes at most", size);
      require(status == 0 || (status > 0 && said_.find("File too large") != std::string::npos),
              fmt::format("{}: status {}: {}", what, status, said_));
      require_mended(what);
      // On results that stand: none of them is lost.
      call.arguments.emplace_back("--fresh");
      run(call);
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
    ChildCall call = call_of({"reproduce", "--fresh"});
    call.as_nobody = ::geteuid() == 0;
    const int status = run(call);
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
      std::vector<std::future<ChildEnd>> runs;
      for (const char* item : items)
        runs.push_back(std::async(std::launch::async, run_child, call_of({"reproduce", item})));
      for (auto& one : runs) {
        const ChildEnd end = one.get();
        require(end.status == 0,
                fmt::format("four at once: status {}: {}{}", end.status, end.out, end.err));
      }
      require(files_of(place_.results) == baseline_, "four at once: other bytes");
    }
  }

  Outcome& out_;
  Place place_;
  Files baseline_;
  std::string said_;
  long whole_ = 0;  ///< [ms]
};

}  // namespace

Outcome files() {
  Outcome out;
  Trial(out).all();
  return out;
}

}  // namespace daemark::audit
