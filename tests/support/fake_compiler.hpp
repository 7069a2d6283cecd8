// C compilers for tests of compiled functions: scripts that note their calls in a file, in the
// place of CC, and a cache folder of the test.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace daemark::test {

/// What a compiler does, as lines of a shell; $source and $made are its files.
namespace compilers {
inline constexpr const char* good = "exec cc \"$@\"";
inline constexpr const char* failing = "echo 'no licence'; echo more; exit 3";
inline constexpr const char* garbage = "echo garbage > \"$made\"";
inline constexpr const char* silent = "exit 0";
inline constexpr const char* hanging = "sleep 600";
/// Another sign in each function: a number that is wrong.
inline constexpr const char* wrong = "sed -i 's/ + / - /' \"$source\"; exec cc \"$@\"";
}  // namespace compilers

/// While it lives CC is a script and functions are kept below `folder`.
class FakeCompiler {
 public:
  explicit FakeCompiler(const std::filesystem::path& folder, const std::string& action)
      : script_(folder / "compiler"), calls_(folder / "calls") {
    namespace fs = std::filesystem;
    setenv("XDG_CACHE_HOME", folder.c_str(), 1);
    setenv("CC", script_.c_str(), 1);
    std::filesystem::remove(calls_);
    std::ofstream(script_) << "#!/bin/sh\n"
                              "case \"$*\" in *--version*) echo 'fake 1'; exit 0;; esac\n"
                              "for word; do case \"$word\" in *.c) source=$word;; esac; "
                              "made=$word; done\n"
                              "echo \"$*\" >> '"
                           << calls_.string() << "'\n"
                           << action << "\n";
    fs::permissions(script_, fs::perms::owner_all);
  }
  ~FakeCompiler() {
    unsetenv("XDG_CACHE_HOME");
    unsetenv("CC");
  }
  FakeCompiler(const FakeCompiler&) = delete;
  FakeCompiler& operator=(const FakeCompiler&) = delete;

  /// How often it has compiled.
  int calls() const {
    std::ifstream in(calls_);
    int count = 0;
    for (std::string line; std::getline(in, line);) ++count;
    return count;
  }

 private:
  std::filesystem::path script_, calls_;
};

}  // namespace daemark::test
