// Mechanisms of files in the verbs.
#include "problems/system/registry.hpp"
#include "tests/experiments/cli_fixture.hpp"

namespace daemark {
namespace {

using namespace cli_testing;

TEST_F(Cli, AMechanismOfAFileIsAProblemLikeAnother) {
  const std::string path = example_file("crank_slider"), with = " --problem-file " + path;
  EXPECT_EQ(value_of("show crank_slider --json" + with)["file"], path);
  const json result = value_of(
      "run --problem crank_slider(k=300) --formulation ggl --method gauss(2) --h 1/100 --t-end "
      "1/10 --json" +
      with);
  EXPECT_EQ(result["status"], "ok");
  EXPECT_THAT(result.dump(), HasSubstr("way"));
  printed("reference crank_slider --t 1/10" + with);
  EXPECT_THAT(printed("converge gauss(2) --problem crank_slider --formulation index1 --h "
                      "1/10,1/20,1/40 --t-end 1/2" +
                      with),
              HasSubstr("slope"));
  expect_refused("reference crank_slider --t 1/10 --publish" + with, "which a file declares");
  EXPECT_FALSE(fs::exists(file("results/references")));
  const std::vector<std::string> published = problem_registry().catalogue_ids();
  EXPECT_EQ(std::count(published.begin(), published.end(), "crank_slider"), 0);
}

TEST_F(Cli, AWrongMechanismIsRefusedWithItsPlace) {
  const std::string taken = write(
      "taken.json",
      R"({"id": "pendulum", "kind": "planar", "source": "me", "bodies": [{"name": "bar", "mass": 1,
          "inertia": 1, "theta": 0}], "elements": [{"type": "revolute",
          "bodies": ["ground", "bar"], "points": [[0, 0], [1, 0]]}]})");
  expect_refused("show pendulum --problem-file " + taken, "taken in the catalogue");
  const std::string loose = write("loose.json", R"({"id": "loose", "kind": "planar",
      "source": "me", "bodies": [{"name": "bar", "mass": 1, "inertia": 1, "velocity": [1, 0]}]})");
  expect_refused("show loose --problem-file " + loose, "velocity: only with a position");
}

// A driven linkage that passes close to a singular position, where the power of the drive peaks at
// 1 MW: the energy of a run whose steps are short there and whose output points are not.
constexpr const char* four_bar_flip =
    R"json({"id": "four_bar_flip", "kind": "planar", "source": "four-bar linkage of a public thread",
      "gravity": "g", "data": [{"name": "rpm", "value": 10, "unit": "1"}, {"name": "g", "value":
      "9.81", "unit": "m/s^2"}], "define": [{"name": "Ax", "value": "4.1"}, {"name": "Ay",
      "value": "3.75"}, {"name": "Bx", "value": "1.244"}, {"name": "By", "value": "0.196"},
      {"name": "Cx", "value": "-2.32"}, {"name": "Cy", "value": "-2.293"}, {"name": "Dx", "value":
      "0.165"}, {"name": "Dy", "value": "1.322"}, {"name": "Ex", "value": "-2.591"}, {"name":
      "Ey", "value": "1.657"}, {"name": "w", "value": "2*pi*rpm/60"}, {"name": "abx", "value":
      "(Bx-Ax)/2"}, {"name": "aby", "value": "(By-Ay)/2"}, {"name": "mx", "value":
      "(Bx+Cx+Ex)/3"}, {"name": "my", "value": "(By+Cy+Ey)/3"}, {"name": "dcx", "value":
      "(Cx-Dx)/2"}, {"name": "dcy", "value": "(Cy-Dy)/2"}, {"name": "wc", "value":
      "-w*((Bx-Ax)*(Cy-Dy)-(By-Ay)*(Cx-Dx))/((Cx-Bx)*(Cy-Dy)-(Cy-By)*(Cx-Dx))"}, {"name": "wr",
      "value": "w*((Bx-Ax)*(Cy-By)-(By-Ay)*(Cx-Bx))/((Cx-Dx)*(Cy-By)-(Cy-Dy)*(Cx-Bx))"}],
      "bodies": [{"name": "crank", "mass": 1, "inertia": 1, "theta": 0, "omega": "w"}, {"name":
      "coupler", "mass": 1, "inertia": 1, "theta": 0, "omega": "wc"}, {"name": "rocker", "mass":
      1, "inertia": 1, "theta": 0, "omega": "wr"}], "elements": [{"type": "revolute", "bodies":
      ["ground", "crank"], "points": [["Ax", "Ay"], ["-abx", "-aby"]]}, {"type": "revolute",
      "bodies": ["crank", "coupler"], "points": [["abx", "aby"], ["Bx-mx", "By-my"]]}, {"type":
      "revolute", "bodies": ["coupler", "rocker"], "points": [["Cx-mx", "Cy-my"], ["dcx",
      "dcy"]]}, {"type": "revolute", "bodies": ["ground", "rocker"], "points": [["Dx", "Dy"],
      ["-dcx", "-dcy"]]}, {"type": "drive", "bodies": ["ground", "crank"], "angle": "w*t"}]})json";

TEST_F(Cli, TheWorkOfADriveIsIntegratedWithTheSteps) {
  write("flip.json", four_bar_flip);
  const std::string run =
      "run --problem four_bar_flip(rpm=-10) --problem-file @flip.json --formulation index2 "
      "--method radau_iia(3) --h 1/100 --t-end 1 --json";
  for (const std::string output : {"ends", "inside"}) {
    const json measures =
        value_of(run + " --set control.tol=1e-10 --set control.output=" + output)["measures"];
    EXPECT_LT(measures["energy_error_final"].get<double>(), 2e-4) << output;
    EXPECT_LT(measures["work_doubt_max"].get<double>(), 2e-4) << output;
  }
  // Steps of 1/100 s are too long for the peak, and the run says so.
  EXPECT_THAT(value_of(run)["not_resolved"]["energy_error"], HasSubstr("smaller steps"));
}

}  // namespace
}  // namespace daemark
