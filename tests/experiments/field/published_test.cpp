// Published reference solutions against proved states: the pendulum, whose closed form is known.
#include "experiments/field/published.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "analysis/report/table.hpp"
#include "base/program/paths.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/field/collections.hpp"
#include "problems/system/registry.hpp"
#include "tests/support/refusal.hpp"

namespace daemark {

namespace {

using testing::HasSubstr;

const char* const place =
    R"("printed_in": [{"project": "P", "version": "1", "file": "a.f", "line": 7}])";

std::string entry(const std::string& values, const std::string& problem = "pendulum",
                  const std::string& t = "1/2") {
  return R"([{"name": "N", "note": "", "problem": ")" + problem + R"(", "t": ")" + t + "\", " +
         place + ", \"values\": " + values + "}]";
}

std::vector<PublishedReference> read(const std::string& text) {
  const std::filesystem::path file =
      std::filesystem::path(testing::TempDir()) / "daemark_published.json";
  std::ofstream(file) << text;
  return read_published(file);
}

TEST(Published, RightWithinOneUnitOfTheLastPlaceWrongBeyond) {
  real50 q[2], v[2], lambda[1];
  problem_registry().make("pendulum").closed_form(real50(1) / 2, q, v, lambda);
  const std::string exact = q[0].str(20);  // rounded, cut off, two or three units off
  const real50 unit = pow(real50(10), -11), cut = floor(q[0] / unit) * unit;
  const auto text = [](const char* name, const real50& x, int digits, const char* formula) {
    return std::string("[\"") + name + "\", \"" + x.str(digits) + "\", \"" + formula + "\"]";
  };
  auto all = read(entry("[" + text("rounded", q[0], 12, "x") + "," + text("cut", cut, 12, "x") +
                        "," + text("off", cut - 2 * unit, 12, "x") + "," +
                        text("early", q[0] + real50("0.0003"), 12, "x") + "," +
                        text("height", -q[1] / 2, 12, "-y/2") + "]"));
  judge_published(all);
  const PublishedReference& found = all.front();
  std::vector<std::pair<PrintedVerdict, int>> verdicts;
  for (const PublishedValue& value : found.values)
    verdicts.emplace_back(value.verdict, value.right);
  using enum PrintedVerdict;
  EXPECT_EQ(verdicts, (std::vector<std::pair<PrintedVerdict, int>>{
                          {right, 12}, {right, 12}, {wrong, 10}, {wrong, 3}, {right, 12}}));
  EXPECT_EQ(found.worst().name, "early");
  EXPECT_EQ(found.count(wrong), 2);
  EXPECT_THAT(found.decided_by, HasSubstr("Proved to"));
  EXPECT_EQ(found.values[0].exact.substr(0, 12), exact.substr(0, 12));
}

TEST(Published, WhatCannotBeReadIsRefused) {
  for (const auto& [text, said] : {
           std::pair(std::string("{}"), "a list"),
           {entry(R"([["x", "1.5"]])", "pendulumm"), "pendulumm"},
           {entry(R"([["x", "1.5"]])", "pendulum", "soon"), "soon"},
           {entry(R"([["x", "1.5"]])", "pendulum", "-1"), "0"},
           {entry(R"([["z", "1.5"]])"), "unknown name 'z'"},
           {entry(R"([["x", "0.00"]])"), "a decimal other than 0"},
           {entry(R"([["x", "1.5d0"]])"), "a decimal other than 0"},
           {entry(R"([["x", 1.5]])"), "[name, printed]"},
           {entry("[]"), "no values"},
           {entry(R"([["x", "1.5", "x +"]])"), "too early"},
           {R"([{"name": "N"}])", "missing"},
       })
    EXPECT_THAT(test::refusal([&, text = text] { read(text); }), HasSubstr(said)) << text;
}

// Which values the committed table judges; `daemark reference --published` writes it.
TEST(Published, TheCommittedTableIsOfTheData) {
  std::set<std::vector<std::string>> expected, found;
  for (const PublishedReference& reference :
       read_published(source_root() / "experiments/field/references.json"))
    for (const PublishedValue& value : reference.values)
      expected.insert({reference.name, reference.problem, reference.t, value.name, value.formula,
                       value.printed});
  const std::filesystem::path file = source_root() / "results/references/published.csv";
  auto rows = read_csv(read_text(file).value(), file.string());
  for (std::size_t i = 1; i < rows.size(); ++i)
    found.insert({rows[i].begin(), rows[i].begin() + 6});
  EXPECT_EQ(found, expected);
}

}  // namespace

}  // namespace daemark

namespace daemark::exact {

namespace {

using testing::HasSubstr;

class FieldErrata : public testing::Test {
 protected:
  /// The classical method with the last row as given, and what is called right.
  std::vector<FieldErratum> run(const std::string& last, const std::string& right) const {
    const std::filesystem::path file =
        std::filesystem::path(testing::TempDir()) / "daemark_field_errata.json";
    std::ofstream(file) << R"([{"project": "P", "version": "1", "file": "src/erk.jl", "name": "M",
      "note": "n", "tableau": {"A": [["0","0"],[)"
                        << last << R"(,"0"]], "b": ["1/2","1/2"], "c": ["0","1"],
      "claims": {"order": 2}}, "right": )"
                        << right << "}]";
    return run_field_errata(file);
  }
};

TEST_F(FieldErrata, FailsAsPrintedAndPassesAsRight) {
  const FieldErratum found = run("\"1/3\"", R"({"/A/1/0": 1})").front();
  EXPECT_EQ(found.refusal, "");
  EXPECT_EQ(found.printed, "A[2][1] = 1/3");
  EXPECT_EQ(found.right, "A[2][1] = 1");
  EXPECT_THAT(found.condition, HasSubstr("row sums"));
  EXPECT_EQ(found.command, "daemark verify erk.jl:M");
}

TEST_F(FieldErrata, WhatIsNoneIsRefused) {
  EXPECT_EQ(run("1", R"({"/claims/order": 2})").front().refusal, "nothing fails as printed");
  EXPECT_THAT(run("\"1/3\"", R"({"/A/1/0": "1/2"})").front().refusal, HasSubstr("also fails"));
  EXPECT_THROW(run("1", R"({"/A/9/0": 1})"), BadInput);
  EXPECT_THROW(run("1", R"({"A": 1})"), BadInput);
}

TEST_F(FieldErrata, EveryEntryOfTheProjectIsOne) {
  const auto all = run_field_errata(source_root() / "experiments/field/collections.json");
  EXPECT_GE(all.size(), 20u);
  for (const FieldErratum& e : all) {
    EXPECT_EQ(e.refusal, "") << e.project << ", " << e.name;
    EXPECT_NE(e.condition, "") << e.name;
  }
}

}  // namespace

}  // namespace daemark::exact
