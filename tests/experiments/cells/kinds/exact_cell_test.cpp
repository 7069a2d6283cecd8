// Cells of kind "exact" with an erratum: only what is the paper's own decides a claim.
#include <gtest/gtest.h>

#include "base/text/bad_input.hpp"
#include "experiments/cells/support/cell_kind.hpp"

namespace daemark {
namespace {

CellResult run_with(const std::string& erratum) {
  Cell cell;
  cell.kind = "exact";
  cell.method = "pade_block(r=3,k=2)";
  cell.more["erratum"] = erratum;
  return kind_of(cell).run(cell);
}

TEST(ExactCell, DamageOfOurTextDecidesNothing) {
  EXPECT_EQ(run_with("li2019/CN eq. (11)").measures.at("printed_holds"), 1);
  EXPECT_EQ(
      run_with("li2019/eq. (14), both versions: Chebyshev, r = 3").measures.at("printed_holds"), 0);
  for (const char* place : {"EN eq. (11), rows 2 and 3 of 3B", "EN eq. (16), B",
                            "eq. (15), both versions: Legendre, r = 3"}) {
    EXPECT_EQ(run_with(std::string("li2019/") + place).measures.count("printed_holds"), 0U)
        << place;
  }
  EXPECT_THROW(run_with("li2019/eq. (99)"), BadInput);
  EXPECT_THROW(run_with("nobody2020/eq. (1)"), BadInput);
  EXPECT_THROW(run_with("eq. (1)"), BadInput);
}

}  // namespace
}  // namespace daemark
