// The command line called in-process, with its streams captured and results in a scratch folder.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/program/paths.hpp"
#include "experiments/cli/cli.hpp"

namespace daemark::cli_testing {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

struct Outcome {
  int status;
  std::string out, err;
};

using Words = std::vector<std::string>;

/// Words as a shell reads them; single quotes only.
inline Words shell_words(const std::string& line) {
  Words words;
  bool quoted = false, open = false;
  for (const char c : line) {
    if (c == '\'') {
      if (!open) words.emplace_back();
      quoted = !quoted, open = true;
      continue;
    }
    if (c == ' ' && !quoted) {
      open = false;
      continue;
    }
    if (!open) words.emplace_back();
    open = true;
    words.back() += c;
  }
  return words;
}

inline Outcome call(Words arguments) {
  std::vector<const char*> argv = {"daemark"};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  std::ostringstream out, err;
  const int status = run_cli(static_cast<int>(argv.size()), argv.data(), out, err);
  return {status, out.str(), err.str()};
}

/// Status 2, nothing on standard output (with --json the error), one line on standard error that
/// says `says`.
inline void expect_refused(const Words& arguments, const std::string& says) {
  const Outcome outcome = call(arguments);
  SCOPED_TRACE(testing::PrintToString(arguments));
  EXPECT_EQ(outcome.status, 2);
  if (std::count(arguments.begin(), arguments.end(), "--json") == 0)
    EXPECT_EQ(outcome.out, "");
  else
    EXPECT_EQ(json::parse(outcome.out).at("status"), 2);
  EXPECT_THAT(outcome.err, StartsWith("daemark"));
  EXPECT_THAT(outcome.err, HasSubstr(says));
  EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1) << outcome.err;
}

/// The one JSON value on standard output.
inline json value_of(const Words& arguments, int status = 0) {
  const Outcome outcome = call(arguments);
  SCOPED_TRACE(testing::PrintToString(arguments));
  EXPECT_EQ(outcome.status, status) << outcome.err;
  return json::parse(outcome.out);  // refuses trailing text
}

inline Words run_of(const std::string& method, const Words& more = {},
                    const std::string& h = "1/100", const std::string& formulation = "index1") {
  Words all = {"run",  "--problem", "two_link", "--formulation", formulation, "--method",
               method, "--h",       h,          "--t-end",       "1"};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

/// A folder of its own for files and results.
class Cli : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(testing::TempDir()) / (std::string("daemark_cli_") + test->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    setenv("DAEMARK_RESULTS", (folder_ / "results").c_str(), 1);
    setenv("XDG_CACHE_HOME", (folder_ / "cache").c_str(), 1);
  }
  void TearDown() override {
    unsetenv("DAEMARK_RESULTS");
    unsetenv("XDG_CACHE_HOME");
    fs::remove_all(folder_);
  }
  std::string file(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& content) const {
    std::ofstream(folder_ / name, std::ios::binary) << content;
    return file(name);
  }
  std::vector<std::string> lines(const std::string& name) const {
    std::ifstream in(folder_ / name);
    std::vector<std::string> all;
    for (std::string line; std::getline(in, line);) all.push_back(line);
    return all;
  }
  fs::path folder_;
};

inline const Words verbs = {"list",      "show",   "run",     "reference", "converge", "analyse",
                            "reproduce", "verify", "compare", "report",    "measure",  "completion",
                            "new",       "score",  "plan",    "run-shard", "merge",    "atlas"};

}  // namespace daemark::cli_testing
