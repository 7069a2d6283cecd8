// Results that travel, and come back beside ours.
#include "experiments/crate/crate.hpp"
#include "tests/experiments/cli_fixture.hpp"
#include "tests/support/gnuplot.hpp"

namespace daemark {
namespace {

using namespace cli_testing;

TEST_F(Cli, ACrateOfAnotherMachineStandsBesideOurs) {
  NEEDS_GNUPLOT();
  setenv("DAEMARK_RESULTS", (source_root() / "results").c_str(), 1);
  printed("export zhang2022/fig2 @li.zip");
  setenv("DAEMARK_RESULTS", file("results").c_str(), 1);
  EXPECT_THAT(printed("reproduce --check --with @li.zip"), HasSubstr("1 item agree"));
  write("bad.zip", "PK");
  expect_refused("compare heun_2 --problem pendulum --with @bad.zip", "bad.zip");
}

TEST_F(Cli, AnAtlasOfAnotherMachineStandsBesideOurs) {
  const std::string atlas =
      "atlas --problem oscillator,pendulum --formulation index1 --tag 'erk4 | heun_2'";
  printed(atlas);
  printed("export atlas @a.zip");
  const std::string same = printed(atlas + " --with @a.zip");
  EXPECT_THAT(same, HasSubstr("a.zip: oscillator(omega=1), index1: 2 sweeps as here\n"));
  EXPECT_THAT(same, HasSubstr("a.zip: pendulum, index1: 2 sweeps as here\n"));

  // There erk4's finest run erred more, and nobody had heun_2.
  const std::string shelf = "results/atlas/oscillator.jsonl";
  const std::vector<std::string> standing = lines(shelf);
  std::string text = standing[0] + "\n";
  for (const std::string& line : standing) {
    json sweep = json::parse(line);
    if (sweep.value("method", "") != "erk4") continue;
    sweep["runs"][4][5] = 0.5;
    text += sweep.dump() + "\n";
  }
  write(shelf, text);
  printed("export atlas @b.zip");
  fs::remove_all(folder_ / "results" / "atlas");
  EXPECT_THAT(
      printed(atlas + " --with @b.zip"),
      HasSubstr("b.zip: oscillator(omega=1), index1: 0 sweeps as here, 1 not there, 1 moved; "
                "most: erk4: error_q of run 5: 0.5 there, "));
  EXPECT_THAT(printed("compare gauss(2) --problem pendulum --formulation index1 --with @a.zip"),
              HasSubstr("a.zip: pendulum, index1: 2 sweeps as here"));
}

TEST_F(Cli, LocksAreComparedWithThisProgramOrWithEachOther) {
  printed("lock @lock.json");
  EXPECT_EQ(call("lock --diff @lock.json").out, "the same\n");
  json other = json::parse(content("lock.json"));
  other["compiler"] = "of next year";
  write("next.json", other.dump());
  EXPECT_THAT(printed("lock --diff @lock.json @next.json", 1), HasSubstr("of next year"));
  expect_refused("lock --diff " + write("no.json", R"({"daemark_lock": 2})"), "no lock");
}

TEST_F(Cli, PruneKeepsWhatIsAskedForAndDropsTheRest) {
  NEEDS_GNUPLOT();
  const std::string unused = "results/.cache/" + std::string(64, '0') + ".json";
  printed("reproduce yang2006/fig1");
  write(unused, "of other sources");
  EXPECT_THAT(printed("reproduce --prune"), StartsWith("dropped: 1 file, 0.0 MB; kept: 9 files, "));
  EXPECT_FALSE(fs::exists(file(unused)));
  EXPECT_THAT(printed("reproduce yang2006/fig1"), HasSubstr("nothing to do"));
}

}  // namespace
}  // namespace daemark
