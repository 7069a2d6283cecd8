// The program as a process: full disks, closed outputs, signals; and input that means nothing.
#include <algorithm>

#include "base/program/write_file.hpp"
#include "tests/experiments/cli_fixture.hpp"
#include "tests/experiments/cli_process.hpp"

namespace daemark {
namespace {

using namespace cli_testing;

TEST_F(Cli, ALooseNewtonToleranceIsMentioned) {
  const Outcome loose = call(run_of("gauss(2)", {"--set", "newton.tol=1e6"}));
  EXPECT_EQ(loose.status, 0);
  EXPECT_THAT(loose.err, HasSubstr("warning: newton.tol = 1e+06"));
  EXPECT_EQ(call(run_of("gauss(2)", {"--set", "newton.tol=1e-3"})).err, "");
  const Outcome unused = call(run_of("erk4", {"--set", "newton.max=1", "--json"}));
  EXPECT_THAT(unused.err, HasSubstr("ignored, this run does not use it: newton.max"));
  EXPECT_THAT(unused.out, HasSubstr("\"ignored_settings\""));
}

TEST_F(Cli, TrajectoriesAreWholeOrNotThere) {
  const Outcome full = call(run_of("gauss(2)", {"--trajectory", "/dev/full"}));
  EXPECT_EQ(full.status, 2);
  EXPECT_THAT(full.out, HasSubstr("status ok"));  // what was computed is shown
  EXPECT_THAT(full.err, HasSubstr("cannot write /dev/full: No space left on device"));
  EXPECT_EQ(call(run_of("gauss(2)", {"--trajectory", file("m.csv")})).status, 0);
  EXPECT_EQ(lines("m.csv").size(), 102U);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
  const Outcome huge = call(run_of("gauss(2)", {"--trajectory", file("h.csv")}, "1/1000000000"));
  if (huge.status == 2) {
    EXPECT_THAT(huge.err, HasSubstr("GB are free"));
  }
}

TEST_F(Cli, VerifyShowsWhatItProvedWhereItCannotWrite) {
  write("results", "a file");
  const Outcome outcome = call({"verify", "gauss(2)"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.out, HasSubstr("verified"));
  EXPECT_THAT(outcome.err, HasSubstr("Not a directory"));
}

TEST_F(Cli, VerifyHasATimeLimit) {
  const Outcome outcome = call({"verify", "gauss(30)", "gauss(2)", "--time-limit", "0.05"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.out, HasSubstr("undecided"));
  EXPECT_THAT(outcome.err, HasSubstr("gauss(30): not decided within 0.05 s"));
}

#ifdef DAEMARK_BINARY
TEST_F(Cli, OutputThatIsLostIsNoSuccess) {
  for (const Words& arguments : {Words{"list", "methods"}, Words{"show", "gauss(2)", "--json"},
                                 run_of("gauss(2)", {}, "1/10"), Words{"--help"},
                                 Words{"verify", "gauss(2)"}, Words{"analyse", "gauss(2)"}}) {
    EXPECT_EQ(Process(arguments, "/dev/full", file("err")).wait(), 2);
    EXPECT_EQ(read_text(file("err")),
              "daemark: cannot write standard output: No space left on device\n")
        << testing::PrintToString(arguments);
  }
}

TEST_F(Cli, SmallCoefficientsKeepTheirExponents) {
  EXPECT_THAT(call({"analyse", "gauss(6)", "--x", "0.1"}).out,
              HasSubstr("6.3131313131313131313131e-05"));
}

TEST_F(Cli, AReferenceThatCannotBeKeptIsUsedAndMissed) {
  std::ofstream(results_root()) << "a file";
  Words arguments = run_of("gauss(2)", {"--errors"});
  std::replace(arguments.begin(), arguments.end(), std::string("1"), std::string("37/100"));
  const Outcome outcome = call(arguments);
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.out, HasSubstr("error_q"));
  EXPECT_THAT(outcome.err, HasSubstr("cannot write"));
}

#endif

TEST_F(Cli, AnalyseRefusesStepsOfWhichNothingCanBeTold) {
  for (const char* x : {"1e-330", "1e-200", "1e-16", "1e16"}) {
    const Outcome outcome = call({"analyse", "bathe(rho=1)", "--x", x});
    EXPECT_EQ(outcome.status, 2) << x;
    EXPECT_THAT(outcome.err, HasSubstr("1e-15 to 1e+15")) << x;
    EXPECT_EQ(call({"analyse", "bathe(rho=1)", "--formulation", "index3", "--x", x}).status, 2);
  }
}

}  // namespace
}  // namespace daemark
