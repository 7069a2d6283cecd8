// `daemark compare`.
#include <algorithm>

#include "tests/experiments/cli_fixture.hpp"

namespace daemark {
namespace {

using namespace cli_testing;  // NOLINT: the fixture is written to be read here

TEST_F(Cli, CompareSetsAMethodBesideTheCatalogue) {
  const Outcome outcome =
      call({"compare", "gauss(2)", "--problem", "oscillator", "--h", "1/5,1/10,1/20"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("→ gauss(s=2)"));
  const std::string folder = "results/compare/gauss-s-2_on_oscillator_h_1-5-1-10-1-20/";
  const auto rows = lines(folder + "table.csv");
  EXPECT_GT(rows.size(), 20u) << "the catalogue stands beside it";
  int ours = 0;
  for (const std::string& row : rows) {
    if (row.find("→ gauss") == std::string::npos) continue;
    ++ours;
    EXPECT_THAT(row, HasSubstr(",4.0,4.0,")) << "slopes of q and v";
  }
  EXPECT_GE(ours, 1);
  EXPECT_TRUE(fs::exists(folder_ / folder / "profiles.svg"));
  const auto figure = [](const fs::directory_entry& entry) {
    const std::string name = entry.path().filename();
    return name.starts_with("oscillator") && name.ends_with("_index1.svg");
  };
  EXPECT_TRUE(std::any_of(fs::directory_iterator(folder_ / folder), {}, figure)) << outcome.err;
  const auto page = lines(folder + "table.md");
  EXPECT_THAT(page, testing::Contains(HasSubstr("Performance profile, index1")));
  for (const std::string& line : page) EXPECT_EQ(line.find("[ms]"), std::string::npos) << "times";
  EXPECT_THAT(outcome.out, HasSubstr("time [ms]"));
  EXPECT_THAT(outcome.out, HasSubstr("2-norm"));
  expect_refused({"compare", "gauss(2)", "--h", "1/2,1/2"}, "twice");
  expect_refused({"compare", "gauss(2)", "--h", "1/2,0"}, "> 0");
  expect_refused({"compare", "gauss(2)", "--problem", "oscillator", "--h", "0.3,0.15"},
                 "h = 0.3 does not divide the time of oscillator(omega=1), from 0 to 1 s");
  const Outcome two =
      call({"compare", "pade_block(r=2,k=1,nodes=[1/3,1])", "sdirk_2", "--problem", "oscillator"});
  EXPECT_EQ(two.status, 0) << two.err;
  EXPECT_THAT(two.out, HasSubstr("→ sdirk_2"));
  EXPECT_THAT(two.out, HasSubstr("→ pade_block(r=2,k=1,nodes=[1/3,1])"));
}

}  // namespace
}  // namespace daemark
