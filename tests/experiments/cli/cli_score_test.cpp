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
    return value_of(run_of("gauss(2)", {"--trajectory", file(name), "--errors", "--json"}, "1/100",
                           formulation));
  }
  json scored(const std::string& name, Words more = {}) {
    Words all = {"score", file(name), "--problem", "two_link", "--json"};
    all.insert(all.end(), more.begin(), more.end());
    return value_of(all);
  }
  /// The lines of a file with another header, and cells changed by `change(row, column, text)`.
  template <class Change>
  void rewrite(const std::string& from, const std::string& to, Change change) {
    std::ostringstream out;
    int row = 0;
    for (const std::string& line : lines(from)) {
      std::istringstream cells(line);
      int column = 0;
      for (std::string cell; std::getline(cells, cell, ','); ++column)
        out << (column > 0 ? "," : "") << change(row, column, cell);
      out << "\n";
      ++row;
    }
    write(to, out.str());
  }
};

// The same quantities by the same definitions, through 17 digits of text.
TEST_F(Score, OfAnOwnRunIsWhatTheRunSays) {
  for (const char* formulation : {"index1", "minimal"}) {
    SCOPED_TRACE(formulation);
    const json run = run_to("motion.csv", formulation);
    const json score = scored("motion.csv", {"--formulation", formulation});
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
  const Words run = {"run",      "--problem", "free_rigid_body", "--formulation", "index1",
                     "--h",      "1/20",      "--t-end",         "5/2",           "--method",
                     "gauss(2)", "--errors",  "--trajectory",    file("top.csv"), "--json"};
  const json measures = value_of(run)["measures"];
  const json score = value_of({"score", file("top.csv"), "--problem", "free_rigid_body", "--json"});
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
  const auto run = [](const char* problem, const char* h) {
    return value_of({"run", "--problem", problem, "--formulation", "index1", "--method", "gauss(6)",
                     "--h", h, "--t-end", "2", "--json"});
  };
  EXPECT_TRUE(run("driven_pendulum", "1/5")["not_resolved"].contains("energy_error"));
  const Outcome shown = call({"run", "--problem", "driven_pendulum", "--formulation", "index1",
                              "--method", "gauss(6)", "--h", "1/5", "--t-end", "2"});
  EXPECT_THAT(shown.out, testing::ContainsRegex("energy_error_max +<= "));
  EXPECT_TRUE(run("driven_pendulum", "1/20")["not_resolved"].empty());
  const json free = run("pendulum", "1/10");
  EXPECT_TRUE(free["measures"]["energy_error_max"].is_number());
  EXPECT_TRUE(free["not_resolved"].empty());
}

TEST_F(Score, TellsHowManyDigitsAnErrorTakes) {
  run_to("motion.csv");
  const json before = scored("motion.csv")["times"].back();
  rewrite("motion.csv", "off.csv", [](int row, int column, const std::string& cell) {
    return row == 101 && column == 1 ? fmt::format("{:.17g}", std::stod(cell) + 1e-3) : cell;
  });
  const json after = scored("off.csv")["times"].back();
  EXPECT_NEAR(after["columns"][0]["error"].get<double>(), 1e-3, 1e-6);
  EXPECT_NEAR(after["errors"]["error_q"].get<double>(), 1e-3, 1e-6);
  EXPECT_LT(after["digits_used"]["error_q"], before["digits_used"]["error_q"]);
}

TEST_F(Score, JudgesWhatThereIsAndSaysWhatIsMissing) {
  run_to("motion.csv");
  const std::string header = lines("motion.csv").front();
  // The time and the first coordinate alone, without units.
  std::string text;
  for (const std::string& line : lines("motion.csv"))
    text += line.substr(0, line.find(',', line.find(',') + 1)) + "\n";
  text.replace(0, text.find('\n'),
               "t," + header.substr(header.find(',') + 1,
                                    header.find(" [", header.find(',')) - header.find(',') - 1));
  write("part.csv", text);
  const json score = scored("part.csv");
  EXPECT_EQ(score["times"].back()["columns"].size(), 1u);
  EXPECT_TRUE(score["times"].back()["errors"].empty());
  EXPECT_TRUE(score["measures"].empty());
  EXPECT_THAT(score["not_judged"].dump(), HasSubstr("the file has no column for"));
}

TEST_F(Score, KeepsCostsApartAndSaves) {
  run_to("motion.csv");
  const json score =
      scored("motion.csv", {"--cost", "evaluations=4000,seconds=0.25", "--save", "mine"});
  EXPECT_EQ(score["cost"], json({{"evaluations", 4000}, {"seconds", 0.25}}));
  std::ifstream saved(folder_ / "results" / "local" / "mine.json");
  json kept = json::parse(saved);
  EXPECT_EQ(kept["name"], "mine");
  kept.erase("name");
  EXPECT_EQ(kept, score);
  EXPECT_THAT(call({"score", file("motion.csv"), "--problem", "two_link", "--cost", "steps=7"}).out,
              HasSubstr("cost, stated by the author"));
}

// A row beside the catalogue, with its errors and without a rank: no work of it was measured.
TEST_F(Score, KeptScoresStandBesideTheCatalogue) {
  run_to("elsewhere.csv");
  scored("elsewhere.csv", {"--save", "elsewhere"});
  ASSERT_EQ(call({"run", "--problem", "oscillator", "--formulation", "index1", "--method", "erk4",
                  "--h", "1/50", "--t-end", "1", "--trajectory", file("motion.csv")})
                .status,
            0);
  ASSERT_EQ(call({"score", file("motion.csv"), "--problem", "oscillator", "--save", "mine",
                  "--cost", "evaluations=200"})
                .status,
            0);
  const std::string other = write("other.json", "{}");
  const auto beside = [&](const std::string& kept) {
    return Words{"compare", "gauss(2)", "--problem",     "oscillator",
                 "--h",     "1/5,1/10", "--formulation", "index1",
                 "--with",  kept,       "--with",        file("results/local/elsewhere.json")};
  };
  const Outcome outcome = call(beside(file("results/local/mine.json")));
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("  index1  mine: q "));
  EXPECT_THAT(outcome.out, HasSubstr("cost stated by its author: evaluations=200"));
  EXPECT_THAT(outcome.out, HasSubstr("as accurate in q: "));
  EXPECT_THAT(outcome.out, HasSubstr("left out: elsewhere is of two_link in index1"));
  int rows = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder_ / "results" / "compare")) {
    if (entry.path().filename() != "table.csv") continue;
    std::ifstream table(entry.path());
    for (std::string row; std::getline(table, row);)
      rows += row.starts_with("oscillator(omega=1),index1,mine,scored,,,") ? 1 : 0;
  }
  EXPECT_EQ(rows, 1);
  expect_refused(beside(other), "name, problem, formulation");
}

TEST_F(Score, RefusesWhatCannotBeMeant) {
  run_to("motion.csv");
  const auto refused = [&](const std::string& name, const std::string& says,
                           const Words& more = {}) {
    Words all = {"score", file(name), "--problem", "two_link"};
    all.insert(all.end(), more.begin(), more.end());
    expect_refused(all, says);
  };
  const auto with = [&](int at_row, int at_column, const std::string& text) {
    rewrite("motion.csv", "bad.csv", [&](int row, int column, const std::string& cell) {
      return row == at_row && column == at_column ? text : cell;
    });
  };
  refused("missing.csv", "cannot read");
  with(0, 1, "x1000");
  refused("bad.csv", "column \"x1000\" is unknown");
  with(0, 1, "x1 [mm]");
  refused("bad.csv", "is in \"mm\"; accepted: m");
  with(0, 2, lines("motion.csv").front().substr(6, 6));
  refused("bad.csv", "twice");
  with(0, 0, "step");
  refused("bad.csv", "accepted: a header, separated by commas, whose first column is t");
  with(7, 0, "0.01");
  refused("bad.csv", "line 8: t = 0.01 after 0.05; accepted: times that do not decrease");
  with(7, 3, "nan");
  refused("bad.csv", "line 8: \"nan\" of column");
  with(7, 3, "1e999");
  refused("bad.csv", "a finite decimal number");
  with(7, 3, "1,2");
  refused("bad.csv", "line 8");
  with(7, 1, "77");
  refused("bad.csv", "accepted: at most 0.1 (--tolerance)");
  with(1, 4, "77");
  refused("bad.csv", "accepted: the problem's start within 1e-06");
  write("empty.csv", "");
  refused("empty.csv", "the file is empty");
  write("binary.csv", std::string("\x7f\x45\x4c\x46\0\1\2", 7));
  refused("binary.csv", "accepted: a header");
  refused("motion.csv", "KEY=VALUE", {"--cost", "cheap"});
  refused("motion.csv", "a number >= 0", {"--cost", "steps=-1"});
  refused("motion.csv", "letters, digits", {"--save", "../up"});
}

}  // namespace
}  // namespace daemark
