// Reports, claims and certificates: what is refused, with which reason, and the second opinion of
// the independent checker, on sound and on falsified certificates.
#include "analysis/exact/verify.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "analysis/exact/certcheck/check.hpp"
#include "base/program/paths.hpp"
#include "base/text/bad_input.hpp"
#include "methods/core/tableau_file.hpp"

namespace daemark::exact {
namespace {

using certcheck::check_certificate;

Expression expression(const std::string& text) { return Expression::parse(text, "test"); }

ExactTableau tableau(const std::string& id, const std::vector<std::vector<std::string>>& a,
                     const std::vector<std::string>& b, const std::vector<std::string>& c) {
  ExactTableau out;
  out.id = id;
  for (const auto& row : a) {
    out.A.emplace_back();
    for (const auto& x : row) out.A.back().push_back(expression(x));
  }
  for (const auto& x : b) out.b.push_back(expression(x));
  for (const auto& x : c) out.c.push_back(expression(x));
  return out;
}

ExactTableau gauss_2(const std::string& a12 = "1/4-sqrt(3)/6") {
  ExactTableau out = tableau("gauss_2", {{"1/4", a12}, {"1/4+sqrt(3)/6", "1/4"}}, {"1/2", "1/2"},
                             {"1/2-sqrt(3)/6", "1/2+sqrt(3)/6"});
  out.claims.order = 4;
  out.claims.stage_order = 2;
  out.claims.a_stable = true;
  out.claims.l_stable = false;
  out.claims.symplectic = true;
  return out;
}

std::string joined(const VerifyReport& report) {
  std::string out;
  for (const auto& f : report.failures) out += f + "\n";
  return out;
}

nlohmann::json plain(const VerifyReport& report) {
  return nlohmann::json::parse(report.certificate_data.dump());
}

TEST(ExactVerify, GaussTwo) {
  const VerifyReport report = verify_tableau(gauss_2());
  EXPECT_TRUE(report.verified()) << joined(report);
  EXPECT_EQ(report.order, 4);
  EXPECT_EQ(report.num, (std::vector<std::string>{"1", "1/2", "1/12"}));
  EXPECT_EQ(report.den, (std::vector<std::string>{"1", "-1/2", "1/12"}));
  EXPECT_TRUE(check_certificate(plain(report)).empty());
}

TEST(ExactVerify, ACoefficientOffByTenToTheMinusForty) {
  const VerifyReport report =
      verify_tableau(gauss_2("1/4-sqrt(3)/6+1/10000000000000000000000000000000000000000"));
  EXPECT_FALSE(report.verified());
  EXPECT_NE(joined(report).find("row 1 of A sums to c1 plus 1.000000e-40"), std::string::npos)
      << joined(report);
  EXPECT_NE(joined(report).find("order: claimed 4, derived 1"), std::string::npos)
      << joined(report);
  EXPECT_NE(joined(report).find("symplectic: claimed true, derived false"), std::string::npos);
  EXPECT_TRUE(check_certificate(plain(report)).empty());  // a sound certificate of a wrong method
}

TEST(ExactVerify, AClaimOneOrderTooHighOrTooLow) {
  ExactTableau t = gauss_2();
  t.claims.order = 5;
  const std::string high = joined(verify_tableau(t));
  EXPECT_NE(high.find("order: claimed 5, derived 4"), std::string::npos) << high;
  EXPECT_NE(high.find("tree [[t,t,t]]"), std::string::npos) << high;
  t.claims.order = 3;
  EXPECT_NE(joined(verify_tableau(t)).find("claimed 3, derived 4"), std::string::npos);
  t = gauss_2();
  t.claims.l_stable = true;
  EXPECT_NE(joined(verify_tableau(t)).find("R(infinity) = 1"), std::string::npos);
}

TEST(ExactVerify, DecimalsAreNeverCertified) {
  ExactTableau t = tableau("mid", {{"0.5"}}, {"1"}, {"0.5"});
  t.decimal = true;
  t.claims.order = 2;
  t.claims.a_stable = true;
  const VerifyReport report = verify_tableau(t);
  EXPECT_EQ(report.order, 2);
  EXPECT_FALSE(report.a_stable.has_value());
  EXPECT_TRUE(report.certificate.empty());
  EXPECT_EQ(report.failures.size(), 2u);
  EXPECT_NE(joined(report).find("decimal"), std::string::npos);
  EXPECT_TRUE(report.to_json()["A_stable"].is_null());
}

TEST(ExactVerify, WrongSizesAreBadInput) {
  EXPECT_THROW(verify_tableau(tableau("x", {{"1/2", "0"}}, {"1"}, {"1/2"})), BadInput);
  EXPECT_THROW(verify_tableau(tableau("x", {{"1/2"}}, {"1"}, {"1/2", "1"})), BadInput);
  EXPECT_THROW(verify_tableau(tableau("x", {}, {}, {})), BadInput);
  EXPECT_THROW(verify_collocation("lagrange", 3), BadInput);
  EXPECT_THROW(verify_pade_block(4, 2, 4, "nowhere"), BadInput);
}

// SUNDIALS lists TR-BDF2's embedding without this verdict; Hosea & Shampine 1996 state it.
TEST(ExactVerify, TrBdf2IsLStableWithAnUnstableEmbedding) {
  for (const ExactTableau& t : load_tableau_folder(source_root() / "methods/tableaus")) {
    if (t.id != "tr_bdf2") continue;
    const VerifyReport report = verify_tableau(t);
    EXPECT_EQ(report.order, 2);
    EXPECT_EQ(report.a_stable, true);
    EXPECT_EQ(report.l_stable, true);
    const auto& data = report.certificate_data;
    EXPECT_EQ(data["embedded_order"]["order"], 3);
    EXPECT_EQ(data["embedded_stability"]["A_stable"], false);
    EXPECT_FALSE(data["embedded_stability"]["witness"].is_null());
    return;
  }
  FAIL() << "tr_bdf2 is not in the catalogue";
}

TEST(ExactVerify, WholeCatalogueIsTrueAndTheCheckerAgrees) {
  const auto folder = source_root() / "methods/tableaus";
  int methods = 0;
  const auto accept = [&](const VerifyReport& report) {
    ++methods;
    EXPECT_TRUE(report.verified()) << report.id << "\n" << joined(report);
    for (const std::string& p : check_certificate(plain(report))) ADD_FAILURE() << report.id << p;
  };
  for (const ExactTableau& t : load_tableau_folder(folder)) {
    if (!t.decimal) accept(verify_tableau(t));
  }
  for (const ExactMultistep& m : load_multistep_folder(folder)) {
    if (!m.decimal) accept(verify_multistep(m));
  }
  for (const char* nodes : {"equidistant", "chebyshev", "legendre", "radau", "lobatto"}) {
    for (int r = 2; r <= 6; ++r) {
      for (int k = 0; k <= r; ++k) accept(verify_pade_block(r, k, r, nodes));
    }
  }
  for (const char* f : {"gauss", "radau_ia", "radau_iia", "lobatto_iiia", "lobatto_iiic"}) {
    for (int s = 2; s <= 6; ++s) accept(verify_collocation(f, s));
  }
  EXPECT_GT(methods, 100);
}

TEST(ExactVerify, ReducedTreesRouteIsCheckedToo) {
  const VerifyReport report = verify_pade_block(6, 4, 6, "radau");
  EXPECT_EQ(report.order, 10);
  EXPECT_NE(report.certificate_data["order"]["route"].get<std::string>().find("reduced"),
            std::string::npos);
  EXPECT_TRUE(check_certificate(plain(report)).empty());
}

TEST(ExactVerify, CertificatesAreDeterministic) {
  EXPECT_EQ(verify_tableau(gauss_2()).certificate_data.dump(),
            verify_tableau(gauss_2()).certificate_data.dump());
  EXPECT_EQ(verify_pade_block(4, 2, 4, "legendre").certificate,
            "pade_block_r_4_k_2_nodes_legendre.json");
}

// Every single-value falsification of a certificate must be noticed.
TEST(ExactChecker, FalsifiedCertificatesAreRefused) {
  const nlohmann::json sound = plain(verify_tableau(gauss_2()));
  const auto refuses = [&](const std::string& pointer, const nlohmann::json& value) {
    nlohmann::json forged = sound;
    const nlohmann::json::json_pointer at(pointer);
    ASSERT_TRUE(forged.contains(at)) << pointer;
    ASSERT_NE(forged[at], value) << pointer;
    forged[at] = value;
    EXPECT_FALSE(check_certificate(forged).empty()) << pointer;
  };
  refuses("/A/0/0", "1/3");
  refuses("/b/0", "1/3");
  refuses("/B", 3);
  refuses("/C", 3);
  refuses("/D", 1);
  refuses("/symplectic", false);
  refuses("/algebraically_stable", false);
  refuses("/row_sums_hold", false);
  refuses("/order/order", 5);
  refuses("/order/order", 3);
  refuses("/order/weight", "1/20");
  refuses("/order/failing_tree", "[t,t,t,t,t]");
  refuses("/stability/num/1", "1/3");
  refuses("/stability/den/2", "1/13");
  refuses("/stability/L_stable", true);
  refuses("/stability/A_stable", false);
  refuses("/stability/order_of_R", 5);
  refuses("/stability/R_at_infinity", "0");
  refuses("/field/minimal/0", "-4");
  refuses("/field/upper", "1");
  refuses("/format", "something else");
  refuses("/kind", "oracle");
}

TEST(ExactChecker, FalsifiedStabilityVerdicts) {
  nlohmann::json forged = plain(verify_pade_block(3, 0, 3, "equidistant"));
  ASSERT_EQ(forged["stability"]["A_stable"], false);
  forged["stability"]["A_stable"] = true;
  forged["stability"]["L_stable"] = true;
  EXPECT_FALSE(check_certificate(forged).empty());
  nlohmann::json block = plain(verify_pade_block(4, 2, 4, "equidistant"));
  EXPECT_TRUE(check_certificate(block).empty());
  block["mu"][1] = "1/3";
  EXPECT_FALSE(check_certificate(block).empty());
}

TEST(ExactChecker, FalsifiedMultistep) {
  ExactMultistep bdf3;
  bdf3.id = "bdf3";
  for (const char* a : {"-2", "9", "-18", "11"}) bdf3.alpha.push_back(expression(a));
  for (const char* b : {"0", "0", "0", "6"}) bdf3.beta.push_back(expression(b));
  const nlohmann::json sound = plain(verify_multistep(bdf3));
  EXPECT_TRUE(check_certificate(sound).empty());
  for (const char* key : {"A_stable", "zero_stable"}) {
    nlohmann::json forged = sound;
    forged[key] = !sound[key].get<bool>();
    EXPECT_FALSE(check_certificate(forged).empty()) << key;
  }
  nlohmann::json forged = sound;
  forged["order"] = 4;
  EXPECT_FALSE(check_certificate(forged).empty());
}

TEST(ExactChecker, SharesNothingWithTheProverButTheNumberType) {
  for (const auto& entry :
       std::filesystem::directory_iterator(source_root() / "analysis/exact/certcheck")) {
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      const auto at = line.find("#include \"");
      if (at == std::string::npos) continue;
      const bool own = line.find("analysis/exact/certcheck/") != std::string::npos;
      EXPECT_TRUE(own || line.find("analysis/exact/number.hpp") != std::string::npos)
          << entry.path().filename() << ": " << line;
    }
  }
}

}  // namespace
}  // namespace daemark::exact
