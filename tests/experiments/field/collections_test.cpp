#include "experiments/field/collections.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/program/paths.hpp"
#include "base/text/bad_input.hpp"

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
