// What happens to files under results/ that are damaged, long, or written by two at once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <functional>
#include <thread>

#include "tests/experiments/scene.hpp"

namespace daemark {
namespace {

namespace fs = std::filesystem;
using test::replaced;
using test::Scene;
using testing::HasSubstr;
using testing::Not;

/// Every file below `folder` that is committed, by name.
std::map<std::string, std::string> committed(const fs::path& folder) {
  std::map<std::string, std::string> out;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().lexically_relative(folder).generic_string();
    if (entry.is_regular_file() && name[0] != '.') out[name] = read_text(entry.path()).value();
  }
  return out;
}

TEST(LongRecords, StayAsTheyAreWithoutAMarkWhereTheSourcesAreTheSame) {
  Scene scene;
  scene.make_long();
  ASSERT_EQ(scene.go(), 0) << scene.err.str();
  const auto before = committed(scene.options.results);
  fs::remove_all(scene.options.results / ".cache");  // a fresh clone
  scene.options.short_only = true;
  Services services = test::fake_services();
  services.run_cell = [](const Cell& cell) {
    EXPECT_FALSE(cell.is_long);
    return test::fake_run(cell);
  };
  ASSERT_EQ(scene.go(services), 0) << scene.err.str();
  EXPECT_EQ(committed(scene.options.results), before);
}

TEST(LongRecords, OfOtherSourcesStayWithTheirVersion) {
  Scene scene;
  scene.make_long();
  ASSERT_EQ(scene.go(test::fake_services("first-version-of-it")), 0) << scene.err.str();
  const auto before = committed(scene.options.results);
  scene.options.short_only = true;
  ASSERT_EQ(scene.go(test::fake_services("second")), 0) << scene.err.str();
  EXPECT_EQ(scene.verdict("demo-en", "b", "energy"), "contradicted") << "not undetermined";
  EXPECT_EQ(scene.verdict("demo-en", "better", "claim"), "holds");
  const std::string mark = "sources first-version-of";
  EXPECT_THAT(scene.file("demo/table1/records.jsonl"), HasSubstr("\"kept\":true"));
  EXPECT_THAT(scene.file("demo/table1/records.jsonl"), HasSubstr("\"first-version-of\""));
  EXPECT_THAT(scene.file("demo/table1/table.md"), HasSubstr("row b: computed with " + mark));
  EXPECT_THAT(scene.file("demo/table1/table.md"), HasSubstr("0.010000†"));
  EXPECT_THAT(scene.file("demo/table1/table.tex"), HasSubstr("\\dagger"));
  EXPECT_THAT(scene.file("demo/table1/table.csv"), HasSubstr(mark));
  int marked = 0;
  for (const auto& line : read_csv(scene.file("verdicts.csv"), "verdicts.csv"))
    if (line[7].find("kept, from " + mark) != std::string::npos) ++marked;
  EXPECT_GE(marked, 3) << "row b in two editions and the claims that use it";
  // A report made from the records says the same, as does a second short run.
  const auto kept = committed(scene.options.results);
  EXPECT_EQ(scene.report(), 0);
  EXPECT_EQ(committed(scene.options.results), kept);
  fs::remove_all(scene.options.results / ".cache");
  ASSERT_EQ(scene.go(test::fake_services("second")), 0);
  EXPECT_EQ(committed(scene.options.results), kept);
  // Recomputed they lose the mark.
  scene.options.short_only = false;
  ASSERT_EQ(scene.go(test::fake_services("first-version-of-it")), 0);
  EXPECT_EQ(committed(scene.options.results), before);
}

/// What `report` says of spoilt results, status 2; nothing else may change.
std::string refused_report(Scene& scene, const std::function<void(const fs::path&)>& spoil) {
  spoil(scene.options.results);
  const auto before = committed(scene.options.results);
  scene.err.str("");
  EXPECT_EQ(scene.report(), 2);
  auto after = committed(scene.options.results);
  EXPECT_EQ(after["verdicts.csv"], before.at("verdicts.csv"));
  std::erase_if(after, [](const auto& file) { return file.first.ends_with(".html"); });
  for (const auto& [name, text] : after) EXPECT_EQ(before.at(name), text) << name;
  return scene.err.str();
}

TEST(DamagedRecords, AreNamedByFileAndLineAndCostNoVerdict) {
  const char* const records = "demo/table1/records.jsonl";
  const auto said = [&](const std::function<std::string(std::string)>& edit) {
    Scene scene;
    EXPECT_EQ(scene.go(), 0);
    return refused_report(scene, [&](const fs::path& results) {
      test::write_text(results / records, edit(read_text(results / records).value()));
    });
  };
  const auto lines = [](const std::string& text, std::size_t from, std::size_t count) {
    std::size_t begin = 0;
    for (; from > 0; --from) begin = text.find('\n', begin) + 1;
    std::size_t end = begin;
    for (; count > 0; --count) end = text.find('\n', end) + 1;
    return std::pair(begin, end - begin);
  };
  EXPECT_THAT(said([&](std::string text) {
                const auto [at, size] = lines(text, 2, 1);
                return text.erase(at, size);
              }),
              HasSubstr("demo/table1/records.jsonl: no line for row "));
  EXPECT_THAT(said([&](std::string text) {
                const auto [at, size] = lines(text, 2, 1);
                return text.insert(at, text.substr(at, size));
              }),
              HasSubstr("records.jsonl, line 4: a cell that occurs before"));
  EXPECT_THAT(said([](const std::string& text) { return text.substr(0, text.size() - 40); }),
              HasSubstr("records.jsonl, line 6: no record"));
  EXPECT_THAT(said([](const std::string&) { return ""; }), HasSubstr("no line for row a"));
  EXPECT_THAT(said([](const std::string& text) { return replaced(text, "gauss", "Gauss"); }),
              HasSubstr("records.jsonl, line 1: a cell that no row has"));
  EXPECT_THAT(said([](const std::string& text) { return replaced(text, "\"ok\"", "7"); }),
              HasSubstr("no record"));
  EXPECT_THAT(said([](const std::string&) { return "[]\n"; }), HasSubstr("line 1: no record"));
}

TEST(DamagedRecords, AMissingFileOfRecordsIsNamed) {
  Scene scene;
  ASSERT_EQ(scene.go(), 0);
  EXPECT_THAT(refused_report(scene,
                             [](const fs::path& results) {
                               fs::remove(results / "demo/table1/records.jsonl");
                             }),
              HasSubstr("demo/table1/records.jsonl: no such file"));
  // The command that is named mends it.
  EXPECT_THAT(scene.err.str(), HasSubstr("`daemark reproduce demo/table1`"));
  scene.options.selection = {"demo/table1"};
  EXPECT_EQ(scene.go(), 0) << scene.err.str();
  EXPECT_EQ(scene.report(), 0);
}

TEST(DamagedRecords, WhatRecordsDetermineIsMadeAgainAndNamed) {
  Scene scene;
  ASSERT_EQ(scene.go(), 0);
  const auto before = committed(scene.options.results);
  fs::remove_all(scene.options.results / ".cache");
  for (const char* file :
       {"demo/table1/table.md", "demo/table1/conditions.csv", "demo/claims/table.md",
        "demo/table1/table.csv", "index.html", "verdicts.csv"}) {
    fs::remove(scene.options.results / file);
    scene.out.str("");
    EXPECT_EQ(scene.report(), 0);
    if (std::string(file).starts_with("demo")) {
      EXPECT_THAT(scene.out.str(), HasSubstr(std::string(file) + ": was missing"));
    }
    EXPECT_THAT(scene.out.str(), Not(HasSubstr("of no experiment")));
    EXPECT_EQ(committed(scene.options.results), before) << file;
  }
}

TEST(DamagedRecords, ARowThatTheCatalogueHasSinceIsNone) {
  Scene scene;
  const std::string end = R"("assumed")", one = R"("catalogue":{"variants":[{"cell":{},"methods":)";
  scene.edit_table(end, one + R"(["heun_2"]}]},)" + end);
  ASSERT_EQ(scene.go(), 0) << scene.err.str();
  const std::string verdicts = scene.file("verdicts.csv");
  scene.edit_table(end, one + R"(["heun_2","kutta_3"]}]},)" + end);
  EXPECT_EQ(scene.report(), 0) << scene.err.str();
  EXPECT_THAT(scene.out.str(), HasSubstr("demo/table1: not computed yet: kutta_3"));
  EXPECT_EQ(scene.file("verdicts.csv"), verdicts);
}

TEST(DamagedRecords, AnItemNeverMadeIsNoDamage) {
  Scene scene;
  ASSERT_EQ(scene.go(), 0);
  fs::remove_all(scene.options.results / "demo/claims");
  EXPECT_EQ(scene.report(), 0);
  EXPECT_THAT(scene.out.str(), HasSubstr("not reproduced yet: demo/claims"));
}

TEST(DamagedRecords, OfAnotherItemDoNotStopTheOneThatIsAsked) {
  Scene scene;
  scene.add_paper("other");
  ASSERT_EQ(scene.go(), 0) << scene.err.str();
  const std::string verdicts = scene.file("verdicts.csv");
  test::write_text(scene.options.results / "other/table1/records.jsonl", "{\n");
  fs::remove(scene.options.results / "demo/table1/table.csv");
  scene.options.selection = {"demo/table1"};
  EXPECT_EQ(scene.go(), 1);
  EXPECT_THAT(scene.err.str(), HasSubstr("other/table1/records.jsonl, line 1: no record"));
  EXPECT_NE(scene.file("demo/table1/table.csv"), "");
  const auto sorted = [](const std::string& text) {
    auto lines = read_csv(text, "");
    std::sort(lines.begin(), lines.end());
    return lines;
  };
  EXPECT_EQ(sorted(scene.file("verdicts.csv")), sorted(verdicts));
}

TEST(Check, FindsADifferenceInEveryCommittedFile) {
  Scene scene;
  ASSERT_EQ(scene.go(), 0);
  scene.options.check = true;
  ASSERT_EQ(scene.go(), 0) << scene.out.str();
  const struct {
    const char *file, *from, *to, *said;
  } edits[] = {
      {"demo/table1/table.csv", "1.0000", "1.0001", "table.csv, line"},
      {"demo/table1/table.md", "0.40000", "0.40001", "table.md, line"},
      {"demo/table1/table.md", "a has 1 J", "a has 2 J", "a has 2 J"},
      {"demo/table1/table.tex", "toprule", "hline", "table.tex, line"},
      {"demo/table1/conditions.csv", ",true", ",false", "conditions.csv, line"},
      {"demo/claims/table.md", "fails", "holds", "claims/table.md, line"},
      {"demo/claims/conditions.csv", "0 == 1", "1 == 1", "claims/conditions.csv, line"},
      {"demo/table1/records.jsonl", "\"energy_error_max\":1.0", "\"energy_error_max\":1.001",
       "measure energy_error_max: 1.001 is now 1"},
      {"demo/table1/records.jsonl", "\"not_finite\"", "\"ok\"", "status: ok is now not_finite"},
      {"demo/table1/records.jsonl", "\"t\":10.0", "\"t\":9.5", "t: 9.5 is now 10"},
      {"demo/index.html", "row b", "row c", "demo/index.html: not what the records give"},
      {"index.html", "better", "worse", "index.html: not what the records give"},
      {"verdicts.csv", "contradicted", "reproduced", "verdicts.csv: not by the records"},
  };
  for (const auto& [file, from, to, said] : edits) {
    const std::string before = scene.file(file);
    test::write_text(scene.options.results / file, replaced(before, from, to));
    EXPECT_EQ(scene.go(), 1) << file;
    EXPECT_THAT(scene.out.str(), HasSubstr(said));
    test::write_text(scene.options.results / file, before);
  }
  for (const auto& [file, text] : committed(scene.options.results)) {
    fs::remove(scene.options.results / file);
    EXPECT_EQ(scene.go(), 1) << file;
    EXPECT_THAT(scene.out.str(), HasSubstr("moved: " + file + ": no"));
    test::write_text(scene.options.results / file, text);
    if (text.size() < 20) continue;
    test::write_text(scene.options.results / file, text.substr(0, text.size() - 10));
    EXPECT_EQ(scene.go(), 1) << file << " cut";
    test::write_text(scene.options.results / file, text);
  }
  test::write_text(scene.options.results / "demo/table1/more.csv", "1\n");
  EXPECT_EQ(scene.go(), 1);
  EXPECT_THAT(scene.out.str(), HasSubstr("demo/table1/more.csv: no file of this item"));
}

TEST(TwoAtOnce, LeaveTheFilesOfOneAfterTheOther) {
  Scene alone, together;
  for (const Scene* scene : {&alone, &together})
    for (const char* id : {"p1", "p2", "p3"}) scene->add_paper(id);
  ASSERT_EQ(alone.go(), 0);
  Services services = test::fake_services();
  services.run_cell = [](const Cell& cell) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return test::fake_run(cell);
  };
  for (int round = 0; round < 10; ++round) {
    fs::remove_all(together.options.results);
    std::array<std::ostringstream, 8> out, err;
    std::array<int, 4> status{};
    {
      std::vector<std::jthread> runs;
      for (int i = 0; i < 4; ++i)
        runs.emplace_back([&, i] {
          ReproduceOptions options = together.options;
          options.jobs = 2;
          // Different items, and twice the same.
          const char* const papers[] = {"demo", "p1", "p2", "p2"};
          options.selection = {papers[i]};
          if (i == 0) options.selection.emplace_back("p3");
          status[i] = reproduce(options, services, out[i], err[i]);
        });
    }
    for (int i = 0; i < 4; ++i) EXPECT_EQ(status[i], 0) << err[i].str();
    EXPECT_EQ(committed(together.options.results), committed(alone.options.results));
  }
}

}  // namespace
}  // namespace daemark
