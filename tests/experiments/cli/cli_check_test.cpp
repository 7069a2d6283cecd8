// `check`: sound mechanisms, spoiled ones, bad input, drawings.
#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <set>

#include "analysis/soundness/soundness.hpp"
#include "problems/system/registry.hpp"
#include "tests/experiments/cli_fixture.hpp"
#include "tests/support/replaced.hpp"

namespace daemark {
namespace {

using namespace cli_testing;

std::string example_text(const std::string& id) { return read_text(example_file(id)).value(); }

/// A sound file with edits must end so, with these kinds of findings alone, which say this.
constexpr const char* spoiled_files = R"json(
crank_slider 1 assembly: prismatic1
  "theta": "-asin(a*sin(up)/b)" => "theta": "-1/2"
crank_slider 1 assembly: does not close
  "points": [[0, 0], [0, 0]], "angle": 0 => "points": [[0, 5], [0, 0]], "angle": 0
crank_slider 1 velocities: prismatic1_normal
  "theta": "-asin(a*sin(up)/b)" => "theta": "-asin(a*sin(up)/b)", "omega": 3
crank_slider 0 redundancy: elements[5]
  {"type": "spring" => {"type": "revolute", "bodies": ["ground", "crank"], "points": [[0, 0], ["-a/2", 0]]}, {"type": "spring"
crank_slider 1 units: mm/s^2
  "value": "9.81" => "value": 9810
crank_slider 1 units: ft/s^2
  "value": "9.81" => "value": "32.2"
crank_slider 0 gravity: upwards
  "gravity": "g" => "gravity": "-g"
crank_slider 0 units: theta of crank = 90
  "value": "pi/2" => "value": 90
crank_slider 0 units: looks like mm
  "value": "0.3" => "value": 300
  "b", "value": "0.5" => "b", "value": 500
  "free", "value": "0.5" => "free", "value": 500
  "wall", "value": 1 => "wall", "value": 1000
crank_slider 0 units: radius of gyration
  m2*b^2/12 => m2*b^2/12*10^6
crank_slider 0 units: free length
  "free", "value": "0.5" => "free", "value": 500
crank_slider 0 units: is in mm
  "value": "0.3", "unit": "m" => "value": "0.3", "unit": "mm"
crank_slider 1 inertia: crank
  "inertia": "m1*a^2/12" => "inertia": "-m1*a^2/12"
crank_slider 1 inertia: rod
  "m2", "value": 1 => "m2", "value": -1
crank_slider 1 mass: crank, rod, slider
  "value": "1/2", "unit": "kg" => "value": 0, "unit": "kg"
  "m2", "value": 1 => "m2", "value": 0
  "m3", "value": 2 => "m3", "value": 0
crank_slider 0 scale: slider
  "m3", "value": 2 => "m3", "value": 2000000000000
crank_slider 2 nothing: nothing can move
  {"type": "spring" => {"type": "revolute", "bodies": ["ground", "slider"], "points": [["sqrt(b^2-a^2)", 0], [0, 0]]}, {"type": "spring"
crank_slider 1 assembly: drive_crank
  {"type": "spring" => {"type": "drive", "bodies": ["ground", "crank"], "angle": "t^2"}, {"type": "spring"
crank_slider 1 singular: start away
  "a", "value": "0.3" => "a", "value": "0.5"
crank_slider 0 motion singular: first motion
  "a", "value": "0.3" => "a", "value": "0.5"
  "value": "pi/2" => "value": "pi/4"
  "wall", "value": 1 => "wall", "value": -1
swing 1 inertia: triangle
  "m1/100", "m1*L^2/12", "m1*L^2/12" => "m1/100", "m1*L^2/12", "m1*L^2"
swing 1 inertia: not all positive
  ["m2*L^2/12", "m2/100", "m2*L^2/12"] => ["m2/12", "m2/100", "m2/12", "1/20", 0, 0]
swing 1 inertia: triangle
  ["m2*L^2/12", "m2/100", "m2*L^2/12"] => ["1/10", "1/10", "19/100", "98/1000", 0, 0]
swing 1 velocities: universal1
  "position": ["L", "L/2", 0] => "position": ["L", "L/2", 0], "velocity": [0, 0, 1]
swing 1 units: mm/s^2
  "value": "981/100" => "value": 9810
swing 1 assembly: distance1
  {"type": "damper" => {"type": "distance", "bodies": ["ground", "rod"], "points": [["L", 0, "L"], ["L", "L/2", 0]], "length": "6/5"}, {"type": "damper"
swing 0 units: degrees
  "position": ["L", "L/2", 0] => "position": ["L", "L/2", 0], "turn": {"axis": [0, 0, 1], "angle": 45}
swing 2 nothing: nothing can move
  "universal", "bodies": ["arm", "rod"], "at": ["L", 0, 0], => "clamp", "bodies": ["arm", "rod"],
  "axes": [[0, 0, 1], [1, 0, 0]] => "at": ["L", 0, 0]
  "type": "revolute", "bodies": ["ground", "arm"], "at": [0, 0, 0], "axis": [0, 1, 0] => "type": "clamp", "bodies": ["ground", "arm"], "at": [0, 0, 0]
swing 0 redundancy: elements[3]
  {"type": "damper" => {"type": "revolute", "bodies": ["ground", "arm"], "at": [0, 1, 0], "axis": [0, 1, 0]}, {"type": "damper"
swing 1 inertia: rod
  "m2", "value": 1 => "m2", "value": 0
swing 0 units: is in N s/mm
  "value": "1/10", "unit": "N s/m" => "value": "1/10", "unit": "N s/mm"
)json";

struct Spoiled {
  int status;
  std::set<std::string> kinds;
  std::string says, text;
};

std::vector<Spoiled> read_spoiled_files() {
  std::vector<Spoiled> all;
  std::istringstream in(spoiled_files);
  for (std::string line; std::getline(in, line);) {
    if (const std::size_t arrow = line.find(" => "); arrow != std::string::npos) {
      std::string& text = all.back().text;
      const std::string from = line.substr(2, arrow - 2);
      EXPECT_EQ(text.find(from), text.rfind(from)) << from << " occurs twice";
      text = test::replaced(text, from, line.substr(arrow + 4));
    } else if (!line.empty()) {
      std::istringstream words(line.substr(0, line.find(':')));
      Spoiled& one = all.emplace_back();
      std::string file;
      words >> file >> one.status;
      for (std::string kind; words >> kind;)
        if (kind != "nothing") one.kinds.insert(kind);
      one.says = line.substr(line.find(':') + 2), one.text = example_text(file);
    }
  }
  return all;
}

TEST_F(Cli, CheckNamesWhatIsWrongWithSpoiledFilesAndNothingElse) {
  for (const Spoiled& spoiled : read_spoiled_files()) {
    write("spoiled.json", spoiled.text);
    const json found = value_of("check @spoiled.json --json --time-limit 2", spoiled.status);
    std::set<std::string> kinds;
    std::string said = found.value("error", "");
    bool wrong = false;
    for (const json& finding : found.value("findings", json::array())) {
      kinds.insert(finding.at("kind").get<std::string>());
      wrong = wrong || finding.at("level") == "wrong";
      for (const char* part : {"where", "what", "mend"}) {
        EXPECT_NE(finding.at(part), "");
        said += finding.at(part).get<std::string>() + "; ";
      }
    }
    EXPECT_EQ(kinds, spoiled.kinds) << said;
    EXPECT_EQ(wrong, spoiled.status == 1) << said;
    EXPECT_THAT(said, HasSubstr(spoiled.says));
  }
}

TEST_F(Cli, CheckFindsNothingInSoundFiles) {
  for (const char* id : {"crank_slider", "swing", "axle", "flexible_arm"}) {
    const std::string path = write("sound.json", example_text(id));
    EXPECT_THAT(printed("check " + path), StartsWith(std::string(id) + ": sound\n"));
  }
}

/// No exceptions: physical or not, no problem of the catalogue is called wrong, and no number of
/// one looks like other units.
TEST_F(Cli, CheckRaisesNoFalseAlarmInTheCatalogue) {
  constexpr double seconds = 0.5;
  for (const std::string& id : problem_registry().catalogue_ids())
    for (const Finding& finding : check_soundness(id, seconds).findings) {
      EXPECT_FALSE(finding.wrong) << id << ": " << finding.what;
      EXPECT_STRNE(finding.kind, "units") << id << ": " << finding.what;
      EXPECT_STRNE(finding.kind, "scale") << id << ": " << finding.what;
    }
}

TEST_F(Cli, CheckCountsRedundantRowsAndTheJointsThatMakeThem) {
  for (int k = 0; k <= 4; ++k)
    for (const char* other : {"", "seed=7,bodies=6,loops=2,"}) {
      const RowFacts rows =
          check_soundness(fmt::format("generated({}redundancy={})", other, k), 1).rows;
      EXPECT_EQ(rows.joints.size(), k) << other;
      EXPECT_EQ(rows.rows - rows.rank, 2 * k) << other;
      EXPECT_EQ(rows.redundant.size(), 2 * k) << other;
    }
  for (const char* call : {"bricard", "bricard(coordinates=absolute)"}) {
    const RowFacts rows = check_soundness(call, 1).rows;
    EXPECT_EQ(rows.redundant.size(), 1) << call;
    EXPECT_EQ(rows.joints.size(), 1) << call;
    EXPECT_EQ(rows.freedom(), 1) << call;
  }
}

/// Crank and rod of length 1 stand upright after ∫ dθ/θ' from π/4 to π/2, with θ' from the energy
/// (1/3 + sin²θ) θ'² + g sin θ; by Simpson's rule.
TEST_F(Cli, CheckTellsWhenTheFirstMotionIsSingular) {
  constexpr double pi = std::numbers::pi, g = 9.81;
  const auto inertia = [](double angle) { return 1.0 / 3 + std::pow(std::sin(angle), 2); };
  const double spin = 4 / (2 * std::sin(pi / 4)),
               energy = inertia(pi / 4) * spin * spin + g * std::sin(pi / 4);
  constexpr int parts = 1000;
  double right = 0;
  for (int i = 0; i <= parts; ++i) {
    const double angle = pi / 4 * (1 + static_cast<double>(i) / parts);
    const double weight = i == 0 || i == parts ? 1 : i % 2 == 1 ? 4 : 2;
    right +=
        weight * pi / 4 / parts / 3 * std::sqrt(inertia(angle) / (energy - g * std::sin(angle)));
  }
  const FirstMotion motion = check_soundness("slider_crank").motion;
  ASSERT_FALSE(motion.dips.empty());
  EXPECT_NEAR(motion.dips.front().t, right, 1e-5);
  EXPECT_LT(motion.dips.front().share, 1e-6);
}

TEST_F(Cli, CheckFindsConservedQuantities) {
  using testing::ElementsAre;
  EXPECT_THAT(check_soundness("heavy_top").motion.conserved,
              ElementsAre("energy", "moment of momentum about the origin, z"));
  const std::string pair = write("pair.json", R"({"id": "pair", "kind": "planar", "source": "test",
      "bodies": [{"name": "a", "mass": 1, "inertia": 1, "omega": 2},
                 {"name": "b", "mass": 2, "inertia": 1, "position": [3, 0], "velocity": [0, 1]}],
      "elements": [{"type": "spring", "bodies": ["a", "b"], "points": [[1, 0], [0, 0]],
                    "stiffness": 5, "free_length": 1}]})");
  EXPECT_THAT(check_soundness(pair).motion.conserved,
              ElementsAre("energy", "momentum along x", "momentum along y",
                          "moment of momentum about the origin, z"));
}

TEST_F(Cli, CheckTakesMechanismsWithoutConstraintsAndDriven) {
  const std::string free = write("loose.json", R"({"id": "loose", "kind": "planar",
      "source": "test", "bodies": [{"name": "bar", "mass": 1, "inertia": 1}]})");
  const json found = value_of("check " + free + " --json");
  EXPECT_EQ(found["facts"]["degrees_of_freedom"], 3);
  EXPECT_EQ(found["verdict"], "sound");
  const std::string driven = write("driven.json", R"({"id": "driven", "kind": "planar",
      "source": "test", "bodies": [{"name": "bar", "mass": 1, "inertia": 1}], "elements": [
      {"type": "revolute", "bodies": ["ground", "bar"], "points": [[0, 0], [1, 0]]},
      {"type": "drive", "bodies": ["ground", "bar"], "angle": "t^2"}]})");
  EXPECT_THAT(printed("check " + driven), HasSubstr("0, drives prescribe the motion"));
}

TEST_F(Cli, CheckRefusesWhatIsNoMechanism) {
  expect_refused("check " + write("text.json", "hello"), "text.json");
  expect_refused("check " + write("none.json", R"({"id": "none", "kind": "planar", "source": "test",
                                                  "bodies": []})"),
                 "none");
  for (const char* bodies : {"[\"a\"]", "[1, 2]", "7"})
    expect_refused("check " + write("drive.json", fmt::format(R"({{"id": "e", "kind": "planar",
        "source": "test", "bodies": [{{"name": "a", "mass": 1}}],
        "elements": [{{"type": "drive", "bodies": {}, "angle": "t"}}]}})",
                                                              bodies)),
                   "elements[1]");
}

TEST_F(Cli, CheckDrawsTheStartAndTheMotion) {
  printed("check two_link --drawing @start.svg --animate @motion.html");
  EXPECT_THAT(content("start.svg"), HasSubstr("<svg"));
  EXPECT_THAT(content("motion.html"), HasSubstr("radau_iia"));
}

}  // namespace
}  // namespace daemark
