// Cells of kind "exact" with an erratum: only what is the paper's own decides a claim.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "base/text/bad_input.hpp"
#include "experiments/cells/support/cell_kind.hpp"
#include "experiments/engine/write/book.hpp"
#include "experiments/errata/errata.hpp"

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

TEST(ExactCell, TheReportShowsTheKindsOfErrataApart) {
  const auto results = std::filesystem::temp_directory_path() / "daemark_errata_report_test";
  std::filesystem::create_directories(results);
  exact::Erratum wrong, damaged;
  wrong.paper = damaged.paper = "paper2020";
  wrong.kind = exact::ErratumKind::wrong;
  wrong.place = "eq. (1)";
  damaged.kind = exact::ErratumKind::damaged;
  damaged.place = "eq. (2)";
  exact::write_errata({damaged, wrong}, results);
  PaperFaults faults;
  write_summary({}, results, faults);
  std::ifstream stream(results / "errata" / "index.html");
  std::stringstream page;
  page << stream.rdbuf();
  const std::string text = page.str();
  std::size_t after = 0;
  for (const char* part : {"<h2>Errata: wrong in the paper (1)</h2>", "never charged to the paper",
                           "eq. (1)", "<h2>Errata: damaged in our transcription (1)</h2>",
                           "eq. (2)", "<h2>Errata: open (0)</h2>"}) {
    after = text.find(part, after);
    ASSERT_NE(after, std::string::npos) << part;
  }
  std::filesystem::remove_all(results);
}

}  // namespace
}  // namespace daemark
