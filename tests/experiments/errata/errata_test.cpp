// Errata: the kinds of the real entries, and that no kind stands without the evidence it needs.
#include "experiments/errata/errata.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>

#include "base/program/paths.hpp"
#include "base/text/bad_input.hpp"
#include "tests/support/scratch_folder.hpp"

namespace daemark::exact {
namespace {

using testing::HasSubstr;
using testing::Not;

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

/// Of an entry of `paper`; "test": of one made here.
std::string refusal_of(const std::string& paper, const Json& entry) {
  return (paper == "test" ? run_erratum(paper, entry) : run(paper, entry)).refusal;
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
  EXPECT_THAT(
      run("li2019", entry_of("li2019", "eq. (14), both versions: Chebyshev, r = 3")).condition,
      HasSubstr("equals the derived (1,3) set"));
}

/// An entry of `paper` ("test": square()) changed so that its evidence no longer supports its kind.
struct Spoilt {
  const char *what, *paper, *place;
  void (*change)(Json& entry);
};

Json evidence_of_editions(const char* here, const char* there, const Json& form) {
  return {{"editions", {{"here", here}, {"there", there}, {"form", form}}}};
}

constexpr const char* kRows = "EN eq. (11), rows 2 and 3 of 3B";
constexpr const char* kChebyshev = "eq. (14), both versions: Chebyshev, r = 3";
constexpr const char* kMarks = "eqs (51), (52), right side";

const Spoilt kSpoilt[] = {
    {"wrong without evidence", "test", "", [](Json& e) { e.erase("evidence"); }},
    {"wrong with empty evidence", "test", "", [](Json& e) { e["evidence"] = Json::object(); }},
    {"no formula named", "test", "", [](Json& e) { e["evidence"]["own"] = Json::array(); }},
    {"a condition that the printed form passes", "test", "",
     [](Json& e) { e["evidence"]["own"][0]["condition"] = "s at least a^2"; }},
    {"a formula that contradicts the right form, too", "test", "",
     [](Json& e) {
       Json& own = e["evidence"]["own"][0];
       own.erase("condition");
       own["check"] = e["check"];
       own["check"]["conditions"] = {{"cube", "s-a^3"}};
     }},
    {"a right form called wrong", "test", "",
     [](Json& e) { e["check"]["printed"] = e["check"]["right"]; }},
    {"a right form called open", "test", "",
     [](Json& e) {
       e["kind"] = "open", e["evidence"] = {{"doubt", "who knows"}};
       e["check"]["printed"] = e["check"]["right"];
     }},
    {"a form that fails called right", "test", "",
     [](Json& e) { e["kind"] = "right", e.erase("evidence"); }},
    {"open without a doubt", "test", "", [](Json& e) { e["kind"] = "open", e.erase("evidence"); }},
    {"a right set called wrong", "li2019", "CN eq. (11)",
     [](Json& e) {
       e["kind"] = "wrong";
       e["evidence"] =
           evidence_of_editions("CN", "EN", {{"B", e["check"]["B"]}, {"d", e["check"]["d"]}});
     }},
    {"a wrong correction", "test", "",
     [](Json& e) {
       e["check"]["right"] = {{"s", "a^2+3*a+1"}};
     }},
    {"a wrong correction of a set", "li2019", "EN eq. (16), B",
     [](Json& e) { e["check"]["right_B"][0][0] = "2081/2521"; }},
    {"another form in the second edition", "li2019", kChebyshev,
     [](Json& e) { e["evidence"]["editions"]["form"]["d"][2] = "1/6"; }},
    {"one edition twice", "li2019", kChebyshev,
     [](Json& e) { e["evidence"]["editions"]["there"] = e["evidence"]["editions"]["here"]; }},
    {"an edition that is right", "li2019", kRows,
     [](Json& e) {
       const Json chinese = entry_of("li2019", "CN eq. (11)").at("check");
       e["kind"] = "wrong";
       e["evidence"] = evidence_of_editions(
           "EN", "CN", {{"scale", "1"}, {"B", chinese["B"]}, {"d", chinese["d"]}});
     }},
    {"damage called wrong, without what would show it", "li2019", kRows,
     [](Json& e) {
       e["kind"] = "wrong", e["check"].erase("right_B");
       e["evidence"] = {{"own",
                         {{{"where", "eq. (9)"},
                           {"says", "it gives another B"},
                           {"check", square().at("check")}}}}};
     }},
    {"a pattern shown nowhere else", "zhang2022", "eq. (14)",
     [](Json& e) { e["evidence"]["elsewhere"] = Json::array(); }},
    {"another place without the pattern", "zhang2022", "eq. (14)",
     [](Json& e) {
       Json& other = e["evidence"]["elsewhere"][0];
       other["transcribed"] = other["right"];
     }},
    {"formulas that differ by more than signs", "zhang2022", "eq. (14)",
     [](Json& e) { e["check"]["printed"]["m0"] = "7*a^2*(1+a)"; }},
    {"another pattern", "zhang2022", "eq. (14)",
     [](Json& e) { e["evidence"]["pattern"] = "lost_marks"; }},
    {"one figure changed in its place", "li2019", "EN eq. (16), B",
     [](Json& e) {
       e["check"]["B"] = e["check"]["right_B"];
       e["check"]["B"][0][0] = "2081/2521";
     }},
    {"other numbers", "li2019", "EN eq. (16), B", [](Json& e) { e["check"]["B"][1][0] = "1/7"; }},
    {"the entry itself elsewhere", "li2019", "EN eq. (16), B",
     [](Json& e) {
       e["evidence"]["elsewhere"] = {{{"entry", "EN eq. (16), B"}}};
     }},
    {"a right entry elsewhere", "li2019", "EN eq. (16), B",
     [](Json& e) {
       e["evidence"]["elsewhere"] = {{{"entry", "CN eq. (11)"}}};
     }},
    {"more than marks lost", "fernandez2021", kMarks,
     [](Json& e) { e["transcribed"] = "f + K x_p - C underline(x)_p - M xi_p"; }},
};

TEST(Errata, AKindNeedsItsEvidence) {
  for (const auto& [what, paper, place, change] : kSpoilt) {
    Json entry = paper == std::string("test") ? square() : entry_of(paper, place);
    EXPECT_EQ(refusal_of(paper, entry), "") << what << ": unchanged";
    change(entry);
    EXPECT_NE(refusal_of(paper, entry), "") << what;
  }
  Json open = square();
  open["kind"] = "open", open["evidence"] = {{"doubt", "one transcription"}};
  EXPECT_EQ(refusal_of("test", open), "");
}

TEST(Errata, DamageOfTheTextIsNeverCalledWrong) {
  // Every damaged entry with a proof from the paper's own formulas: the very check that fails.
  int tried = 0;
  const auto refused = [&](const char* paper, Json entry, const Json& check) {
    entry["kind"] = "wrong";
    entry["evidence"] = {
        {"own", {{{"where", "its own equations"}, {"says", "another"}, {"check", check}}}}};
    EXPECT_THAT(run(paper, entry).refusal, HasSubstr("damage")) << entry.at("where");
    ++tried;
  };
  for (const char* paper : {"fernandez2021", "yang2006", "zhang2022"})
    for (const Json& entry : entries_of(paper))
      if (entry.at("kind") == "damaged" && entry.at("check").contains("printed"))
        refused(paper, entry, entry.at("check"));
  refused("li2019", entry_of("li2019", kRows), square().at("check"));
  EXPECT_GE(tried, 10);
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
  refused([](Json& e) { e["kind"] = "open", e["evidence"] = {{"doubt", ""}}; });
  const auto refused_at = [](const char* paper, const char* place, auto&& spoil) {
    Json entry = entry_of(paper, place);
    spoil(entry["evidence"]);
    EXPECT_THROW(run(paper, entry), BadInput) << entry.dump();
  };
  refused_at("zhang2022", "eq. (14)", [](Json& e) { e["pattern"] = "bad_light"; });
  // A letter without a mark cannot have lost one.
  refused_at("fernandez2021", kMarks, [](Json& e) { e["reads"]["K"] = "f"; });
  refused_at("fernandez2021", kMarks, [](Json& e) { e["reads"]["zeta"] = "x"; });
}

TEST(Errata, TheTextKeepsTheKindsApart) {
  const test::ScratchFolder scratch;
  const auto& results = scratch.path;
  const std::vector<Erratum> all = run_errata(folder());
  write_errata(all, results);
  std::ifstream stream(results / "errata.md");
  std::stringstream text;
  text << stream.rdbuf();
  std::size_t after = 0;
  EXPECT_THAT(text.str(), HasSubstr(errata_rule));
  EXPECT_THAT(text.str(), HasSubstr(errata_counts(all)));
  for (const ErratumKind kind : erratum_kinds) {
    const std::string name = heading(kind).substr(1);
    const auto count =
        std::count_if(all.begin(), all.end(), [&](const Erratum& e) { return e.kind == kind; });
    const std::size_t at = text.str().find(name + " (" + std::to_string(count) + ")\n", after);
    ASSERT_NE(at, std::string::npos) << name;
    after = at;
  }
  const std::string wrong = text.str().substr(0, text.str().find("## Damaged"));
  EXPECT_THAT(wrong, Not(HasSubstr("eqs (13)-(15)")));
  EXPECT_THAT(wrong, HasSubstr("eq. (39)"));
}

}  // namespace
}  // namespace daemark::exact
