// Where certificates go, and what daemark_checker says of them.
#include "tests/experiments/cli_fixture.hpp"

namespace daemark {
namespace {

using namespace cli_testing;  // NOLINT: the fixture is written to be read here

constexpr const char* false_erk4 = R"({"id": "erk4", "kind": "runge_kutta", "A": [["1/2"]],
    "b": ["1"], "c": ["1/2"]})";

TEST_F(Cli, VerifyOfAFileNeverTouchesTheCatalogue) {
  std::ofstream(file("mine.json")) << false_erk4;  // an id of the catalogue
  ASSERT_EQ(call({"verify", "erk4"}).status, 0);
  const fs::path own = folder_ / "results" / "certificates" / "erk4.json";
  const json before = json::parse(std::ifstream(own));
  const json report = value_of({"verify", file("mine.json"), "--json"})[0];
  EXPECT_EQ(json::parse(std::ifstream(own)), before);
  EXPECT_EQ(report["certificate"], file("mine.certificate.json"));
  EXPECT_EQ(json::parse(std::ifstream(file("mine.certificate.json")))["b"].size(), 1u);
}

TEST_F(Cli, VerifyWritesWhereCertificateSays) {
  std::ofstream(file("mine.json")) << false_erk4;
  const std::string there = file("there.json");
  EXPECT_EQ(
      value_of({"verify", file("mine.json"), "--certificate", there, "--json"})[0]["certificate"],
      there);
  EXPECT_TRUE(fs::exists(there));
  EXPECT_FALSE(fs::exists(file("mine.certificate.json")));
  const std::string inside = (folder_ / "results" / "certificates" / "x.json").string();
  expect_refused({"verify", file("mine.json"), "--certificate", inside}, "results");
  expect_refused({"verify", "--certificate", there}, "--certificate");
}

TEST_F(Cli, VerifyKeepsCertificatesOfOtherCallsApart) {
  const fs::path results = folder_ / "results";
  ASSERT_EQ(call({"verify", "gauss(s=3)", "gauss(20)"}).status, 0);
  EXPECT_TRUE(fs::exists(results / "certificates" / "gauss_s_3.json"));
  EXPECT_FALSE(fs::exists(results / "certificates" / "gauss_s_20.json"));
  EXPECT_TRUE(fs::exists(results / ".local" / "certificates" / "gauss_s_20.json"));
  ASSERT_EQ(call({"verify", "gauss(20)", "--certificate", file("here.json")}).status, 0);
  EXPECT_EQ(json::parse(std::ifstream(file("here.json")))["id"], "gauss(s=20)");
}

// The errata of a paper and the methods whose source it is; one that has no errata is no paper.
TEST_F(Cli, VerifyTakesAPaper) {
  const Outcome outcome = call({"verify", "yang2006"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("errata, in full in"), std::string::npos) << outcome.out;
}

// A Nyström source whose exact coefficients have sqrt(3): as its fractions are written the order is
// lower, which no word "verified" may hide.
TEST_F(Cli, VerifyOfRoundedFractionsOfANystromSource) {
  const std::string source = file("rkn_tableaus.jl");
  std::ofstream(source) << R"(
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
)";
  const Outcome outcome = call({"verify", source});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, testing::ContainsRegex("gaussrkntableau +3 .*holds to rounding"));
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
  std::ofstream(file("large.json")) << large.dump();
  const Outcome outcome = call({"verify", file("large.json"), "--time-limit", "0.05"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.out, HasSubstr("undecided"));
  EXPECT_THAT(outcome.err, HasSubstr("not decided within 0.05 s of processor time"));
}

TEST_F(Cli, VerifyOfTheCataloguesOwnFileIsItsMethod) {
  const std::string own = (source_root() / "methods" / "tableaus" / "heun_2.json").string();
  const json report = value_of({"verify", own, "--json"})[0];
  EXPECT_EQ(report["id"], "heun_2");
  EXPECT_FALSE(fs::exists(source_root() / "methods" / "tableaus" / "heun_2.certificate.json"));
}

#ifdef DAEMARK_BINARY
TEST_F(Cli, CheckerByProcess) {
  const fs::path checker = fs::path(DAEMARK_BINARY).parent_path() / "daemark_checker";
  const auto status = [&](const std::string& arguments) {
    const int code =
        std::system((checker.string() + " " + arguments + " >" + file("out") + " 2>&1").c_str());
    return WIFEXITED(code) ? WEXITSTATUS(code) : -1;
  };
  std::ofstream(file("mine.json")) << false_erk4;
  ASSERT_EQ(call({"verify", file("mine.json")}).status, 0);
  const std::string certificate = file("mine.certificate.json");
  EXPECT_EQ(status(certificate + " --tableau " + file("mine.json")), 0);
  EXPECT_EQ(status(certificate), 1);  // erk4 of the catalogue is another method
  json forged = json::parse(std::ifstream(certificate));
  forged["b"][0] = "1/0";
  std::ofstream(file("forged.json")) << forged.dump();
  EXPECT_EQ(status(file("forged.json") + " --tableau " + file("mine.json")), 1);
  EXPECT_EQ(status(file("missing.json")), 2);
  EXPECT_EQ(status(""), 2);
  EXPECT_EQ(status(certificate + " --unheard"), 2);
  EXPECT_EQ(status(certificate + " --time-limit 0"), 2);
  EXPECT_EQ(status(certificate + " --time-limit 1 --tableau " + file("mine.json")), 0);
  std::ofstream(file("text.json")) << "no json";
  EXPECT_EQ(status(file("text.json")), 2);
}
#endif

}  // namespace
}  // namespace daemark
