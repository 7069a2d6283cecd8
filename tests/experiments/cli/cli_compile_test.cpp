// --compile: the same bytes in less time, whatever the compiler does.
#include <regex>

#include "base/program/write_file.hpp"
#include "tests/experiments/cli_fixture.hpp"
#include "tests/support/fake_compiler.hpp"
#include "tests/support/source_run.hpp"

namespace daemark {
namespace {

using namespace cli_testing;
using test::FakeCompiler;

/// A run that is long enough for the compiler.
struct LongRun {
  const char *example, *formulation, *method, *t_end;
};
constexpr LongRun axle = {"axle", "index2", "radau_iia(2)", "20"};

Words words_of(const LongRun& run, const std::string& trajectory, bool compile) {
  const fs::path examples = source_root() / "problems" / "files" / "examples";
  Words words = {
      "run",           "--problem-file", (examples / (std::string(run.example) + ".json")).string(),
      "--problem",     run.example,      "--formulation",
      run.formulation, "--method",       run.method,
      "--h",           "1/1000",         "--t-end",
      run.t_end,       "--every",        "10",
      "--trajectory",  trajectory};
  if (compile) words.emplace_back("--compile");
  return words;
}

std::string without_time(const std::string& text) {
  return std::regex_replace(text, std::regex("time .* ms\n"), "");
}

class CliCompile : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    NEEDS_LANGUAGE("c");
  }
  /// The bytes of interpreted and compiled runs are the same; what the compiled one said.
  std::string expect_same(const LongRun& run) {
    SCOPED_TRACE(run.example);
    const Outcome plain = call(words_of(run, file("plain.csv"), false)),
                  compiled = call(words_of(run, file("compiled.csv"), true));
    EXPECT_EQ(plain.status, 0) << plain.err;
    EXPECT_EQ(plain.err, "");
    EXPECT_EQ(compiled.status, 0) << compiled.err;
    EXPECT_EQ(without_time(compiled.out), without_time(plain.out));
    EXPECT_GT(lines("plain.csv").size(), 100u);
    EXPECT_TRUE(read_text(file("compiled.csv")) == read_text(file("plain.csv")));
    return compiled.err;
  }
};

TEST_F(CliCompile, GivesTheSameBytesAndCompilesOnce) {
  const FakeCompiler fake(folder_, test::compilers::good);
  int before = 0;
  for (const LongRun& run : {axle, LongRun{"crank_slider", "ggl", "gauss(2)", "5"},
                             LongRun{"swing", "index1", "erk4", "1"},
                             LongRun{"flexible_arm", "index2", "radau_iia(2)", "1"}}) {
    EXPECT_EQ(expect_same(run), "");
    const int calls = fake.calls();
    EXPECT_GT(calls, before) << run.example;
    EXPECT_EQ(expect_same(run), "");
    EXPECT_EQ(fake.calls(), calls) << "kept from the first run: " << run.example;
    before = calls;
  }
}

TEST_F(CliCompile, AnyCompilerThatIsOffLeavesTheInterpreterWithOneLine) {
  const auto expect_line = [&](const std::string& says) {
    const std::string said = expect_same(axle);
    EXPECT_THAT(said, StartsWith("daemark run: warning: "));
    EXPECT_THAT(said, HasSubstr(says));
    EXPECT_THAT(said, testing::EndsWith("; mechanisms are interpreted\n"));
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1);
  };
  for (const auto& [action, says] :
       {std::pair(test::compilers::failing, "failed (status 3): no licence"),
        std::pair(test::compilers::garbage, "is refused"),
        std::pair(test::compilers::wrong, "its values are not those of the interpreter")}) {
    const FakeCompiler fake(folder_, action);
    expect_line(says);
    EXPECT_EQ(fake.calls(), 1);
  }
  const FakeCompiler fake(folder_, test::compilers::good);
  setenv("CC", "/nonexistent/cc", 1);
  expect_line("no C compiler (/nonexistent/cc)");
}

TEST_F(CliCompile, BuiltInFunctionsNeedNoCompiler) {
  const FakeCompiler fake(folder_, test::compilers::good);
  const Outcome outcome = call(run_of("gauss(2)", {"--compile"}, "1/4000"));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(fake.calls(), 0);
}

TEST_F(CliCompile, ConvergeAndCompareCompileInThreads) {
  const FakeCompiler fake(folder_, test::compilers::good);
  const fs::path example = source_root() / "problems" / "files" / "examples" / "axle.json";
  const auto result_of = [&](const Words& verb, const Words& more) {
    Words words = verb;
    words.insert(words.end(),
                 {"--problem", "axle", "--problem-file", example.string(), "--formulation",
                  "index2", "--h", "1/50000,1/100000", "--t-end", "1/4", "--jobs", "2"});
    words.insert(words.end(), more.begin(), more.end());
    fs::remove_all(file("results/.cache"));
    const Outcome outcome = call(words);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(outcome.err, Not(HasSubstr("interpreted")));
    return outcome.out;
  };
  const Words converge = {"converge", "radau_iia(2)"};
  const std::string plain = result_of(converge, {});
  EXPECT_EQ(fake.calls(), 0);
  EXPECT_EQ(result_of(converge, {"--compile"}), plain);
  const int before = fake.calls();
  EXPECT_GT(before, 0);
  fs::remove_all(file("daemark"));
  result_of({"compare", "radau_iia(2)", "--tag", "lobatto_iiic"}, {});
  EXPECT_GT(fake.calls(), before) << "without being asked";
}

}  // namespace
}  // namespace daemark
