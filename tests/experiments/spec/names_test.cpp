// What an experiment may name: measures, units, keys of the kind of a cell.
#include "experiments/spec/names.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text/bad_input.hpp"
#include "tests/experiments/fake_paper.hpp"

namespace daemark {
namespace {

using testing::HasSubstr;

/// What is said against an item of one row of a run; "" where it is accepted.
std::string said(const std::string& column, const std::string& cell,
                 const std::string& claim = "") {
  const test::ScratchFolder scratch;
  test::write_paper(scratch.path);
  const auto folder = scratch.path / "experiments" / "demo";
  test::write_text(folder / "table1.json",
                   R"({"kind":"table","title":"T","columns":[)" + column +
                       R"(],"rows":[{"id":"a","label":"A","cell":{"problem":"pendulum",)" +
                       R"x("formulation":"index3","method":"gauss(2)","h":"1/10","t_end":"1")x" +
                       cell + "}}]" + claim + "}");
  try {
    const ItemSpec item = read_item(folder / "table1.json", read_paper(folder));
    check_names({item}, item);
    return "";
  } catch (const BadInput& refusal) {
    return refusal.what();
  }
}

const std::string energy = R"({"id":"e","label":"energy","unit":"J","measure":"energy_error_max"})";

TEST(Names, AColumnHasTheUnitOfItsMeasure) {
  EXPECT_EQ(said(energy, ""), "");
  EXPECT_THAT(said(R"({"id":"e","label":"e","unit":"m","measure":"energy_error_max"})", ""),
              HasSubstr("column e: unit 'm'; accepted: 'J', the unit of energy_error_max"));
  EXPECT_THAT(said(R"({"id":"n","label":"n","unit":"s","measure":"steps"})", ""),
              HasSubstr("accepted: ''"));
  // A formula has a unit of its own, and what a constraint is of differs from problem to problem.
  EXPECT_EQ(said(R"({"id":"e","label":"e","unit":"mJ","measure":"1000*energy_error_max"})", ""),
            "");
  EXPECT_EQ(said(R"({"id":"e","label":"e","unit":"m²","measure":"position_violation_max"})", ""),
            "");
}

TEST(Names, WhatARowCannotGiveIsRefusedWithWhatItGives) {
  const auto claim = [](const std::string& condition) {
    return R"(,"claims":[{"id":"c","text":"t","where":{"en":"p. 1"},"conditions":[")" + condition +
           R"("]}])";
  };
  EXPECT_EQ(said(energy, "", claim("a.energy_error_max < 1")), "");
  const std::string refusal = said(energy, "", claim("a.energy_error_maximum < 1"));
  EXPECT_THAT(refusal, HasSubstr("'a.energy_error_maximum' is nothing that this row's run can"));
  EXPECT_THAT(refusal, HasSubstr("energy_error_{max,final}"));
  EXPECT_THAT(said(energy, "", claim("b.energy_error_max < 1")), HasSubstr("no row with a cell"));
  // Where one key of the cell is all that is missing, it is named.
  const std::string errors = R"(for error_q the cell needs "errors": true)";
  EXPECT_THAT(said(energy, "", claim("a.error_q < 1")), HasSubstr(errors));
  EXPECT_EQ(said(energy, R"(,"errors":true)", claim("a.error_q < 1")), "");
  EXPECT_THAT(said(R"({"id":"q","label":"q","measure":"2*error_q"})", ""), HasSubstr(errors));
  EXPECT_THAT(said(energy, "", claim("a.slope_q < 1")), HasSubstr("two step sizes or more in"));
  EXPECT_THAT(said(energy, R"(,"kind":"motion","history_every":1)", claim("a.largest_x < 1")),
              HasSubstr(R"(needs "largest": ["x"])"));
}

TEST(Names, AKeyOfAnotherKindIsRefused) {
  EXPECT_EQ(said(energy, R"(,"errors":true)"), "");
  EXPECT_THAT(said(energy, R"(,"tols":["1e-3"])"),
              HasSubstr("cell: key 'tols' is not of kind 'integration'; accepted: method"));
}

}  // namespace
}  // namespace daemark
