// daemark join: classical codes from a user's copy, here the stand-in for RADAU5.
#include "base/program/process.hpp"
#include "tests/experiments/cli_fixture.hpp"
#include "tests/support/replaced.hpp"

namespace daemark::cli_testing {
namespace {

class Join : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    if (run_child({"gfortran", "--version"}, file("version"), 60).not_started != 0)
      GTEST_SKIP() << "gfortran is missing";
  }
  static std::string stand_in() {
    return (source_root() / "tests/bindings/radau5_stand_in.f90").string();
  }
  std::string program() const { return file("results/.local/programs/radau5/radau5"); }
  ChildEnd run(const std::string& mechanism, const std::string& variant, const std::string& tol) {
    return run_child({program(), mechanism, variant, tol, file("out.csv")}, file("said"), 60);
  }
  std::string said() const { return content("said"); }
};

std::string ten_times_of(const std::string& problem) {
  return R"({"problem": ")" + problem + R"(", "times": {"begin": 0, "spacing": 0.1, "count": 10}})";
}

TEST_F(Join, AJoinedCodeDescribesItselfAndIntegrates) {
  const json all = value_of("join radau5=" + stand_in() + " --json");
  EXPECT_EQ(all[0].at("code"), "RADAU5");
  EXPECT_THAT(all[0].at("variants"), HasSubstr("index3"));
  ASSERT_EQ(run_child({program(), "--describe"}, file("said"), 60).status, 0);
  EXPECT_EQ(json::parse(said()).at("equations"), true);

  const std::string mechanism = write("pendulum.json", ten_times_of("pendulum"));
  for (const char* variant : {"index1", "index2", "index3", "ggl"}) {
    ASSERT_EQ(run(mechanism, variant, "1e-6").status, 0) << variant << said();
    ASSERT_EQ(lines("out.csv").size(), 12) << variant;
    const json score = value_of("score @out.csv --problem pendulum --json");
    // Steps of 1e-3 of a method of order 5: 1e-15 times derivatives of a motion of some rad/s.
    EXPECT_LT(score.at("times").back().at("errors").at("error_q").get<double>(), 1e-9) << variant;
  }
}

TEST_F(Join, WhatAProgramIsGivenIsChecked) {
  printed("join radau5=" + stand_in());
  const std::string right = write("right.json", ten_times_of("pendulum"));
  const auto refused = [&](const std::string& file, const char* variant, const char* tol,
                           const char* says, int status = 2) {
    EXPECT_EQ(run(file, variant, tol).status, status);
    EXPECT_THAT(said(), HasSubstr(says));
  };
  refused(right, "index7", "1e-6", "unknown variant; accepted: index3");
  refused(right, "index3", "0", "a number > 0, not 0");
  refused(file("none.json"), "index3", "1e-6", "cannot read");
  refused(write("a.json", "{}"), "index3", "1e-6", "has no \"begin\"");
  refused(write("b.json", ten_times_of("pendlum")), "index3", "1e-6", "did you mean 'pendulum'", 3);
}

TEST_F(Join, ASolverInCIsAMethod) {
  const std::string solver = (source_root() / "bindings/examples/solver.c").string();
  printed("join rk4c=" + solver);
  const json study = value_of("converge program(rk4c) $two_link --h 1/100,1/200,1/400 --json");
  EXPECT_NEAR(study.at("slope_q").get<double>(), 4, 0.2);
  printed("join late=" + write("late.c", test::replaced(read_text(solver).value(),
                                                        "run.t + c[stage] * h", "run.t")));
  const json found = value_of("accept late --order 4 --only order,time --json", 1);
  EXPECT_EQ(found.at("checks")[0].at("judgement"), "pass");
  EXPECT_EQ(found.at("checks")[1].at("judgement"), "fail");
  EXPECT_THAT(found.at("checks")[1].at("cause"), HasSubstr("stage times"));
}

TEST_F(Join, AnotherVersionIsRefusedAndNothingIsLost) {
  printed("join radau5=" + stand_in());
  const std::string before = read_text(program()).value();
  std::string more =
      "C     subroutine radau5(a, b)\n      SUBROUTINE RADAU5(N,FCN,X,Y,XEND,H,\n"
      "     &          RTOL,ATOL,ITOL,JAC ,IJAC,MLJAC,MUJAC, ! a remark, more\n"
      "     &          MAS ,IMAS,MLMAS,MUMAS,SOLOUT,IOUT,WORK,\n"
      "     &          LWORK,IWORK,LIWORK,RPAR,IPAR,IDID,MORE)\n      END\n";
  expect_refused("join radau5=" + write("more.f", more), "more.f has 27 arguments, not 26");
  const std::string ours = read_text(stand_in()).value();
  expect_refused("join radau5=" + write("other.f90", test::replaced(ours, "xend, h,", "h, xend,")),
                 "argument 5 of SUBROUTINE RADAU5");
  expect_refused("join radau=" + stand_in(), "no SUBROUTINE RADAU in ");
  expect_refused("join radau55=" + stand_in(), "or 'radau5'?");
  const std::string calls =
      test::replaced(ours, "steps = nint", "call decomposed(n)\n  steps = nint");
  expect_refused("join radau5=" + write("calls.f90", calls), "has: decomposed; accepted");
  expect_refused("join radau5=" + write("wrong.f90", test::replaced(calls, "call dec", "cal  dec")),
                 "radau5 does not compile: ");
  setenv("FC", "no-such-compiler", 1);
  expect_refused("join radau5=" + stand_in(), "no Fortran compiler (no-such-compiler)");
  unsetenv("FC");
  EXPECT_EQ(read_text(program()).value(), before);
}

TEST_F(Cli, CodesThatCanBeJoinedAreListed) {
  const json all = value_of("join --json");
  ASSERT_FALSE(all.empty());
  for (const json& code : all) {
    EXPECT_EQ(code.at("version"), "not joined");
    EXPECT_THAT(code.at("calls").get<std::string>(), testing::MatchesRegex("[A-Z0-9]+[(].*,.*[)]"));
  }
}

}  // namespace
}  // namespace daemark::cli_testing
