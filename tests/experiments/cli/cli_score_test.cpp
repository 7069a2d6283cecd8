// daemark score: trajectories of others, judged.
#include <fmt/format.h>

#include "tests/experiments/cli_fixture.hpp"

namespace daemark {
namespace {

using namespace cli_testing;

class Score : public Cli {
 protected:
  /// A trajectory of a run, and what the run says of itself.
  json run_to(const std::string& name, const std::string& formulation = "index1") {
    return value_of("run --problem two_link --formulation " + formulation +
                    " --method gauss(2) --h 1/100 --t-end 1 --errors --json --trajectory @" + name);
  }
  json scored(const std::string& name, const std::string& more = "") {
    return value_of("score --problem two_link --json @" + name + " " + more);
  }
};

// The same quantities by the same definitions, through 17 digits of text.
TEST_F(Score, OfAnOwnRunIsWhatTheRunSays) {
  for (const char* formulation : {"index1", "minimal"}) {
    SCOPED_TRACE(formulation);
    const json run = run_to("motion.csv", formulation);
    const json score = scored("motion.csv", std::string("--formulation ") + formulation);
    EXPECT_EQ(score["rows"], 101);
    ASSERT_FALSE(score["times"].empty());
    const json& last = score["times"].back();
    EXPECT_EQ(last["t"], "1");
    EXPECT_GE(last["reference_digits"], 25);
    for (const char* name : {"error_q", "error_v"}) {
      const double measured = run["measures"][name];
      EXPECT_NEAR(last["errors"][name].get<double>(), measured, 1e-3 * measured);
    }
    const double energy = run["measures"]["energy_error_max"];
    EXPECT_NEAR(score["measures"]["energy_error_max"].get<double>(), energy, 1e-3 * energy + 1e-13);
    if (std::string(formulation) == "minimal") continue;
    for (const char* name : {"position_violation_max", "velocity_violation_max"}) {
      const double measured = run["measures"][name];
      EXPECT_NEAR(score["measures"][name].get<double>(), measured, 1e-3 * measured + 1e-14);
    }
    const double lambda = run["measures"]["error_lambda"];
    EXPECT_NEAR(last["errors"]["error_lambda"].get<double>(), lambda, 1e-3 * lambda);
  }
}

// The vector of the rotation between two orientations, not the difference of their vectors.
TEST_F(Score, OfAnOrientationHasTheErrorsOfTheRun) {
  const json measures = value_of(
      "run --problem free_rigid_body --formulation index1 --h 1/20 --t-end 5/2 --method gauss(2) "
      "--errors --trajectory @top.csv --json")["measures"];
  const json score = value_of("score @top.csv --problem free_rigid_body --json");
  const json& columns = score["times"].back()["columns"];
  int compared = 0;
  for (const json& column : columns)
    for (int i = 0; i < 3; ++i)
      if (column["name"] == std::string("psi_") + "xyz"[i]) {
        const double measured = measures[fmt::format("error_q_{}", i)];
        EXPECT_NEAR(column["error"].get<double>(), measured, 1e-6 * measured);
        ++compared;
      }
  EXPECT_EQ(compared, 3);
}

// gauss(6) holds the energy far better than the work of the drive is integrated; gauss(6) of the
// same problem without a drive has nothing in doubt.
TEST_F(Score, EnergyOfADriveIsABoundWhereItsWorkIsNotResolved) {
  const auto line = [](const std::string& problem, const std::string& h) {
    return "run --problem " + problem + " --formulation index1 --method gauss(6) --t-end 2 --h " +
           h;
  };
  const auto run = [&](const char* problem, const char* h) {
    return value_of(line(problem, h) + " --json");
  };
  EXPECT_TRUE(run("driven_pendulum", "1/5")["not_resolved"].contains("energy_error"));
  EXPECT_THAT(printed(line("driven_pendulum", "1/5")),
              testing::ContainsRegex("energy_error_max +<= "));
  EXPECT_TRUE(run("driven_pendulum", "1/20")["not_resolved"].empty());
  const json free = run("pendulum", "1/10");
  EXPECT_TRUE(free["measures"]["energy_error_max"].is_number());
  EXPECT_TRUE(free["not_resolved"].empty());
}

TEST_F(Score, TellsHowManyDigitsAnErrorTakes) {
  run_to("motion.csv");
  const json before = scored("motion.csv")["times"].back();
  Csv off = rows("motion.csv");
  off[101][1] = fmt::format("{:.17g}", std::stod(off[101][1]) + 1e-3);
  write_rows("off.csv", off);
  const json after = scored("off.csv")["times"].back();
  EXPECT_NEAR(after["columns"][0]["error"].get<double>(), 1e-3, 1e-6);
  EXPECT_NEAR(after["errors"]["error_q"].get<double>(), 1e-3, 1e-6);
  EXPECT_LT(after["digits_used"]["error_q"], before["digits_used"]["error_q"]);
}

TEST_F(Score, JudgesWhatThereIsAndSaysWhatIsMissing) {
  run_to("motion.csv");
  // The time and the first coordinate alone, without units.
  Csv part = rows("motion.csv");
  for (auto& row : part) row.resize(2);
  for (std::string& head : part[0]) head = head.substr(0, head.find(" ["));
  write_rows("part.csv", part);
  const json score = scored("part.csv");
  EXPECT_EQ(score["times"].back()["columns"].size(), 1u);
  EXPECT_TRUE(score["times"].back()["errors"].empty());
  EXPECT_TRUE(score["measures"].empty());
  EXPECT_THAT(score["not_judged"].dump(), HasSubstr("the file has no column for"));
}

TEST_F(Score, KeepsCostsApartAndSaves) {
  run_to("motion.csv");
  const json score = scored("motion.csv", "--cost evaluations=4000,seconds=0.25 --save mine");
  EXPECT_EQ(score["cost"], json({{"evaluations", 4000}, {"seconds", 0.25}}));
  json kept = json::parse(content("results/local/mine.json"));
  EXPECT_EQ(kept["name"], "mine");
  kept.erase("name");
  EXPECT_EQ(kept, score);
  EXPECT_THAT(call("score @motion.csv --problem two_link --cost steps=7").out,
              HasSubstr("cost, stated by the author"));
}

// A row beside the catalogue, with its errors and without a rank: no work of it was measured.
TEST_F(Score, KeptScoresStandBesideTheCatalogue) {
  run_to("elsewhere.csv");
  scored("elsewhere.csv", "--save elsewhere");
  printed("run $oscillator --method erk4 --h 1/50 --trajectory @motion.csv");
  printed("score @motion.csv --problem oscillator --save mine --cost evaluations=200");
  const std::string beside =
      "compare gauss(2) --problem oscillator --h 1/5,1/10 --formulation index1 --with "
      "@results/local/elsewhere.json --with ";
  const std::string outcome = printed(beside + "@results/local/mine.json");
  EXPECT_THAT(outcome, HasSubstr("  index1  mine: q "));
  EXPECT_THAT(outcome, HasSubstr("cost stated by its author: evaluations=200"));
  EXPECT_THAT(outcome, HasSubstr("as accurate in q: "));
  EXPECT_THAT(outcome, HasSubstr("left out: elsewhere is of two_link in index1"));
  int rows = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder_ / "results" / "compare")) {
    if (entry.path().filename() != "table.csv") continue;
    std::ifstream table(entry.path());
    for (std::string row; std::getline(table, row);)
      rows += row.starts_with("oscillator(omega=1),index1,mine,scored,,,") ? 1 : 0;
  }
  EXPECT_EQ(rows, 1);
  expect_refused(beside + write("other.json", "{}"), "name, problem, formulation");
}

TEST_F(Score, RefusesWhatCannotBeMeant) {
  run_to("motion.csv");
  const auto refused = [](const std::string& words, const std::string& says) {
    expect_refused("score --problem two_link @" + words, says);
  };
  const Csv right = rows("motion.csv");
  const auto spoiled = [&](int row, int column, const std::string& text, const std::string& says) {
    Csv bad = right;
    bad[row][column] = text;
    write_rows("bad.csv", bad);
    refused("bad.csv", says);
  };
  refused("missing.csv", "cannot read");
  spoiled(0, 1, "x1000", "column \"x1000\" is unknown");
  spoiled(0, 1, "x1 [mm]", "is in \"mm\"; accepted: m");
  spoiled(0, 2, "x1 [m]", "twice");
  spoiled(0, 0, "step", "accepted: a header, separated by commas, whose first column is t");
  spoiled(7, 0, "0.01", "line 8: t = 0.01 after 0.05; accepted: times that do not decrease");
  spoiled(7, 3, "nan", "line 8: \"nan\" of column");
  spoiled(7, 3, "1e999", "a finite decimal number");
  spoiled(7, 3, "1,2", "line 8");
  spoiled(7, 1, "77", "accepted: at most 0.1 (--tolerance)");
  spoiled(1, 4, "77", "accepted: the problem's start within 1e-06");
  write("empty.csv", "");
  refused("empty.csv", "the file is empty");
  write("binary.csv", std::string("\x7f\x45\x4c\x46\0\1\2", 7));
  refused("binary.csv", "accepted: a header");
  refused("motion.csv --cost cheap", "KEY=VALUE");
  refused("motion.csv --cost steps=-1", "a number >= 0");
  refused("motion.csv --save ../up", "letters, digits");
}

}  // namespace
}  // namespace daemark
