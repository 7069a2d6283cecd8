#include "analysis/report/table.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "base/text/bad_input.hpp"

namespace daemark {
namespace {

TEST(Table, MarkdownPadsByCodePointsAndEscapesBars) {
  const Table table{"", {"a", "|Φ|"}, {{"x", "1"}, {}, {"long label", "2"}}};
  EXPECT_EQ(markdown(table),
            "| a          | \\|Φ\\| |\n| ---------- | ----- |\n| x          | 1     |\n"
            "| long label | 2     |\n");
}

TEST(Table, CsvReadsBackWhatItWrote) {
  const Table table{"", {"a", "b"}, {{"x, y", "say \"no\""}, {"", "two\nlines"}}};
  const auto back = read_csv(csv(table), "t");
  ASSERT_EQ(back.size(), 3U);
  EXPECT_EQ(back[1], table.rows[0]);
  EXPECT_EQ(back[2], table.rows[1]);
  EXPECT_THROW(read_csv("a,\"open", "t"), BadInput);
}

TEST(Table, LatexHasBooktabsPowersAndEscapes) {
  const std::string text = latex({"100 % of a_b", {"m", "ε"}, {{"h", "7.0007e-05"}}}, "tab:x");
  EXPECT_NE(text.find("$7.0007\\cdot 10^{-5}$"), std::string::npos);
  EXPECT_NE(text.find("100 \\% of a\\_b"), std::string::npos);
  EXPECT_NE(text.find("$\\varepsilon$"), std::string::npos);
  EXPECT_NE(text.find("\\toprule"), std::string::npos);
}

TEST(Table, LongCellsOfAWideTableBecomeNotes) {
  std::string evidence;
  for (int i = 0; i < 200; ++i) evidence += "evidence ";
  const std::string text = markdown({"",
                                     {"claim", "verdict", "measured"},
                                     {{"short", "holds", evidence}, {"other", "fails", "1 > 2"}}});
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 180u) << line;
  EXPECT_NE(text.find("| short | holds   | note 1   |"), std::string::npos) << text;
  EXPECT_NE(text.find("| other | fails   | 1 > 2    |"), std::string::npos) << text;
  EXPECT_NE(text.find("\n1. evidence evidence"), std::string::npos) << text;
}

}  // namespace
}  // namespace daemark
