#include "methods/catalogue/registry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "base/text/bad_input.hpp"
#include "methods/catalogue/tableau_file.hpp"
#include "methods/runge_kutta/runge_kutta.hpp"
#include "tests/support/refusal.hpp"

namespace daemark {
namespace {

using ::testing::HasSubstr;

Coefficients midpoint(const std::string& id) {
  const auto e = [](const char* text) { return Expression::parse(text, "test"); };
  Coefficients t;
  t.id = id;
  t.rows("A") = {{e("1/2")}};
  t.list("b") = {e("1")};
  t.list("c") = {e("1/2")};
  t.claims.order = 2;
  return t;
}

TEST(MethodRegistry, RefusesByNamingTheCause) {
  MethodRegistry registry;
  registry.add(midpoint("mine"), "first.json");
  EXPECT_THAT(
      test::refusal([&] { registry.add(midpoint("mine"), "second.json"); }),
      ::testing::AllOf(HasSubstr("mine"), HasSubstr("first.json"), HasSubstr("second.json")));
  EXPECT_THAT(test::refusal([&] { registry.make("your"); }), HasSubstr("accepted: mine"));
  EXPECT_THAT(test::refusal([&] { registry.make("mine(1)"); }), HasSubstr("no arguments"));
  EXPECT_THAT(test::refusal([&] { registry.make("mine("); }), HasSubstr("mine("));
}

std::string refusal(const char* call, int index) {
  return method_registry().make(call)->refusal(index);
}

TEST(MethodRegistry, MethodsRefuseTheIndexTheyCannotTake) {
  for (int index = 0; index <= 3; ++index) {
    EXPECT_EQ(refusal("radau_iia(3)", index), "");
    EXPECT_EQ(refusal("pade_block(4,2)", index), "");
    EXPECT_EQ(refusal("lobatto_iiia(3)", index), "") << "regular behind its explicit first stage";
    EXPECT_EQ(refusal("tr_bdf2", index), "");
    EXPECT_EQ(refusal("erk4", index).empty(), index <= 1);
    // B of a (3, 3) approximant on four nodes is singular (Li 2019 prints such a method).
    EXPECT_EQ(refusal("pade_block(r=4,k=3,j=3)", index).empty(), index <= 1);
  }
  EXPECT_THAT(refusal("erk4", 3), HasSubstr("explicit"));
  EXPECT_THAT(refusal("pade_block(r=4,k=3,j=3)", 2), HasSubstr("B is singular"));
}

TEST(MethodRegistry, CoupledLimitsAreKept) {
  for (const char* bad : {"pade_block(r=4,k=1,j=2)", "pade_block(r=4,k=5)",
                          "pade_block(r=2,k=1,nodes=[1/2])", "gauss"})
    EXPECT_THROW(method_registry().make(bad), BadInput) << bad;
}

TEST(RungeKutta, RecognisesStructure) {
  const auto tableau = [](const char* call) { return *method_registry().make(call)->tableau(); };
  EXPECT_TRUE(is_explicit(tableau("erk4")));
  EXPECT_FALSE(is_explicit(tableau("tr_bdf2")));
  EXPECT_TRUE(is_stiffly_accurate(tableau("radau_iia(2)")));
  EXPECT_FALSE(is_stiffly_accurate(tableau("gauss(2)")));
  EXPECT_FALSE(is_stiffly_accurate(tableau("radau_ia(2)")));
  EXPECT_TRUE(has_explicit_first_stage(tableau("lobatto_iiia(4)")));
  EXPECT_FALSE(has_explicit_first_stage(tableau("lobatto_iiic(4)")));
  EXPECT_TRUE(is_implicit_part_regular(tableau("lobatto_iiia(4)")));
  EXPECT_FALSE(is_implicit_part_regular(tableau("pade_block(r=4,k=3,j=3)")));
  EXPECT_TRUE(has_inner_explicit_stage(tableau("erk4")));
  EXPECT_FALSE(has_inner_explicit_stage(tableau("pade_block(3,2)")));
}

TEST(RungeKutta, CostCountsImplicitStages) {
  const auto cost = [](const char* call) { return method_registry().make(call)->cost_stages(); };
  EXPECT_EQ(cost("erk4"), 4);
  EXPECT_EQ(cost("gauss(3)"), 3);
  EXPECT_EQ(cost("lobatto_iiia(3)"), 2);
  EXPECT_EQ(cost("tr_bdf2"), 2);
  EXPECT_EQ(cost("pade_block(5,3)"), 5);
}

TEST(CommonNames, LeadToMethodsOfTheCatalogue) {
  for (const auto& [name, calls] : common_names()) {
    EXPECT_FALSE(method_registry().has(name)) << name << " is a method's own name";
    for (const std::string& call : calls) EXPECT_NO_THROW(method_registry().check(call)) << name;
  }
}

TEST(CommonNames, AreKnownHoweverTheyAreWritten) {
  for (const char* typed : {"radau5", "RADAU5", "Radau-5"}) {
    const std::string name = typed == std::string("Radau-5") ? "radau_5" : typed;
    EXPECT_THAT(test::refusal([&] { method_registry().make(name); }),
                HasSubstr("did you mean 'radau_iia(3)'?"));
  }
  EXPECT_EQ(known_as("dopri5"), std::vector<std::string>{"dormand_prince_5"});
  EXPECT_EQ(known_as("TRBDF2"), std::vector<std::string>{"tr_bdf2"});
  EXPECT_TRUE(known_as("no such method").empty());
}

// The library of published tableaus: read, described, apart from the catalogue and without doubles.

TEST(Library, IsApartFromTheCatalogue) {
  const MethodRegistry& registry = method_registry();
  const std::vector<std::string> core = registry.ids(), library = registry.library_ids();
  EXPECT_GT(library.size(), 110u);
  for (const std::string& id : library) {
    EXPECT_FALSE(std::binary_search(core.begin(), core.end(), id)) << id;
    EXPECT_TRUE(registry.info(id).library);
  }
  for (const std::string& call : registry.examples())
    EXPECT_FALSE(registry.info(parse_call(call, "method").id).library) << call;
  EXPECT_EQ(registry.all_ids().size(), core.size() + library.size());
}

TEST(Library, EveryTableauIsDescribedAndClaimsItsOrder) {
  for (const std::string& id : method_registry().library_ids()) {
    const MethodInfo& info = method_registry().info(id);
    EXPECT_FALSE(info.summary.empty()) << id;
    EXPECT_FALSE(info.source.key.empty()) << id;
    EXPECT_TRUE(info.claims.order.has_value()) << id;
    EXPECT_FALSE(from_outside(info.file)) << id;
  }
}

/// A, b and the embedded weights to 9 digits, in the order of the stages.
std::vector<double> numbers(const WideTableau& t) {
  std::vector<double> out;
  const auto add = [&](const std::vector<wide>& list) {
    for (const wide& x : list) out.push_back(std::round(to_double(x) * 1e9) / 1e9 + 0.0);
  };
  for (const auto& row : t.A) add(row);
  add(t.b);
  return out;
}

TEST(Library, NoTableauStandsTwice) {
  std::map<std::vector<double>, std::string> known;
  std::vector<std::string> calls = method_registry().examples();
  for (const std::string& id : method_registry().library_ids()) calls.push_back(id);
  for (const std::string& call : calls) {
    const auto method = method_registry().make(call);
    const WideTableau* tableau = method->tableau();
    if (!tableau) continue;
    const auto [place, fresh] = known.emplace(numbers(*tableau), call);
    const bool library = method_registry().info(parse_call(call, "method").id).library;
    EXPECT_TRUE(fresh || !library) << call << " is " << place->second;
  }
}

// Tableau files with alpha and beta of Shu and Osher.

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
