// Tableau files with alpha and beta of Shu and Osher.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "methods/catalogue/registry.hpp"
#include "methods/catalogue/tableau_file.hpp"
#include "tests/support/refusal.hpp"

namespace daemark {
namespace {

Coefficients method_of(const std::string& alpha, const std::string& beta) {
  std::string text =
      "{'id': 'form', 'kind': 'runge_kutta', 'alpha': " + alpha + ", 'beta': " + beta + "}";
  std::replace(text.begin(), text.end(), '\'', '"');
  return read_method(nlohmann::json::parse(text), "form.json");
}

// SSPRK(3,3) in both layouts, Crank and Nicolson's rule with an implicit stage, and roots.
TEST(ShuOsherForm, IsReadAsTheTableauItStandsFor) {
  const auto numbers = [&](const std::string& alpha, const std::string& beta) {
    return tableau_of<wide>(method_of(alpha, beta));
  };
  const std::string three = "['1','0','0'],['3/4','1/4','0'],['1/3','0','2/3']]",
                    steps = "['1','0','0'],['0','1/4','0'],['0','0','2/3']]";
  for (const char* zeros : {"[", "[['0','0','0'],"}) {
    const WideTableau t = numbers(zeros + three, zeros + steps);
    const WideTableau known = *method_registry().make("shu_osher_3")->tableau();
    EXPECT_EQ(t.A, known.A);
    EXPECT_EQ(t.b, known.b);
    EXPECT_EQ(t.c, known.c);
  }
  const WideTableau trapezoidal =
      numbers("[['0','0'],['1','0'],['0','1']]", "[['0','0'],['1/2','1/2'],['0','0']]");
  EXPECT_EQ(trapezoidal.A[1], (std::vector<wide>{0.5, 0.5}));
  EXPECT_EQ(trapezoidal.b, trapezoidal.A[1]);
  const WideTableau roots =
      numbers("[['1','0'],['1-sqrt(2)/2','sqrt(2)/2']]", "[['sqrt(2)','0'],['0','sqrt(2)/4']]");
  EXPECT_LT(abs(wide(roots.b[0] - 1)), wide("1e-120"));
  EXPECT_LT(abs(wide(roots.A[1][0] - sqrt(wide(2)))), wide("1e-120"));
  for (const auto& [alpha, beta, says] :
       {std::array{"[['1','1'],['1','0']]", "[['1','0'],['0','1']]", "own stage"},
        {"[['1','0']]", "[['1','0']]", "s or s + 1 rows"},
        {"[['1']]", "[['1'],['1']]", "s or s + 1 rows"}})
    EXPECT_THAT(test::refusal([&] { method_of(alpha, beta); }), testing::HasSubstr(says));
}

}  // namespace
}  // namespace daemark
