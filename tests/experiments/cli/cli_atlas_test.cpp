// `daemark atlas`, tags on the command line.

#include "tests/experiments/cli_fixture.hpp"

namespace daemark {
namespace {

using namespace cli_testing;  // NOLINT: the fixture is written to be read here

TEST_F(Cli, ListSelectsByTags) {
  const std::string outcome = printed("list methods --tag 'esdirk & L_stable & order>=3'");
  EXPECT_THAT(outcome, HasSubstr("esdirk_4_3_6l"));
  EXPECT_THAT(outcome, Not(HasSubstr("tr_bdf2"))) << "order 2";
  EXPECT_THAT(call("list tags").out, HasSubstr("stiffly_accurate"));
  EXPECT_THAT(call("show gauss(2)").out, HasSubstr("symplectic"));
}

TEST_F(Cli, VerifyTakesWhatATagSelects) {
  const std::string outcome = printed("verify --tag 'radau_iia & order<=3'");
  EXPECT_THAT(outcome, HasSubstr("radau_iia(s=2)"));
  EXPECT_THAT(outcome, Not(HasSubstr("radau_iia(s=3)")));
}

TEST_F(Cli, AtlasListsWithoutIntegrating) {
  EXPECT_THAT(printed("atlas --problem oscillator --tag 'erk4 | heun_2' --dry"),
              testing::ContainsRegex("oscillator +index1 +2 +0 +0 "));
  EXPECT_FALSE(fs::exists(folder_ / "results" / "atlas"));
  EXPECT_FALSE(fs::exists(folder_ / "results" / ".cache" / "costs.learnt"));
}

TEST_F(Cli, AtlasAddsToWhatStandsThere) {
  EXPECT_THAT(printed("atlas --problem oscillator --tag 'erk4 | heun_2'"),
              HasSubstr("oscillator(omega=1): 2 sweeps, 2 of them integrated"));
  EXPECT_EQ(lines("results/atlas/oscillator.jsonl").size(), 3u);
  EXPECT_THAT(printed("atlas --problem oscillator --tag 'erk4 | gauss & order=4'"),
              HasSubstr("3 sweeps, 2 of them integrated"));
  const auto rows = lines("results/atlas/oscillator.jsonl");
  ASSERT_EQ(rows.size(), 5u) << "heun_2 stays, gauss(2) comes with and without control";
  EXPECT_THAT(lines("results/atlas/work.csv"),
              testing::Contains(testing::StartsWith("oscillator(omega=1),index1,gauss(s=2),")));
  EXPECT_THAT(lines("results/atlas/best.csv"), testing::Contains(HasSubstr(",front,q,")));
  EXPECT_THAT(lines("results/atlas/ranks.csv"),
              testing::Contains(HasSubstr("index1,q to 1e-6,gauss(s=2),fully implicit")));
  EXPECT_TRUE(fs::exists(folder_ / "results/atlas/oscillator.html"));
  EXPECT_TRUE(fs::exists(folder_ / "results/assets/tags.js"));
  const std::string page = content("results/atlas/oscillator.html");
  call("atlas --problem oscillator --tag erk4");
  EXPECT_EQ(content("results/atlas/oscillator.html"), page) << "the same bytes again";
}

TEST_F(Cli, AtlasTellsTimesApartFromResults) {
  printed("atlas --problem oscillator --tag erk4 --time 3");
  const auto rows = lines("results/.local/atlas/oscillator.times.csv");
  ASSERT_EQ(rows.size(), 6u) << "five runs";
  EXPECT_THAT(rows[1], testing::StartsWith("index1,erk4,0.2,3,"));
  EXPECT_THAT(content("results/atlas/work.csv"), Not(HasSubstr("seconds")));
}

}  // namespace
}  // namespace daemark
