// What people ask a program first: help, version, examples, completion, and what it says of a typo.
#include <sstream>

#include "experiments/cli/verb.hpp"
#include "experiments/terminal/text.hpp"
#include "tests/experiments/cli_fixture.hpp"

namespace daemark {
namespace {

using namespace cli_testing;  // NOLINT: the fixture is written to be read here

TEST_F(Cli, HelpInTheUsualForms) {
  EXPECT_EQ(call("help").out, call("--help").out);
  EXPECT_EQ(call("help run").out, call("run --help").out);
  printed("help");
}

TEST_F(Cli, ARefusalSaysWhatWhereAndWhatIsAcceptedOnce) {
  const auto line = [](const Words& words) { return call(words).err; };
  for (const std::string bad : {"0", "-1", "1.5", "x", ""})
    EXPECT_EQ(
        line("$run gauss(2) --trajectory @t.csv --every '" + bad + "'"),
        "daemark run: --every: '" + bad + "', accepted: a whole number from 1 to 1000000000\n");
  EXPECT_EQ(line("reference two_link --t 1 --digits x"),
            "daemark reference: --digits: 'x', accepted: a whole number\n");
  EXPECT_EQ(line("run --every"),
            "daemark run: --every: its value is missing; accepted: one value\n");
  EXPECT_EQ(line("run --h 1 --h 2"),
            "daemark run: --h is given more than once; accepted: one value\n");
  EXPECT_EQ(line("verify gauss(2) --time-limit 0"),
            "daemark verify: --time-limit: '0', accepted: a number > 0\n");
  EXPECT_EQ(line("converge gauss(2) $two_link --h 1/10"),
            "daemark converge: one step size, accepted: at least two, separated by commas\n");
  EXPECT_THAT(call("converge --help").out, HasSubstr("auto: double, and again in real50"));
}

/// The example that the help of a verb prints runs as it stands, in any order of the verbs.
/// `reproduce` computes for minutes: of it the item must exist. `export` packs what is made here,
/// `score` reads a file that `run` writes here, `run-shard` and `merge` take a plan made here.
TEST_F(Cli, TheExampleOfEveryVerbSucceeds) {
  constexpr int shards = 4;
  const std::string plan =
      write("plan.json", call("plan --shards " + std::to_string(shards) + " yang2006/gains").out);
  const auto shard = [&](const std::string& k) -> Words {
    return {"run-shard", k, plan, "--into", file("shards/" + k)};
  };
  const std::string bare = printed({});
  for (const VerbShape& verb : verb_shapes()) {
    SCOPED_TRACE(verb.example);
    EXPECT_THAT(bare, HasSubstr("\n  " + verb.name + " "));
    const Outcome help = call({verb.name, "--help"});
    EXPECT_EQ(help.status, 0);
    EXPECT_EQ(help.err, "");
    for (const std::string& part :
         {"Usage: daemark " + verb.name, std::string("Example:\n  ") + verb.example,
          std::string("--tableau")})
      EXPECT_THAT(help.out, HasSubstr(part));
    Words words = verb.example;
    ASSERT_EQ(words.front(), "daemark");
    words.erase(words.begin());
    ASSERT_EQ(words.front(), verb.name);
    if (verb.name == "reproduce") words = {"show", words.at(1)};
    if (verb.name == "new") words = words + "--into @new";
    if (verb.name == "figure") words = words + "--to @figures";
    if (verb.name == "score") {
      words.at(1) = file(words.at(1));
      printed("$run erk4 --trajectory " + words.at(1));
    }
    if (verb.name == "accept") words.back() = file(words.back());
    if (verb.name == "join") words = {"join"};  // without the files of others
    if (verb.name == "league") continue;        // likewise
    if (verb.name == "run-shard") words = shard(words.at(1));
    if (verb.name == "merge") {
      for (int k = 1; k <= shards; ++k) printed(shard(std::to_string(k)));
      words.at(1) = file(words.at(1));
    }
    if (verb.name == "import-mechanism") {
      words = {verb.name, write("arm.urdf", R"(<robot name="example_arm"><link name="base"/>
          <link name="arm"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>
          </link><joint name="hinge" type="revolute"><parent link="base"/><child link="arm"/></joint>
          </robot>)")};
    }
    if (verb.name == "lock") {
      words.back() = file(words.back());
      printed("lock " + words.back());
    }
    if (verb.name == "export") {  // of what is made
      printed("reproduce yang2006/gains");
      words = {"export", "yang2006/gains", file(words.back())};
    }
    const std::string shown = printed(words);
    if (verb.name != "report") {
      EXPECT_NE(shown, "");
    }
  }
}

TEST_F(Cli, CompletionKnowsVerbsOptionsAndTheCatalogue) {
  const auto words = [](const Words& typed) { return completions(typed, verb_shapes()); };
  EXPECT_EQ(words({"conv"}), Words{"converge"});
  EXPECT_EQ(words({"run", "--meth"}), Words{"--method"});
  EXPECT_EQ(words({"run", "--problem", "two_"}), Words{"two_link"});
  EXPECT_EQ(words({"converge", "radau_iia"}), Words{"radau_iia"});
  EXPECT_EQ(words({"converge", "gauss(2)", "--formulation", "index"}),
            (Words{"index1", "index2", "index3"}));
  EXPECT_EQ(words({"run", "--set", "newton.k"}), Words{"newton.kind="});
  EXPECT_EQ(words({"list", "prob"}), Words{"problems"});
  EXPECT_THAT(words({"reproduce", "li2019/"}), testing::Contains("li2019/table1"));
  EXPECT_THAT(words({"show", ""}), testing::Contains("index3"));
  EXPECT_TRUE(words({"run", "--init", ""}).empty()) << "a file";
  EXPECT_TRUE(words({"nonsense", ""}).empty());
  EXPECT_EQ(call("completion words conv").out, "converge\n");
  EXPECT_THAT(call("completion bash").out, HasSubstr("complete -o default -F _daemark"));
  EXPECT_THAT(call("completion zsh").out, HasSubstr("#compdef daemark"));
}

TEST_F(Cli, LongTextIsWrapped) {
  std::string words;
  for (int i = 0; i < 60; ++i) words += "word ";
  std::istringstream table(columns({{"name", "short", words}, {"other", "x", "y"}}));
  int rows = 0;
  for (std::string text; std::getline(table, text); ++rows) EXPECT_LE(text.size(), 120u) << text;
  EXPECT_GE(rows, 4);
  for (const VerbShape& verb : verb_shapes()) {
    std::istringstream help(call({verb.name, "--help"}).out);
    for (std::string text; std::getline(help, text) && text != "Example:";)
      EXPECT_LE(text_width(text), 100u) << text;
  }
}

constexpr const char* wrong_rows = R"({"id":"cli_test_wrong_rows","kind":"runge_kutta",
  "A":[["0","0"],["1/2","0"]],"b":["1/2","1/2"],"c":["0","1"]})";

TEST_F(Cli, WrongRowSumsAreToldWhereverTheMethodIsUsed) {
  write("rows.json", wrong_rows);
  for (const char* line :
       {"$run cli_test_wrong_rows --tableau @rows.json",
        "converge cli_test_wrong_rows $oscillator --h 1/10,1/20",  // known by now
        "analyse cli_test_wrong_rows --x 0.1", "compare cli_test_wrong_rows --problem oscillator"})
    EXPECT_THAT(call(line).err,
                HasSubstr("cli_test_wrong_rows: row sum of A differs from c in row 2"));
  EXPECT_THAT(call("show cli_test_wrong_rows").out, HasSubstr("row sum of A differs"));
}

}  // namespace
}  // namespace daemark
