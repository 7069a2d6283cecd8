#include <complex>

#include "tests/experiments/cli_fixture.hpp"

namespace daemark {
namespace {

using namespace cli_testing;  // NOLINT: the fixture is written to be read here

TEST_F(Cli, StepsOfARunAreDecimalsAndMayHoldPi) {
  printed("run $two_link --method erk4 --h 0.1");  // decimals are exact: 1 = 10 x 0.1
  const std::string run =
      printed("run --problem two_link --formulation index1 --method erk4 --h pi/1000 --t-end pi");
  EXPECT_THAT(run, HasSubstr("h = pi/1000, t-end = pi, double"));
  EXPECT_THAT(run, testing::ContainsRegex("steps +1000\n"));
}

TEST_F(Cli, SettingsAreCheckedAndReachTheRun) {
  const json tight = value_of("$run gauss(2) --json");
  const json loose = value_of("$run gauss(2) --set newton.tol=1e-2 --json");
  EXPECT_LT(loose["counts"]["newton_iterations"], tight["counts"]["newton_iterations"]);
  EXPECT_EQ(loose["provenance"]["settings"]["newton.tol"], "0.01");
}

TEST_F(Cli, RunAsJsonIsOneObjectInTheOrderShowNames) {
  const json shown = value_of("show two_link --json");
  const json run = value_of("$run gauss(3) --json --precision quad --errors");
  EXPECT_EQ(run["status"], "ok");
  EXPECT_EQ(run["t"], 1.0);
  EXPECT_EQ(run["q"].size(), shown["coordinates"]["q"].size());
  EXPECT_EQ(run["v"].size(), shown["coordinates"]["v"].size());
  EXPECT_EQ(run["lambda"].size(), shown["coordinates"]["lambda"].size());
  EXPECT_GE(run["q"][0].get<std::string>().size(), 34u) << "quad has 34 digits or more";
  EXPECT_EQ(run["provenance"]["precision"], "real50") << "the scalar that computed them";
  EXPECT_EQ(run["counts"]["steps"], 100);
  EXPECT_GT(run["seconds"], 0.0);
  for (const char* key : {"energy_error_max", "position_violation_max", "velocity_violation_max",
                          "acceleration_violation_max", "error_q", "error_v", "error_lambda"}) {
    EXPECT_TRUE(run["measures"].contains(key)) << key;
  }
  for (const char* key :
       {"revision", "dirty", "compiler", "flags", "libraries", "cpu", "precision", "settings"}) {
    EXPECT_TRUE(run["provenance"].contains(key)) << key;
  }
}

TEST_F(Cli, RunWarnsOfWhatItKnows) {
  const Outcome outcome = call(
      "run --problem four_bar(loops=1) --formulation index1 --method erk4 --h 1/100 --t-end 10 "
      "--json");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.err, HasSubstr("daemark run: warning: constraints are violated by "));
  EXPECT_EQ(json::parse(outcome.out).at("warnings").size(), 3U);
}

TEST_F(Cli, NumericalFailureIsStatusOneWithItsCause) {
  const json run = value_of("run $two_link --method pade_block(r=4,k=2) --h 1 --json", 1);
  EXPECT_EQ(run["status"], "newton_diverged");
  EXPECT_EQ(run["t"], 0.0);
  EXPECT_THAT(run["why"].get<std::string>(), HasSubstr("t = 0"));
  EXPECT_THAT(call("run $two_link --method pade_block(r=4,k=2) --h 1").out,
              HasSubstr("newton_diverged"));
}

TEST_F(Cli, ReferenceGivesTheDigitsBothRoutesAgreeOn) {
  const json states = value_of("reference pendulum --t 1/2,1 --digits 30 --json");
  ASSERT_EQ(states.size(), 2u);
  for (const json& state : states) {
    EXPECT_GE(state["agreed_digits"], 30);
    const double x = std::stod(state["q"][0].get<std::string>());
    const double y = std::stod(state["q"][1].get<std::string>());
    EXPECT_NEAR(x * x + y * y, 1.98120 * 1.98120, 1e-14) << "on the circle of the rod";
  }
  EXPECT_FALSE(fs::exists(folder_ / "results" / "references" / "pendulum.json"))
      << "a closed form is not worth storing";
  value_of("reference two_link --t 1/10 --json");
  value_of("reference two_link --t 1/5 --json");
  EXPECT_EQ(value_of("reference two_link --t 1/10,1/5 --stored --json").size(), 2u);
  EXPECT_FALSE(fs::is_empty(folder_ / "results" / ".local" / "references"));
  EXPECT_FALSE(fs::exists(folder_ / "results" / "references"))
      << "what a user asks for is not the project's result";
}

TEST_F(Cli, ConvergeFindsTheOrder) {
  const json study = value_of("converge erk4 $oscillator --h 1/10,1/20,1/40,1/80 --json");
  EXPECT_EQ(study["h"], json({0.1, 0.05, 0.025, 0.0125}));
  // erk4 multiplies q − iv by its stability function at ih, the exact motion by exp(ih). Least
  // squares over steps halved three times weigh the logarithms by 3, 1, −1, −3 tenths.
  double slope_q = 0, slope_v = 0;
  ASSERT_EQ(study["error_q"].size(), 4u);
  for (int k = 0; k < 4; ++k) {
    const std::complex<double> z(0, study["h"][k].get<double>());
    const std::complex<double> R = 1.0 + z + z * z / 2.0 + z * z * z / 6.0 + z * z * z * z / 24.0;
    const std::complex<double> error = std::pow(R, 10 << k) - std::exp(std::complex<double>(0, 1));
    // Round-off of some hundred steps beside the smallest error of 2e-10.
    EXPECT_NEAR(study["error_q"][k].get<double>(), std::abs(error.real()), 1e-14);
    EXPECT_NEAR(study["error_v"][k].get<double>(), std::abs(error.imag()), 1e-14);
    slope_q += (3 - 2 * k) / 10.0 * std::log2(study["error_q"][k].get<double>());
    slope_v += (3 - 2 * k) / 10.0 * std::log2(study["error_v"][k].get<double>());
  }
  EXPECT_NEAR(study["slope_q"].get<double>(), slope_q, 1e-12);
  EXPECT_NEAR(study["slope_v"].get<double>(), slope_v, 1e-12);
  EXPECT_TRUE(study["slope_lambda"].is_null()) << "no multipliers";
  for (const std::string ends : {"1", "1,2"})
    EXPECT_THAT(printed("converge erk4 --problem oscillator --formulation index1 --h 1/10,1/20 "
                        "--t-end " +
                        ends),
                HasSubstr("no multipliers"));
}

// The polynomial of Radau IIA with 3 stages, on index 1 to h^5 in q.
TEST_F(Cli, ConvergeInsideSteps) {
  const json found = value_of(
      "converge radau_iia(3) $pendulum --h 1/20,1/40,1/80 --precision double --inside --json");
  ASSERT_EQ(found.size(), 3U);
  // 1 lies in the middle of a step: 1/(20 + 1/2), where rounding to whole steps goes up.
  EXPECT_DOUBLE_EQ(found[0]["h"].get<double>(), 1 / 20.5);
  EXPECT_NEAR(found[2]["slope_q"].get<double>(), 5, 0.3);
  EXPECT_NEAR(found[2]["slope_v"].get<double>(), 5, 0.3);
}

TEST_F(Cli, ConvergeOverTolerances) {
  const json study =
      value_of("converge dormand_prince_5 $oscillator --h 1 --tol 1e-4,1e-6,1e-8,1e-10 --json");
  EXPECT_EQ(study["tol"], json({1e-4, 1e-6, 1e-8, 1e-10}));
  // Least squares over equal distances of log tol weigh the logarithms by 3, 1, −1, −3.
  double slope = 0;
  for (int k = 0; k < 4; ++k) {
    const json one = value_of(
        "run $oscillator --method dormand_prince_5 --h 1 --errors --json --set control.tol=1e-" +
        std::to_string(4 + 2 * k));
    EXPECT_EQ(study["error_q"][k], one["measures"]["error_q"]);
    EXPECT_EQ(study["counts"][k]["steps"], one["counts"]["steps"]);
    slope += (3 - 2 * k) / 20.0 * std::log10(study["error_q"][k].get<double>());
  }
  EXPECT_NEAR(study["slope_q"].get<double>(), slope, 1e-10);
  // The estimate is of order 4: h ~ tol^(1/5); the solution of order 5 follows tol itself, one of
  // order 4 would follow tol^(4/5).
  EXPECT_GT(study["slope_q"].get<double>(), 0.8);
  EXPECT_TRUE(study["slope_lambda"].is_null()) << "no multipliers";
}

TEST_F(Cli, InitialStateFromAFile) {
  const auto with = [&](const std::string& content) {
    return "run --problem pendulum --formulation index1 --method erk4 --h 1/1000 --t-end 1/1000 "
           "--json --init " +
           write("state.json", content);
  };
  // On the circle x^2 + y^2 = l^2 at 45 degrees, at rest.
  const json run =
      value_of(with(R"json({"q":["1.98120*sqrt(2)/2","-1.98120*sqrt(2)/2"],"v":[0,0]})json"));
  // From rest with the acceleration g/√2 along the circle, downwards to the left: x'' = −g/2 for
  // h = 1e-3 s; what comes next is of order h⁴.
  EXPECT_NEAR(std::stod(run["q"][0].get<std::string>()),
              1.98120 * std::sqrt(0.5) - 9.80665 / 2 * 1e-6 / 2, 1e-10);
  expect_refused(with(R"({"q":["1.98120","0"],"v":[1,0]})"), "lambda_length");
  expect_refused(with(R"({"q":["1.98120","0"]})"), "\"v\"");
  expect_refused(with(R"({"q":[1.98120,"0"],"v":[0,0]})"), "q 1");
  expect_refused(with(R"json({"q":["1.98120","sqrt(-1)"],"v":[0,0]})json"), "q 2");
  expect_refused(with("{"), "state.json");
}

TEST_F(Cli, AnInconsistentStateIsProjectedOnRequest) {
  const std::string state = write("state.json", R"({"q":["2.1","0"],"v":["3","1"]})");
  const Words run =
      "run --problem pendulum --formulation index1 --method erk4 --h 1/1000000 --t-end 1/1000000 "
      "--json --init " +
      state + " --project";
  // The nearest point of the circle in the metric of one mass is along the radius, the nearest
  // velocity the one without its radial part; 1e-6 s later still to 4 digits.
  const json result = value_of(run);
  EXPECT_NEAR(std::stod(result["q"][0].get<std::string>()), 1.98120, 1e-5);
  EXPECT_NEAR(std::stod(result["q"][1].get<std::string>()), 0, 1e-5);
  EXPECT_NEAR(std::stod(result["v"][0].get<std::string>()), 0, 1e-5);
  EXPECT_NEAR(std::stod(result["v"][1].get<std::string>()), 1, 1e-4);
  EXPECT_LT(result["measures"]["position_violation_max"].get<double>(), 1e-12);
  EXPECT_THAT(call(run).err, HasSubstr("positions moved by 0.119"));
}

TEST_F(Cli, ShowOfAProblemHasEquationsUnitsAndNoRoundOff) {
  for (const json& entry : value_of("list problems --json")) {
    const std::string id = entry["id"];
    SCOPED_TRACE(id);
    const json shown = value_of("show " + id + " --json");
    EXPECT_GT(shown["equations"].get<std::string>().size(), 10u);
    const json& coordinates = shown["coordinates"];
    EXPECT_EQ(coordinates["units"]["q"].size(), coordinates["q"].size());
    for (std::size_t i = 0; i < coordinates["q"].size(); ++i) {
      const std::string name = coordinates["q"][i];
      EXPECT_NE(coordinates["units"]["q"][i], "") << name;
      EXPECT_NE(coordinates["units"]["v"][i], "") << name;
    }
    EXPECT_EQ(coordinates["units"]["lambda"].size(), coordinates["lambda"].size());
    for (const json& unit : coordinates["units"]["lambda"]) EXPECT_NE(unit, "");
    for (const char* kind : {"q", "v"})
      for (const json& value : coordinates["initial"][kind]) {
        const std::string digits = value;
        const double size = std::abs(std::stod(digits));
        EXPECT_TRUE(digits == "0" || size > 1e-20) << digits;
      }
    EXPECT_THAT(call("show " + id).out, Not(HasSubstr("\n  \n")));
  }
}

TEST_F(Cli, ErrorsNameTheirComponent) {
  EXPECT_THAT(printed("$run erk4 --errors"), HasSubstr("error of theta1 [rad]"));
  EXPECT_THAT(printed("converge erk4 $two_link --h 1/20,1/40"),
              HasSubstr("the largest error of q is that of "));
}

TEST_F(Cli, MultistepFormulasShowCoefficientsOrderAndStart) {
  const json bdf = value_of("show bdf(4) --json");
  EXPECT_EQ(bdf["derived"]["order"], 4);
  EXPECT_EQ(bdf["derived"]["steps"], 4);
  EXPECT_EQ(bdf["multistep"]["alpha"].back(), "25/12");
  EXPECT_EQ(bdf["multistep"]["beta"].back(), "1");
  EXPECT_THAT(bdf["start"].get<std::string>(), HasSubstr("Radau IIA"));
  EXPECT_EQ(value_of("show ss(3,1/2) --json")["derived"]["order"], 2);
  EXPECT_EQ(value_of("show ss(3,1/2) --json")["multistep"]["alpha"].size(), 4u);
  EXPECT_THAT(call("show lms(3,0)").out, HasSubstr("starts by the trapezoidal rule"));
  const std::string verified = printed("verify bdf(4)");
  EXPECT_THAT(verified, testing::ContainsRegex("bdf\\(k=4\\) +4 +- +no"));
  EXPECT_THAT(verified, HasSubstr("no stage order: "));
  EXPECT_THAT(verified, HasSubstr("starts by Radau IIA"));
}

TEST_F(Cli, TrajectoryKeepsEveryNthStepAndTheLast) {
  printed("$run erk4 --trajectory @t.csv --every 30");
  const auto rows = lines("t.csv");
  ASSERT_EQ(rows.size(), 1u + 5u) << "head, then steps 0, 30, 60, 90, 100";
  EXPECT_THAT(rows[0], StartsWith("t [s],x1 [m],y1 [m],theta1 [rad],"));
  EXPECT_THAT(rows[0], HasSubstr(",v_x1 [m/s],"));
  EXPECT_THAT(rows[0], HasSubstr(",lambda_joint1_x [N],"));
  EXPECT_THAT(rows[0], HasSubstr(",energy_error [J],"));
  const json run = value_of("$run erk4 --json");
  EXPECT_THAT(rows.back(), StartsWith("1,"));
  const double x1 = std::stod(rows.back().substr(2));
  EXPECT_EQ(x1, std::stod(run["q"][0].get<std::string>())) << "digits read back to the same double";
}

constexpr const char* midpoint = R"({"id":"cli_test_midpoint","kind":"runge_kutta",
  "A":[["1/2"]],"b":["1"],"c":["1/2"]})";

TEST_F(Cli, TableauFromOutsideTheTree) {
  const std::string added = write("m.json", midpoint);
  const json shown = value_of("show cli_test_midpoint --tableau " + added + " --json");
  EXPECT_EQ(shown["tableau"]["A"], json({{"1/2"}}));
  EXPECT_EQ(shown["derived"]["order"], 2);
  printed("$run cli_test_midpoint --tableau " + added);  // again, same file
  expect_refused("list methods --tableau " + write("other.json", midpoint), "is taken");
  expect_refused("list methods --tableau " +
                     write("erk4.json",
                           R"({"id":"erk4","kind":"runge_kutta","A":[["0"]],"b":["1"],"c":["0"]})"),
                 "'erk4' is taken");
  const fs::path own = source_root() / "methods" / "tableaus" / "erk4.json";
  printed("show erk4 --tableau " + own.string());
  expect_refused("list methods --tableau " + write("bad.json", "{"), "bad.json");
}

}  // namespace
}  // namespace daemark
