// What verify keeps of the whole catalogue for the pages made of it.
#include "analysis/exact/proof/catalogue_table.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"

namespace daemark::exact {
namespace {

struct Results {
  std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "catalogue_table";
  Results() { std::filesystem::create_directories(path); }
  ~Results() { std::filesystem::remove_all(path); }
};

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
  const Results folder;
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
  const Results folder;
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
  const Results folder;
  EXPECT_TRUE(read_catalogue(folder.path).empty());
  for (const char* text : {"[{}]", "[1]", R"([{"method": 1}])", "no json"}) {
    std::ofstream(folder.path / "catalogue.json") << text;
    EXPECT_THROW(read_catalogue(folder.path), BadInput) << text;
  }
}

}  // namespace
}  // namespace daemark::exact
