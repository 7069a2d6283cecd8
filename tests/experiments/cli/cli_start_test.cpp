// --init and --project: every verb that integrates begins there.
#include "tests/experiments/cli_fixture.hpp"

namespace daemark::cli_testing {
namespace {

class CliStart : public Cli {
 protected:
  json state(const std::string& problem, const std::string& t, const std::string& more = "") {
    return value_of("reference " + problem + " --t " + t + " --digits 15 --json " + more)[0];
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
        state(problem, "1/10", "--project --init " + start_file(state(problem, "1/10")));
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
  const std::string pendulum = " --problem pendulum --formulation index1 --t-end 1/10 --json ",
                    study = "converge gauss(2) --h 1/10,1/20,1/40" + pendulum;
  const json run =
      value_of("run --method gauss(3) --h 1/100 --errors" + pendulum + "--init " + init);
  EXPECT_LT(run["measures"]["error_q"].get<double>(), 1e-10);
  const json there = value_of(study + "--init " + init);
  EXPECT_NEAR(there["slope_q"].get<double>(), 4, 0.2);
  EXPECT_NE(there["error_q"], value_of(study)["error_q"]);
  EXPECT_THAT(
      call("advise pendulum --init " + init + " --t-end 1/10 --accuracy 1e-3 --seconds 1").out,
      HasSubstr(" --init " + init));
}

TEST_F(CliStart, MinimalCoordinatesStartBothForms) {
  const std::string init = write("start.json", R"({"q":["0.3","0.2"],"v":[0,0]})");
  for (const std::string formulation : {"minimal", "index2"}) {
    const json run = value_of(
        "run --problem double_pendulum --method gauss(4) --h 1/200 --t-end 1/5 --errors --json "
        "--init " +
        init + " --formulation " + formulation);
    EXPECT_LT(run["measures"]["error_q"].get<double>(), 1e-9) << formulation;
  }
}

}  // namespace
}  // namespace daemark::cli_testing
