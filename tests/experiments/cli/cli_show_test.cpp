#include <cmath>

#include "tests/experiments/cli_fixture.hpp"
#include "tests/support/gnuplot.hpp"

namespace daemark {
namespace {

using namespace cli_testing;  // NOLINT: the fixture is written to be read here

TEST_F(Cli, EverythingListedCanBeShown) {
  for (const std::string what :
       {"methods", "problems", "formulations", "settings", "experiments"}) {
    const json listed = value_of({"list", what, "--json"});
    ASSERT_TRUE(listed.is_array());
    EXPECT_FALSE(listed.empty()) << what;
    for (const json& entry : listed) {
      const std::string id = entry.value("id", entry.value("key", ""));
      EXPECT_EQ(value_of({"show", id, "--json"})["id"], id);
      const Outcome text = call({"show", id});
      EXPECT_EQ(text.status, 0);
      EXPECT_THAT(text.out, HasSubstr(id));
    }
  }
}

TEST_F(Cli, ShowDerivesWhatTheSourcesClaim) {
  int checked = 0;
  for (const json& entry : value_of({"list", "methods", "--json"})) {
    // Not const: what a method has no entry for (multistep families: `verify` derives it) is null.
    json shown = value_of({"show", entry["id"], "--json"});
    if (!shown["derived"].contains("order")) continue;
    for (const char* key : {"order", "stage_order", "stiffly_accurate"}) {
      if (!shown["claims"].contains(key)) continue;
      EXPECT_EQ(shown["derived"][key], shown["claims"][key]) << entry["id"] << " " << key;
      ++checked;
    }
  }
  EXPECT_GT(checked, 30);
  // Hairer & Wanner II, IV.5: s-stage Gauss 2s, Radau IIA 2s-1, Lobatto IIIC 2s-2; stage orders s,
  // s, s-1.
  const auto derived = [](const std::string& m) {
    return value_of({"show", m, "--json"})["derived"];
  };
  EXPECT_EQ(derived("gauss(4)")["order"], 8);
  EXPECT_EQ(derived("radau_iia(4)")["order"], 7);
  EXPECT_EQ(derived("radau_iia(4)")["R_at_infinity"], "0");
  EXPECT_EQ(derived("lobatto_iiic(4)")["order"], 6);
  EXPECT_EQ(derived("lobatto_iiic(4)")["stage_order"], 3);
  EXPECT_EQ(derived("gauss(4)")["R_at_infinity"], "1");
  EXPECT_EQ(derived("gauss(3)")["R_at_infinity"], "-1");
}

TEST_F(Cli, ShowPrintsExactCoefficients) {
  EXPECT_THAT(call({"show", "tr_bdf2"}).out, HasSubstr("1-sqrt(2)/2"));
  const json block = value_of({"show", "pade_block(r=3,k=2)", "--json"})["block"];
  EXPECT_EQ(block["nodes"], json({"1/3", "2/3", "1"}));
  // The last row of B with d is the 3/8 rule.
  EXPECT_EQ(block["B"][2], json({"3/8", "3/8", "1/8"}));
  EXPECT_EQ(block["d"][2], "1/8");
  EXPECT_THAT(call({"show", "gauss"}).out, HasSubstr("give the arguments"));
}

// What is refused, and what goes to standard output.

using namespace cli_testing;  // NOLINT: the fixture is written to be read here

TEST_F(Cli, JsonIsOneValueAlsoWhereTheCallIsRefused) {
  for (const Words& call_of :
       {Words{"run", "--json"}, Words{"show", "radau5", "--json"}, Words{"list", "--json"},
        Words{"nothing", "--json"}, run_of("erk5", {"--json"}),
        run_of("gauss(2)", {"--json"}, "1/3.5")}) {
    const Outcome outcome = call(call_of);
    SCOPED_TRACE(testing::PrintToString(call_of));
    EXPECT_EQ(outcome.status, 2);
    const json value = json::parse(outcome.out);
    EXPECT_EQ(value.at("status"), 2);
    EXPECT_EQ(value.at("error").get<std::string>() + "\n", outcome.err) << "the same line";
  }
  EXPECT_TRUE(value_of({"list", "formulations", "--json"}).is_array());
}

TEST_F(Cli, ATrajectoryGoesToStandardOutput) {
  const Outcome outcome = call(run_of("gauss(2)", {"--trajectory", "-"}, "1/10"));
  EXPECT_EQ(outcome.status, 0);
  std::istringstream rows(outcome.out);
  std::string line;
  std::getline(rows, line);
  EXPECT_THAT(line, StartsWith("t [s],"));
  int count = 0;
  while (std::getline(rows, line)) ++count;
  EXPECT_EQ(count, 11);
  EXPECT_THAT(outcome.err, HasSubstr("status ok"));
  const std::string kept = file("kept.csv");
  call(run_of("gauss(2)", {"--trajectory", kept}, "1/10"));
  std::ifstream in(kept);
  EXPECT_EQ(outcome.out, std::string(std::istreambuf_iterator<char>(in), {})) << "the same rows";
}

TEST_F(Cli, ARunIsDrawn) {
  NEEDS_GNUPLOT();
  const std::string plot = file("run.svg");
  EXPECT_EQ(call(run_of("gauss(2)", {"--plot", "energy,v_theta1", plot})).status, 0);
  std::ifstream in(plot);
  const std::string svg(std::istreambuf_iterator<char>(in), {});
  EXPECT_THAT(svg, HasSubstr("energy [J]"));
  EXPECT_THAT(svg, HasSubstr("v_theta1 [rad/s]"));
  expect_refused(run_of("gauss(2)", {"--plot", "energi", plot}), "did you mean 'energy'?");
}

/// Of methods that have such values under step-size control, and of no others.
TEST_F(Cli, ShowTellsTheOrderInsideSteps) {
  EXPECT_EQ(value_of({"show", "dormand_prince_5", "--json"})["inside_steps"],
            (json{{"index1", {{"q", 6}, {"v", 5}, {"lambda", 5}}}}));
  const json collocation = value_of({"show", "radau_iia(3)", "--json"})["inside_steps"];
  EXPECT_EQ(collocation["index1"], (json{{"q", 5}, {"v", 5}, {"lambda", 4}}));
  EXPECT_EQ(collocation["index3"], (json{{"q", 6}, {"v", 5}, {"lambda", 5}}));
  EXPECT_FALSE(collocation.contains("ggl"));  // steps end at output points
  for (const char* method : {"verner_8", "erk4", "radau_ia(2)"})
    EXPECT_FALSE(value_of({"show", method, "--json"}).contains("inside_steps")) << method;
}

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
