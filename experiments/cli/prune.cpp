// daemark reproduce --prune: finished cells that nothing here asks for any more.
#include "experiments/cli/prune.hpp"

#include <fmt/format.h>

#include <ostream>
#include <sstream>

#include "base/program/digest.hpp"
#include "base/program/paths.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/counted.hpp"
#include "experiments/cli/cli.hpp"
#include "experiments/engine/run/runner.hpp"

namespace daemark {
namespace {

namespace fs = std::filesystem;

/// Of a command, as if all of its cells were to be run: under which keys they are kept.
void ask(const std::vector<const char*>& words, Split& split) {
  const SplitScope scope(&split);
  std::ostringstream out, err;
  if (run_cli(static_cast<int>(words.size()), words.data(), out, err) != 0)
    throw BadInput("nothing is dropped, because what is asked for is not known: " + err.str());
}

struct Amount {
  int files = 0;
  double bytes = 0;
  std::string text() const {
    constexpr double mega = 1e6;
    return fmt::format("{}, {:.1f} MB", counted(files, "file"), bytes / mega);
  }
};

}  // namespace

int prune(std::ostream& out, std::ostream& err) {
  Split split;
  ask({"daemark", "reproduce", "--fresh"}, split);
  if (fs::exists(results_root() / "atlas"))  // else each motion would be looked for anew
    ask({"daemark", "compare", "gauss(2)", "--all"}, split);
  const FileLock lock = lock_results(results_root(), "daemark reproduce --prune", err);
  Amount kept, dropped;
  std::error_code failure;
  for (fs::directory_iterator entry(results_root() / ".cache", failure), end;
       !failure && entry != end; entry.increment(failure)) {
    const std::string key = entry->path().stem().string();
    if (entry->path().extension() != ".json" || key.size() != digest("").size()) continue;
    const bool is_used = split.keys.contains(key);
    Amount& amount = is_used ? kept : dropped;
    ++amount.files, amount.bytes += static_cast<double>(entry->file_size(failure));
    if (!is_used) fs::remove(entry->path(), failure);
  }
  out << fmt::format("dropped: {}; kept: {}\n", dropped.text(), kept.text());
  return 0;
}

}  // namespace daemark
