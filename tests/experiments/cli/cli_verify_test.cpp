// Where certificates go, and what daemark_checker says of them.
#include "base/program/process.hpp"
#include "tests/experiments/cli_fixture.hpp"

namespace daemark {
namespace {

using namespace cli_testing;  // NOLINT: the fixture is written to be read here

constexpr const char* false_erk4 = R"({"id": "erk4", "kind": "runge_kutta", "A": [["1/2"]],
    "b": ["1"], "c": ["1/2"]})";

TEST_F(Cli, VerifyOfAFileNeverTouchesTheCatalogue) {
  write("mine.json", false_erk4);  // an id of the catalogue
  printed("verify erk4");
  const std::string own = "results/certificates/erk4.json", before = content(own);
  const json report = value_of("verify @mine.json --json")[0];
  EXPECT_EQ(content(own), before);
  EXPECT_EQ(report["certificate"], file("mine.certificate.json"));
  EXPECT_EQ(json::parse(content("mine.certificate.json"))["b"].size(), 1u);
}

TEST_F(Cli, VerifyWritesWhereCertificateSays) {
  write("mine.json", false_erk4);
  const std::string there = file("there.json");
  EXPECT_EQ(value_of("verify @mine.json --certificate " + there + " --json")[0]["certificate"],
            there);
  EXPECT_TRUE(fs::exists(there));
  EXPECT_FALSE(fs::exists(file("mine.certificate.json")));
  expect_refused("verify @mine.json --certificate @results/certificates/x.json", "results");
}

TEST_F(Cli, VerifyKeepsCertificatesOfOtherCallsApart) {
  printed("verify gauss(s=3) gauss(20)");
  EXPECT_TRUE(fs::exists(file("results/certificates/gauss_s_3.json")));
  EXPECT_FALSE(fs::exists(file("results/certificates/gauss_s_20.json")));
  EXPECT_TRUE(fs::exists(file("results/.local/certificates/gauss_s_20.json")));
  printed("verify gauss(20) --certificate @here.json");
  EXPECT_EQ(json::parse(content("here.json"))["id"], "gauss(s=20)");
}

// The errata of a paper and the methods whose source it is; one that has no errata is no paper.
TEST_F(Cli, VerifyTakesAPaper) {
  EXPECT_THAT(printed("verify yang2006"), HasSubstr("errata, in full in"));
}

// A Nyström source whose exact coefficients have sqrt(3): as its fractions are written the order is
// lower, which no word "verified" may hide.
TEST_F(Cli, VerifyOfRoundedFractionsOfANystromSource) {
  write("rkn_tableaus.jl", R"(
function GaussRKNTableau(::Type{T}, ::Type{T2}) where {T, T2}
    a = zeros(T, 2, 2)
    a[2, 1] = convert(T, 1 // 3)
    b = [convert(T, 3650401 // 9257046), convert(T, 1053780 // 9973081)]
    bp = [convert(T, 1 // 2), convert(T, 1 // 2)]
    btilde = T[]
    bptilde = T[]
    c = T2[convert(T2, 2107560 // 9973081), convert(T2, 7865521 // 9973081)]
    return NystromVITableau(a, b, bp, btilde, bptilde, c, false, 3)
end
)");
  EXPECT_THAT(printed("verify @rkn_tableaus.jl"),
              testing::ContainsRegex("gaussrkntableau +3 .*holds to rounding"));
}

/// A file whose proof takes longer than it may: undecided, not a name that cannot be read.
TEST_F(Cli, VerifyOfAFileWithinATimeLimit) {
  json large = {{"id", "large"}, {"kind", "runge_kutta"}, {"A", json::array()}};
  constexpr int stages = 24;
  for (int i = 0; i < stages; ++i) {
    large["c"].push_back(std::to_string(i) + "/97");
    large["b"].push_back("1/" + std::to_string(stages));
    large["A"].push_back(json::array());
    for (int j = 0; j < stages; ++j)
      large["A"][i].push_back(j == 0 ? "sqrt(2)/" + std::to_string(i + 2)
                                     : "sqrt(3)/" + std::to_string(i * j + 7));
  }
  write("large.json", large.dump());
  const Outcome outcome = call("verify @large.json --time-limit 0.05");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.out, HasSubstr("undecided"));
  EXPECT_THAT(outcome.err, HasSubstr("not decided within 0.05 s of processor time"));
}

TEST_F(Cli, VerifyOfTheCataloguesOwnFileIsItsMethod) {
  const std::string own = (source_root() / "methods" / "tableaus" / "heun_2.json").string();
  const json report = value_of("verify " + own + " --json")[0];
  EXPECT_EQ(report["id"], "heun_2");
  EXPECT_FALSE(fs::exists(source_root() / "methods" / "tableaus" / "heun_2.certificate.json"));
}

TEST_F(Cli, CheckerByProcess) {
  const std::string checker = (fs::path(DAEMARK_BINARY).parent_path() / "daemark_checker").string();
  const auto status = [&](const Words& arguments) {
    return run_child(Words{checker} + arguments, file("out"), 60).status;
  };
  write("mine.json", false_erk4);
  printed("verify @mine.json");
  EXPECT_EQ(status("@mine.certificate.json --tableau @mine.json"), 0);
  EXPECT_EQ(status("@mine.certificate.json"), 1);  // erk4 of the catalogue is another method
  json forged = json::parse(content("mine.certificate.json"));
  forged["b"][0] = "1/0";
  write("forged.json", forged.dump());
  EXPECT_EQ(status("@forged.json --tableau @mine.json"), 1);
  write("text.json", "no json");
  for (const char* bad : {"@missing.json", "", "@mine.certificate.json --unheard",
                          "@mine.certificate.json --time-limit 0", "@text.json"})
    EXPECT_EQ(status(bad), 2) << bad;
  EXPECT_EQ(status("@mine.certificate.json --time-limit 1 --tableau @mine.json"), 0);
}

}  // namespace
}  // namespace daemark
