// What is refused, and what goes to standard output.
#include "tests/experiments/cli_fixture.hpp"
#include "tests/support/gnuplot.hpp"

namespace daemark {
namespace {

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

}  // namespace
}  // namespace daemark
