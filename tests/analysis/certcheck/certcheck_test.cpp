// The checker on forgeries that take more than a changed leaf, and that it stands alone.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "analysis/certcheck/check.hpp"
#include "analysis/exact/numbers/number.hpp"
#include "analysis/exact/proof/catalogue.hpp"
#include "base/program/paths.hpp"
#include "base/text/bad_input.hpp"
#include "tests/analysis/exact/proof_reports.hpp"
#include "tests/support/tableaus.hpp"

namespace daemark::certcheck {
namespace {

using exact::verify_method;
using exact::VerifyReport;
using nlohmann::json;

json signed_anew(json certificate) {
  certificate["digest"] = digest_of(certificate);
  return certificate;
}

void expect_refused(const json& certificate, const json& tableau, const std::string& why) {
  const auto refusal = refusal_of(certificate, tableau);
  ASSERT_TRUE(refusal) << why;
  EXPECT_NE(refusal->find(why), std::string::npos) << *refusal;
}

/// The folders' list allows the whole number room; of that, the checker takes the number type.
TEST(Checker, IncludesTheNumberTypeAlone) {
  int files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(source_root() / "analysis/certcheck")) {
    std::ifstream file(entry.path());
    ++files;
    for (std::string line; std::getline(file, line);) {
      if (line.find("#include \"analysis/exact/") == line.npos) continue;
      EXPECT_NE(line.find("analysis/exact/numbers/number.hpp"), line.npos)
          << entry.path().filename() << ": " << line;
    }
  }
  EXPECT_GT(files, 20);
}

/// The root below 1, by 5e-156, is in no interval that starts at 1; the coefficient is about -2/5,
/// and 0 to 3/5 in [1, 2], where it would be A-stable.
TEST(Checker, RefusesAFieldThatIsolatesNoRoot) {
  const std::string number = "root(10^155*(x-1)*(x^2+1)+1,0,3)-7/5";
  const json tableau = {
      {"id", "near"}, {"kind", "runge_kutta"}, {"A", {{number}}}, {"b", {"1"}}, {"c", {number}}};
  const VerifyReport report =
      exact::verify_tableau(tableau_of_texts("near", {{number}}, {"1"}, {number}));
  EXPECT_EQ(report.a_stable, false);
  json certificate = plain(report);
  EXPECT_FALSE(refusal_of(certificate, tableau));
  certificate["field"]["lower"] = "1", certificate["field"]["upper"] = "2";
  expect_refused(signed_anew(certificate), tableau, "field: ");
  std::vector<rational> minimal;
  for (const json& c : certificate["field"]["minimal"]) minimal.emplace_back(c.get<std::string>());
  EXPECT_THROW(exact::Field::make(minimal, 1, 2), BadInput);
  EXPECT_NO_THROW(exact::Field::make(minimal, 0, 1));
}

TEST(Checker, RefusesIdsThatNameNoMember) {
  const auto renamed = [](const char* call, const char* id) {
    json certificate = plain(verify_method(call));
    certificate["id"] = id;
    return signed_anew(certificate);
  };
  expect_refused(renamed("gauss(3)", "gauss(s=3,t=7)"), nullptr, "id: gauss has no argument t");
  expect_refused(renamed("gauss(3)", "gauss(s=03)"), nullptr, "id: s");
  expect_refused(renamed("gauss(3)", "gauss"), nullptr, "id: s is missing");
  expect_refused(renamed("gauss(3)", "gauss(s=7/2)"), nullptr, "id: s is no integer");
  expect_refused(renamed("hht(-1/10)", "hht(alpha=-1/10,variant=bogus)"), nullptr,
                 "id: hht has no argument variant");
  expect_refused(renamed("generalized_alpha(4/5)", "generalized_alpha(rho=4/5,variant=bogus)"),
                 nullptr, "id: unknown variant");
  expect_refused(renamed("average_acceleration", "average_acceleration(beta=1/4)"), nullptr,
                 "id: average_acceleration has no argument beta");
}

TEST(Checker, RefusesRationalCertificatesOfDecimalFiles) {
  json tableau = {
      {"id", "half"}, {"kind", "runge_kutta"}, {"A", {{"1/2"}}}, {"b", {"1"}}, {"c", {"1/2"}}};
  const json certificate =
      plain(exact::verify_tableau(tableau_of_texts("half", {{"1/2"}}, {"1"}, {"1/2"})));
  EXPECT_FALSE(refusal_of(certificate, tableau));
  tableau["decimal"] = true;
  expect_refused(certificate, tableau, "decimals");
  tableau.erase("decimal");
  tableau["c"][0] = "0.5";
  expect_refused(certificate, tableau, "c: decimals");
  tableau["c"][0] = "5e-1";
  expect_refused(certificate, tableau, "c: decimals");
}

/// Unscaled, the remainders of a Sturm chain of degree 160 have 2^160 digits.
TEST(Checker, CountsRootsOfHighDegree) {
  const std::string number = "root((x^159-2)*(x-5)+1/7*x^3,0,2)";
  const json tableau = {
      {"id", "high"}, {"kind", "runge_kutta"}, {"A", {{number}}}, {"b", {"1"}}, {"c", {number}}};
  json certificate = plain(exact::verify_tableau(tableau_of_texts("high", {{"1"}}, {"1"}, {"1"})));
  expect_refused(certificate, tableau, "none is the root in (0, 2)");
}

}  // namespace
}  // namespace daemark::certcheck
