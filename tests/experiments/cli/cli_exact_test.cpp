#include <cmath>

#include "tests/experiments/cli_fixture.hpp"

namespace daemark {
namespace {

using namespace cli_testing;  // NOLINT: the fixture is written to be read here

TEST_F(Cli, AnalyseGivesTheTextbookPeriodElongation) {
  // Gauss, two stages: no decay; PE from the (2,2)-Padé approximant's phase, 2 atan(3θ'/(12 −
  // θ'²)).
  const json found = value_of({"analyse", "gauss(2)", "--x", "0.1", "--json"});
  EXPECT_EQ(found["n"], 2);
  const double theta = 2 * std::acos(-1.0) * 2 * 0.1;
  const double phase = 2 * std::atan2(theta / 2, 1 - theta * theta / 12);
  EXPECT_NEAR(found["period_elongation_percent"][0], 100 * (theta / phase - 1), 1e-10);
  EXPECT_NEAR(found["amplitude_decay_percent"][0], 0, 1e-12);
  EXPECT_NEAR(found["spectral_radius"][0], 1, 1e-14);
}

TEST_F(Cli, VerifyRefusesAFalseClaim) {
  const json report = value_of({"verify", "gauss(2)", "--json"})[0];
  EXPECT_EQ(report["order"], 4);
  // A path from the project's root, or absolute where results lie elsewhere, as here.
  const fs::path certificate = source_root() / report["certificate"].get<std::string>();
  EXPECT_EQ(json::parse(std::ifstream(certificate))["id"], "gauss(s=2)") << certificate;
  std::ofstream(file("wrong.json")) << R"({"id": "wrong", "kind": "runge_kutta",
      "claims": {"order": 3}, "A": [["1/2"]], "b": ["1"], "c": ["1/2"]})";
  const Outcome outcome = call({"verify", file("wrong.json")});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("order"));
}

/// Not a loss of amplitude, as one could think of.
TEST_F(Cli, AnalyseSaysWhatItCallsDecay) {
  EXPECT_THAT(call({"analyse", "backward_euler", "--x", "1/20"}).out, HasSubstr("damping ratio"));
}

#ifdef DAEMARK_BINARY
/// What the coefficients contradict is said by every verb, not by verify alone. By process: what
/// --tableau adds would stay among the methods of this one.
TEST_F(Cli, FalseClaimsAndInstabilityAreSaidWhereverAMethodIsUsed) {
  std::ofstream(file("kutta.json")) << R"({"id": "kutta", "kind": "runge_kutta",
      "claims": {"order": 4}, "A": [["0", "0", "0"], ["1/2", "0", "0"], ["-1", "2", "0"]],
      "b": ["1/6", "2/3", "1/6"], "c": ["0", "1/2", "1"]})";
  std::ofstream(file("unstable.json")) << R"({"id": "unstable", "kind": "multistep",
      "alpha": ["-5", "4", "1"], "beta": ["2", "4", "0"], "claims": {"order": 3}})";
  const auto said = [&](const std::string& arguments) {
    const std::string command =
        std::string(DAEMARK_BINARY) + " " + arguments + " >" + file("out") + " 2>&1";
    EXPECT_EQ(std::system(command.c_str()) & 0xff, 0) << "a signal";
    std::string all;
    for (const std::string& line : lines("out")) all += line + "\n";
    return all;
  };
  EXPECT_THAT(said("show kutta --tableau " + file("kutta.json")),
              HasSubstr("claims order 4, its coefficients have order 3"));
  EXPECT_THAT(said("show unstable --tableau " + file("unstable.json")),
              HasSubstr("not zero-stable"));
  EXPECT_THAT(said("run --problem oscillator --formulation index1 --method unstable --tableau " +
                   file("unstable.json") + " --h 1/10 --t-end 1"),
              HasSubstr("warning: unstable: not zero-stable"));
  const Outcome verified = call({"verify", file("unstable.json")});
  EXPECT_EQ(verified.status, 1);
  EXPECT_THAT(verified.out, HasSubstr("not zero-stable"));
  EXPECT_THAT(verified.err, HasSubstr("unstable: not zero-stable"));
}

/// By process: exit status, and streams kept apart.
TEST_F(Cli, Process) {
  const auto status = [&](const std::string& arguments) {
    const std::string command =
        std::string(DAEMARK_BINARY) + " " + arguments + " >" + file("out") + " 2>" + file("err");
    const int code = std::system(command.c_str());
    return WIFEXITED(code) ? WEXITSTATUS(code) : -1;
  };
  const std::string run =
      "run --problem two_link --formulation index1 --method gauss\\(2\\) --t-end 1 ";
  EXPECT_EQ(status(run + "--h 1/50 --json"), 0);
  EXPECT_EQ(json::parse(std::ifstream(file("out")))["status"], "ok");
  EXPECT_TRUE(lines("err").empty());
  EXPECT_EQ(status(run + "--h 1"), 1);
  EXPECT_EQ(status(run + "--h 0.3"), 2);
  EXPECT_TRUE(lines("out").empty());
  EXPECT_EQ(lines("err").size(), 1u);
  EXPECT_EQ(status(""), 0);
}
#endif

}  // namespace
}  // namespace daemark
