#include "base/program/paths.hpp"

#include <cstdlib>
#include <string>

#include "base/text/bad_input.hpp"

namespace daemark {
namespace {

/// Value of an environment variable, empty if unset.
std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

}  // namespace

std::filesystem::path source_root() {
  const std::string chosen = environment("DAEMARK_ROOT");
  const std::filesystem::path root = chosen.empty() ? DAEMARK_SOURCE_DIR : chosen;
  if (!std::filesystem::is_directory(root / "methods")) {
    throw BadInput(root.string() + " is not a daemark source tree (" +
                   (chosen.empty() ? "where the program was built" : "DAEMARK_ROOT") +
                   "); set DAEMARK_ROOT to the folder that holds problems, methods, experiments");
  }
  return std::filesystem::absolute(root);
}

std::filesystem::path results_root() {
  const std::string chosen = environment("DAEMARK_RESULTS");
  return chosen.empty() ? source_root() / "results" : std::filesystem::absolute(chosen);
}

}  // namespace daemark
