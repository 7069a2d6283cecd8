#include "base/program/paths.hpp"

#include <dlfcn.h>
#include <sys/auxv.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>

#include "base/text/bad_input.hpp"

namespace daemark {
namespace {

/// Value of an environment variable, empty if unset.
std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

/// The program, or the library, that holds this code, as the system has mapped it; without /proc,
/// as the loader has found it. Empty where neither says.
std::filesystem::path own_file() {
  const auto here = reinterpret_cast<std::uintptr_t>(&own_file);
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    unsigned long begin = 0, end = 0;
    const std::size_t name = line.find('/');
    if (std::sscanf(line.c_str(), "%lx-%lx", &begin, &end) == 2 && begin <= here && here < end)
      return name == std::string::npos ? "" : line.substr(name);
  }
  Dl_info found{};
  if (dladdr(reinterpret_cast<void*>(&own_file), &found) == 0 || !found.dli_fname) return {};
  std::filesystem::path file = found.dli_fname;  // of a program: what it was called by
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the system tells addresses as numbers
  if (const auto* executed = reinterpret_cast<const char*>(getauxval(AT_EXECFN));
      !file.has_parent_path() && executed)
    file = executed;
  std::error_code ignored;
  return std::filesystem::absolute(file, ignored);
}

/// PREFIX/share/daemark of PREFIX/bin/daemark, PREFIX/lib/libdaemark.so or
/// PREFIX/lib/TRIPLET/libdaemark.so, wherever PREFIX is; empty in the build folder.
const std::filesystem::path& installed_root() {
  static const std::filesystem::path root = [] {
    constexpr int levels = 3;
    std::filesystem::path prefix = own_file();
    for (int level = 0; level < levels && prefix.has_parent_path(); ++level) {
      prefix = prefix.parent_path();
      const std::filesystem::path share = prefix / "share" / "daemark";
      std::error_code ignored;
      if (std::filesystem::is_directory(share / "methods", ignored)) return share;
    }
    return std::filesystem::path();
  }();
  return root;
}

}  // namespace

std::filesystem::path source_root() {
  const std::string chosen = environment("DAEMARK_ROOT");
  if (chosen.empty() && !installed_root().empty()) return installed_root();
  const std::filesystem::path root = chosen.empty() ? DAEMARK_SOURCE_DIR : chosen;
  if (!std::filesystem::is_directory(root / "methods")) {
    throw BadInput(root.string() + " is not a daemark source tree (" +
                   (chosen.empty() ? "where the program was built" : "DAEMARK_ROOT") +
                   "); set DAEMARK_ROOT to the folder that holds problems, methods, experiments");
  }
  return std::filesystem::absolute(root);
}

bool is_installed() { return environment("DAEMARK_ROOT").empty() && !installed_root().empty(); }

namespace {

std::filesystem::path redirected;

std::filesystem::path first_results_root() {
  const std::string chosen = environment("DAEMARK_RESULTS");
  if (!chosen.empty()) return std::filesystem::absolute(chosen);
  return is_installed() ? std::filesystem::absolute("results") : source_root() / "results";
}

}  // namespace

std::filesystem::path results_root() {
  return redirected.empty() ? first_results_root() : redirected;
}

std::filesystem::path shipped_results() { return source_root() / "results"; }

void redirect_results(const std::filesystem::path& folder) {
  redirected = folder.empty() ? folder : std::filesystem::absolute(folder);
}

std::filesystem::path known_result(const std::filesystem::path& file) {
  const std::filesystem::path own = results_root() / file;
  std::error_code ignored;
  if (std::filesystem::exists(own, ignored)) return own;
  if (!redirected.empty()) {
    const std::filesystem::path before = first_results_root() / file;
    if (std::filesystem::exists(before, ignored)) return before;
  }
  return is_installed() ? shipped_results() / file : own;
}

}  // namespace daemark
