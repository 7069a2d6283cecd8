// Results that travel, and come back beside ours.
#include "base/program/write_file.hpp"
#include "experiments/crate/crate.hpp"
#include "tests/experiments/cli_fixture.hpp"
#include "tests/support/gnuplot.hpp"

namespace daemark {
namespace {

using namespace cli_testing;

TEST_F(Cli, ACrateOfAnotherMachineStandsBesideOurs) {
  NEEDS_GNUPLOT();
  setenv("DAEMARK_RESULTS", (source_root() / "results").c_str(), 1);
  const std::string crate = file("li.zip");
  ASSERT_EQ(call({"export", "zhang2022/fig2", crate}).status, 0);
  setenv("DAEMARK_RESULTS", file("results").c_str(), 1);
  const Outcome same = call({"reproduce", "--check", "--with", crate});
  EXPECT_EQ(same.status, 0) << same.out << same.err;
  EXPECT_THAT(same.out, HasSubstr("1 item agree"));
  expect_refused({"reproduce", "--with", crate}, "--check --with");
  expect_refused({"reproduce", "--check", "--with", file("none.zip")}, "no such file");
  expect_refused({"export", "zhang2022/fig2", file("li.tar")}, "FILE.zip");
  expect_refused({"export", "li2019/table77", crate}, "table77");
  expect_refused({"compare", "heun_2", "--problem", "pendulum", "--with", write("bad.zip", "PK")},
                 "bad.zip");
}

TEST_F(Cli, AnAtlasOfAnotherMachineStandsBesideOurs) {
  const Words atlas = {"atlas",  "--problem", "oscillator,pendulum", "--formulation",
                       "index1", "--tag",     "erk4 | heun_2"};
  const auto beside = [&](const std::string& crate) {
    Words words = atlas;
    words.insert(words.end(), {"--with", crate});
    const Outcome outcome = call(words);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome.out;
  };
  ASSERT_EQ(call(atlas).status, 0);
  const std::string crate = file("a.zip");
  ASSERT_EQ(call({"export", "atlas", crate}).status, 0);
  const std::string same = beside(crate);
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
  ASSERT_EQ(call({"export", "atlas", file("b.zip")}).status, 0);
  fs::remove_all(folder_ / "results" / "atlas");
  EXPECT_THAT(
      beside(file("b.zip")),
      HasSubstr("b.zip: oscillator(omega=1), index1: 0 sweeps as here, 1 not there, 1 moved; "
                "most: erk4: error_q of run 5: 0.5 there, "));
  const Outcome compared = call(
      {"compare", "gauss(2)", "--problem", "pendulum", "--formulation", "index1", "--with", crate});
  EXPECT_THAT(compared.out, HasSubstr("a.zip: pendulum, index1: 2 sweeps as here"));
  expect_refused({"atlas", "--problem", "oscillator", "--tag", "erk4", "--with", file("no.zip")},
                 "no such file");
}

TEST_F(Cli, LocksAreComparedWithThisProgramOrWithEachOther) {
  ASSERT_EQ(call({"lock", file("lock.json")}).status, 0);
  EXPECT_EQ(call({"lock", "--diff", file("lock.json")}).out, "the same\n");
  json other = json::parse(read_text(file("lock.json")).value());
  other["compiler"] = "of next year";
  const std::string next = write("next.json", other.dump());
  const Outcome two = call({"lock", "--diff", file("lock.json"), next});
  EXPECT_EQ(two.status, 1);
  EXPECT_THAT(two.out, HasSubstr("of next year"));
  expect_refused({"lock", "--diff", write("no.json", "{}")}, "no lock");
}

TEST_F(Cli, PruneKeepsWhatIsAskedForAndDropsTheRest) {
  NEEDS_GNUPLOT();
  const std::string unused = std::string(64, '0') + ".json";
  ASSERT_EQ(call({"reproduce", "yang2006/fig1"}).status, 0);
  std::ofstream(file("results/.cache/" + unused)) << "of other sources";
  const Outcome pruned = call({"reproduce", "--prune"});
  EXPECT_EQ(pruned.status, 0) << pruned.err;
  EXPECT_THAT(pruned.out, StartsWith("dropped: 1 file, 0.0 MB; kept: 9 files, "));
  EXPECT_FALSE(fs::exists(file("results/.cache/" + unused)));
  EXPECT_THAT(call({"reproduce", "yang2006/fig1"}).out, HasSubstr("nothing to do"));
}

}  // namespace
}  // namespace daemark
