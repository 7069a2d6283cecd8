// `daemark compare`.
#include <algorithm>

#include "tests/experiments/cli_fixture.hpp"

namespace daemark {
namespace {

using namespace cli_testing;  // NOLINT: the fixture is written to be read here

TEST_F(Cli, CompareSetsAMethodBesideTheCatalogue) {
  const std::string outcome = printed(
      "compare erk4 --problem oscillator,driven_pendulum(T0=0,theta0=0) --formulation index1 --h "
      "1/5,1/10,1/20");
  EXPECT_THAT(outcome, HasSubstr("oscillator(omega=1), t = 1 s, h = 1/5 to 1/20 s\n"
                                 "  index1  q to 1e-3  rank "));
  EXPECT_THAT(outcome, HasSubstr("left out: driven_pendulum(T0=0,theta0=0): nothing moves"));
  const std::string folder =
      "results/compare/"
      "erk4_on_oscillator_on_driven_pendulum-T0-0-theta0-0_in_index1_h_1-5-1-10-1-20/";
  const auto rows = lines(folder + "table.csv");
  EXPECT_GT(rows.size(), 20u) << "the catalogue stands beside it";
  int ours = 0;
  for (const std::string& row : rows) {
    if (row.find(",new,") == std::string::npos || row == rows.front()) continue;
    ++ours;
    // Order 4; at such steps the next term of erk4's error still adds to the slopes of a rotation.
    EXPECT_THAT(row, HasSubstr(",3.9,4.1,")) << "slopes of q and v";
  }
  EXPECT_EQ(ours, 1);
  EXPECT_TRUE(fs::exists(folder_ / folder / "profiles.svg"));
  EXPECT_TRUE(fs::exists(folder_ / folder / "oscillator-omega-1.svg"));
  const auto page = lines(folder + "table.md");
  EXPECT_THAT(page, testing::Contains(testing::ContainsRegex(
                        "\\| oscillator\\(omega=1\\) \\| index1 +\\| q to 1e-6 +\\|")));
  EXPECT_LT(page.size(), 200u);
  EXPECT_THAT(lines(folder + "index.html"),
              testing::Contains(HasSubstr("<h1>erk4 compared with the catalogue</h1>")));
  const std::string two =
      printed("compare pade_block(r=2,k=1,nodes=[1/3,1]) sdirk_2 --problem oscillator");
  EXPECT_THAT(two, HasSubstr("sdirk_2 rank"));
  EXPECT_THAT(two, HasSubstr("pade_block(r=2,k=1,nodes=[1/3,1]) rank"));
}

TEST_F(Cli, CompareWithoutAMethodNamesTheCheapestInALine) {
  EXPECT_THAT(
      printed("compare --problem two_link --formulation index3 --accuracy v:1e-2 --h 1/20,1/40"),
      testing::ContainsRegex("index3  v to 1e-2  [^\n]* [0-9]+, [^\n]*\n"));
  EXPECT_FALSE(fs::exists(folder_ / "results" / "compare"));
}

TEST_F(Cli, CompareTakesTheOthersThatATagSelects) {
  EXPECT_THAT(
      printed(
          "compare gauss(2) --problem oscillator --formulation index1 --tag 'explicit & order>=4'"),
      testing::AllOf(HasSubstr("erk4"), Not(HasSubstr("newmark"))));
}

TEST_F(Cli, CompareReadsTheAtlasAndSaysWhatIsOlder) {
  printed("atlas --short --problem oscillator");
  const std::string shelf = "results/atlas/oscillator.jsonl";
  const auto rows = lines(shelf);
  EXPECT_GT(rows.size(), 20u);
  EXPECT_THAT(call("atlas --short --problem oscillator").out, HasSubstr("0 of them integrated"));
  fs::remove_all(folder_ / "results" / ".cache");
  EXPECT_THAT(printed("compare erk4 --problem oscillator"),
              testing::AllOf(HasSubstr("\n1 sweep integrated"), Not(HasSubstr("†"))));
  std::string text;  // as an edit of every method's source would leave it
  for (std::string row : rows) {
    const std::size_t at = row.find("\"sources\":\"");
    if (at != std::string::npos) row.replace(at + 11, 4, "zzzz");
    text += row + "\n";
  }
  write(shelf, text);
  EXPECT_THAT(call("compare erk4 --problem oscillator").out, HasSubstr("†: computed with earlier"));
  EXPECT_THAT(call("atlas --short --problem oscillator").out,
              Not(HasSubstr(" 0 of them integrated")));
  EXPECT_EQ(lines(shelf), rows) << "the same bytes again";
}

}  // namespace
}  // namespace daemark
