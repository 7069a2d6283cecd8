#include "tests/experiments/cli_fixture.hpp"

namespace daemark {
namespace {

using namespace cli_testing;  // NOLINT: the fixture is written to be read here

TEST_F(Cli, EverythingListedCanBeShown) {
  for (const std::string what :
       {"methods", "problems", "formulations", "settings", "experiments"}) {
    const json listed = value_of({"list", what, "--json"});
    ASSERT_TRUE(listed.is_array());
    EXPECT_FALSE(listed.empty()) << what;
    for (const json& entry : listed) {
      const std::string id = entry.value("id", entry.value("key", ""));
      EXPECT_EQ(value_of({"show", id, "--json"})["id"], id);
      const Outcome text = call({"show", id});
      EXPECT_EQ(text.status, 0);
      EXPECT_THAT(text.out, HasSubstr(id));
    }
  }
}

TEST_F(Cli, ShowDerivesWhatTheSourcesClaim) {
  int checked = 0;
  for (const json& entry : value_of({"list", "methods", "--json"})) {
    // Not const: what a method has no entry for (multistep families: `verify` derives it) is null.
    json shown = value_of({"show", entry["id"], "--json"});
    if (!shown["derived"].contains("order")) continue;
    for (const char* key : {"order", "stage_order", "stiffly_accurate"}) {
      if (!shown["claims"].contains(key)) continue;
      EXPECT_EQ(shown["derived"][key], shown["claims"][key]) << entry["id"] << " " << key;
      ++checked;
    }
  }
  EXPECT_GT(checked, 30);
  // Hairer & Wanner II, IV.5: s-stage Gauss 2s, Radau IIA 2s-1, Lobatto IIIC 2s-2; stage orders s,
  // s, s-1.
  const auto derived = [](const std::string& m) {
    return value_of({"show", m, "--json"})["derived"];
  };
  EXPECT_EQ(derived("gauss(4)")["order"], 8);
  EXPECT_EQ(derived("radau_iia(4)")["order"], 7);
  EXPECT_EQ(derived("radau_iia(4)")["R_at_infinity"], "0");
  EXPECT_EQ(derived("lobatto_iiic(4)")["order"], 6);
  EXPECT_EQ(derived("lobatto_iiic(4)")["stage_order"], 3);
  EXPECT_EQ(derived("gauss(4)")["R_at_infinity"], "1");
  EXPECT_EQ(derived("gauss(3)")["R_at_infinity"], "-1");
}

TEST_F(Cli, ShowPrintsExactCoefficients) {
  EXPECT_THAT(call({"show", "tr_bdf2"}).out, HasSubstr("1-sqrt(2)/2"));
  const json block = value_of({"show", "pade_block(r=3,k=2)", "--json"})["block"];
  EXPECT_EQ(block["nodes"], json({"1/3", "2/3", "1"}));
  // The last row of B with d is the 3/8 rule.
  EXPECT_EQ(block["B"][2], json({"3/8", "3/8", "1/8"}));
  EXPECT_EQ(block["d"][2], "1/8");
  EXPECT_THAT(call({"show", "gauss"}).out, HasSubstr("give the arguments"));
}

}  // namespace
}  // namespace daemark
