// Which sources use which, on a made-up table and on that of this program.
#include "base/program/digest.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/program/paths.hpp"
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

}  // namespace

}  // namespace daemark
