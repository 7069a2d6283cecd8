// Which sources use which, on a made-up table and on that of this program.
#include "base/program/digest.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <latch>
#include <stdexcept>
#include <thread>
#include <vector>

#include "base/program/once.hpp"
#include "base/program/paths.hpp"
#include "base/program/progress.hpp"
#include "base/program/write_file.hpp"

namespace daemark {
namespace {

// FIPS 180-4 examples (NIST, "SHA-256 example values"), and the lengths around the padding's edge,
// by sha256sum.
TEST(Digest, KnownValues) {
  EXPECT_EQ(digest(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(digest("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(digest(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  EXPECT_EQ(digest(std::string(55, 'a')),
            "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
  EXPECT_EQ(digest(std::string(56, 'a')),
            "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a");
  EXPECT_EQ(digest(std::string(64, 'a')),
            "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
}

std::set<std::string> paths(const std::map<std::string, std::string>& files) {
  std::set<std::string> out;
  for (const auto& [path, sum] : files) out.insert(path);
  return out;
}

std::vector<SourceFile> table() {
  return {{"a/kernel.hpp", "1", {"a/types.hpp"}},
          {"a/kernel.cpp", "2", {"a/kernel.hpp", "b/registry.hpp"}, true},
          {"a/kernel_newton.cpp", "3", {"a/types.hpp", "a/kernel.hpp"}, false},
          {"a/kernel_split.cpp", "4", {"a/kernel.hpp", "b/text.hpp"}, true},
          {"a/types.hpp", "5", {}},
          {"b/registry.hpp", "6", {}},
          {"b/registry.cpp", "7", {"b/registry.hpp", "m/two.hpp"}, true},
          {"b/text.hpp", "8", {}},
          {"m/one.cpp", "9", {"a/kernel.hpp"}, true, true},
          {"m/two.cpp", "10", {"m/two.hpp", "b/text.hpp"}, true, true},
          {"m/two.hpp", "11", {"gone.hpp"}}};
}

TEST(SourceGraph, AHeaderUsesTheFilesThatImplementIt) {
  const SourceGraph graph(table());
  // kernel.cpp by its name, kernel_split.cpp by its first include, kernel_newton.cpp (no header of
  // its own, a system header first) by its folder; one.cpp registers itself.
  EXPECT_EQ(
      paths(graph.closure({"a/kernel.hpp"}, {"b/registry.cpp"})),
      (std::set<std::string>{"a/kernel.hpp", "a/kernel.cpp", "a/kernel_newton.cpp",
                             "a/kernel_split.cpp", "a/types.hpp", "b/registry.hpp", "b/text.hpp"}));
  EXPECT_EQ(graph.closure({"b/text.hpp"}),
            (std::map<std::string, std::string>{{"b/text.hpp", "8"}}));
}

TEST(SourceGraph, NothingLeadsThroughWhatIsLeftOutUnlessItIsARoot) {
  const SourceGraph graph(table());
  EXPECT_FALSE(graph.closure({"m/one.cpp"}, {"b/registry.cpp"}).contains("m/two.hpp"));
  EXPECT_TRUE(graph.closure({"m/one.cpp"}).contains("m/two.cpp"));
  EXPECT_TRUE(graph.closure({"b/registry.cpp"}, {"b/registry.cpp"}).contains("m/two.hpp"));
}

TEST(SourceGraph, RootsMayBeAbsolute) {
  const SourceGraph graph(table());
  EXPECT_THROW(graph.closure({"/home/x/one.cpp"}), std::logic_error);
}

/// What a digest is taken of: the lines that are not comments alone, each behind its line break.
std::string without_comments(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    const std::size_t first = line.find_first_not_of(" \t");
    if (first == std::string::npos || line.compare(first, 2, "//") != 0) out += "\n" + line;
    at = end + 1;
  }
  return out;
}

TEST(SourceTable, HoldsTheFilesAsTheyWereBuilt) {
  std::size_t same = 0;
  for (const SourceFile& file : source_files()) {
    const auto text = read_text(source_root() / file.path);
    ASSERT_TRUE(text) << file.path;
    const bool code = !file.path.ends_with(".json");
    if (digest(code ? without_comments(*text) : *text).substr(0, 16) == file.digest) ++same;
    for (const std::string& used : file.includes)
      EXPECT_TRUE(std::filesystem::exists(source_root() / used)) << file.path << ": " << used;
  }
  EXPECT_EQ(same, source_files().size());
}

/// Results do not depend on what writes equations in other languages, or compiles them here.
TEST(SourceTable, CodesUseNeitherLanguagesNorACompiler) {
  const auto used = source_graph().closure({"base/graph/code.hpp"});
  EXPECT_TRUE(used.contains("base/graph/compiled.cpp"));
  for (const char* other : {"source", "languages", "rounding", "compiler"})
    EXPECT_FALSE(used.contains(std::string("base/graph/") + other + ".cpp")) << other;
}

/// Every .cpp is led to from some header, or registers itself, or is where a program begins.
TEST(SourceTable, NoUnitIsForgotten) {
  std::vector<std::string> headers;
  for (const SourceFile& file : source_files())
    if (!file.path.ends_with(".cpp") && !file.path.ends_with(".c")) headers.push_back(file.path);
  const auto reached = source_graph().closure(headers);
  for (const SourceFile& file : source_files()) {
    const bool begins = file.registers || file.path.ends_with("main.cpp") ||
                        file.path.starts_with("bindings/examples/") ||
                        file.path.starts_with("bindings/engines/") ||
                        file.path.starts_with("bindings/codes/");
    EXPECT_TRUE(begins || reached.contains(file.path)) << file.path;
  }
}

// Values computed once, and work that is stopped.

TEST(OncePerKey, OneComputesTheOthersWaitForThatKeyOnly) {
  OncePerKey<int> values;
  std::atomic<int> computed{0};
  std::latch inside(1), finish(1);
  std::vector<std::jthread> threads;
  const auto slow = [&] {
    inside.count_down();
    finish.wait();
    return ++computed;
  };
  threads.emplace_back([&] { EXPECT_EQ(*values.get("a", slow), 1); });
  inside.wait();
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&] { EXPECT_EQ(*values.get("a", [&] { return ++computed; }), 1); });
  // Another key is computed while "a" is in work: with a lock held this would never return.
  EXPECT_EQ(*values.get("b", [] { return 7; }), 7);
  EXPECT_EQ(computed, 0);
  finish.count_down();
  threads.clear();
  EXPECT_EQ(computed, 1);
}

TEST(OncePerKey, AFailureIsNotKept) {
  OncePerKey<int> values;
  EXPECT_THROW(values.get("a", []() -> int { throw std::runtime_error("no"); }),
               std::runtime_error);
  EXPECT_EQ(*values.get("a", [] { return 3; }), 3);
}

TEST(Stop, ACheckpointThrowsOnceTheTokenOfItsThreadIsStopped) {
  checkpoint();  // no token: nothing stops
  StopToken token;
  {
    const StopScope scope(token);
    checkpoint();
    token.stop(StopCause::timed_out);
    token.stop(StopCause::interrupted);  // the first cause stays
    EXPECT_FALSE(token.noticed());
    try {
      checkpoint();
      FAIL() << "not stopped";
    } catch (const Stopped& stopped) {
      EXPECT_EQ(stopped.cause, StopCause::timed_out);
    }
    EXPECT_TRUE(token.noticed());
  }
  checkpoint();
}

constexpr double pause = 0.02;  // [s]

void wait() { std::this_thread::sleep_for(std::chrono::duration<double>(pause)); }

TEST(SharedWork, CountsTheTimeOfItsThreadOnce) {
  SharedClock clock;
  {
    const SharedClockScope scope(clock);
    wait();
    EXPECT_EQ(clock.seconds(), 0) << "nothing shared so far";
    {
      const SharedWork outer;
      EXPECT_TRUE(clock.at_work());
      {
        const SharedWork inner;  // a reference that asks for another one
        wait();
      }
      EXPECT_TRUE(clock.at_work());
      EXPECT_GE(clock.seconds(), pause) << "what is going on counts";
    }
  }
  EXPECT_FALSE(clock.at_work());
  const double spent = clock.seconds();
  EXPECT_GE(spent, pause);
  const SharedWork without_clock;
  wait();
  EXPECT_EQ(clock.seconds(), spent);
}

TEST(SharedWork, TellsOfItselfNotOfThePartOfTheCellThatItIs) {
  double heard = -1;
  const ProgressScope scope([&](const char*, double part) { heard = part; });
  const ProgressShare last(0.9, 1);
  SharedClock clock;
  {
    const SharedClockScope in_a_cell(clock);
    const SharedWork reference;
    tell_progress("reference", 0.5);
    EXPECT_EQ(heard, 0.5);
  }
  tell_progress("cell", 0.5);
  EXPECT_DOUBLE_EQ(heard, 0.95);
}

TEST(SharedWork, ThreadsHaveClocksOfTheirOwn) {
  SharedClock mine, other;
  const SharedClockScope scope(mine);
  std::thread([&] {
    const SharedClockScope theirs(other);
    const SharedWork work;
    wait();
  }).join();
  EXPECT_EQ(mine.seconds(), 0);
  EXPECT_GE(other.seconds(), pause);
}

}  // namespace
}  // namespace daemark
