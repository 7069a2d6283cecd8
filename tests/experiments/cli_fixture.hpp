// The command line called in-process, with its streams captured and results in a scratch folder.
#pragma once

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "analysis/report/table.hpp"
#include "base/program/paths.hpp"
#include "base/program/write_file.hpp"
#include "experiments/cli/cli.hpp"
#include "tests/experiments/cli_process.hpp"

namespace daemark::cli_testing {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

using Csv = std::vector<std::vector<std::string>>;  ///< of comma-separated values

struct Outcome {
  int status;
  std::string out, err;
  std::string said() const { return out + err; }
};

/// The folder of the test that runs.
inline fs::path test_folder() {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  return fs::path(testing::TempDir()) / (std::string("daemark_cli_") + test->name());
}

/// Arguments of a call: a list of words, or a line as a shell reads it (single quotes only), in
/// which "@NAME" is a file in the folder of the test and "$NAME" one of `spelled`.
class Words : public std::vector<std::string> {
 public:
  using std::vector<std::string>::vector;
  Words(const char* line) : Words(std::string(line)) {}
  Words(const std::string& line) {
    bool quoted = false, open = false, plain = true;
    const auto close = [&] {
      if (open && plain && back().starts_with("@")) back() = test_folder() / back().substr(1);
      const auto known = open && plain ? spelled().find(back()) : spelled().end();
      open = false;
      if (known == spelled().end()) return;
      pop_back();
      const Words more = known->second;
      insert(end(), more.begin(), more.end());
    };
    for (const char c : line) {
      if (c == ' ' && !quoted) {
        close();
        continue;
      }
      if (!open) emplace_back(), plain = c != '\'';
      open = true;
      if (c == '\'')
        quoted = !quoted;
      else
        back() += c;
    }
    close();
  }
  friend Words operator+(Words first, const Words& more) {
    first.insert(first.end(), more.begin(), more.end());
    return first;
  }

 private:
  static const std::map<std::string, const char*>& spelled() {
    static const std::map<std::string, const char*> all = {
        {"$two_link", "--problem two_link --formulation index1 --t-end 1"},
        {"$oscillator", "--problem oscillator --formulation index1 --t-end 1"},
        {"$pendulum", "--problem pendulum --formulation index1 --t-end 1"},
        {"$run", "run $two_link --h 1/100 --method"}};
    return all;
  }
};

inline Outcome call(const Words& arguments) {
  std::vector<const char*> argv = {"daemark"};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  std::ostringstream out, err;
  const int status = run_cli(static_cast<int>(argv.size()), argv.data(), out, err);
  return {status, out.str(), err.str()};
}

/// What stands on standard output.
inline std::string printed(const Words& arguments, int status = 0) {
  const Outcome outcome = call(arguments);
  SCOPED_TRACE(testing::PrintToString(arguments));
  EXPECT_EQ(outcome.status, status) << outcome.err;
  return outcome.out;
}

/// Status 2, nothing on standard output (with --json the same line), one line on standard error
/// that says `says`.
inline void expect_refused(const Words& arguments, const std::string& says) {
  const Outcome outcome = call(arguments);
  SCOPED_TRACE(testing::PrintToString(arguments));
  EXPECT_EQ(outcome.status, 2);
  if (std::count(arguments.begin(), arguments.end(), "--json") == 0)
    EXPECT_EQ(outcome.out, "");
  else
    EXPECT_EQ(json::parse(outcome.out),
              json({{"error", outcome.err.substr(0, outcome.err.find('\n'))}, {"status", 2}}));
  EXPECT_THAT(outcome.err, StartsWith("daemark"));
  EXPECT_THAT(outcome.err, HasSubstr(says));
  EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1) << outcome.err;
}

/// A mechanism that is written as a file.
inline std::string example_file(const std::string& id) {
  return (source_root() / "problems" / "files" / "examples" / (id + ".json")).string();
}

/// The one JSON value on standard output.
inline json value_of(const Words& arguments, int status = 0) {
  return json::parse(printed(arguments, status));  // refuses trailing text
}

/// A folder of its own for files and results.
class Cli : public testing::Test {
 protected:
  void SetUp() override {
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
  Outcome in_a_process(const Words& arguments) const {
    const int status = Process(arguments, file("out"), file("err")).wait();
    return {status, content("out"), content("err")};
  }
  std::string content(const std::string& name) const {
    return read_text(folder_ / name).value_or("");
  }
  Csv rows(const std::string& name) const { return read_csv(content(name), name); }
  void write_rows(const std::string& name, const Csv& rows) const {
    std::string text;
    for (const auto& row : rows) text += fmt::format("{}\n", fmt::join(row, ","));
    write(name, text);
  }
  std::vector<std::string> lines(const std::string& name) const {
    std::ifstream in(folder_ / name);
    std::vector<std::string> all;
    for (std::string line; std::getline(in, line);) all.push_back(line);
    return all;
  }
  const fs::path folder_ = test_folder();
};

}  // namespace daemark::cli_testing
