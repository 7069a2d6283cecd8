// analysis/ACCURACY.md lists every kernel with the bound that holds for it.
#include <gtest/gtest.h>

#include <fstream>

#include "base/program/paths.hpp"
#include "tests/support/kernel_accuracy.hpp"

namespace daemark {
namespace {

/// The cells of the rows whose first is the name of a kernel.
std::vector<std::vector<std::string>> committed_rows() {
  std::vector<std::vector<std::string>> rows;
  std::ifstream page(source_root() / "analysis/ACCURACY.md");
  bool in_table = false;
  for (std::string line; std::getline(page, line);) {
    if (in_table && line.starts_with("| ")) {
      rows.emplace_back();
      for (std::size_t at = 2, end; (end = line.find(" |", at)) != std::string::npos; at = end + 3)
        rows.back().push_back(line.substr(at, end - at));
    }
    in_table = in_table || line.starts_with("| kernel");
  }
  return rows;
}

TEST(AccuracyPage, BoundsHold) {
  const auto rows = committed_rows();
  const std::vector<test::Kernel>& kernels = test::kernels();
  ASSERT_EQ(rows.size(), kernels.size()) << "rewritten by make audit PART=accuracy";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const test::Kernel& kernel = kernels[i];
    const std::vector<std::string>& row = rows[i];
    ASSERT_EQ(row.size(), 8U);
    EXPECT_EQ(row[0] + row[1] + row[2] + row[3],
              kernel.name + kernel.arguments + kernel.scalar + kernel.unit);
    EXPECT_EQ(std::stod(row[7]), kernel.bound) << kernel.name;
    EXPECT_LE(std::stod(row[6]), kernel.bound) << kernel.name;
    EXPECT_GT(std::stod(row[6]), 0) << kernel.name;
    const double worst = test::measure(kernel, 20261128, 400).max;
    EXPECT_LE(worst, kernel.bound) << kernel.name;
    EXPECT_GT(worst, 0) << kernel.name;
  }
}

}  // namespace
}  // namespace daemark
