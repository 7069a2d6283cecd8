// daemark new: what it writes works as it stands.
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
  printed("new problem mine --into @tree");
  const std::string text = content("tree/problems/mine.cpp");
  EXPECT_THAT(text, HasSubstr("void register_mine(ProblemRegistry& registry)"));
  EXPECT_THAT(text, Not(HasSubstr("NAME")));
}

TEST_F(Cli, ANewMethodVerifies) {
  const std::string path = file("tree/methods/tableaus/mine_1.json");
  EXPECT_EQ(printed("new method mine_1 --into @tree"),
            "wrote " + path + "\nnext: daemark verify " + path +
                "; other verbs take it with --tableau " + path + " (methods/README.md)\n");
  // The folder has methods/tableaus now, and is still no source tree.
  EXPECT_THAT(call("new method mine_2 --into @tree").out,
              HasSubstr("--tableau " + file("tree/methods/tableaus/mine_2.json")));
  printed("verify @tree/methods/tableaus/mine_1.json");
}

TEST_F(Cli, ANewPaperIsReadAndNamesWhatItsRunsGive) {
  printed("new paper mine2026 --into @tree");
  const fs::path folder = file("tree/experiments/mine2026");
  const PaperSpec paper = read_paper(folder);
  EXPECT_EQ(paper.id, "mine2026");
  ASSERT_EQ(paper.items, std::vector<std::string>{"table1"});
  const ItemSpec item = read_item(folder / "table1.json", paper);
  check_names({item}, item);
}

TEST_F(Cli, ANewThingHasANewName) {
  printed("new paper twice --into @tree");
  expect_refused("new paper twice --into @tree", "experiments/twice/paper.json is there already");
}

}  // namespace
}  // namespace daemark::cli_testing
