#include "tests/experiments/cli_fixture.hpp"
#include "tests/support/gnuplot.hpp"

namespace daemark {
namespace {

using namespace cli_testing;  // NOLINT: the fixture is written to be read here

TEST_F(Cli, EverythingListedCanBeShown) {
  for (const std::string what :
       {"methods", "problems", "formulations", "settings", "experiments"}) {
    const json listed = value_of("list " + what + " --json");
    ASSERT_TRUE(listed.is_array());
    EXPECT_FALSE(listed.empty()) << what;
    for (const json& entry : listed) {
      const std::string id = entry.value("id", entry.value("key", ""));
      EXPECT_EQ(value_of("show " + id + " --json")["id"], id);
      EXPECT_THAT(printed("show " + id), HasSubstr(id));
    }
  }
}

TEST_F(Cli, ShowDerivesOrdersAndStability) {
  const json derived = value_of("show radau_iia(4) --json")["derived"];
  EXPECT_EQ(derived["order"], 7);
  EXPECT_EQ(derived["stage_order"], 4);
  EXPECT_EQ(derived["stiffly_accurate"], true);
  EXPECT_EQ(derived["R_at_infinity"], "0");
}

TEST_F(Cli, ShowPrintsExactCoefficients) {
  EXPECT_THAT(call("show tr_bdf2").out, HasSubstr("1-sqrt(2)/2"));
  const json block = value_of("show pade_block(r=3,k=2) --json")["block"];
  EXPECT_EQ(block["nodes"], json({"1/3", "2/3", "1"}));
  // The last row of B with d is the 3/8 rule.
  EXPECT_EQ(block["B"][2], json({"3/8", "3/8", "1/8"}));
  EXPECT_EQ(block["d"][2], "1/8");
  EXPECT_THAT(call("show gauss").out, HasSubstr("give the arguments"));
}

TEST_F(Cli, ATrajectoryGoesToStandardOutput) {
  const Outcome outcome = call("run $two_link --method gauss(2) --h 1/10 --trajectory -");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.err, HasSubstr("status ok"));
  printed("run $two_link --method gauss(2) --h 1/10 --trajectory @kept.csv");
  EXPECT_EQ(outcome.out, content("kept.csv"));
  EXPECT_THAT(lines("kept.csv").front(), StartsWith("t [s],"));
  EXPECT_EQ(lines("kept.csv").size(), 12u);
}

TEST_F(Cli, ARunIsDrawn) {
  NEEDS_GNUPLOT();
  printed("$run gauss(2) --plot energy,v_theta1 @run.svg");
  EXPECT_THAT(content("run.svg"), HasSubstr("energy [J]"));
  EXPECT_THAT(content("run.svg"), HasSubstr("v_theta1 [rad/s]"));
}

/// Of methods that have such values under step-size control, and of no others.
TEST_F(Cli, ShowTellsTheOrderInsideSteps) {
  EXPECT_EQ(value_of("show dormand_prince_5 --json")["inside_steps"],
            (json{{"index1", {{"q", 6}, {"v", 5}, {"lambda", 5}}}}));
  const json collocation = value_of("show radau_iia(3) --json")["inside_steps"];
  EXPECT_EQ(collocation["index1"], (json{{"q", 5}, {"v", 5}, {"lambda", 4}}));
  EXPECT_EQ(collocation["index3"], (json{{"q", 6}, {"v", 5}, {"lambda", 5}}));
  EXPECT_FALSE(collocation.contains("ggl"));  // steps end at output points
  for (const std::string method : {"verner_8", "erk4", "radau_ia(2)"})
    EXPECT_FALSE(value_of("show " + method + " --json").contains("inside_steps")) << method;
}

TEST_F(Cli, VerifyRefusesAFalseClaim) {
  const json report = value_of("verify gauss(2) --json")[0];
  EXPECT_EQ(report["order"], 4);
  // A path from the project's root, or absolute where results lie elsewhere, as here.
  const fs::path certificate = source_root() / report["certificate"].get<std::string>();
  EXPECT_EQ(json::parse(std::ifstream(certificate))["id"], "gauss(s=2)") << certificate;
  write("wrong.json", R"({"id": "wrong", "kind": "runge_kutta",
      "claims": {"order": 3}, "A": [["1/2"]], "b": ["1"], "c": ["1/2"]})");
  const Outcome outcome = call("verify @wrong.json");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("order"));
}

/// Not a loss of amplitude, as one could think of.
TEST_F(Cli, AnalyseSaysWhatItCallsDecay) {
  EXPECT_THAT(call("analyse backward_euler --x 1/20").out, HasSubstr("damping ratio"));
}

/// What the coefficients contradict is said by every verb, not by verify alone. By process: what
/// --tableau adds would stay among the methods of this one.
TEST_F(Cli, FalseClaimsAndInstabilityAreSaidWhereverAMethodIsUsed) {
  write("kutta.json", R"({"id": "kutta", "kind": "runge_kutta",
      "claims": {"order": 4}, "A": [["0", "0", "0"], ["1/2", "0", "0"], ["-1", "2", "0"]],
      "b": ["1/6", "2/3", "1/6"], "c": ["0", "1/2", "1"]})");
  write("unstable.json", R"({"id": "unstable", "kind": "multistep",
      "alpha": ["-5", "4", "1"], "beta": ["2", "4", "0"], "claims": {"order": 3}})");
  EXPECT_THAT(in_a_process("show kutta --tableau @kutta.json").said(),
              HasSubstr("claims order 4, its coefficients have order 3"));
  EXPECT_THAT(in_a_process("show unstable --tableau @unstable.json").said(),
              HasSubstr("not zero-stable"));
  EXPECT_THAT(
      in_a_process("run $oscillator --method unstable --tableau @unstable.json --h 1/10").err,
      HasSubstr("warning: unstable: not zero-stable"));
  const Outcome verified = call("verify @unstable.json");
  EXPECT_EQ(verified.status, 1);
  EXPECT_THAT(verified.out, HasSubstr("not zero-stable"));
  EXPECT_THAT(verified.err, HasSubstr("unstable: not zero-stable"));
}

/// Exit status, and streams kept apart.
TEST_F(Cli, Process) {
  const Outcome done = in_a_process("run $two_link --method gauss(2) --h 1/50 --json");
  EXPECT_EQ(done.status, 0);
  EXPECT_EQ(json::parse(done.out)["status"], "ok");
  EXPECT_EQ(done.err, "");
  EXPECT_EQ(in_a_process("run $two_link --method gauss(2) --h 1").status, 1);
  EXPECT_EQ(in_a_process("run $two_link --method gauss(2) --h 0.3").status, 2);
  EXPECT_EQ(content("out"), "");
  EXPECT_EQ(lines("err").size(), 1u);
  EXPECT_EQ(in_a_process("").status, 0);
}

}  // namespace
}  // namespace daemark
