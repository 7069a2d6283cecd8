// daemark new: what it writes works as it stands.
#include "base/program/write_file.hpp"
#include "experiments/spec/names.hpp"
#include "problems/system/registry.hpp"
#include "tests/experiments/cli_fixture.hpp"

// The problem as it is written, with NAME for its name.
#include "experiments/cli/skeletons/problem.cpp.in"

namespace daemark::cli_testing {
namespace {

TEST_F(Cli, ANewProblemMoves) {
  ProblemRegistry registry;
  register_NAME(registry);
  const auto mechanism = registry.make("NAME").make<double>();
  EXPECT_EQ(mechanism->coordinates(), 3);
  EXPECT_EQ(mechanism->constraints(), 2);
  ASSERT_EQ(call({"new", "problem", "mine", "--into", file("tree")}).status, 0);
  const std::string text = read_text(file("tree/problems/mine.cpp")).value();
  EXPECT_THAT(text, HasSubstr("void register_mine(ProblemRegistry& registry)"));
  EXPECT_THAT(text, Not(HasSubstr("NAME")));
}

TEST_F(Cli, ANewMethodVerifies) {
  const Outcome made = call({"new", "method", "mine_1", "--into", file("tree")});
  EXPECT_EQ(made.status, 0) << made.err;
  const std::string path = file("tree/methods/tableaus/mine_1.json");
  EXPECT_EQ(made.out, "wrote " + path + "\nnext: daemark verify " + path +
                          "; other verbs take it with --tableau " + path +
                          " (methods/README.md)\n");
  // The folder has methods/tableaus now, and is still no source tree.
  EXPECT_THAT(call({"new", "method", "mine_2", "--into", file("tree")}).out,
              HasSubstr("--tableau " + file("tree/methods/tableaus/mine_2.json")));
  const Outcome proved = call({"verify", file("tree/methods/tableaus/mine_1.json")});
  EXPECT_EQ(proved.status, 0) << proved.out << proved.err;
}

TEST_F(Cli, ANewPaperIsReadAndNamesWhatItsRunsGive) {
  ASSERT_EQ(call({"new", "paper", "mine2026", "--into", file("tree")}).status, 0);
  const fs::path folder = file("tree/experiments/mine2026");
  const PaperSpec paper = read_paper(folder);
  EXPECT_EQ(paper.id, "mine2026");
  ASSERT_EQ(paper.items, std::vector<std::string>{"table1"});
  const ItemSpec item = read_item(folder / "table1.json", paper);
  check_names({item}, item);
}

TEST_F(Cli, ANewThingHasANewName) {
  const std::string tree = file("tree");
  ASSERT_EQ(call({"new", "paper", "twice", "--into", tree}).status, 0);
  expect_refused({"new", "paper", "twice", "--into", tree},
                 "experiments/twice/paper.json is there already");
  expect_refused({"new", "method", "gauss", "--into", tree}, "is in the catalogue");
  expect_refused({"new", "problem", "Mine", "--into", tree}, "accepted: at most 40 small letters");
}

}  // namespace
}  // namespace daemark::cli_testing
