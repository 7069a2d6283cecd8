// Results that travel, and come back beside ours.
#include "base/program/write_file.hpp"
#include "experiments/crate/zip_file.hpp"
#include "tests/experiments/cli_fixture.hpp"

namespace daemark {
namespace {

using namespace cli_testing;

TEST_F(Cli, ACrateOfAnotherMachineStandsBesideOurs) {
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
