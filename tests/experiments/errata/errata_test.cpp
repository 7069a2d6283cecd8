// Errata: the kinds of the real entries, and that no kind stands without the evidence it needs.
#include "experiments/errata/errata.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>

#include "base/program/paths.hpp"
#include "base/text/bad_input.hpp"

namespace daemark::exact {
namespace {

using Json = nlohmann::ordered_json;

std::filesystem::path folder() { return source_root() / "experiments"; }

Json entries_of(const std::string& paper) {
  std::ifstream stream(folder() / paper / "errata.json");
  return Json::parse(stream).at("entries");
}

Json entry_of(const std::string& paper, const std::string& place) {
  for (const Json& entry : entries_of(paper)) {
    if (entry.at("where") == place) return entry;
  }
  ADD_FAILURE() << place;
  return {};
}

Erratum run(const std::string& paper, const Json& entry) {
  return run_erratum(paper, entry, entries_of(paper));
}

/// A formula of which everything is plain: (a + 1)^2 with a wrong middle term.
Json square() {
  return {
      {"where", "eq. (1)"},
      {"kind", "wrong"},
      {"transcribed", "a^2 + a + 1"},
      {"right", "a^2 + 2 a + 1"},
      {"effect", "none"},
      {"check",
       {{"kind", "conditions"},
        {"variables", {{"a", {"1", "2", "3"}}}},
        {"printed", {{"s", "a^2+a+1"}}},
        {"right", {{"s", "a^2+2*a+1"}}},
        {"conditions",
         {{"square of a + 1", "s-(a+1)^2"}, {"s at least a^2", {{"of", "0"}, {"at_most", "s"}}}}}}},
      {"evidence",
       {{"own", {{{"where", "eq. (2)"}, {"says", "(a+1)^2"}, {"condition", "square of a + 1"}}}}}}};
}

TEST(Errata, TheEvidenceOfEveryEntryCarriesItsKind) {
  for (const Erratum& e : run_errata(folder())) {
    EXPECT_EQ(e.refusal, "") << e.paper << ", " << e.place;
    EXPECT_TRUE(e.right_holds) << e.paper << ", " << e.place << ": " << e.condition;
    EXPECT_EQ(e.printed_holds, e.kind == ErratumKind::right) << e.paper << ", " << e.place;
    EXPECT_EQ(e.evidence.empty(), e.kind == ErratumKind::right) << e.paper << ", " << e.place;
    EXPECT_FALSE(e.condition.empty());
  }
}

// The artefacts of extraction and the claims that were held against the papers without ground, as
// found by comparing the texts line by line.
TEST(Errata, WhatTheTextDamagedIsNotChargedToThePapers) {
  std::map<std::string, ErratumKind> found;
  for (const Erratum& e : run_errata(folder())) found[e.paper + "/" + e.place] = e.kind;
  const auto expect = [&](ErratumKind kind, const std::string& paper,
                          const std::vector<std::string>& places) {
    for (const std::string& place : places) {
      const auto at = found.find(paper + "/" + place);
      ASSERT_NE(at, found.end()) << paper << ", " << place;
      EXPECT_EQ(at->second, kind) << paper << ", " << place;
    }
  };
  expect(ErratumKind::damaged, "fernandez2021",
         {"eqs (13)-(15)", "eq. (38), last term", "eq. (42)", "eq. (43), first H",
          "eq. (44), first two H", "eqs (45), (50), (55), (58)", "eq. (46), first H",
          "eqs (51), (52), right side"});
  expect(ErratumKind::damaged, "li2019",
         {"EN eq. (11), rows 2 and 3 of 3B", "EN eq. (16), B",
          "EN eq. (17), rows 2 and 3 (A written with the stage 0)"});
  expect(ErratumKind::damaged, "zhang2022", {"eq. (14)"});
  expect(ErratumKind::damaged, "yang2006", {"eq. (28)"});
  expect(ErratumKind::right, "fernandez2021", {"after eq. (11)"});
  expect(ErratumKind::right, "li2019", {"eq. (12), both versions"});
  expect(ErratumKind::right, "yang2006",
         {"eqs (25), (26): \"fully equivalent to (24)\"", "eq. (20), starting inverse, m = 2"});
  expect(ErratumKind::wrong, "fernandez2021", {"eq. (39)"});
  expect(ErratumKind::open, "fernandez2021",
         {"eq. (16), first form", "eq. (25), row 2, column 1", "eq. (25), row 3, column 3"});
  expect(ErratumKind::wrong, "li2019",
         {"eq. (4), both versions", "eq. (14), both versions: Chebyshev, r = 3"});
  EXPECT_NE(run("li2019", entry_of("li2019", "eq. (14), both versions: Chebyshev, r = 3"))
                .condition.find("equals the derived (1,3) set"),
            std::string::npos);
}

TEST(Errata, WrongNeedsAProof) {
  EXPECT_EQ(run_erratum("test", square()).refusal, "");
  Json entry = square();
  entry.erase("evidence");
  EXPECT_NE(run_erratum("test", entry).refusal, "");
  entry = square();
  entry["evidence"] = Json::object();
  EXPECT_NE(run_erratum("test", entry).refusal, "");
  entry = square();
  entry["evidence"]["own"] = Json::array();
  EXPECT_NE(run_erratum("test", entry).refusal, "");
  entry = square();  // a condition that the printed form passes proves nothing
  entry["evidence"]["own"][0]["condition"] = "s at least a^2";
  EXPECT_NE(run_erratum("test", entry).refusal, "");
  entry = square();  // a formula that contradicts the right form, too
  entry["evidence"]["own"][0].erase("condition");
  entry["evidence"]["own"][0]["check"] = entry["check"];
  entry["evidence"]["own"][0]["check"]["conditions"] = {{"cube", "s-a^3"}};
  EXPECT_NE(run_erratum("test", entry).refusal, "");
}

TEST(Errata, AFormThatIsRightIsNoErratumOfAnyKind) {
  for (const char* kind : {"wrong", "open"}) {
    Json entry = square();
    entry["kind"] = kind;
    entry["check"]["printed"] = entry["check"]["right"];
    if (entry["kind"] == "open") entry["evidence"] = {{"doubt", "who knows"}};
    const Erratum e = run_erratum("test", entry);
    EXPECT_TRUE(e.printed_holds);
    EXPECT_NE(e.refusal, "") << kind;
  }
  Json entry = entry_of("li2019", "CN eq. (11)");
  entry["kind"] = "wrong";
  entry["evidence"] = {{"editions",
                        {{"here", "CN"},
                         {"there", "EN"},
                         {"form", {{"B", entry["check"]["B"]}, {"d", entry["check"]["d"]}}}}}};
  EXPECT_NE(run("li2019", entry).refusal, "");
  entry = square();  // and what fails is not right
  entry["kind"] = "right";
  entry.erase("evidence");
  EXPECT_NE(run_erratum("test", entry).refusal, "");
}

TEST(Errata, AWrongCorrectionIsRefused) {
  Json entry = square();
  entry["check"]["right"] = {{"s", "a^2+3*a+1"}};
  EXPECT_FALSE(run_erratum("test", entry).right_holds);
  EXPECT_NE(run_erratum("test", entry).refusal, "");
  entry = entry_of("li2019", "EN eq. (16), B");
  entry["check"]["right_B"][0][0] = "2081/2521";
  EXPECT_NE(run("li2019", entry).refusal, "");
}

TEST(Errata, DamageOfTheTextIsNeverCalledWrong) {
  // Every damaged entry with a proof from the paper's own formulas: the very check that fails.
  int tried = 0;
  for (const char* paper : {"fernandez2021", "yang2006", "zhang2022"}) {
    for (Json entry : entries_of(paper)) {
      if (entry.at("kind") != "damaged" || !entry["check"].contains("printed")) continue;
      Json own = {{"where", "its own equations"}, {"says", "they contradict it"}};
      own["check"] = entry["check"];
      entry["kind"] = "wrong";
      entry["evidence"] = {{"own", {own}}};
      EXPECT_NE(run(paper, entry).refusal.find("damage"), std::string::npos) << entry.at("where");
      ++tried;
    }
  }
  EXPECT_GE(tried, 9);
  Json entry = entry_of("li2019", "EN eq. (11), rows 2 and 3 of 3B");
  entry["kind"] = "wrong";
  entry["evidence"] = {
      {"own",
       {{{"where", "eq. (9)"}, {"says", "it gives another B"}, {"check", square().at("check")}}}}};
  EXPECT_NE(run("li2019", entry).refusal.find("damage"), std::string::npos);
  entry["check"].erase("right_B");  // nor by leaving out what would show it
  EXPECT_NE(run("li2019", entry).refusal, "");
}

TEST(Errata, ASecondTranscriptionMustSayTheSame) {
  Json entry = entry_of("li2019", "eq. (14), both versions: Chebyshev, r = 3");
  ASSERT_EQ(run("li2019", entry).refusal, "");
  Json changed = entry;
  changed["evidence"]["editions"]["form"]["d"][2] = "1/6";
  EXPECT_NE(run("li2019", changed).refusal, "");
  changed = entry;
  changed["evidence"]["editions"]["there"] = changed["evidence"]["editions"]["here"];
  EXPECT_NE(run("li2019", changed).refusal, "");
  // The English eq. (11) is not that of the Chinese edition, which is right.
  changed = entry_of("li2019", "EN eq. (11), rows 2 and 3 of 3B");
  const Json chinese = entry_of("li2019", "CN eq. (11)").at("check");
  changed["kind"] = "wrong";
  changed["evidence"] = {{"editions",
                          {{"here", "EN"},
                           {"there", "CN"},
                           {"form", {{"scale", "1"}, {"B", chinese["B"]}, {"d", chinese["d"]}}}}}};
  EXPECT_NE(run("li2019", changed).refusal, "");
}

TEST(Errata, DamagedNeedsItsPatternHereAndElsewhere) {
  const Json minus = entry_of("zhang2022", "eq. (14)");
  ASSERT_EQ(run("zhang2022", minus).refusal, "");
  Json entry = minus;
  entry["evidence"]["elsewhere"] = Json::array();
  EXPECT_NE(run("zhang2022", entry).refusal, "");
  entry = minus;  // a place without the pattern
  entry["evidence"]["elsewhere"][0]["transcribed"] = entry["evidence"]["elsewhere"][0]["right"];
  EXPECT_NE(run("zhang2022", entry).refusal, "");
  entry = minus;  // the texts differ by signs, the checked formulas by more
  entry["check"]["printed"]["m0"] = "7*a^2*(1+a)";
  EXPECT_NE(run("zhang2022", entry).refusal, "");
  entry = minus;
  entry["evidence"]["pattern"] = "lost_marks";
  EXPECT_NE(run("zhang2022", entry).refusal, "");
  entry["evidence"]["pattern"] = "bad_light";
  EXPECT_THROW(run("zhang2022", entry), BadInput);

  const Json shift = entry_of("li2019", "EN eq. (16), B");
  ASSERT_EQ(run("li2019", shift).refusal, "");
  entry = shift;  // one figure changed in its place is no shift
  entry["check"]["B"] = entry["check"]["right_B"];
  entry["check"]["B"][0][0] = "2081/2521";
  EXPECT_NE(run("li2019", entry).refusal, "");
  entry = shift;  // nor are other numbers
  entry["check"]["B"][1][0] = "1/7";
  EXPECT_NE(run("li2019", entry).refusal, "");
  entry = shift;
  entry["evidence"]["elsewhere"] = {{{"entry", "EN eq. (16), B"}}};
  EXPECT_NE(run("li2019", entry).refusal, "");
  entry["evidence"]["elsewhere"] = {{{"entry", "CN eq. (11)"}}};
  EXPECT_NE(run("li2019", entry).refusal, "");
}

TEST(Errata, MarksAreOnlyWhatTheTextCanLose) {
  const Json marks = entry_of("fernandez2021", "eqs (51), (52), right side");
  ASSERT_EQ(run("fernandez2021", marks).refusal, "");
  Json entry = marks;  // a letter that carries no mark cannot have lost one
  entry["evidence"]["reads"]["K"] = "f";
  EXPECT_THROW(run("fernandez2021", entry), BadInput);
  entry = marks;
  entry["evidence"]["reads"]["zeta"] = "x";
  EXPECT_THROW(run("fernandez2021", entry), BadInput);
  entry = marks;
  entry["transcribed"] = "f + K x_p - C underline(x)_p - M xi_p";
  EXPECT_NE(run("fernandez2021", entry).refusal, "");
}

TEST(Errata, OpenSaysWhatWouldDecide) {
  Json entry = square();
  entry["kind"] = "open";
  entry["evidence"] = {{"doubt", "one transcription"}};
  EXPECT_EQ(run_erratum("test", entry).refusal, "");
  entry["evidence"]["doubt"] = "";
  EXPECT_THROW(run_erratum("test", entry), BadInput);
  entry.erase("evidence");
  EXPECT_NE(run_erratum("test", entry).refusal, "");
}

TEST(Errata, WhatCannotBeReadIsNamed) {
  const auto refused = [](const std::function<void(Json&)>& spoil) {
    Json entry = square();
    spoil(entry);
    EXPECT_THROW(run_erratum("test", entry), BadInput) << entry.dump();
  };
  refused([](Json& e) { e["verdict"] = "wrong"; });
  refused([](Json& e) { e["kind"] = "misprint"; });
  refused([](Json& e) { e.erase("kind"); });
  refused([](Json& e) { e["check"]["kind"] = "oracle"; });
  refused([](Json& e) { e["check"]["proved"] = true; });
  refused([](Json& e) { e["check"]["conditions"] = Json::object(); });
  refused([](Json& e) { e["check"]["conditions"]["x"] = {{"of", "s"}, {"less", "1"}}; });
  refused([](Json& e) { e["check"]["variables"]["a"] = Json::array(); });
  refused([](Json& e) { e["evidence"]["sure"] = true; });
  refused([](Json& e) { e["evidence"]["own"][0]["page"] = 3; });
  refused([](Json& e) { e["evidence"]["own"][0]["condition"] = "no such"; });
  refused([](Json& e) { e["evidence"]["own"][0].erase("condition"); });
  refused([](Json& e) { e["evidence"]["pattern"] = "lost_minus"; });
  refused([](Json& e) { e["kind"] = "damaged"; });
  refused([](Json& e) { e["kind"] = "open"; });
  refused([](Json& e) { e["kind"] = "right"; });
}

TEST(Errata, TheTextKeepsTheKindsApart) {
  const auto results = std::filesystem::temp_directory_path() / "daemark_errata_test";
  std::filesystem::create_directories(results);
  const std::vector<Erratum> all = run_errata(folder());
  write_errata(all, results);
  std::ifstream stream(results / "errata.md");
  std::stringstream text;
  text << stream.rdbuf();
  std::size_t after = 0;
  EXPECT_NE(text.str().find(errata_rule), std::string::npos);
  EXPECT_NE(text.str().find(errata_counts(all)), std::string::npos);
  for (const ErratumKind kind : erratum_kinds) {
    const std::string name = heading(kind).substr(1);
    const auto count =
        std::count_if(all.begin(), all.end(), [&](const Erratum& e) { return e.kind == kind; });
    const std::size_t at = text.str().find(name + " (" + std::to_string(count) + ")\n", after);
    ASSERT_NE(at, std::string::npos) << name;
    after = at;
  }
  const std::string wrong = text.str().substr(0, text.str().find("## Damaged"));
  EXPECT_EQ(wrong.find("eqs (13)-(15)"), std::string::npos);
  EXPECT_NE(wrong.find("eq. (39)"), std::string::npos);
  std::filesystem::remove_all(results);
}

}  // namespace
}  // namespace daemark::exact
