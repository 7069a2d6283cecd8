// Reports, claims and certificates: what is refused, with which reason, and the second opinion of
// the independent checker, on sound and on falsified certificates.
#include "analysis/exact/proof/verify.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "analysis/exact/proof/catalogue.hpp"
#include "analysis/exact/proof/certificate.hpp"
#include "base/program/digest.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "tests/analysis/exact/proof_reports.hpp"
#include "tests/support/catalogue.hpp"
#include "tests/support/scratch_folder.hpp"

namespace daemark::exact {
namespace {

Coefficients gauss_2(const std::string& a12 = "1/4-sqrt(3)/6") {
  Coefficients out = tableau_of_texts("gauss_2", {{"1/4", a12}, {"1/4+sqrt(3)/6", "1/4"}},
                                      {"1/2", "1/2"}, {"1/2-sqrt(3)/6", "1/2+sqrt(3)/6"});
  out.claims.order = 4;
  out.claims.stage_order = 2;
  out.claims.a_stable = true;
  out.claims.l_stable = false;
  out.claims.symplectic = true;
  return out;
}

TEST(ExactVerify, GaussTwo) {
  const VerifyReport report = verify_tableau(gauss_2());
  EXPECT_TRUE(report.verified()) << failures_of(report);
  EXPECT_EQ(report.order, 4);
  EXPECT_EQ(report.num, (std::vector<std::string>{"1", "1/2", "1/12"}));
  EXPECT_EQ(report.den, (std::vector<std::string>{"1", "-1/2", "1/12"}));
  expect_accepted(report, file_of(gauss_2()));
}

TEST(ExactVerify, ACoefficientOffByTenToTheMinusForty) {
  const Coefficients wrong = gauss_2("1/4-sqrt(3)/6+1/10000000000000000000000000000000000000000");
  const VerifyReport report = verify_tableau(wrong);
  EXPECT_FALSE(report.verified());
  EXPECT_NE(failures_of(report).find("row 1 of A sums to c1 plus 1.000000e-40"), std::string::npos)
      << failures_of(report);
  EXPECT_NE(failures_of(report).find("order: claimed 4, derived 1"), std::string::npos)
      << failures_of(report);
  EXPECT_NE(failures_of(report).find("symplectic: claimed true, derived false"), std::string::npos);
  expect_accepted(report, file_of(wrong));  // a sound certificate of a wrong method
  EXPECT_TRUE(refusal_of(plain(report), file_of(gauss_2())));
}

TEST(ExactVerify, AClaimOneOrderTooHighOrTooLow) {
  Coefficients t = gauss_2();
  t.claims.order = 5;
  const std::string high = failures_of(verify_tableau(t));
  EXPECT_NE(high.find("order: claimed 5, derived 4"), std::string::npos) << high;
  EXPECT_NE(high.find("tree [[t,t,t]]"), std::string::npos) << high;
  t.claims.order = 3;  // blamed on no tree
  EXPECT_EQ(failures_of(verify_tableau(t)),
            "order: claimed 3, derived 4: it is more than the claim\n");
  t = gauss_2();
  t.claims.l_stable = true;
  EXPECT_NE(failures_of(verify_tableau(t)).find("R(infinity) = 1"), std::string::npos);
}

TEST(ExactVerify, WrongSizesAreBadInput) {
  EXPECT_THROW(verify_tableau(tableau_of_texts("x", {{"1/2", "0"}}, {"1"}, {"1/2"})), BadInput);
  EXPECT_THROW(verify_tableau(tableau_of_texts("x", {{"1/2"}}, {"1"}, {"1/2", "1"})), BadInput);
  EXPECT_THROW(verify_tableau(tableau_of_texts("x", {}, {}, {})), BadInput);
  EXPECT_THROW(verify_collocation("lagrange", 3), BadInput);
  EXPECT_THROW(verify_pade_block(4, 2, 4, "nowhere"), BadInput);
}

// SUNDIALS lists TR-BDF2's embedding without this verdict; Hosea & Shampine 1996 state it.
TEST(ExactVerify, TrBdf2IsLStableWithAnUnstableEmbedding) {
  const VerifyReport report = verify_method("tr_bdf2");
  EXPECT_EQ(report.order, 2);
  EXPECT_EQ(report.a_stable, true);
  EXPECT_EQ(report.l_stable, true);
  const auto& data = report.certificate_data;
  EXPECT_EQ(data["embedded_order"]["order"], 3);
  EXPECT_EQ(data["embedded_stability"]["A_stable"], false);
  EXPECT_FALSE(data["embedded_stability"]["witness"].is_null());
}

TEST(ExactVerify, WholeCatalogueIsTrueAndTheCheckerAgrees) {
  std::vector<nlohmann::json> certificates;
  const auto accept = [&](const VerifyReport& report) {
    EXPECT_TRUE(report.verified()) << report.id << "\n" << failures_of(report);
    certificates.push_back(plain(report));
  };
  for (const Coefficients& t : test::catalogue_files(MethodKind::runge_kutta)) {
    if (!t.decimal) accept(verify_tableau(t));
  }
  for (const Coefficients& m : test::catalogue_files(MethodKind::multistep)) {
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
  EXPECT_GT(certificates.size(), 100u);
  const auto refusal = first_refusal(certificates);
  EXPECT_FALSE(refusal) << *refusal;
}

TEST(ExactVerify, BeyondTheTreesSimplifyingAssumptionsDecide) {
  const VerifyReport report = verify_pade_block(7, 5, 7, "radau");
  EXPECT_EQ(report.order, 12);
  EXPECT_NE(report.notes[0].find("simplifying"), std::string::npos) << report.notes[0];
  expect_accepted(report);
}

TEST(ExactVerify, CertificatesAreDeterministic) {
  EXPECT_EQ(verify_tableau(gauss_2()).certificate_data.dump(),
            verify_tableau(gauss_2()).certificate_data.dump());
  EXPECT_EQ(verify_pade_block(4, 2, 4, "legendre").certificate,
            "pade_block_r_4_k_2_nodes_legendre.json");
  const std::string longer = "block(nodes=[" + std::string(100, '1') + "])";
  EXPECT_EQ(certificate_name(longer),
            "block_nodes_" + std::string(68, '1') + "_" + digest(longer).substr(0, 16) + ".json");
}

/// The claim alone, in the place of those of its file.
template <class T>
bool holds(Coefficients method, const std::string& name, const T& value) {
  method.claims = {};
  each_claim(method.claims, [&](const std::string& key, auto& claim) {
    if constexpr (std::is_same_v<std::decay_t<decltype(claim)>, std::optional<T>>)
      if (key == name) claim = value;
  });
  return verify_coefficients(method).verified();
}

TEST(Claims, NoneIsBelieved) {
  std::set<MethodKind> seen;
  std::vector<std::string> calls = method_registry().examples();
  for (const std::string& id : method_registry().library_ids()) calls.push_back(id);
  for (const std::string& id : calls) {
    const auto method = method_registry().make(id);
    const Coefficients* written = method->coefficients();
    if (!written || written->decimal || written->stages() > 10) continue;
    if (!seen.insert(written->kind).second) continue;
    Claims names;
    each_claim(names, [&](const std::string& name, const auto& claim) {
      if constexpr (std::is_same_v<std::decay_t<decltype(claim)>, std::optional<bool>>)
        EXPECT_FALSE(holds(*written, name, true) && holds(*written, name, false)) << id << name;
      else
        EXPECT_FALSE(holds(*written, name, 99)) << id << name;
    });
  }
  EXPECT_EQ(seen.size(), 6u);  // every kind but additive, of which all are decimals
}

TEST(Catalogue, KnowsWhatCannotBeDecided) {
  for (const char* call :
       {"ida(1e-6)", "cvode(1e-6)", "arkode(1e-6)", "multiplier_shooting(erk4)"}) {
    EXPECT_FALSE(has_form(call)) << call;
    const VerifyReport report = verify_method(call);
    EXPECT_TRUE(report.verified()) << call;
    EXPECT_FALSE(report.order) << call << ": the order of something else";
    EXPECT_EQ(report.notes.size(), 1u) << call;
  }
  for (const char* call : {"gauss(2)", "average_acceleration", "tangent_space(bdf(2))"})
    EXPECT_TRUE(has_form(call)) << call;
}

// What verify keeps of the whole catalogue for the pages made of it.

TEST(CatalogueTable, IsReadBackAsItWasWritten) {
  VerifyReport proved, formula, open;
  proved.id = "gauss(s=2)";
  proved.order = 4, proved.stage_order = 2, proved.a_stable = true, proved.l_stable = false;
  formula.id = "bdf(k=3)";
  formula.order = 3, formula.a_stable = false, formula.l_stable = false;
  formula.has_no_stages("a formula");
  open.id = "gauss(s=6)";
  VerifyReport without = open;
  without.id = "ida(1e-6)";  // chooses its steps: nothing to decide, no line
  const test::ScratchFolder folder;
  write_catalogue({proved, formula, open, without}, folder.path);
  const std::vector<CatalogueLine> lines = read_catalogue(folder.path);
  ASSERT_EQ(lines.size(), 3u);
  using Cells = std::vector<std::string>;
  EXPECT_EQ(lines[0].cells(), (Cells{"gauss(s=2)", "4", "2", "yes", "no", "verified"}));
  EXPECT_EQ(lines[1].cells(), (Cells{"bdf(k=3)", "3", "-", "no", "no", "verified"}));
  EXPECT_EQ(lines[2].cells(), (Cells{"gauss(s=6)", "?", "?", "?", "?", "undecided"}));
  const std::string page = *read_text(folder.path / "certificates" / "catalogue.md");
  EXPECT_NE(page.find("| gauss(s=2) | 4 | 2 | yes | no | verified |\n"), page.npos);
}

TEST(CatalogueTable, CertificatesOfMethodsThatAreNoMoreAreRemoved) {
  const test::ScratchFolder folder;
  const auto certificates = folder.path / "certificates";
  std::filesystem::create_directories(certificates);
  for (const char* name : {"gauss_s_2.json", "gone.json", "library.md"})
    std::ofstream(certificates / name) << "{}\n";
  VerifyReport proved;
  proved.id = "gauss(s=2)", proved.certificate = "gauss_s_2.json";
  write_catalogue({proved}, folder.path);
  EXPECT_TRUE(std::filesystem::exists(certificates / "gauss_s_2.json"));
  EXPECT_TRUE(std::filesystem::exists(certificates / "library.md"));
  EXPECT_FALSE(std::filesystem::exists(certificates / "gone.json"));
}

TEST(CatalogueTable, RefusesAnotherFile) {
  const test::ScratchFolder folder;
  EXPECT_TRUE(read_catalogue(folder.path).empty());
  for (const char* text : {"[{}]", "[1]", R"([{"method": 1}])", "no json"}) {
    std::ofstream(folder.path / "catalogue.json") << text;
    EXPECT_THROW(read_catalogue(folder.path), BadInput) << text;
  }
}

}  // namespace
}  // namespace daemark::exact
