#include "methods/catalogue/tableau_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

#include "analysis/orders/method_facts.hpp"
#include "base/text/bad_input.hpp"
#include "methods/catalogue/coefficients.hpp"
#include "methods/catalogue/registry.hpp"
#include "tests/support/catalogue.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/scratch_folder.hpp"

namespace daemark {
namespace {

namespace fs = std::filesystem;

/// JSON with ' for ", which needs no escapes here.
std::string json(std::string text) {
  std::replace(text.begin(), text.end(), '\'', '"');
  return text;
}

/// A folder of its own for each test, removed at its end.
class TableauFile : public testing::Test {
 protected:
  fs::path write(const std::string& name, const std::string& content) const {
    std::ofstream(folder_ / name, std::ios::binary) << json(content);
    return folder_ / name;
  }

  void expect_refused(const std::string& content, const std::string& says) const {
    const fs::path path = write("bad.json", content);
    const std::string text = test::refusal([&] { load_method_file(path); });
    EXPECT_THAT(text, testing::AllOf(testing::HasSubstr("bad.json"), testing::HasSubstr(says)))
        << content.substr(0, 300);
    EXPECT_LT(text.size(), 600u) << text;
  }

  const test::ScratchFolder scratch_;
  const fs::path& folder_ = scratch_.path;
};

/// The trapezoidal rule with one piece of the file replaced; ' for ".
std::string tableau(const std::string& from = "", const std::string& to = "") {
  std::string text =
      "{'id': 'mine', 'kind': 'runge_kutta', 'claims': {'order': 2, 'A_stable': true}, "
      "'A': [[0, '0'], ['1/2', '1/2']], 'b': ['1/2', '1/2'], 'c': [0, 1], "
      "'source': {'key': 'me2020', 'where': 'p. 1'}}";
  if (!from.empty()) text.replace(text.find(from), from.size(), to);
  return text;
}

TEST_F(TableauFile, ReadsATableau) {
  const Coefficients mine = load_method_file(write("mine.json", tableau()));
  EXPECT_EQ(mine.id, "mine");
  EXPECT_EQ(mine.stages(), 2);
  EXPECT_EQ(mine.rows("A")[1][0].as_rational(), rational(1, 2));
  EXPECT_EQ(mine.list("c")[1].as_rational(), rational(1));
  EXPECT_EQ(mine.claims.order, 2);
  EXPECT_EQ(mine.claims.a_stable, true);
  EXPECT_FALSE(mine.claims.l_stable.has_value());
  EXPECT_EQ(mine.source.key, "me2020");
  EXPECT_EQ(mine.source.where, "p. 1");
  EXPECT_FALSE(mine.decimal);
  EXPECT_TRUE(mine.list("b_hat").empty());
  EXPECT_TRUE(tableau_defects(mine).empty());
}

TEST_F(TableauFile, ReadsAMultistepFormula) {
  const std::string text =
      "{'id': 'bdf_two', 'kind': 'multistep', 'alpha': ['1/2', -2, '3/2'],"
      " 'beta': [0, 0, 1], 'claims': {'order': 2}}";
  const Coefficients formula = load_method_file(write("b.json", text));
  EXPECT_EQ(formula.list("alpha")[1].as_rational(), rational(-2));
  EXPECT_EQ(formula.claims.order, 2);
  EXPECT_TRUE(tableau_defects(formula).empty());
  Coefficients wrong = formula;
  wrong.list("alpha")[0] = Expression(rational(1));
  EXPECT_EQ(tableau_defects(wrong).size(), 1u);
  wrong.list("beta")[0] = Expression(rational(1));
  EXPECT_EQ(tableau_defects(wrong).size(), 2u);
}

TEST_F(TableauFile, RefusesWhatIsNoJson) {
  expect_refused("", "");
  expect_refused(tableau().substr(0, 60), "");
  expect_refused("[]", "kind");
  expect_refused("{}", "kind");
  EXPECT_THROW(load_method_file(folder_ / "missing.json"), BadInput);
  EXPECT_THROW(load_method_file(folder_), BadInput);
}

TEST_F(TableauFile, RefusesWrongKeys) {
  expect_refused(tableau("'claims'", "'clams'"), "clams");
  expect_refused(tableau("'A_stable'", "'a_stable'"), "a_stable");
  expect_refused(tableau("'where'", "'page'"), "page");
  expect_refused(tableau("'b': ['1/2', '1/2'], ", ""), "\"b\" is missing");
  expect_refused(tableau("'id': 'mine', ", ""), "\"id\" is missing");
  expect_refused(tableau("runge_kutta", "peer"), "multistep");
  expect_refused(tableau("'order': 2", "'embedded_order': 1"), "b_hat");
  expect_refused(tableau("'kind'", "'alpha': [1], 'kind'"), "alpha");
}

TEST_F(TableauFile, RefusesWhatIsNoHalfExplicitMethod) {
  const auto method = [](const std::string& rows) {
    return "{'id': 'mine', 'kind': 'half_explicit', 'c': [0, 1], " + rows + "}";
  };
  expect_refused(method("'A': [[0, 1], [1, 0]], 'b': [0, 1]"), "A[1][2]");
  expect_refused(method("'A': [[0, 0], [1, 0]], 'b': [1, 0]"), "stage 2 has the weight 0");
  expect_refused(method("'A': [[0, 0], [1, 0]], 'b': [0, 1], 'A_hat': [[1, 1], [0, 1]]"),
                 "A_hat[1][2]");
  expect_refused(method("'A': [[0, 0], [1, 0]], 'b': [0, 1], 'A_hat': [[1, 0], [0, 0]]"),
                 "stage 2 has the weight 0");
  expect_refused(method("'A': [[0, 0], [1, 0]], 'b': [0, 1], 'b_low': [1, 0]"), "b_hat");
}

TEST_F(TableauFile, RefusesWhatIsNoRosenbrockMethod) {
  const auto method = [](const std::string& rest) {
    return "{'id': 'mine', 'kind': 'rosenbrock', 'b': [1], " + rest + "}";
  };
  expect_refused(method("'gamma': 0, 'alpha': [[0]], 'gamma_ij': [[0]]"), "gamma");
  expect_refused(method("'gamma': 1, 'alpha': [[1]], 'gamma_ij': [[0]]"), "alpha[1][1]");
  expect_refused(method("'gamma': 1, 'alpha': [[0]], 'gamma_ij': [[1]]"), "gamma_ij[1][1]");
  expect_refused(method("'gamma': 1, 'A': [[0]], 'gamma_ij': [[0]]"), "accepted");
  expect_refused(method("'gamma': 1, 'alpha': [[0]], 'C': [[0]]"), "accepted");
}

TEST_F(TableauFile, RefusesWrongTypesAndIds) {
  for (const char* id :
       {"", "Mine", "2mine", "_mine", "my-id", "m\\u00e9", "a b", "../x", "a\\n"}) {
    expect_refused(tableau("'mine'", std::string("'") + id + "'"), "id");
  }
  expect_refused(tableau("'mine'", "'" + std::string(65, 'a') + "'"), "64");
  expect_refused(tableau("'mine'", "7"), "id");
  expect_refused(tableau("'order': 2", "'order': '2'"), "order");
  expect_refused(tableau("'order': 2", "'order': -1"), "order");
  expect_refused(tableau("'A_stable': true", "'A_stable': 1"), "A_stable");
  expect_refused(tableau("{'key': 'me2020', 'where': 'p. 1'}", "'me'"), "source");
  expect_refused(tableau("{'order': 2, 'A_stable': true}", "[]"), "claims");
  expect_refused(tableau("'p. 1'", "'p.\\n1'"), "where");
  expect_refused(tableau("'claims'", "'decimal': 1, 'claims'"), "decimal");
}

TEST_F(TableauFile, RefusesWrongSizes) {
  expect_refused(tableau("[[0, '0'], ['1/2', '1/2']]", "[]"), "A: a list of 1..100");
  expect_refused(tableau("[[0, '0'], ", "["), "rows");
  expect_refused(tableau("[0, '0'], ", "[0], "), "A[1]");
  expect_refused(tableau("[0, '0'], ", "[0, 0, 0], "), "A[1]");
  expect_refused(tableau("[0, '0'], ", "0, "), "A[1]");
  expect_refused(tableau("'b': ['1/2', '1/2']", "'b': []"), "b: a list of 1..100");
  expect_refused(tableau("'b': ['1/2', '1/2']", "'b': {}"), "b: a list of 1..100");
  expect_refused(tableau("'c': [0, 1]", "'c': [0, 1, 1]"), "c: a list of 2 entries");
  expect_refused(tableau("'c': [0, 1]", "'b_hat': [1], 'c': [0, 1]"), "b_hat");
  std::string zeros = "0";
  for (int i = 0; i < 100; ++i) zeros += ",0";
  expect_refused(tableau("'b': ['1/2', '1/2']", "'b': [" + zeros + "]"), "1..100");
  const std::string multistep = "{'id': 'm', 'kind': 'multistep', ";
  expect_refused(multistep + "'alpha': [1], 'beta': [1]}", "2..101");
  expect_refused(multistep + "'alpha': [-1, 1], 'beta': [1]}", "beta");
  expect_refused(multistep + "'alpha': [-1, 0], 'beta': [0, 1]}", "alpha");
  expect_refused(multistep + "'alpha': [-1, 'sqrt(2)-sqrt(2)'], 'beta': [0, 1]}", "alpha");
}

TEST_F(TableauFile, RefusesEntriesThatAreNoRealNumbers) {
  const auto entry = [](const std::string& text) {
    return tableau("[0, '0']", "[0, " + text + "]");
  };
  for (const char* text : {"'sqrt(-1)'", "'1/0'", "''", "'x'", "'h'", "'1/2 1/2'", "'nan'",
                           "'sqrt(1-sqrt(2))'", "'(1'", "null", "true", "[0]", "{}",
                           "'1/(sqrt(2)^2-2)'", "'root(x^2-2,5,6)'", "'\\u0000'"}) {
    expect_refused(entry(text), "A[1][2]");
  }
  expect_refused(entry("'" + std::string(300, '(') + "1" + std::string(300, ')') + "'"), "A[1][2]");
  expect_refused(entry("'" + std::string(20000, '1') + "'"), "A[1][2]");
  for (const char* text : {"NaN", "Infinity", "1e999"}) expect_refused(entry(text), "");
}

TEST_F(TableauFile, DecimalsOnlyWhenDeclared) {
  for (const char* half : {"'0.5'", "'5e-1'", "'sqrt(0.25)'", "'.5'"}) {
    const std::string b = std::string("'b': [") + half + ", '1/2']";
    expect_refused(tableau("'b': ['1/2', '1/2']", b), "b[1]");
    const Coefficients read =
        load_method_file(write("d.json", tableau("'b': ['1/2', '1/2']", b + ", 'decimal': true")));
    EXPECT_TRUE(read.decimal);
    EXPECT_LT(abs(read.list("b")[0].eval<wide>() - wide(1) / 2), wide("1e-128")) << half;
    EXPECT_TRUE(tableau_defects(read).empty());
  }
  for (const char* number : {"0.5", "0.43586652150845899942", "5e-1"}) {  // rounded on reading
    const std::string c = std::string("'c': [") + number + ", 1], 'decimal': true";
    expect_refused(tableau("'c': [0, 1]", c), "c[1]");
  }
  EXPECT_NO_THROW(
      load_method_file(write("e.json", tableau("'claims'", "'decimal': false, 'claims'"))));
}

TEST_F(TableauFile, WellFormedButWrongIsReadAndReported) {
  const auto defects = [&](const std::string& from, const std::string& to) {
    return tableau_defects(load_method_file(write("w.json", tableau(from, to))));
  };
  EXPECT_EQ(defects("'c': [0, 1]", "'c': [0, '2/3']").size(), 1u);
  EXPECT_EQ(defects("'b': ['1/2'", "'b': ['1/3'").size(), 1u);
  EXPECT_EQ(defects("'c': [0, 1]", "'c': [1, 0], 'b_hat': [1, 1]").size(), 3u);
  EXPECT_EQ(defects("'c': [0, 1]", "'c': [0, 1], 'b_hat': [0, 1]").size(), 0u);
  // 17 correct digits of 1/3 are wrong digits of an exact method, and fit a declared decimal one
  const std::string third = "33333333333333333/100000000000000000";
  const std::string c = "'A': [[0, 0], ['1/3', 0]], 'b': [0, 1], 'c': [0, '" + third + "']";
  const std::string old = "'A': [[0, '0'], ['1/2', '1/2']], 'b': ['1/2', '1/2'], 'c': [0, 1]";
  EXPECT_EQ(defects(old, c).size(), 1u);
  EXPECT_EQ(defects(old, c + ", 'decimal': true").size(), 0u);
}

TEST_F(TableauFile, AFolderIsListedByItsNames) {
  write("b.json", "never read here");
  write("a.json", tableau());
  write("notes.txt", "");
  EXPECT_EQ(method_files(folder_), (std::vector<fs::path>{folder_ / "a.json", folder_ / "b.json"}));
  EXPECT_THROW(method_files(folder_ / "missing"), BadInput);
  EXPECT_THROW(method_files(folder_ / "a.json"), BadInput);
}

// What is wrong with a file of the catalogue is said when its method is used, and to nobody else.
TEST_F(TableauFile, IsReadWhenItsMethodIsUsed) {
  MethodRegistry registry;
  for (const auto& [name, text] : {std::pair("mine.json", tableau()),
                                   {"other.json", tableau()},
                                   {"broken.json", std::string("{")}})
    registry.add_file(write(name, text));
  EXPECT_EQ(registry.ids(), (std::vector<std::string>{"broken", "mine", "other"}));
  EXPECT_TRUE(registry.has("broken"));
  EXPECT_EQ(registry.make("mine")->cost_stages(), 1);
  EXPECT_EQ(registry.info("mine").kind, "implicit Runge–Kutta");
  EXPECT_EQ(&registry.info("mine"), &registry.info("mine")) << "read once";
  const auto refusal = [&](const std::string& id) {
    return test::refusal([&] { registry.info(id); });
  };
  EXPECT_THAT(refusal("broken"), testing::HasSubstr("broken.json"));
  EXPECT_THAT(refusal("other"), testing::AllOf(testing::HasSubstr("id 'mine' is not accepted"),
                                               testing::HasSubstr("other.json")));
  EXPECT_THROW(registry.make("other"), BadInput);
  EXPECT_THROW(registry.add_file(folder_ / "mine.json"), BadInput) << "the id is taken";
  EXPECT_THROW(registry.add(load_method_file(folder_ / "mine.json"), "x.json"), BadInput);
}

// ---- The catalogue ------------------------------------------------------------------------------

const std::vector<Coefficients>& catalogue() {
  static const std::vector<Coefficients> read = test::catalogue_files(MethodKind::runge_kutta);
  return read;
}

/// Names that other tools call.
TEST(TableauCatalogue, HoldsWhatThePublicSurfaceNames) {
  std::istringstream ids(
      "erk4 tr_bdf2 euler_explicit heun_2 midpoint_explicit kutta_3 rk_3_8 bogacki_shampine_3 "
      "fehlberg_5 dormand_prince_5 cooper_verner_8 backward_euler cooper_verner_8_conjugate "
      "fehlberg_8 verner_8 sdirk_2 sdirk_3 sdirk_4 crouzeix_2 crouzeix_3");
  for (std::string id; ids >> id;) EXPECT_TRUE(method_registry().has(id)) << id;
}

TEST(TableauCatalogue, OrdersAreAsClaimed) {
  for (const Coefficients& exact : catalogue()) {
    SCOPED_TRACE(exact.id);
    const WideTableau method = tableau_of<wide>(exact);
    const MethodFacts facts = facts_of(method);
    EXPECT_EQ(tableau_defects(exact), std::vector<std::string>());
    EXPECT_FALSE(exact.decimal);
    EXPECT_FALSE(exact.source.key.empty());
    EXPECT_EQ(facts.order, exact.claims.order);
    EXPECT_EQ(facts.stage_order(), exact.claims.stage_order);
    if (exact.claims.stiffly_accurate) {
      EXPECT_EQ(facts.stiffly_accurate, *exact.claims.stiffly_accurate);
    }
    EXPECT_EQ(exact.list("b_hat").empty(), !exact.claims.embedded_order.has_value());
    if (exact.list("b_hat").empty()) continue;
    EXPECT_EQ(facts_of(WideTableau{method.A, method.embedded, method.c}).order,
              *exact.claims.embedded_order);
  }
}

// As printed, rounded to fractions of 13 digits: Kennedy & Carpenter 2016 and 2019, tables of the
// ESDIRK pairs.
TEST(TableauCatalogue, EmbeddedWeightsAreThePublishedOnes) {
  const std::map<std::string, std::vector<std::string>> printed = {
      {"esdirk_3_2_5l",
       {"4555948517383/24713416420891", "4555948517383/24713416420891",
        "-7107561914881/25547637784726", "30698249/44052120", "49563/233080"}},
      {"esdirk_4_3_6l",
       {"-1007911106287/12117826057527", "-1007911106287/12117826057527",
        "17694008993113/35931961998873", "5816803040497/11256217655929",
        "-538664890905/7490061179786", "2032560730450/8872919773257"}},
      // 17 digits only, of the table in ARKODE
      {"esdirk_3_2_4l",
       {"0.10889661761586122", "-0.91532581187071183", "1.2712735973021543",
        "0.53515559695269621"}}};
  int found = 0;
  for (const Coefficients& exact : catalogue()) {
    const auto at = printed.find(exact.id);
    if (at == printed.end()) continue;
    ++found;
    const wide digits = exact.id == "esdirk_3_2_4l" ? wide("1e-14") : wide("1e-24");
    ASSERT_EQ(exact.list("b_hat").size(), at->second.size());
    for (std::size_t i = 0; i < at->second.size(); ++i)
      EXPECT_LT(abs(wide(exact.list("b_hat")[i].eval<wide>() -
                         Expression::parse(at->second[i], "printed").eval<wide>())),
                digits)
          << exact.id << ", weight " << i + 1;
  }
  EXPECT_EQ(found, 3);
}

}  // namespace
}  // namespace daemark
