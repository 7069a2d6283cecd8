// --init and --project: every verb that integrates begins there.
#include "tests/experiments/cli_fixture.hpp"

namespace daemark::cli_testing {
namespace {

class CliStart : public Cli {
 protected:
  json state(const std::string& problem, const std::string& t, const Words& more = {}) {
    Words words = {"reference", problem, "--t", t, "--digits", "15", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return value_of(words)[0];
  }
  std::string start_file(const json& state) {
    return write("start.json", json{{"q", state["q"]}, {"v", state["v"]}}.dump());
  }
};

TEST_F(CliStart, AMotionGoesOnFromAStateOfItself) {
  for (const std::string problem : {"two_link", "heavy_top(coordinates=chart)"}) {
    SCOPED_TRACE(problem);
    const json whole = state(problem, "1/5");
    const json rest =
        state(problem, "1/10", {"--init", start_file(state(problem, "1/10")), "--project"});
    for (const char* part : {"q", "v", "lambda"})
      for (std::size_t i = 0; i < whole[part].size(); ++i)
        EXPECT_NEAR(std::stod(whole[part][i].get<std::string>()),
                    std::stod(rest[part][i].get<std::string>()), 1e-9)
            << part << i;
  }
}

TEST_F(CliStart, RunsAreMeasuredAgainstTheMotionFromThere) {
  const std::string init =
      write("start.json", R"json({"q":["1.98120*sqrt(2)/2","-1.98120*sqrt(2)/2"],"v":[0,0]})json");
  const Words pendulum = {"--problem", "pendulum", "--formulation", "index1", "--t-end", "1/10"};
  const auto with = [&](Words words, const Words& more) {
    words.insert(words.end(), pendulum.begin(), pendulum.end());
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  const json run = value_of(with({"run", "--method", "gauss(3)", "--h", "1/100", "--json"},
                                 {"--init", init, "--errors"}));
  EXPECT_LT(run["measures"]["error_q"].get<double>(), 1e-10);
  const json study =
      value_of(with({"converge", "gauss(2)", "--json"}, {"--h", "1/10,1/20,1/40", "--init", init}));
  EXPECT_NEAR(study["slope_q"].get<double>(), 4, 0.2);
  const json own = value_of(with({"converge", "gauss(2)", "--json"}, {"--h", "1/10,1/20,1/40"}));
  EXPECT_NE(study["error_q"], own["error_q"]);
  EXPECT_THAT(call({"advise", "pendulum", "--init", init, "--t-end", "1/10", "--accuracy", "1e-3",
                    "--seconds", "1"})
                  .out,
              HasSubstr(" --init " + init));
  expect_refused({"compare", "gauss(2)", "--init", init}, "accepted: --problem P");
}

TEST_F(CliStart, MinimalCoordinatesStartBothForms) {
  const std::string init = write("start.json", R"({"q":["0.3","0.2"],"v":[0,0]})");
  const Words to_end = {"--problem", "double_pendulum", "--method", "gauss(4)", "--h",
                        "1/200",     "--t-end",         "1/5",      "--init",   init,
                        "--errors"};
  for (const std::string formulation : {"minimal", "index2"}) {
    SCOPED_TRACE(formulation);
    Words words = {"run", "--json", "--formulation", formulation};
    words.insert(words.end(), to_end.begin(), to_end.end());
    EXPECT_LT(value_of(words)["measures"]["error_q"].get<double>(), 1e-9);
  }
}

}  // namespace
}  // namespace daemark::cli_testing
