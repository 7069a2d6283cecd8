// daemark score: all times of a closed form, energies of drives, several files, states of bodies.
#include <fmt/format.h>

#include <cmath>

#include "base/text/read_double.hpp"
#include "problems/geometry/rotation.hpp"
#include "tests/experiments/cli_fixture.hpp"

namespace daemark {
namespace {

using namespace cli_testing;

class ScoreFiles : public Cli {
 protected:
  void run_to(const std::string& name, const std::string& problem, const std::string& method,
              const std::string& h, const std::string& t_end = "1") {
    printed("run --problem " + problem + " --formulation index1 --method " + method + " --h " + h +
            " --t-end " + t_end + " --trajectory " + file(name));
  }
  json scored(const std::string& files, const std::string& problem) {
    return value_of("score --problem " + problem + " --json " + files);
  }
  /// With the header's names without units.
  Csv table(const std::string& name) {
    Csv all = rows(name);
    for (std::string& head : all[0]) head = head.substr(0, head.find(" ["));
    return all;
  }
};

double number_at(const Csv& rows, std::size_t row, const std::string& name) {
  for (std::size_t i = 0; i < rows[0].size(); ++i)
    if (rows[0][i] == name) return read_double(rows[row][i]).value();
  ADD_FAILURE() << name;
  return 0;
}

TEST_F(ScoreFiles, AClosedFormJudgesEveryTime) {
  run_to("motion.csv", "pendulum", "erk4", "1/20");
  const json score = scored("@motion.csv", "pendulum");
  ASSERT_EQ(score["times"].size(), 21u);
  EXPECT_EQ(score["times"][7]["t"], "7/20");
  double largest = 0;
  for (const json& time : score["times"])
    largest = std::max(largest, time["errors"].value("error_v", 0.0));
  EXPECT_EQ(score["measures"]["error_v_max"].get<double>(), largest);
  EXPECT_GE(largest, score["times"].back()["errors"]["error_v"].get<double>());
}

/// All velocities 1.01 times as large: the kinetic energy is 1.0201 times as large.
TEST_F(ScoreFiles, EnergyOfADriveIsComparedWithTheReference) {
  run_to("motion.csv", "driven_pendulum", "gauss(6)", "1/50");
  const json right = scored("@motion.csv", "driven_pendulum")["times"].back();
  EXPECT_LT(right["errors"].value("error_energy", 0.0), 1e-13);
  Csv rows = table("motion.csv");
  const double kinetic = number_at(rows, rows.size() - 1, "kinetic");
  for (std::size_t i = 0; i < rows[0].size(); ++i)
    if (rows[0][i].starts_with("v_"))
      rows.back()[i] = fmt::format("{:.17g}", 1.01 * read_double(rows.back()[i]).value());
  write_rows("fast.csv", rows);
  const json fast = scored("@fast.csv", "driven_pendulum")["times"].back();
  constexpr double round_off = 1e-13;  // of the potential energy, some joules
  EXPECT_NEAR(fast["errors"]["error_energy"].get<double>(), 0.0201 * kinetic, round_off);
}

TEST_F(ScoreFiles, SeveralGiveRatiosAndSlopes) {
  for (const char* n : {"20", "40", "80"})
    run_to(std::string(n) + ".csv", "pendulum", "erk4", std::string("1/") + n);
  const json orders = scored("@20.csv @40.csv @80.csv", "pendulum")["orders"];
  EXPECT_EQ(orders["t"], "1");
  const json& q = orders["errors"]["error_q"];
  ASSERT_EQ(q["slopes"].size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    const double ratio = q["errors"][i].get<double>() / q["errors"][i + 1].get<double>();
    EXPECT_DOUBLE_EQ(q["ratios"][i].get<double>(), ratio);
    EXPECT_NEAR(q["slopes"][i].get<double>(), std::log2(ratio), 1e-9);
    EXPECT_NEAR(q["slopes"][i].get<double>(), 4, 0.2);
  }
  run_to("long.csv", "pendulum", "erk4", "1/10", "2");
  // --h, or the header, in place of the spacing of rows: half the exponent.
  const double slope = q["slopes"][0];
  const auto first = [](const json& value) {
    return value["orders"]["errors"]["error_q"]["slopes"][0].get<double>();
  };
  EXPECT_NEAR(first(scored("@20.csv @40.csv --h 1/5,1/20", "pendulum")), slope / 2, 1e-9);
  write("named.csv", "# h = 1/80\n" + content("40.csv"));
  EXPECT_NEAR(first(scored("@20.csv @named.csv", "pendulum")), slope / 2, 1e-9);
  for (const auto& [more, says] : {std::pair("--h 1/20", "accepted: two files or more"),
                                   {"@40.csv --h 1/20", "states 1 step sizes for 2 files"},
                                   {"@20.csv", "not that of the file before"},
                                   {"@40.csv --save both", "single file"},
                                   {"@long.csv", "accepted: files that end together"}})
    expect_refused(std::string("score @20.csv --problem pendulum ") + more, says);
}

/// Quaternions and angular velocities in the fixed frame, of either sign and rounded, have the
/// errors of rotation vectors and angular velocities in the body's frame.
TEST_F(ScoreFiles, StatesOfBodiesStandInPlaceOfCoordinates) {
  run_to("motion.csv", "spatial_slider_crank", "gauss(2)", "1/50", "1/10");
  const Csv rows = table("motion.csv");
  Csv bodies = {{"t"}};
  for (const std::string body : {"crank", "rod", "slider"})
    for (const char* quantity :
         {"x", "y", "z", "vx", "vy", "vz", "e0", "e1", "e2", "e3", "wx", "wy", "wz"})
      bodies[0].push_back(body + "." + quantity);
  for (std::size_t row = 1; row < rows.size(); ++row) {
    bodies.push_back({rows[row][0]});
    const auto add = [&](double x) { bodies.back().push_back(fmt::format("{:.17g}", x)); };
    for (const std::string body : {"_crank", "_rod", "_slider"}) {
      const auto vector = [&](const std::array<std::string, 3>& names) {
        rotation::Vec3<double> x;
        for (int i = 0; i < 3; ++i) x[i] = number_at(rows, row, names[i] + body);
        return x;
      };
      for (const double x : vector({"x", "y", "z"})) add(x);
      for (const double x : vector({"dx", "dy", "dz"})) add(x);
      const auto p = rotation::exponential(vector({"psix", "psiy", "psiz"}));
      for (const double x : p) add(-x);
      for (const double x : rotation::rotate(p, vector({"Omega1", "Omega2", "Omega3"}))) add(x);
    }
  }
  write_rows("bodies.csv", bodies);
  const json own = scored("@motion.csv", "spatial_slider_crank");
  const json score = scored("@bodies.csv", "spatial_slider_crank");
  for (const char* name : {"error_q", "error_v"}) {
    const double error = own["times"].back()["errors"][name];
    EXPECT_NEAR(score["times"].back()["errors"][name].get<double>(), error, 1e-5 * error);
  }
  const double energy = own["measures"]["energy_error_max"];
  EXPECT_NEAR(score["measures"]["energy_error_max"].get<double>(), energy, 1e-3 * energy);
  const auto refused = [&](std::size_t row, std::size_t column, const char* text,
                           const char* says) {
    Csv bad = bodies;
    bad[row][column] = text;
    write_rows("bad.csv", bad);
    expect_refused("score @bad.csv --problem spatial_slider_crank", says);
  };
  refused(0, 8, "crank.r1", "the quaternion of crank is not complete");
  refused(0, 11, "crank.r1", "the angular velocity of crank is not complete");
  refused(0, 1, "bolt.x", "column \"bolt.x\" is unknown");
  refused(2, 7, "2", "line 3: the quaternion of crank has the length");
}

/// Names of rates and a time that stands there twice, as OpenModelica writes them.
TEST_F(ScoreFiles, ReadsRatesAndRepeatedTimes) {
  run_to("motion.csv", "pendulum", "erk4", "1/20");
  Csv rows = table("motion.csv");
  for (std::string& name : rows[0]) {
    if (name == "t") name = "\"time\"";
    if (name.starts_with("v_")) name = "\"der(" + name.substr(2) + ")\"";
  }
  rows.insert(rows.begin() + 5, rows[5]);
  write_rows("modelica.csv", rows);
  const json own = scored("@motion.csv", "pendulum"), score = scored("@modelica.csv", "pendulum");
  EXPECT_EQ(score["rows"], 22);
  EXPECT_EQ(score["times"].back()["errors"], own["times"].back()["errors"]);
}

}  // namespace
}  // namespace daemark
