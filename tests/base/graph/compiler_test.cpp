// Functions compiled while the program runs: equal digits, kept once, refused where they are wrong.
#include "base/graph/compiler.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "base/program/write_file.hpp"
#include "tests/support/fake_compiler.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/source_run.hpp"

namespace daemark {
namespace {

using graph::Code;
using graph::CodeCompiler;
using test::FakeCompiler;
using testing::HasSubstr;
namespace fs = std::filesystem;

/// x y + k, sines and roots; another structure for each number of terms.
Code sample_code(int terms = 1) {
  graph::Graph g;
  const auto in = g.inputs(2);
  Var sum = in[0] * in[1] + Var(3);
  for (int i = 0; i < terms; ++i)
    sum = sin(sum) * cos(sum) + sqrt(in[0]) * select(in[1], sum, in[0]);
  return graph::compile(g, {{sum, sum / in[0]}, {}, {in[0] + atan2(sum, in[1])}});
}

class CompilerOfCodes : public testing::Test {
 protected:
  void SetUp() override { NEEDS_LANGUAGE("c"); }
  std::vector<fs::path> kept() const {
    std::vector<fs::path> files;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder_ / "daemark" / "compiled", none))
      files.push_back(entry.path());
    return files;
  }
  /// None, with a line that says `says`, and nothing is kept.
  void expect_refusal(const char* action, const std::string& says) {
    SCOPED_TRACE(action);
    const FakeCompiler fake(folder_, action);
    CodeCompiler compiler(0.5);
    EXPECT_EQ(compiler.function_of(sample_code()), nullptr);
    EXPECT_THAT(compiler.failure(), HasSubstr(says));
    EXPECT_EQ(compiler.failure().find('\n'), std::string::npos);
    EXPECT_EQ(compiler.function_of(sample_code(2)), nullptr);
    EXPECT_EQ(fake.calls(), 1) << "no more after a failure";
    EXPECT_TRUE(kept().empty());
  }
  const test::ScratchFolder scratch_;
  const fs::path& folder_ = scratch_.path;
};

TEST_F(CompilerOfCodes, GivesTheDigitsOfTheInterpreterInTheGroupsThatAreWanted) {
  const FakeCompiler fake(folder_, test::compilers::good);
  CodeCompiler compiler;
  const auto code = std::make_shared<const Code>(sample_code(5));
  const graph::Compiled function = compiler.function_of(*code);
  ASSERT_NE(function, nullptr) << compiler.failure();
  graph::Evaluator<double> plain(code), compiled(code, 1, function);
  EXPECT_TRUE(compiled.compiled());
  for (const double x : {0.3, 1.7, 1e3}) {
    double expected[3] = {}, found[3] = {}, *of_plain[] = {expected, nullptr, expected + 2},
           *of_compiled[] = {found, nullptr, found + 2};
    for (auto* evaluator : {&plain, &compiled})
      evaluator->inputs()[0] = x, evaluator->inputs()[1] = 2 - x;
    plain.run(of_plain), compiled.run(of_compiled);
    EXPECT_THAT(found, testing::ElementsAreArray(expected));
  }
  double alone = 0, *third[] = {nullptr, nullptr, &alone};
  compiled.run(third);
  EXPECT_NE(alone, 0);
}

TEST_F(CompilerOfCodes, CompilesOnceAndAnewWhatIsDamaged) {
  const FakeCompiler fake(folder_, test::compilers::good);
  for (int run = 0; run < 2; ++run) {
    CodeCompiler compiler;
    EXPECT_NE(compiler.function_of(sample_code()), nullptr) << compiler.failure();
    EXPECT_EQ(compiler.function_of(sample_code()), compiler.function_of(sample_code()));
    EXPECT_EQ(fake.calls(), 1);
  }
  ASSERT_EQ(kept().size(), 1u);
  const std::string whole = read_text(kept().front()).value();
  int expected = 1;
  std::string other = whole;
  ++other[other.size() / 2];
  for (const std::string& damaged : {whole.substr(0, whole.size() / 2), std::string(), other}) {
    write_if_changed(kept().front(), damaged);
    CodeCompiler compiler;
    EXPECT_NE(compiler.function_of(sample_code()), nullptr) << compiler.failure();
    EXPECT_EQ(fake.calls(), ++expected);
    EXPECT_EQ(compiler.failure(), "");
  }
}

TEST_F(CompilerOfCodes, RefusesWhatIsWrongAndSaysWhy) {
  expect_refusal(test::compilers::failing, "compiler failed (status 3): no licence");
  expect_refusal(test::compilers::silent, "compiler failed (status 0)");
  expect_refusal(test::compilers::garbage, "is refused");
  expect_refusal(test::compilers::wrong, "its values are not those of the interpreter");
  const auto begin = std::chrono::steady_clock::now();
  expect_refusal(test::compilers::hanging, "did not end within 0.5 s");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
}

TEST_F(CompilerOfCodes, SaysThatThereIsNoCompilerOrNoFolder) {
  const FakeCompiler fake(folder_, test::compilers::good);
  setenv("CC", (folder_ / "none").c_str(), 1);
  CodeCompiler none;
  EXPECT_EQ(none.function_of(sample_code()), nullptr);
  EXPECT_THAT(none.failure(), HasSubstr("no C compiler (" + folder_.string()));
  setenv("CC", (folder_ / "compiler").c_str(), 1);
  std::ofstream(folder_ / "file") << "no folder";
  setenv("XDG_CACHE_HOME", (folder_ / "file").c_str(), 1);
  CodeCompiler unable;
  EXPECT_EQ(unable.function_of(sample_code()), nullptr);
  EXPECT_THAT(unable.failure(), HasSubstr("cannot write"));
}

TEST_F(CompilerOfCodes, ThreadsShareWhatOneOfThemCompiles) {
  const FakeCompiler fake(folder_, test::compilers::good);
  CodeCompiler compiler;
  constexpr int codes = 3;
  std::atomic<int> found = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 2 * codes; ++i)
      threads.emplace_back([&, i] {
        if (compiler.function_of(sample_code(1 + i % codes))) ++found;
      });
  }
  EXPECT_EQ(found, 2 * codes) << compiler.failure();
  EXPECT_EQ(fake.calls(), codes);
  EXPECT_EQ(kept().size(), static_cast<std::size_t>(codes));
}

TEST_F(CompilerOfCodes, LeavesCodesAloneThatAreBuiltInOrTooLong) {
  int asked = 0;
  graph::set_compiler([&asked](const Code&) { return ++asked, nullptr; });
  Code code = sample_code();
  EXPECT_EQ(graph::find_compiled(code), nullptr);
  EXPECT_EQ(asked, 1);
  code.list.resize(graph::most_compiled_instructions + 1, code.list.front());
  EXPECT_EQ(graph::find_compiled(code), nullptr);
  code.compiled = [](const double*, double* const*) {};
  EXPECT_EQ(graph::find_compiled(code), code.compiled);
  EXPECT_EQ(asked, 1);
  graph::set_compiler({});
  EXPECT_EQ(graph::find_compiled(sample_code()), nullptr);
  EXPECT_EQ(asked, 1);
}

}  // namespace
}  // namespace daemark
