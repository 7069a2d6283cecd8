// Exported source files, compiled and run; tests of a language are skipped, by name, where its
// compiler or interpreter is not installed.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

namespace daemark::test {

struct LanguageTool {
  std::string program, extension;
  std::string command;  ///< {} is the file; leaves what it makes beside it
};

inline const std::map<std::string, LanguageTool>& language_tools() {
  static const std::map<std::string, LanguageTool> all = {
      {"c", {"cc", ".c", "cc -std=c99 -Wall -Werror -o {}.run {} -lm && {}.run"}},
      {"fortran",
       {"gfortran", ".f90", "gfortran -std=f2008 -Werror -J {}.d -o {}.run {} && {}.run"}},
      {"julia", {"julia", ".jl", "julia {}"}},
      {"python", {"python3", ".py", "python3 {}"}}};
  return all;
}

inline bool is_installed(const std::string& program) {
  return std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) == 0;
}

#define NEEDS_LANGUAGE(format)                                        \
  if (!test::is_installed(test::language_tools().at(format).program)) \
  GTEST_SKIP() << test::language_tools().at(format).program << " is not on the PATH"

/// Whether the file compiles and its self test succeeds; what it prints goes to `said`.
inline bool runs(const std::string& format, const std::string& source, const std::string& name,
                 std::string* said = nullptr) {
  namespace fs = std::filesystem;
  const LanguageTool& tool = language_tools().at(format);
  const fs::path folder = fs::path(testing::TempDir()) / ("daemark_source_" + name + "_" + format);
  fs::remove_all(folder);
  const std::string file = (folder / ("exported" + tool.extension)).string();
  fs::create_directories(file + ".d");
  std::ofstream(file) << source;
  std::string command = tool.command;
  for (std::size_t at = 0; (at = command.find("{}", at)) != command.npos; at += file.size())
    command.replace(at, 2, file);
  const int status = std::system(("(" + command + ") >" + file + ".txt 2>&1").c_str());
  std::ifstream in(file + ".txt");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  if (said) *said = text;
  fs::remove_all(folder);
  return status == 0;
}

}  // namespace daemark::test
