// The program as a process: full disks, closed outputs, signals; and input that means nothing.
#include "tests/experiments/cli_fixture.hpp"

namespace daemark {
namespace {

using namespace cli_testing;

TEST_F(Cli, ALooseNewtonToleranceIsMentioned) {
  const Outcome loose = call("$run gauss(2) --set newton.tol=1e6");
  EXPECT_EQ(loose.status, 0);
  EXPECT_THAT(loose.err, HasSubstr("warning: newton.tol = 1e+06"));
  EXPECT_EQ(call("$run gauss(2) --set newton.tol=1e-3").err, "");
  const Outcome unused = call("$run erk4 --set newton.max=1 --json");
  EXPECT_THAT(unused.err, HasSubstr("ignored, this run does not use it: newton.max"));
  EXPECT_THAT(unused.out, HasSubstr("\"ignored_settings\""));
}

TEST_F(Cli, TrajectoriesAreWholeOrNotThere) {
  const Outcome full = call("$run gauss(2) --trajectory /dev/full");
  EXPECT_EQ(full.status, 2);
  EXPECT_THAT(full.out, HasSubstr("status ok"));  // what was computed is shown
  EXPECT_THAT(full.err, HasSubstr("cannot write /dev/full: No space left on device"));
  printed("$run gauss(2) --trajectory @m.csv");
  EXPECT_EQ(lines("m.csv").size(), 102U);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
  const Outcome huge = call("run $two_link --method gauss(2) --h 1/1000000000 --trajectory @h.csv");
  if (huge.status == 2) {
    EXPECT_THAT(huge.err, HasSubstr("GB are free"));
  }
}

TEST_F(Cli, VerifyShowsWhatItProvedWhereItCannotWrite) {
  write("results", "a file");
  const Outcome outcome = call("verify gauss(2)");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.out, HasSubstr("verified"));
  EXPECT_THAT(outcome.err, HasSubstr("Not a directory"));
}

TEST_F(Cli, VerifyHasATimeLimit) {
  const Outcome outcome = call("verify gauss(30) gauss(2) --time-limit 0.05");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.out, HasSubstr("undecided"));
  EXPECT_THAT(outcome.err, HasSubstr("gauss(30): not decided within 0.05 s"));
}

TEST_F(Cli, OutputThatIsLostIsNoSuccess) {
  for (const Words arguments : {"list methods", "show gauss(2) --json", "$run gauss(2)", "--help",
                                "verify gauss(2)", "analyse gauss(2)"}) {
    EXPECT_EQ(Process(arguments, "/dev/full", file("err")).wait(), 2);
    EXPECT_EQ(content("err"), "daemark: cannot write standard output: No space left on device\n")
        << testing::PrintToString(arguments);
  }
}

TEST_F(Cli, SmallCoefficientsKeepTheirExponents) {
  EXPECT_THAT(call("analyse gauss(6) --x 0.1").out, HasSubstr("6.3131313131313131313131e-05"));
}

TEST_F(Cli, AReferenceThatCannotBeKeptIsUsedAndMissed) {
  write("results", "a file");
  const Outcome outcome = call(
      "run --problem two_link --formulation index1 --method gauss(2) --h 1/100 --t-end 37/100 "
      "--errors");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.out, HasSubstr("error_q"));
  EXPECT_THAT(outcome.err, HasSubstr("cannot write"));
}

}  // namespace
}  // namespace daemark
