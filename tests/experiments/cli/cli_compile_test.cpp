// --compile: the same bytes in less time, whatever the compiler does.
#include <fmt/format.h>

#include <regex>

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

std::string line_of(const LongRun& run) {
  return fmt::format(
      "run --problem-file {} --problem {} --formulation {} --method {} --h 1/1000 --t-end {} "
      "--every 10 --trajectory ",
      example_file(run.example), run.example, run.formulation, run.method, run.t_end);
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
    const Outcome plain = call(line_of(run) + "@plain.csv"),
                  compiled = call(line_of(run) + "@compiled.csv --compile");
    EXPECT_EQ(plain.status, 0) << plain.err;
    EXPECT_EQ(plain.err, "");
    EXPECT_EQ(compiled.status, 0) << compiled.err;
    EXPECT_EQ(without_time(compiled.out), without_time(plain.out));
    EXPECT_GT(lines("plain.csv").size(), 100u);
    EXPECT_TRUE(content("compiled.csv") == content("plain.csv"));
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

/// Whatever is off: tests/base/graph/compiler_test.cpp.
TEST_F(CliCompile, ACompilerThatIsOffLeavesTheInterpreterWithOneLine) {
  const FakeCompiler fake(folder_, test::compilers::wrong);
  const std::string said = expect_same(axle);
  EXPECT_THAT(said, StartsWith("daemark run: warning: "));
  EXPECT_THAT(said, HasSubstr("its values are not those of the interpreter"));
  EXPECT_THAT(said, testing::EndsWith("; mechanisms are interpreted\n"));
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1);
  EXPECT_EQ(fake.calls(), 1);
}

TEST_F(CliCompile, BuiltInFunctionsNeedNoCompiler) {
  const FakeCompiler fake(folder_, test::compilers::good);
  printed("run $two_link --method gauss(2) --h 1/4000 --compile");
  EXPECT_EQ(fake.calls(), 0);
}

TEST_F(CliCompile, ConvergeAndCompareCompileInThreads) {
  const FakeCompiler fake(folder_, test::compilers::good);
  const auto result_of = [&](const std::string& verb) {
    const std::string line = verb + " --problem axle --problem-file " + example_file("axle") +
                             " --formulation index2 --h 1/50000,1/100000 --t-end 1/4 --jobs 2";
    fs::remove_all(file("results/.cache"));
    const Outcome outcome = call(line);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(outcome.err, Not(HasSubstr("interpreted")));
    return outcome.out;
  };
  const std::string plain = result_of("converge radau_iia(2)");
  EXPECT_EQ(fake.calls(), 0);
  EXPECT_EQ(result_of("converge radau_iia(2) --compile"), plain);
  const int before = fake.calls();
  EXPECT_GT(before, 0);
  fs::remove_all(file("daemark"));
  result_of("compare radau_iia(2) --tag lobatto_iiic");
  EXPECT_GT(fake.calls(), before) << "without being asked";
}

}  // namespace
}  // namespace daemark
