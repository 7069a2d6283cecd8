// daemark join: classical codes from a user's copy, here the stand-in for RADAU5.
#include <cstdlib>
#include <string>

#include "base/program/paths.hpp"
#include "base/program/process.hpp"
#include "base/program/write_file.hpp"
#include "tests/experiments/cli_fixture.hpp"

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
  std::string said() const { return read_text(file("said")).value_or(""); }
};

const char* const ten_times = R"("times": {"begin": 0, "spacing": 0.1, "count": 10}})";

TEST_F(Join, AJoinedCodeDescribesItselfAndIntegrates) {
  const json all = value_of({"join", "radau5=" + stand_in(), "--json"});
  EXPECT_EQ(all[0].at("code"), "RADAU5");
  EXPECT_THAT(all[0].at("variants"), HasSubstr("index3"));
  ASSERT_EQ(run_child({program(), "--describe"}, file("said"), 60).status, 0);
  EXPECT_EQ(json::parse(said()).at("equations"), true);

  const std::string mechanism =
      write("pendulum.json", std::string(R"({"problem": "pendulum", )") + ten_times);
  for (const char* variant : {"index1", "index2", "index3", "ggl"}) {
    ASSERT_EQ(run(mechanism, variant, "1e-6").status, 0) << variant << said();
    ASSERT_EQ(lines("out.csv").size(), 12) << variant;
    const json score = value_of({"score", file("out.csv"), "--problem", "pendulum", "--json"});
    // Steps of 1e-3 of a method of order 5: 1e-15 times derivatives of a motion of some rad/s.
    EXPECT_LT(score.at("times").back().at("errors").at("error_q").get<double>(), 1e-9) << variant;
  }
}

TEST_F(Join, WhatAProgramIsGivenIsChecked) {
  ASSERT_EQ(call({"join", "radau5=" + stand_in()}).status, 0);
  const std::string right =
      write("right.json", std::string(R"({"problem": "pendulum", )") + ten_times);
  EXPECT_EQ(run(right, "index7", "1e-6").status, 2);
  EXPECT_THAT(said(), HasSubstr("unknown variant; accepted: index3"));
  EXPECT_EQ(run(right, "index3", "0").status, 2);
  EXPECT_THAT(said(), HasSubstr("a number > 0, not 0"));
  EXPECT_EQ(run(file("none.json"), "index3", "1e-6").status, 2);
  EXPECT_THAT(said(), HasSubstr("cannot read"));
  EXPECT_EQ(run(write("a.json", "{}"), "index3", "1e-6").status, 2);
  EXPECT_THAT(said(), HasSubstr("has no \"begin\""));
  EXPECT_EQ(
      run(write("b.json", std::string(R"({"problem": "pendlum", )") + ten_times), "index3", "1e-6")
          .status,
      3);
  EXPECT_THAT(said(), HasSubstr("did you mean 'pendulum'"));
}

TEST_F(Join, ASolverInCIsAMethod) {
  const std::string solver = (source_root() / "bindings/examples/solver.c").string();
  ASSERT_EQ(call({"join", "rk4c=" + solver}).status, 0);
  const json study =
      value_of({"converge", "program(rk4c)", "--problem", "two_link", "--formulation", "index1",
                "--h", "1/100,1/200,1/400", "--t-end", "1", "--json"});
  EXPECT_NEAR(study.at("slope_q").get<double>(), 4, 0.2);
  std::string late = read_text(solver).value();
  const std::string time = "run.t + c[stage] * h";
  late.replace(late.find(time), time.size(), "run.t");
  ASSERT_EQ(call({"join", "late=" + write("late.c", late)}).status, 0);
  const json found = json::parse(
      call({"accept", "late", "--order", "4", "--only", "order,time", "--json"}).out);
  EXPECT_EQ(found.at("checks")[0].at("judgement"), "pass");
  EXPECT_EQ(found.at("checks")[1].at("judgement"), "fail");
  EXPECT_THAT(found.at("checks")[1].at("cause"), HasSubstr("stage times"));
  expect_refused({"accept", "./libmine.so", "--order", "4"}, "daemark join NAME=./libmine.so");
}

TEST_F(Join, AnotherVersionIsRefusedAndNothingIsLost) {
  ASSERT_EQ(call({"join", "radau5=" + stand_in()}).status, 0);
  const std::string before = read_text(program()).value();
  std::string more =
      "C     subroutine radau5(a, b)\n      SUBROUTINE RADAU5(N,FCN,X,Y,XEND,H,\n"
      "     &          RTOL,ATOL,ITOL,JAC ,IJAC,MLJAC,MUJAC, ! a remark, more\n"
      "     &          MAS ,IMAS,MLMAS,MUMAS,SOLOUT,IOUT,WORK,\n"
      "     &          LWORK,IWORK,LIWORK,RPAR,IPAR,IDID,MORE)\n      END\n";
  expect_refused({"join", "radau5=" + write("more.f", more)}, "more.f has 27 arguments, not 26");
  std::string other = read_text(stand_in()).value();
  other.replace(other.find("xend, h,"), 8, "h, xend,");
  expect_refused({"join", "radau5=" + write("other.f90", other)},
                 "argument 5 of SUBROUTINE RADAU5");
  expect_refused({"join", "radau=" + stand_in()}, "no SUBROUTINE RADAU in ");
  expect_refused({"join", "radau5=" + file("none.f")}, "no file ");
  expect_refused({"join", "radau55=" + stand_in()}, "or 'radau5'?");
  expect_refused({"join", "radau5"}, "or NAME=FILE[,FILE...]");
  std::string calls = read_text(stand_in()).value();
  calls.replace(calls.find("steps = nint"), 0, "call decomposed(n)\n  ");
  expect_refused({"join", "radau5=" + write("calls.f90", calls)}, "has: decomposed; accepted");
  calls.replace(calls.find("call decomposed"), 4, "cal ");
  expect_refused({"join", "radau5=" + write("wrong.f90", calls)}, "radau5 does not compile: ");
  setenv("FC", "no-such-compiler", 1);
  expect_refused({"join", "radau5=" + stand_in()}, "no Fortran compiler (no-such-compiler)");
  unsetenv("FC");
  EXPECT_EQ(read_text(program()).value(), before);
}

TEST_F(Cli, CodesThatCanBeJoinedAreListed) {
  const json all = value_of({"join", "--json"});
  ASSERT_FALSE(all.empty());
  for (const json& code : all) {
    EXPECT_EQ(code.at("version"), "not joined");
    EXPECT_THAT(code.at("calls").get<std::string>(), testing::MatchesRegex("[A-Z0-9]+[(].*,.*[)]"));
  }
}

}  // namespace
}  // namespace daemark::cli_testing
